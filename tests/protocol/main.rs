//! Tests of the protocol, with the library and with the program.

mod analyse;
mod analysis;
mod archive;
mod clocks;
#[path = "../support/dialogue.rs"]
mod dialogue;
mod faults;
mod go_and_stop;
mod info_lines;
mod input;
mod json;
mod minimax;
#[path = "../support/player.rs"]
mod player;
#[path = "../support/programs.rs"]
mod programs;
#[path = "../support/published_games.rs"]
mod published_games;
mod shutdown;
mod time_controls;
mod transcripts;
mod transposition_table;

fn count(text: &str, start: &str) -> usize {
    text.lines().filter(|line| line.starts_with(start)).count()
}

fn last(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

/// The word after `word`.
fn word_after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    line.split_whitespace().skip_while(|&w| w != word).nth(1)
}

/// The number after `word`.
fn number_after(line: &str, word: &str) -> i64 {
    let number = word_after(line, word).and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("no {word} in {line}"))
}

/// A score as a number that is greater for better scores.
fn score_value(line: &str) -> i64 {
    match word_after(line, "score") {
        Some("mate") if number_after(line, "mate") > 0 => 1_000_000 - number_after(line, "mate"),
        Some("mate") => -1_000_000 - number_after(line, "mate"),
        _ => number_after(line, "cp"),
    }
}

/// The lines with a score and a principal variation.
fn scores(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.contains(" score ") && line.contains(" pv ")).collect()
}

/// The legal moves at the start.
const MOVES: &str = "b1b3 b1d3 b1h1 b8b6 b8d6 b8h8 c1a3 c1c3 c1e3 c8a6 c8c6 c8e6 d1b3 d1d3 d1f3 \
    d8b6 d8d6 d8f6 e1c3 e1e3 e1g3 e8c6 e8e6 e8g6 f1d3 f1f3 f1h3 f8d6 f8f6 f8h6 g1a1 g1e3 g1g3 \
    g8a8 g8e6 g8g6";

/// Nine moves after which Black has won.
const WON: &str = "position startpos moves d1b3 h5g4 b1b4 g4g1 b4e7 a3c1 b3e6 h3f1 e1e5";

/// A position in which a pass is the only move.
const PASS: &str = "position fen 6ox/6oo/8/8/8/8/oo6/xo6 b";

/// A win in one move that connects both sides.
const MATE: &str = "position fen 8/8/8/3L4/3L4/8/l7/L1l5 b";

const DRAUGHTS: &str = "setoption name UCI_Variant value englishdraughts";
