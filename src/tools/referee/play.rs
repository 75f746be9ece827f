//! One game: whose turn it is, whether the move is legal and in time, and who has won.

use std::fmt::{self, Display};
use std::time::{Duration, Instant};

use super::player::{Answer, Player, Silence, is_complaint};
use super::seat::{Both, Seat};
use super::settings::Settings;
use crate::engine::session::Session;
use crate::game::{Ending, Side};

/// What loses a game besides its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The move came too late.
    Time,
    /// The move is not legal.
    Illegal,
    /// The engine has ended.
    Crash,
    /// The engine does not answer.
    Stall,
}

impl Failure {
    /// All of them, in the order in which they are told.
    pub const ALL: [Self; 4] = [Self::Time, Self::Illegal, Self::Crash, Self::Stall];

    /// Several of them, in words.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Time => "time losses",
            Self::Illegal => "illegal moves",
            Self::Crash => "crashes",
            Self::Stall => "stalls",
        }
    }
}

impl From<Silence> for Failure {
    fn from(silence: Silence) -> Self {
        match silence {
            Silence::Ended => Self::Crash,
            Silence::Stalled => Self::Stall,
        }
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Debug)]
pub enum End {
    /// As the rules say.
    Rules(Ending),
    /// It was too long, and is drawn.
    TooLong,
    /// An engine has lost it in another way.
    Failed {
        /// The side that has lost.
        side: Side,
        /// How.
        failure: Failure,
        /// What there is to know.
        detail: String,
    },
}

impl End {
    /// Who has won; nobody, if the game is drawn.
    pub fn winner(&self) -> Option<Side> {
        match self {
            Self::Rules(ending) => ending.winner,
            Self::TooLong => None,
            Self::Failed { side, .. } => Some(!*side),
        }
    }
}

impl Display for End {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Rules(ending) => write!(f, "{ending}"),
            Self::TooLong => f.write_str("drawn: the game is too long"),
            Self::Failed { side, detail, .. } => write!(f, "{side} loses: {detail}"),
        }
    }
}

/// How an engine has behaved.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Conduct {
    /// What it said and should not have, each with the position.
    pub bad_lines: Vec<String>,
    /// The longest that a reply took beyond its time.
    pub overshoot: Duration,
    /// How many moves it made.
    pub moves: u64,
    /// The depths of its searches, and of how many it told them.
    pub depths: (u64, u64),
    /// The positions it says to have visited.
    pub nodes: u64,
    /// The time it thought.
    pub time: Duration,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Its number in the match, from 1.
    pub number: usize,
    /// Who played Black.
    pub black: Seat,
    /// Every move from the start, the opening too.
    pub moves: Vec<String>,
    /// How it ended.
    pub end: End,
    /// How the engines behaved.
    pub conduct: Both<Conduct>,
}

impl Record {
    /// Twice the points of the first engine: 2 for a win, 1 for a draw.
    pub fn half_points(&self) -> usize {
        match self.end.winner() {
            Some(side) if self.black.playing(side) == Seat::First => 2,
            Some(_) => 0,
            None => 1,
        }
    }
}

/// Plays a game from an opening. The engine that fails is not to be used again.
pub fn play(
    number: usize,
    black: Seat,
    opening: Vec<String>,
    start: &dyn Session,
    settings: &Settings,
    players: &mut Both<Player>,
) -> Record {
    let time = settings.pace.time.unwrap_or_default();
    let mut game = Game {
        settings,
        players,
        black,
        clocks: Both { first: time, second: time },
        moves: opening,
        expected: Both::default(),
        conduct: Both::default(),
    };
    let end = game.play(start).and_then(|end| game.end_pondering().map(|()| end));
    let end = end.unwrap_or_else(|Lost { seat, failure, detail }| {
        // Whoever still ponders is stopped, whatever the other did.
        let _ = game.end_pondering();
        End::Failed { side: black.side_of(seat), failure, detail }
    });
    Record { number, black, moves: game.moves, end, conduct: game.conduct }
}

/// An engine has lost by what it did.
struct Lost {
    seat: Seat,
    failure: Failure,
    detail: String,
}

impl Lost {
    fn silent(seat: Seat, silence: Silence) -> Self {
        Self { seat, failure: silence.into(), detail: silence.to_string() }
    }
}

struct Game<'a> {
    settings: &'a Settings,
    players: &'a mut Both<Player>,
    black: Seat,
    clocks: Both<Duration>,
    moves: Vec<String>,
    /// The replies on which the engines ponder.
    expected: Both<Option<String>>,
    conduct: Both<Conduct>,
}

