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

/// The search was told to stop: a node that was not finished has no score.
pub(super) struct Aborted;

pub(super) type SearchResult = Result<Score, Aborted>;

/// What a node is for; known when the code is compiled.
pub(super) trait Node {
    /// Whether an exact score is wanted, so that a line of best moves comes of it.
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

/// The clock is read and the nodes are shared once in so many nodes.
const CHECK_EVERY: u64 = 256;

/// What one thread knows while it walks the tree.
pub(super) struct Searcher<'a, P: Position> {
    pub(super) request: &'a SearchRequest<'a, P>,
    pub(super) tt: TtView<'a>,
    time: &'a TimeManager<'a>,
    /// See [`SearchRequest::path_key`].
    pub(super) path_key: u64,
    /// Set when the first thread has ended.
    halt: &'a Signals,
    /// How the walk came to where it is.
    pub(super) stack: SearchStack<P::Move>,
    pub(super) history: History,
    reductions: Reductions,
    /// The accumulators of the network, if there is one.
    pub(super) accumulators: Option<AccumulatorStack<'a>>,
    nodes: u64,
    shared_nodes: u64,
    /// Whether the root is known to be won or lost, but not in how many plies.
    pub(super) needs_progress: bool,
    /// The depth of the iteration that is under way.
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

    /// Prepares an iteration to `depth` plies.
    pub(super) fn start_iteration(&mut self, depth: usize) {
        self.iteration = depth;
        self.seldepth = depth;
        self.stack.entries[0].eval = self.evaluate(&self.request.root, 0);
    }

    /// The positions that this thread has visited.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The most plies that this iteration has looked ahead.
    pub(super) fn seldepth(&self) -> usize {
        self.seldepth
    }

    /// The best line behind the root move that was searched last.
    pub(super) fn pv(&self) -> &[P::Move] {
        &self.stack.pvs[1]
    }

    /// Searches what comes of the root move with this place in the order.
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

    /// Plays a move and searches what comes of it: the first move of a node exactly, the others
    /// with the question whether they are better, exactly only if they are.
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

    /// The score of a position, `depth` plies looked ahead.
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

        // Nothing is better than to win with the next move, or worse than to have lost.
        // See https://www.chessprogramming.org/Mate_Distance_Pruning.
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
            // So shallow a search has not seen what was proved before.
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

    /// Searches the moves of a node: the best score, and the move that raised alpha, if any did.
    fn search_moves<N: Node>(
        &mut self,
        position: &P,
        moves: &mut MoveList<P::Move>,
        remembered: u16,
        node: &NodeContext,
    ) -> Result<(Score, Option<P::Move>), Aborted> {
        let &NodeContext { mut window, depth, ply, .. } = node;
        // A forced reply costs no depth, nor does one to the threat to win at once.
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
            // Where all is lost so far nothing may be left out, or the loss would be no proof.
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

    /// Whether lines may still be made longer than the iteration is deep: not without end.
    fn may_extend(&self, ply: usize) -> bool {
        ply < extension::ITERATIONS * self.iteration
    }

    /// Puts what came of a node into the table.
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
        // A proof that does without some positions holds as well where they may come.
        if self.path_key != 0 && entry.is_proof() {
            self.tt.store(position.tt_key(), entry);
        }
    }

    /// What the table knows of a position where the game has been as in this search.
    pub(super) fn probe_tt(&self, position: &P) -> Option<TtEntry> {
        self.tt.probe(position.tt_key() ^ self.path_key)
    }

    /// Counts a node and now and then asks whether to go on.
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

    /// Tells the other threads how many nodes this one has visited and returns those of all.
    pub(super) fn publish_nodes(&mut self) -> u64 {
        let new = self.nodes - self.shared_nodes;
        self.shared_nodes = self.nodes;
        self.request.signals.add_nodes(new)
    }

    /// Whether a root move draws the game because the position has come too often.
    pub(super) fn is_root_repetition(&mut self, mv: P::Move) -> bool {
        let root = self.request.root;
        self.stack.keys.push(root.key());
        let ends = self.stack.is_repetition(&root.play(mv), 1);
        self.stack.keys.pop();
        ends
    }
}

/// Whether the opponent would win at once, were it his turn.
fn is_threatened<P: Position>(position: &P) -> bool {
    position.null_move().is_some_and(|next| next.winning_move().is_some())
}
