//! One game of a match: requests moves, checks their legality and time, and determines the result.

use std::time::{Duration, Instant};

use super::adjudicate::{AdjudicatedResult, Adjudicator};
use super::engine_output::{EngineAnswer, quoted};
use super::engine_process::{EngineProcess, EngineSlot};
use super::game_record::{
    EngineFailure, EngineId, EngineStats, GameRecord, GameResult, MoveRecord, PerEngine,
    whole_micros,
};
use super::pipes::ReadError;
use super::settings::MatchSettings;
use crate::openings::ListedOpening;
use soucie::engine::EngineError;
use soucie::engine::session::GameSession;

/// Plays a game of a match and returns its record. The process of an engine that crashes or stalls
/// is killed. `number` counts from 1, the engine `black` has Black, and `start` is a session at the
/// start position of the variant, with the endgame tables for adjudication, if any.
pub fn play(
    settings: &MatchSettings,
    number: usize,
    black: EngineId,
    opening: ListedOpening,
    start: &dyn GameSession,
    engines: &mut PerEngine<EngineSlot<'_>>,
) -> GameRecord {
    let time = settings.time_control.time.unwrap_or_default();
    let mut game = GameInProgress {
        settings,
        engines,
        black,
        clocks: PerEngine { first: time, second: time },
        moves: opening.moves.clone(),
        opening: &opening,
        adjudicator: Adjudicator::new(settings.adjudication),
        turns: Vec::new(),
        expected: PerEngine::default(),
        stats: PerEngine::default(),
    };
    let end = game.play(start).and_then(|end| game.end_pondering().map(|()| end));
    let end = end.unwrap_or_else(|lost| {
        // The opponent may still be pondering and must be stopped.
        let _ = game.end_pondering();
        game.remove_loser(&lost);
        lost
    });
    let (moves, stats) = (game.turns, game.stats);
    GameRecord { number, black, end, opening, moves, stats }
}

/// Returns the loss of the game by an engine that fails. `black` is the engine with Black.
fn loss(black: EngineId, id: EngineId, failure: EngineFailure, detail: &str) -> GameResult {
    let reason = format!("{} loses: {detail}", black.side_of(id));
    GameResult { winner: Some(!id), reason, failure: Some(failure) }
}

/// Returns the loss of the game by a missing answer. `time_limit` describes the time limit.
fn unanswered(black: EngineId, id: EngineId, error: ReadError, time_limit: &str) -> GameResult {
    match error {
        // The record of an interrupted game is discarded, so this value does not matter.
        ReadError::Ended | ReadError::Interrupted => {
            loss(black, id, EngineFailure::Crash, &error.to_string())
        }
        ReadError::NotReading => loss(black, id, EngineFailure::Stall, &error.to_string()),
        ReadError::Stalled => {
            loss(black, id, EngineFailure::Stall, &format!("{error} {time_limit} (--stall)"))
        }
    }
}

struct GameInProgress<'a, 'b> {
    settings: &'a MatchSettings,
    engines: &'a mut PerEngine<EngineSlot<'b>>,
    black: EngineId,
    clocks: PerEngine<Duration>,
    opening: &'a ListedOpening,
    /// All moves so far, including the opening.
    moves: Vec<String>,
    turns: Vec<MoveRecord>,
    adjudicator: Adjudicator,
    /// The expected replies on which the engines are pondering.
    expected: PerEngine<Option<String>>,
    stats: PerEngine<EngineStats>,
}

impl GameInProgress<'_, '_> {
    /// Plays to the end. The error is the loss by a failure of an engine.
    fn play(&mut self, start: &dyn GameSession) -> Result<GameResult, GameResult> {
        let black = self.black;
        for id in EngineId::BOTH {
            self.engines.get_mut(id).fill().map_err(|why| {
                loss(black, id, EngineFailure::Crash, &format!("cannot be restarted: {why}"))
            })?;
            let time_limit = self.settings.stall;
            self.request(id, |engine| engine.begin_game(time_limit))?;
        }
        let illegal = |id, detail: &str| loss(black, id, EngineFailure::Illegal, detail);
        // The opening was validated when it was created.
        let opened = self.opening.begin(start);
        let mut session = opened.map_err(|error| illegal(black, &error.to_string()))?;
        loop {
            let end = session.outcome().map(|outcome| (outcome.winner, outcome.to_string()));
            if let Some((winner, reason)) = end.or_else(|| self.early_end()) {
                let winner = winner.map(|side| black.playing(side));
                return Ok(GameResult { winner, reason, failure: None });
            }
            let side = session.side();
            let id = black.playing(side);
            let answer = self.ask(id)?;
            let wrong = |error: EngineError| {
                illegal(id, &format!("{} [{}]", quoted(&error.to_string()), self.position()))
            };
            session.play(&answer.best).map_err(wrong)?;
            // The move is normalised: the engine's spelling may differ from the one the opponent
            // reads.
            let mv = last_move(&*session);
            let EngineAnswer { ponder, time, reported, .. } = answer;
            self.adjudicator.note(side, reported.score, session.tablebase_value());
            self.moves.push(mv.clone());
            self.turns.push(MoveRecord { text: mv, by: id, reported, time: whole_micros(time) });
            if let Some(reply) = ponder.filter(|_| self.settings.ponder)
                && let Ok(next) = session.fork().with_moves(&[&reply])
                && next.outcome().is_none()
            {
                self.ponder(id, last_move(&*next))?;
            }
        }
    }