impl Game<'_> {
    fn play(&mut self, start: &dyn Session) -> Result<End, Lost> {
        for seat in Seat::BOTH {
            let ready = self.players.of_mut(seat).begin_game(self.settings.stall);
            ready.map_err(|silence| Lost::silent(seat, silence))?;
        }
        let moves: Vec<&str> = self.moves.iter().map(String::as_str).collect();
        let illegal = |seat, detail| Lost { seat, failure: Failure::Illegal, detail };
        // Openings were checked when they were made.
        let opened = start.after(&moves);
        let mut session = opened.map_err(|error| illegal(self.black, error.to_string()))?;
        loop {
            if let Some(ending) = session.view().ending {
                return Ok(End::Rules(ending));
            }
            if self.moves.len() >= self.settings.max_plies {
                return Ok(End::TooLong);
            }
            // Every variant begins with Black, and a pass is a move.
            let side = if self.moves.len().is_multiple_of(2) { Side::Black } else { Side::White };
            let seat = self.black.playing(side);
            let answer = self.ask(seat)?;
            let bad_lines = complaints(&answer, &*session);
            let position = self.moves.join(" ");
            let conduct = self.conduct.of_mut(seat);
            let place = |what| format!("{what} [position startpos moves {position}]");
            conduct.bad_lines.extend(bad_lines.into_iter().map(place));
            count(&answer, conduct);
            session = session.after(&[&answer.best]).map_err(|error| {
                illegal(seat, format!("{error} [position startpos moves {position}]"))
            })?;
            self.moves.push(answer.best);
            if let Some(reply) = answer.ponder.filter(|_| self.settings.ponder)
                && session.after(&[&reply]).is_ok_and(|next| next.view().ending.is_none())
            {
                self.ponder(seat, reply)?;
            }
        }
    }

    /// Lets an engine think on the other's time.
    fn ponder(&mut self, seat: Seat, reply: String) -> Result<(), Lost> {
        let mut moves = self.moves.clone();
        moves.push(reply.clone());
        let go = self.settings.go(&self.clocks, self.black);
        let pondering = self.players.of_mut(seat).ponder(&moves, &go);
        pondering.map_err(|silence| Lost::silent(seat, silence))?;
        *self.expected.of_mut(seat) = Some(reply);
        Ok(())
    }

    /// Stops the engines that still ponder.
    fn end_pondering(&mut self) -> Result<(), Lost> {
        for seat in Seat::BOTH {
            if self.expected.of_mut(seat).take().is_some() {
                let stopped = self.players.of_mut(seat).stop(self.settings.stall);
                stopped.map_err(|silence| Lost::silent(seat, silence))?;
            }
        }
        Ok(())
    }

    /// The answer of an engine, if it comes in time.
    fn ask(&mut self, seat: Seat) -> Result<Answer, Lost> {
        let settings = self.settings;
        let clock = *self.clocks.of(seat);
        let allowance = settings.allowance(clock);
        let patience = allowance.unwrap_or_default() + settings.margin() + settings.stall;
        let go = settings.go(&self.clocks, self.black);
        let expected = self.expected.of_mut(seat).take();
        let player = self.players.of_mut(seat);
        let answer = match expected {
            Some(reply) if self.moves.last() == Some(&reply) => player.hit(patience),
            Some(_) => {
                // The time that it takes to stop is the engine's own.
                let missed = Instant::now();
                player.stop(patience).and_then(|()| {
                    let answer = player.think(&self.moves, &go, patience)?;
                    Ok(Answer { time: missed.elapsed().max(answer.time), ..answer })
                })
            }
            None => player.think(&self.moves, &go, patience),
        };
        let answer = answer.map_err(|silence| {
            let Lost { seat, failure, detail } = Lost::silent(seat, silence);
            let detail =
                format!("{detail} [position startpos moves {}; {go}]", self.moves.join(" "));
            Lost { seat, failure, detail }
        })?;
        let over = allowance.map_or(Duration::ZERO, |time| answer.time.saturating_sub(time));
        let conduct = self.conduct.of_mut(seat);
        conduct.overshoot = conduct.overshoot.max(over);
        if over > settings.margin() {
            // The last line has the engine's own time: was it late, or was its answer held up?
            let detail = format!(
                "{:.1} ms over its time [position startpos moves {}; {go}; {}]",
                over.as_secs_f64() * 1e3,
                self.moves.join(" "),
                answer.lines.last().map_or("no line before", String::as_str),
            );
            return Err(Lost { seat, failure: Failure::Time, detail });
        }
        *self.clocks.of_mut(seat) = clock.saturating_sub(answer.time) + settings.increment();
        Ok(answer)
    }
}

