//! The proof file format.
//!
//! A proof is a text file with one line for each position. It can be read, compared with `diff`,
//! and checked by an independent verifier of a few lines:
//!
//! ```text
//! soucie proof 2
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
//! Each line after `positions` has three fields: the plies until the win, the winning move, and
//! the setup of a position in which the winner is to move.
//!
//! | line | meaning |
//! |---|---|
//! | `tables 5 pieces crc32 1a2b3c4d` | before the setup: lines of play also end at positions that these endgame tables have, and the plies are those until then. With move counters on they are an upper bound: where a counter leaves more plies, the tables may have a win earlier |
//! | `move d2f4` | after the setup: a move of a game that begins there. The claim is about the position after the moves. The game counts for draws by repetition and by move counts |
//! | `loss 6` | in the place of `plies`: the side to move loses within 6 plies. The answers are those of the other side |
//! | `no win white` | in its place: White cannot force a win. The answers are those of Black. After each of them, every reply leads to a position that has an answer, that the tables have, or in which the game is over, and never to a win. Lines of play may be endless, so the plies are 0 |
//! | `no win white within 5` | White cannot force a win within 5 plies. Each answer begins with the plies that are left in its position |
//!
//! Where databases are beside the tables or in their place, the line of the tables ends with `databases 8
//! pieces sha256 ` and the SHA-256 hash of the only database, or of the hashes of all, 32 bytes each. That
//! of one covers the words of its index, with a space between two and a line feed after each line that is
//! not empty, and then the bytes of its data.
//!
//! Format 1, of version 0.2.0, has wins by the rules alone. It is read too.

use std::io::{self, BufRead, Write};

use crate::files::lines::bounded_line;
use crate::files::printable::plural;
use crate::game::Side;
use crate::proofs::ProofError;

const TITLE: &str = "soucie proof 2";
const OLD_TITLE: &str = "soucie proof 1";
const END: &str = "end";

/// The maximum length of a line in bytes, longer than any setup.
const LONGEST_LINE: usize = 1 << 12;

/// The maximum number of rule options, more than any game has.
const MOST_OPTIONS: usize = 64;

/// What a proof with or without endgame tables proves, in words before the number of plies.
pub fn win(has_tables: bool) -> &'static str {
    if has_tables { "win in the endgame tables after at most" } else { "win in at most" }
}

/// What a proof claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofClaim {
    Win {
        /// The maximum number of plies until the win, or until the tables.
        plies: u32,
    },
    Loss {
        /// The maximum number of plies until the loss, or until the tables.
        plies: u32,
    },
    /// A side cannot force a win.
    NoWin {
        /// The side that cannot force a win.
        attacker: Side,
        /// The plies within which it cannot, if they are limited.
        plies: Option<u32>,
    },
}

/// A proof of a claim: setup, rules, and a move for every position that can be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    pub variant: String,
    pub options: Vec<(String, String)>,
    /// The endgame tables on which the proof rests, as [`Tablebase::identity`] names them.
    ///
    /// [`Tablebase::identity`]: crate::game::Tablebase::identity
    pub tables: Option<String>,
    pub setup: String,
    pub moves: Vec<String>,
    /// What is proved of the position after them.
    pub claim: ProofClaim,
    /// The moves of the winner, or of the side that prevents the win.
    pub answers: Vec<Answer>,
}

/// The move in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The maximum number of plies until the win; 0 if there is none.
    pub plies: u32,
    pub mv: String,
    pub setup: String,
}

impl Proof {
    /// What is proved, in words.
    pub fn claimed(&self) -> String {
        match self.claim {
            ProofClaim::Win { plies } => {
                format!("{} {}", win(self.tables.is_some()), plural(plies, "ply", "plies"))
            }
            ProofClaim::Loss { plies } => {
                let tables = if self.tables.is_some() { " in the endgame tables" } else { "" };
                format!("loss{tables} after at most {}", plural(plies, "ply", "plies"))
            }
            ProofClaim::NoWin { attacker, plies: None } => format!("{attacker} cannot force a win"),
            ProofClaim::NoWin { attacker, plies: Some(plies) } => {
                format!("{attacker} cannot force a win within {}", plural(plies, "ply", "plies"))
            }
        }
    }

