//! One thread of the search: iterative deepening, and the moves at the root.

use std::time::Duration;

use super::clock::Clock;
use super::parameters::aspiration;
use super::score::{Bound, MAX_PLY, Score, Window};
use super::steadiness::Steadiness;
use super::tree::{Found, Tree};
use super::{Choice, Line, Report, Signals, Task};
use crate::game::{Game, Ply, legal_moves};

/// The time from which a search says what it is at.
const TALKATIVE_FROM: Duration = Duration::from_secs(3);

struct RootMove<M> {
    mv: M,
    nodes: u64,
    score: Score,
    pv: Vec<M>,
}

/// One thread of a search.
pub(super) struct Worker<'a, G: Game> {
    task: &'a Task<'a, G>,
    clock: &'a Clock<'a>,
    /// 0 for the first thread, which reports and decides.
    id: usize,
    tree: Tree<'a, G>,
    /// The best one so far is always the first.
    root_moves: Vec<RootMove<G::Move>>,
}

impl<'a, G: Game> Worker<'a, G> {
    pub(super) fn new(
        task: &'a Task<'a, G>,
        clock: &'a Clock<'a>,
        halt: &'a Signals,
        id: usize,
    ) -> Self {
        let wanted = |mv: &G::Move| task.root_moves.is_empty() || task.root_moves.contains(mv);
        let root_move = |mv| RootMove { mv, nodes: 0, score: -Score::INFINITE, pv: vec![mv] };
        Self {
            task,
            clock,
            id,
            tree: Tree::new(task, clock, halt),
            root_moves: legal_moves(&task.root).into_iter().filter(wanted).map(root_move).collect(),
        }
    }

    /// Searches deeper and deeper; the answer is the best move of the last depth.
    pub(super) fn deepen(
        &mut self,
        report: &mut dyn FnMut(Report<G::Move>),
    ) -> Option<Choice<G::Move>> {
        let mut reported = None;
        let mut reached = 1;
        let mut steadiness = Steadiness::default();
        // Helpers begin at different depths, so that they do not all do the same.
        let first = 1 + self.id % 2;
        for depth in first..MAX_PLY {
            let may_begin = self.clock.may_deepen(depth, steadiness.difficulty());
            if self.root_moves.is_empty() || self.id == 0 && depth > first && !may_begin {
                break;
            }
            reached = depth;
            self.tree.begin(depth);
            for root_move in &mut self.root_moves {
                root_move.nodes = 0;
            }
            let Ok(score) = self.aspire(depth, report) else { break };
            reported = self.say(depth, Bound::Exact, report);
            let total = self.root_moves.iter().map(|root_move| root_move.nodes).sum::<u64>();
            let best = &self.root_moves[0];
            steadiness.note(best.mv.tag(), best.nodes as f64 / total.max(1) as f64, score);
            // A proved result does not change, and a single move needs no thought.
            let proved = score.plies_to_end().is_some_and(|plies| plies <= depth);
            if proved || self.clock.is_free() && self.root_moves.len() == 1 {
                break;
            }
        }
        let best = self.root_moves.first()?.mv;
        if reported != Some(best) {
            self.say(reached, Bound::Exact, report);
        }
        if self.id == 0 {
            self.clock.wait_for_leave();
        }
        let ponder = self.root_moves[0].pv.get(1).copied().or_else(|| self.remembered_reply(best));
        Some(Choice { best, ponder })
    }

    /// One iteration, first in a narrow window around the last score.
    fn aspire(&mut self, depth: usize, report: &mut dyn FnMut(Report<G::Move>)) -> Found {
        let last = self.root_moves[0].score;
        if depth < aspiration::FROM_DEPTH || last.is_decided() {
            return self.search_root(Window::FULL, depth, report);
        }
        let mut width = aspiration::WIDTH;
        let mut window = Window { alpha: last - width, beta: last + width };
        loop {
            let score = self.search_root(window, depth, report)?;
            width *= 2;
            let bound = if score <= window.alpha {
                window.alpha =
                    if width > aspiration::WIDEST { Window::FULL.alpha } else { score - width };
                Bound::Upper
            } else if score >= window.beta {
                window.beta =
                    if width > aspiration::WIDEST { Window::FULL.beta } else { score + width };
                Bound::Lower
            } else {
                return Ok(score);
            };
            if self.clock.elapsed() >= TALKATIVE_FROM {
                self.say(depth, bound, report);
            }
        }
    }

    /// Searches the root moves once.
    fn search_root(
        &mut self,
        mut window: Window,
        depth: usize,
        report: &mut dyn FnMut(Report<G::Move>),
    ) -> Found {
        let mut best = -Score::INFINITE;
        for i in 0..self.root_moves.len() {
            let mv = self.root_moves[i].mv;
            if self.id == 0 && self.clock.elapsed() >= TALKATIVE_FROM {
                report(Report::Current { depth, mv, number: i + 1 });
            }
            let nodes = self.tree.nodes();
            let score = self.tree.search_root_move(mv, window, i)?;
            let root_move = &mut self.root_moves[i];
            root_move.nodes += self.tree.nodes() - nodes;
            best = best.max(score);
            if i == 0 || score > window.alpha {
                root_move.score = score;
            }
            if score > window.alpha {
                root_move.pv.clear();
                root_move.pv.push(mv);
                root_move.pv.extend_from_slice(self.tree.line());
                self.root_moves[..=i].rotate_right(1);
                window.alpha = score;
                if score >= window.beta {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// Reports the best line and returns its first move.
    fn say(
        &mut self,
        depth: usize,
        bound: Bound,
        report: &mut dyn FnMut(Report<G::Move>),
    ) -> Option<G::Move> {
        if self.id > 0 {
            return None;
        }
        let nodes = self.tree.share_nodes();
        let best = &self.root_moves[0];
        let score = if best.score == -Score::INFINITE {
            // No depth was finished: all there is to say is what the position looks like.
            Score::guess(self.task.root.evaluate())
        } else {
            best.score
        };
        report(Report::Line(Line {
            depth,
            seldepth: self.tree.seldepth(),
            score,
            bound,
            nodes,
            time: self.clock.elapsed(),
            fullness: self.task.table.fullness(),
            pv: best.pv.clone(),
        }));
        Some(best.mv)
    }

    /// The answer to `best` that the table knows.
    fn remembered_reply(&self, best: G::Move) -> Option<G::Move> {
        let next = self.task.root.play(best);
        let tag = self.task.table.get(next.memory_key())?.tag;
        legal_moves(&next).into_iter().find(|mv| mv.tag() == tag)
    }
}
