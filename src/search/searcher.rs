//! The tree below the root: principal variation search.

use super::move_picker::{Hints, History, MovePicker, MoveScores, score_moves};
use super::params::{extension, internal_iterative_reduction, late_move_reduction, quiescence};
use super::pruning::{NodeContext, Reductions};
use super::score::{Bound, MAX_PLY, Score, Window};
use super::stack::SearchStack;
use super::time::TimeManager;
use super::tt::{TtEntry, TtView};
use super::{SearchRequest, Signals, outcome_score};
use crate::game::{Move, MoveList, Position, TablebaseValue};
use crate::nnue::AccumulatorStack;

/// The search was stopped. An unfinished node has no score.
pub(super) struct Aborted;

pub(super) type SearchResult = Result<Score, Aborted>;

/// The kind of a node, a compile-time parameter.
pub(super) trait Node {
    /// Whether this is a PV node: it needs an exact score and a principal variation.
    const PV: bool;
}

pub(super) struct Pv;
pub(super) struct NonPv;

impl Node for Pv {
    const PV: bool = true;
}

impl Node for NonPv {
    const PV: bool = false;
}

/// The number of nodes between checks of the clock, which also publish the node count.
const CHECK_EVERY: u64 = 256;

/// The state of one search thread below the root.
pub(super) struct Searcher<'a, P: Position> {
    pub(super) request: &'a SearchRequest<'a, P>,
    pub(super) tt: TtView<'a>,
    time: &'a TimeManager<'a>,
    /// See [`SearchRequest::path_key`].
    pub(super) path_key: u64,
    /// Stopped when the first thread has finished.
    halt: &'a Signals,
    /// The line from the start of the game to the current node.
    pub(super) stack: SearchStack<P::Move>,
    pub(super) history: History,
    reductions: Reductions,
    /// The accumulators of the network, if there is one.
    pub(super) accumulators: Option<AccumulatorStack<'a>>,
    nodes: u64,
    shared_nodes: u64,
    /// Whether the root is a tablebase win or loss of unknown length, so that the search must find
    /// the way to make progress.
    pub(super) needs_progress: bool,
    /// The depth of the current iteration.
    iteration: usize,
    seldepth: usize,
}

impl<'a, P: Position> Searcher<'a, P> {
    pub(super) fn new(
        task: &'a SearchRequest<'a, P>,
        entries: TtView<'a>,
        clock: &'a TimeManager<'a>,
        halt: &'a Signals,
        salt: u64,
    ) -> Self {
        Self {
            request: task,
            tt: entries,
            time: clock,
            path_key: salt,
            halt,
            stack: SearchStack::new(task.history),
            history: task.table.take_history(),
            reductions: Reductions::new(),
            accumulators: task.network.map(|network| AccumulatorStack::new(network, MAX_PLY + 2)),
            nodes: 0,
            shared_nodes: 0,
            needs_progress: matches!(
                task.tablebase.and_then(|oracle| oracle.value(&task.root)),
                Some(TablebaseValue::Won(None) | TablebaseValue::Lost(None))
            ),
            iteration: 0,
            seldepth: 0,
        }
    }

    /// Prepares for an iteration of `depth` plies.
    pub(super) fn start_iteration(&mut self, depth: usize) {
        self.iteration = depth;
        self.seldepth = depth;
        self.stack.entries[0].eval = self.evaluate(&self.request.root, 0);
    }

    /// The nodes visited by this thread.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The maximum ply reached in this iteration (selective depth).
    pub(super) fn seldepth(&self) -> usize {
        self.seldepth
    }

    /// The principal variation after the root move searched last.
    pub(super) fn pv(&self) -> &[P::Move] {
        &self.stack.pvs[1]
    }

    /// Searches a root move that is at `place` in the move order.
    pub(super) fn search_root_move(
        &mut self,
        mv: P::Move,
        window: Window,
        place: usize,
    ) -> SearchResult {
        if self.is_root_repetition(mv) {
            self.stack.pvs[1].clear();
            return Ok(Score::DRAW);
        }
        let root = self.request.root;
        let depth = self.iteration as i32;
        let late = depth >= late_move_reduction::FROM_DEPTH
            && place >= late_move_reduction::FROM_ROOT_MOVE;
        let reduction = if late { self.reductions.base(depth - 1, place) } else { 0 };
        self.search_move(&root, mv, window, depth - 1, reduction, 0, place == 0)
    }

