//! Proof-number search: can one side force a win? What it answers is settled for good.
//!
//! It is the depth-first form (A. Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its
//! Applications", 2002) with thresholds that leave some room, so that it does not jump between
//! equal moves (J. Pawlewicz and L. Lew, "Improving Depth-First PN-Search: 1+ε Trick", 2006).
//! A node has two numbers, from the view of the side to move: `phi`, how much is left to show that
//! it reaches its aim, and `delta`, how much to show that it does not. The prover's aim is to win;
//! the other side's, anything else. So `phi` is the least `delta` of the positions after a move,
//! and `delta` the sum of their `phi`.
//!
//! A position that comes again on the way from the root is no win: who can force one can force it
//! without going in circles. Results found so may depend on the way, and a table that forgets it
//! would lie (A. Kishimoto and M. Müller, "A General Solution to the Graph History Interaction
//! Problem", 2004). Not proofs: they rest on proofs that were there before, never on a circle.
//! Each disproof therefore knows the first position of the way on which it rests. If that
//! comes before its own, it holds for this way only and is remembered with it; the parent
//! keeps it too, or it would search the same move for ever.
//!
//! With a bound on the plies nothing depends on the way: a position with fewer plies left is
//! another one.

mod strategy;
mod table;
mod value;

pub use strategy::{Answer, Strategy};

use super::OutOfMemory;
use crate::game::{Move, MoveList, Outcome, Position, Side, legal_moves, mix};
use table::{Entry, Table};
use value::{FREE, INFINITE, NO_END, Value, resistance};

/// No longer way is walked: what lies beyond is neither proved nor disproved.
const DEEPEST: usize = 4_000;

/// The stop function is asked once in so many expansions.
const ASK_EVERY: u64 = 64;

/// Marks a root of which not all moves count.
const SOME_MOVES: u64 = 0x7c15_9e37_a5a5_79b9;

/// How much a search may do.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// The expansions that may have been made at the end, those of earlier searches included.
    pub expansions: u64,
    /// Asked now and then with the number of expansions: whether to stop.
    pub stop: &'a dyn Fn(u64) -> bool,
}

/// What is known of a position in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofResult<M> {
    /// The side to move can force a win.
    Proved {
        /// The move that does it.
        key: M,
        /// The plies until it is on the board, at most.
        plies: u32,
    },
    /// It cannot.
    Disproved,
    /// The search was ended before.
    Open,
}

/// A move, and what is known of the position after it.
struct Child<M> {
    mv: M,
    value: Value,
}

/// Where a search stands.
struct Place {
    /// The hash of all that a result depends on.
    id: u64,
    /// The hash of the way to it.
    way: u64,
    /// The plies left, where they are bounded.
    left: Option<u32>,
}

/// A position on the way from the root.
struct Frame<P> {
    position: P,
    place: Place,
    /// The search goes back from here once one of the numbers reaches its limit.
    phi_limit: u32,
    delta_limit: u32,
    /// Where its children begin; they end where those of the next frame begin.
    first: usize,
    /// The child that is looked at.
    chosen: usize,
    /// The expansions before it.
    expansions: u64,
}

/// What the children say of a node.
struct Summary {
    phi: u32,
    delta: u32,
    /// The child to look at.
    best: usize,
    /// The least `delta` of the other children.
    second: u32,
}

/// A search for wins of one side, with what it has learned.
pub struct Solver<P: Position> {
    prover: Side,
    table: Table,
    /// Positions that may not come again, since the game would be drawn.
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

    /// The positions whose next occurrence draws the game, by their keys. To be said before the
    /// first search.
    #[must_use]
    pub fn without(mut self, spent: Vec<u64>) -> Self {
        self.spent = spent;
        self
    }

    /// How often the moves of a position were generated so far.
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Whether the prover, whose turn it is, can force a win: with one of these moves, if there
    /// are any, and in so many plies, if they are bounded. The game must not be over.
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
            // Sums do not grow into the number of what is settled.
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

    /// Goes to the most promising child, with limits that end the visit once another one is.
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
        // Meanwhile it may have come about in another way.
        let known = self.known(next.side() == self.prover, &place);
        if let Some(known) = known.filter(|v| v.phi >= phi_limit || v.delta >= delta_limit) {
            self.children[node.best].value = known;
            return;
        }
        let mut moves = MoveList::new();
        next.moves(&mut moves);
        self.expand(&next, place, [phi_limit, delta_limit], &moves);
    }

    /// Puts a position on the way and looks at what comes after it.
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
                // Nothing else matters.
                self.children.drain(first..self.children.len() - 1);
                break;
            }
        }
    }

    /// What is known of a position that comes next on the way.
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

    /// The place on the way, from 1, of the same position.
    fn repeated(&self, next: &P) -> Option<u32> {
        let key = next.key();
        let earliest = self.frames.len().saturating_sub(next.reversible_plies());
        // The same side was to move an even number of plies ago.
        let first = earliest + (self.frames.len() - earliest) % 2;
        let mut ways = self.frames.iter().enumerate().skip(first).step_by(2);
        let found = ways.find(|(_, frame)| frame.position.key() == key)?;
        Some(found.0 as u32 + 1)
    }

    /// What the table knows of a position.
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
        // A proof that is short enough and any disproof hold for bounded plies too.
        if let Some(Entry { value, .. }) = entry
            && (value.is_disproved(provers_turn)
                || value.is_proved(provers_turn) && value.note <= left)
        {
            return Some(*value);
        }
        self.table.get(place.id ^ bounded(left)).map(|entry| entry.value)
    }

    /// Takes the last position off the way and remembers what was found of it: what it is worth,
    /// and the best move.
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
            // The shortest win, or the disproof that rests on least.
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
            // It rests on itself and what comes after it only.
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
            // Elsewhere it may be won, though it is less likely now.
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

/// The hash of the way that leads through a place.
fn way_on(place: &Place) -> u64 {
    if place.left.is_some() { 0 } else { mix(place.way ^ place.id) }
}

/// What tells a position with so many plies left from others.
fn bounded(left: u32) -> u64 {
    mix(u64::from(left) + 1)
}
