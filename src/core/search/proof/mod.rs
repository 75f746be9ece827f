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

mod defence;
mod numbers;
mod solver;
mod strategy;
mod table;

pub use defence::Defence;
pub use solver::{ProofLimits, ProofResult, ProofSolver};
pub use strategy::{NoStrategy, ProofAnswer, Strategy};
