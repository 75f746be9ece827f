//! The tree below the root: principal variation search.

use super::clock::Clock;
use super::order::{Hints, History, Picker, Ranks, rank};
use super::parameters::{extension, internal_reduction, late_move_reduction, quiescence};
use super::path::Path;
use super::pruning::{Outlook, Reductions};
use super::score::{Bound, MAX_PLY, Score, Window};
use super::tt::{Entries, Entry};
use super::{Signals, Task, value_of};
use crate::game::{Game, Known, MoveList, Ply};
use crate::network::Stack;

/// The search was told to stop: a node that was not finished has no score.
pub(super) struct Stopped;

pub(super) type Found = Result<Score, Stopped>;

/// What a node is for; known when the code is compiled.
pub(super) trait Node {
    /// Whether an exact score is wanted, so that a line of best moves comes of it.
    const EXACT: bool;
}

pub(super) struct Principal;
pub(super) struct Scout;

impl Node for Principal {
    const EXACT: bool = true;
}

impl Node for Scout {
    const EXACT: bool = false;
}

/// The clock is read and the nodes are shared once in so many nodes.
const CHECK_EVERY: u64 = 256;

/// What one thread knows while it walks the tree.
pub(super) struct Tree<'a, G: Game> {
    pub(super) task: &'a Task<'a, G>,
    pub(super) entries: Entries<'a>,
    clock: &'a Clock<'a>,
    /// See [`Task::salt`].
    pub(super) salt: u64,
    /// Set when the first thread has ended.
    halt: &'a Signals,
    /// How the walk came to where it is.
    pub(super) path: Path<G::Move>,
    pub(super) history: History,
    reductions: Reductions,
    /// The accumulators of the network, if there is one.
    pub(super) accumulators: Option<Stack<'a>>,
    nodes: u64,
    shared_nodes: u64,
    /// Whether the root is known to be won or lost, but not in how many plies.
    pub(super) needs_progress: bool,
    /// The depth of the iteration that is under way.
    iteration: usize,
    seldepth: usize,
}

