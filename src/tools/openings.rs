//! Openings of matches and of self-play: random ones, or those of a file.
//!
//! A file contains game records, or one opening on each line: moves from the start position, or a
//! setup and optionally moves after it. The forms of the `position` command are accepted too, and
//! `#` starts a comment. In a line with several fields separated by `;`, the first playable field
//! counts, so that EPD lines and published opening lists can be used unchanged.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::io::{self, Write};
use std::path::Path;

use rand::RngExt;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::engine::EngineError;
use crate::engine::session::GameSession;
use crate::files::printable::Printable;
use crate::game::{Game, GameHistory};
use crate::records::{Record, RecordReader, begins_like_records};

/// The maximum size of a file of openings, in bytes.
pub const MAX_FILE_SIZE: u64 = 16 << 20;

/// The number of attempts to draw a random opening before giving up.
const TRIES: usize = 1_000;

/// The default range of the length of a random opening, in plies.
const PLIES: (u32, u32) = (6, 11);

/// The reason why there are no openings.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// A line of the file is not a valid opening.
    #[error("opening in line {number}: {why}")]
    Line {
        /// The line number, from 1.
        number: usize,
        /// The cause.
        why: String,
    },
    /// No random opening leaves the game undecided, or the file contains no opening.
    #[error("no opening to play")]
    None,
}

/// The opening of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Opening {
    /// The setup; `None` for the start position of the variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup: Option<String>,
    /// The moves from the setup, in coordinate notation.
    pub moves: Vec<String>,
}

impl Opening {
    /// Returns a session after the moves of the opening.
    pub fn begin(&self, start: &dyn GameSession) -> Result<Box<dyn GameSession>, EngineError> {
        let moves: Vec<&str> = self.moves.iter().map(String::as_str).collect();
        let mut session = start.copy();
        session.set_position(self.setup.as_deref(), &moves)?;
        Ok(session)
    }

    /// Returns the game after the moves of the opening. `start` is the start position.
    pub fn play<P: Game>(&self, start: &P) -> Result<GameHistory<P>, P::Error> {
        let setup = self.setup.as_deref();
        let begin = setup.map_or(Ok(*start), |setup| P::read_setup(setup, P::Rules::default()))?;
        let mut game = GameHistory::new(begin);
        for text in &self.moves {
            game.play(game.position().read_move(text)?);
        }
        Ok(game)
    }

    /// Returns the `position` command for the setup and `moves`, which include the opening moves.
    pub fn position(&self, moves: &[String]) -> String {
        let setup = self.setup.as_ref().map_or("startpos".to_string(), |fen| format!("fen {fen}"));
        let between = if moves.is_empty() { "" } else { " moves " };
        format!("position {setup}{between}{}", moves.join(" "))
    }
}

/// A source of openings. Each pair of games has one opening.
pub enum OpeningSource {
    /// A list, repeated from the start when it is exhausted.
    Listed(Vec<Opening>),
    /// Random openings, determined by the seed and the index of the pair.
    Random {
        /// The seed of the match.
        seed: u64,
        /// The minimum and maximum number of plies.
        plies: (u32, u32),
    },
}

impl OpeningSource {
    /// Returns random openings with a number of plies in the given range.
    pub fn random(seed: u64, plies: Option<(u32, u32)>) -> Self {
        Self::Random { seed, plies: plies.unwrap_or(PLIES) }
    }

    /// Returns the maximum number of moves in an opening.
    pub fn most_plies(&self) -> usize {
        match self {
            Self::Listed(openings) => {
                openings.iter().map(|opening| opening.moves.len()).max().unwrap_or(0)
            }
            Self::Random { plies: (_, most), .. } => *most as usize,
        }
    }

    /// Returns the opening of a pair of games; `pair` counts from 0.
    pub fn of_pair(&self, pair: usize, start: &dyn GameSession) -> Result<Opening, OpeningsError> {
        match self {
            Self::Listed(openings) => {
                openings.iter().cycle().nth(pair % openings.len().max(1)).cloned()
            }
            &Self::Random { seed, plies } => {
                // The generator mixes its seed, so that neighbouring pairs are uncorrelated.
                let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(pair as u64);
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
                (0..TRIES).find_map(|_| draw(start, plies, &mut random))
            }
        }
        .ok_or(OpeningsError::None)
    }
}

