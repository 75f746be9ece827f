//! The search: expands the most proving node until the root is decided.

use std::collections::HashMap;
use std::sync::Arc;

use super::numbers::{INFINITE, PATH_INDEPENDENT, ProofNumbers, TOO_DEEP, initial_disproof_number};
use super::table::{NodeId, ProofEntry, ProofTable};
use crate::game::{
    self, Heuristics, Move, MoveList, Outcome, Side, Tablebase, drawn_if_repeated, occurrences_of,
    tablebase_in_game,
};
use crate::search::tt::OutOfMemory;

/// The maximum length of the path. Positions beyond it are neither proved nor disproved.
const MAX_PATH: usize = 4_000;

/// The number of expansions between calls of the stop function.
const CHECK_EVERY: u64 = 64;

/// XORed into the key of a root whose search is restricted to some of the moves.
const RESTRICTED_ROOT_KEY: u64 = 0x7c15_9e37_a5a5_79b9;

/// When a proof search gives up.
#[derive(Clone, Copy)]
pub struct ProofLimits<'a> {
    /// The maximum number of expansions, those of earlier searches of the solver included.
    pub expansions: u64,
    /// Called regularly with the number of expansions; returns whether to stop.
    pub stop: &'a dyn Fn(u64) -> bool,
}

/// The result of a proof search, for the side to move at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofResult<M> {
    /// The side to move can force a win.
    Proved {
        mv: M,
        /// An upper bound on the plies to the end of the game, or to a position of the endgame tables.
        plies: u32,
    },
    /// The side to move cannot force a win.
    Disproved,
    /// The search ended without a result.
    Open,
}

/// A move and the numbers of the position after it.
struct Child<M> {
    mv: M,
    numbers: ProofNumbers,
}

/// A position on the path from the root.
struct PathNode<P> {
    position: P,
    id: NodeId,
    /// The search returns to the parent when `phi` or `delta` reaches its limit.
    phi_limit: u32,
    delta_limit: u32,
    /// The index of the first child; the children end where those of the next node begin.
    first: usize,
    /// The index of the child being searched.
    chosen: usize,
    /// The number of expansions before this node was entered.
    expansions: u64,
}

/// The numbers of a node, computed from its children.
struct NodeSummary {
    phi: u32,
    delta: u32,
    /// The index of the child to search next.
    best: usize,
    /// The minimum `delta` of the other children.
    second: u32,
}

/// A proof-number solver for wins of one side, with its table.
pub struct ProofSolver<P: Heuristics> {
    pub(super) prover: Side,
    pub(super) table: ProofTable,
    /// The positions of the game before the searches that draw if they are repeated.
    game: Vec<P>,
    /// The keys of those that a search may reach: their next occurrence draws the game.
    pub(super) drawn_if_repeated: Vec<u64>,
    given_tables: Option<Arc<dyn Tablebase<P>>>,
    /// The endgame tables in the game, whose positions are decided.
    pub(super) tables: Option<Arc<dyn Tablebase<P>>>,
    path: Vec<PathNode<P>>,
    /// The children of all nodes of the path.
    children: Vec<Child<P::Move>>,
    expansions: u64,
    /// The positions with the prover to move that are taken to be no wins, by key with side: each with the move
    /// counters that leave the most plies.
    pub(super) held: HashMap<u64, Vec<P>>,
    /// The answers of the other side that hold them, by the key with side of the position.
    pub(super) answers: HashMap<u64, Vec<(P, P::Move)>>,
}

impl<P: Heuristics> ProofSolver<P> {
    /// A solver for wins of `prover` with a table of `mib` MiB.
    pub fn new(prover: Side, mib: usize) -> Result<Self, OutOfMemory> {
        Ok(Self {
            prover,
            table: ProofTable::new(mib)?,
            game: Vec::new(),
            drawn_if_repeated: Vec::new(),
            given_tables: None,
            tables: None,
            path: Vec::new(),
            children: Vec::new(),
            expansions: 0,
            held: HashMap::new(),
            answers: HashMap::new(),
        })
    }