    /// Returns the winner and the reason if the game ends although the rules do not end it.
    fn early_end(&self) -> Option<AdjudicatedResult> {
        let is_long = self.moves.len() >= self.settings.max_plies;
        let limit = is_long.then(|| (None, "drawn: the ply limit is reached".to_string()));
        self.adjudicator.result().or(limit)
    }

    /// Removes the loser if it crashed or stalled.
    fn remove_loser(&mut self, end: &GameResult) {
        if let (Some(winner), Some(EngineFailure::Crash | EngineFailure::Stall)) =
            (end.winner, end.failure)
        {
            self.engines.get_mut(!winner).empty();
        }
    }

    /// Sends a request to an engine. A missing answer is a loss.
    fn request<T>(
        &mut self,
        id: EngineId,
        request: impl FnOnce(&mut EngineProcess) -> Result<T, ReadError>,
    ) -> Result<T, GameResult> {
        let time_limit = format!("within {} s", self.settings.stall.as_secs_f64());
        let answer = self.engines.get_mut(id).process().and_then(request);
        answer.map_err(|error| unanswered(self.black, id, error, &time_limit))
    }

    /// Returns the `position` command for the current position.
    fn position(&self) -> String {
        self.opening.position(&self.moves)
    }

    /// Starts pondering on the expected reply.
    fn ponder(&mut self, id: EngineId, reply: String) -> Result<(), GameResult> {
        let mut moves = self.moves.clone();
        moves.push(reply.clone());
        let position = self.opening.position(&moves);
        let go = self.settings.go(&self.clocks, self.black);
        self.request(id, |engine| engine.ponder(&position, &go))?;
        *self.expected.get_mut(id) = Some(reply);
        Ok(())
    }

    /// Stops the engines that are still pondering.
    fn end_pondering(&mut self) -> Result<(), GameResult> {
        let time_limit = self.settings.stall;
        for id in EngineId::BOTH {
            if self.expected.get_mut(id).take().is_some() {
                self.request(id, |engine| engine.stop(time_limit))?;
            }
        }
        Ok(())
    }

    /// Requests a move and returns the answer, or the loss if it is late or missing.
    fn ask(&mut self, id: EngineId) -> Result<EngineAnswer, GameResult> {
        let settings = self.settings;
        let clock = *self.clocks.get(id);
        let allowance = settings.allowance(clock);
        let time_limit = allowance.unwrap_or_default() + settings.margin() + settings.stall;
        let go = settings.go(&self.clocks, self.black);
        let position = self.position();
        let expected = self.expected.get_mut(id).take();
        let is_hit = expected.as_ref().is_some_and(|reply| self.moves.last() == Some(reply));
        let engine = self.engines.get_mut(id).process();
        let answer = engine.and_then(|engine| {
            if is_hit {
                return engine.hit(time_limit);
            }
            if expected.is_none() {
                return engine.think(&position, &go, time_limit);
            }
            // The engine's clock includes the time it takes to stop pondering.
            let missed = Instant::now();
            engine.stop(time_limit)?;
            let answer = engine.think(&position, &go, time_limit)?;
            Ok(EngineAnswer { time: missed.elapsed().max(answer.time), ..answer })
        });
        let answer = answer.map_err(|error| {
            let since = allowance.map_or("", |_| " of the end of its time");
            let waited = format!("within {} s{since}", settings.stall.as_secs_f64());
            let lost = unanswered(self.black, id, error, &waited);
            GameResult { reason: format!("{} [{position}; {go}]", lost.reason), ..lost }
        })?;
        let over = allowance.map_or(Duration::ZERO, |time| answer.time.saturating_sub(time));
        let stats = self.stats.get_mut(id);
        stats.overshoot = stats.overshoot.max(whole_micros(over));
        if over > settings.margin() {
            // The last line contains the engine's own time, which shows whether the engine was late
            // or its answer was delayed on the way.
            let late = over.as_secs_f64() * 1e3;
            let last_line = quoted(&answer.last_line);
            let detail =
                format!("{late:.1} ms over the time limit [{position}; {go}; {last_line}]");
            return Err(loss(self.black, id, EngineFailure::Time, &detail));
        }
        *self.clocks.get_mut(id) = clock.saturating_sub(answer.time) + settings.increment;
        Ok(answer)
    }
}

/// The last move in coordinate notation.
fn last_move(session: &dyn GameSession) -> String {
    session.last_move().map(|played| played.mv.coordinate).unwrap_or_default()
}
