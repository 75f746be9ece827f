//! SGF: the meaning of the values.

pub(super) mod setup;
pub(super) mod write;

use super::error::{LineColumn, RecordError, RecordFault, shorten};
use super::tree::{GameTree, NodeItem, Turn};
use super::values::{MoveMark, RecordResult, present};
use crate::game::Side;

/// A pass in SGF, and in the notation that the rules accept.
const PASS: (&str, &str) = ("pass", "0000");

/// Values of move properties that are not moves. The last five are written by BoardSpace.
const NO_MOVES: [&str; 12] = [
    "resign",
    "forfeit",
    "timeout",
    "offerdraw",
    "acceptdraw",
    "declinedraw",
    "draw",
    "resigns",
    "start",
    "edit",
    "done",
    "winontime",
];

/// Player data that BoardSpace writes as values of move properties: `B[time 0:01:20 ]`.
const ABOUT_PLAYERS: [&str; 4] = ["id", "time", "ranking", "country"];

/// Player data that BoardSpace writes as a property: the side and the name, or `Some(None)` for
/// data other than a name. `None` for any other property.
pub(super) fn of_player(property: &str, value: &str) -> Option<Option<(Side, String)>> {
    let side = match property {
        "B" | "P0" => Side::Black,
        "W" | "P1" => Side::White,
        _ => return None,
    };
    let (word, rest) = value.trim().split_once(' ')?;
    ABOUT_PLAYERS.contains(&word).then(|| {
        let name = rest.trim().trim_matches('"');
        (word == "id").then(|| (side, name.to_string()))
    })
}

/// The property with the name of a player.
pub(super) fn name_property(side: Side) -> &'static str {
    if side == Side::Black { "PB" } else { "PW" }
}

/// A move without the move number of BoardSpace: `12 E8-E5`.
fn without_number(value: &str) -> &str {
    match value.trim().split_once(' ') {
        Some((number, mv)) if number.bytes().all(|byte| byte.is_ascii_digit()) => mv.trim(),
        _ => value,
    }
}

/// The move annotation properties.
const MARKS: [(MoveMark, &str, &str); 6] = [
    (MoveMark::Good, "TE", "1"),
    (MoveMark::Mistake, "BM", "1"),
    (MoveMark::VeryGood, "TE", "2"),
    (MoveMark::Blunder, "BM", "2"),
    (MoveMark::Interesting, "IT", ""),
    (MoveMark::Doubtful, "DO", ""),
];

/// The properties of FF[4] with one value.
const SINGLE_VALUED: &str = "AN AP B BL BM BR BT C CA CP DM DO DT EV FF FG GB GC GM GN GW HA HO IP IT \
     IY KM KO MN N OB ON OT OW PB PC PL PM PW RE RO RU SO ST SU SZ TE TM UC US V W WL WR WT";

/// Those with a list of values.
const LIST_VALUED: &str = "AB AE AR AW CR DD LB LN MA SL SQ TB TR TW VW";

fn is_listed(names: &str, name: &str) -> bool {
    names.split_ascii_whitespace().any(|listed| listed == name)
}

/// Whether a property has one value.
pub(super) fn is_single(name: &str) -> bool {
    is_listed(SINGLE_VALUED, name)
}

/// The name of a property in capitals. Older files add lower-case letters: `AddBlack` is `AB`. A
/// longer name of lower-case letters alone has no meaning and stays.
pub(super) fn short_name(name: String) -> String {
    if name.len() <= 2 {
        return name.to_ascii_uppercase();
    }
    let short: String = name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
    if short.is_empty() { name } else { short }
}

/// Whether a property without a meaning stands for moves or pieces: its name is made of the letters
/// of theirs, and its values are moves or points.
pub(super) fn is_misspelt<'a>(name: &str, values: impl IntoIterator<Item = &'a str>) -> bool {
    let is_similar = name.bytes().all(|byte| b"ABEW".contains(&byte));
    if is_single(name) || is_listed(LIST_VALUED, name) || name.len() > 1 && !is_similar {
        return matches!(name, "P0" | "P1") && values.into_iter().any(is_move);
    }
    values.into_iter().any(|value| is_move(value) || is_similar && setup::points(value).is_ok())
}

