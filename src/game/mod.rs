//! The border between the rules of a game and everything that plays it.
//!
//! A game is a value that knows its rules; the search, the engine and the tools see it only
//! through [`Position`] and its moves only through [`Move`]. Nothing here is about any one game.

mod calibration;
mod rules;

use std::error::Error;
use std::fmt::{self, Debug, Display};
use std::ops::{Index, IndexMut, Not};

use arrayvec::ArrayVec;

pub use calibration::{Calibration, EvalScale, StrengthLevel, level};
pub use rules::{RuleChoice, RuleOption, RuleValues, Rules, rules_from};

/// The most moves that any position of any game has.
pub const MAX_MOVES: usize = 128;

/// The legal moves of a position, kept on the stack.
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
    /// Both sides, in the order in which they move.
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

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Who has won; nobody, if the game is drawn.
    pub winner: Option<Side>,
    /// The rule that ended it, as the end of a sentence: "all stones are connected".
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
    /// A short name, never 0, by which tables remember a move. It only picks a move out of a
    /// list of legal ones, so two moves of one position may share it at the cost of their order.
    fn packed(self) -> u16;

    /// The square, 0 to 63, that the piece leaves.
    fn origin(self) -> usize;

    /// The square, 0 to 63, on which it ends.
    fn target(self) -> usize;
}

/// How moves are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MoveFormat {
    /// The path of squares, the same for every game: `b8b6`.
    #[default]
    Coordinate,
    /// What the players of the game write.
    Standard,
}

/// A named way to begin a game.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// Its name in the protocol.
    pub name: &'static str,
    /// Other names that are understood, in lower case without blanks and dashes.
    pub aliases: &'static [&'static str],
    /// The setup at the start.
    pub start: &'static str,
    /// Setups on which speed and reproducibility are measured.
    pub bench: &'static [&'static str],
    /// The rules for people, one to a line.
    pub rules: &'static str,
    /// Whether players number the dark squares, 1 to 32 from the left of the eighth rank.
    pub is_numbered: bool,
}

/// One part of a static evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Term {
    /// What is judged.
    pub name: &'static str,
    /// Its worth for each side, in units of the evaluation.
    pub worth: [i32; 2],
}

