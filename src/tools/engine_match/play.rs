//! One game of a match: requests moves, checks their legality and time, and determines the result.

use std::time::{Duration, Instant};

use super::adjudicate::{Adjudicator, Tables};
use super::engine_id::{EngineId, PerEngine};
use super::game_record::{End, EngineStats, Failure, GameRecord, MoveRecord, whole_micros};
use super::lines::{complaints, excerpt, told};
use super::mate_claims::MateClaims;
use super::opening::Opening;
use super::pipes::ReadError;
use super::player::{Answer, EngineProcess, EngineSlot};
use super::settings::Settings;
use crate::engine::EngineError;
use crate::engine::session::GameSession;
use crate::game::Side;

/// The specification of one game of a match.
pub struct GameSpec<'a> {
    /// The number of the game in the match, from 1.
    pub number: usize,
    /// The engine that plays Black.
    pub black: EngineId,
    /// The opening.
    pub opening: Opening,
    /// A session at the start position of the variant.
    pub start: &'a dyn GameSession,
    /// The settings of the match.
    pub settings: &'a Settings,
    /// The endgame tables for adjudication, if any.
    pub tables: Option<&'a Tables>,
}

impl GameSpec<'_> {
    /// Plays the game and returns its record. The process of an engine that crashes or stalls is
    /// killed.
    pub fn play(self, players: &mut PerEngine<EngineSlot<'_>>) -> GameRecord {
        let time = self.settings.pace.time.unwrap_or_default();
        let adjudication = self.settings.adjudication();
        let tables = self.tables.and_then(|tables| tables.watch(&self.opening));
        let mut game = GameInProgress {
            settings: self.settings,
            players,
            black: self.black,
            clocks: PerEngine { first: time, second: time },
            moves: self.opening.moves.clone(),
            opening: &self.opening,
            adjudicator: Adjudicator::new(adjudication, tables),
            promises: MateClaims::default(),
            turns: Vec::new(),
            expected: PerEngine::default(),
            conduct: PerEngine::default(),
        };
        let end = game.play(self.start).and_then(|end| game.end_pondering().map(|()| end));
        let end = end.unwrap_or_else(|lost| {
            // The opponent may still be pondering and must be stopped.
            let _ = game.end_pondering();
            game.give_up(lost)
        });
        let (moves, conduct) = (game.turns, game.conduct);
        let Self { number, black, opening, .. } = self;
        GameRecord { number, black, end, opening, moves, conduct }
    }
}

/// A loss of an engine by a failure rather than by the rules of the game.
struct Lost {
    seat: EngineId,
    failure: Failure,
    detail: String,
}

impl Lost {
    /// A loss by a missing answer. `patience` describes the time limit for the reason.
    fn silent(seat: EngineId, silence: ReadError, patience: &str) -> Self {
        let (failure, detail) = match silence {
            // The record of an interrupted game is discarded, so this value does not matter.
            ReadError::Ended | ReadError::Interrupted => (Failure::Crash, silence.to_string()),
            ReadError::Deaf => (Failure::Stall, silence.to_string()),
            ReadError::Stalled => (Failure::Stall, format!("{silence} {patience} (--stall)")),
        };
        Self { seat, failure, detail }
    }
}

struct GameInProgress<'a, 'b> {
    settings: &'a Settings,
    players: &'a mut PerEngine<EngineSlot<'b>>,
    black: EngineId,
    clocks: PerEngine<Duration>,
    opening: &'a Opening,
    /// All moves so far, including the opening.
    moves: Vec<String>,
    turns: Vec<MoveRecord>,
    adjudicator: Adjudicator,
    /// The open mate announcements.
    promises: MateClaims,
    /// The expected replies on which the engines are pondering.
    expected: PerEngine<Option<String>>,
    conduct: PerEngine<EngineStats>,
}

impl GameInProgress<'_, '_> {
    fn play(&mut self, start: &dyn GameSession) -> Result<End, Lost> {
        for seat in EngineId::BOTH {
            let lost = |detail| Lost { seat, failure: Failure::Crash, detail };
            self.players.of_mut(seat).fill().map_err(lost)?;
            let patience = self.settings.stall;
            self.with(seat, |player| player.begin_game(patience))?;
        }
        let illegal = |seat, detail| Lost { seat, failure: Failure::Illegal, detail };
        // The opening was validated when it was created.
        let opened = self.opening.begin(start);
        let mut session = opened.map_err(|error| illegal(self.black, error.to_string()))?;
        loop {
            let view = session.view();
            if let Some(ending) = view.outcome {
                let winner = ending.winner.map(|side| self.black.playing(side));
                let reason = ending.to_string();
                let broken = self.promises.end(winner, &reason);
                for seat in EngineId::BOTH {
                    self.conduct.of_mut(seat).broken_promises.extend(broken.of(seat).clone());
                }
                return Ok(End { winner, reason, failure: None });
            }
            if let Some((winner, reason)) = self.adjudicator.verdict() {
                let winner = winner.map(|side| self.black.playing(side));
                return Ok(End { winner, reason, failure: None });
            }
            if self.moves.len() >= self.settings.max_plies {
                let reason = "drawn: the game is too long".to_string();
                return Ok(End { winner: None, reason, failure: None });
            }
            let seat = self.black.playing(view.side);
            let broken = self.promises.turn(seat);
            self.conduct.of_mut(seat).broken_promises.extend(broken);
            let answer = self.ask(seat)?;
            let place = format!("[{}]", self.position());
            let bad_lines = complaints(&answer, &*session);
            for what in bad_lines {
                self.conduct.of_mut(seat).add_bad_line(format!("{what} {place}"));
            }
            let wrong = |error: EngineError| {
                illegal(seat, format!("{} {place}", excerpt(&error.to_string())))
            };
            session = session.with_moves(&[&answer.best]).map_err(wrong)?;
            // The move is normalised: the engine's spelling may differ from the one the opponent
            // reads.
            let mv = session.moves().pop().unwrap_or_default();
            self.note(seat, view.side, mv, &answer);
            if let Some(reply) = answer.ponder.filter(|_| self.settings.ponder)
                && let Ok(next) = session.with_moves(&[&reply])
                && next.view().outcome.is_none()
            {
                self.ponder(seat, next.moves().pop().unwrap_or_default())?;
            }
        }
    }

