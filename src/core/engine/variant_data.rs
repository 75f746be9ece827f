//! The variants of all games, with what a client needs to offer them.

use serde::Serialize;

use crate::game::{
    Calibration, Game, Heuristics, MoveFormat, Notation, Opening, PieceKind, Variant,
};
use crate::games::variants;
use crate::with_game;

/// A variant, and the data of its game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct VariantData {
    pub variant: &'static Variant,
    pub game: &'static str,
    pub kinds: &'static [PieceKind],
    pub calibration: &'static Calibration,
}

/// A ballot: an opening that tournaments draw by lot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Ballot {
    pub moves: Vec<String>,
    /// The moves in the standard notation of the game, separated by spaces.
    pub standard: &'static str,
    /// The name of the opening; `None` where players have none for it.
    pub name: Option<&'static str>,
}

/// The ballots of a variant. Whether they are legal is tested for each game.
pub fn ballots(variant: &Variant) -> Vec<Ballot> {
    with_game!(variant.name, |P, variant| {
        let ballots = P::openings(variant).into_iter().filter(|opening| opening.is_ballot);
        ballots.filter_map(|opening| ballot::<P>(variant, opening)).collect()
    })
    .unwrap_or_default()
}

fn ballot<P: Game>(variant: &Variant, opening: Opening) -> Option<Ballot> {
    let mut position = P::read_setup(variant.start, P::Rules::default()).ok()?;
    let mut moves = Vec::new();
    for text in opening.moves.split(' ') {
        let mv = position.read_move(text).ok()?;
        moves.push(position.write_move(mv, MoveFormat::Coordinate));
        position = position.play(mv);
    }
    Some(Ballot { moves, standard: opening.moves, name: opening.name })
}

/// The data of all variants, the default one first.
pub fn variant_data() -> impl Iterator<Item = VariantData> {
    variants().filter_map(|variant| {
        with_game!(variant.name, |P, variant| VariantData {
            variant,
            game: P::name(),
            kinds: P::PIECES,
            calibration: &P::CALIBRATION,
        })
    })
}
