//! Game records in SGF or PDN, with the scores that the engines reported for their moves.

use std::io;

use super::engine_id::PerEngine;
use super::game_record::{GameRecord, MoveRecord};
use crate::options::Options;
use crate::records::{Info, RecordResult, record_game};
use crate::tools::analyse::table::score_text;

/// Returns the record of a game with the variant and the rules of `options`.
pub fn text(
    record: &GameRecord,
    names: &PerEngine<String>,
    options: &Options,
) -> io::Result<String> {
    let made = record.moves.iter().map(|turn| turn.text.as_str());
    let moves: Vec<&str> = record.opening.moves.iter().map(String::as_str).chain(made).collect();
    let setup = record.opening.setup.as_deref();
    let written = record_game(options.variant, setup, &|rule| options.rule(rule), &moves);
    let none = || io::Error::other("there is no such game");
    let mut written = written.ok_or_else(none)?.map_err(io::Error::other)?;
    written.set_info(Info::Event, "Engine match");
    written.set_info(Info::Round, &record.number.to_string());
    written.set_info(Info::Black, names.of(record.black));
    written.set_info(Info::White, names.of(!record.black));
    written.set_outcome(record.winner().map_or(RecordResult::Drawn, RecordResult::Won));
    let opening = record.opening.moves.len();
    if opening > 0 {
        written.add_comment(opening, "End of the opening.");
    }
    for (ply, turn) in (opening + 1..).zip(&record.moves) {
        written.add_comment(ply, &comment(turn));
    }
    written.add_comment(record.plies(), &record.end.reason);
    Ok(written.to_string())
}

/// Returns the comment of a move: score, depth and time, such as `+0.35/12 0.104s`.
fn comment(turn: &MoveRecord) -> String {
    let score = turn.score.map(score_text).unwrap_or_default();
    let depth = turn.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
    format!("{score}{depth} {:.3}s", turn.time.as_secs_f64())
}