fn is_move(value: &str) -> bool {
    is_no_move(value) || turn(None, value).is_some_and(|turn| turn.text != PASS.1)
}

/// Whether a raw value seems to hold another property, because the bracket between them is missing:
/// `Ann PW[Ben`. In a quoted record, some characters are escaped.
pub(super) fn is_unclosed(value: &str) -> bool {
    let is_known = |name: &str| is_single(name) || is_listed(LIST_VALUED, name);
    let mut begins = value.match_indices('[').map(|(at, _)| value.get(..at).unwrap_or_default());
    let ends_in_name = |text: &str| {
        let last = |length| text.len().checked_sub(length).and_then(|at| text.get(at..));
        [1, 2].into_iter().filter_map(last).any(is_known)
    };
    !value.contains('\\') && begins.any(ends_in_name)
}

/// Decodes the text of a raw value.
pub(super) fn decode(value: &str) -> String {
    let mut text = String::new();
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = c == '\\';
        let Some(c) = (if escaped { chars.next() } else { Some(c) }) else { break };
        let is_break = matches!(c, '\n' | '\r');
        // A line break may consist of two characters.
        if is_break {
            chars.next_if(|&next| matches!(next, '\n' | '\r') && next != c);
        }
        match c {
            // An escaped line break joins two lines.
            _ if is_break && escaped => {}
            _ if is_break => text.push('\n'),
            _ if c.is_whitespace() => text.push(' '),
            _ => text.push(c),
        }
    }
    text
}

/// Encodes a text as a raw value, in which no line begins like another game and no property seems to
/// begin.
pub(super) fn encode(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace(']', "\\]");
    let text = if is_unclosed(&text) { text.replace('[', "\\[") } else { text };
    text.replace("\n(", "\n\\(")
}

/// Parses `c8-c6`, `C2:C5++` or `pass` as a move; `None` for anything else.
pub(super) fn turn(side: Option<Side>, value: &str) -> Option<Turn> {
    let value = without_number(value);
    let word = value.trim().to_ascii_lowercase();
    let text = if word.is_empty() || word == PASS.0 || word == PASS.1 {
        PASS.1.to_string()
    } else {
        // Characters after the squares, such as `++`, have no meaning for the rules.
        let squares = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let is_move = match squares.as_bytes() {
            [a, b, b'-' | b':' | b'x', c, d] | [a, b, c, d] => [(a, b), (c, d)]
                .iter()
                .all(|(file, rank)| (b'a'..=b'h').contains(file) && (b'1'..=b'8').contains(rank)),
            _ => false,
        };
        is_move.then(|| squares.to_string())?
    };
    Some(Turn { side, written: value.to_string(), text })
}

/// Converts a move from the game's standard notation to SGF.
pub(super) fn of_standard(text: &str) -> String {
    if text == PASS.1 { PASS.0.to_string() } else { text.replace('x', ":") }
}

/// Whether the value of a move property is known not to be a move.
pub(super) fn is_no_move(value: &str) -> bool {
    let word: String = without_number(value).to_ascii_lowercase().split_whitespace().collect();
    // The side to start follows this word.
    let word = if word.starts_with("start") { "start" } else { word.as_str() };
    NO_MOVES.contains(&word)
}

/// The glyph of an annotation property. An empty value is an ordinary emphasis.
pub(super) fn glyph(property: &str, value: &str) -> Option<u8> {
    let value = match value.trim() {
        "" => "1",
        value => value,
    };
    let mut rows = MARKS.iter();
    rows.find(|row| row.1 == property && (row.2 == value || row.2.is_empty()))
        .map(|row| row.0 as u8)
}

/// The annotation property of a glyph.
pub(super) fn mark_property(glyph: u8) -> Option<(&'static str, &'static str)> {
    MARKS.iter().find(|row| row.0 as u8 == glyph).map(|row| (row.1, row.2))
}

/// The value of `RE` for a result.
pub(super) fn result(outcome: RecordResult) -> &'static str {
    match outcome {
        RecordResult::Won(Side::Black) => "B+",
        RecordResult::Won(Side::White) => "W+",
        RecordResult::Drawn => "Draw",
        RecordResult::Unknown => "?",
    }
}

