//! Writes the record of the game being played.

use serde::Deserialize;

use super::refusal::Refusal;
use crate::engine::PlayedMove;
use crate::engine::session::GameSession;
use crate::game::Variation;
use crate::options::Options;
use crate::records::{Annotation, HeaderField, Record, RecordResult, WinReason, record_game};

/// The object after `export`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExportRequest {
    pub black: Option<String>,
    pub white: Option<String>,
    pub event: Option<String>,
    /// The date; it gets the form of the record format.
    pub date: Option<String>,
    /// Who annotated the game, besides those in the other headers.
    pub annotator: Option<String>,
    /// The names and texts of other headers, as `import` gives them.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// The result of a game that is not over by the rules.
    #[serde(default)]
    pub result: RecordResult,
    /// How this result came about; only of a win.
    pub reason: Option<WinReason>,
    /// The variations, with moves in any notation of the game.
    #[serde(default)]
    pub variations: Vec<Variation<String>>,
    #[serde(default)]
    pub annotations: Vec<Annotation>,
}

/// The record of a game. The rules are those of the options.
pub fn export(
    request: &ExportRequest,
    session: &dyn GameSession,
    options: &Options,
) -> Result<Record, Refusal> {
    let moves: Vec<_> = session.history().into_iter().map(|played| played.mv.coordinate).collect();
    let rules = |rule: &str| options.rule(rule);
    let record = record_game(session.variant().name, Some(&session.start()), &rules, &moves);
    let record = record.ok_or_else(|| Refusal::new("this game has no record format"))?;
    let mut record = record
        .map_err(|error| Refusal(format!("ply {}, {}: {}", error.ply, error.text, error.reason)))?;
    let ExportRequest { black, white, event, date, headers, result, reason, .. } = request;
    let ExportRequest { variations, annotations, annotator, .. } = request;
    add_lines(&mut record, session, variations, annotations)?;
    for (field, text) in [
        (HeaderField::Black, black),
        (HeaderField::White, white),
        (HeaderField::Event, event),
        (HeaderField::Date, date),
    ] {
        record.set_info(field, text.as_deref().unwrap_or_default());
    }
    match (session.outcome(), *result) {
        (Some(outcome), _) => record.add_end(outcome.winner, outcome.reason.text),
        (None, RecordResult::Unknown) => {}
        (None, result) => {
            record.set_outcome(result);
            reason.iter().for_each(|reason| record.set_win_reason(*reason));
        }
    }
    for (name, text) in headers {
        if !record.add_other_header(name, text) {
            let expected = "the name of a header of the record format";
            return Err(Refusal(format!("headers: expected {expected}, found '{name}'")));
        }
    }
    annotator.iter().for_each(|name| record.add_annotator(name));
    Ok(record)
}

/// Adds the variations and annotations of a request.
fn add_lines(
    record: &mut Record,
    session: &dyn GameSession,
    variations: &[Variation<String>],
    annotations: &[Annotation],
) -> Result<(), Refusal> {
    let given = variations.iter().map(|&Variation { line, ply, ref moves }| Variation {
        line,
        ply,
        moves: moves.iter().map(String::as_str).collect(),
    });
    let mut lines = Vec::new();
    let played = session.variations(&given.collect::<Vec<_>>());
    for (i, (&Variation { line, ply, .. }, (moves, error))) in
        variations.iter().zip(played).enumerate()
    {
        if let Some(error) = error {
            return Err(Refusal(format!("variation {}: {error}", i + 1)));
        }
        let moves = moves.into_iter().map(|PlayedMove { side, mv }| (side, mv.standard));
        lines.push(Variation { line, ply, moves: moves.collect() });
    }
    Ok(record.add_lines(&lines, annotations)?)
}
