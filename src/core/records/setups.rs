//! Files of positions: setups on one line each and drawn boards, in any mixture.
//!
//! A drawing ends after its eighth rank and any labels (a line of file letters, `Next move:
//! black`), at an empty line, or at the second `===` line. Empty lines and lines that begin with
//! `#` separate setups. The output of the protocol's `d`, a drawing and `Fen:` with the side to move,
//! is one setup.

use thiserror::Error;

use super::error::shorten;
use super::legality::{legal_plies, read_setup};
use super::read::Buffer;
use crate::files::lines::{BYTE_ORDER_MARK, LONGEST_LINE, TooLong};
use crate::game::{Variant, is_blank, split_moves, words};
use crate::games::board::{Drawing, read_drawing};
use crate::games::{self, DEFAULT_VARIANT, variants};

/// A text, or an error if it exceeds the length limit.
type BoundedLine = Result<String, TooLong>;

type BytesAndText = Result<(Vec<u8>, String), TooLong>;

/// A setup and the moves played on it, as in the command `position`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupMoves {
    /// The setup; `None` for the start position of the variant.
    pub setup: Option<String>,
    pub moves: Vec<String>,
}

/// Why a text is no setup with moves.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SetupMovesError {
    #[error("position: expected 'startpos', 'fen SETUP' or 'diagram LINES'")]
    Empty,
    /// A word that announces a setup, without the setup.
    #[error("position {0}: expected a setup")]
    NoSetup(&'static str),
    /// Another word than `moves` after `startpos`.
    #[error("position startpos: expected 'moves', found '{0}'")]
    NoMoves(String),
}

impl SetupMoves {
    /// Parses `startpos`, `fen SETUP`, `diagram LINES` or a setup alone, optionally after `position` and
    /// before `moves M ...`. The rules of a game are not checked.
    pub fn read(text: &str) -> Result<Self, SetupMovesError> {
        let (before, moves) = split_at_word(text, "moves");
        let before = after_word(before, "position").unwrap_or(before);
        let setup = if let Some(rest) = after_word(before, "startpos") {
            if let Some(word) = words(rest).next() {
                return Err(SetupMovesError::NoMoves(shorten(word)));
            }
            None
        } else if let Some(rest) = after_word(before, "fen") {
            Some(not_empty(rest, SetupMovesError::NoSetup("fen"))?.to_string())
        } else if let Some(rest) = after_word(before, "diagram") {
            // A command is one line, so slashes separate the lines of a diagram.
            let drawing = not_empty(rest, SetupMovesError::NoSetup("diagram"))?;
            Some(drawing.replace('/', "\n") + "\n")
        } else {
            Some(not_empty(before, SetupMovesError::Empty)?.to_string())
        };
        Ok(Self { setup, moves: split_moves(moves).into_iter().map(str::to_string).collect() })
    }

    pub fn of_setup(setup: &str) -> Self {
        Self { setup: Some(setup.to_string()), moves: Vec::new() }
    }

    /// Whether the setup looks like one or like a board diagram; true for a start position.
    pub fn is_likely(&self) -> bool {
        let Some(setup) = &self.setup else { return true };
        let word = setup.split_whitespace().next().unwrap_or_default();
        let is_placement = || {
            word.contains('/')
                && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"/-.".contains(&b))
        };
        // There may be blanks around the signs: `B : W 21 : B 1`.
        let has_side = || {
            let side = setup.trim_start().strip_prefix(['W', 'B', 'w', 'b']);
            side.is_some_and(|rest| rest.trim_start().starts_with(':'))
        };
        setup.contains('\n') || has_side() || is_placement()
    }

    /// The first variant in which the setup is valid and the most moves are legal, `default_variant`
    /// if it is one of these. Where letters do not tell the games apart, it is preferably one in which
    /// the game is not over. If the setup is valid in none, the one whose setups it resembles.
    pub fn variant(&self, default_variant: Option<&'static str>) -> &'static Variant {
        let default_variant = default_variant.and_then(games::variant);
        let fit = |variant: &'static Variant| {
            let setup = self.setup.as_deref().unwrap_or(variant.start);
            let read = read_setup(variant, setup).ok()?;
            let is_named = default_variant == Some(variant);
            let is_likely = is_named || !has_common_letters(setup) || !read.is_over;
            Some((legal_plies(variant, self.setup.as_deref(), &self.moves), is_likely))
        };
        let fitting = default_variant.into_iter().chain(variants());
        let fitting = fitting.filter_map(|variant| Some((variant, fit(variant)?)));
        let best = fitting.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map_or_else(|| self.nearest(), |(variant, _)| variant)
    }

    /// The variant with the fewest signs of the setup foreign to it.
    fn nearest(&self) -> &'static Variant {
        let setup = self.setup.as_deref().unwrap_or_default();
        let is_known = |variant: &Variant, c: char| {
            c.is_ascii_digit()
                || c.is_whitespace()
                || "/-.".contains(c)
                || variant.setup_signs.contains(c)
        };
        let foreign = |variant: &&Variant| setup.chars().filter(|&c| !is_known(variant, c)).count();
        variants().min_by_key(foreign).unwrap_or(DEFAULT_VARIANT)
    }
}

