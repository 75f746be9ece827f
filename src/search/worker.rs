//! One search thread: iterative deepening and the root moves.

use std::cmp::Reverse;
use std::time::Duration;

use super::params::aspiration;
use super::score::{Bound, MAX_PLY, Score, Window};
use super::searcher::{Aborted, SearchResult, Searcher};
use super::stability::BestMoveStability;
use super::time::TimeManager;
use super::tt::{AnnouncedWin, TtView};
use super::{BestMove, PvLine, SearchEvent, SearchRequest, Signals, game_key, outcome_score};
use crate::game::{Move, MoveList, Position, Tablebase, TablebaseValue, legal_moves, outcome};

/// The time from which the search also reports the current move and failed aspiration windows.
const VERBOSE_FROM: Duration = Duration::from_secs(3);

#[derive(Clone)]
struct RootMove<M> {
    mv: M,
    nodes: u64,
    score: Score,
    /// Whether the score is exact. A score outside the aspiration window is only a bound.
    bound: Bound,
    pv: Vec<M>,
}

/// One search thread.
pub(super) struct Worker<'a, P: Position> {
    request: &'a SearchRequest<'a, P>,
    time: &'a TimeManager<'a>,
    /// 0 for the main thread, which reports and chooses the move.
    id: usize,
    searcher: Searcher<'a, P>,
    /// The root moves. The first `multipv` of them are the best so far, in order.
    root_moves: Vec<RootMove<P::Move>>,
    /// The number of principal variations to find.
    multipv: usize,
    /// The tablebase value of the root, which every searched root move preserves.
    tablebase_value: Option<TablebaseValue>,
}

impl<'a, P: Position> Worker<'a, P> {
    pub(super) fn new(
        task: &'a SearchRequest<'a, P>,
        entries: TtView<'a>,
        clock: &'a TimeManager<'a>,
        halt: &'a Signals,
        id: usize,
        salt: u64,
    ) -> Self {
        let wanted = |mv: &P::Move| task.root_moves.is_empty() || task.root_moves.contains(mv);
        let root_move = |mv| RootMove {
            mv,
            nodes: 0,
            score: -Score::INFINITE,
            bound: Bound::Exact,
            pv: vec![mv],
        };
        let mut known = task.tablebase.and_then(|oracle| oracle.value(&task.root));
        let best = best_moves(task, entries, salt);
        let mut root_moves: Vec<_> = best.into_iter().filter(wanted).map(root_move).collect();
        if root_moves.is_empty() {
            // All requested moves give the value of the root away: search them without it.
            known = None;
            root_moves =
                legal_moves(&task.root).into_iter().filter(wanted).map(root_move).collect();
        }
        let lines = task.multipv.min(root_moves.len());
        let tree = Searcher::new(task, entries, clock, halt, salt);
        Self {
            request: task,
            time: clock,
            id,
            searcher: tree,
            root_moves,
            multipv: lines,
            tablebase_value: known,
        }
    }

    /// Searches to the end. Leaves the move history, and from the main thread an announced win, to
    /// the next search.
    pub(super) fn run(
        mut self,
        report: &mut dyn FnMut(SearchEvent<P::Move>),
    ) -> Option<BestMove<P::Move>> {
        let choice = self.iterative_deepening(report);
        if self.id == 0 {
            self.request.table.announce_win(choice.and_then(|choice| self.announced(choice.best)));
        }
        self.request.table.keep_history(self.searcher.history);
        choice
    }

    /// Returns the win that begins with the chosen move, if one was announced.
    fn announced(&self, best: P::Move) -> Option<AnnouncedWin> {
        let root = &self.request.root;
        let keys = self.request.history.iter().copied().chain([root.key(), root.play(best).key()]);
        let is_win = self.root_moves[0].score.is_win();
        is_win.then(|| AnnouncedWin { game_key: game_key(keys), salt: self.searcher.path_key })
    }

    /// Searches with increasing depth and returns the best move of the last iteration.
    fn iterative_deepening(
        &mut self,
        report: &mut dyn FnMut(SearchEvent<P::Move>),
    ) -> Option<BestMove<P::Move>> {
        let mut reported = None;
        let mut reached = 1;
        let mut steadiness = BestMoveStability::default();
        // Helper threads begin at different depths, to search different nodes.
        let first = 1 + self.id % 2;
        for depth in first..MAX_PLY {
            let may_begin = self.time.may_deepen(depth, steadiness.difficulty());
            if self.root_moves.is_empty() || self.id == 0 && depth > first && !may_begin {
                break;
            }
            reached = depth;
            let Ok(effort) = self.iterate(depth, report) else { break };
            reported = self.report_lines(depth, report);
            let best = &self.root_moves[0];
            steadiness.note(best.mv.packed(), effort, best.score);
            let alone = self.time.is_free() && self.root_moves.len() == 1;
            if alone || self.is_settled(depth) {
                break;
            }
        }
        let best = self.root_moves.first()?.mv;
        if reported != Some(best) {
            self.report_line(0, reached, report);
        }
        let ponder = self.root_moves[0].pv.get(1).copied().or_else(|| self.tt_reply(best));
        Some(BestMove { best, ponder })
    }

