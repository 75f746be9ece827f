//! Proves or disproves that the side to move can force a win.

use super::file::{Proof, win};
use super::{Certifier, ProofError};
use crate::engine::{EngineError, read_setup};
use crate::files::printable::plural;
use crate::game::{Game, GameHistory, MoveFormat, Variant, outcome};
use crate::games::Tablebases;
use crate::options::Options;
use crate::search::proof::{NoStrategy, ProofLimits, ProofResult, ProofSolver};
use crate::with_game;

/// What to prove, and how much may be spent on it.
pub struct ProofRequest<'a> {
    pub options: &'a Options,
    /// The setup; `None` for the start position.
    pub setup: Option<&'a str>,
    /// The endgame tables at which lines may end.
    pub tables: &'a Tablebases,
    /// The size of the table of the search in MiB.
    pub hash: usize,
    pub nodes: u64,
    /// Whether the proof that there is no win is wanted. That of a win is always made.
    pub wants_disproof: bool,
    /// Is told the number of expansions regularly, and returns whether to stop.
    pub stop: &'a dyn Fn(u64) -> bool,
}

/// How an attempt to prove a win ends, in words and with the proof itself.
pub struct ProofOutcome {
    /// The result in words. It is open if the limit was reached or the attempt was stopped.
    pub text: String,
    /// The proof of the result, or why it is not to be had. `None` if nothing is proved.
    pub proof: Option<Result<Proof, ProofError>>,
}

/// Tries to prove or to disprove that the side to move can force a win.
pub fn prove(request: &ProofRequest) -> Result<ProofOutcome, ProofError> {
    let variant = request.options.variant;
    let unknown = || EngineError::Variant(variant.to_string());
    with_game!(variant, |P, variant| prove_game::<P>(request, variant)).ok_or_else(unknown)?
}

fn prove_game<P: Game>(
    request: &ProofRequest,
    variant: &'static Variant,
) -> Result<ProofOutcome, ProofError> {
    let &ProofRequest { options, tables, nodes, stop, .. } = request;
    let start: P = read_setup(request.setup.unwrap_or(variant.start), options)?;
    if let Some(end) = outcome(&start) {
        return Err(ProofError::Other(format!("the game is over: {end}")));
    }
    let limits = ProofLimits { expansions: nodes, stop };
    let solver = ProofSolver::new(start.side(), request.hash)?;
    let mut solver = solver.with_tables(tables.of::<P>());
    solver.set_game(&start, &[]);
    let result = solver.solve(&start, &[], None, &limits);
    // Positions whose table entries were overwritten must be expanded again.
    let expansions = nodes.saturating_add(solver.expansions());
    let limits = ProofLimits { expansions, stop };
    let certifier = Certifier { variant, options, tables };
    let expanded_so_far = expanded(solver.expansions());
    let (text, proof) = match result {
        ProofResult::Proved { mv, plies } => {
            let (text, proof) = proved(&certifier, &start, &mut solver, (mv, plies), &limits);
            (text, Some(proof))
        }
        ProofResult::Disproved => {
            let text = format!("disproved: {} cannot force a win, {expanded_so_far}", start.side());
            let proof = || disproof(&certifier, &start, &mut solver, &limits);
            (text, request.wants_disproof.then(proof))
        }
        ProofResult::Open => (format!("open after {expanded_so_far}"), None),
    };
    Ok(ProofOutcome { text, proof })
}

/// The win in words, and its proof or why there is none. The win is proved in either case.
fn proved<P: Game>(
    certifier: &Certifier,
    start: &P,
    solver: &mut ProofSolver<P>,
    (mv, plies): (P::Move, u32),
    limits: &ProofLimits,
) -> (String, Result<Proof, ProofError>) {
    let strategy = solver.strategy(start, &[], (mv, plies), limits).map_err(not_written);
    let proof = strategy.and_then(|strategy| certifier.win(&GameHistory::new(*start), &strategy));
    let win = match &proof {
        Ok(proof) => proof.claimed(),
        Err(_) => {
            let has_tables = certifier.tables.own_pieces() > 0;
            format!("{} {}", win(has_tables), plural(plies, "ply", "plies"))
        }
    };
    let key = start.write_move(mv, MoveFormat::Coordinate);
    (format!("proved: {win}, key {key}, {}", expanded(solver.expansions())), proof)
}

/// The proof that the side to move cannot force a win.
fn disproof<P: Game>(
    certifier: &Certifier,
    start: &P,
    solver: &mut ProofSolver<P>,
    limits: &ProofLimits,
) -> Result<Proof, ProofError> {
    let defence = solver.defence(start, &[], limits);
    let defence = defence.ok_or_else(|| not_written(NoStrategy::Limits))?;
    let has_counters = start.move_counters().iter().any(Option::is_some);
    let proof = certifier.no_win(&GameHistory::new(*start), start.side(), None, &defence);
    proof.map_err(|fault| match has_counters {
        true => not_written(NoStrategy::Counters),
        false => fault,
    })
}

fn expanded(expansions: u64) -> String {
    plural(expansions, "expansion", "expansions")
}

fn not_written(why: NoStrategy) -> ProofError {
    let why = match why {
        NoStrategy::Limits => "raise --nodes or --hash",
        // The file format has one answer for each position.
        NoStrategy::Counters => "a position needs different moves with different move counters",
    };
    ProofError::Other(format!("proof not written: {why}"))
}
