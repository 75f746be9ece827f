//! The library for CheckerBoard, without the functions of its binary interface, which
//! `tests/external/windows/run` calls.

use std::sync::Arc;
use std::time::Duration;
use std::{fs, thread};

use crate::programs::{self, waits::TIMEOUT};
use soucie::checkerboard::Library;
use soucie::checkerboard::board::{self, Squares};
use soucie::checkerboard::player::{Claim, MoveRequest, Window, WindowPlayer};
use soucie::checkerboard::settings::Settings;
use soucie::checkerboard::time::Time;

const WHITE: i32 = 1;
const BLACK: i32 = 2;

/// A window that ends a search which has reached a depth, and keeps what it was shown last.
#[derive(Default)]
struct Shown(String);

impl Window for Shown {
    fn plays_now(&self) -> bool {
        let depth = self.0.split("depth ").nth(1).and_then(|text| text.split('/').next());
        depth.is_some_and(|depth| depth.parse::<u32>().unwrap() >= 8)
    }

    fn show(&mut self, text: &str) {
        self.0 = text.to_string();
    }
}

/// The board with these pieces, by square numbers: `b3 W15`, capitals for kings.
fn squares(pieces: &str) -> Squares {
    let mut squares = Squares::default();
    for piece in pieces.split(' ') {
        let (letter, number) = piece.split_at(1);
        let index: usize = number.parse::<usize>().unwrap() - 1;
        let (y, x) = (index / 4, 6 + index / 4 % 2 - 2 * (index % 4));
        squares[x][y] = "_____wb__WB".find(letter).unwrap() as i32;
    }
    squares
}

#[test]
fn only_what_is_certain_is_claimed() {
    let shuffled = "set gamehist B:WK1:BK32 32-28 1-6 28-32 6-1 32-28 1-6 28-32 6-1";
    for (pieces, colour, history, claim, moves) in [
        // White cannot move; Black has only one move, after which his last man is captured.
        ("w12 B8 b3", WHITE, "", Claim::Loss, false),
        ("W30 b21", BLACK, "", Claim::Loss, true),
        ("B19 w24", BLACK, "", Claim::Win, true),
        // The same position, alone and for the third time.
        ("W1 B32", BLACK, "", Claim::Unknown, true),
        ("W1 B32", BLACK, shuffled, Claim::Draw, true),
        // A history that leads to another position does not count.
        ("W2 B32", BLACK, shuffled, Claim::Unknown, true),
        ("W1 B32", WHITE, shuffled, Claim::Unknown, true),
        ("W1 B32", BLACK, "set gamehist nonsense", Claim::Unknown, true),
    ] {
        let library = Library::default();
        assert!(history.is_empty() || library.answer(history).is_some());
        let mut shown = Shown::default();
        let time = Time::Exact(TIMEOUT);
        let reply = library.get_move(&squares(pieces), colour, time, &mut shown).unwrap();
        let found = (reply.claim, reply.played.is_some());
        assert_eq!(found, (claim, moves), "{pieces} {colour} {history}: {}", shown.0);
    }
}

#[test]
fn positions_that_are_none_are_refused() {
    let mut on_a_light_square = Squares::default();
    on_a_light_square[0][1] = 6;
    for (squares, colour, error) in [
        (squares("b1 w32"), 0, "setup: 0 is no colour"),
        (on_a_light_square, BLACK, "setup: a piece stands on a light square"),
        ([[7; 8]; 8], BLACK, "setup: 7 is no piece"),
    ] {
        let time = Time::Exact(Duration::from_millis(10));
        let reply = Library::default().get_move(&squares, colour, time, &mut Shown::default());
        assert_eq!(reply.err().map(|error| error.to_string()).as_deref(), Some(error));
    }
}

/// Moves of a player with these settings, and the last line of the status bar for each.
fn lines(settings: &[(&str, &str)], pieces: &str, time: Time, moves: usize) -> Vec<String> {
    let mut player = WindowPlayer::new(Arc::new(|_| ())).unwrap();
    let mut chosen = Settings::default();
    for (name, value) in settings {
        chosen.set(name, value).unwrap();
    }
    let line = |_| {
        let (board, side) = board::read(&squares(pieces), BLACK).unwrap();
        let (history, settings) = (String::new(), chosen.clone());
        let mut shown = Shown::default();
        player.play(&MoveRequest { board, side, history, time, settings }, &mut shown).unwrap();
        shown.0
    };
    (0..moves).map(line).collect()
}

