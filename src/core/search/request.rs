//! The input of a search: a position, limits and resources.

use super::memory::{AnnouncedWin, SearchMemory};
use super::score::Score;
use super::signals::Signals;
use super::time::Limits;
use crate::game::{
    Features, GameTablebase, Heuristics, Outcome, Position, Side, Tablebase, TablebaseValue,
    drawn_if_repeated, mix,
};
use crate::nnue::Network;
use crate::platform::Instant;

/// The options that the search reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// `Threads`: the number of threads, at least 1.
    pub threads: usize,
    /// `MultiPV`: the number of principal variations to report, at least 1.
    pub multipv: usize,
    /// `Solve`: whether every move is searched to the depth of the iteration.
    pub solve: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { threads: 1, multipv: 1, solve: false }
    }
}

/// A position to search, with limits and resources.
pub struct SearchRequest<'a, P: Heuristics + Features> {
    /// The root position, in which the game is not over.
    pub root: P,
    /// The earlier positions of the game, the first one first.
    pub history: &'a [P],
    /// The root moves to search; empty for all legal moves.
    pub root_moves: &'a [P::Move],
    pub limits: &'a Limits,
    /// The noise added to the evaluation.
    pub eval_noise: EvalNoise,
    /// The time of the request, from which the time limits count.
    pub started: Instant,
    /// The options that the search reads.
    pub options: SearchOptions,
    /// What the searches of a game share, the transposition table above all.
    pub memory: &'a SearchMemory,
    /// The tablebase, if there is one.
    pub tablebase: Option<&'a dyn Tablebase<P>>,
    /// A network for this game; `None` for the handcrafted evaluation.
    pub network: Option<&'a Network>,
    /// The signals to stop the search and to read its counters.
    pub signals: &'a Signals,
}

impl<'a, P: Heuristics + Features> SearchRequest<'a, P> {
    /// A request with default options, without history, evaluation noise, tablebase and network.
    pub fn new(
        root: P,
        limits: &'a Limits,
        memory: &'a SearchMemory,
        signals: &'a Signals,
    ) -> Self {
        Self {
            root,
            history: &[],
            root_moves: &[],
            limits,
            eval_noise: EvalNoise::default(),
            started: Instant::now(),
            options: SearchOptions::default(),
            memory,
            tablebase: None,
            network: None,
            signals,
        }
    }

    /// Returns the score of an outcome for `side`, `ply` plies after the root.
    pub(super) fn outcome_score(&self, outcome: Outcome, side: Side, ply: usize) -> Score {
        match outcome.winner {
            None => Score::DRAW,
            Some(winner) if winner == side => Score::win_in(ply),
            Some(_) => Score::loss_in(ply),
        }
    }

    /// Returns the score of a tablebase value for the side that has it, `ply` plies after the root.
    pub(super) fn tablebase_score(&self, value: TablebaseValue, ply: usize) -> Score {
        match value {
            TablebaseValue::Won(length) => Score::tablebase_win(length, ply),
            TablebaseValue::Lost(length) => -Score::tablebase_win(length, ply),
            TablebaseValue::Drawn => Score::DRAW,
        }
    }

    /// Returns the tablebase with the values that draws by repetition in this game cannot change.
    pub(super) fn game_tablebase(&self) -> Option<GameTablebase<'_, P>> {
        Some(GameTablebase::new(self.tablebase?, &self.root, self.history))
    }

    /// Returns the value mixed into the keys of transposition table entries, which separates
    /// searches by the positions that draw the game if they are repeated: a proof that leads through one
    /// is invalid. 0 if there is none.
    ///
    /// After an announced win the key stays that of the announcing search, so that its proofs are
    /// found: see [`SearchRequest::kept_win`].
    pub(super) fn path_key(&self) -> u64 {
        self.kept_win().map_or_else(
            || {
                let drawn = drawn_if_repeated(&self.root, self.history);
                drawn.iter().fold(0, |path_key, position| path_key ^ mix(position.key()))
            },
            |win| win.path_key,
        )
    }

    /// Returns the win that the last search announced in this game, if its first move was played.
    pub(super) fn last_win(&self) -> Option<AnnouncedWin> {
        self.memory.announced_win(game_key(self.history.iter().map(Position::key)))
    }

    /// Returns the win that was announced earlier in this game, unless another position draws since
    /// then if it is repeated. The shortest proof leads to no such position, because it gets nearer to the end with
    /// every move, but proofs of other moves may.
    pub(super) fn kept_win(&self) -> Option<AnnouncedWin> {
        let win = self.last_win()?;
        let (before, since) = self.history.split_at_checked(win.earlier)?;
        let known = drawn_if_repeated(since.first()?, before);
        let is_known = |position: &P| known.iter().any(|other| other.key() == position.key());
        drawn_if_repeated(&self.root, self.history).iter().all(is_known).then_some(win)
    }

    /// Returns the key of the game up to and including a root move.
    pub(super) fn game_key_after(&self, mv: P::Move) -> u64 {
        let last = [self.root.key(), self.root.play(mv).key()];
        game_key(self.history.iter().map(Position::key).chain(last))
    }
}

/// Returns a hash of the positions of a game, in their order.
fn game_key(keys: impl Iterator<Item = u64>) -> u64 {
    keys.fold(0, |hash, key| mix(hash ^ key))
}

/// Deliberate evaluation errors that weaken the play or vary it. The error of a position is always
/// the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EvalNoise {
    /// The largest error, in units of the evaluation; 0 for none.
    pub amplitude: i32,
    pub seed: u64,
}

impl EvalNoise {
    /// Returns the error for the position with this key. Small errors are more likely than large
    /// ones.
    pub(super) fn error(&self, key: u64) -> i32 {
        if self.amplitude == 0 {
            return 0;
        }
        let bits = mix(key ^ self.seed);
        let (first, second) = ((bits & 0xffff) as i64, (bits >> 16 & 0xffff) as i64);
        ((first - second) * i64::from(self.amplitude) / 0xffff) as i32
    }
}
