//! Parses typed lines into commands of the console.

use std::num::NonZeroUsize;

use super::refusal::ConsoleRefusal;
use soucie::engine::PlayingLevel;
use soucie::files::printable::excerpt;
use soucie::game::{Piece, Side, plain_move, split_moves, words};

/// The answer to `help`. It avoids the markers of prompts, moves and boards, which scripts search
/// for.
pub const HELP: &str = "\
A move is two squares: d1-b3. In draughts also 11-15 or 22x15; other notations are read, too.
new           start position, Black to move; players, seed and limit stay
resign        gives up the game
draw          offers a draw, which the engine accepts unless it stands better
auto P        the engine plays side P, black or white
manual P      the moves of side P are typed
seed N        reproducible moves of the engine: the same for the same N and the same moves
limit N       a tie after N moves of each side (60 at the start)
level L       how strong the engine plays: beginner, easy, medium, hard or full
moves         lists the legal moves
hint          shows the move that the engine would make at full strength, and why
skip          the next lesson, if the console began with --learn
undo [N]      takes back the last N moves, two by default; after resign or draw, only that
board         shows the board with coordinates; board on, board off: before each typed move
dump          shows the board and the side to move, for programs
set SQ P N    puts black, white or - on square SQ, such as c4, in draughts also 22; N (black or
              white) moves next, at once if the engine plays N. In draughts, B and W put kings.
              The board is checked before the next move. The game starts there: earlier moves
              do not count for limit and undo
save FILE     writes the game to a new file, or to one to which this session has saved it, as
              SGF or PDN
load FILE     continues the first game or position of a file
rules         the rules of the game
help or ?     shows this
quit          ends the program, as the end of the input does
Blank lines, lines that begin with # and further words on a line are ignored, but not after a file name.";

/// The plies that `undo` takes back by default: the user's move and the engine's.
const UNDO_PLIES: usize = 2;

/// A line: see [`HELP`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConsoleCommand {
    /// No command: a blank line or a comment.
    Nothing,
    Move(String),
    New,
    Resign,
    Draw,
    /// `auto` or `manual`: whether the engine plays this side.
    Automatic(Side, bool),
    Seed(u64),
    Limit(u64),
    Undo(usize),
    Level(PlayingLevel),
    Moves,
    /// Go to the next lesson.
    Skip,
    Hint,
    Board(Option<bool>),
    Load(String),
    Save(String),
    Rules,
    Set {
        square: String,
        piece: Option<Piece>,
        next: Side,
    },
    Dump,
    Help,
    Quit,
}

pub fn read(line: &str) -> Result<ConsoleCommand, ConsoleRefusal> {
    let words: Vec<&str> = words(line).collect();
    let Some((&first, rest)) = words.split_first() else { return Ok(ConsoleCommand::Nothing) };
    if first.starts_with('#') {
        return Ok(ConsoleCommand::Nothing);
    }
    let incomplete =
        |command: &str, usage: &str| Err(ConsoleRefusal(format!("{command}: expected {usage}")));
    Ok(match (first.to_ascii_lowercase().as_str(), rest) {
        ("new", _) => ConsoleCommand::New,
        ("resign", _) => ConsoleCommand::Resign,
        ("draw", _) => ConsoleCommand::Draw,
        ("auto", [player, ..]) => ConsoleCommand::Automatic(read_side("auto", player)?, true),
        ("auto", []) => return incomplete("auto", "black or white, as in auto black"),
        ("manual", [player, ..]) => ConsoleCommand::Automatic(read_side("manual", player)?, false),
        ("manual", []) => return incomplete("manual", "black or white, as in manual black"),
        ("seed", [number, ..]) => ConsoleCommand::Seed(read_seed(number)?),
        ("seed", []) => return incomplete("seed", "a number, as in seed 42"),
        ("limit", [number, ..]) => {
            ConsoleCommand::Limit(number.parse().map_err(|_| not_a_number("limit", number))?)
        }
        ("limit", []) => return incomplete("limit", "a number of moves, as in limit 60"),
        ("undo", []) => ConsoleCommand::Undo(UNDO_PLIES),
        ("undo", [number, ..]) => {
            let expected = "a whole number of at least 1";
            let plies: NonZeroUsize =
                number.parse().map_err(|_| unreadable("undo", expected, number))?;
            ConsoleCommand::Undo(plies.get())
        }
        ("level", [level, ..]) => ConsoleCommand::Level(
            level.parse().map_err(|_| unreadable("level", PlayingLevel::NAMES, level))?,
        ),
        ("level", []) => return incomplete("level", PlayingLevel::NAMES),
        ("moves", _) => ConsoleCommand::Moves,
        ("hint", _) => ConsoleCommand::Hint,
        ("skip", _) => ConsoleCommand::Skip,
        ("board", []) => ConsoleCommand::Board(None),
        ("board", [switch, ..]) => ConsoleCommand::Board(Some(read_switch(switch)?)),
        ("load", [name]) => ConsoleCommand::Load((*name).to_string()),
        ("load", []) => return incomplete("load", "a file name, as in load game.sgf"),
        ("load", _) => return incomplete("load", ONE_FILE),
        ("save", [name]) => ConsoleCommand::Save((*name).to_string()),
        ("save", []) => return incomplete("save", "a file name, as in save game.sgf"),
        ("save", _) => return incomplete("save", ONE_FILE),
        ("rules", _) => ConsoleCommand::Rules,
        ("set", [square, piece, next, ..]) => ConsoleCommand::Set {
            square: shown(square),
            piece: read_piece(piece)?,
            next: read_side("set", next)?,
        },
        ("set", _) => {
            return incomplete(
                "set",
                "a square, its contents and the side to move, as in set c4 black white",
            );
        }
        ("dump", _) => ConsoleCommand::Dump,
        ("help" | "?", _) => ConsoleCommand::Help,
        ("quit", _) => ConsoleCommand::Quit,
        _ => {
            let mv = split_moves(line).first().copied().unwrap_or_default();
            if !may_be_move(&plain_move(mv)) {
                let found = shown(first);
                return Err(ConsoleRefusal(format!(
                    "expected a command or a move, found '{found}'; 'help' lists the commands"
                )));
            }
            ConsoleCommand::Move(mv.to_string())
        }
    })
}