/// A position of a game, with all that its rules need to know.
///
/// A position is a small value: [`Position::play`] makes a new one and nothing is ever taken back.
pub trait Position: Copy + Eq + Debug + Send + Sync + 'static {
    /// A move.
    type Move: Move;
    /// The rules that can be chosen.
    type Rules: Rules;
    /// What can be wrong with a setup or a move that somebody typed.
    type Error: Error + Send + Sync + 'static;

    /// The ways to begin, the usual one first.
    const VARIANTS: &'static [Variant];
    /// What the evaluation is worth.
    const CALIBRATION: Calibration;
    /// The letters of each kind of piece in drawings, Black's and White's; the kind with which
    /// the game begins comes first.
    const PIECES: &'static [[char; 2]];

    // Reading and writing.

    /// Reads a setup: one line of setup notation, or the lines of a drawn board.
    fn read_setup(text: &str, rules: Self::Rules) -> Result<Self, Self::Error>;

    /// The setup on one line, in the form that is the standard of the game.
    fn write_setup(&self) -> String;

    /// Reads a legal move, in any notation of the game.
    fn read_move(&self, text: &str) -> Result<Self::Move, Self::Error>;

    /// Writes a legal move.
    fn write_move(&self, mv: Self::Move, format: MoveFormat) -> String;

    /// The board as lines of text, the eighth rank first.
    fn diagram(&self) -> String;

    // Playing.

    /// Whose turn it is.
    fn side(&self) -> Side;

    /// A hash of all that a repetition compares: the pieces and the side to move.
    fn key(&self) -> u64;

    /// The end of the game, if the board or a count has ended it. A position without moves and
    /// repetitions are not seen here: see [`Position::no_moves_outcome`] and [`Position::repetitions`].
    fn outcome(&self) -> Option<Outcome>;

    /// Appends the legal moves of a game that [`Position::outcome`] has not ended. A pass that the
    /// rules demand is one of them.
    fn moves(&self, out: &mut MoveList<Self::Move>);

    /// The number of moves that [`Position::moves`] finds.
    fn count_moves(&self) -> usize {
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        moves.len()
    }

    /// [`Position::count_moves`] and [`Position::evaluate`], for who needs both at less than their cost.
    fn count_and_evaluate(&self) -> (usize, i32) {
        (self.count_moves(), self.evaluate())
    }

    /// How the game ends if [`Position::moves`] finds none.
    fn no_moves_outcome(&self) -> Outcome;

    /// The position after a legal move.
    #[must_use]
    fn play(&self, mv: Self::Move) -> Self;

    /// The number of occurrences of a position that draws the game; 0 if it never does.
    fn repetitions(&self) -> usize;

    /// How many of the last plies might be undone: no earlier position can come again.
    fn reversible_plies(&self) -> usize;

    // What a search asks.

    /// A hash of all that a score depends on: [`Position::key`], and how soon a count will end the
    /// game where that is near.
    fn tt_key(&self) -> u64 {
        self.key()
    }

    /// A hash of all that the result of a game depends on: [`Position::key`], and how soon a count
    /// will end the game, however far that is.
    fn proof_key(&self) -> u64 {
        self.key()
    }

    /// The position with the turn passed on, for null-move pruning and to see what the opponent
    /// threatens; `None` where that tells nothing because a move is forced or every move may harm.
    fn null_move(&self) -> Option<Self>;

    /// A move that wins at once, where the game has a quick way to find one.
    fn winning_move(&self) -> Option<Self::Move>;

    /// Whether a move changes so much that a static evaluation before it tells little.
    fn is_noisy(&self, mv: Self::Move) -> bool;

    /// Appends the moves to try before a static evaluation is trusted.
    fn noisy_moves(&self, out: &mut MoveList<Self::Move>);

    /// Whether the side to move must make one of the [`Position::noisy_moves`].
    fn is_forced(&self) -> bool;

    /// The static evaluation for the side to move, in a unit of its own:
    /// [`Position::CALIBRATION`] tells what it is worth.
    fn evaluate(&self) -> i32;

    /// The parts of which [`Position::evaluate`] is made.
    fn terms(&self) -> Vec<Term>;

    // What a learned evaluation sees.

    /// The parts into which a learned evaluation divides the game.
    const BUCKETS: usize = 1;

    /// In how many ways the board can be looked at that all mean the same.
    const SYMMETRIES: usize = 1;

    /// The board as `side` sees it.
    fn features(&self, side: Side) -> FeatureBits;

    /// What one side sees where the other sees this.
    fn flip(inputs: FeatureBits) -> FeatureBits;

    /// Where an input comes to lie, in either half, when the board is looked at in the way with
    /// this number, below [`Position::SYMMETRIES`]: number 0 leaves it where it is.
    fn map_square(place: usize, _number: usize) -> usize {
        place
    }

    /// The way in which a learned evaluation looks at a board: it need not learn the others.
    fn symmetry(_inputs: FeatureBits) -> usize {
        0
    }

    /// The part of the game, below [`Position::BUCKETS`], in which a board comes up. Both sides see
    /// the same.
    fn output_bucket(_inputs: FeatureBits) -> usize {
        0
    }
}

/// The inputs of a learned evaluation, a bit each: one's own pieces and the opponent's. What a
/// bit stands for is the game's own matter.
pub type FeatureBits = [u64; 2];

/// A board, looked at in the way with this number, below [`Position::SYMMETRIES`].
pub fn symmetric<P: Position>(inputs: FeatureBits, number: usize) -> FeatureBits {
    inputs.map(|half| {
        let places = (0..64).filter(|place| half >> place & 1 != 0);
        places.fold(0, |turned, place| turned | 1 << P::map_square(place, number))
    })
}

/// A board, looked at in the way in which a learned evaluation does.
pub fn oriented<P: Position>(inputs: FeatureBits) -> FeatureBits {
    symmetric::<P>(inputs, P::symmetry(inputs))
}

/// What is known for certain of a position, for its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TablebaseValue {
    /// It is won, and, if that is known, over after so many plies if the loser holds out.
    Won(Option<u16>),
    /// It is lost, likewise.
    Lost(Option<u16>),
    /// It is drawn.
    Drawn,
}

/// Somebody who knows the value of some positions of a game for certain, as endgame tables do.
pub trait Tablebase<P>: Send + Sync {
    /// The value of a position in which the game is not over, if it is known.
    fn value(&self, position: &P) -> Option<TablebaseValue>;
}

/// The end of the game as the position alone shows it, one without moves included.
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

/// Counts the sequences of `depth` legal moves, repetitions ignored. `stop` is asked now and
/// then; where it says so the count is given up.
/// See <https://www.chessprogramming.org/Perft>.
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

/// Spreads a number over 64 bits: the finisher of SplitMix64. Hash keys are made of it.
pub const fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
