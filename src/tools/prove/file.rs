//! A proof as a file.
//!
//! It is text, a line for each position, so that anybody can read it, compare two of them, and
//! write another verifier in a few lines:
//!
//! ```text
//! soucie proof 1
//! variant linesofaction
//! option Simultaneous Connection=mover
//! ...
//! setup 8/6L1/3lLLl1/1L2Ll2/2llL3/3llLl1/3l2L1/8 b - - 0 1
//! plies 3
//! positions 2
//! 3 d6c5 8/6L1/3lLLl1/1L2Ll2/2llL3/3llLl1/3l2L1/8 b - - 0 1
//! 1 ...
//! end
//! ```
//!
//! Each line behind `positions` holds the plies until the win is on the board, the move, and the
//! setup of a position in which the winner is to move.

use std::io::{self, BufRead, Write};

use thiserror::Error;

use crate::files::lines::bounded_line;
use crate::tools::words::plural;

const TITLE: &str = "soucie proof 1";
const END: &str = "end";

/// The longest line that is read, in bytes: more than any setup has.
const LONGEST_LINE: usize = 1 << 12;

/// So many rule options are read: more than any game has.
const MOST_OPTIONS: usize = 64;

/// A setup, rules, and a move for every position that can come of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The name of the variant.
    pub variant: String,
    /// The rule options by name and value.
    pub options: Vec<(String, String)>,
    /// The position that is won.
    pub setup: String,
    /// The plies that the win takes, at most.
    pub plies: u32,
    /// The moves that win.
    pub answers: Vec<Answer>,
}

/// The move that wins in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The plies until the win is on the board, at most.
    pub plies: u32,
    /// The move.
    pub mv: String,
    /// The position.
    pub setup: String,
}

/// What is wrong with a file.
#[derive(Debug, Error)]
pub enum FileError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not what has to stand there.
    #[error("line {line}: here must stand {expected}")]
    Line {
        /// Which line, from 1.
        line: usize,
        /// What is missing.
        expected: &'static str,
    },
    /// A line that is longer than any line of a proof.
    #[error("line {line} has more than {LONGEST_LINE} bytes: this is not a proof")]
    TooLong {
        /// Which line, from 1.
        line: usize,
    },
    /// Another number of positions than it says.
    #[error("it holds {} and says {said}", plural(*found, "position", "positions"))]
    Positions {
        /// As many as there are.
        found: usize,
        /// As many as it says.
        said: usize,
    },
}

impl Proof {
    /// Writes it down.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "{TITLE}\nvariant {}", self.variant)?;
        for (name, value) in &self.options {
            writeln!(output, "option {name}={value}")?;
        }
        writeln!(output, "setup {}\nplies {}", self.setup, self.plies)?;
        writeln!(output, "positions {}", self.answers.len())?;
        for Answer { plies, mv, setup } in &self.answers {
            writeln!(output, "{plies} {mv} {setup}")?;
        }
        writeln!(output, "{END}")
    }

    /// Reads it. Nothing is checked but the form.
    pub fn read(input: impl BufRead) -> Result<Self, FileError> {
        let mut lines = Lines { input, number: 0, line: String::new() };
        lines.step()?;
        if lines.line != TITLE {
            return Err(lines.fault("'soucie proof 1'"));
        }
        lines.step()?;
        let variant = lines.behind("variant ").ok_or_else(|| lines.fault("'variant NAME'"))?;
        let mut options = Vec::new();
        lines.step()?;
        while let Some(option) = lines.behind("option ") {
            let pair = option.split_once('=').ok_or_else(|| lines.fault("'option NAME=VALUE'"))?;
            if options.len() == MOST_OPTIONS {
                return Err(lines.fault("'setup SETUP'"));
            }
            options.push((pair.0.to_string(), pair.1.to_string()));
            lines.step()?;
        }
        let setup = lines.behind("setup ").ok_or_else(|| lines.fault("'setup SETUP'"))?;
        lines.step()?;
        let plies = lines.behind("plies ").and_then(|text| text.parse().ok());
        let plies = plies.ok_or_else(|| lines.fault("'plies N'"))?;
        lines.step()?;
        let said = lines.behind("positions ").and_then(|text| text.parse().ok());
        let said: usize = said.ok_or_else(|| lines.fault("'positions N'"))?;
        let mut answers = Vec::new();
        lines.step()?;
        while lines.line != END {
            if answers.len() == said {
                return Err(lines.fault("'end': all positions were before"));
            }
            let answer = read_answer(&lines.line);
            answers.push(answer.ok_or_else(|| lines.fault("'PLIES MOVE SETUP', or 'end'"))?);
            lines.step()?;
        }
        if lines.next()? {
            return Err(lines.fault("nothing: 'end' was before"));
        }
        if answers.len() != said {
            return Err(FileError::Positions { found: answers.len(), said });
        }
        Ok(Self { variant, options, setup, plies, answers })
    }
}

fn read_answer(line: &str) -> Option<Answer> {
    let (plies, rest) = line.split_once(' ')?;
    let (mv, setup) = rest.split_once(' ')?;
    Some(Answer { plies: plies.parse().ok()?, mv: mv.to_string(), setup: setup.to_string() })
}

/// The lines of a file, one after the other.
struct Lines<R> {
    input: R,
    number: usize,
    line: String,
}

impl<R: BufRead> Lines<R> {
    /// Goes on to the next line.
    fn step(&mut self) -> Result<(), FileError> {
        if self.next()? { Ok(()) } else { Err(self.fault("another line: the file is cut off")) }
    }

    /// Reads the next line, if there is one.
    fn next(&mut self) -> Result<bool, FileError> {
        self.number += 1;
        let Some(line) = bounded_line(&mut self.input, LONGEST_LINE)? else { return Ok(false) };
        let line = line.map_err(|_| FileError::TooLong { line: self.number })?;
        let line = String::from_utf8_lossy(&line);
        self.line = line.strip_suffix('\r').unwrap_or(&line).to_string();
        Ok(true)
    }

    fn behind(&self, word: &str) -> Option<String> {
        self.line.strip_prefix(word).map(str::to_string)
    }

    fn fault(&self, expected: &'static str) -> FileError {
        FileError::Line { line: self.number, expected }
    }
}
