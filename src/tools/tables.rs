//! `soucie tables`: builds, describes and verifies the endgame tables of English draughts.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::PathBuf;
use std::thread::available_parallelism;

use clap::{Args, Subcommand};
use indicatif::ProgressBar;

use super::words::time_left;
use crate::files::named;
use crate::games::draughts::tables::{self, MAX_PIECES, MIN_PIECES, Step, TableError, Tables};

/// What is to be done with tables.
#[derive(Subcommand, Clone, Debug)]
pub enum TablesCommand {
    /// Build what is missing of the tables; an interrupted build goes on where it was
    Build {
        /// The most pieces on the board, both sides together
        #[arg(long, value_name = "N", value_parser = pieces())]
        pieces: u64,
        /// How many threads [default: one for each core]
        #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
        threads: Option<u16>,
        /// The memory that may be used, in MiB
        #[arg(long, value_name = "MIB", default_value_t = 6144)]
        memory: usize,
        /// Where the tables lie
        #[command(flatten)]
        place: Place,
    },
    /// Say how many positions are known, a line for each number of pieces
    Info {
        /// Where the tables lie
        #[command(flatten)]
        place: Place,
    },
    /// Check every entry against those of its successors and name the first fault
    Verify {
        /// The most pieces on the board [default: all tables that are there]
        #[arg(long, value_name = "N", value_parser = pieces())]
        pieces: Option<u64>,
        /// How many threads [default: one for each core]
        #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
        threads: Option<u16>,
        /// Where the tables lie
        #[command(flatten)]
        place: Place,
    },
}

/// Where tables lie.
#[derive(Args, Clone, Debug)]
pub struct Place {
    /// The directory of the tables [default: in the user's data directory]
    #[arg(long, value_name = "D")]
    dir: Option<PathBuf>,
}

impl Place {
    fn dir(&self) -> io::Result<PathBuf> {
        let dir = self.dir.clone().or_else(tables::default_dir);
        dir.ok_or_else(|| io::Error::other("there is no data directory: say --dir"))
    }

    /// Returns whether no tables have been built yet. A directory given with `--dir` must exist.
    fn is_empty(&self) -> io::Result<bool> {
        let dir = self.dir()?;
        match dir.read_dir() {
            Ok(mut entries) => Ok(entries.next().is_none()),
            Err(error) if error.kind() == ErrorKind::NotFound && self.dir.is_none() => Ok(true),
            Err(error) => Err(named(&dir, error)),
        }
    }

    /// Returns the option for the directory, quoted for a shell; empty for the default directory.
    fn option(&self) -> String {
        let quoted = |dir: &PathBuf| {
            let text = dir.to_string_lossy();
            shlex::try_quote(&text).map_or_else(|_| text.to_string(), Into::into)
        };
        self.dir.as_ref().map_or(String::new(), |dir| format!(" --dir {}", quoted(dir)))
    }
}

fn pieces() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(MIN_PIECES as u64..=MAX_PIECES as u64)
}

fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from)
}

/// Runs a command. Returns true if no fault was found in the tables.
pub fn run(task: &TablesCommand, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<bool> {
    match task {
        TablesCommand::Build { pieces, threads: asked, memory, place } => {
            let bar = Bar::begin()?;
            let (pieces, memory) = (*pieces as usize, memory.saturating_mul(1 << 20));
            let hear = |step: Step| bar.hear(&step);
            tables::build(&place.dir()?, pieces, threads(*asked), memory, &hear)
                .map_err(io::Error::other)?;
            Ok(true)
        }
        TablesCommand::Info { place } => {
            let dir = place.dir()?;
            if place.is_empty()? {
                let option = place.option();
                writeln!(
                    out,
                    "no tables in {}: build them with `soucie tables build --pieces 5{option}`",
                    dir.display()
                )?;
                return Ok(true);
            }
            let tables = Tables::open(&dir).map_err(io::Error::other)?;
            describe(&tables, out)?;
            for error in tables.refused() {
                writeln!(err, "soucie: {error}")?;
            }
            Ok(tables.refused().is_empty())
        }
        TablesCommand::Verify { pieces, threads: asked, place } => {
            let bar = Bar::begin()?;
            let pieces = pieces.map(|pieces| pieces as usize);
            let hear = |step: Step| bar.hear(&step);
            let fault = tables::verify(&place.dir()?, pieces, threads(*asked), &hear)
                .map_err(io::Error::other)?;
            drop(bar);
            match &fault {
                Some(fault) => writeln!(out, "wrong: {fault}")?,
                None => writeln!(out, "every entry agrees with its successors")?,
            }
            Ok(fault.is_none())
        }
    }
}

/// Prints a line for each number of pieces.
fn describe(tables: &Tables, out: &mut dyn Write) -> io::Result<()> {
    for pieces in MIN_PIECES..=MAX_PIECES {
        if let Some(counts) = tables.counts(pieces) {
            let (all, won, lost, drawn) =
                (counts.positions(), counts.won, counts.lost, counts.drawn);
            writeln!(
                out,
                "{pieces} pieces: {all} positions, {won} won, {lost} lost, {drawn} drawn \
                 (Black to move)"
            )?;
            continue;
        }
        let (there, all) = tables.slices(pieces);
        if there > 0 {
            writeln!(out, "{pieces} pieces: {there} of {all} tables")?;
        }
    }
    Ok(())
}

/// A progress bar on standard error, hidden if that is not a terminal.
struct Bar(ProgressBar);

impl Bar {
    fn begin() -> io::Result<Self> {
        if !io::stderr().is_terminal() {
            return Ok(Self(ProgressBar::hidden()));
        }
        let style = time_left("{bar:30} {human_pos} of {human_len} positions{left}: {msg}")?;
        Ok(Self(ProgressBar::new(0).with_style(style)))
    }

    fn hear(&self, step: &Step) {
        match step {
            Step::Total(positions) => self.0.set_length(*positions as u64),
            Step::Slice(name) => self.0.set_message(name.to_string()),
            Step::Done(positions) => self.0.inc(*positions as u64),
            Step::Refused(error) => self.say(error),
        }
    }

    fn say(&self, error: &TableError) {
        self.0.suspend(|| {
            // The message is optional: standard error may be closed.
            let _ = writeln!(io::stderr(), "soucie: {error}; it is built again");
        });
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
