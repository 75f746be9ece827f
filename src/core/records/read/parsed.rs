//! Makes records of the games that were parsed as moves and tags of PDN, for every game.

use super::super::ambiguity::resolve;
use super::super::error::{LineColumn, RecordError};
use super::super::record::Record;
use super::super::rules::canonical;
use super::super::tree::GameTree;
use super::super::values::Format;
use super::super::{pdn, results, rule_header};
use super::pgn;
use super::variant::{self, DefaultVariant};
use crate::game::{Side, values_of};

/// The record of a game that was parsed as moves and tags of PDN, with these results after the moves.
pub(super) fn record(
    mut tree: GameTree,
    terminators: &[(String, LineColumn)],
    default_variant: Option<DefaultVariant>,
) -> Result<Record, RecordError> {
    let choice = variant::decide(&tree, default_variant);
    let variant = choice.variant;
    if variant.record_format.pdn_game().is_none() {
        return pgn::to_sgf_record(&tree, choice, terminators);
    }
    let mut setup = None;
    if let Some(root) = tree.get_mut(GameTree::ROOT) {
        setup = root.value("FEN").and_then(|fen| canonical(variant, fen));
        // American files name the first side by the colour of its pieces.
        let is_absent = |name: &str| name.trim_matches(['?', ' ']).is_empty();
        if root.value("Red").is_some() && root.value("Black").is_none_or(is_absent) {
            root.rename("Red", "Black");
        }
    }
    let root = tree.get(GameTree::ROOT);
    let rules = root.and_then(|root| rule_header::read(variant, root.value("Rules")?).ok());
    resolve(variant, setup.as_deref(), &values_of(&rules.unwrap_or_default()), &mut tree);
    // Black moves first, so Black's points stand first.
    let (result, fault) = results::agreed(&tree, terminators, Some(Side::Black));
    let mut written = terminators.iter().map(|(text, _)| text);
    let written = written.find(|text| {
        let is_result = pdn::read_result(text) == Some(result);
        results::is_points(text) && text.is_ascii() && is_result
    });
    let terminator = match written {
        Some(points) => points.clone(),
        // The result of a game with a syntax error may be lost with the moves after it.
        None => pdn::result(result).to_string(),
    };
    Ok(Record {
        format: Format::Pdn,
        variant,
        setup,
        tree,
        terminator,
        is_assumed: choice.is_assumed,
        fault: fault.map(|error| error.to_string()),
    })
}
