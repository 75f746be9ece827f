//! A worker, one thread of a search: iterative deepening and the root moves.

use std::time::Duration;

use super::event::{BestMove, PvLine, SearchEvent};
use super::memory::AnnouncedWin;
use super::params;
use super::root_moves::{RootMove, complete_pv, value_preserving_moves};
use super::score::{Bound, MAX_PLY, Score, Window};
use super::searcher::{Aborted, SearchContext, SearchResult, Searcher};
use super::stability::BestMoveStability;
use crate::game::{Features, Heuristics, Move, TablebaseValue, legal_moves, root_moves};

/// The time from which the search also reports the current move and failed aspiration windows.
const VERBOSE_FROM: Duration = Duration::from_secs(3);

/// A worker, one thread of a search.
pub(super) struct Worker<'a, P: Heuristics + Features> {
    context: SearchContext<'a, P>,
    /// 0 for the first worker, which reports and chooses the move.
    id: usize,
    on_event: &'a mut dyn FnMut(SearchEvent<P::Move>),
    searcher: Searcher<'a, P>,
    /// The root moves. The first `multipv` of them are the best so far, in order.
    root_moves: Vec<RootMove<P::Move>>,
    /// The number of principal variations to find.
    multipv: usize,
    /// The principal variation of the best move that was reported last.
    reported: Vec<P::Move>,
    /// The tablebase value of the root, which every searched root move preserves.
    tablebase_value: Option<TablebaseValue>,
}

impl<'a, P: Heuristics + Features> Worker<'a, P> {
    pub(super) fn new(
        context: SearchContext<'a, P>,
        id: usize,
        on_event: &'a mut dyn FnMut(SearchEvent<P::Move>),
    ) -> Self {
        let request = context.request;
        let mut tablebase_value =
            context.tablebase.and_then(|tablebase| tablebase.value(&request.root, 0));
        let mut moves = value_preserving_moves(&context, tablebase_value);
        if moves.is_empty() {
            // All requested moves give the value of the root away: search them without it.
            tablebase_value = None;
            moves = root_moves(&request.root, request.root_moves);
        }
        // A node limit may end the first iteration before it reaches a win in one.
        let win = request.root.winning_move();
        moves.sort_by_key(|mv| win.is_some_and(|win| win != *mv));
        Self {
            context,
            id,
            on_event,
            searcher: Searcher::new(context, tablebase_value),
            multipv: request.options.multipv.min(moves.len()),
            root_moves: moves.into_iter().map(RootMove::new).collect(),
            reported: Vec::new(),
            tablebase_value,
        }
    }

    /// Searches to the end. Leaves the histories, and from worker 0 an announced win, to
    /// the next search.
    pub(super) fn search(mut self) -> Option<BestMove<P::Move>> {
        let best_move = self.iterative_deepening();
        let memory = self.context.request.memory;
        if self.id == 0 {
            memory.announce_win(best_move.and_then(|best_move| self.announced_win(best_move.best)));
        }
        memory.keep_histories(self.searcher.histories);
        best_move
    }

    /// Returns the win that begins with the chosen move, if one was announced.
    fn announced_win(&self, best: P::Move) -> Option<AnnouncedWin> {
        let SearchContext { request, path_key, .. } = self.context;
        let is_win = self.root_moves[0].score.is_mate_win();
        let earlier = || request.kept_win().map_or(request.history.len(), |win| win.earlier);
        let game_key = || request.game_key_after(best);
        is_win.then(|| AnnouncedWin { game_key: game_key(), path_key, earlier: earlier() })
    }

    /// Searches with increasing depth and returns the best move of the last iteration.
    fn iterative_deepening(&mut self) -> Option<BestMove<P::Move>> {
        let mut stability = BestMoveStability::default();
        // The workers begin at different depths, to search different nodes.
        let first = 1 + self.id % 2;
        for depth in first..MAX_PLY {
            let may_deepen = self.context.time.may_deepen(depth, stability.time_factor());
            if self.root_moves.is_empty() || self.id == 0 && depth > first && !may_deepen {
                break;
            }
            let Ok(share) = self.iterate(depth) else {
                let is_known = matches!(self.tablebase_value, Some(TablebaseValue::Lost(_)));
                let first_move = &mut self.root_moves[0];
                if depth == first && first_move.score.is_lost() && !is_known {
                    // The moves that were not searched may not lose.
                    first_move.score = -Score::INFINITE;
                }
                break;
            };
            for line in 0..self.multipv {
                self.report_pv(line);
            }
            let best = &self.root_moves[0];
            stability.update(best.mv.packed(), share, best.score);
            let is_only_move = self.context.time.may_end_early() && self.root_moves.len() == 1;
            if is_only_move || self.is_settled(depth) {
                break;
            }
        }
        let best = self.root_moves.first()?.mv;
        if self.reported.first() != Some(&best) {
            self.report_pv(0);
        }
        let ponder = self.reported.get(1).copied().or_else(|| self.tt_reply(best));
        Some(BestMove { best, ponder })
    }

    /// Whether further iterations are useless: the result is proved, or a mate search has found its
    /// win.
    fn is_settled(&self, depth: usize) -> bool {
        let moves = self.root_moves[0].score.mate_in();
        let is_mate_within =
            |limit: u32| moves.is_some_and(|moves| moves > 0 && moves as u32 <= limit);
        let proved = |line: &RootMove<_>| line.score.plies_to_end().is_some_and(|n| n <= depth);
        // A tablebase win or loss of known length does not change with depth.
        matches!(
            self.tablebase_value,
            Some(TablebaseValue::Won(Some(_)) | TablebaseValue::Lost(Some(_)))
        ) || self.context.request.limits.mate.is_some_and(is_mate_within)
            || self.root_moves[..self.multipv].iter().all(proved)
    }

