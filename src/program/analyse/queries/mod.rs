//! `soucie analyse - --queries`: answers queries, one JSON object a line.
//!
//! ```text
//! stdin ─lines─→ main: request ─→ prepare ─→ queue ─jobs─→ workers ─replies─→ stdout
//! ```
//!
//! The main thread reads and parses lines (`request`), checks the queries and sets up their games
//! (`prepare`), and performs actions. The queue (`queue`) has a bounded size; while it
//! is full, no line is read. The workers (`worker`) search one position at a time. Each writes its
//! replies (`reply`) itself. The lines are specified in `queries.md`.

mod prepare;
mod queue;
mod reply;
mod request;
mod worker;

use std::io::{self, BufRead, Write};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde::Serialize;

use crate::analyse::settings::AnalyseSettings;
use crate::error::CommandError;
use prepare::Preparer;
use queue::{Job, Queue};
use reply::{ActionBody, ActionReply, ErrorReply, Reply, ReplyBody};
use request::{Action, ActionName, Request, RequestError, unknown_fields};
use soucie::files::lines::{LONGEST_LINE, next_line};
use soucie::search::STACK_SIZE;
use worker::SearchWorker;

/// Answers the queries of `input` until it ends and everything is finished, or until the output is
/// closed.
pub fn run(
    settings: &AnalyseSettings,
    input: impl BufRead,
    output: &mut (dyn Write + Send),
) -> Result<(), CommandError> {
    let preparer = Preparer::new(settings)?;
    let service = Service { writer: Mutex::new((output, None)), queue: Queue::default() };
    let shared = &service;
    let served = thread::scope(|scope| {
        let workers = (0..settings.jobs()).try_for_each(|_| {
            let worker = thread::Builder::new().name("searches".into()).stack_size(STACK_SIZE);
            worker.spawn_scoped(scope, || shared.work()).map(drop)
        });
        let served = workers.and_then(|()| service.serve(preparer, input));
        service.queue.end();
        if served.is_err() {
            service.queue.close();
        }
        served
    });
    let (_, error) = service.writer.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(error.map_or(served, Err)?)
}

/// What the threads share: the output, and the queue of the searches.
struct Service<'a> {
    /// The output, and the error after which nothing is written.
    writer: Mutex<(&'a mut (dyn Write + Send), Option<io::Error>)>,
    queue: Queue,
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
        }
    }

    /// Processes the lines until the input ends or the output is closed.
    fn serve(&self, mut preparer: Preparer, mut input: impl BufRead) -> io::Result<()> {
        let mut number = 0;
        while let Some(line) = next_line(&mut input, LONGEST_LINE)? {
            number += 1;
            if self.queue.is_closed() {
                break;
            }
            let done = match line {
                Ok(line) if line.trim_ascii().is_empty() => Ok(()),
                Ok(line) => self.process(&line, &mut preparer),
                Err(too_long) => Err(RequestError::of_line(too_long.to_string())),
            };
            if let Err(error) = done {
                self.refuse(error, number);
            }
        }
        Ok(())
    }

    fn process(&self, line: &[u8], preparer: &mut Preparer) -> Result<(), RequestError> {
        match request::read(line)? {
            Request::Query(query) => self.queue.add(preparer.prepare(*query, line.len())?),
            Request::Action(action) => self.perform(&action, preparer),
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