    /// Whether further iterations are useless: the result is proved, or a mate search has found its
    /// win.
    fn is_settled(&self, depth: usize) -> bool {
        let moves = self.root_moves[0].score.mate_in();
        let found = |wanted: u32| moves.is_some_and(|moves| moves > 0 && moves as u32 <= wanted);
        let proved = |line: &RootMove<_>| line.score.plies_to_end().is_some_and(|n| n <= depth);
        // A tablebase draw, or a win or loss of known length, does not change with depth.
        matches!(
            self.tablebase_value,
            Some(
                TablebaseValue::Drawn
                    | TablebaseValue::Won(Some(_))
                    | TablebaseValue::Lost(Some(_))
            )
        ) || self.request.limits.mate.is_some_and(found)
            || self.root_moves[..self.multipv].iter().all(proved)
    }

    /// Searches one iteration: for each line, the best of the moves that lead no earlier line.
    /// Returns the share of the first line's nodes that its best move took.
    fn iterate(
        &mut self,
        depth: usize,
        report: &mut dyn FnMut(SearchEvent<P::Move>),
    ) -> Result<f64, Aborted> {
        self.searcher.start_iteration(depth);
        for root_move in &mut self.root_moves {
            root_move.nodes = 0;
        }
        // Lines of different depths cannot be compared. With several lines, an aborted iteration is
        // discarded.
        let before = if self.multipv > 1 { self.root_moves.clone() } else { Vec::new() };
        let mut effort = 0.0;
        for line in 0..self.multipv {
            if let Err(stopped) = self.aspiration_search(line, depth, report) {
                if self.multipv > 1 && before[0].score != -Score::INFINITE {
                    self.root_moves = before;
                }
                return Err(stopped);
            }
            if line == 0 {
                let total: u64 = self.root_moves.iter().map(|root_move| root_move.nodes).sum();
                effort = self.root_moves[0].nodes as f64 / total.max(1) as f64;
            }
            self.root_moves[..=line].sort_by_key(|root_move| Reverse(root_move.score));
        }
        Ok(effort)
    }

    /// Searches one line, first with a narrow window around its last score.
    fn aspiration_search(
        &mut self,
        line: usize,
        depth: usize,
        report: &mut dyn FnMut(SearchEvent<P::Move>),
    ) -> SearchResult {
        let last = self.root_moves[line].score;
        if depth < aspiration::FROM_DEPTH || last.is_certain() {
            return self.search_root(line, Window::FULL, depth, report);
        }
        let mut width = aspiration::WIDTH;
        let mut window = Window { alpha: last - width, beta: last + width };
        loop {
            let score = self.search_root(line, window, depth, report)?;
            width *= 2;
            if score <= window.alpha {
                window.alpha =
                    if width > aspiration::WIDEST { Window::FULL.alpha } else { score - width };
            } else if score >= window.beta {
                window.beta =
                    if width > aspiration::WIDEST { Window::FULL.beta } else { score + width };
            } else {
                return Ok(score);
            }
            if self.multipv == 1 && self.time.elapsed() >= VERBOSE_FROM {
                self.report_line(line, depth, report);
            }
        }
    }

