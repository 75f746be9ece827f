//! The proof file format.
//!
//! A proof is a text file with one line for each position. It can be read, compared with `diff`,
//! and checked by an independent verifier of a few lines:
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
//! Each line after `positions` has three fields: the plies until the win, the winning move, and
//! the setup of a position in which the winner is to move.
//!
//! The format 2 has a line `tables 5 pieces crc32 1a2b3c4d` before the setup: lines of play also end at
//! positions that these endgame tables have, and the plies are those until then. With move counters on
//! they are an upper bound: where a counter leaves more plies, the tables may have a win earlier. Where
//! databases are beside the tables or in their place, the line ends with `databases 8 pieces sha256 ` and
//! the SHA-256 hash of the only database, or of the hashes of all, 32 bytes each. That of one covers the
//! words of its index, with a space between two and a line feed after each line that is not empty, and
//! then the bytes of its data.
//!
//! The format 3 has the line of the tables only if it rests on some. Lines such as `move d2f4` after the
//! setup are the moves of a game that begins there: the claim is about the position after them. The game
//! counts for draws by repetition and by move counts.
//!
//! It may have one of two other claims in the place of `plies`. `loss 6` means that the side to move loses
//! within 6 plies; the lines after `positions` are the winning moves of the other side. `no win white`
//! means that White cannot force a win. Each line after `positions` then has a move of the other side and
//! the setup of the position for it:
//!
//! ```text
//! no win white
//! positions 1
//! 7-11 B:W18,19:BK7
//! end
//! ```
//!
//! `no win white within 5` means that White cannot force a win within 5 plies. Each line then begins with
//! the plies that are left in its position, as that of a win.
//!
//! After each of these moves, every reply leads to a position that has a line, that the tables have, or in
//! which the game is over, and never to a win. Lines of play may be endless.

use std::io::{self, BufRead, Write};

use crate::files::lines::bounded_line;
use crate::files::printable::plural;
use crate::game::Side;
use crate::proofs::ProofError;

const TITLE: &str = "soucie proof 1";
const TITLE_WITH_TABLES: &str = "soucie proof 2";
const TITLE_OF_OTHERS: &str = "soucie proof 3";
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
    /// The side to move wins.
    Win {
        /// The maximum number of plies until the win, or until the tables.
        plies: u32,
    },
    /// The side to move loses.
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
    /// The name of the variant.
    pub variant: String,
    /// The rule options by name and value.
    pub options: Vec<(String, String)>,
    /// The endgame tables on which the proof rests, as [`Tablebase::identity`] names them.
    ///
    /// [`Tablebase::identity`]: crate::game::Tablebase::identity
    pub tables: Option<String>,
    /// The setup with which the game begins.
    pub setup: String,
    /// The moves of the game.
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
    /// The move.
    pub mv: String,
    /// The setup of the position.
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
        let title = match self.claim {
            ProofClaim::Loss { .. } | ProofClaim::NoWin { .. } => TITLE_OF_OTHERS,
            ProofClaim::Win { .. } if !self.moves.is_empty() => TITLE_OF_OTHERS,
            ProofClaim::Win { .. } if self.tables.is_some() => TITLE_WITH_TABLES,
            ProofClaim::Win { .. } => TITLE,
        };
        writeln!(output, "{title}\nvariant {}", self.variant)?;
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
            match self.claim {
                ProofClaim::NoWin { plies: None, .. } => writeln!(output, "{mv} {setup}")?,
                _ => writeln!(output, "{plies} {mv} {setup}")?,
            }
        }
        writeln!(output, "{END}")
    }

    /// Reads a proof. Only the format is checked, not the proof itself.
    pub fn read(input: impl BufRead) -> Result<Self, ProofError> {
        let mut lines = ProofLines { input, number: 0, line: String::new() };
        lines.step()?;
        let has_tables = lines.line == TITLE_WITH_TABLES;
        let is_other = lines.line == TITLE_OF_OTHERS;
        if lines.line != TITLE && !has_tables && !is_other {
            let error = format!(
                "not a proof file: the first line must be `{TITLE}`, `{TITLE_WITH_TABLES}` or \
                 `{TITLE_OF_OTHERS}`"
            );
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
        if tables.is_some() != has_tables && !is_other {
            let expected = if has_tables { "'tables NAME'" } else { "'setup SETUP'" };
            return Err(lines.fault(expected));
        }
        if tables.is_some() {
            lines.step()?;
        }
        let setup = lines.after("setup ").ok_or_else(|| lines.fault("'setup SETUP'"))?;
        let mut moves = Vec::new();
        lines.step()?;
        while let (true, Some(mv)) = (is_other, lines.after("move ")) {
            moves.push(mv);
            lines.step()?;
        }
        let number = |word| lines.after(word).and_then(|text| text.parse().ok());
        let win = number("plies ").map(|plies| ProofClaim::Win { plies });
        let loss = || number("loss ").map(|plies| ProofClaim::Loss { plies });
        let no_win = || read_no_win(&lines.after("no win ")?);
        let claim = win.or_else(|| if is_other { loss().or_else(no_win) } else { None });
        let expected = if is_other {
            "'move MOVE', 'plies N', 'loss N' or 'no win SIDE'"
        } else {
            "'plies N'"
        };
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
            let (answer, expected) = match claim {
                ProofClaim::NoWin { plies: None, .. } => {
                    (read_move(&lines.line, 0), "'MOVE SETUP', or 'end'")
                }
                _ => (read_answer(&lines.line), "'PLIES MOVE SETUP', or 'end'"),
            };
            answers.push(answer.ok_or_else(|| lines.fault(expected))?);
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
    read_move(rest, plies.parse().ok()?)
}

fn read_move(text: &str, plies: u32) -> Option<Answer> {
    let (mv, setup) = text.split_once(' ')?;
    Some(Answer { plies, mv: mv.to_string(), setup: setup.to_string() })
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
        self.line = line.strip_suffix('\r').unwrap_or(&line).to_string();
        Ok(true)
    }

    fn after(&self, word: &str) -> Option<String> {
        self.line.strip_prefix(word).map(str::to_string)
    }

    fn fault(&self, expected: &'static str) -> ProofError {
        ProofError::Other(format!("line {}: expected {expected}", self.number))
    }
}