impl<'a, G: Game> Tree<'a, G> {
    pub(super) fn new(
        task: &'a Task<'a, G>,
        entries: Entries<'a>,
        clock: &'a Clock<'a>,
        halt: &'a Signals,
        salt: u64,
    ) -> Self {
        Self {
            task,
            entries,
            clock,
            salt,
            halt,
            path: Path::new(task.history),
            history: task.table.take_history(),
            reductions: Reductions::new(),
            accumulators: task.network.map(|network| Stack::new(network, MAX_PLY + 2)),
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
        self.path.frames[0].eval = self.evaluate(&self.task.root, 0);
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
        &self.path.lines[1]
    }

    /// Searches what comes of the root move with this place in the order.
    pub(super) fn search_root_move(&mut self, mv: G::Move, window: Window, place: usize) -> Found {
        if self.ends_by_repetition(mv) {
            self.path.lines[1].clear();
            return Ok(Score::DRAW);
        }
        let root = self.task.root;
        let depth = self.iteration as i32;
        let late = depth >= late_move_reduction::FROM_DEPTH
            && place >= late_move_reduction::FROM_ROOT_MOVE;
        let reduction = if late { self.reductions.of(depth - 1, place) } else { 0 };
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
        self.path.frames[ply].target = Some(mv.target());
        self.path.keys.push(position.key());
        let next = position.play(mv);
        let result = self.search_next(&next, window, depth, reduction, ply + 1, first);
        self.path.keys.pop();
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
    pub(super) fn search<N: Node>(
        &mut self,
        position: &G,
        mut window: Window,
        depth: i32,
        ply: usize,
    ) -> Found {
        self.path.lines[ply].clear();
        if depth <= 0 && position.ending().is_none() && !self.path.is_repetition(position, ply) {
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

        let known = self.remembered(position);
        if !N::EXACT
            && let Some(entry) = known
            && let Some(score) = self.remembered_score(&entry, window, depth, ply)
        {
            return Ok(score);
        }
        if let Some(mv) = position.winning_move() {
            self.path.lines[ply].push(mv);
            return Ok(Score::win_in(ply + 1));
        }

        let eval = known.map_or_else(|| self.evaluate(position, ply), |entry| entry.eval);
        self.path.frames[ply].eval = eval;
        self.path.frames[ply + 1].killers = [0; 2];
        let improving = ply >= 2 && eval > self.path.frames[ply - 2].eval;
        let threatened = is_threatened(position);
        let mut node = Outlook { window, depth, ply, eval, improving, threatened };
        if !N::EXACT
            && let Some(score) = self.prune(position, &node)?
        {
            return Ok(score);
        }

        let remembered = known.map_or(0, |entry| entry.tag);
        if remembered == 0 && depth >= internal_reduction::FROM_DEPTH {
            node.depth -= 1;
        }
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        if moves.is_empty() {
            return Ok(value_of(position.stuck(), position.side(), ply));
        }
        let (best, best_move) = self.search_moves::<N>(position, &mut moves, remembered, &node)?;
        if N::EXACT
            && let Some(proved) = known.and_then(|entry| entry.proved()).map(|at| at.to_root(ply))
            && (proved.is_win() && best < proved || proved.is_loss() && best > proved)
        {
            // So shallow a search has not seen what was proved before.
            if proved.is_win() {
                let line = &mut self.path.lines[ply];
                line.clear();
                line.extend(moves.iter().find(|mv| mv.tag() == remembered));
            }
            return Ok(proved);
        }
        self.remember::<N>(position, &node, best, best_move);
        Ok(best)
    }

    /// Searches the moves of a node: the best score, and the move that raised alpha, if any did.
    fn search_moves<N: Node>(
        &mut self,
        position: &G,
        moves: &mut MoveList<G::Move>,
        remembered: u16,
        node: &Outlook,
    ) -> Result<(Score, Option<G::Move>), Stopped> {
        let &Outlook { mut window, depth, ply, .. } = node;
        // A forced reply costs no depth, nor does one to the threat to win at once.
        let forced = moves.len() == 1 || node.threatened;
        let extension = i32::from(forced && self.may_extend(ply));
        let past = self.path.past(ply);
        let hints = Hints { remembered, killers: self.path.frames[ply].killers, past };
        let mut ranks = Ranks::new();
        rank(position, moves, &hints, &self.history, &mut ranks);
        let mut picker = Picker::new(moves, &mut ranks);
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut count = 0;
        while let Some((mv, merit)) = picker.next() {
            let quiet = !position.is_noisy(mv);
            // Where all is lost so far nothing may be left out, or the loss would be no proof.
            if !N::EXACT && quiet && !best.is_lost() && count > 0 {
                if node.is_late(count) {
                    break;
                }
                if node.is_futile(window.alpha) {
                    continue;
                }
            }
            let reduction = self.reductions.of_move::<N>(depth, count, quiet, merit);
            let deeper = depth - 1 + extension;
            let first = count == 0;
            let score = self.search_move(position, mv, window, deeper, reduction, ply, first)?;
            count += 1;
            best = best.max(score);
            if score > window.alpha {
                best_move = Some(mv);
                if N::EXACT {
                    self.path.extend_line(ply, mv);
                }
                if score >= window.beta {
                    let vain = &picker.given()[..picker.given().len() - 1];
                    self.history.learn(position.side(), past, mv, vain, depth);
                    self.path.note_killer(ply, mv.tag());
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
    fn remember<N: Node>(
        &mut self,
        position: &G,
        node: &Outlook,
        best: Score,
        best_move: Option<G::Move>,
    ) {
        let bound = if best >= node.window.beta {
            Bound::Lower
        } else if N::EXACT && best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            tag: best_move.map_or(0, Ply::tag),
            score: best.from_root(node.ply),
            bound,
            depth: node.depth.clamp(0, 255) as u8,
            eval: node.eval,
        };
        self.entries.store(position.memory_key() ^ self.salt, entry);
        // A proof that does without some positions holds as well where they may come.
        if self.salt != 0 && entry.is_proof() {
            self.entries.store(position.memory_key(), entry);
        }
    }

    /// What the table knows of a position where the game has been as in this search.
    pub(super) fn remembered(&self, position: &G) -> Option<Entry> {
        self.entries.probe(position.memory_key() ^ self.salt)
    }

    /// Counts a node and now and then asks whether to go on.
    pub(super) fn tick(&mut self, ply: usize) -> Result<(), Stopped> {
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

    /// Whether a root move draws the game because the position has come too often.
    pub(super) fn ends_by_repetition(&mut self, mv: G::Move) -> bool {
        let root = self.task.root;
        self.path.keys.push(root.key());
        let ends = self.path.is_repetition(&root.play(mv), 1);
        self.path.keys.pop();
        ends
    }
}

/// Whether the opponent would win at once, were it his turn.
fn is_threatened<G: Game>(position: &G) -> bool {
    position.null().is_some_and(|next| next.winning_move().is_some())
}