/// Draws random moves. Returns `None` if the game is over after them or the side to move can end it
/// with one move.
fn draw(
    start: &dyn GameSession,
    (least, most): (u32, u32),
    random: &mut Xoshiro256PlusPlus,
) -> Option<Opening> {
    let mut moves = Vec::new();
    let mut session = start.copy();
    for _ in 0..random.random_range(least..=most) {
        let legal = session.view().moves;
        // A 32-bit number gives the same choice on 32-bit and 64-bit platforms.
        let choice = random.random_range(0..u32::try_from(legal.len()).ok().filter(|&n| n > 0)?);
        let mv = legal.into_iter().nth(choice as usize)?;
        session.play(&mv).ok()?;
        moves.push(mv);
    }
    let view = session.view();
    // A move that ends the game is an immediate win or an early draw, so the opening is rejected.
    let ends =
        |mv: &String| session.with_moves(&[mv]).is_ok_and(|next| next.view().outcome.is_some());
    let is_open = view.outcome.is_none() && !view.moves.iter().any(ends);
    is_open.then_some(Opening { setup: None, moves })
}

/// Reads an opening file; `plies` limits the number of moves of each opening.
///
/// Games of an archive that give no opening are left out. If there are any, the second value is a
/// remark with their number and the reason of the first one. Each line of a list must be valid.
pub fn read(
    text: &[u8],
    start: &dyn GameSession,
    plies: Option<usize>,
) -> Result<(Vec<Opening>, Option<String>), OpeningsError> {
    let parser = OpeningParser { start, plies: plies.unwrap_or(usize::MAX) };
    let mut remark = None;
    let openings = if begins_like_records(text) {
        let (openings, left_out) = parser.games(text);
        let all = openings.len() + left_out.len();
        let count = left_out.len();
        match left_out.into_iter().next() {
            Some(error) if openings.is_empty() => Err(error),
            first => {
                let left_out = |error| format!("{count} of {all} games are left out: {error}");
                remark = first.map(left_out);
                Ok(openings)
            }
        }
    } else {
        let text = String::from_utf8_lossy(text);
        let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
        let lines = lines.filter_map(|(number, line)| Some((number, content(line)?)));
        lines.map(|(number, line)| parser.line(line).map_err(|why| wrong(number, why))).collect()
    }?;
    if openings.is_empty() { Err(OpeningsError::None) } else { Ok((openings, remark)) }
}

/// Prints a remark about a file of openings on standard error.
pub fn print_remark(path: &Path, remark: Option<String>) {
    if let Some(remark) = remark {
        // The remark is optional: standard error may be closed.
        let _ = writeln!(Printable(io::stderr()), "soucie: {}: {remark}", path.display());
    }
}

/// Returns the openings in playing order: the order of the file or, with a seed, shuffled.
pub fn ordered(mut openings: Vec<Opening>, seed: Option<u64>) -> OpeningSource {
    if let Some(seed) = seed {
        openings.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    }
    OpeningSource::Listed(openings)
}

fn wrong(number: usize, why: String) -> OpeningsError {
    OpeningsError::Line { number, why }
}

/// Returns the content of a line without comment, or `None` if it is empty.
fn content(line: &str) -> Option<&str> {
    let content = line.split('#').next().unwrap_or_default().trim();
    (!content.is_empty()).then_some(content)
}

struct OpeningParser<'a> {
    start: &'a dyn GameSession,
    plies: usize,
}

