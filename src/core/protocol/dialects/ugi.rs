//! The Universal Game Interface (UGI): UCI with other command names and with queries of the game.

use std::io::{self, Write};

use crate::engine::Engine;
use crate::engine::event::Event;
use crate::engine::session::GameSession;
use crate::engine::uci_score::UciScore;
use crate::files::lines::TooLong;
use crate::game::{Side, words};
use crate::protocol::command::{self, Purpose, UciCommand};
use crate::protocol::handler::{Dialect, Handler, Next};
use crate::protocol::refusal::Refusal;
use crate::protocol::reply;

/// The answer to a query without an answer.
const NO_RESPONSE: &str = "response none";

/// The Universal Game Interface.
pub(super) struct Ugi<W>(Handler<W>);

impl<W: Write> Ugi<W> {
    pub(super) fn new(handler: Handler<W>) -> Self {
        Self(handler)
    }

    fn command(&self, line: &str) -> Result<UciCommand, Refusal> {
        let words: Vec<&str> = words(line).collect();
        Ok(UciCommand::Answer(match words.as_slice() {
            ["ugi", ..] => reply::identity("ugiok", |option| self.0.access.allows(option)),
            ["uginewgame", ..] => return Ok(UciCommand::NewGame),
            ["query", question, ..] => {
                self.0.check_position()?;
                let response = response(question, self.0.engine.session());
                format!("response {}", response.ok_or_else(|| unknown(question))?)
            }
            ["query"] => return Err(unknown("")),
            _ => return command::read(line),
        }))
    }
}

impl<W: Write + Send> Dialect for Ugi<W> {
    fn answer(&mut self, line: &str) -> io::Result<Next> {
        let command = self.command(line);
        self.0.execute(command, purpose(line))
    }

    fn refuse_too_long(&mut self, error: TooLong) -> io::Result<()> {
        self.0.refuse(purpose(&error.first_word), &error.into())
    }

    fn engine(&mut self) -> &mut Engine {
        &mut self.0.engine
    }

    fn into_engine(self: Box<Self>) -> Engine {
        self.0.engine
    }
}

/// The intended effect of a line, which may be malformed.
fn purpose(line: &str) -> Purpose {
    match words(line).next() {
        Some("query") => Purpose::Print(NO_RESPONSE),
        _ => command::purpose(line),
    }
}

fn unknown(question: &str) -> Refusal {
    Refusal(format!("query: expected 'p1turn', 'gameover' or 'result', found '{question}'"))
}

/// The answer to a question about the position; `None` if the question is unknown. Player one is
/// the side that moves first in the game.
fn response(question: &str, game: &dyn GameSession) -> Option<&'static str> {
    let yes_or_no = |is_so| if is_so { "true" } else { "false" };
    Some(match question {
        "p1turn" => yes_or_no(game.side() == Side::Black),
        "gameover" => yes_or_no(game.outcome().is_some()),
        "result" => match game.outcome().map(|outcome| outcome.winner) {
            None => "none",
            Some(None) => "draw",
            Some(Some(Side::Black)) => "p1win",
            Some(Some(Side::White)) => "p2win",
        },
        _ => return None,
    })
}

/// Formats an event. Unlike in UCI, `bestmove` has one word, and the distance of a mate is in plies.
pub(super) fn event(event: &Event) -> Option<String> {
    let mut event = event.clone();
    match &mut event {
        Event::Info(info) => info.score = in_plies(info.score),
        Event::Finished { score, .. } => *score = in_plies(*score),
        Event::Best { ponder, .. } => *ponder = None,
        _ => {}
    }
    Some(reply::event(&event))
}

fn in_plies(score: UciScore) -> UciScore {
    match score {
        UciScore::Mate(moves) if moves > 0 => UciScore::Mate(2 * moves - 1),
        UciScore::Mate(moves) => UciScore::Mate(2 * moves),
        UciScore::Centipawns(_) => score,
    }
}
