//! The state of a worker below the root.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::history::Histories;
use super::pruning::Reductions;
use super::request::SearchRequest;
use super::score::{MAX_PLY, Score};
use super::stack::SearchStack;
use super::time::TimeManager;
use super::tt::{HAS_PREFETCH, TtEntry, TtView};
use crate::game::{Features, GameTablebase, Heuristics, TablebaseValue};
use crate::nnue::AccumulatorStack;

/// The search was stopped. An unfinished node has no score.
pub(super) struct Aborted;

pub(super) type SearchResult = Result<Score, Aborted>;

/// What the workers of a search share.
#[derive(Clone, Copy)]
pub(super) struct SearchContext<'a, P: Heuristics + Features> {
    pub(super) request: &'a SearchRequest<'a, P>,
    pub(super) tt: TtView<'a>,
    pub(super) time: &'a TimeManager<'a>,
    /// Set when worker 0 has finished.
    pub(super) halt: &'a AtomicBool,
    /// The tablebase with the values that draws by repetition in this game cannot change.
    pub(super) tablebase: Option<GameTablebase<'a, P>>,
    /// See [`SearchRequest::path_key`].
    pub(super) path_key: u64,
}

impl<P: Heuristics + Features> SearchContext<'_, P> {
    /// Probes the transposition table, with keys mixed with the path key of this search.
    ///
    /// The key does not include a move counter that is far from a draw. A win or loss that takes
    /// longer than it leaves may be wrong here, so such an entry is returned without its score.
    pub(super) fn probe_tt(&self, position: &P) -> Option<TtEntry> {
        let entry = self.tt.probe(position.tt_key() ^ self.path_key)?;
        let takes_longer = |plies| position.far_counter().is_some_and(|left| plies > left.into());
        let is_wrong = entry.score.plies_to_end().is_some_and(takes_longer);
        Some(if is_wrong { entry.without_score() } else { entry })
    }
}

/// The number of nodes between checks of the time, which also publish the node count.
const CHECK_EVERY: u64 = 256;

/// The same while the first access to a page of the transposition table may take milliseconds.
const CHECK_EVERY_UNPREPARED: u64 = 8;

/// The state of a worker below the root.
pub(super) struct Searcher<'a, P: Heuristics + Features> {
    pub(super) context: SearchContext<'a, P>,
    /// The line from the start of the game to the current node.
    pub(super) stack: SearchStack<P::Move>,
    pub(super) histories: Histories,
    pub(super) reductions: Reductions,
    /// Whether moves that seem bad are left out or searched less deeply.
    pub(super) is_selective: bool,
    /// The accumulators of the network, if there is one.
    pub(super) accumulators: Option<AccumulatorStack<'a>>,
    nodes: u64,
    published_nodes: u64,
    /// The number of nodes between checks of the time.
    check_every: u64,
    /// Whether the root is a tablebase win or loss of unknown length, so that the search must find
    /// the way to make progress.
    pub(super) needs_progress: bool,
    /// Whether the root is a tablebase draw: the search looks for the drawing move after which the
    /// opponent is most likely to go wrong.
    pub(super) is_drawn: bool,
    /// The depth of the current iteration.
    pub(super) iteration: usize,
    /// The maximum ply reached in this iteration (selective depth).
    pub(super) seldepth: usize,
}

impl<'a, P: Heuristics + Features> Searcher<'a, P> {
    /// A searcher of a root with this tablebase value, which every root move preserves.
    pub(super) fn new(
        context: SearchContext<'a, P>,
        tablebase_value: Option<TablebaseValue>,
    ) -> Self {
        let request = context.request;
        Self {
            context,
            stack: SearchStack::new(&request.root, request.history),
            histories: request.memory.take_histories(),
            reductions: Reductions::new(P::SCORE_OF_A_PLY),
            is_selective: !request.options.solve,
            accumulators: request
                .network
                .map(|network| AccumulatorStack::new::<P>(network, MAX_PLY + 2)),
            nodes: 0,
            published_nodes: 0,
            check_every: if context.tt.is_prepared() {
                CHECK_EVERY
            } else {
                CHECK_EVERY_UNPREPARED
            },
            needs_progress: matches!(
                tablebase_value,
                Some(TablebaseValue::Won(None) | TablebaseValue::Lost(None))
            ),
            is_drawn: tablebase_value == Some(TablebaseValue::Drawn),
            iteration: 0,
            seldepth: 0,
        }
    }

    /// The nodes visited by this worker.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The principal variation after the root move searched last.
    pub(super) fn pv(&self) -> &[P::Move] {
        &self.stack.pvs[1]
    }

    /// Counts a node and regularly checks whether the search must stop.
    #[inline]
    pub(super) fn tick(&mut self, ply: usize) -> Result<(), Aborted> {
        self.seldepth = self.seldepth.max(ply);
        if self.nodes - self.published_nodes >= self.check_every
            || self.nodes >= self.context.time.node_limit()
        {
            let nodes = self.publish_nodes();
            if self.context.time.is_over(nodes) || self.context.halt.load(Relaxed) {
                return Err(Aborted);
            }
        }
        self.nodes += 1;
        Ok(())
    }

    /// Publishes the node count of this worker, and returns that of all workers.
    pub(super) fn publish_nodes(&mut self) -> u64 {
        let new = self.nodes - self.published_nodes;
        self.published_nodes = self.nodes;
        self.context.request.signals.add_nodes(new)
    }

    /// Starts to load the entries of the positions after these moves. The table may be larger than the
    /// cache: loaded ahead, they are there when needed.
    #[inline]
    pub(super) fn prefetch_children(&self, position: &P, moves: &[P::Move]) {
        // The compiler would not leave out the moves, whose keys are then computed in vain.
        if !HAS_PREFETCH {
            return;
        }
        let SearchContext { tt, path_key, .. } = self.context;
        tt.prefetch(moves.iter().map(|&mv| position.play(mv).tt_key() ^ path_key));
    }

    /// Whether a root move draws the game by repetition.
    pub(super) fn is_root_repetition(&mut self, mv: P::Move) -> bool {
        let root = self.context.request.root;
        self.stack.keys.push(root.key());
        let is_repetition = self.stack.is_repetition(&root.play(mv), 1);
        self.stack.keys.pop();
        is_repetition
    }
}