/// The number behind a word of an `info` line.
fn number_behind(line: &str, word: &str) -> Option<u64> {
    line.split_whitespace().skip_while(|&other| other != word).nth(1)?.parse().ok()
}

/// The moves behind `pv` in an `info` line with a score.
fn variation(line: &str) -> Option<Vec<&str>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["info", rest @ ..] = words.as_slice() else { return None };
    if rest.first() == Some(&"string") || !rest.contains(&"score") {
        return None;
    }
    let moves: Vec<&str> = rest.iter().copied().skip_while(|&word| word != "pv").skip(1).collect();
    (!moves.is_empty()).then_some(moves)
}

/// Whether a line tells of the best move, and not of one of several others.
fn is_principal(line: &str) -> bool {
    number_behind(line, "multipv").is_none_or(|place| place == 1)
}

/// What is wrong with the lines of an answer, whatever the move is worth.
fn complaints(answer: &Answer, session: &dyn Session) -> Vec<String> {
    let mut found = Vec::new();
    let mut last = None;
    for line in &answer.lines {
        if is_complaint(line) || line.starts_with("bestmove") {
            found.push(format!("unexpected line '{line}'"));
        }
        let Some(moves) = variation(line) else { continue };
        if let Err(error) = session.after(&moves) {
            found.push(format!("{error} in '{line}'"));
        }
        if is_principal(line) {
            last = Some((moves, line));
        }
    }
    match last {
        None => found.push(format!("no score and line of play before 'bestmove {}'", answer.best)),
        Some((moves, line)) if moves.first() != Some(&answer.best.as_str()) => {
            found.push(format!("'bestmove {}' after '{line}'", answer.best));
        }
        Some(_) => {}
    }
    if let Some(ponder) = &answer.ponder
        && session.after(&[&answer.best]).is_ok_and(|next| next.after(&[ponder]).is_err())
    {
        found.push(format!("no reply in 'bestmove {} ponder {ponder}'", answer.best));
    }
    found
}

/// Counts what the last line of an answer tells.
fn count(answer: &Answer, conduct: &mut Conduct) {
    conduct.moves += 1;
    conduct.time += answer.time;
    let told = answer.lines.iter().rev().filter(|line| variation(line).is_some());
    if let Some(line) = told.into_iter().next() {
        conduct.nodes += number_behind(line, "nodes").unwrap_or_default();
        if let Some(depth) = number_behind(line, "depth") {
            conduct.depths = (conduct.depths.0 + depth, conduct.depths.1 + 1);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::engine::open;
    use crate::options::Options;

    #[test]
    fn bad_lines_are_seen() {
        let good = "info depth 2 multipv 1 score cp 5 nodes 9 pv b8b6 a4c4";
        let table: &[(&[&str], &str, &str)] = &[
            (&[good], "b8b6", ""),
            (&[good, "info depth 2 multipv 2 score cp 1 pv b8h8"], "b8b6", ""),
            (&[], "b8b6", "no score and line of play before 'bestmove b8b6'"),
            (&["info string pv score b8b6"], "b8b6", "no score and line"),
            (&["info depth 1 score cp 5 pv"], "b8b6", "no score and line"),
            (&[good], "b8h8", "'bestmove b8h8' after 'info depth 2"),
            (&[good, "info depth 3 score cp 5 pv b8b6 b8b6"], "b8b6", "illegal move b8b6"),
            (&[good, "info string error no"], "b8b6", "unexpected line 'info string error no'"),
            (&["bestmove b8b6", good], "b8b6", "unexpected line 'bestmove b8b6'"),
        ];
        let session = open(&Options::default()).unwrap();
        for (lines, best, complaint) in table {
            let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
            let best = best.to_string();
            let answer = Answer { best, ponder: None, time: Duration::ZERO, lines };
            let found = complaints(&answer, &*session);
            if complaint.is_empty() {
                assert_eq!(found, [""; 0], "{answer:?}");
            } else {
                assert!(found.iter().any(|what| what.starts_with(complaint)), "{found:?}");
            }
        }
    }

    #[test]
    fn a_ponder_move_must_be_a_reply() {
        let session = open(&Options::default()).unwrap();
        for (ponder, bad) in [("a4c4", 0), ("b8h8", 1)] {
            let lines = vec!["info depth 1 score cp 0 pv b8b6".to_string()];
            let (best, ponder) = ("b8b6".to_string(), Some(ponder.to_string()));
            let answer = Answer { best, ponder, time: Duration::ZERO, lines };
            assert_eq!(complaints(&answer, &*session).len(), bad);
        }
    }
}
