//! Opens the files that the settings name, and runs the console.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::game::ConsoleEngine;
use super::settings::ConsoleSettings;
use super::{LineEditor, Streams, run_with};
use crate::files::named;
use crate::files::paths::{Endpoint, check_distinct};

/// Opens the files and runs the console. Returns false if an error ended it in strict mode.
pub fn open(settings: &ConsoleSettings) -> io::Result<bool> {
    let [input, output] = [&settings.input, &settings.output].map(named_file);
    let read = input.map_or(Endpoint::Stdin, |path| Endpoint::File(path.into()));
    let outputs = [output, settings.log.as_deref()].into_iter().flatten().map(PathBuf::from);
    check_distinct([read], outputs).map_err(io::Error::other)?;
    // Before the output is opened: settings with an error leave an existing file as it is.
    let engine = ConsoleEngine::start(settings).map_err(io::Error::other)?;
    let source: Box<dyn BufRead> = match input {
        // On Unix it could be opened, and the error of reading it would not name it.
        Some(path) if path.is_dir() => {
            return Err(named(path, ErrorKind::IsADirectory.into()));
        }
        Some(path) => Box::new(BufReader::new(File::open(path).map_err(|e| named(path, e))?)),
        None => Box::new(io::stdin().lock()),
    };
    let target: Box<dyn Write> = match output {
        Some(path) => Box::new(File::create(path).map_err(|e| named(path, e))?),
        None => Box::new(io::stdout()),
    };
    let log: Option<Box<dyn Write>> = match &settings.log {
        Some(path) => {
            let log = OpenOptions::new().append(true).create(true).open(path);
            Some(Box::new(log.map_err(|e| named(path, e))?))
        }
        None => None,
    };
    let at_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let edits = at_terminal && input.is_none() && output.is_none();
    let editor = edits.then(LineEditor::open).transpose()?;
    let errors = io::stderr();
    run_with(engine, settings, Streams { input: source, output: target, errors, log, editor })
}

/// The file of an argument. `-` stands for the standard stream, as does no argument.
fn named_file(argument: &Option<PathBuf>) -> Option<&Path> {
    argument.as_deref().filter(|&path| path != Path::new("-"))
}
