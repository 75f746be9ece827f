//! The events that the engine reports while it works.

use std::time::Duration;

use thiserror::Error;

use super::uci_score::{UciScore, Wdl};
use crate::search::Bound;

/// An event reported by a search. Moves are in the notation selected by the options.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    Info(Info),
    /// The root move being searched (`currmove`).
    Current {
        /// The depth of the iteration, in plies.
        depth: usize,
        mv: String,
        /// Its index in the order of root moves, from 1.
        number: usize,
    },
    /// The game is over, so there is nothing to search.
    Finished {
        /// The result for the side to move: a loss, a win or a draw.
        score: UciScore,
        /// The same as win/draw/loss, if the options request it.
        wdl: Option<Wdl>,
        /// Its expected points per thousand games, if the options request those of players.
        chances: Option<u32>,
    },
    /// A mate search found no win of the requested length.
    NoMate {
        /// The length, in moves of the winner.
        moves: u32,
        /// Whether this is proved. If false, a limit ended the search first.
        certain: bool,
    },
    /// The following best move comes from the opening book.
    BookMove,
    /// The end of a search (`bestmove`).
    Best {
        /// The best move; `None` if the game is over.
        best: Option<String>,
        /// The expected reply, to ponder on.
        ponder: Option<String>,
    },
    /// Output of a job that the caller formats itself: see [`Engine::run_job`](super::Engine::run_job).
    Line(String),
    /// The perft count of one root move.
    Divide {
        mv: String,
        /// The number of leaf nodes below it.
        nodes: u64,
    },
    Perft {
        /// The number of leaf nodes; `None` if it was stopped before all were counted.
        nodes: Option<u64>,
    },
    /// A benchmark position has been searched.
    BenchPosition {
        variant: &'static str,
        setup: String,
        nodes: u64,
    },
    Bench {
        /// The total nodes searched, which identify the search; `None` if it was stopped.
        nodes: Option<u64>,
        time: Duration,
    },
}

/// A principal variation with its search statistics (`info`).
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// Its rank among the variations of this depth, from 1.
    pub multipv: usize,
    /// The number of variations of this depth.
    pub lines: usize,
    /// The depth of the iteration, in plies.
    pub depth: usize,
    /// The selective depth: the greatest ply reached.
    pub seldepth: usize,
    /// The score for the side to move.
    pub score: UciScore,
    /// The same as win/draw/loss, if the options request it.
    pub wdl: Option<Wdl>,
    /// The expected points of the side to move per thousand games, if the options request those of players.
    pub chances: Option<u32>,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    pub nodes: u64,
    /// The time since the start of the search.
    pub time: Duration,
    pub tb_hits: u64,
    /// The part of the transposition table filled by this search, in permille.
    pub hashfull: u32,
    pub pv: Vec<String>,
}

/// The receiver of the events is gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the receiver of events is closed")]
pub struct Disconnected;

/// The receiver of events. An error means that no more events can be delivered.
pub type Sink<'a> = &'a mut dyn FnMut(Event) -> Result<(), Disconnected>;
