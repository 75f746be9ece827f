//! Games that players of a level play on, from before a move and from after it: what the move costs such players.
//!
//! The full engine's score shows little of that. Players of the level easy miss most of what a mistake by
//! the score allows, and would not have found the better move either.

use std::sync::Arc;

use crate::engine::EngineError;
use crate::engine::event::Event;
use crate::engine::session::{GameSession, SearchSettings};
use crate::game::{Handicap, Side};
use crate::platform::Instant;
use crate::search::{EvalNoise, Limits, SearchMemory, Signals};

/// The games from each of both positions. The standard error of the points is 0.07 at most.
const GAMES: u64 = 100;

/// After each so many games, a move that has cost less than `DOUBT` on average is played on no more.
const BATCH: u64 = 20;
const DOUBT: f64 = 0.1;

/// A longer game counts as drawn.
const LONGEST: usize = 300;

/// The transposition table of a game, in MiB.
const HASH: usize = 1;

/// Returns the expected points, per thousand games, that the legal move `mv` costs players who play with
/// this handicap. The games are always the same. Returns 0 if `signals` stop the search.
pub fn points_lost(
    session: &dyn GameSession,
    mv: &str,
    handicap: Handicap,
    signals: &Arc<Signals>,
) -> Result<i32, EngineError> {
    let (side, after) = (session.side(), session.with_moves(&[mv])?);
    let (mut lost, mut games) = (0.0, 0);
    while games < GAMES && (games % BATCH > 0 || lost >= DOUBT * games as f64) {
        lost += points(session, side, handicap, games, signals)?;
        lost -= points(&*after, side, handicap, games, signals)?;
        games += 1;
        if signals.is_stopped() {
            return Ok(0);
        }
    }
    Ok((1000.0 * lost / games as f64).round() as i32)
}

/// The points of a side in a game that is played on. Games with other seeds differ.
fn points(
    start: &dyn GameSession,
    side: Side,
    handicap: Handicap,
    seed: u64,
    signals: &Arc<Signals>,
) -> Result<f64, EngineError> {
    let Handicap { nodes, depth, eval_noise: amplitude } = handicap;
    let memory = Arc::new(SearchMemory::new(HASH)?);
    let mut game = start.fork();
    for _ in 0..LONGEST {
        if let Some(end) = game.outcome() {
            return Ok(end.winner.map_or(0.5, |winner| f64::from(u8::from(winner == side))));
        }
        let limits = Limits { nodes: Some(nodes), depth, ..Limits::default() };
        let settings = SearchSettings {
            is_limited: true,
            eval_noise: EvalNoise { amplitude, seed },
            ..SearchSettings::new(limits, Arc::clone(&memory), Arc::clone(signals))
        };
        signals.reset_counts();
        let mut best = None;
        game.search(settings, &[])?(Instant::now(), &mut |event| {
            if let Event::Best { best: found, .. } = event {
                best = found;
            }
            Ok(())
        });
        let Some(mv) = best else { break };
        game.play(&mv)?;
    }
    Ok(0.5)
}
