//! The interface between the rules of a game and the search, the engine and the tools.
//!
//! They access a game only through [`Position`] and its moves only through [`Move`]. Nothing in
//! this module is specific to one game.

mod calibration;
mod rules;
mod variant;

use std::error::Error;
use std::fmt::{self, Debug, Display};
use std::ops::{Index, IndexMut, Not};

use arrayvec::ArrayVec;

pub use calibration::{Calibration, EvalScale, StrengthLevel, level};
pub use rules::{RuleChoice, RuleOption, RuleValues, Rules, rules_from};
pub use variant::{RecordFormat, Variant};

/// The maximum number of moves of a position in any game.
pub const MAX_MOVES: usize = 128;

/// A list of legal moves, stored on the stack.
pub type MoveList<M> = ArrayVec<M, MAX_MOVES>;

/// One of the two players. Black moves first in every game here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The player who moves first.
    Black,
    /// The player who moves second.
    White,
}

impl Side {
    /// Both sides in the order of play.
    pub const BOTH: [Self; 2] = [Self::Black, Self::White];
}

impl Not for Side {
    type Output = Self;

    /// The opponent.
    fn not(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl<T> Index<Side> for [T; 2] {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        &self[side as usize]
    }
}

impl<T> IndexMut<Side> for [T; 2] {
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self[side as usize]
    }
}

impl Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::Black => "Black",
            Self::White => "White",
        })
    }
}

/// The result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The winner; `None` if the game is drawn.
    pub winner: Option<Side>,
    /// The reason, as the end of a sentence: "all stones are connected".
    pub reason: &'static str,
}

impl Outcome {
    /// A win for `side`.
    pub const fn won(side: Side, reason: &'static str) -> Self {
        Self { winner: Some(side), reason }
    }

    /// A draw.
    pub const fn drawn(reason: &'static str) -> Self {
        Self { winner: None, reason }
    }
}

impl Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.winner {
            Some(side) => write!(f, "{side} has won: {}", self.reason),
            None => write!(f, "drawn: {}", self.reason),
        }
    }
}

/// A move of one player.
pub trait Move: Copy + Eq + Debug + Send + Sync + 'static {
    /// The move in 16 bits, never 0, as stored in the transposition table.
    ///
    /// It only selects a move from a list of legal ones. Two moves of a position may share it; this
    /// affects only the move ordering.
    fn packed(self) -> u16;

    /// The origin square, 0 to 63.
    fn origin(self) -> usize;

    /// The target square, 0 to 63.
    fn target(self) -> usize;
}

/// A notation for moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MoveFormat {
    /// The squares of the path, the same for every game: `b8b6`.
    #[default]
    Coordinate,
    /// The customary notation of the game.
    Standard,
}

/// A term of the handcrafted evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Term {
    /// The name of the term.
    pub name: &'static str,
    /// The value for each side, in units of the evaluation.
    pub worth: [i32; 2],
}