    /// Searches the root moves from index `first` on once, with the given window.
    fn search_root(
        &mut self,
        first: usize,
        mut window: Window,
        depth: usize,
        report: &mut dyn FnMut(SearchEvent<P::Move>),
    ) -> SearchResult {
        let mut best = -Score::INFINITE;
        for i in first..self.root_moves.len() {
            let mv = self.root_moves[i].mv;
            if self.id == 0 && self.time.elapsed() >= VERBOSE_FROM {
                report(SearchEvent::Current { depth, mv, number: i + 1 });
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

    /// Reports all lines of an iteration and returns the best move.
    fn report_lines(
        &mut self,
        depth: usize,
        report: &mut dyn FnMut(SearchEvent<P::Move>),
    ) -> Option<P::Move> {
        for line in 0..self.multipv {
            self.report_line(line, depth, report);
        }
        Some(self.root_moves[0].mv)
    }

    fn report_line(
        &mut self,
        line: usize,
        depth: usize,
        report: &mut dyn FnMut(SearchEvent<P::Move>),
    ) {
        if self.id > 0 {
            return;
        }
        let nodes = self.searcher.publish_nodes();
        let root_move = &self.root_moves[line];
        let score = if root_move.score == -Score::INFINITE {
            // No iteration was finished: the static evaluation is all there is.
            self.searcher.evaluate(&self.request.root, 0)
        } else {
            root_move.score
        };
        // The search may not have reached a win that the tablebase reports.
        let score = match self.tablebase_value {
            Some(TablebaseValue::Won(_)) if !score.is_won() => Score::KNOWN_WIN,
            Some(TablebaseValue::Lost(_)) if !score.is_lost() => -Score::KNOWN_WIN,
            _ => score,
        };
        report(SearchEvent::Line(PvLine {
            multipv: line + 1,
            depth,
            seldepth: self.searcher.seldepth(),
            score,
            bound: root_move.bound,
            nodes,
            time: self.time.elapsed(),
            tb_hits: self.request.signals.hits(),
            hashfull: self.searcher.tt.hashfull(),
            pv: self.full_pv(root_move),
        }));
    }

    /// Returns the principal variation of a root move. If its score is a win or loss of known
    /// length, the tablebase completes the line to the end of the game.
    fn full_pv(&self, root_move: &RootMove<P::Move>) -> Vec<P::Move> {
        let mut line = root_move.pv.clone();
        let (Some(oracle), true) = (self.request.tablebase, root_move.score.is_decided()) else {
            return line;
        };
        let mut position = line.iter().fold(self.request.root, |position, &mv| position.play(mv));
        while line.len() < MAX_PLY && outcome(&position).is_none() {
            let Some(mv) = known_best(&position, oracle) else { break };
            line.push(mv);
            position = position.play(mv);
        }
        line
    }

    /// Returns the reply to `best` from the transposition table.
    fn tt_reply(&mut self, best: P::Move) -> Option<P::Move> {
        if self.searcher.is_root_repetition(best) {
            return None;
        }
        let next = self.request.root.play(best);
        let tag = self.searcher.probe_tt(&next)?.packed_move;
        legal_moves(&next).into_iter().find(|mv| mv.packed() == tag)
    }
}

/// Returns the moves that preserve the tablebase value of the root; all moves if it has none.
fn best_moves<P: Position>(
    task: &SearchRequest<P>,
    entries: TtView,
    salt: u64,
) -> MoveList<P::Move> {
    let mut moves = legal_moves(&task.root);
    if let Some(oracle) = task.tablebase
        && let Some(known) = oracle.value(&task.root)
    {
        let worth = Score::from_tablebase(known, 0);
        let same = |score: Score| match known {
            TablebaseValue::Won(_) => score.is_won(),
            TablebaseValue::Lost(_) => score.is_lost(),
            TablebaseValue::Drawn => score == worth,
        };
        let after = |mv: &P::Move| known_after(&task.root, *mv, oracle);
        // A move has no value where a rule that counts moves may end the game first. That can save
        // a lost position. In other positions, moves of known value are preferred.
        let sure = |mv: &P::Move| after(mv).is_some_and(same);
        let is_lost = matches!(known, TablebaseValue::Lost(_));
        if !is_lost && moves.iter().any(sure) {
            moves.retain(|mv| sure(mv));
        } else {
            moves.retain(|mv| after(mv).is_none_or(same));
        }
        if known == TablebaseValue::Won(None) {
            drop_repetitions(task, entries, salt, &mut moves);
        }
    }
    moves
}

/// Drops the moves that repeat a position of the game or let the opponent draw by repetition,
/// unless all moves do: repetitions bring no win nearer.
fn drop_repetitions<P: Position>(
    task: &SearchRequest<P>,
    entries: TtView,
    salt: u64,
    moves: &mut MoveList<P::Move>,
) {
    let before = |position: &P| {
        let keys = task.history.iter().copied().chain([task.root.key()]);
        keys.filter(|&key| key == position.key()).count()
    };
    let draws =
        |position: &P| position.repetitions() > 0 && before(position) + 1 >= position.repetitions();
    // A stored proof makes progress even through a position of the game.
    let is_proved = |position: &P| {
        let known = entries.probe(position.tt_key() ^ salt);
        known.is_some_and(|entry| entry.is_proof() && entry.score.is_loss())
    };
    let goes_on = |mv: &P::Move| {
        let next = task.root.play(*mv);
        let mut replies = legal_moves(&next).into_iter();
        (before(&next) == 0 || is_proved(&next)) && !replies.any(|reply| draws(&next.play(reply)))
    };
    if moves.iter().any(goes_on) {
        moves.retain(|mv| goes_on(mv));
    }
}

/// Returns the certain score of a move for the side that makes it, if there is one.
fn known_after<P: Position>(position: &P, mv: P::Move, oracle: &dyn Tablebase<P>) -> Option<Score> {
    let next = position.play(mv);
    if let Some(end) = outcome(&next) {
        return Some(outcome_score(end, position.side(), 1));
    }
    Some(-Score::from_tablebase(oracle.value(&next)?, 1))
}

/// Returns the move that wins soonest or loses latest; `None` if a length is unknown.
fn known_best<P: Position>(position: &P, oracle: &dyn Tablebase<P>) -> Option<P::Move> {
    let scores = legal_moves(position).into_iter();
    let scored = scores.map(|mv| Some((known_after(position, mv, oracle)?, mv)));
    let all: Option<Vec<_>> = scored.collect();
    let (score, mv) = all?.into_iter().max_by_key(|&(score, _)| score)?;
    score.is_decided().then_some(mv)
}