/// Reads a value of `RE`; `None` if it has no known meaning.
pub(super) fn read_result(value: &str) -> Option<RecordResult> {
    let Some(value) = present(&decode(value)) else { return Some(RecordResult::Unknown) };
    let value = value.to_lowercase();
    for (names, side) in [(["black", "b"], Side::Black), (["white", "w"], Side::White)] {
        let rest = names.iter().find_map(|name| value.strip_prefix(name)).map(str::trim_start);
        if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['+']) || is_win(rest)) {
            return Some(RecordResult::Won(side));
        }
    }
    let is_draw = matches!(value.as_str(), "0" | "d" | "1/2-1/2" | "\u{bd}-\u{bd}");
    let begins = |words: &[&str]| words.iter().any(|word| value.starts_with(word));
    if is_draw || begins(&["draw", "tie"]) {
        return Some(RecordResult::Drawn);
    }
    // BoardSpace writes the result in words; a resignation determines it.
    begins(&[BOARDSPACE_RESULT, "void", "no result", "unfinished"]).then_some(RecordResult::Unknown)
}

fn is_win(words: &str) -> bool {
    matches!(words.split(' ').next(), Some("win" | "wins" | "won"))
}

/// The beginning of a result of BoardSpace.
const BOARDSPACE_RESULT: &str = "game ";

/// The result: from `RE` of any node or, without it, from a resignation.
pub(super) fn outcome(tree: &GameTree) -> RecordResult {
    let results = tree.main_line().filter_map(|(_, node)| node.value("RE"));
    let mut given = results.filter_map(|value| Some((present(value)?, read_result(value))));
    match given.next() {
        Some((text, _)) if text.to_lowercase().starts_with(BOARDSPACE_RESULT) => {}
        Some((_, result)) => return result.unwrap_or(RecordResult::Unknown),
        None => {}
    }
    let resigned = tree.main_line().flat_map(|(_, node)| &node.items).find_map(|item| {
        let NodeItem::Property(name, values) = item else { return None };
        let resigns = values.first().is_some_and(|value| {
            let value = without_number(value).trim().to_ascii_lowercase();
            matches!(value.as_str(), "resign" | "resigns")
        });
        side_of(name).filter(|_| resigns)
    });
    resigned.map_or(RecordResult::Unknown, |side| RecordResult::Won(!side))
}

/// The first value on the main line that has no meaning or contradicts an earlier one.
pub(super) fn contradiction(tree: &GameTree) -> Option<RecordError> {
    let values = |name: &'static str| {
        let nodes = tree.main_line();
        nodes.flat_map(move |(_, node)| {
            let values = node.property(name).unwrap_or_default().iter();
            values.filter_map(|value| Some((present(&decode(value))?, node.location)))
        })
    };
    let mut found = Vec::new();
    let mut results = Vec::new();
    for (value, location) in values("RE") {
        match read_result(&value) {
            Some(RecordResult::Unknown) => {}
            Some(result) => results.push((format!("{result:?}"), value, location)),
            None => {
                let (name, expected) = ("RE", "B+, W+, Draw or Void");
                let value = shorten(&value);
                found.push(RecordFault::Value { name, value, expected }.at(location));
            }
        }
    }
    let headers = ["SU", "EV", "PC", "DT", "RO", "PB", "PW"].into_iter().map(|name| {
        values(name).map(|(value, location)| (value.clone(), value, location)).collect()
    });
    for values in headers.chain([results]) {
        let values: Vec<(String, String, LineColumn)> = values;
        let other =
            values.iter().find(|value| values.first().is_some_and(|first| first.0 != value.0));
        if let (Some((_, first, _)), Some((_, value, location))) = (values.first(), other) {
            let text = format!("'{}' contradicts '{}'", shorten(value), shorten(first));
            found.push(RecordFault::Unsupported(text).at(*location));
        }
    }
    found.into_iter().min_by_key(|error| (error.location.line, error.location.column))
}

/// The side of a move property.
pub(super) fn side_of(property: &str) -> Option<Side> {
    match property {
        "B" => Some(Side::Black),
        "W" => Some(Side::White),
        _ => None,
    }
}

/// The move property of a side.
fn move_property(side: Option<Side>) -> &'static str {
    if side == Some(Side::White) { "W" } else { "B" }
}