impl OpeningParser<'_> {
    /// Returns the openings of games, and the errors of the games that have none.
    fn games(&self, text: &[u8]) -> (Vec<Opening>, Vec<OpeningsError>) {
        let (mut openings, mut left_out) = (Vec::new(), Vec::new());
        for record in RecordReader::new(text).default_variant(self.start.variant().name) {
            let opening = match &record {
                Ok(record) => {
                    self.game(record).map_err(|why| wrong(record.location().line as usize, why))
                }
                Err(error) => Err(wrong(error.location.line as usize, error.fault.to_string())),
            };
            match opening {
                Ok(opening) => openings.push(opening),
                Err(error) => left_out.push(error),
            }
        }
        (openings, left_out)
    }

    fn game(&self, record: &Record) -> Result<Opening, String> {
        let (variant, other) = (self.start.variant().name, record.variant());
        if variant != other {
            return Err(format!("expected a game of {variant}, found {other}"));
        }
        let moves: Vec<&str> = record.moves().collect();
        // A fault after the opening does not matter.
        if let Some(fault) = record.fault().filter(|_| moves.len() < self.plies) {
            return Err(fault.to_string());
        }
        let played = self.play(record.setup(), &moves).map_err(|error| error.to_string())?;
        Self::open(played, record.setup().is_some())
    }

    fn line(&self, line: &str) -> Result<Opening, String> {
        let fields = line.split(';').map(str::trim).filter(|field| !field.is_empty());
        let mut longest = (0, String::new());
        for field in fields {
            match self.field(field, line.contains(';')) {
                Ok((session, has_setup)) => return Self::open(session, has_setup),
                // The error of the longest field is reported: most likely it was the opening.
                Err(error) if field.len() > longest.0 => {
                    longest = (field.len(), error.to_string());
                }
                Err(_) => {}
            }
        }
        Err(longest.1)
    }

    /// Returns a session with the opening of a field, and whether the field contains a setup. In
    /// EPD, the setup may be followed by operations instead of moves.
    fn field(
        &self,
        field: &str,
        is_epd: bool,
    ) -> Result<(Box<dyn GameSession>, bool), EngineError> {
        let field = field.strip_prefix("position ").unwrap_or(field);
        let words: Vec<&str> = field.split_whitespace().collect();
        let moves = match words.as_slice() {
            ["startpos", "moves", moves @ ..] | ["startpos", moves @ ..] => moves,
            moves => moves,
        };
        let played = self.play(None, moves);
        if played.is_ok() || !looks_like_a_setup(field) {
            return played.map(|session| (session, false));
        }
        let words = words.strip_prefix(&["fen"]).unwrap_or(&words);
        let fields = words.iter().skip(1).take_while(|word| is_of_setup(word)).count();
        let (setup, moves) = words.split_at_checked(1 + fields).unwrap_or((words, &[]));
        let setup = setup.join(" ");
        let moves = moves.strip_prefix(&["moves"]).unwrap_or(moves);
        let played = self.play(Some(&setup), moves);
        let played = if is_epd { played.or_else(|_| self.play(Some(&setup), &[])) } else { played };
        played.map(|session| (session, true))
    }

    fn play(
        &self,
        setup: Option<&str>,
        moves: &[&str],
    ) -> Result<Box<dyn GameSession>, EngineError> {
        let mut session = self.start.copy();
        session.set_position(setup, moves.get(..self.plies).unwrap_or(moves))?;
        Ok(session)
    }

    /// Returns the opening of a session, or an error if the game is over.
    fn open(session: Box<dyn GameSession>, has_setup: bool) -> Result<Opening, String> {
        if let Some(outcome) = session.view().outcome {
            return Err(outcome.to_string());
        }
        let moves = session.moves();
        let mut begun = session;
        begun.take_back(moves.len()).map_err(|error| error.to_string())?;
        Ok(Opening { setup: has_setup.then(|| begun.view().setup), moves })
    }
}

/// Returns whether a word after the board belongs to the setup: a side to move, a dash or a number.
fn is_of_setup(word: &str) -> bool {
    matches!(word, "b" | "w" | "black" | "white" | "-") || word.bytes().all(|b| b.is_ascii_digit())
}