    /// Searches one iteration: for each line, the best of the moves that lead no earlier line.
    /// Returns the share of the first line's nodes that its best move took.
    fn iterate(&mut self, depth: usize) -> Result<f64, Aborted> {
        self.searcher.start_iteration(depth);
        for root_move in &mut self.root_moves {
            root_move.nodes = 0;
        }
        // Lines of different depths cannot be compared. With several lines, an aborted iteration is
        // discarded.
        let previous = if self.multipv > 1 { self.root_moves.clone() } else { Vec::new() };
        let mut share = 0.0;
        for line in 0..self.multipv {
            if let Err(aborted) = self.aspiration_search(line) {
                if self.multipv > 1 && previous[0].score != -Score::INFINITE {
                    self.root_moves = previous;
                }
                return Err(aborted);
            }
            if line == 0 {
                let total: u64 = self.root_moves.iter().map(|root_move| root_move.nodes).sum();
                share = self.root_moves[0].nodes as f64 / total.max(1) as f64;
            }
            // The lines before are in order.
            let score = self.root_moves[line].score;
            let place = self.root_moves[..line].partition_point(|better| better.score >= score);
            self.root_moves[place..=line].rotate_right(1);
        }
        Ok(share)
    }

    /// Searches one line, first with a narrow window around its last score.
    fn aspiration_search(&mut self, line: usize) -> SearchResult {
        let last = self.root_moves[line].score;
        if self.searcher.iteration < params::aspiration_min_depth() || last.is_decided() {
            return self.search_root(line, Window::FULL);
        }
        let mut width = params::aspiration_width();
        let mut window = Window { alpha: last - width, beta: last + width };
        loop {
            let score = self.search_root(line, window)?;
            width *= 2;
            if score <= window.alpha {
                window.alpha = if width > params::aspiration_widest() {
                    Window::FULL.alpha
                } else {
                    score - width
                };
            } else if score >= window.beta {
                window.beta = if width > params::aspiration_widest() {
                    Window::FULL.beta
                } else {
                    score + width
                };
            } else {
                return Ok(score);
            }
            if self.multipv == 1 && self.context.time.elapsed() >= VERBOSE_FROM {
                self.report_pv(line);
            }
        }
    }

    /// Searches the root moves from index `first` on once, with the given window.
    fn search_root(&mut self, first: usize, mut window: Window) -> SearchResult {
        let mut best = -Score::INFINITE;
        for i in first..self.root_moves.len() {
            let mv = self.root_moves[i].mv;
            if self.id == 0 && self.context.time.elapsed() >= VERBOSE_FROM {
                let depth = self.searcher.iteration;
                (self.on_event)(SearchEvent::Current { depth, mv, number: i + 1 });
            }
            let nodes = self.searcher.nodes();
            let score = self.searcher.search_root_move(mv, window, i - first)?;
            let root_move = &mut self.root_moves[i];
            root_move.nodes += self.searcher.nodes() - nodes;
            best = best.max(score);
            if i == first || score > window.alpha {
                root_move.score = score;
                root_move.bound = window.bound_of(score);
            }
            if score > window.alpha {
                root_move.pv.clear();
                root_move.pv.push(mv);
                root_move.pv.extend_from_slice(self.searcher.pv());
                self.root_moves[first..=i].rotate_right(1);
                window.alpha = score;
                if score >= window.beta {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// Reports a line; only worker 0 does.
    fn report_pv(&mut self, line: usize) {
        if self.id > 0 {
            return;
        }
        let SearchContext { request, tt, time, .. } = self.context;
        let nodes = self.searcher.publish_nodes();
        let root_move = &self.root_moves[line];
        let score = if root_move.score == -Score::INFINITE {
            // No iteration was finished: the static evaluation is all there is.
            self.searcher.evaluate(&request.root, 0)
        } else {
            root_move.score
        };
        // The search may not have reached a win that the tablebase reports. In a drawn position it
        // estimates what the opponent may overlook, which is no score of the position.
        let (score, bound) = match self.tablebase_value {
            Some(TablebaseValue::Won(_)) if !score.is_won() => (Score::TABLEBASE_WIN, Bound::Exact),
            Some(TablebaseValue::Lost(_)) if !score.is_lost() => {
                (-Score::TABLEBASE_WIN, Bound::Exact)
            }
            Some(TablebaseValue::Drawn) => (Score::DRAW, Bound::Exact),
            _ => (score, root_move.bound),
        };
        let mut pv = root_move.pv.clone();
        if root_move.score.is_mate() {
            complete_pv(&self.context, &mut pv);
        }
        if line == 0 {
            self.reported.clone_from(&pv);
        }
        (self.on_event)(SearchEvent::Line(PvLine {
            multipv: line + 1,
            lines: self.multipv,
            depth: self.searcher.iteration,
            seldepth: self.searcher.seldepth,
            score,
            bound,
            is_drawn: self.tablebase_value == Some(TablebaseValue::Drawn),
            nodes,
            time: time.elapsed(),
            tb_hits: request.signals.tb_hits(),
            hashfull: tt.hashfull(),
            pv,
        }));
    }

    /// Returns the reply to `best` from the transposition table.
    fn tt_reply(&mut self, best: P::Move) -> Option<P::Move> {
        if self.searcher.is_root_repetition(best) {
            return None;
        }
        let next = self.context.request.root.play(best);
        let packed = self.searcher.context.probe_tt(&next)?.packed_move;
        legal_moves(&next).into_iter().find(|mv| mv.packed() == packed)
    }
}
