//! The command line options of the console, and how it is opened.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;

use super::player::ConsoleEngine;
use super::{LineEditor, Streams, run_with};
use crate::arguments::{StrengthArguments, TablesArgument, VariantArgument};
use soucie::engine::PlayingLevel;
use soucie::files::named;
use soucie::files::paths::{Endpoint, check_distinct};

/// Opens the files and runs the console. Returns false if an error ended it in strict mode.
pub fn open(settings: &ConsoleSettings) -> io::Result<bool> {
    let [input, output] = [&settings.input, &settings.output].map(named_file);
    let read = input.map_or(Endpoint::Stdin, |path| Endpoint::File(path.into()));
    check_distinct([read], output.map(PathBuf::from)).map_err(io::Error::other)?;
    // Before the output is opened: settings with an error leave an existing file as it is.
    let engine = ConsoleEngine::start(settings).map_err(io::Error::other)?;
    let at_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let edits = at_terminal && input.is_none() && output.is_none();
    let editor = edits.then(LineEditor::open).transpose()?;
    let source: Box<dyn BufRead> = match input {
        // On Unix it could be opened, and the error of reading it would not name it.
        Some(path) if path.is_dir() => {
            return Err(named(path, ErrorKind::IsADirectory.into()));
        }
        Some(path) => Box::new(BufReader::new(File::open(path).map_err(|e| named(path, e))?)),
        // The editor reads standard input itself, and must be able to lock it.
        None if editor.is_some() => Box::new(io::empty()),
        None => Box::new(io::stdin().lock()),
    };
    let target: Box<dyn Write> = match output {
        Some(path) => Box::new(File::create(path).map_err(|e| named(path, e))?),
        None => Box::new(io::stdout()),
    };
    let errors = io::stderr();
    run_with(engine, settings, Streams { input: source, output: target, errors, editor })
}

/// The file of an argument. `-` stands for the standard stream, as does no argument.
fn named_file(argument: &Option<PathBuf>) -> Option<&Path> {
    argument.as_deref().filter(|&path| path != Path::new("-"))
}

/// The longest time per move, in seconds: one day.
const LONGEST_TIME: f64 = 86_400.0;

/// The settings of a console session.
#[derive(Parser, Clone, Debug)]
#[command(after_help = include_str!("help.txt"))]
#[command(mut_arg("level", |level| level.default_value(PlayingLevel::default().name())))]
pub struct ConsoleSettings {
    /// File with commands, - for standard input [default: -]
    pub input: Option<PathBuf>,
    /// File for the output, overwritten; - for standard output [default: -]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub game: VariantArgument,
    /// Time for each move of the engine, in seconds, unless a seed is set
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = read_time)]
    pub time: Duration,
    /// The strength of the engine.
    #[command(flatten)]
    pub strength: StrengthArguments,
    /// Begin with the rules: small positions, each with a task
    #[arg(long)]
    pub learn: bool,
    /// Show the board with coordinates before each typed move
    #[arg(long)]
    pub board: bool,
    #[command(flatten)]
    pub tables: TablesArgument,
    /// Exit with status 1 at the first error
    #[arg(long)]
    pub strict: bool,
}

impl Default for ConsoleSettings {
    fn default() -> Self {
        Self::parse_from(["console"])
    }
}

fn read_time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=LONGEST_TIME).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or("expected seconds from 0 to 86400".to_string())
}