/// A position of a game, with all state that its rules need.
///
/// A position is a small value: [`Position::play`] returns a new one, and moves are never undone.
pub trait Position: Copy + Eq + Debug + Send + Sync + 'static {
    /// The type of moves.
    type Move: Move;
    /// The configurable rules.
    type Rules: Rules;
    /// The error for an invalid setup or move.
    type Error: Error + Send + Sync + 'static;

    /// The variants, the default one first.
    const VARIANTS: &'static [Variant];
    /// The calibration of evaluations and strength levels.
    const CALIBRATION: Calibration;
    /// The letters of each kind of piece in diagrams, for Black and White. The kind that the start
    /// position consists of comes first.
    const PIECES: &'static [[char; 2]];

    // Reading and writing.

    /// Reads a setup: one line of setup notation, or the lines of a diagram.
    fn read_setup(text: &str, rules: Self::Rules) -> Result<Self, Self::Error>;

    /// Returns the setup on one line, in the standard notation of the game.
    fn write_setup(&self) -> String;

    /// Reads a legal move in any notation of the game.
    fn read_move(&self, text: &str) -> Result<Self::Move, Self::Error>;

    /// Writes a legal move.
    fn write_move(&self, mv: Self::Move, format: MoveFormat) -> String;

    /// The board as lines of text, with the eighth rank first.
    fn diagram(&self) -> String;

    // Playing.

    /// The side to move.
    fn side(&self) -> Side;

    /// The hash for draws by repetition: of the pieces and the side to move.
    fn key(&self) -> u64;

    /// The outcome, if the board or a move counter has ended the game.
    ///
    /// It does not cover positions without legal moves and repetitions: see
    /// [`Position::no_moves_outcome`] and [`Position::repetitions`].
    fn outcome(&self) -> Option<Outcome>;

    /// Appends the legal moves; [`Position::outcome`] must be `None`. They include a pass where the
    /// rules require one.
    fn moves(&self, out: &mut MoveList<Self::Move>);

    /// The number of moves that [`Position::moves`] generates.
    fn count_moves(&self) -> usize {
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        moves.len()
    }

    /// [`Position::count_moves`] and [`Position::evaluate`] at once, cheaper than two calls.
    fn count_and_evaluate(&self) -> (usize, i32) {
        (self.count_moves(), self.evaluate())
    }

    /// The outcome if [`Position::moves`] generates none.
    fn no_moves_outcome(&self) -> Outcome;

    /// The position after a legal move.
    #[must_use]
    fn play(&self, mv: Self::Move) -> Self;

    /// The number of occurrences of a position that draws the game; 0 without draws by repetition.
    fn repetitions(&self) -> usize;

    /// The number of plies since the last irreversible move. No position before that move can occur
    /// again.
    fn reversible_plies(&self) -> usize;

    // Search.

    /// The transposition table key: a hash of [`Position::key`], and of the move counter where it
    /// is about to end the game.
    fn tt_key(&self) -> u64 {
        self.key()
    }

    /// The proof table key: a hash of [`Position::key`], and of any move counter that can end the
    /// game.
    fn proof_key(&self) -> u64 {
        self.key()
    }

    /// The position with the other side to move, for null-move pruning and to find threats. `None`
    /// where this is misleading, because a move is forced or zugzwang is likely.
    fn null_move(&self) -> Option<Self>;

    /// A move that wins at once, in games with a fast way to find one.
    fn winning_move(&self) -> Option<Self::Move>;

    /// Whether a move is noisy: a static evaluation before it is unreliable.
    fn is_noisy(&self, mv: Self::Move) -> bool;

    /// Appends the noisy moves, which quiescence search tries.
    fn noisy_moves(&self, out: &mut MoveList<Self::Move>);

    /// Whether the side to move must make one of the [`Position::noisy_moves`], as with compulsory
    /// captures.
    fn is_forced(&self) -> bool;

    /// The handcrafted evaluation for the side to move. [`Position::CALIBRATION`] converts its unit
    /// to win rates.
    fn evaluate(&self) -> i32;

    /// The terms of [`Position::evaluate`].
    fn terms(&self) -> Vec<Term>;

    // NNUE features.

    /// The number of output buckets.
    const BUCKETS: usize = 1;

    /// The number of equivalent orientations of the board.
    const SYMMETRIES: usize = 1;

    /// The features of the board from the view of `side`.
    fn features(&self, side: Side) -> FeatureBits;

    /// Converts one side's features to those of the other side.
    fn flip(inputs: FeatureBits) -> FeatureBits;

    /// The square to which a symmetry, a number below [`Position::SYMMETRIES`], maps a square in
    /// either half of the features. Number 0 is the identity.
    fn map_square(place: usize, _number: usize) -> usize {
        place
    }

    /// The number of the symmetry that maps the features to their canonical orientation. The
    /// network needs to learn only this orientation.
    fn symmetry(_inputs: FeatureBits) -> usize {
        0
    }

    /// The output bucket of the features, below [`Position::BUCKETS`]. It is the same from both
    /// views.
    fn output_bucket(_inputs: FeatureBits) -> usize {
        0
    }
}

/// The input features of the network, one bit each: the first word holds a side's own pieces, the
/// second those of the opponent. Each game defines its bits.
pub type FeatureBits = [u64; 2];

/// The features transformed by the symmetry with this number, below [`Position::SYMMETRIES`].
pub fn symmetric<P: Position>(inputs: FeatureBits, number: usize) -> FeatureBits {
    inputs.map(|half| {
        let places = (0..64).filter(|place| half >> place & 1 != 0);
        places.fold(0, |turned, place| turned | 1 << P::map_square(place, number))
    })
}

/// The features in canonical orientation.
pub fn oriented<P: Position>(inputs: FeatureBits) -> FeatureBits {
    symmetric::<P>(inputs, P::symmetry(inputs))
}

/// An exact value for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TablebaseValue {
    /// A win, with the plies to the end under best play if known.
    Won(Option<u16>),
    /// A loss, with the plies to the end under best play if known.
    Lost(Option<u16>),
    /// A draw.
    Drawn,
}

/// A source of exact values, such as endgame tables.
pub trait Tablebase<P>: Send + Sync {
    /// The value of a position, if known. The game must not be over.
    fn value(&self, position: &P) -> Option<TablebaseValue>;
}

/// The outcome of the game by the position alone, that of a position without legal moves included.
pub fn outcome<P: Position>(position: &P) -> Option<Outcome> {
    position.outcome().or_else(|| {
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        moves.is_empty().then(|| position.no_moves_outcome())
    })
}

/// The legal moves; none if the game is over.
pub fn legal_moves<P: Position>(position: &P) -> MoveList<P::Move> {
    let mut moves = MoveList::new();
    if position.outcome().is_none() {
        position.moves(&mut moves);
    }
    moves
}

/// Counts the sequences of `depth` legal moves, ignoring repetitions.
///
/// `stop` is called regularly; returns `None` if it returns true. See
/// <https://www.chessprogramming.org/Perft>.
pub fn perft<P: Position>(position: &P, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if position.outcome().is_some() {
        return Some(0);
    }
    if depth == 1 {
        return Some(position.count_moves() as u64);
    }
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    if depth > 3 && stop() {
        return None;
    }
    moves.iter().map(|&mv| perft(&position.play(mv), depth - 1, stop)).sum()
}

/// The finalizer of SplitMix64, which spreads a number over 64 bits. Hash keys are made with it.
pub const fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