/// The text before the first occurrence of a word and that after it.
fn split_at_word<'a>(text: &'a str, word: &str) -> (&'a str, &'a str) {
    let starts = text.match_indices(word).map(|(start, _)| start);
    let parts =
        starts.filter_map(|start| Some((text.get(..start)?, text.get(start + word.len()..)?)));
    let mut parts = parts.filter(|(before, after)| {
        before.chars().next_back().is_none_or(is_blank) && after.chars().next().is_none_or(is_blank)
    });
    parts.next().unwrap_or((text, ""))
}

/// The text after its first word, if that is `word`.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.trim_start_matches(is_blank).strip_prefix(word)?;
    rest.chars().next().is_none_or(is_blank).then_some(rest)
}

fn not_empty(text: &str, error: SetupMovesError) -> Result<&str, SetupMovesError> {
    Some(text.trim_matches(is_blank)).filter(|text| !text.is_empty()).ok_or(error)
}

/// Whether a board has letters of several games: `b` and `w`, as the console draws the boards of
/// both, or those of a FEN.
fn has_common_letters(setup: &str) -> bool {
    let is_small = |letter: &char| matches!(letter, 'b' | 'w');
    let is_drawn = |drawing: Drawing| drawing.board.iter().flatten().any(is_small);
    setup.contains('/') || read_drawing(setup).is_ok_and(is_drawn)
}

/// Reads the setups of a text that arrives in parts.
#[derive(Default)]
pub(super) struct SetupReader {
    /// Whether the rest of a too long line is skipped.
    skips: bool,
}

impl SetupReader {
    /// The number of the first line of the next setup, a line or the lines of a drawing, with its bytes and its
    /// text; `None` if no further one has arrived as a whole.
    pub(super) fn next(&mut self, buffer: &mut Buffer) -> Option<(usize, BytesAndText)> {
        loop {
            let rest = buffer.rest();
            if self.skips {
                let end = rest.iter().position(|&byte| byte == b'\n');
                buffer.skip(end.map_or(rest.len(), |end| end + 1));
                self.skips = end.is_none();
            }
            if !buffer.is_ready() {
                return None;
            }
            let (text, is_whole) = (buffer.rest(), buffer.is_whole());
            let Some((end, setup)) = (Lines { text, is_whole }).setup() else {
                buffer.wait();
                return None;
            };
            self.skips = end == text.len() && !is_whole && !text.ends_with(b"\n");
            let bytes = text.get(..end).unwrap_or_default().to_vec();
            let line = buffer.location().line as usize;
            buffer.skip(end);
            if let Some(setup) = setup {
                return Some((line, setup.map(|text| (bytes, text))));
            }
        }
    }
}

/// The length of the first line or drawing of a text, and its text unless it is blank, a comment or too long. `None`
/// if that depends on what follows.
pub(super) fn first_entry(text: &[u8], is_whole: bool) -> Option<(usize, Option<String>)> {
    let (length, entry) = Lines { text, is_whole }.setup()?;
    Some((length, entry.and_then(Result::ok)))
}

/// The lines of a text that has arrived so far.
struct Lines<'a> {
    text: &'a [u8],
    is_whole: bool,
}

