//! The attempt to prove a win of the side to move.

use std::num::NonZeroU64;

use super::prepare::QueryDetails;
use super::reply::ProofReply;
use crate::engine::session::rules_from;
use crate::game::{Game, GameHistory, Variant, exhausted_positions};
use crate::games::{self, GameVisitor};
use crate::search::OutOfMemory;
use crate::search::proof::{ProofLimits, ProofResult, ProofSolver};

/// Tries to prove a win in the position of a query after `turn` moves. `None` if the game is over.
/// The attempt ends early when `is_stopped` returns true.
pub fn prove(
    details: &QueryDetails,
    turn: usize,
    expansions: NonZeroU64,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Option<ProofReply>, OutOfMemory> {
    let attempt = Attempt { details, turn, expansions, is_stopped };
    games::open(details.options.variant, attempt).unwrap_or(Ok(None))
}

struct Attempt<'a> {
    details: &'a QueryDetails,
    turn: usize,
    expansions: NonZeroU64,
    is_stopped: &'a dyn Fn() -> bool,
}

impl GameVisitor for Attempt<'_> {
    type Output = Result<Option<ProofReply>, OutOfMemory>;

    fn visit<P: Game>(self, variant: &'static Variant) -> Self::Output {
        let Self { details, turn, expansions, is_stopped } = self;
        let Some(game) = replay::<P>(details, turn, variant) else { return Ok(None) };
        if game.outcome().is_some() {
            return Ok(None);
        }
        let root = game.position();
        let solver = ProofSolver::new(root.side(), details.options.hash)?;
        let mut solver = solver.with_exhausted(&exhausted_positions(root, game.earlier()));
        let stop = |_| is_stopped();
        let limits = ProofLimits { expansions: expansions.get(), stop: &stop };
        let root_moves = details.root_moves.iter().filter_map(|mv| root.read_move(mv).ok());
        let root_moves: Vec<_> = root_moves.collect();
        let (result, best) = match solver.solve(root, &root_moves, None, &limits) {
            ProofResult::Proved { mv, plies } => ("proved", Some((mv, plies))),
            ProofResult::Disproved => ("disproved", None),
            ProofResult::Open => ("open", None),
        };
        Ok(Some(ProofReply {
            result,
            mv: best.map(|(mv, _)| root.write_move(mv, details.options.move_format)),
            plies: best.map(|(_, plies)| plies),
            expansions: solver.expansions(),
        }))
    }
}

/// The game of a query, which was played before; `None` if it cannot be played.
fn replay<P: Game>(
    details: &QueryDetails,
    turn: usize,
    variant: &Variant,
) -> Option<GameHistory<P>> {
    let rules: P::Rules = rules_from(&|rule| details.options.rule(rule));
    let setup = details.setup.as_deref().unwrap_or(variant.start);
    let mut game = GameHistory::new(P::read_setup(setup, rules).ok()?);
    for mv in details.moves.iter().take(turn) {
        game.play(game.position().read_move(mv).ok()?);
    }
    Some(game)
}