/// Returns whether the text is probably meant as a setup.
fn looks_like_a_setup(text: &str) -> bool {
    let text = text.strip_prefix("fen ").unwrap_or(text);
    text.contains(['/', ',']) || ["W:", "B:"].iter().any(|head| text.starts_with(head))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::engine::open;
    use crate::games::variants;
    use crate::options::Options;

    fn start(variant: &'static str) -> Box<dyn GameSession> {
        let mut options = Options::default();
        options.variant = variant;
        open(&options).unwrap()
    }

    #[test]
    fn random_openings_are_reproducible_and_differ() {
        for variant in variants() {
            let start = start(variant.name);
            let openings = OpeningSource::random(1, None);
            let mut seen = Vec::new();
            for pair in 0..50 {
                let opening = openings.of_pair(pair, &*start).unwrap();
                assert_eq!(opening, openings.of_pair(pair, &*start).unwrap());
                assert!((6..=11).contains(&opening.moves.len()), "{opening:?}");
                assert!(!seen.contains(&opening), "{opening:?}");
                seen.push(opening);
            }
            let other = OpeningSource::random(2, None);
            assert!(!seen.contains(&other.of_pair(0, &*start).unwrap()));
        }
    }

    #[test]
    fn random_openings_leave_the_game_undecided() {
        let start = start(Options::default().variant);
        let openings = OpeningSource::random(7, Some((20, 30)));
        for pair in 0..20 {
            let opening = openings.of_pair(pair, &*start).unwrap();
            let session = opening.begin(&*start).unwrap();
            assert_eq!(session.view().outcome, None);
            for mv in session.view().moves {
                assert_eq!(session.with_moves(&[&mv]).unwrap().view().outcome, None);
            }
        }
    }

    #[test]
    fn openings_are_written_as_position_commands() {
        let moves = ["b8b6".to_string(), "a4c4".to_string()];
        let opening = Opening::default();
        assert_eq!(opening.position(&[]), "position startpos");
        assert_eq!(opening.position(&moves), "position startpos moves b8b6 a4c4");
        let opening = Opening { setup: Some("W:W31:B1".to_string()), moves: vec![] };
        assert_eq!(opening.position(&moves), "position fen W:W31:B1 moves b8b6 a4c4");
    }

    /// Returns the openings of a file as `position` commands.
    fn positions(variant: &'static str, text: &str, plies: Option<usize>) -> Vec<String> {
        let (openings, remark) = read(text.as_bytes(), &*start(variant), plies).unwrap();
        assert_eq!(remark, None);
        openings.iter().map(|opening| opening.position(&opening.moves)).collect()
    }

    const LOA: &str = "8/8/3l4/8/2l5/3L2L1/8/8 w";

    #[test]
    fn every_format_of_a_line_is_read() {
        let fen = format!("position fen {LOA} - - 0 1");
        let table = [
            ("b8b6 a4c4 # first\n\n# nothing\n", "position startpos moves b8b6 a4c4"),
            ("b8-b6 a4-c4", "position startpos moves b8b6 a4c4"),
            ("\u{feff}b8b6", "position startpos moves b8b6"),
            ("startpos", "position startpos"),
            ("position startpos moves b8b6", "position startpos moves b8b6"),
            (LOA, &fen),
            (&format!("fen {LOA} moves d3d5"), &format!("{fen} moves d3d5")),
            (&format!("{LOA} d3d5"), &format!("{fen} moves d3d5")),
            (&format!("{LOA} bm d3d5; id \"one\";"), &fen),
        ];
        for (text, position) in table {
            assert_eq!(positions("linesofaction", text, None), [position], "{text}");
        }
    }

    #[test]
    fn lists_of_ballots_and_games_are_read() {
        let draughts = |text| positions("englishdraughts", text, None);
        let setup = "W:W18,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,7,8,9,10,11,12,13";
        let ballot = format!("5;9-13 22-18 6-9;crossboard;ctd;Dreaded Edinburgh;{setup}");
        let first = draughts(&ballot).remove(0);
        assert!(first.starts_with("position startpos moves "), "{first}");
        assert_eq!(draughts("9-13 22-18 6-9"), [first.as_str()]);
        let game = "[GameType \"21\"]\n1. 9-13 22-18 2. 6-9 *\n";
        assert_eq!(draughts(game), [first.as_str()]);
        let fen = draughts(setup).remove(0);
        assert!(fen.starts_with("position fen W:W18,"), "{fen}");
        let sgf = "(;FF[4]GM[9];B[b8-b6];W[a4-c4])(;GM[9];B[b8-h8])";
        let games = positions("linesofaction", sgf, Some(1));
        assert_eq!(games, ["position startpos moves b8b6", "position startpos moves b8h8"]);
    }

    #[test]
    fn an_error_names_the_line() {
        let error_of = |text: &str| {
            read(text.as_bytes(), &*start("linesofaction"), None).err().unwrap().to_string()
        };
        let lost = "d1b3 h5g4 b1b4 g4g1 b4e7 a3c1 b3e6 h3f1 e1e5";
        let table = [
            ("b8b6\na1a2", "opening in line 2: illegal move a1a2"),
            (lost, "opening in line 1: Black has won"),
            ("# nothing", "no opening to play"),
            ("8/8 w", "opening in line 1: setup: "),
            (&format!("{LOA} a1a2"), "opening in line 1: illegal move a1a2"),
            ("1;a1a2;x", "opening in line 1: illegal move a1a2"),
            ("(;GM[9]\n;B[z])", "opening in line 2: "),
            (
                "[GameType \"21\"]\n1. 9-13 *\n",
                "expected a game of linesofaction, found englishdraughts",
            ),
        ];
        for (text, start) in table {
            assert!(error_of(text).contains(start), "{text}: {}", error_of(text));
        }
    }

    #[test]
    fn bad_games_of_an_archive_are_left_out() {
        let good = "[Event \"a\"]\n[GameType \"21\"]\n1. 9-13 22-18 2. 6-9 *\n\n";
        let illegal = "[Event \"b\"]\n[GameType \"21\"]\n1. 9-13 22-31 *\n\n";
        let foreign = "[Event \"c\"]\n[GameType \"20\"]\n1. 32-28 19-23 *\n\n";
        let over = "[Event \"d\"]\n[FEN \"B:W18:B14,15\"]\n1. 14x23 *\n\n";
        let sgf = "(;GM[9];B[b8-b6])";
        let table = [
            (
                "englishdraughts",
                [good, illegal, good].concat(),
                None,
                2,
                "1 of 3 games are left out",
            ),
            ("englishdraughts", [illegal, good].concat(), None, 1, "in line 1: illegal move 22-31"),
            ("englishdraughts", [good, foreign, over, good].concat(), None, 2, "2 of 4 games"),
            ("englishdraughts", [illegal, good].concat(), Some(1), 2, ""),
            ("linesofaction", [sgf, "(;GM[9];B[a1-a2])", sgf].concat(), None, 2, "1 of 3 games"),
            ("linesofaction", [sgf, "(;GM[1];B[aa])"].concat(), None, 1, "1 of 2 games"),
        ];
        for (variant, text, plies, count, expected) in table {
            let (openings, remark) = read(text.as_bytes(), &*start(variant), plies).unwrap();
            let remark = remark.unwrap_or_default();
            assert_eq!(openings.len(), count, "{text}: {remark}");
            assert!(
                remark.contains(expected) && remark.is_empty() == expected.is_empty(),
                "{remark}"
            );
        }
        let nothing_left = read(illegal.as_bytes(), &*start("englishdraughts"), None);
        let error = nothing_left.err().unwrap().to_string();
        assert!(error.contains("illegal move 22-31"), "{error}");
    }

    #[test]
    fn openings_come_in_order_or_shuffled_by_the_seed() {
        let start = start("linesofaction");
        let text = "b8b6\nb8h8\nc8c6\nd8d6\ne8e6\nf8f6\n";
        let play = |seed| -> Vec<Opening> {
            let openings = ordered(read(text.as_bytes(), &*start, None).unwrap().0, seed);
            (0..12).map(|pair| openings.of_pair(pair, &*start).unwrap()).collect()
        };
        let listed = play(None);
        assert_eq!(listed.first().unwrap().moves, ["b8b6"]);
        assert_eq!(listed.get(6..), listed.get(..6));
        let sorted = |mut openings: Vec<Opening>| {
            openings.sort_by(|a, b| a.moves.cmp(&b.moves));
            openings
        };
        assert_ne!(play(Some(1)), listed);
        assert_eq!(play(Some(1)), play(Some(1)));
        assert_ne!(play(Some(1)), play(Some(2)));
        assert_eq!(sorted(play(Some(1))), sorted(listed));
    }
}
