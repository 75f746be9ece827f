//! Announced results of a search, and whether they are true.

use crate::solver::ExhaustiveSolver;
use soucie::game::{Heuristics, Tablebase, TablebaseValue, drawn_if_repeated};
use soucie::search::proof::{ProofLimits, ProofResult, ProofSolver};
use soucie::search::{Bound, PvLine};

/// A result that a search announces for the side to move at the root, after a root move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim<M> {
    pub mv: M,
    pub is_win: bool,
    /// The plies to the end of the game, at most; `None` if the length is unknown.
    pub plies: Option<u32>,
}

impl<M: Copy> Claim<M> {
    /// The claim of a line, if it makes one. A bound claims a win only from below, and a loss only
    /// from above.
    pub fn of(line: &PvLine<M>) -> Option<Self> {
        let is_win = line.score.is_won();
        let excluding = if is_win { Bound::Upper } else { Bound::Lower };
        let is_claim = line.score.is_decided() && line.bound != excluding;
        let plies = line.score.plies_to_end().map(|plies| plies as u32);
        is_claim.then_some(Self { mv: line.pv[0], is_win, plies })
    }

    /// Whether another claim about the same move follows from this one.
    fn includes(&self, other: &Self) -> bool {
        let length = |claim: &Self| claim.plies.unwrap_or(u32::MAX);
        self.is_win == other.is_win && length(self) <= length(other)
    }
}

/// What shows that a claim is true or false.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Witness {
    /// Distances in endgame tables, which other tests compare with retrograde analysis.
    Tables,
    /// [`ExhaustiveSolver`].
    Solver,
    /// [`ProofSolver`].
    Proof,
}

/// The limits of the solvers.
#[derive(Clone, Copy)]
pub struct JudgeLimits {
    pub nodes: u64,
    pub expansions: u64,
}

/// A position in a game, whose claims are checked.
pub struct Judge<'a, P: Heuristics> {
    pub root: P,
    pub earlier: &'a [P],
    pub tablebase: Option<&'a dyn Tablebase<P>>,
    pub limits: JudgeLimits,
}

impl<P: Heuristics> Judge<'_, P> {
    /// Whether a claim is true, and what shows it; `None` if nothing does within the limits.
    pub fn verdict(&self, claim: &Claim<P::Move>) -> Option<(Witness, bool)> {
        let by_tables = || Some((Witness::Tables, self.by_tables(claim)?));
        let by_solver = || Some((Witness::Solver, self.by_solver(claim)?));
        let by_proof = || Some((Witness::Proof, self.by_proof(claim)?));
        by_tables().or_else(by_solver).or_else(by_proof)
    }

    /// Tables ignore the game before the position.
    fn by_tables(&self, claim: &Claim<P::Move>) -> Option<bool> {
        let next = self.root.play(claim.mv);
        let is_over = soucie::game::outcome(&next).is_some();
        let tablebase =
            self.tablebase.filter(|_| !is_over && self.drawn_if_repeated().is_empty())?;
        let (is_kind, length) = match tablebase.value(&next)? {
            TablebaseValue::Lost(length) => (claim.is_win, length),
            TablebaseValue::Won(length) => (!claim.is_win, length),
            TablebaseValue::Drawn => (false, None),
        };
        match (claim.plies, length) {
            _ if !is_kind => Some(false),
            (None, _) => Some(true),
            (Some(plies), Some(length)) => Some(u32::from(length) < plies),
            (Some(_), None) => None,
        }
    }

    fn by_solver(&self, claim: &Claim<P::Move>) -> Option<bool> {
        let winner = if claim.is_win { self.root.side() } else { !self.root.side() };
        let mut solver =
            ExhaustiveSolver::new(winner, self.limits.nodes).after(&self.root, self.earlier);
        let next = self.root.play(claim.mv);
        let left = claim.plies?.checked_sub(1)?;
        if left == 0 {
            return solver.wins(&next, 0);
        }
        match solver.shortest(&next, left) {
            (Some(_), _) => Some(true),
            (None, searched) => (searched == left).then_some(false),
        }
    }

    fn by_proof(&self, claim: &Claim<P::Move>) -> Option<bool> {
        let next = self.root.play(claim.mv);
        let plies = claim.plies?;
        let (root, earlier, moves, plies) = if claim.is_win {
            (self.root, self.earlier.to_vec(), &[claim.mv][..], plies)
        } else {
            (next, [self.earlier, &[self.root]].concat(), &[][..], plies.checked_sub(1)?)
        };
        let mut solver = ProofSolver::new(root.side(), 16).unwrap();
        solver.set_game(&root, &earlier);
        let limits = ProofLimits { expansions: self.limits.expansions, stop: &|_| false };
        match solver.solve(&root, moves, Some(plies), &limits) {
            ProofResult::Proved { .. } => Some(true),
            ProofResult::Disproved => Some(false),
            ProofResult::Open => None,
        }
    }

    fn drawn_if_repeated(&self) -> Vec<P> {
        drawn_if_repeated(&self.root, self.earlier)
    }
}

/// The claims of one search, to find those that it loses.
pub struct ClaimHistory<M> {
    /// The claims by root move.
    of_moves: Vec<Claim<M>>,
    /// The win that a first line claimed.
    win: Option<Claim<M>>,
}

impl<M: Copy + PartialEq> ClaimHistory<M> {
    pub fn new() -> Self {
        Self { of_moves: Vec::new(), win: None }
    }

    /// Adds a line. Returns its claim if it is a new one, or the earlier claim that it loses.
    pub fn add(&mut self, line: &PvLine<M>) -> Result<Option<Claim<M>>, Claim<M>> {
        let claim = Claim::of(line);
        let earlier = self.of_moves.iter_mut().find(|earlier| earlier.mv == line.pv[0]);
        let lost = earlier
            .as_deref()
            .copied()
            .filter(|earlier| claim.is_none_or(|claim| !claim.includes(earlier)));
        if let Some(lost) = lost {
            return Err(lost);
        }
        if line.multipv == 1 {
            let is_worse = |win: &Claim<M>| {
                claim.is_none_or(|claim| !Claim { mv: win.mv, ..claim }.includes(win))
            };
            if let Some(lost) = self.win.filter(is_worse) {
                return Err(lost);
            }
            self.win = claim.filter(|claim| claim.is_win).or(self.win);
        }
        let is_new = claim.filter(|claim| earlier.as_deref() != Some(claim));
        match (earlier, claim) {
            (Some(earlier), Some(claim)) => *earlier = claim,
            (None, Some(claim)) => self.of_moves.push(claim),
            (_, None) => {}
        }
        Ok(is_new)
    }
}
