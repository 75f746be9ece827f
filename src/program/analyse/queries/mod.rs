//! `soucie analyse - --queries`: answers queries, one JSON object a line.
//!
//! ```text
//! stdin ─lines─→ main: request ─→ prepare ─→ queue ─jobs─→ workers ─replies─→ stdout
//! ```
//!
//! A thread reads lines. The main thread parses them (`request`), checks the queries and sets up
//! their games (`prepare`), and performs actions. The queue (`queue`) has a bounded size; while it
//! is full, no line is read. The workers (`worker`) search one position at a time. Each writes its
//! replies (`reply`) itself. The lines are specified in `queries.md`.

mod prepare;
mod queue;
mod reply;
mod request;
mod worker;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde::Serialize;

use crate::analyse::settings::AnalyseSettings;
use crate::error::CommandError;
use prepare::Preparer;
use queue::{Job, Queue};
use reply::{ActionBody, ActionReply, ErrorReply, Reply, ReplyBody};
use request::{Action, ActionName, Request, RequestError, unknown_fields};
use soucie::files::lines::{LONGEST_LINE, TooLong, next_line};
use soucie::search::STACK_SIZE;
use worker::SearchWorker;

/// The number of lines read ahead.
const AHEAD: usize = 4;

enum Message {
    Line(Result<Vec<u8>, TooLong>),
    /// The input cannot be read further.
    Failed(io::Error),
    /// The input has ended, or the output is closed: without this message the main thread would
    /// wait for the next line.
    End,
}

/// Answers the queries of `input` until it ends and everything is finished, or until the output is
/// closed.
pub fn run(
    settings: &AnalyseSettings,
    input: impl BufRead + Send + 'static,
    output: &mut (dyn Write + Send),
) -> Result<(), CommandError> {
    let preparer = Preparer::new(settings)?;
    let (sender, messages) = sync_channel(AHEAD);
    let lines = sender.clone();
    // Detached: it may wait for input that never comes when the output is closed.
    let reader = thread::Builder::new().name("reader".into());
    reader.spawn(move || read_lines(input, &lines))?;
    let service = Service { writer: Mutex::new((output, None)), queue: Queue::default(), sender };
    let shared = &service;
    let served = thread::scope(|scope| {
        let workers = (0..settings.jobs()).try_for_each(|_| {
            let worker = thread::Builder::new().name("searches".into()).stack_size(STACK_SIZE);
            worker.spawn_scoped(scope, || shared.work()).map(drop)
        });
        let served = workers.and_then(|()| service.serve(preparer, &messages));
        service.queue.end();
        if served.is_err() {
            service.queue.close();
        }
        served
    });
    let (_, error) = service.writer.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(error.map_or(served, Err)?)
}

fn read_lines(mut input: impl BufRead, lines: &SyncSender<Message>) {
    loop {
        let message = match next_line(&mut input, LONGEST_LINE) {
            Ok(Some(line)) => Message::Line(line),
            Ok(None) => Message::End,
            Err(error) => Message::Failed(error),
        };
        let is_last = !matches!(message, Message::Line(_));
        if lines.send(message).is_err() || is_last {
            return;
        }
    }
}

/// What the threads share: the output, and the queue of the searches.
struct Service<'a> {
    /// The output, and the error after which nothing is written.
    writer: Mutex<(&'a mut (dyn Write + Send), Option<io::Error>)>,
    queue: Queue,
    sender: SyncSender<Message>,
}

