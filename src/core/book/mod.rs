//! The opening book: good moves of known positions, played at once with the option `OwnBook`.
//!
//! A [`Book`] lists moves by the hash of the position, which is the same for all orientations of
//! the board that the game considers equal. `soucie-lab book build` makes books.

mod built_in;
mod explored;
mod file;

pub use built_in::{FILES, built_in};
pub use explored::{ExploredOpenings, OpeningStatistics};
pub use file::{BookError, MAX_FILE_SIZE};

use std::collections::BTreeSet;

use crate::game::{FeatureBits, Features, Move, MoveList, Side, legal_moves, mix};

/// Whether there are options to play from books.
pub const HAS_BOOKS: bool = cfg!(not(target_family = "wasm"));

/// The moves of a game's opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    /// The name of the game's first variant.
    pub game: String,
    /// Sorted by position; a position with several moves has several entries.
    entries: Vec<BookEntry>,
}

/// A move of a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BookEntry {
    /// The hash of the position: see [`BookKey`].
    pub hash: u64,
    /// The code of the move: see [`BookKey::code`].
    pub mv: u16,
}

impl Book {
    pub fn new(game: &str, mut entries: Vec<BookEntry>) -> Self {
        entries.sort_unstable();
        entries.dedup();
        Self { game: game.to_string(), entries }
    }

    pub fn positions(&self) -> usize {
        self.entries.chunk_by(|one, next| one.hash == next.hash).count()
    }

    /// Returns the moves of a position, none if it is unknown. All of them are about equally good.
    pub fn moves<P: Features>(&self, position: &P) -> Vec<P::Move> {
        let key = BookKey::of(position);
        let first = self.entries.partition_point(|entry| entry.hash < key.hash);
        let known = self.entries.iter().skip(first);
        let known = known.take_while(|entry| entry.hash == key.hash);
        known.filter_map(|entry| key.legal_move(position, entry.mv)).collect()
    }
}

/// The legal moves of a position; of those that lead to the same position up to a symmetry, only the first.
pub fn moves_up_to_symmetry<P: Features>(position: &P) -> MoveList<P::Move> {
    let mut reached = BTreeSet::new();
    let mut moves = legal_moves(position);
    moves.retain(|mv| reached.insert(BookKey::of(&position.play(*mv)).hash));
    moves
}

/// The identity of a position and of its moves in books.
///
/// Both are those of the orientation of the board whose features come first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookKey {
    /// A hash of the board and the side to move.
    pub hash: u64,
    symmetry: usize,
}

impl BookKey {
    /// Returns the key of a position. Its hash is the same for positions that differ by a symmetry.
    pub fn of<P: Features>(position: &P) -> Self {
        Self::of_features::<P>(position.features(position.side()), position.side())
    }

    /// Returns the key of a position with these features from the view of the side to move.
    pub fn of_features<P: Features>(features: FeatureBits, side: Side) -> Self {
        let orientations =
            (0..P::SYMMETRIES).map(|number| (P::transformed(features, number), number));
        let ([own, other], symmetry) = orientations.min().unwrap_or((features, 0));
        let side = 1 + side as u64;
        Self { hash: mix(own ^ mix(other ^ mix(side))), symmetry }
    }

    /// Returns the code of a legal move: its origin square times 64 plus its target square, 0 for a1
    /// to 63 for h8. Several captures of draughts may have the same ends: the number of such moves
    /// before it, times 4,096, is added.
    pub fn code<P: Features>(self, position: &P, mv: P::Move) -> u16 {
        let ends = self.ends::<P>(mv);
        let moves = legal_moves(position);
        let before = moves.iter().take_while(|&&other| other != mv);
        let number = before.filter(|&&other| self.ends::<P>(other) == ends).count();
        ends + 4096 * number as u16
    }

