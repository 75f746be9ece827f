//! Results as text: points such as `1-0`, and words.

use super::error::{LineColumn, RecordError, RecordFault, shorten};
use super::tree::GameTree;
use super::values::{RecordResult, present};
use crate::game::Side;

/// The side that gets the points, or both sides.
#[derive(Clone, Copy)]
enum Points {
    First,
    Second,
    Both,
    Unknown,
}

/// The maximum number of characters of a result in points.
pub(super) const LONGEST_POINTS: usize = 7;

/// The results in points, with one or two for a win.
const POINTS: [(&str, Points); 12] = [
    ("1-0", Points::First),
    ("0-1", Points::Second),
    ("1/2-1/2", Points::Both),
    ("*", Points::Unknown),
    ("2-0", Points::First),
    ("0-2", Points::Second),
    ("1-1", Points::Both),
    // A loss for both sides.
    ("0-0", Points::Unknown),
    ("\u{bd}-\u{bd}", Points::Both),
    ("0.5-0.5", Points::Both),
    ("1/2", Points::Both),
    ("\u{bd}", Points::Both),
];

/// The names of the sides and their initials. American files name the first side Red.
const NAMES: [(&str, Side); 5] = [
    ("black", Side::Black),
    ("white", Side::White),
    ("red", Side::Black),
    ("b", Side::Black),
    ("w", Side::White),
];

const WINS: [&str; 3] = ["win", "wins", "won"];
const LOSSES: [&str; 6] = ["resign", "resigns", "resigned", "lost", "loses", "forfeits"];
const DRAWS: [&str; 5] = ["draw", "drawn", "tie", "drawn game", "game drawn"];

/// Whether a word after the moves is a result in points.
pub(super) fn is_points(word: &str) -> bool {
    let ends_game = |row: &&(&str, Points)| row.0.contains('-') || row.0 == "*";
    POINTS.iter().filter(ends_game).any(|row| row.0 == word)
}

pub(super) fn may_be_points(text: &[u8]) -> bool {
    matches!(text, [b'0'..=b'2', b'-' | b'/' | 0x80.., ..] | [b'*' | 0xc2, ..])
}

/// Reads a result in points or words; `None` if it has no known meaning. An absent one is unknown.
///
/// `first` is the side whose points stand first. Without it, points name no winner.
pub(super) fn read(text: &str, first: Option<Side>) -> Option<RecordResult> {
    let Some(text) = present(text) else { return Some(RecordResult::Unknown) };
    let text = text.to_lowercase().replace(['\u{2010}', '\u{2011}', '\u{2013}', '\u{2212}'], "-");
    let text = text.trim_end_matches(['.', '!']).replace(" - ", "-");
    if let Some(&(_, points)) = POINTS.iter().find(|row| row.0 == text) {
        return match points {
            Points::First => first.map(RecordResult::Won),
            Points::Second => first.map(|first| RecordResult::Won(!first)),
            Points::Both => Some(RecordResult::Drawn),
            Points::Unknown => Some(RecordResult::Unknown),
        };
    }
    let of_side = NAMES.iter().find_map(|&(name, side)| {
        let rest = text.strip_prefix(name)?;
        let verb = rest.strip_prefix(' ').and_then(|rest| rest.split(' ').next());
        match verb {
            _ if rest.is_empty() || rest.trim_start().starts_with('+') => Some(side),
            Some(verb) if WINS.contains(&verb) => Some(side),
            Some(verb) if LOSSES.contains(&verb) => Some(!side),
            _ => None,
        }
    });
    if let Some(side) = of_side {
        return Some(RecordResult::Won(side));
    }
    let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    if matches!(text.as_str(), "0" | "d") || begins(&DRAWS) {
        return Some(RecordResult::Drawn);
    }
    begins(&["void", "no result", "unfinished"]).then_some(RecordResult::Unknown)
}

/// Whether a text after the moves is a result in words: `Drawn`, `White wins`, `Black resigns.`.
pub(super) fn is_in_words(text: &str) -> bool {
    let text = text.to_lowercase();
    let text = text.trim_end_matches(['.', '!']);
    let mut names = NAMES.iter().filter(|(name, _)| name.len() > 1);
    let is_verb = |verb: &str| WINS.contains(&verb) || LOSSES.contains(&verb);
    DRAWS.contains(&text)
        || names.any(|(name, _)| {
            text.strip_prefix(name).and_then(|rest| rest.strip_prefix(' ')).is_some_and(is_verb)
        })
}

/// Whether a result in words has a reason besides the winner.
pub(super) fn has_reason(text: &str) -> bool {
    let last = text.trim_end_matches(['.', '!']).to_lowercase();
    is_in_words(text) && last.split(' ').next_back().is_some_and(|verb| LOSSES.contains(&verb))
}

/// The result of a game of PDN or PGN: that after the moves or, if it is unknown, that of the tag. The error is
/// one without a meaning, or a contradiction. `first` is as for [`read`].
pub(super) fn agreed(
    tree: &GameTree,
    written: Option<&(String, LineColumn)>,
    first: Option<Side>,
) -> (RecordResult, Option<RecordError>) {
    let tag = tree.get(GameTree::ROOT).and_then(|root| root.value("Result"));
    let known = |text: &str| read(text, first).filter(|result| *result != RecordResult::Unknown);
    let (tagged, played) = (tag.and_then(known), written.and_then(|(text, _)| known(text)));
    let fault = written.and_then(|(text, location)| {
        let wrong = match (tag, tagged, played) {
            (Some(tag), Some(tagged), Some(played)) if tagged != played => {
                format!("'{text}' contradicts '{}'", shorten(tag))
            }
            (_, _, None) if read(text, first).is_none() => {
                format!("'{text}' names no winner: expected 'Black wins' or 'White wins'")
            }
            _ => return None,
        };
        Some(RecordFault::invalid(wrong).at(*location))
    });
    (played.or(tagged).unwrap_or(RecordResult::Unknown), fault)
}