    /// Sets the endgame tables at which the search ends. Call it before [`ProofSolver::set_game`].
    #[must_use]
    pub fn with_tables(mut self, tables: Option<Arc<dyn Tablebase<P>>>) -> Self {
        self.given_tables.clone_from(&tables);
        self.tables = tables;
        self
    }

    /// Sets the game of the next searches, whose draws by repetition they then include: `last`, its last
    /// position, after `earlier`, the first one first. The searches begin at `last`, or with the move of
    /// the prover that leads there.
    pub fn set_game(&mut self, last: &P, earlier: &[P]) {
        let game = drawn_if_repeated(last, earlier);
        if game == self.game {
            return;
        }
        let is_earlier = |&key: &u64| last.side() == self.prover || key != last.key();
        self.drawn_if_repeated = game.iter().map(P::key).filter(is_earlier).collect();
        let tables = self.given_tables.clone();
        self.tables = tables.map(|tables| tablebase_in_game(tables, last, earlier));
        self.game = game;
        self.forget();
    }

    pub(super) fn forget(&mut self) {
        self.held.clear();
        self.answers.clear();
        self.table.clear();
    }

    /// The number of expansions (move generations) so far.
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Searches whether the prover, who must be to move, can force a win.
    ///
    /// If `root_moves` is not empty, the win must begin with one of these moves; `plies` limits its
    /// length. The game must not be over at the root.
    pub fn solve(
        &mut self,
        root: &P,
        root_moves: &[P::Move],
        plies: Option<u32>,
        limits: &ProofLimits,
    ) -> ProofResult<P::Move> {
        if plies == Some(0) {
            return ProofResult::Disproved;
        }
        match self.search(root, root_moves, plies, limits) {
            Some((root, Some(mv))) if root.is_proved(true) => {
                ProofResult::Proved { mv, plies: root.plies_or_index }
            }
            Some((root, _)) if root.is_disproved(true) && root.plies_or_index != TOO_DEEP => {
                ProofResult::Disproved
            }
            _ => ProofResult::Open,
        }
    }

    /// Searches like [`ProofSolver::solve`], with either side to move. Returns the numbers of the root
    /// and its best move; `None` if it stops before they are known.
    pub(super) fn search(
        &mut self,
        root: &P,
        root_moves: &[P::Move],
        plies: Option<u32>,
        limits: &ProofLimits,
    ) -> Option<(ProofNumbers, Option<P::Move>)> {
        if self.must_stop(limits) {
            return None;
        }
        self.path.clear();
        self.children.clear();
        let key = root.proof_key() ^ if root_moves.is_empty() { 0 } else { RESTRICTED_ROOT_KEY };
        let moves = game::root_moves(root, root_moves);
        self.expand(root, NodeId { key, path_hash: 0, plies_left: plies }, [INFINITE; 2], &moves);
        loop {
            let current = self.path.last()?;
            let node = self.summary(current);
            if node.phi >= current.phi_limit || node.delta >= current.delta_limit {
                let (numbers, mv) = self.leave(&node);
                let Some(parent) = self.path.last() else { return Some((numbers, mv)) };
                self.children[parent.chosen].numbers = numbers;
            } else if self.must_stop(limits) {
                return None;
            } else {
                self.descend(&node);
            }
        }
    }

    /// The numbers and the best move of a position in the table, if no other move shares its packed value.
    pub(super) fn stored_move(&self, position: &P) -> Option<(ProofNumbers, P::Move)> {
        let &ProofEntry { numbers, packed_move, .. } = self.table.get(position.proof_key())?;
        let moves = game::legal_moves(position);
        let mut matching = moves.into_iter().filter(|mv| mv.packed() == packed_move);
        let mv = matching.next()?;
        matching.next().is_none().then_some((numbers, mv))
    }

    pub(super) fn must_stop(&self, limits: &ProofLimits) -> bool {
        self.expansions >= limits.expansions
            || self.expansions.is_multiple_of(CHECK_EVERY) && (limits.stop)(self.expansions)
    }

