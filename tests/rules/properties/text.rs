//! Random text is read as a setup or a move, or is an error.

use proptest::collection;
use proptest::strategy::ValueTree;
use proptest::string::string_regex;
use proptest::test_runner::TestRunner;
use soucie::game::Game;

use super::*;

/// Random text, from noise to valid setups.
pub fn any_setup<P: Game>() -> impl Strategy<Value = String> {
    const NUMBERS: &str = "(K?[1-3]?[0-9](-[1-3]?[0-9])?,){0,4}K?[1-3]?[0-9]";
    prop_oneof![
        "(?s).{0,100}",
        "[0-9a-zA-Z/ :,.\n-]{0,100}",
        "[BW]:[BW]?[K0-9,.-]{0,40}:[BW]?[K0-9,.-]{0,40}",
        string_regex(&format!("[BW]:W{NUMBERS}:B{NUMBERS}[.]?")).unwrap(),
        (any_board::<P>(), "( [bwBW]| black|\nNext move: (white|black|\\PC)|)( - - 0 1)?")
            .prop_map(|(board, rest)| board + &rest),
        nearly_the_start::<P>(),
    ]
}

/// A board of eight ranks with a few pieces, on one line or on eight.
fn any_board<P: Game>() -> impl Strategy<Value = String> {
    let piece = (0..64_usize, proptest::sample::select(piece_letters::<P>()));
    (collection::vec(piece, 0..8), prop_oneof!["/", "\n"]).prop_map(|(pieces, join)| {
        let mut board = [['-'; 8]; 8];
        for (square, letter) in pieces {
            board[square / 8][square % 8] = letter;
        }
        board.map(String::from_iter).join(&join)
    })
}

/// The letters of the pieces in the diagrams of a game.
fn piece_letters<P: Game>() -> Vec<char> {
    let mut letters = Vec::new();
    for setup in P::VARIANTS[0].bench {
        let drawing = P::read_setup(setup, P::Rules::default()).unwrap().diagram();
        letters.extend(drawing.lines().take(8).flat_map(str::chars));
    }
    letters.retain(|letter| letter.is_alphabetic());
    letters.sort_unstable();
    letters.dedup();
    letters
}

/// The start position with one character replaced.
fn nearly_the_start<P: Game>() -> impl Strategy<Value = String> {
    let start = P::VARIANTS[0].start;
    (0..start.len(), "[1-9a-zA-Z/ ]{0,2}").prop_map(move |(at, patch)| {
        let mut text = start.to_string();
        text.replace_range(at..=at, &patch);
        text
    })
}

pub fn any_move() -> impl Strategy<Value = String> {
    prop_oneof![
        "(?s).{0,20}",
        "[a-iA-I][0-9][-xX:]?[a-iA-I][0-9]",
        "[a-h][1-8]{1,2}([a-h][1-8]){1,6}",
        "[0-9]{1,3}([-x:][0-9]{1,3}){0,5}",
        "0{0,6}|pass|resign",
    ]
}

/// A text is read as a setup or is an error. A setup that is read can be written and read again.
pub fn reads_any_setup<P: Game>(text: &str) -> Result<bool, TestCaseError> {
    let rules = P::Rules::default();
    match P::read_setup(text, rules) {
        Ok(position) => {
            let written = position.write_setup();
            prop_assert_eq!(P::read_setup(&written, rules).ok(), Some(position), "{}", written);
            prop_assert_eq!(outcome(&position).is_some(), legal_moves(&position).is_empty());
            prop_assert!(position.evaluate().abs() < EVALUATION_BOUND, "{}", written);
            Ok(true)
        }
        Err(error) => {
            prop_assert!(!error.to_string().is_empty());
            Ok(false)
        }
    }
}

/// A text is read as a legal move or is an error.
pub fn reads_any_move<P: Game>(text: &str) -> Result<(), TestCaseError> {
    for variant in P::VARIANTS {
        for setup in [variant.start].iter().chain(variant.bench) {
            let position = P::read_setup(setup, P::Rules::default())
                .map_err(|error| TestCaseError::fail(error.to_string()))?;
            match position.read_move(text) {
                Ok(mv) => prop_assert!(legal_moves(&position).contains(&mv), "{}", text),
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }
    Ok(())
}

/// Some of the random setups are valid.
pub fn some_random_setups_are_read<P: Game>(_: GameExpectations) {
    let mut runner = TestRunner::deterministic();
    let mut read = 0;
    for _ in 0..2000 {
        let tree = any_setup::<P>().new_tree(&mut runner).unwrap();
        read += usize::from(reads_any_setup::<P>(&tree.current()).unwrap());
    }
    assert!(read > 20, "only {read} of 2000 random setups are positions");
}
