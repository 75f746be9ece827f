//! The library for CheckerBoard, without the functions of its binary interface, which
//! `tests/external/windows/run` calls.

use std::fs;
use std::time::Duration;

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

#[test]
fn tables_that_cannot_be_used_are_shown_with_every_move() {
    let folder = programs::empty_folder("checkerboard/tables");
    fs::write(folder.join("0m1k-0m1k.table"), "damaged").unwrap();
    let mut settings = Settings::default();
    assert!(settings.set("dbpath", folder.to_str().unwrap()));
    let (board, side) = board::read(&squares("b11 b3 w24 w28"), BLACK).unwrap();
    let (history, time) = (String::new(), Time::Exact(TIMEOUT));
    let request = MoveRequest { board, side, history, time, settings };
    let mut player = WindowPlayer::new().unwrap();
    for _ in 0..2 {
        let mut shown = Shown::default();
        player.play(&request, &mut shown).unwrap();
        assert!(shown.0.contains("0m1k-0m1k.table is not an endgame table"), "{}", shown.0);
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
