//! The tree below the root: principal variation search.

use super::move_picker::{Hints, MovePicker};
use super::params;
use super::pruning::{NodeContext, NodeType, NonPv, Pv};
use super::score::{Bound, Score, Window};
use super::searcher::{Aborted, SearchContext, SearchResult, Searcher};
use super::singular::Alternatives;
use super::tt::TtEntry;
use crate::game::{Features, Heuristics, Move, MoveList, MoveScores};

/// How a move of a node is searched.
#[derive(Clone, Copy)]
struct MoveSearch {
    window: Window,
    /// The depth after the move, in plies.
    depth: i32,
    /// The plies by which a first search with a null window is shallower.
    reduction: i32,
    /// Whether it is the first move of the node.
    first: bool,
}

impl<P: Heuristics + Features> Searcher<'_, P> {
    /// Prepares for an iteration of `depth` plies.
    pub(super) fn start_iteration(&mut self, depth: usize) {
        self.iteration = depth;
        self.seldepth = depth;
        self.stack.entries[0].eval = self.evaluate(&self.context.request.root, 0);
    }

    /// Searches a root move that is at index `number` in the move order.
    pub(super) fn search_root_move(
        &mut self,
        mv: P::Move,
        window: Window,
        number: usize,
    ) -> SearchResult {
        if self.is_root_repetition(mv) {
            self.stack.pvs[1].clear();
            return Ok(Score::DRAW);
        }
        let root = self.context.request.root;
        let depth = self.iteration as i32;
        let is_late = self.is_selective
            && depth >= params::late_move_reduction_min_depth()
            && number >= params::late_move_reduction_from_root_move();
        let reduction = if is_late { self.reductions.base(depth - 1, number) } else { 0 };
        let search = MoveSearch { window, depth: depth - 1, reduction, first: number == 0 };
        self.search_move(&root, mv, search, 0)
    }

    /// Plays a move and searches the resulting position with principal variation search. The first
    /// move of a node gets the full window. Later moves get a null window, and the full one only if
    /// they raise alpha.
    /// See <https://www.chessprogramming.org/Principal_Variation_Search>.
    fn search_move(
        &mut self,
        position: &P,
        mv: P::Move,
        search: MoveSearch,
        ply: usize,
    ) -> SearchResult {
        self.stack.entries[ply].target = Some(mv.target());
        self.stack.keys.push(position.key());
        let next = position.play(mv);
        let result = self.search_next(&next, search, ply + 1);
        self.stack.keys.pop();
        result
    }

    fn search_next(&mut self, next: &P, search: MoveSearch, ply: usize) -> SearchResult {
        let MoveSearch { window, depth, reduction, first } = search;
        if !first {
            let null_window = -Window::above(window.alpha);
            let mut score = -self.search::<NonPv>(next, null_window, depth - reduction, ply)?;
            if score > window.alpha && reduction > 0 {
                score = -self.search::<NonPv>(next, null_window, depth, ply)?;
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
    pub(super) fn search<N: NodeType>(
        &mut self,
        position: &P,
        window: Window,
        mut depth: i32,
        ply: usize,
    ) -> SearchResult {
        self.stack.pvs[ply].clear();
        if depth <= 0 && position.outcome().is_none() && !self.stack.is_repetition(position, ply) {
            return self.quiesce(position, window, ply, params::quiescence_plies());
        }
        self.tick(ply)?;
        if let Some(score) = self.final_score(position, ply) {
            return Ok(score);
        }

        let window = window.within_mate_distance(ply);
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }

        let tt_entry = self.context.probe_tt(position);
        if !N::PV
            && let Some(entry) = tt_entry
            && let Some(score) = self.tt_score(&entry, window, depth, ply)
        {
            return Ok(score);
        }
        if let Some(mv) = position.winning_move() {
            self.stack.pvs[ply].push(mv);
            return Ok(Score::win_in(ply + 1));
        }

        // The line of a short win or loss, which the table has proved, is searched to its end.
        if N::PV
            && let Some(plies) = tt_entry.and_then(|entry| entry.proved()?.plies_to_end())
            && plies <= params::extension_max_proof()
        {
            depth = depth.max(plies as i32);
        }

        let mut node = self.enter_node(position, window, depth, ply, tt_entry.as_ref());
        if !N::PV
            && self.is_selective
            && let Some(score) = self.prune(position, &node)?
        {
            return Ok(score);
        }

        let tt_move = tt_entry.map_or(0, |entry| entry.packed_move);
        let is_long = depth >= params::internal_iterative_reduction_min_depth();
        if tt_move == 0 && is_long && self.is_selective {
            node.depth -= 1;
        }
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        if moves.is_empty() {
            let outcome = position.no_moves_outcome();
            return Ok(self.context.request.outcome_score(outcome, position.side(), ply));
        }
        self.prefetch_children(position, &moves);
        if self.is_selective
            && let Some(entry) = tt_entry
        {
            match self.search_alternatives(position, &moves, &entry, &node)? {
                Some(Alternatives::Worse) => node.singular = true,
                // Two moves reach beta: see <https://www.chessprogramming.org/Multi-Cut>.
                Some(Alternatives::AsGood(score)) if !N::PV && score >= window.beta => {
                    return Ok(score);
                }
                Some(Alternatives::AsGood(_)) | None => {}
            }
        }
        let (best, best_move) = self.search_moves::<N>(position, &mut moves, tt_move, &node)?;
        if N::PV
            && let Some(entry) = tt_entry
            && let Some(proved) = self.earlier_proof(&entry, &moves, best, ply)
        {
            return Ok(proved);
        }
        self.learn_error(position, &node, best, best_move);
        self.store_tt::<N>(position, &node, best, best_move);
        Ok(best)
    }

    /// Evaluates a node and prepares its entry of the stack. `entry` is its TT entry.
    #[inline]
    fn enter_node(
        &mut self,
        position: &P,
        window: Window,
        depth: i32,
        ply: usize,
        entry: Option<&TtEntry>,
    ) -> NodeContext {
        let forced = position.is_forced();
        let static_eval = match entry {
            Some(entry) if !forced => entry.eval,
            // In the middle of an exchange, the evaluation before it is the better estimate.
            _ if forced && ply >= 2 => self.stack.entries[ply - 2].eval,
            _ => self.evaluate(position, ply),
        };
        let eval = if forced { static_eval } else { self.corrected(position, static_eval) };
        self.stack.entries[ply].eval = eval;
        self.stack.entries[ply + 1].killers = [0; 2];
        let improving = ply >= 2 && eval > self.stack.entries[ply - 2].eval;
        let threatened = is_threatened(position);
        let singular = false;
        NodeContext {
            window,
            depth,
            ply,
            static_eval,
            eval,
            improving,
            threatened,
            forced,
            singular,
        }
    }

    /// Updates the correction history with the score of a node. The score must be exact or a bound
    /// that excludes the evaluation, and not due to a noisy move, after which evaluations differ anyway.
    fn learn_error(
        &mut self,
        position: &P,
        node: &NodeContext,
        best: Score,
        best_move: Option<P::Move>,
    ) {
        let is_quiet = !node.forced && best_move.is_none_or(|mv| !position.is_noisy(mv));
        let is_known = match best_move {
            Some(_) => best < node.window.beta || best > node.eval,
            // A score of at least beta without a move is a lower bound.
            None => best < node.eval.min(node.window.beta),
        };
        if is_quiet && is_known && !best.is_decided() {
            let error = i32::from(best.raw()) - i32::from(node.eval.raw());
            let side = position.side();
            let pieces = position.features(side);
            self.histories.corrections.update(side, pieces, error, node.depth.max(1));
        }
    }

    /// Returns the result that an earlier search proved, if this one, which found `best`, is too
    /// shallow to find it. The principal variation is then the winning move.
    fn earlier_proof(
        &mut self,
        entry: &TtEntry,
        moves: &MoveList<P::Move>,
        best: Score,
        ply: usize,
    ) -> Option<Score> {
        let proved = entry.proved()?.to_root(ply);
        let is_missed =
            proved.is_mate_win() && best < proved || proved.is_mate_loss() && best > proved;
        if is_missed && proved.is_mate_win() {
            let line = &mut self.stack.pvs[ply];
            line.clear();
            line.extend(moves.iter().find(|mv| mv.packed() == entry.packed_move));
        }
        is_missed.then_some(proved)
    }

    /// Searches the moves of a node. Returns the best score, and the move that raised alpha, if
    /// any. A score of at least beta without a move is from the transposition table.
    pub(super) fn search_moves<N: NodeType>(
        &mut self,
        position: &P,
        moves: &mut MoveList<P::Move>,
        tt_move: u16,
        node: &NodeContext,
    ) -> Result<(Score, Option<P::Move>), Aborted> {
        let &NodeContext { mut window, depth, ply, .. } = node;
        // A forced move costs no depth, nor does a reply to the threat of an immediate win.
        let costs_no_depth = moves.len() == 1 || node.threatened;
        let extension = i32::from(costs_no_depth && self.may_extend(ply));
        let continuation = self.stack.continuation(ply);
        let hints = Hints { tt_move, killers: self.stack.entries[ply].killers, continuation };
        let mut scores = MoveScores::new();
        position.score_moves(moves, &mut scores);
        let side = position.side();
        let is_quiet = |mv| !position.is_noisy(mv);
        let mut picker = MovePicker::new(side, moves, &mut scores, &hints, &self.histories.moves);
        // The entries of the children were requested before the moves were scored, and are there now.
        if !N::PV
            && let Some((score, mv)) = self.enhanced_cutoff(position, picker.moves(), node)
        {
            // A win is stored with its move. Otherwise the move of the table, if any, stays.
            return Ok((score, score.is_decided().then_some(mv)));
        }
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut count = 0;
        while let Some((mv, ordering_score)) = picker.next() {
            let quiet = is_quiet(mv);
            // While all moves so far lose, none may be pruned: the loss would not be proved.
            if !N::PV && quiet && !best.is_lost() && count > 0 && self.is_selective {
                if node.is_late(count) {
                    break;
                }
                if node.is_futile(window.alpha) {
                    picker.retain(|mv| !is_quiet(mv));
                    continue;
                }
            }
            let reduction = if self.is_selective {
                self.reductions.for_move::<N>(depth, count, quiet, ordering_score)
            } else {
                0
            };
            let is_singular = node.singular && mv.packed() == tt_move;
            let next_depth = depth - 1 + extension.max(is_singular.into());
            let search = MoveSearch { window, depth: next_depth, reduction, first: count == 0 };
            let score = self.search_move(position, mv, search, ply)?;
            count += 1;
            best = best.max(score);
            if score > window.alpha {
                best_move = Some(mv);
                if N::PV {
                    self.stack.extend_pv(ply, mv);
                }
                if score >= window.beta {
                    let tried = &picker.tried()[..picker.tried().len() - 1];
                    self.histories.moves.update(side, continuation, mv, tried, depth);
                    self.stack.add_killer(ply, mv.packed());
                    break;
                }
                window.alpha = score;
            }
        }
        Ok((best, best_move))
    }

    /// Whether a line may still be extended. The limit keeps extensions finite.
    pub(super) fn may_extend(&self, ply: usize) -> bool {
        ply < params::extension_iterations() * self.iteration
    }

    /// Stores the result of a node in the transposition table.
    fn store_tt<N: NodeType>(
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
        let SearchContext { tt, path_key, .. } = self.context;
        let entry = TtEntry {
            packed_move: best_move.map_or(0, Move::packed),
            score: best.from_root(node.ply),
            bound,
            depth: node.depth.clamp(0, 255) as u8,
            eval: node.static_eval,
        };
        let is_win = entry.proved().is_some_and(Score::is_mate_win);
        debug_assert!(best_move.is_some() || !is_win, "a win without its move");
        tt.store(position.tt_key() ^ path_key, entry);
        // A proof that avoids the positions that draw also holds where they do not.
        if path_key != 0 && entry.is_proof() {
            tt.store(position.tt_key(), entry);
        }
    }
}

/// Whether the opponent would win at once if it were their turn.
fn is_threatened<P: Heuristics + Features>(position: &P) -> bool {
    position.null_move().is_some_and(|next| next.winning_move().is_some())
}