    /// Returns the legal move with this code; `None` for a code that no legal move has.
    pub fn legal_move<P: Features>(self, position: &P, code: u16) -> Option<P::Move> {
        let moves = legal_moves(position);
        let mut same = moves.iter().filter(|&&mv| self.ends::<P>(mv) == code % 4096);
        same.nth(usize::from(code / 4096)).copied()
    }

    fn ends<P: Features>(self, mv: P::Move) -> u16 {
        let square = |square: usize| {
            let [square, _] = P::transformed([1 << square, 0], self.symmetry);
            square.trailing_zeros() as u16
        };
        64 * square(mv.origin()) + square(mv.target())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::game::{MoveFormat, Notation};
    use crate::games::draughts::Draughts;
    use crate::games::loa::Loa;

    fn after<P: Notation>(start: &str, moves: &str) -> P {
        let mut position = P::read_setup(start, P::Rules::default()).unwrap();
        for text in moves.split_whitespace() {
            position = position.play(position.read_move(text).unwrap());
        }
        position
    }

    fn book_of<P: Notation + Features>(start: &str, line: &str) -> Book {
        let words: Vec<&str> = line.split_whitespace().collect();
        let entry = |(plies, word): (usize, &&str)| {
            let position: P = after(start, &words[..plies].join(" "));
            let key = BookKey::of(&position);
            let mv = key.code(&position, position.read_move(word).unwrap());
            BookEntry { hash: key.hash, mv }
        };
        Book::new("game", words.iter().enumerate().map(entry).collect())
    }

    fn moves<P: Notation + Features>(book: &Book, start: &str, line: &str) -> Vec<String> {
        let position: P = after(start, line);
        let moves = book.moves(&position).into_iter();
        moves.map(|mv| position.write_move(mv, MoveFormat::Coordinate)).collect()
    }

    #[test]
    fn a_line_is_found_in_every_orientation_of_the_board() {
        let start = "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b";
        let book = book_of::<Loa>(start, "d1b3 h5f5 b1b4");
        assert_eq!(book.positions(), 3);
        // The line, mirrored from left to right, upside down, and both.
        for [first, reply, next] in [
            ["d1b3", "h5f5", "b1b4"],
            ["e1g3", "a5c5", "g1g4"],
            ["d8b6", "h4f4", "b8b5"],
            ["e8g6", "a4c4", "g8g5"],
        ] {
            assert_eq!(moves::<Loa>(&book, start, first), [reply]);
            assert_eq!(moves::<Loa>(&book, start, &format!("{first} {reply}")), [next]);
        }
        assert_eq!(moves::<Loa>(&book, start, "").len(), 1);
        assert!(moves::<Loa>(&book, start, "d1b3 h5f5 b1b4 f5h5").is_empty());
    }

    #[test]
    fn the_board_of_draughts_has_one_orientation() {
        let start = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
        let book = book_of::<Draughts>(start, "11-15 22-18 15x22 25x18");
        for (line, found) in [
            ("", vec!["f6e5"]),
            ("11-15", vec!["c3d4"]),
            ("11-15 22-18", vec!["e5c3"]),
            ("11-15 22-18 15x22", vec!["b2d4"]),
            ("11-15 22-18 15x22 25x18", vec![]),
            ("10-14", vec![]),
        ] {
            assert_eq!(moves::<Draughts>(&book, start, line), found, "{line}");
        }
    }

    #[test]
    fn captures_with_equal_ends_have_different_codes() {
        let position: Draughts = after("B:W6,7,14,15:BK2", "");
        let key = BookKey::of(&position);
        let moves = legal_moves(&position);
        let codes: Vec<_> = moves.iter().map(|&mv| key.code(&position, mv)).collect();
        assert!(codes.len() == 2 && codes[0] % 4096 == codes[1] % 4096, "{codes:?}");
        for (code, mv) in codes.iter().zip(moves) {
            assert_eq!(key.legal_move(&position, *code), Some(mv));
        }
        assert_eq!(key.legal_move(&position, codes[1] + 4096), None);
    }
}