    /// Records a legal move, in coordinate notation, and the score reported for it.
    fn note(&mut self, by: EngineId, side: Side, text: String, answer: &Answer) {
        let told = told(&answer.lines);
        self.adjudicator.note(side, told.score, &text);
        let broken = self.promises.note(by, &told, &self.position());
        self.conduct.of_mut(by).broken_promises.extend(broken);
        let time = whole_micros(answer.time);
        let (score, depth, nodes) = (told.score, told.depth, told.nodes);
        self.moves.push(text.clone());
        self.turns.push(MoveRecord { text, by, score, depth, nodes, time });
    }

    /// Returns the end of a game lost by a failure, and removes an engine that crashed or stalled.
    fn give_up(&mut self, Lost { seat, failure, detail }: Lost) -> End {
        if matches!(failure, Failure::Crash | Failure::Stall) {
            self.players.of_mut(seat).empty();
        }
        let reason = format!("{} loses: {detail}", self.black.side_of(seat));
        End { winner: Some(!seat), reason, failure: Some(failure) }
    }

    /// Runs `deal` on the process of an engine and converts a missing answer to a loss.
    fn with<T>(
        &mut self,
        seat: EngineId,
        deal: impl FnOnce(&mut EngineProcess) -> Result<T, ReadError>,
    ) -> Result<T, Lost> {
        let patience = format!("within {} s", self.settings.stall.as_secs_f64());
        let player = self.players.of_mut(seat).player();
        player.and_then(deal).map_err(|silence| Lost::silent(seat, silence, &patience))
    }

    /// Returns the `position` command for the current position.
    fn position(&self) -> String {
        self.opening.position(&self.moves)
    }

    /// Starts pondering on the expected reply.
    fn ponder(&mut self, seat: EngineId, reply: String) -> Result<(), Lost> {
        let mut moves = self.moves.clone();
        moves.push(reply.clone());
        let position = self.opening.position(&moves);
        let go = self.settings.go(&self.clocks, self.black);
        self.with(seat, |player| player.ponder(&position, &go))?;
        *self.expected.of_mut(seat) = Some(reply);
        Ok(())
    }

    /// Stops the engines that are still pondering.
    fn end_pondering(&mut self) -> Result<(), Lost> {
        let patience = self.settings.stall;
        for seat in EngineId::BOTH {
            if self.expected.of_mut(seat).take().is_some() {
                self.with(seat, |player| player.stop(patience))?;
            }
        }
        Ok(())
    }

    /// Requests a move and returns the answer, or the loss if it is late or missing.
    fn ask(&mut self, seat: EngineId) -> Result<Answer, Lost> {
        let settings = self.settings;
        let clock = *self.clocks.of(seat);
        let allowance = settings.allowance(clock);
        let patience = allowance.unwrap_or_default() + settings.margin() + settings.stall;
        let go = settings.go(&self.clocks, self.black);
        let position = self.position();
        let expected = self.expected.of_mut(seat).take();
        let is_hit = expected.as_ref().is_some_and(|reply| self.moves.last() == Some(reply));
        let player = self.players.of_mut(seat).player();
        let answer = player.and_then(|player| {
            if is_hit {
                return player.hit(patience);
            }
            if expected.is_none() {
                return player.think(&position, &go, patience);
            }
            // The engine's clock includes the time it takes to stop pondering.
            let missed = Instant::now();
            player.stop(patience)?;
            let answer = player.think(&position, &go, patience)?;
            Ok(Answer { time: missed.elapsed().max(answer.time), ..answer })
        });
        let answer = answer.map_err(|silence| {
            let since = allowance.map_or("", |_| " of the end of its time");
            let waited = format!("within {} s{since}", settings.stall.as_secs_f64());
            let lost = Lost::silent(seat, silence, &waited);
            Lost { detail: format!("{} [{position}; {go}]", lost.detail), ..lost }
        })?;
        let over = allowance.map_or(Duration::ZERO, |time| answer.time.saturating_sub(time));
        let conduct = self.conduct.of_mut(seat);
        conduct.overshoot = conduct.overshoot.max(whole_micros(over));
        if over > settings.margin() {
            // The last line contains the engine's own time, which shows whether the engine was late
            // or its answer was delayed on the way.
            let detail = format!(
                "{:.1} ms over its time [{position}; {go}; {}]",
                over.as_secs_f64() * 1e3,
                answer.lines.last().map_or("no line before".to_string(), |line| excerpt(line)),
            );
            return Err(Lost { seat, failure: Failure::Time, detail });
        }
        *self.clocks.of_mut(seat) = clock.saturating_sub(answer.time) + settings.increment();
        Ok(answer)
    }
}
