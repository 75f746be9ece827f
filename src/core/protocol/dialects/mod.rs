//! The dialects: UCI and the languages of other clients, which `dialects.md` specifies.

mod cecp;
mod cecp_command;
mod cecp_reply;
mod hub;
mod hub_command;
mod ugi;

use std::io::Write;

use super::handler::{Access, Dialect, Handler, SharedOutput};
use super::reply;
use crate::engine::event::{Disconnected, Event};
use crate::engine::{Engine, EngineError};
use cecp::Cecp;
use hub::Hub;
use ugi::Ugi;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DialectName {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Game Interface.
    Ugi,
    /// The Hub protocol of draughts programs, version 2.
    Hub,
    /// The Chess Engine Communication Protocol of XBoard, version 2.
    Cecp,
}

type EventWriter = Box<dyn FnMut(Event) -> Result<(), Disconnected> + Send>;

impl DialectName {
    /// The dialect of a client whose first line this is.
    pub(super) fn of(line: &str) -> Self {
        match line.split_whitespace().next() {
            Some("ugi") => Self::Ugi,
            Some("hub") => Self::Hub,
            Some("xboard") => Self::Cecp,
            _ => Self::Uci,
        }
    }

    /// Returns the receiver of the events of all searches. It writes them to `output`, or sends
    /// them to a dialect that reacts to them.
    pub(super) fn event_writer<W, S>(self, output: SharedOutput<W>, to_dialect: S) -> EventWriter
    where
        W: Write + Send + 'static,
        S: FnMut(Event) -> Result<(), Disconnected> + Send + 'static,
    {
        let format = match self {
            Self::Cecp => return Box::new(to_dialect),
            Self::Uci => |event: &Event| Some(reply::event(event)),
            Self::Ugi => ugi::event,
            Self::Hub => hub::event,
        };
        Box::new(move |event| match format(&event) {
            Some(line) => output.write_line(&line).map_err(|_| Disconnected),
            None => Ok(()),
        })
    }

    /// Creates the dialect, which uses `engine`.
    pub(super) fn open<W>(
        self,
        engine: Engine,
        output: SharedOutput<W>,
        access: Access,
    ) -> Result<Box<dyn Dialect>, EngineError>
    where
        W: Write + Send + 'static,
    {
        let handler = Handler::new(engine, output, access);
        Ok(match self {
            Self::Uci => Box::new(handler),
            Self::Ugi => Box::new(Ugi::new(handler)),
            Self::Hub => Box::new(Hub::new(handler)?),
            Self::Cecp => Box::new(Cecp::new(handler)?),
        })
    }
}
