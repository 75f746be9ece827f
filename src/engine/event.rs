//! What the engine says while it works.

use std::time::Duration;

use thiserror::Error;

use super::uci_score::{UciScore, Wdl};
use crate::search::Bound;

/// Something that the engine says. Moves are in the notation that the options ask for.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// The best line at some depth.
    Info(Info),
    /// The root move that is looked at.
    Current {
        /// The depth of the iteration, in plies.
        depth: usize,
        /// The move.
        mv: String,
        /// Its place in the order of root moves, from 1.
        number: usize,
    },
    /// The game is over.
    Finished {
        /// What that means for the side to move: a loss, a win or a draw.
        verdict: UciScore,
        /// The same in games, if the options ask for it.
        odds: Option<Wdl>,
    },
    /// There is no win of the length that was looked for.
    NoMate {
        /// The length, in moves.
        moves: u32,
        /// Whether that is sure. If not, a limit ended the search for it.
        certain: bool,
    },
    /// The end of a search.
    Best {
        /// The move; none if the game is over.
        best: Option<String>,
        /// The reply that is expected.
        ponder: Option<String>,
    },
    /// The sequences of moves that begin with this one.
    Divide {
        /// The first move.
        mv: String,
        /// How many there are.
        nodes: u64,
    },
    /// The sequences of moves in all.
    Perft {
        /// How many there are.
        nodes: u64,
    },
    /// One of the positions of the benchmark was searched.
    BenchPosition {
        /// The variant.
        variant: &'static str,
        /// The position.
        setup: String,
        /// The positions visited.
        nodes: u64,
    },
    /// The benchmark has ended.
    Bench {
        /// The positions visited in all: a signature of the search.
        nodes: u64,
        /// The time it took.
        time: Duration,
    },
}

/// The best line at some depth.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// Its place among the lines of this depth, from 1.
    pub multipv: usize,
    /// The depth of the iteration, in plies.
    pub depth: usize,
    /// The most plies that were looked ahead.
    pub seldepth: usize,
    /// The score for the side to move.
    pub score: UciScore,
    /// The same in games, if the options ask for it.
    pub wdl: Option<Wdl>,
    /// How the score is to be taken.
    pub bound: Bound,
    /// The positions visited so far.
    pub nodes: u64,
    /// The time since the search began.
    pub time: Duration,
    /// The positions whose value was looked up in endgame tables.
    pub tb_hits: u64,
    /// How much of the table is in use, in thousandths.
    pub hashfull: u32,
    /// The best moves of both sides.
    pub pv: Vec<String>,
}

/// Nobody listens to the engine any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("nobody listens")]
pub struct Disconnected;

/// Where events go.
pub type Sink<'a> = &'a mut dyn FnMut(Event) -> Result<(), Disconnected>;
