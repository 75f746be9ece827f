//! The headers and the result of a game in SGF, which any node may hold.

use super::super::error::{LineColumn, RecordError, RecordFault, shorten};
use super::super::results;
use super::super::tree::{GameTree, NodeItem, TreeNode};
use super::super::values::{RecordResult, present};
use super::{decode, is_listed, side_of, without_number};
use crate::game::Side;

/// The properties that describe the game.
const GAME_INFO: &str = "AN BR BT CP DT EV GC GN ON OT PB PC PW RE RO RU SO SU TM US WR WT";

/// The beginning of a result of BoardSpace, in words. A resignation determines it.
const BOARDSPACE_RESULT: &str = "game ";

/// The value of `RE` for a result.
pub(in super::super) fn result(outcome: RecordResult) -> &'static str {
    match outcome {
        RecordResult::Won(Side::Black) => "B+",
        RecordResult::Won(Side::White) => "W+",
        RecordResult::Drawn => "Draw",
        RecordResult::Unknown => "?",
    }
}

/// Reads a value of `RE`; `None` if it has no known meaning.
pub(in super::super) fn read_result(value: &str) -> Option<RecordResult> {
    let text = decode(value);
    let of_boardspace = || is_of_boardspace(&text).then_some(RecordResult::Unknown);
    results::read(&text, None).or_else(of_boardspace)
}

fn is_of_boardspace(text: &str) -> bool {
    text.trim_start().to_lowercase().starts_with(BOARDSPACE_RESULT)
}

/// The result that a value of a move property gives instead of a move.
fn ending(property: &str, value: &str) -> Option<RecordResult> {
    let side = side_of(property)?;
    let words: String = without_number(value).to_ascii_lowercase().split_whitespace().collect();
    match words.as_str() {
        "resign" | "resigns" => Some(RecordResult::Won(!side)),
        "acceptdraw" => Some(RecordResult::Drawn),
        _ => None,
    }
}

/// The results that the nodes of the main line give, each with its text and location: those of `RE`, then
/// resignations and agreed draws.
fn given_results(tree: &GameTree) -> Vec<(Option<RecordResult>, String, LineColumn)> {
    let properties = || tree.main_line().flat_map(|(_, node)| values(node));
    let given = properties()
        .filter(|(name, ..)| *name == "RE")
        .filter_map(|(_, value, at)| Some((read_result(value), present(&decode(value))?, at)));
    let ended = properties().filter_map(|(name, value, at)| {
        Some((Some(ending(name, value)?), format!("{name}[{value}]"), at))
    });
    given.chain(ended).collect()
}

fn values(node: &TreeNode) -> impl Iterator<Item = (&str, &str, LineColumn)> {
    let properties = node.items.iter().filter_map(|item| match item {
        NodeItem::Property(name, values) => Some((name.as_str(), values)),
        _ => None,
    });
    properties.flat_map(move |(name, values)| {
        values.iter().map(move |value| (name, value.as_str(), node.location))
    })
}

/// The result: from `RE` of any node or, without it, from a resignation.
pub(in super::super) fn outcome(tree: &GameTree) -> RecordResult {
    let given = given_results(tree);
    let first = given.iter().find(|(_, text, _)| !is_of_boardspace(text));
    first.and_then(|(result, ..)| *result).unwrap_or(RecordResult::Unknown)
}

/// Whether a property of a node of the main line describes the game.
pub(in super::super) fn is_info(tree: &GameTree, node: &TreeNode, name: &str) -> bool {
    // BoardSpace writes the time of each move.
    let is_timed = |node: &TreeNode| node.turn().is_some() && node.property("TM").is_some();
    let has_times = || tree.main_line().filter(|(_, node)| is_timed(node)).nth(1).is_some();
    is_listed(GAME_INFO, name) && !(name == "TM" && is_timed(node) && has_times())
}

/// What the properties of a node of a variation say about the game: only the main line has a result and
/// headers.
pub(in super::super) fn remarks(node: &TreeNode) -> Vec<String> {
    let is_remark = |name: &str, value: &str| {
        present(&decode(value)).is_some()
            && (is_listed(GAME_INFO, name) || ending(name, value).is_some())
    };
    let remarks = values(node).filter(|(name, value, _)| is_remark(name, value));
    remarks.map(|(name, value, _)| format!("{name}[{}]", decode(value))).collect()
}

/// The first value on the main line that has no meaning or contradicts an earlier one.
pub(in super::super) fn contradiction(tree: &GameTree) -> Option<RecordError> {
    let mut faults = Vec::new();
    // The name, the meaning and the text of the first value of each property.
    let mut known: Vec<(&str, String, String)> = Vec::new();
    let mut compare = |name, meaning: String, text: String, at: LineColumn| match known
        .iter()
        .find(|row| row.0 == name)
    {
        Some((_, first, written)) if *first != meaning => {
            let text = format!("'{}' contradicts '{}'", shorten(&text), shorten(written));
            Some(RecordFault::invalid(text).at(at))
        }
        Some(_) => None,
        None => {
            known.push((name, meaning, text));
            None
        }
    };
    for (result, text, at) in given_results(tree) {
        faults.extend(match result {
            Some(RecordResult::Unknown) => None,
            Some(result) => compare("RE", format!("{result:?}"), text, at),
            None => Some(RecordFault::value("RE", "B+, W+, Draw or Void", &text).at(at)),
        });
    }
    for (_, node) in tree.main_line() {
        for (name, value, at) in values(node) {
            if name != "RE" && is_info(tree, node, name) {
                let text = present(&decode(value));
                faults.extend(text.and_then(|text| compare(name, text.clone(), text, at)));
            }
        }
    }
    faults.into_iter().min_by_key(|error| (error.location.line, error.location.column))
}
