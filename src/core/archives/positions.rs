//! The positions that a query looks for.

use super::headers::TextPart;
use super::query::QueryError;
use crate::game::{Game, Notation, Opening, Piece, Side, Variant};
use crate::games::variants;
use crate::with_game;

/// A position that a game must reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WantedPosition {
    pub(super) game: &'static str,
    setup: String,
    side: Side,
    pub(super) key: u64,
    pub(super) pieces: [u32; 2],
}

impl WantedPosition {
    /// The position after moves from a setup, by default from the start position of the variant.
    pub fn read(
        variant: &'static Variant,
        setup: Option<&str>,
        moves: &[impl AsRef<str>],
    ) -> Result<Self, QueryError> {
        fn read<P: Game>(
            setup: &str,
            moves: &[impl AsRef<str>],
        ) -> Result<WantedPosition, QueryError> {
            let mut position = P::read_setup(setup, P::Rules::default())
                .map_err(|error| QueryError::Position(error.to_string()))?;
            for text in moves {
                let mv = position
                    .read_move(text.as_ref())
                    .map_err(|error| QueryError::Move(text.as_ref().into(), error.to_string()))?;
                position = position.play(mv);
            }
            Ok(WantedPosition {
                game: P::name(),
                setup: position.write_setup(),
                side: position.side(),
                key: position.key_with_side(),
                pieces: position.piece_counts(),
            })
        }
        let setup = setup.unwrap_or(variant.start);
        let read = with_game!(variant.name, |P, _variant| read::<P>(setup, moves));
        read.unwrap_or_else(|| Err(QueryError::Position(format!("unknown game {}", variant.name))))
    }

    pub fn game(&self) -> &'static str {
        self.game
    }

    pub fn setup(&self) -> &str {
        &self.setup
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.side
    }
}

/// An opening that a game must have: one of those whose name has a part, or that with these moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WantedOpening {
    pub(super) positions: Vec<WantedPosition>,
    /// The plies up to the positions.
    pub(super) plies: usize,
}

impl WantedOpening {
    /// The openings whose name contains a text, in any case, or whose moves it is: `Edinburgh`, `9-13 22-18 6-9`.
    pub fn read(text: &str) -> Result<Self, QueryError> {
        let (text, part) = (text.trim(), TextPart::new(text.trim()));
        let is_wanted = |opening: &Opening| {
            opening.moves == text || opening.name.is_some_and(|name| part.is_in(name))
        };
        let (mut positions, mut plies) = (Vec::new(), 0);
        for variant in variants().filter(|_| !text.is_empty()) {
            let openings = with_game!(variant.name, |P, variant| P::openings(variant));
            for opening in openings.unwrap_or_default().iter().filter(|opening| is_wanted(opening))
            {
                positions.push(WantedPosition::read(variant, Some(opening.setup), &[""; 0])?);
                plies = plies.max(opening.plies());
            }
        }
        let is_found = !positions.is_empty();
        is_found
            .then_some(Self { positions, plies })
            .ok_or_else(|| QueryError::Opening(text.to_string()))
    }

    /// The positions that the openings lead to, at least one.
    pub fn positions(&self) -> &[WantedPosition] {
        &self.positions
    }
}

/// The pieces of an ending that a game must reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WantedEnding {
    pub(super) sides: [WantedPieces; 2],
}

/// The pieces of a side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct WantedPieces {
    pub(super) total: u32,
    /// The initials of kinds with the number of pieces; any kinds if it is empty.
    kinds: Vec<(char, u32)>,
}

impl WantedEnding {
    /// Reads the pieces of Black and of White: `2k1m:1k2m` with the initials of their kinds, or only their numbers,
    /// as in `5:4`.
    pub fn read(text: &str) -> Result<Self, QueryError> {
        let sides = text.split_once(':').and_then(|(black, white)| {
            Some([WantedPieces::read(black.trim())?, WantedPieces::read(white.trim())?])
        });
        sides.map(|sides| Self { sides }).ok_or_else(|| QueryError::Ending(text.to_string()))
    }

    /// The number of pieces of each side.
    pub(super) fn totals(&self) -> [u32; 2] {
        self.sides.each_ref().map(|pieces| pieces.total)
    }

    /// Whether a position has exactly these pieces.
    pub(super) fn is_in<P: Notation>(&self, position: &P, counts: [u32; 2]) -> bool {
        self.totals() == counts && self.has_kinds(position)
    }

    fn has_kinds<P: Notation>(&self, position: &P) -> bool {
        let board: Vec<_> = (0..64).filter_map(|square| position.piece_on(square)).collect();
        let initial = |kind: usize| P::PIECES.get(kind).and_then(|kind| kind.name.chars().next());
        self.sides.iter().zip(Side::BOTH).all(|(wanted, side)| {
            wanted.kinds.iter().all(|&(letter, count)| {
                let is_of_kind =
                    |piece: &&Piece| piece.side == side && initial(piece.kind) == Some(letter);
                board.iter().filter(is_of_kind).count() == count as usize
            })
        })
    }
}

impl WantedPieces {
    fn read(text: &str) -> Option<Self> {
        const MOST: u32 = 64;
        let number = |digits: &str| digits.parse().ok().filter(|number| *number <= MOST);
        let mut kinds = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| !c.is_ascii_digit()) {
            let (digits, letter) = (rest.get(..at)?, rest.get(at..)?.chars().next()?);
            let letter = letter.to_ascii_lowercase();
            if kinds.iter().any(|&(known, _)| known == letter) {
                return None;
            }
            kinds.push((letter, number(digits)?));
            rest = rest.get(at + letter.len_utf8()..)?;
        }
        let is_known = |letter: char| {
            let names = |variant: &Variant| {
                with_game!(variant.name, |P, _variant| {
                    P::PIECES.iter().any(|kind| kind.name.starts_with(letter))
                })
            };
            variants().any(|variant| names(variant) == Some(true))
        };
        let are_known = kinds.iter().all(|&(letter, _)| is_known(letter));
        match (kinds.is_empty(), rest.is_empty()) {
            (true, _) => Some(Self { total: number(rest)?, kinds }),
            (false, true) if are_known => {
                Some(Self { total: kinds.iter().map(|kind| kind.1).sum(), kinds })
            }
            _ => None,
        }
    }
}
