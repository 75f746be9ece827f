//! The inputs of commands: files, and standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader};

use soucie::files::named;
use soucie::files::paths::Endpoint;

/// An input that is read.
pub type Source = Box<dyn BufRead + Send>;

/// Parses the name of an input; `-` stands for standard input.
pub fn read_source(text: &str) -> Result<Endpoint, String> {
    Ok(if text == "-" { Endpoint::Stdin } else { Endpoint::File(text.into()) })
}

/// Opens an input and begins to read it. Errors name the file.
pub fn open<T>(source: &Endpoint, read: impl FnOnce(Source) -> io::Result<T>) -> io::Result<T> {
    let Endpoint::File(path) = source else { return read(Box::new(BufReader::new(io::stdin()))) };
    let opened = File::open(path).and_then(|file| read(Box::new(BufReader::new(file))));
    opened.map_err(|error| named(path, error))
}

/// Whether all inputs are regular files, which can be read twice.
pub fn are_files(sources: &[Endpoint]) -> bool {
    sources.iter().all(|source| matches!(source, Endpoint::File(path) if path.is_file()))
}
