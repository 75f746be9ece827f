//! `soucie tables`: builds, describes, verifies and exports the endgame tables of English draughts, and
//! describes and verifies databases.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::slice;

use clap::{Args, Subcommand};
use indicatif::ProgressBar;

use super::arguments::{ThreadArguments, number};
use super::error::note;
use super::interrupt;
use super::progress::progress_bar;
use soucie::files::paths::{Endpoint, check_distinct};
use soucie::files::{atomic_file, named};
use soucie::game::TablebaseError;
use soucie::games::draughts::tablebase::{
    self, DATABASE_PIECES, DatabaseCheck, Databases, MAX_PIECES, MIN_PIECES, OwnTables, Step,
};

/// The end of `soucie tables --help`.
const TABLES_HELP: &str = "\
Tables are exact: with up to five pieces they have the distance to the end of the game in plies, with
six the result only. `soucie`, `play`, `analyse` and `console` find tables in the user's data directory,
or in the one that SOUCIE_HOME names; other directories are set with TablePath or --tables.

Building 6 pieces takes half an hour on one core, 755 MiB of memory and 97 MB of files; 5 pieces take
three minutes and 47 MB. While a build runs, another one in the same directory is refused, except on
Windows. Tables of another version are reported and built again. `soucie tables info` then prints:
  2 pieces: 3488 positions, 716 won, 402 lost, 2370 drawn (Black to move)
  3 pieces: 196032 positions, 100250 won, 87305 lost, 8477 drawn (Black to move)
  4 pieces: 6209316 positions, 2574304 won, 1917090 lost, 1717922 drawn (Black to move)
  5 pieces: 139450808 positions, 71334772 won, 56993144 lost, 11122892 drawn (Black to move)
6 pieces have 2,426,085,676 more. The longest distance with five pieces is 162 plies.

A directory can also have win-loss-draw databases in the format of Chinook, such as DB6 and DB6.idx,
with up to eight pieces. `info` prints which parts they have: a part is the positions with the same
pieces and the same ranks of the most advanced men. A database DB6 has parts of six pieces and none of
more, and all of 4 against 2 pieces or none, as of every division; otherwise it is refused. `verify`
compares every position in which neither side can capture with own tables. Where these have none, the
values of up to four pieces are compared with the known ones, and those of more are checked against each
other: by a sample, or all with --whole. It prints how many were checked; consistent values need not be
right. Both commands print the hash of a database that is not a published one known to Soucie.

The exit status of `info` and `verify` is 1 if a table is damaged or has a wrong value, that of `verify`
also if no value of a database could be compared or checked, or none compared with those of --own.

Examples:
  soucie tables build
  soucie tables info
  soucie tables verify
  soucie tables verify --dir chinook --pieces 5";

/// The `soucie tables` commands.
#[derive(Subcommand, Clone, Debug)]
#[command(after_help = TABLES_HELP)]
pub enum TablesCommand {
    /// Build the missing tables; an interrupted build continues where it stopped
    Build {
        /// Maximum number of pieces on the board, both sides together
        #[arg(long, value_name = "N", default_value_t = 6, value_parser = pieces())]
        pieces: usize,
        #[command(flatten)]
        threads: ThreadArguments,
        /// Memory limit, in MiB
        #[arg(long, value_name = "MIB", default_value_t = 6144, value_parser = number::<usize>(1..))]
        memory: usize,
        /// The directory of the tables
        #[command(flatten)]
        directory: DirectoryArgument,
    },
    /// Print the number of positions, one line per number of pieces
    Info {
        /// The directory of the tables
        #[command(flatten)]
        directory: DirectoryArgument,
    },
    /// Write the tables of up to four pieces as one file for the engine in WebAssembly
    Export {
        /// File to write; an existing one is replaced: 3.7 MB, 0.6 MB once compressed with gzip
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// The directory of the tables
        #[command(flatten)]
        directory: DirectoryArgument,
    },
    /// Check every entry against its successors, and databases against own tables and their
    /// successors, and print the first error
    Verify {
        /// Maximum number of pieces on the board [default: all tables]
        #[arg(long, value_name = "N", value_parser = number(MIN_PIECES..=DATABASE_PIECES))]
        pieces: Option<usize>,
        /// Directory of the own tables that databases are compared with [default: that of the
        /// databases, or else the user's]
        #[arg(long, value_name = "DIR")]
        own: Option<PathBuf>,
        /// Check all positions of databases that own tables do not have, not only a sample of those
        /// with more than four pieces
        #[arg(long)]
        whole: bool,
        #[command(flatten)]
        threads: ThreadArguments,
        /// The directory of the tables
        #[command(flatten)]
        directory: DirectoryArgument,
    },
}