impl Service<'_> {
    /// Writes a line. After an error it closes the queue.
    fn write(&self, line: &impl Serialize) {
        // Numbers and texts can always be formatted.
        let Ok(mut line) = serde_json::to_vec(line) else { return };
        line.push(b'\n');
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let (output, error) = &mut *writer;
        if error.is_some() {
            return;
        }
        *error = output.write_all(&line).and_then(|()| output.flush()).err();
        if error.is_some() {
            self.queue.close();
            // If the channel is full, the main thread finds the queue closed.
            let _ = self.sender.try_send(Message::End);
        }
    }

    /// Processes the messages until the input ends or the output is closed.
    fn serve(&self, mut preparer: Preparer, messages: &Receiver<Message>) -> io::Result<()> {
        for (number, message) in (1..).zip(messages) {
            match message {
                _ if self.queue.is_closed() => break,
                Message::End => break,
                Message::Failed(error) => return Err(error),
                Message::Line(Ok(line)) if line.trim_ascii().is_empty() => {}
                Message::Line(Ok(line)) => {
                    let done = request::read(&line).and_then(|request| match request {
                        Request::Query(query) => {
                            self.queue.add(preparer.prepare(*query, line.len())?);
                            Ok(())
                        }
                        Request::Action(action) => {
                            self.perform(&action, &mut preparer);
                            Ok(())
                        }
                    });
                    if let Err(error) = done {
                        self.refuse(error, number);
                    }
                }
                Message::Line(Err(too_long)) => {
                    let (id, turns, error) = (None, Vec::new(), too_long.to_string());
                    self.refuse(RequestError { id, turns, field: None, error }, number);
                }
            }
        }
        Ok(())
    }

    /// Replies to a request with an error: once for each turn, or once if there are none.
    fn refuse(&self, error: RequestError, number: u64) {
        let RequestError { id, turns, field, error } = error;
        self.queue.refuse();
        let turns = turns.into_iter().map(Some);
        let turns: Vec<_> = if turns.len() == 0 { vec![None] } else { turns.collect() };
        let line = id.is_none().then_some(number);
        for turn in turns {
            let body = ErrorReply { error: error.clone(), field: field.clone(), line };
            self.write(&Reply {
                id: id.as_deref(),
                turn,
                is_final: true,
                terminated: false,
                body: Some(ReplyBody::Error(body)),
                warnings: &[],
            });
        }
    }

    fn perform(&self, action: &Action, preparer: &mut Preparer) {
        let body = match action.action {
            ActionName::Terminate | ActionName::TerminateAll => {
                let is_one = action.action == ActionName::Terminate;
                let id = action.query.as_deref().filter(|_| is_one);
                let (removed, stopped) = self.queue.terminate(id, action.turns.as_deref());
                let terminated = removed.len() + stopped;
                for (details, turn) in removed {
                    self.write(&Reply {
                        id: Some(&details.query.id),
                        turn: Some(turn),
                        is_final: true,
                        terminated: true,
                        body: None,
                        warnings: &details.warnings,
                    });
                }
                ActionBody::Terminated { terminated }
            }
            ActionName::Clear => {
                preparer.clear();
                ActionBody::Cleared {}
            }
            ActionName::Version => ActionBody::Version { version: env!("CARGO_PKG_VERSION") },
            ActionName::Stats => ActionBody::Stats(self.queue.stats()),
        };
        let warnings: Vec<String> = unknown_fields(&action.unknown).collect();
        let (id, action) = (&*action.id, action.action);
        self.write(&ActionReply { id, action, is_final: true, body, warnings: &warnings });
    }

    /// Searches positions until none are left.
    fn work(&self) {
        let mut worker = SearchWorker::default();
        while let Some((job, session)) = self.queue.take() {
            let body = worker.answer(&job, session, &|body| self.reply(&job, false, body));
            let nodes = match &body {
                ReplyBody::Position(position) => Some(position.analysis.nodes),
                ReplyBody::Error(_) => None,
            };
            self.queue.finish(&job, nodes);
            self.reply(&job, true, body);
        }
    }

    fn reply(&self, job: &Job, is_final: bool, body: ReplyBody) {
        let warnings: &[String] = if is_final { &job.details.warnings } else { &[] };
        self.write(&Reply {
            id: Some(&job.details.query.id),
            turn: Some(job.turn),
            is_final,
            terminated: is_final && job.is_terminated(),
            body: Some(body),
            warnings,
        });
    }
}
