//! Proof-number search: decides whether one side can force a win.
//!
//! The algorithm is depth-first proof-number search (A. Nagai, "Df-pn Algorithm for Searching
//! AND/OR Trees and Its Applications", 2002). Its thresholds leave some room so that the search
//! does not alternate between equal moves (J. Pawlewicz and L. Lew, "Improving Depth-First
//! PN-Search: 1+ε Trick", 2006). A node has two numbers, relative to the side to move. `phi`
//! estimates the work to prove that the side to move reaches its goal, `delta` the work to prove
//! that it does not. The prover's goal is a win, the other side's goal is to prevent it. So `phi`
//! is the minimum `delta` of the children, and `delta` the sum of their `phi`.
//!
//! A position that repeats one on the path from the root counts as no win: a side that can force a
//! win can force it without a repetition. Such a disproof may depend on the path, so a table that
//! ignores the path would return wrong results (A. Kishimoto and M. Müller, "A General Solution to
//! the Graph History Interaction Problem", 2004). Proofs do not depend on the path: they rest on
//! earlier proofs, never on a repetition. Each disproof therefore records the first position of the
//! path on which it depends. If that position precedes the disproved one, the disproof holds for
//! this path only and is stored under a key that includes the path. The parent also keeps it, as
//! otherwise it would search the same move again without end.
//!
//! With a limit on the plies no result depends on the path, because a position with fewer plies
//! left is a different node.

mod strategy;
mod table;
mod value;

pub use strategy::{Answer, Strategy};

use super::OutOfMemory;
use crate::game::{Move, MoveList, Outcome, Position, Side, legal_moves, mix};
use table::{Entry, Table};
use value::{FREE, INFINITE, NO_END, Value, resistance};

/// The maximum length of the path. Positions beyond it are neither proved nor disproved.
const DEEPEST: usize = 4_000;

/// The number of expansions between calls of the stop function.
const ASK_EVERY: u64 = 64;

/// XORed into the key of a root whose search is restricted to some of the moves.
const SOME_MOVES: u64 = 0x7c15_9e37_a5a5_79b9;

/// The limits of a search.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
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
        /// The winning move.
        key: M,
        /// An upper bound on the plies to the end of the game.
        plies: u32,
    },
    /// The side to move cannot force a win.
    Disproved,
    /// The search ended without a result.
    Open,
}

/// A move and the value of the position after it.
struct Child<M> {
    mv: M,
    value: Value,
}

/// The identity of a node: position, path and plies left.
struct Place {
    /// The proof key of the position.
    id: u64,
    /// The hash of the path to the node.
    way: u64,
    /// The plies left, if they are limited.
    left: Option<u32>,
}

/// A position on the path from the root.
struct Frame<P> {
    position: P,
    place: Place,
    /// The search returns to the parent when `phi` or `delta` reaches its limit.
    phi_limit: u32,
    delta_limit: u32,
    /// The index of the first child; the children end where those of the next frame begin.
    first: usize,
    /// The index of the child being searched.
    chosen: usize,
    /// The number of expansions before this frame was entered.
    expansions: u64,
}

/// The numbers of a node, computed from its children.
struct Summary {
    phi: u32,
    delta: u32,
    /// The index of the child to search next.
    best: usize,
    /// The minimum `delta` of the other children.
    second: u32,
}

/// A proof-number solver for wins of one side, with its table.
pub struct Solver<P: Position> {
    prover: Side,
    table: Table,
    /// The keys of positions whose next occurrence draws the game.
    spent: Vec<u64>,
    frames: Vec<Frame<P>>,
    /// The children of all frames.
    children: Vec<Child<P::Move>>,
    expansions: u64,
}

impl<P: Position> Solver<P> {
    /// A solver for wins of `prover` with a table of `mib` MiB.
    pub fn new(prover: Side, mib: usize) -> Result<Self, OutOfMemory> {
        Ok(Self {
            prover,
            table: Table::new(mib)?,
            spent: Vec::new(),
            frames: Vec::new(),
            children: Vec::new(),
            expansions: 0,
        })
    }

    /// Sets the keys of the positions whose next occurrence draws the game. Call it before the
    /// first search.
    #[must_use]
    pub fn without(mut self, spent: Vec<u64>) -> Self {
        self.spent = spent;
        self
    }

    /// The number of expansions (move generations) so far.
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Searches whether the prover, who must be to move, can force a win.
    ///
    /// If `among` is not empty, the win must begin with one of these moves; `plies` limits its
    /// length. The game must not be over at the root.
    pub fn solve(
        &mut self,
        root: &P,
        among: &[P::Move],
        plies: Option<u32>,
        effort: &Effort,
    ) -> ProofResult<P::Move> {
        if plies == Some(0) {
            return ProofResult::Disproved;
        }
        if self.must_stop(effort) {
            return ProofResult::Open;
        }
        self.frames.clear();
        self.children.clear();
        let id = root.proof_key() ^ if among.is_empty() { 0 } else { SOME_MOVES };
        let moves = legal_moves(root).into_iter();
        let moves = moves.filter(|mv| among.is_empty() || among.contains(mv)).collect();
        self.expand(root, Place { id, way: 0, left: plies }, [INFINITE; 2], &moves);
        loop {
            let Some(frame) = self.frames.last() else { return ProofResult::Open };
            let node = self.summary(frame);
            if node.phi >= frame.phi_limit || node.delta >= frame.delta_limit {
                let (value, mv) = self.close(&node);
                let Some(parent) = self.frames.last() else { return outcome(value, mv) };
                self.children[parent.chosen].value = value;
            } else if self.must_stop(effort) {
                return ProofResult::Open;
            } else {
                self.descend(&node);
            }
        }
    }