#[test]
fn what_cannot_be_used_is_shown_with_one_move_behind_the_line() {
    let folder = programs::empty_folder("checkerboard/tables");
    fs::write(folder.join("0m1k-0m1k.table"), "damaged").unwrap();
    let foreign = programs::empty_folder("checkerboard/db");
    fs::write(foreign.join("db2.idx"), "BASE").unwrap();
    fs::write(foreign.join("db2.cpr"), "data").unwrap();
    for (name, value, notice) in [
        ("dbpath", folder.to_str().unwrap(), "0m1k-0m1k.table is not an endgame table"),
        ("dbpath", foreign.to_str().unwrap(), "db has databases of another program"),
        ("bookfile", foreign.join("db2.cpr").to_str().unwrap(), "BookFile: "),
    ] {
        let lines = lines(&[(name, value)], "b11 b3 w24 w28", Time::Exact(TIMEOUT), 2);
        assert!(lines[0].starts_with("score=") && lines[0].contains(notice), "{lines:?}");
        // Depth, score and move stay where the window shows them. A fast search counts in MN/s.
        assert!(lines[0].find(notice).unwrap() > lines[0].find("N/s").unwrap(), "{lines:?}");
        assert!(!lines[1].contains(notice), "{lines:?}");
    }
}

#[test]
fn a_book_move_has_its_score_and_does_not_end_an_analysis() {
    let start = "b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 \
                 w21 w22 w23 w24 w25 w26 w27 w28 w29 w30 w31 w32";
    let depth = |line: &str| {
        let depth = line.split("depth ").nth(1).and_then(|text| text.split('/').next());
        depth.unwrap().parse::<u32>().unwrap()
    };
    let named = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words[0] == "book" && words[1].contains('-') && words[2].starts_with(['+', '-'])
    };
    let played = &lines(&[], start, Time::Exact(TIMEOUT), 1)[0];
    assert!(named(played), "{played}");
    let without = &lines(&[("book", "0")], start, Time::Exact(TIMEOUT), 1)[0];
    assert!(!named(without), "{without}");
    // `Shown` ends a search that has reached a depth.
    let analysed = &lines(&[], start, Time::read(f64::INFINITY, 0, 0), 1)[0];
    assert!(named(analysed) && depth(analysed) >= 8, "{analysed}");
}

#[test]
fn commands_are_answered() {
    let tables = programs::empty_folder("checkerboard/check");
    let check = format!("set check_wld_dir {}", tables.display());
    let cpus = thread::available_parallelism().unwrap().to_string();
    for (command, reply) in [
        ("get cpus", Some(&*cpus)),
        ("get max_dbpieces", Some("24")),
        ("get mtcpath", None),
        ("set mtcpath C:\\", None),
        ("set nothing 1", None),
        ("nonsense", None),
        ("set hashsize 0", Some("hashsize is 64: expected a whole number from 1 to 65536")),
        ("set max_dbpieces 25", Some("max_dbpieces is 24: expected a whole number from 0 to 24")),
        (&check, Some("no complete set of endgame tables and no database in ")),
        ("staticevaluation B:W32:BK1", Some("")),
        ("staticevaluation B:W33:BK1", Some("setup: ")),
        ("staticevaluation", Some("setup: ")),
    ] {
        let answer = Library::default().answer(command);
        let is_right = match (&answer, reply) {
            (Some(answer), Some(reply)) => answer.starts_with(reply),
            (answer, reply) => answer.is_none() && reply.is_none(),
        };
        assert!(is_right, "{command}: {answer:?}");
    }
}

#[test]
fn legal_moves_are_described() {
    let library = Library::default();
    let board = squares("b11 w15 w24 b3");
    for (from, to, jumps) in [(11, 18, Some(1)), (11, 16, None), (3, 7, None), (40, -1, None)] {
        let found = library.legal_move(&board, BLACK, from, to);
        assert_eq!(found.map(|mv| mv.jumps), jumps, "{from}-{to}");
    }
    let capture = library.legal_move(&board, BLACK, 11, 18).unwrap();
    assert_eq!((capture.captured_pieces[0], capture.old_piece, capture.new_piece), (5, 6, 6));
    let crowned = library.legal_move(&squares("b26 w21"), BLACK, 26, 31).unwrap();
    assert_eq!((crowned.old_piece, crowned.new_piece), (6, 10));
}