    /// Computes the numbers of a node from those of its children.
    fn summary(&self, node: &PathNode<P>) -> NodeSummary {
        let mut summary =
            NodeSummary { phi: INFINITE, delta: 0, best: node.first, second: INFINITE };
        let mut best_phi = INFINITE;
        for (i, child) in self.children.iter().enumerate().skip(node.first) {
            let ProofNumbers { phi, delta, .. } = child.numbers;
            // Sums must not reach `INFINITE`, which marks a solved number.
            summary.delta = summary.delta.saturating_add(phi).min(INFINITE - 1);
            if (delta, phi) < (summary.phi, best_phi) {
                (summary.second, summary.best) = (summary.phi, i);
                (summary.phi, best_phi) = (delta, phi);
            } else {
                summary.second = summary.second.min(delta);
            }
        }
        if summary.phi == 0 {
            summary.delta = INFINITE;
        } else if summary.phi == INFINITE {
            summary.delta = 0;
        }
        summary
    }

    /// Moves to the best child, with limits that end its search once another child is better.
    fn descend(&mut self, node: &NodeSummary) {
        let Some(parent) = self.path.last_mut() else { return };
        parent.chosen = node.best;
        let Child { mv, numbers } = &self.children[node.best];
        let next = parent.position.play(*mv);
        let others = node.delta - numbers.phi.min(node.delta);
        let phi_limit = match parent.delta_limit {
            INFINITE => INFINITE,
            limit => limit.saturating_sub(others),
        };
        let switch_limit = node.second.saturating_add(node.second / 4).saturating_add(1);
        let delta_limit = parent.phi_limit.min(switch_limit);
        let id = parent.id.child(&next);
        // A transposition may have been stored since the child was generated.
        let numbers = self.table.probe_node(next.side() == self.prover, &id);
        if let Some(numbers) = numbers.filter(|n| n.phi >= phi_limit || n.delta >= delta_limit) {
            self.children[node.best].numbers = numbers;
            return;
        }
        let mut moves = MoveList::new();
        next.moves(&mut moves);
        self.expand(&next, id, [phi_limit, delta_limit], &moves);
    }

    /// Appends a position to the path and generates its children.
    fn expand(&mut self, position: &P, id: NodeId, limits: [u32; 2], moves: &MoveList<P::Move>) {
        let first = self.children.len();
        let provers_turn = position.side() == self.prover;
        self.path.push(PathNode {
            position: *position,
            id,
            phi_limit: limits[0],
            delta_limit: limits[1],
            first,
            chosen: first,
            expansions: self.expansions,
        });
        self.expansions += 1;
        for &mv in moves {
            let next = position.play(mv);
            let numbers = self.initial_numbers(&next, &id.child(&next));
            self.children.push(Child { mv, numbers });
            if numbers.delta == 0 && (provers_turn || numbers.plies_or_index == PATH_INDEPENDENT) {
                // This child decides the node, so the others are dropped.
                self.children.drain(first..self.children.len() - 1);
                break;
            }
        }
    }