    fn must_stop(&self, effort: &Effort) -> bool {
        self.expansions >= effort.expansions
            || self.expansions.is_multiple_of(ASK_EVERY) && (effort.stop)(self.expansions)
    }

    fn summary(&self, frame: &Frame<P>) -> Summary {
        let mut node = Summary { phi: INFINITE, delta: 0, best: frame.first, second: INFINITE };
        let mut least = INFINITE;
        for (i, child) in self.children.iter().enumerate().skip(frame.first) {
            let Value { phi, delta, .. } = child.value;
            // Sums must not reach `INFINITE`, which marks a solved number.
            node.delta = node.delta.saturating_add(phi).min(INFINITE - 1);
            if (delta, phi) < (node.phi, least) {
                (node.second, node.best) = (node.phi, i);
                (node.phi, least) = (delta, phi);
            } else {
                node.second = node.second.min(delta);
            }
        }
        if node.phi == 0 {
            node.delta = INFINITE;
        } else if node.phi == INFINITE {
            node.delta = 0;
        }
        node
    }

    /// Moves to the best child, with limits that end its search once another child is better.
    fn descend(&mut self, node: &Summary) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.chosen = node.best;
        let Child { mv, value } = &self.children[node.best];
        let next = frame.position.play(*mv);
        let others = node.delta - value.phi.min(node.delta);
        let phi_limit = match frame.delta_limit {
            INFINITE => INFINITE,
            limit => limit.saturating_sub(others),
        };
        let room = node.second.saturating_add(node.second / 4).saturating_add(1);
        let delta_limit = frame.phi_limit.min(room);
        let place = Place {
            id: next.proof_key(),
            way: way_on(&frame.place),
            left: frame.place.left.map(|left| left.saturating_sub(1)),
        };
        // A transposition may have been stored since the child was generated.
        let known = self.known(next.side() == self.prover, &place);
        if let Some(known) = known.filter(|v| v.phi >= phi_limit || v.delta >= delta_limit) {
            self.children[node.best].value = known;
            return;
        }
        let mut moves = MoveList::new();
        next.moves(&mut moves);
        self.expand(&next, place, [phi_limit, delta_limit], &moves);
    }

    /// Appends a position to the path and generates its children.
    fn expand(&mut self, position: &P, place: Place, limits: [u32; 2], moves: &MoveList<P::Move>) {
        let first = self.children.len();
        let way = way_on(&place);
        let left = place.left.map(|left| left.saturating_sub(1));
        let provers_turn = position.side() == self.prover;
        self.frames.push(Frame {
            position: *position,
            place,
            phi_limit: limits[0],
            delta_limit: limits[1],
            first,
            chosen: first,
            expansions: self.expansions,
        });
        self.expansions += 1;
        for &mv in moves {
            let value = self.look(&position.play(mv), way, left);
            self.children.push(Child { mv, value });
            if value.delta == 0 && (provers_turn || value.note == FREE) {
                // This child decides the node, so the others are dropped.
                self.children.drain(first..self.children.len() - 1);
                break;
            }
        }
    }

    /// The initial value of a child of the last position on the path.
    fn look(&self, next: &P, way: u64, left: Option<u32>) -> Value {
        let provers_turn = next.side() == self.prover;
        if let Some(ending) = next.outcome() {
            return self.ended(ending, provers_turn);
        }
        if left == Some(0) || self.spent.contains(&next.key()) {
            return Value::disproved(provers_turn, FREE);
        }
        if left.is_none() {
            if let Some(rests_on) = self.repeated(next) {
                return Value::disproved(provers_turn, rests_on);
            }
            if self.frames.len() >= DEEPEST {
                return Value::disproved(provers_turn, NO_END);
            }
        }
        if let Some(known) = self.known(provers_turn, &Place { id: next.proof_key(), way, left }) {
            return known;
        }
        if next.winning_move().is_some() {
            return if provers_turn {
                Value::proved(true, 1)
            } else {
                Value::disproved(false, FREE)
            };
        }
        match next.count_and_evaluate() {
            (0, _) => self.ended(next.no_moves_outcome(), provers_turn),
            (moves, evaluation) => {
                let spread = P::CALIBRATION.handcrafted.spread;
                Value { phi: 1, delta: resistance(moves, evaluation, spread), note: 0 }
            }
        }
    }

    fn ended(&self, ending: Outcome, provers_turn: bool) -> Value {
        if ending.winner == Some(self.prover) {
            Value::proved(provers_turn, 0)
        } else {
            Value::disproved(provers_turn, FREE)
        }
    }

    /// The index in the path, from 1, of an earlier occurrence of the position.
    fn repeated(&self, next: &P) -> Option<u32> {
        let key = next.key();
        let earliest = self.frames.len().saturating_sub(next.reversible_plies());
        // The same side is to move only an even number of plies ago.
        let first = earliest + (self.frames.len() - earliest) % 2;
        let mut ways = self.frames.iter().enumerate().skip(first).step_by(2);
        let found = ways.find(|(_, frame)| frame.position.key() == key)?;
        Some(found.0 as u32 + 1)
    }

    /// The value of a node in the table.
    #[inline]
    fn known(&self, provers_turn: bool, place: &Place) -> Option<Value> {
        let entry = self.table.get(place.id);
        let Some(left) = place.left else {
            let entry = entry?;
            if entry.elsewhere != 0
                && !entry.value.is_solved()
                && let Some(here) = self.table.get(place.id ^ place.way)
            {
                return Some(here.value);
            }
            return Some(entry.value);
        };
        // A short enough proof and any disproof also hold with limited plies.
        if let Some(Entry { value, .. }) = entry
            && (value.is_disproved(provers_turn)
                || value.is_proved(provers_turn) && value.note <= left)
        {
            return Some(*value);
        }
        self.table.get(place.id ^ bounded(left)).map(|entry| entry.value)
    }

    /// Removes the last position from the path, stores its value in the table and returns the value
    /// with the best move.
    fn close(&mut self, node: &Summary) -> (Value, Option<P::Move>) {
        let Some(Frame { position, place, first, expansions, .. }) = self.frames.pop() else {
            return (Value::disproved(true, NO_END), None);
        };
        let provers_turn = position.side() == self.prover;
        let children = &self.children[first..];
        let mut best = self.children.get(node.best).map(|child| child.mv);
        let mut value = Value { phi: node.phi, delta: node.delta, note: 0 };
        let notes = children.iter().map(|child| child.value.note);
        if value.phi == 0 {
            // The shortest win, or the disproof that depends least on the path.
            let winning = children.iter().filter(|child| child.value.delta == 0);
            let rank = |child: &&Child<P::Move>| match (provers_turn, child.value.note) {
                (true, plies) => plies,
                (false, rests_on) => FREE - rests_on,
            };
            if let Some(child) = winning.min_by_key(rank) {
                best = Some(child.mv);
                value.note = child.value.note + u32::from(provers_turn);
            }
        } else if value.delta == 0 {
            value.note = if provers_turn {
                notes.min().unwrap_or(FREE)
            } else {
                notes.max().unwrap_or(0) + 1
            };
        }
        if value.is_disproved(provers_turn) && value.note as usize > self.frames.len() {
            // The disproof depends only on this position and those after it, not on the path.
            value.note = FREE;
        }
        let tag = best.map_or(0, Move::packed);
        let entry = Entry::new(value, tag, self.expansions - expansions);
        self.remember(&place, provers_turn, entry);
        self.children.truncate(first);
        (value, best)
    }

    fn remember(&mut self, place: &Place, provers_turn: bool, mut entry: Entry) {
        let old = self.table.get(place.id).copied();
        let proof = old.filter(|old| old.value.is_proved(provers_turn));
        if entry.value.is_proved(provers_turn) {
            if proof.is_none_or(|proof| entry.value.note < proof.value.note) {
                self.table.put(place.id, entry);
            }
        } else if let Some(left) = place.left {
            self.table.put(place.id ^ bounded(left), entry);
        } else if entry.value.is_solved() && entry.value.note != FREE {
            self.table.put(place.id ^ place.way, entry);
            if proof.is_some() {
                return;
            }
            // On another path the position may be won, but this is less likely now.
            let mut hint = old.map_or(Value { phi: 1, delta: 1, note: 0 }, |old| old.value);
            let number = if provers_turn { &mut hint.phi } else { &mut hint.delta };
            *number = number.saturating_mul(2).min(INFINITE - 1);
            entry.value = hint;
            entry.elsewhere = 1;
            self.table.put(place.id, entry);
        } else if proof.is_none() {
            entry.elsewhere = old.map_or(0, |old| old.elsewhere);
            self.table.put(place.id, entry);
        }
    }
}

fn outcome<M>(root: Value, mv: Option<M>) -> ProofResult<M> {
    match mv {
        Some(key) if root.is_proved(true) => ProofResult::Proved { key, plies: root.note },
        _ if root.is_disproved(true) && root.note != NO_END => ProofResult::Disproved,
        _ => ProofResult::Open,
    }
}

/// The path hash of the children of a node.
fn way_on(place: &Place) -> u64 {
    if place.left.is_some() { 0 } else { mix(place.way ^ place.id) }
}

/// The key of a number of plies left.
fn bounded(left: u32) -> u64 {
    mix(u64::from(left) + 1)
}