impl Lines<'_> {
    /// The line at a place, which is `None` at the end of the text, and the place of the next one. The line has
    /// no line end, and invalid UTF-8 is replaced. `None` if it is still to come.
    fn line(&self, at: usize) -> Option<(usize, Option<BoundedLine>)> {
        let rest = self.text.get(at..)?;
        let length = rest.iter().position(|&byte| byte == b'\n');
        if length.is_none() && !self.is_whole && rest.len() <= LONGEST_LINE {
            return None;
        }
        let line = rest.get(..length.unwrap_or(rest.len()))?;
        let end = at + line.len() + usize::from(length.is_some());
        if end == at {
            return Some((at, None));
        }
        if line.len() > LONGEST_LINE {
            return Some((end, Some(Err(TooLong::new(line, LONGEST_LINE)))));
        }
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        Some((end, Some(Ok(String::from_utf8_lossy(line).trim_end().to_string()))))
    }

    /// The setup that begins the text, which is `None` if the first line is part of none, and its end. `None` if
    /// that depends on what follows.
    fn setup(&self) -> Option<(usize, Option<BoundedLine>)> {
        let (mut end, first) = self.line(0)?;
        let first = match first {
            Some(Ok(line)) if !is_skipped(line.trim()) => line,
            Some(Err(error)) => return Some((end, Some(Err(error)))),
            _ => return Some((end, None)),
        };
        let kind = LineKind::of(first.trim());
        if kind == LineKind::Setup {
            return Some((end, Some(Ok(first.trim().to_string()))));
        }
        let is_framed = kind == LineKind::Frame;
        let mut ranks = usize::from(kind == LineKind::Rank);
        let mut drawing = first + "\n";
        // A too long line cannot be part of a drawing; it is reported on its own.
        while let (after, Some(Ok(line))) = self.line(end)? {
            let kind = LineKind::of(line.trim());
            let ends = match kind {
                LineKind::Blank | LineKind::Frame => !is_framed,
                LineKind::Setup => true,
                LineKind::Rank => ranks >= 8,
                LineKind::Label => false,
            };
            if ends || drawing.len() + line.len() > LONGEST_LINE {
                break;
            }
            end = after;
            ranks += usize::from(kind == LineKind::Rank);
            drawing = drawing + &line + "\n";
            // A frame ends without a look at the next line, which may still be to come.
            if kind == LineKind::Frame {
                break;
            }
        }
        // The setup after `Fen:`, if that is the next line that is not empty.
        let mut at = end;
        while !is_framed && let (after, Some(Ok(line))) = self.line(at)? {
            match line.trim().strip_prefix("Fen:") {
                Some(fen) => return Some((after, Some(Ok(fen.trim().to_string())))),
                None if line.trim().is_empty() => at = after,
                None => break,
            }
        }
        Some((end, Some(Ok(drawing))))
    }
}

/// Whether a line is no part of a setup: empty, a comment, or one that `d` prints below the board.
fn is_skipped(line: &str) -> bool {
    line.is_empty() || ["#", "Key: ", "Legal moves: "].iter().any(|head| line.starts_with(head))
}

/// The kinds of lines in a file of setups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LineKind {
    Blank,
    /// A complete setup.
    Setup,
    /// A rank of a drawing.
    Rank,
    /// A `===` line before or after a drawing.
    Frame,
    /// File letters, or the side to move.
    Label,
}

impl LineKind {
    fn of(line: &str) -> Self {
        let cells: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let lower = cells.to_ascii_lowercase();
        if cells.is_empty() {
            Self::Blank
        } else if cells.starts_with("===") {
            Self::Frame
        } else if lower.starts_with("nextmove:") || lower == "abcdefgh" {
            Self::Label
        } else if RANK_LENGTHS.contains(&cells.len()) && cells.chars().all(may_stand_on_a_rank) {
            Self::Rank
        } else {
            Self::Setup
        }
    }
}

/// The number of characters in a drawn rank: eight cells and up to two labels, with a tolerance of
/// one.
const RANK_LENGTHS: std::ops::RangeInclusive<usize> = 7..=11;

fn may_stand_on_a_rank(sign: char) -> bool {
    let is_piece = || sign.is_alphabetic() && variants().any(|v| v.setup_signs.contains(sign));
    matches!(sign, '-' | '.' | '1'..='8') || is_piece()
}