    /// The initial numbers of a child of the last node of the path.
    fn initial_numbers(&self, next: &P, id: &NodeId) -> ProofNumbers {
        let provers_turn = next.side() == self.prover;
        // At the limit, no later test finds that there are no moves.
        let is_last = id.plies_left == Some(0);
        let outcome = if is_last { game::outcome(next) } else { next.outcome() };
        if let Some(outcome) = outcome {
            return self.final_numbers(outcome, provers_turn);
        }
        let is_held = provers_turn && self.is_held(next);
        if is_held || is_last || self.draws_by_repetition(next) {
            return ProofNumbers::disproved(provers_turn, PATH_INDEPENDENT);
        }
        if id.plies_left.is_none() {
            if let Some(depends_on) = self.repetition_index(next) {
                return ProofNumbers::disproved(provers_turn, depends_on);
            }
            if self.path.len() >= MAX_PATH {
                return ProofNumbers::disproved(provers_turn, TOO_DEEP);
            }
        }
        match self.tables.as_ref().and_then(|tables| tables.can_win(next, self.prover)) {
            Some(true) => return ProofNumbers::proved(provers_turn, 0),
            Some(false) => return ProofNumbers::disproved(provers_turn, PATH_INDEPENDENT),
            None => {}
        }
        if let Some(numbers) = self.table.probe_node(provers_turn, id) {
            return numbers;
        }
        if next.winning_move().is_some() {
            return if provers_turn {
                ProofNumbers::proved(true, 1)
            } else {
                ProofNumbers::disproved(false, PATH_INDEPENDENT)
            };
        }
        match next.count_and_evaluate() {
            (0, _) => self.final_numbers(next.no_moves_outcome(), provers_turn),
            (moves, evaluation) => {
                let spread = P::CALIBRATION.handcrafted.spread;
                ProofNumbers {
                    phi: 1,
                    delta: initial_disproof_number(moves, evaluation, spread),
                    plies_or_index: 0,
                }
            }
        }
    }

    /// Whether the occurrence of a position in a search draws the game.
    pub(super) fn draws_by_repetition(&self, position: &P) -> bool {
        self.drawn_if_repeated.contains(&position.key())
    }

    /// The numbers of a position in which the game is over.
    fn final_numbers(&self, outcome: Outcome, provers_turn: bool) -> ProofNumbers {
        if outcome.winner == Some(self.prover) {
            ProofNumbers::proved(provers_turn, 0)
        } else {
            ProofNumbers::disproved(provers_turn, PATH_INDEPENDENT)
        }
    }

    /// The index in the path, from 1, of an earlier occurrence of the position with the same side to
    /// move.
    fn repetition_index(&self, next: &P) -> Option<u32> {
        let earlier = self.path.iter().rev().map(|node| node.position.key());
        let plies = occurrences_of(next, earlier).find(|plies| plies.is_multiple_of(2))?;
        Some((self.path.len() - plies) as u32 + 1)
    }

    /// Removes the last node from the path, stores its numbers in the table and returns them with
    /// the best move.
    fn leave(&mut self, node: &NodeSummary) -> (ProofNumbers, Option<P::Move>) {
        let Some(PathNode { position, id, first, expansions, .. }) = self.path.pop() else {
            return (ProofNumbers::disproved(true, TOO_DEEP), None);
        };
        let provers_turn = position.side() == self.prover;
        let children = &self.children[first..];
        let mut best = self.children.get(node.best).map(|child| child.mv);
        let mut numbers = ProofNumbers { phi: node.phi, delta: node.delta, plies_or_index: 0 };
        let details = children.iter().map(|child| child.numbers.plies_or_index);
        if numbers.phi == 0 {
            // The shortest win, or the disproof that depends least on the path.
            let winning = children.iter().filter(|child| child.numbers.delta == 0);
            let rank = |child: &&Child<P::Move>| match (provers_turn, child.numbers.plies_or_index)
            {
                (true, plies) => plies,
                (false, depends_on) => PATH_INDEPENDENT - depends_on,
            };
            if let Some(child) = winning.min_by_key(rank) {
                best = Some(child.mv);
                numbers.plies_or_index = child.numbers.plies_or_index + u32::from(provers_turn);
            }
        } else if numbers.delta == 0 {
            numbers.plies_or_index = if provers_turn {
                details.min().unwrap_or(PATH_INDEPENDENT)
            } else {
                details.max().unwrap_or(0) + 1
            };
        }
        if numbers.is_disproved(provers_turn) && numbers.plies_or_index as usize > self.path.len() {
            // The disproof depends only on this position and those after it, not on the path.
            numbers.plies_or_index = PATH_INDEPENDENT;
        }
        let packed_move = best.map_or(0, Move::packed);
        let entry = ProofEntry::new(numbers, packed_move, self.expansions - expansions);
        self.table.store_node(&id, provers_turn, entry);
        self.children.truncate(first);
        (numbers, best)
    }
}