/// The directory of the tables.
#[derive(Args, Clone, Debug)]
pub struct DirectoryArgument {
    /// Directory of the tables [default: in the user's data directory]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl DirectoryArgument {
    fn path(&self) -> io::Result<PathBuf> {
        let dir = self.dir.clone().or_else(tablebase::default_dir);
        dir.ok_or_else(|| io::Error::other("no data directory found: use --dir"))
    }

    /// Returns whether no tables have been built yet. A directory given with `--dir` must exist.
    fn is_empty(&self) -> io::Result<bool> {
        let dir = self.path()?;
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

fn pieces() -> impl Fn(&str) -> Result<usize, String> + Clone + Send + Sync + 'static {
    number(MIN_PIECES..=MAX_PIECES)
}

/// Runs a command. Returns true if no fault was found in the tables.
pub fn run(command: &TablesCommand, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<bool> {
    match command {
        TablesCommand::Build { pieces, threads, memory, directory } => {
            interrupt::end_with(interrupt::UNFINISHED);
            let bar = Bar::begin();
            let (pieces, memory) = (*pieces, memory.saturating_mul(1 << 20));
            let on_step = |step: Step| bar.on_step(&step);
            let dir = directory.path()?;
            tablebase::build(&dir, pieces, threads.count(), memory, &on_step)
                .map_err(io::Error::other)?;
            drop(bar);
            writeln!(out, "tables of up to {pieces} pieces are in {}", dir.display())?;
            Ok(true)
        }
        TablesCommand::Info { directory } => info(directory, out, err),
        TablesCommand::Export { out: target, directory } => {
            let dir = directory.path()?;
            let inputs = tablebase::table_files(&dir).map(Endpoint::File);
            check_distinct(inputs, [target.clone()]).map_err(io::Error::other)?;
            interrupt::end_with("interrupted");
            atomic_file::write(target, &tablebase::export(&dir).map_err(io::Error::other)?)?;
            Ok(true)
        }
        TablesCommand::Verify { pieces, threads, own, whole, directory } => {
            let dir = directory.path()?;
            let (databases, refused) = Databases::open(slice::from_ref(&dir)).unwrap_or_default();
            for error in &refused {
                writeln!(err, "soucie: {error}")?;
            }
            let mut is_right = refused.is_empty();
            let has_databases = databases.slices() > 0 || !is_right;
            if OwnTables::are_in(&dir) || !has_databases {
                let pieces = pieces.map(|pieces| pieces.min(MAX_PIECES));
                is_right &= verify_tables(&dir, pieces, threads.count(), out)?;
            }
            if databases.slices() > 0 {
                let found = || match OwnTables::are_in(&dir) {
                    true => Some(dir.clone()),
                    false => tablebase::default_dir().filter(|dir| dir.is_dir()),
                };
                let folder = own.clone().or_else(found);
                let tables = OwnTables::open_all(folder.as_slice()).map_err(io::Error::other)?;
                let pieces = pieces.unwrap_or(DATABASE_PIECES);
                let bar = Bar::begin();
                let on_step = |step: Step| bar.on_step(&step);
                let check = databases.verify(&tables, pieces, *whole, threads.count(), &on_step);
                drop(bar);
                let check = check.map_err(io::Error::other)?;
                describe_files(&databases, out)?;
                report(&check, out)?;
                if let (Some(own), 0, []) = (own, check.equal, &*check.faults) {
                    return Err(io::Error::other(format!(
                        "nothing was compared: no own tables of these positions in {}",
                        own.display()
                    )));
                }
                if check.is_empty() {
                    let text = "nothing of the databases was compared or checked";
                    return Err(io::Error::other(text));
                }
                is_right &= check.faults.is_empty();
            }
            Ok(is_right)
        }
    }
}

/// Describes the tables and databases of a directory. Returns whether all can be used.
fn info(
    directory: &DirectoryArgument,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<bool> {
    let dir = directory.path()?;
    let folders = if directory.is_empty()? { &[][..] } else { slice::from_ref(&dir) };
    let mut tables = OwnTables::open_all(folders).map_err(io::Error::other)?;
    let (mut databases, mut refused) = Databases::open(folders).map_err(io::Error::other)?;
    refused.extend(tables.take_refused());
    refused.extend(databases.close_wrong(&tables).map_err(io::Error::other)?);
    describe(&tables, out)?;
    describe_databases(&databases, out)?;
    describe_files(&databases, out)?;
    if !has_any(&tables) && databases.slices() == 0 && refused.is_empty() {
        let (dir, option) = (dir.display(), directory.option());
        writeln!(out, "no tables in {dir}: build them with `soucie tables build{option}`")?;
    }
    for error in &refused {
        writeln!(err, "soucie: {error}")?;
    }
    Ok(refused.is_empty())
}

/// Verifies the tables of a directory. Returns whether they are right.
fn verify_tables(
    dir: &Path,
    pieces: Option<usize>,
    threads: usize,
    out: &mut dyn Write,
) -> io::Result<bool> {
    let bar = Bar::begin();
    let on_step = |step: Step| bar.on_step(&step);
    let fault = tablebase::verify(dir, pieces, threads, &on_step).map_err(io::Error::other)?;
    drop(bar);
    match &fault {
        Some(fault) => writeln!(out, "wrong: {fault}")?,
        None => writeln!(out, "every entry is consistent with its successors")?,
    }
    Ok(fault.is_none())
}

/// Prints what a verification of databases found.
fn report(check: &DatabaseCheck, out: &mut dyn Write) -> io::Result<()> {
    for fault in &check.faults {
        writeln!(out, "wrong: {fault}")?;
    }
    let DatabaseCheck { equal, unknown, known, consistent, .. } = check;
    writeln!(
        out,
        "databases: {equal} positions have the value of own tables, {unknown} are not in own tables"
    )?;
    if *known > 0 {
        writeln!(out, "databases: {known} of these have the known values of up to four pieces")?;
    }
    if *unknown > 0 {
        writeln!(
            out,
            "databases: {consistent} of these {unknown} were checked and are consistent with their \
             successors: consistent is not proved"
        )?;
    }
    Ok(())
}

/// Prints a line for each database.
fn describe_files(databases: &Databases, out: &mut dyn Write) -> io::Result<()> {
    for (path, what) in databases.describe() {
        writeln!(out, "{}: {what}", path.display())?;
    }
    Ok(())
}

/// Prints a line for each number of pieces.
fn describe_databases(databases: &Databases, out: &mut dyn Write) -> io::Result<()> {
    for pieces in MIN_PIECES..=DATABASE_PIECES {
        match databases.slices_of(pieces) {
            (0, ..) => {}
            (there, _, None) => writeln!(out, "databases, {pieces} pieces: all {there} parts")?,
            (there, all, Some(missing)) => writeln!(
                out,
                "databases, {pieces} pieces: {there} of {all} parts; the first missing one is \
                 BASE{missing}"
            )?,
        }
    }
    Ok(())
}

fn has_any(tables: &OwnTables) -> bool {
    (MIN_PIECES..=MAX_PIECES).any(|pieces| tables.slices(pieces).0 > 0)
}

/// Prints a line for each number of pieces.
fn describe(tables: &OwnTables, out: &mut dyn Write) -> io::Result<()> {
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
    fn begin() -> Self {
        let template = "{bar:30} {human_pos} of {human_len} positions{left}: {msg}";
        Self(progress_bar(Some(0), template))
    }

    fn on_step(&self, step: &Step) {
        match step {
            Step::Total(positions) => self.0.set_length(*positions as u64),
            Step::Slice(name) => self.0.set_message(name.to_string()),
            Step::Done(positions) => self.0.inc(*positions as u64),
            Step::Refused(error) => self.print_error(error),
        }
    }

    fn print_error(&self, error: &TablebaseError) {
        self.0.suspend(|| note(format_args!("{error}; rebuilding it")));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