    /// Plays a move and searches the resulting position with principal variation search. The first
    /// move of a node gets the full window. Later moves get a null window, and the full one only if
    /// they raise alpha.
    /// See <https://www.chessprogramming.org/Principal_Variation_Search>.
    #[expect(clippy::too_many_arguments, reason = "all of them belong to one move of one node")]
    fn search_move(
        &mut self,
        position: &P,
        mv: P::Move,
        window: Window,
        depth: i32,
        reduction: i32,
        ply: usize,
        first: bool,
    ) -> SearchResult {
        self.stack.entries[ply].target = Some(mv.target());
        self.stack.keys.push(position.key());
        let next = position.play(mv);
        let result = self.search_next(&next, window, depth, reduction, ply + 1, first);
        self.stack.keys.pop();
        result
    }

    fn search_next(
        &mut self,
        next: &P,
        window: Window,
        depth: i32,
        reduction: i32,
        ply: usize,
        first: bool,
    ) -> SearchResult {
        if !first {
            let scout = -Window::above(window.alpha);
            let mut score = -self.search::<NonPv>(next, scout, depth - reduction, ply)?;
            if score > window.alpha && reduction > 0 {
                score = -self.search::<NonPv>(next, scout, depth, ply)?;
            }
            if score <= window.alpha || !window.is_open() {
                return Ok(score);
            }
        }
        if window.is_open() {
            Ok(-self.search::<Pv>(next, -window, depth, ply)?)
        } else {
            Ok(-self.search::<NonPv>(next, -window, depth, ply)?)
        }
    }

    /// Searches a position to `depth` plies and returns its score.
    pub(super) fn search<N: Node>(
        &mut self,
        position: &P,
        mut window: Window,
        depth: i32,
        ply: usize,
    ) -> SearchResult {
        self.stack.pvs[ply].clear();
        if depth <= 0 && position.outcome().is_none() && !self.stack.is_repetition(position, ply) {
            return self.quiesce(position, window, ply, quiescence::PLIES);
        }
        self.tick(ply)?;
        if let Some(score) = self.final_score(position, ply) {
            return Ok(score);
        }

        // Mate distance pruning: no score is better than a win with the next move, or worse than a
        // loss on the board. See https://www.chessprogramming.org/Mate_Distance_Pruning.
        window.alpha = window.alpha.max(Score::loss_in(ply));
        window.beta = window.beta.min(Score::win_in(ply + 1));
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }

        let known = self.probe_tt(position);
        if !N::PV
            && let Some(entry) = known
            && let Some(score) = self.tt_score(&entry, window, depth, ply)
        {
            return Ok(score);
        }
        if let Some(mv) = position.winning_move() {
            self.stack.pvs[ply].push(mv);
            return Ok(Score::win_in(ply + 1));
        }

        let eval = known.map_or_else(|| self.evaluate(position, ply), |entry| entry.eval);
        self.stack.entries[ply].eval = eval;
        self.stack.entries[ply + 1].killers = [0; 2];
        let improving = ply >= 2 && eval > self.stack.entries[ply - 2].eval;
        let threatened = is_threatened(position);
        let mut node = NodeContext { window, depth, ply, eval, improving, threatened };
        if !N::PV
            && let Some(score) = self.prune(position, &node)?
        {
            return Ok(score);
        }

