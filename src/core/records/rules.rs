//! Checks setups and moves of records by the rules of their game.

use std::array;

use crate::game::{Game, Piece, Side, Variant, outcome};
use crate::with_game;

/// A valid setup.
pub(super) struct ValidSetup {
    /// The setup in canonical notation.
    pub(super) text: String,
    /// The side to move.
    pub(super) side: Side,
    /// Whether the game is over.
    pub(super) is_over: bool,
    /// The letters on the squares, a1 first, with `-` for an empty square.
    pub(super) board: [char; 64],
    /// The letters of the first kind of piece, for Black and White.
    pub(super) pieces: [char; 2],
}

/// Reads a setup of the game of a variant, with the default rules. The error is a text.
pub(super) fn read_setup(variant: &Variant, setup: &str) -> Result<ValidSetup, String> {
    fn read<P: Game>(setup: &str) -> Result<ValidSetup, String> {
        let position =
            P::read_setup(setup, P::Rules::default()).map_err(|error| error.to_string())?;
        let letter = |piece: Piece| {
            let [black, white] = P::PIECES.get(piece.kind)?.letters;
            Some(if piece.side == Side::Black { black } else { white })
        };
        let letter_on = |square| position.piece_on(square).and_then(letter).unwrap_or('-');
        Ok(ValidSetup {
            text: position.write_setup(),
            side: position.side(),
            is_over: outcome(&position).is_some(),
            board: array::from_fn(letter_on),
            pieces: P::PIECES.first().map_or(['-'; 2], |piece| piece.letters),
        })
    }
    let unknown = || Err(format!("unknown variant {}", variant.name));
    with_game!(variant.name, |P, _variant| read::<P>(setup)).unwrap_or_else(unknown)
}

/// Whether a setup is the start position of the variant.
pub(super) fn is_start(variant: &Variant, setup: &str) -> bool {
    let text = |setup| read_setup(variant, setup).map(|setup| setup.text);
    text(setup).is_ok_and(|setup| text(variant.start) == Ok(setup))
}

/// The setup in canonical notation; `None` if it is invalid or the start position.
pub(super) fn canonical(variant: &Variant, setup: &str) -> Option<String> {
    let setup = read_setup(variant, setup).ok()?.text;
    (!is_start(variant, &setup)).then_some(setup)
}

/// The number of leading moves that are legal in sequence.
pub(super) fn legal_plies(
    variant: &Variant,
    setup: Option<&str>,
    moves: &[impl AsRef<str>],
) -> usize {
    fn count<P: Game>(setup: &str, moves: &[impl AsRef<str>]) -> usize {
        let Ok(mut position) = P::read_setup(setup, P::Rules::default()) else { return 0 };
        let mut play = |text: &str| position.read_move(text).map(|mv| position = position.play(mv));
        moves.iter().map(AsRef::as_ref).map_while(|text| play(text).ok()).count()
    }
    let setup = setup.unwrap_or(variant.start);
    with_game!(variant.name, |P, _variant| count::<P>(setup, moves)).unwrap_or(0)
}