    /// Writes the proof in the file format.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "{TITLE}\nvariant {}", self.variant)?;
        for (name, value) in &self.options {
            writeln!(output, "option {name}={value}")?;
        }
        if let Some(tables) = &self.tables {
            writeln!(output, "tables {tables}")?;
        }
        writeln!(output, "setup {}", self.setup)?;
        for mv in &self.moves {
            writeln!(output, "move {mv}")?;
        }
        match self.claim {
            ProofClaim::Win { plies } => writeln!(output, "plies {plies}")?,
            ProofClaim::Loss { plies } => writeln!(output, "loss {plies}")?,
            ProofClaim::NoWin { attacker, plies } => {
                let within = plies.map_or(String::new(), |plies| format!(" within {plies}"));
                writeln!(output, "no win {}{within}", attacker.name())?;
            }
        }
        writeln!(output, "positions {}", self.answers.len())?;
        for Answer { plies, mv, setup } in &self.answers {
            writeln!(output, "{plies} {mv} {setup}")?;
        }
        writeln!(output, "{END}")
    }

    /// Reads a proof. Only the format is checked, not the proof itself.
    pub fn read(input: impl BufRead) -> Result<Self, ProofError> {
        let mut lines = ProofLines { input, number: 0, line: String::new() };
        lines.step()?;
        if lines.line != TITLE && lines.line != OLD_TITLE {
            let error =
                format!("not a proof file: the first line must be `{TITLE}` or `{OLD_TITLE}`");
            return Err(ProofError::Other(error));
        }
        lines.step()?;
        let variant = lines.after("variant ").ok_or_else(|| lines.fault("'variant NAME'"))?;
        let mut options = Vec::new();
        lines.step()?;
        while let Some(option) = lines.after("option ") {
            let pair = option.split_once('=').ok_or_else(|| lines.fault("'option NAME=VALUE'"))?;
            if options.len() == MOST_OPTIONS {
                return Err(lines.fault("'setup SETUP'"));
            }
            options.push((pair.0.to_string(), pair.1.to_string()));
            lines.step()?;
        }
        let tables = lines.after("tables ");
        if tables.is_some() {
            lines.step()?;
        }
        let setup = lines.after("setup ").ok_or_else(|| lines.fault("'setup SETUP'"))?;
        let mut moves = Vec::new();
        lines.step()?;
        while let Some(mv) = lines.after("move ") {
            moves.push(mv);
            lines.step()?;
        }
        let number = |word| lines.after(word).and_then(|text| text.parse().ok());
        let win = number("plies ").map(|plies| ProofClaim::Win { plies });
        let loss = || number("loss ").map(|plies| ProofClaim::Loss { plies });
        let no_win = || read_no_win(&lines.after("no win ")?);
        let claim = win.or_else(loss).or_else(no_win);
        let expected = "'move MOVE', 'plies N', 'loss N' or 'no win SIDE'";
        let claim = claim.ok_or_else(|| lines.fault(expected))?;
        lines.step()?;
        let expected = lines.after("positions ").and_then(|text| text.parse().ok());
        let expected: usize = expected.ok_or_else(|| lines.fault("'positions N'"))?;
        let mut answers = Vec::new();
        lines.step()?;
        while lines.line != END {
            if answers.len() == expected {
                return Err(lines.fault("'end' after the last position"));
            }
            let answer = read_answer(&lines.line);
            answers.push(answer.ok_or_else(|| lines.fault("'PLIES MOVE SETUP', or 'end'"))?);
            lines.step()?;
        }
        if lines.next()? {
            return Err(lines.fault("nothing after 'end'"));
        }
        if answers.len() != expected {
            let found = answers.len();
            return Err(ProofError::Other(format!("expected {expected} positions, found {found}")));
        }
        Ok(Self { variant, options, tables, setup, moves, claim, answers })
    }
}

/// Reads `white`, or `white within 5`.
fn read_no_win(text: &str) -> Option<ProofClaim> {
    let (name, plies) = match text.split_once(" within ") {
        Some((name, plies)) => (name, Some(plies.parse().ok()?)),
        None => (text, None),
    };
    let attacker = Side::BOTH.into_iter().find(|side| side.name() == name)?;
    Some(ProofClaim::NoWin { attacker, plies })
}

fn read_answer(line: &str) -> Option<Answer> {
    let (plies, rest) = line.split_once(' ')?;
    let (mv, setup) = rest.split_once(' ')?;
    Some(Answer { plies: plies.parse().ok()?, mv: mv.to_string(), setup: setup.to_string() })
}

struct ProofLines<R> {
    input: R,
    number: usize,
    line: String,
}

impl<R: BufRead> ProofLines<R> {
    /// Reads the next line. The end of the file is an error.
    fn step(&mut self) -> Result<(), ProofError> {
        if self.next()? { Ok(()) } else { Err(self.fault("another line: the file is truncated")) }
    }

    /// Reads the next line. Returns false at the end of the file.
    fn next(&mut self) -> Result<bool, ProofError> {
        self.number += 1;
        let Some(line) = bounded_line(&mut self.input, LONGEST_LINE)? else { return Ok(false) };
        let number = self.number;
        let too_long =
            || format!("line {number} is longer than {LONGEST_LINE} bytes: not a proof file");
        let line = line.map_err(|_| ProofError::Other(too_long()))?;
        let line = String::from_utf8_lossy(&line);
        self.line = line.trim_end_matches('\r').to_string();
        Ok(true)
    }

    fn after(&self, word: &str) -> Option<String> {
        self.line.strip_prefix(word).map(str::to_string)
    }

    fn fault(&self, expected: &'static str) -> ProofError {
        ProofError::Other(format!("line {}: expected {expected}", self.number))
    }
}