        let remembered = known.map_or(0, |entry| entry.packed_move);
        if remembered == 0 && depth >= internal_iterative_reduction::FROM_DEPTH {
            node.depth -= 1;
        }
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        if moves.is_empty() {
            return Ok(outcome_score(position.no_moves_outcome(), position.side(), ply));
        }
        let (best, best_move) = self.search_moves::<N>(position, &mut moves, remembered, &node)?;
        if N::PV
            && let Some(proved) = known.and_then(|entry| entry.proved()).map(|at| at.to_root(ply))
            && (proved.is_win() && best < proved || proved.is_loss() && best > proved)
        {
            // This search is too shallow to find the result that was proved earlier.
            if proved.is_win() {
                let line = &mut self.stack.pvs[ply];
                line.clear();
                line.extend(moves.iter().find(|mv| mv.packed() == remembered));
            }
            return Ok(proved);
        }
        self.store_tt::<N>(position, &node, best, best_move);
        Ok(best)
    }

    /// Searches the moves of a node. Returns the best score, and the move that raised alpha, if
    /// any.
    fn search_moves<N: Node>(
        &mut self,
        position: &P,
        moves: &mut MoveList<P::Move>,
        remembered: u16,
        node: &NodeContext,
    ) -> Result<(Score, Option<P::Move>), Aborted> {
        let &NodeContext { mut window, depth, ply, .. } = node;
        // A forced move costs no depth, nor does a reply to the threat of an immediate win.
        let forced = moves.len() == 1 || node.threatened;
        let extension = i32::from(forced && self.may_extend(ply));
        let past = self.stack.continuation(ply);
        let hints = Hints {
            hash_move: remembered,
            killers: self.stack.entries[ply].killers,
            continuation: past,
        };
        let mut ranks = MoveScores::new();
        score_moves(position, moves, &hints, &self.history, &mut ranks);
        let mut picker = MovePicker::new(moves, &mut ranks);
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut count = 0;
        while let Some((mv, merit)) = picker.next() {
            let quiet = !position.is_noisy(mv);
            // While all moves so far lose, none may be pruned: the loss would not be proved.
            if !N::PV && quiet && !best.is_lost() && count > 0 {
                if node.is_late(count) {
                    break;
                }
                if node.is_futile(window.alpha) {
                    continue;
                }
            }
            let reduction = self.reductions.for_move::<N>(depth, count, quiet, merit);
            let deeper = depth - 1 + extension;
            let first = count == 0;
            let score = self.search_move(position, mv, window, deeper, reduction, ply, first)?;
            count += 1;
            best = best.max(score);
            if score > window.alpha {
                best_move = Some(mv);
                if N::PV {
                    self.stack.extend_pv(ply, mv);
                }
                if score >= window.beta {
                    let vain = &picker.tried()[..picker.tried().len() - 1];
                    self.history.update(position.side(), past, mv, vain, depth);
                    self.stack.add_killer(ply, mv.packed());
                    break;
                }
                window.alpha = score;
            }
        }
        Ok((best, best_move))
    }

    /// Whether a line may still be extended. The limit keeps extensions finite.
    fn may_extend(&self, ply: usize) -> bool {
        ply < extension::ITERATIONS * self.iteration
    }

    /// Stores the result of a node in the transposition table.
    fn store_tt<N: Node>(
        &mut self,
        position: &P,
        node: &NodeContext,
        best: Score,
        best_move: Option<P::Move>,
    ) {
        let bound = if best >= node.window.beta {
            Bound::Lower
        } else if N::PV && best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = TtEntry {
            packed_move: best_move.map_or(0, Move::packed),
            score: best.from_root(node.ply),
            bound,
            depth: node.depth.clamp(0, 255) as u8,
            eval: node.eval,
        };
        self.tt.store(position.tt_key() ^ self.path_key, entry);
        // A proof that avoids the exhausted positions also holds where they are not exhausted.
        if self.path_key != 0 && entry.is_proof() {
            self.tt.store(position.tt_key(), entry);
        }
    }

    /// Probes the transposition table, with keys mixed with the path key of this search.
    pub(super) fn probe_tt(&self, position: &P) -> Option<TtEntry> {
        self.tt.probe(position.tt_key() ^ self.path_key)
    }

    /// Counts a node and regularly checks whether the search must stop.
    pub(super) fn tick(&mut self, ply: usize) -> Result<(), Aborted> {
        self.seldepth = self.seldepth.max(ply);
        if self.nodes - self.shared_nodes >= CHECK_EVERY || self.nodes >= self.time.node_limit() {
            let all = self.publish_nodes();
            if self.time.is_over(all) || self.halt.is_stopped() {
                return Err(Aborted);
            }
        }
        self.nodes += 1;
        Ok(())
    }

    /// Publishes the node count of this thread and returns that of all threads.
    pub(super) fn publish_nodes(&mut self) -> u64 {
        let new = self.nodes - self.shared_nodes;
        self.shared_nodes = self.nodes;
        self.request.signals.add_nodes(new)
    }

    /// Whether a root move draws the game by repetition.
    pub(super) fn is_root_repetition(&mut self, mv: P::Move) -> bool {
        let root = self.request.root;
        self.stack.keys.push(root.key());
        let ends = self.stack.is_repetition(&root.play(mv), 1);
        self.stack.keys.pop();
        ends
    }
}

/// Whether the opponent would win at once if it were their turn.
fn is_threatened<P: Position>(position: &P) -> bool {
    position.null_move().is_some_and(|next| next.winning_move().is_some())
}
