//! The tree below the root: principal variation search, and quiescence at its ends.

use super::clock::Clock;
use super::order::{Hints, History, Past, Picker, Ranks, rank};
use super::parameters::{
    futility, internal_reduction, late_move_pruning, late_move_reduction, null_move, quiescence,
    reverse_futility,
};
use super::score::{Bound, MAX_PLY, Score, Window};
use super::table::Entry;
use super::{Signals, Task, value_of};
use crate::game::{Game, Known, MoveList, Ply};

/// The search was told to stop: a node that was not finished has no score.
pub(super) struct Stopped;

pub(super) type Found = Result<Score, Stopped>;

/// What a node is for; known when the code is compiled.
trait Node {
    /// Whether an exact score is wanted, so that a line of best moves comes of it.
    const EXACT: bool;
}

struct Principal;
struct Scout;

impl Node for Principal {
    const EXACT: bool = true;
}

impl Node for Scout {
    const EXACT: bool = false;
}

/// The clock is read and the nodes are shared once in so many nodes.
const CHECK_EVERY: u64 = 256;

/// What is kept for each ply of the line that is looked at.
#[derive(Clone, Copy, Default)]
struct Frame {
    eval: Score,
    killers: [u16; 2],
    /// The square to which the move that led on from here went; `None` for a null move.
    target: Option<usize>,
}

/// What one thread knows while it walks the tree.
pub(super) struct Tree<'a, G: Game> {
    task: &'a Task<'a, G>,
    clock: &'a Clock<'a>,
    /// Set when the first thread has ended.
    halt: &'a Signals,
    /// The keys of all positions before the one looked at, those of the game first.
    keys: Vec<u64>,
    frames: Vec<Frame>,
    /// The best line from each ply on.
    lines: Vec<Vec<G::Move>>,
    history: History,
    reductions: Vec<[i8; 64]>,
    nodes: u64,
    shared_nodes: u64,
    /// Whether the root is known to be won or lost, but not in how many plies.
    needs_progress: bool,
    /// The depth of the iteration that is under way.
    iteration: usize,
    seldepth: usize,
}

impl<'a, G: Game> Tree<'a, G> {
    pub(super) fn new(task: &'a Task<'a, G>, clock: &'a Clock<'a>, halt: &'a Signals) -> Self {
        Self {
            task,
            clock,
            halt,
            keys: task.history.to_vec(),
            frames: vec![Frame::default(); MAX_PLY + 2],
            lines: vec![Vec::new(); MAX_PLY + 2],
            history: History::new(),
            reductions: reductions(),
            nodes: 0,
            shared_nodes: 0,
            needs_progress: matches!(
                task.oracle.and_then(|oracle| oracle.value(&task.root)),
                Some(Known::Won(None) | Known::Lost(None))
            ),
            iteration: 0,
            seldepth: 0,
        }
    }

