//! Opens the files that the settings name, and runs the console.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::player::ConsoleEngine;
use super::settings::ConsoleSettings;
use super::{LineEditor, Streams, run_with};
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