/// What `load` and `save` expect.
const ONE_FILE: &str = "one file name without spaces";

/// Whether a word may be a move, for the game to decide: every notation of a move except a pass
/// contains a digit.
fn may_be_move(word: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == ':';
    word.len() <= LONGEST
        && word.chars().all(is_sign)
        && (word.contains(|c: char| c.is_ascii_digit()) || word.eq_ignore_ascii_case("pass"))
}

/// The maximum length of a word in messages, in characters. Every move is shorter.
const LONGEST: usize = 40;

/// A word for use in error messages: truncated, with control characters escaped.
fn shown(word: &str) -> String {
    excerpt(word, LONGEST).escape_debug().to_string()
}

fn read_switch(word: &str) -> Result<bool, ConsoleRefusal> {
    match word.to_ascii_lowercase().as_str() {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(unreadable("board", "on or off", word)),
    }
}

fn read_side(command: &str, word: &str) -> Result<Side, ConsoleRefusal> {
    let called = |side: &Side| side.to_string().eq_ignore_ascii_case(word);
    let side = Side::BOTH.into_iter().find(called);
    side.ok_or_else(|| unreadable(command, "black or white", word))
}

/// Parses the contents of a square: a side, `-`, or a letter as printed by `dump`.
fn read_piece(word: &str) -> Result<Option<Piece>, ConsoleRefusal> {
    let letter = match word.to_ascii_lowercase().as_str() {
        "-" => return Ok(None),
        "black" => 'b',
        "white" => 'w',
        _ => word.parse().unwrap_or_default(),
    };
    let kinds = LETTERS.iter().enumerate();
    let mut pieces = kinds.flat_map(|(kind, letters)| {
        Side::BOTH.into_iter().zip(letters).map(move |(side, name)| (name, Piece { side, kind }))
    });
    let piece = pieces.find(|(name, _)| **name == letter).map(|(_, piece)| piece);
    let expected = "black, white, a letter of dump or -";
    piece.map(Some).ok_or_else(|| unreadable("set", expected, word))
}

/// The letters of each kind of piece, for Black and White.
const LETTERS: [[char; 2]; 2] = [['b', 'w'], ['B', 'W']];

/// The letter that `dump` prints for a square.
pub fn letter(square: Option<Piece>) -> char {
    let Some(piece) = square else { return '-' };
    let [black, white] = LETTERS.get(piece.kind).copied().unwrap_or(['?'; 2]);
    if piece.side == Side::Black { black } else { white }
}

/// Parses a seed: any 64-bit number, signed or unsigned.
fn read_seed(word: &str) -> Result<u64, ConsoleRefusal> {
    let signed = || word.parse::<i64>().map(i64::cast_unsigned);
    word.parse().or_else(|_| signed()).map_err(|_| not_a_number("seed", word))
}

fn not_a_number(command: &str, word: &str) -> ConsoleRefusal {
    unreadable(command, "a whole number", word)
}

fn unreadable(command: &str, expected: &str, found: &str) -> ConsoleRefusal {
    ConsoleRefusal(format!("{command}: expected {expected}, found '{}'", shown(found)))
}