    /// Prepares an iteration to `depth` plies.
    pub(super) fn begin(&mut self, depth: usize) {
        self.iteration = depth;
        self.seldepth = depth;
        self.frames[0].eval = self.evaluate(&self.task.root);
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
    pub(super) fn line(&self) -> &[G::Move] {
        &self.lines[1]
    }

    /// Searches what comes of the root move with this place in the order.
    pub(super) fn search_root_move(&mut self, mv: G::Move, window: Window, place: usize) -> Found {
        if self.ends_by_repetition(mv) {
            self.lines[1].clear();
            return Ok(Score::DRAW);
        }
        let root = self.task.root;
        let depth = self.iteration as i32;
        let late = depth >= late_move_reduction::FROM_DEPTH
            && place >= late_move_reduction::FROM_ROOT_MOVE;
        let reduction = if late { self.reduction(depth - 1, place) } else { 0 };
        self.search_move(&root, mv, window, depth - 1, reduction, 0, place == 0)
    }

    /// Plays a move and searches what comes of it: the first move of a node exactly, the others
    /// with the question whether they are better, exactly only if they are.
    /// See <https://www.chessprogramming.org/Principal_Variation_Search>.
    #[expect(clippy::too_many_arguments, reason = "all of them belong to one move of one node")]
    fn search_move(
        &mut self,
        position: &G,
        mv: G::Move,
        window: Window,
        depth: i32,
        reduction: i32,
        ply: usize,
        first: bool,
    ) -> Found {
        self.frames[ply].target = Some(mv.target());
        self.keys.push(position.key());
        let next = position.play(mv);
        let result = self.search_next(&next, window, depth, reduction, ply + 1, first);
        self.keys.pop();
        result
    }

    fn search_next(
        &mut self,
        next: &G,
        window: Window,
        depth: i32,
        reduction: i32,
        ply: usize,
        first: bool,
    ) -> Found {
        if !first {
            let scout = -Window::above(window.alpha);
            let mut score = -self.search::<Scout>(next, scout, depth - reduction, ply)?;
            if score > window.alpha && reduction > 0 {
                score = -self.search::<Scout>(next, scout, depth, ply)?;
            }
            if score <= window.alpha || !window.is_open() {
                return Ok(score);
            }
        }
        if window.is_open() {
            Ok(-self.search::<Principal>(next, -window, depth, ply)?)
        } else {
            Ok(-self.search::<Scout>(next, -window, depth, ply)?)
        }
    }

    /// The score of a position, `depth` plies looked ahead.
    fn search<N: Node>(
        &mut self,
        position: &G,
        mut window: Window,
        depth: i32,
        ply: usize,
    ) -> Found {
        self.lines[ply].clear();
        if let Some(end) = position.ending() {
            self.tick(ply)?;
            return Ok(value_of(end, position.side(), ply));
        }
        if depth <= 0 {
            return self.quiesce(position, window, ply, quiescence::PLIES);
        }
        self.tick(ply)?;
        if self.is_repetition(position, ply) {
            return Ok(Score::DRAW);
        }
        if let Some(score) = self.known_score(position, ply) {
            return Ok(score);
        }
        if ply >= MAX_PLY {
            return Ok(self.evaluate(position));
        }

        // Nothing is better than to win with the next move, or worse than to have lost.
        // See https://www.chessprogramming.org/Mate_Distance_Pruning.
        window.alpha = window.alpha.max(Score::loss_in(ply));
        window.beta = window.beta.min(Score::win_in(ply + 1));
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }

        let key = position.memory_key();
        let known = self.task.table.get(key);
        if let Some(entry) = known
            && !N::EXACT
        {
            let score = entry.score.to_root(ply);
            let without_length = score.is_certain() && !score.is_decided();
            let is_enough = !(self.needs_progress && without_length);
            if is_enough && settles(&entry, score, window, depth) {
                return Ok(score);
            }
        }

        if let Some(mv) = position.winning_move() {
            self.lines[ply].push(mv);
            return Ok(Score::win_in(ply + 1));
        }

        let eval = known.map_or_else(|| self.evaluate(position), |entry| entry.eval);
        self.frames[ply].eval = eval;
        self.frames[ply + 1].killers = [0; 2];
        let improving = ply >= 2 && eval > self.frames[ply - 2].eval;

        if !N::EXACT && !window.beta.is_certain() {
            let margin = reverse_futility::MARGIN * (depth - i32::from(improving));
            if depth <= reverse_futility::TO_DEPTH && eval - margin >= window.beta {
                return Ok(eval);
            }
            if let Some(score) = self.try_null_move(position, window, depth, ply, eval)? {
                return Ok(score);
            }
        }

        let remembered = known.map_or(0, |entry| entry.tag);
        let depth = if remembered == 0 && depth >= internal_reduction::FROM_DEPTH {
            depth - 1
        } else {
            depth
        };

        let mut moves = MoveList::new();
        position.moves(&mut moves);
        if moves.is_empty() {
            return Ok(value_of(position.stuck(), position.side(), ply));
        }
        // A forced reply costs no depth.
        let extension = i32::from(moves.len() == 1 && ply < 2 * self.iteration);
        let past = self.past(ply);
        let hints = Hints { remembered, killers: self.frames[ply].killers, past };
        let mut ranks = Ranks::new();
        rank(position, &moves, &hints, &self.history, &mut ranks);
        let mut picker = Picker::new(&mut moves, &mut ranks);
        let side = position.side();
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut count = 0;
        while let Some((mv, merit)) = picker.next() {
            let quiet = !position.is_noisy(mv);
            // Where all is lost so far nothing may be left out, or the loss would be no proof.
            if !N::EXACT && quiet && !best.is_lost() && count > 0 {
                let late = late_move_pruning::BASE + depth * depth;
                let late = if improving { late } else { late / 2 };
                if depth <= late_move_pruning::TO_DEPTH && count as i32 >= late {
                    break;
                }
                let margin = futility::BASE + futility::MARGIN * depth;
                if depth <= futility::TO_DEPTH && eval + margin <= window.alpha {
                    continue;
                }
            }
            let reduce =
                depth >= late_move_reduction::FROM_DEPTH && count >= late_move_reduction::FROM_MOVE;
            let reduction = if reduce {
                let merit = merit.clamp(-24_000, 24_000) / late_move_reduction::MERIT;
                let reduction =
                    self.reduction(depth, count) - i32::from(N::EXACT) - i32::from(!quiet) - merit;
                reduction.clamp(0, depth - 2)
            } else {
                0
            };
            let score = self.search_move(
                position,
                mv,
                window,
                depth - 1 + extension,
                reduction,
                ply,
                count == 0,
            )?;
            count += 1;
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    if N::EXACT {
                        self.extend_line(ply, mv);
                    }
                    if score >= window.beta {
                        let vain = &picker.given()[..picker.given().len() - 1];
                        self.history.learn(side, past, mv, vain, depth);
                        self.note_killer(ply, mv.tag());
                        break;
                    }
                    window.alpha = score;
                }
            }
        }

        let bound = if best >= window.beta {
            Bound::Lower
        } else if N::EXACT && best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            tag: best_move.map_or(0, Ply::tag),
            score: best.from_root(ply),
            bound,
            depth: depth.clamp(0, 255) as u8,
            eval,
        };
        self.task.table.put(key, entry);
        Ok(best)
    }

    /// Searches with the turn passed on. `None` where that does not settle the matter.
    fn try_null_move(
        &mut self,
        position: &G,
        window: Window,
        depth: i32,
        ply: usize,
        eval: Score,
    ) -> Result<Option<Score>, Stopped> {
        let after_null = self.frames[ply - 1].target.is_none();
        if depth < null_move::FROM_DEPTH || eval < window.beta || after_null {
            return Ok(None);
        }
        let Some(next) = position.null() else { return Ok(None) };
        let surplus = (i32::from(eval.raw()) - i32::from(window.beta.raw())) / 150;
        let reduction = null_move::REDUCTION + depth / null_move::DEPTH_DIVISOR + surplus.min(3);
        self.frames[ply].target = None;
        self.keys.push(position.key());
        let result =
            self.search::<Scout>(&next, -Window::below(window.beta), depth - reduction, ply + 1);
        self.keys.pop();
        let score = -result?;
        // A win after a pass is not a proof of a win.
        Ok((score >= window.beta).then(|| if score.is_certain() { window.beta } else { score }))
    }

    /// The score of a position once the moves that upset it are played out.
    /// See <https://www.chessprogramming.org/Quiescence_Search>.
    fn quiesce(&mut self, position: &G, mut window: Window, ply: usize, left: usize) -> Found {
        self.tick(ply)?;
        self.lines[ply].clear();
        if let Some(score) = self.known_score(position, ply) {
            return Ok(score);
        }
        if let Some(mv) = position.winning_move() {
            self.lines[ply].push(mv);
            return Ok(Score::win_in(ply + 1));
        }
        let forced = position.is_forced();
        let mut best = self.evaluate(position);
        if ply >= MAX_PLY || !forced && (left == 0 || best >= window.beta) {
            return Ok(best);
        }
        if forced {
            best = -Score::INFINITE;
        }
        window.alpha = window.alpha.max(best);
        let mut moves = MoveList::new();
        position.noisy_moves(&mut moves);
        let hints = Hints { remembered: 0, killers: [0; 2], past: self.past(ply) };
        let mut ranks = Ranks::new();
        rank(position, &moves, &hints, &self.history, &mut ranks);
        for (mv, _) in Picker::new(&mut moves, &mut ranks) {
            self.frames[ply].target = Some(mv.target());
            let next = position.play(mv);
            self.lines[ply + 1].clear();
            let score = match next.ending() {
                Some(end) => -value_of(end, next.side(), ply + 1),
                None => -self.quiesce(&next, -window, ply + 1, left.saturating_sub(1))?,
            };
            if score > best {
                best = score;
                if score > window.alpha {
                    self.extend_line(ply, mv);
                    window.alpha = score;
                    if score >= window.beta {
                        break;
                    }
                }
            }
        }
        Ok(best)
    }

    /// The score of a position that is known for certain.
    fn known_score(&self, position: &G, ply: usize) -> Option<Score> {
        let known = self.task.oracle?.value(position)?;
        // To know that it is won is not enough to win it: where the root is of that kind, what
        // leads to a win is searched.
        if self.needs_progress && matches!(known, Known::Won(None) | Known::Lost(None)) {
            return None;
        }
        self.task.signals.add_hit();
        Some(Score::known(known, ply))
    }

    /// The static evaluation of a position, as the task wants it judged.
    fn evaluate(&self, position: &G) -> Score {
        let error = self.task.misjudgement.of(position.key());
        Score::guess(position.evaluate() + error + self.promise(position))
    }

    /// Where a way to win is looked for, whoever is known to win is ahead however it looks: or to
    /// repeat a position would seem better.
    fn promise(&self, position: &G) -> i32 {
        /// More than evaluations of few pieces amount to.
        const AHEAD: i32 = 10_000;
        let Some(oracle) = self.task.oracle.filter(|_| self.needs_progress) else { return 0 };
        match oracle.value(position) {
            Some(Known::Won(_)) => AHEAD,
            Some(Known::Lost(_)) => -AHEAD,
            Some(Known::Drawn) | None => 0,
        }
    }

    /// Counts a node and now and then asks whether to go on.
    fn tick(&mut self, ply: usize) -> Result<(), Stopped> {
        self.seldepth = self.seldepth.max(ply);
        if self.nodes - self.shared_nodes >= CHECK_EVERY || self.nodes >= self.clock.node_limit() {
            let all = self.share_nodes();
            if self.clock.is_over(all) || self.halt.is_stopped() {
                return Err(Stopped);
            }
        }
        self.nodes += 1;
        Ok(())
    }

    /// Tells the other threads how many nodes this one has visited and returns those of all.
    pub(super) fn share_nodes(&mut self) -> u64 {
        let new = self.nodes - self.shared_nodes;
        self.shared_nodes = self.nodes;
        self.task.signals.add_nodes(new)
    }

    /// Whether the position has come before, so that the game is or may be drawn. Within the
    /// search once is enough: what was good then is good again.
    fn is_repetition(&self, position: &G, ply: usize) -> bool {
        let Some(needed) = position.repetitions().checked_sub(1) else { return false };
        let key = position.key();
        let past = self.keys.iter().rev().take(position.reversible_plies());
        let mut earlier = 0;
        for (i, _) in past.enumerate().skip(1).step_by(2).filter(|&(_, &old)| old == key) {
            earlier += 1;
            if i < ply || earlier >= needed {
                return true;
            }
        }
        false
    }

    /// Whether a root move draws the game because the position has come too often.
    pub(super) fn ends_by_repetition(&mut self, mv: G::Move) -> bool {
        let root = self.task.root;
        self.keys.push(root.key());
        let ends = self.is_repetition(&root.play(mv), 1);
        self.keys.pop();
        ends
    }

    fn reduction(&self, depth: i32, count: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(self.reductions.len() - 1);
        self.reductions[depth][count.min(63)].into()
    }

    /// Where the last two moves before `ply` went.
    fn past(&self, ply: usize) -> Past {
        let target = |back: usize| self.frames[ply.checked_sub(back)?].target;
        [target(1), target(2)]
    }

    fn note_killer(&mut self, ply: usize, tag: u16) {
        let killers = &mut self.frames[ply].killers;
        if killers[0] != tag {
            *killers = [tag, killers[0]];
        }
    }

    /// Puts a move before the best line of the next ply.
    fn extend_line(&mut self, ply: usize, mv: G::Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend_from_slice(&lower[0]);
    }
}

/// Whether what the table knows is deep enough and on the right side of the window. A certain
/// result holds at every depth.
fn settles(entry: &Entry, score: Score, window: Window, depth: i32) -> bool {
    let deep = i32::from(entry.depth) >= depth;
    match entry.bound {
        Bound::Exact => deep || score.is_certain(),
        Bound::Lower => score >= window.beta && (deep || score.is_won()),
        Bound::Upper => score <= window.alpha && (deep || score.is_lost()),
    }
}

/// The plies taken off by depth and number of the move.
fn reductions() -> Vec<[i8; 64]> {
    let plies = |depth: usize, count: usize| {
        let product = (depth as f64).ln() * (count as f64).ln();
        (late_move_reduction::BASE + product / late_move_reduction::DIVISOR) as i8
    };
    (0..64)
        .map(|depth: usize| std::array::from_fn(|count| plies(depth.max(1), count.max(1))))
        .collect()
}
