//! SGF: the meaning of the values.

pub(super) mod info;
pub(super) mod setup;
pub(super) mod write;

use std::borrow::Cow;

use super::tree::Turn;
use super::values::MoveMark;
use crate::game::{Side, plain_move};

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

/// Player data that BoardSpace writes as a property.
pub(super) enum PlayerData {
    Name(Side, String),
    Other,
}

/// The player data of a property; `None` for any other property.
pub(super) fn player_data(property: &str, value: &str) -> Option<PlayerData> {
    let side = match property {
        "B" | "P0" => Side::Black,
        "W" | "P1" => Side::White,
        _ => return None,
    };
    let (word, rest) = without_number(value).trim().split_once(' ')?;
    // `P0[0 Start P0]`: the side that moves first.
    let is_start = property.starts_with('P') && word.eq_ignore_ascii_case("start");
    (is_start || ABOUT_PLAYERS.contains(&word)).then(|| match word {
        "id" => PlayerData::Name(side, rest.trim().trim_matches('"').to_string()),
        _ => PlayerData::Other,
    })
}

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

/// Those of FF[1] to FF[3] that FF[4] has no more.
const OUTDATED: &str = "BS CH EL EX ID KI L LT M OM OP OV RG SC SE SI TC WS";

pub(super) fn is_single(name: &str) -> bool {
    // Most properties are moves.
    side_of(name).is_some() || is_listed(SINGLE_VALUED, name)
}

pub(super) fn is_known(name: &str) -> bool {
    is_single(name) || is_listed(LIST_VALUED, name)
}

/// The name of a property in capitals. In older files lower-case letters have no meaning: `AddBlack` is `AB`,
/// and `Bk` is `B`.
pub(super) fn property_name(name: &str) -> Cow<'_, str> {
    if !name.bytes().any(|byte| byte.is_ascii_lowercase()) {
        return name.into();
    }
    let capitals: String = name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
    let is_short = is_known(&capitals) || is_listed(OUTDATED, &capitals);
    if is_short { capitals.into() } else { name.into() }
}

/// Whether a raw value is a move, what stands in place of one, or a point.
pub(super) fn is_of_board(value: &str) -> bool {
    let is_move = || turn(None, value).is_some_and(|turn| turn.text != PASS.1);
    is_no_move(value) || is_move() || setup::points(value).is_ok()
}

/// The name of the property whose bracket follows this text; `None` if none seems to begin there.
pub(super) fn property_before(text: &str) -> Option<&str> {
    let before = text.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
    let name = text.get(before.len()..)?;
    property_name(name).ends_with(|c: char| c.is_ascii_uppercase()).then_some(name)
}

/// The properties that seem to begin in a raw value, because the bracket before them is missing: `Ann PW[Ben`.
/// In a quoted record, an escaped bracket follows them.
pub(super) fn unclosed_properties(value: &str) -> impl Iterator<Item = &str> {
    let (_, rest) = value.rsplit_once(']').unwrap_or(("", value));
    let brackets = rest.match_indices('[');
    brackets.filter_map(|(at, _)| property_before(rest.get(..at)?.trim_end()))
}

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
    let is_closed = unclosed_properties(&text).next().is_none();
    let text = if is_closed { text } else { text.replace('[', "\\[") };
    text.replace("\n(", "\n\\(")
}

/// Parses `c8-c6`, `C2:C5++` or `pass` as a move; `None` for anything else.
pub(super) fn turn(side: Option<Side>, value: &str) -> Option<Turn> {
    let value = without_number(value);
    let word = plain_move(value).to_ascii_lowercase();
    let text = if value.trim().is_empty() || word == PASS.0 || word == PASS.1 {
        PASS.1.to_string()
    } else {
        let is_move = match word.as_bytes() {
            [a, b, b'-' | b':' | b'x', c, d] | [a, b, c, d] => [(a, b), (c, d)]
                .iter()
                .all(|(file, rank)| (b'a'..=b'h').contains(file) && (b'1'..=b'8').contains(rank)),
            _ => false,
        };
        is_move.then_some(word)?
    };
    Some(Turn::new(side, value, text))
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

pub(super) fn mark_property(glyph: u8) -> Option<(&'static str, &'static str)> {
    MARKS.iter().find(|row| row.0 as u8 == glyph).map(|row| (row.1, row.2))
}

pub(super) fn side_of(property: &str) -> Option<Side> {
    match property {
        "B" => Some(Side::Black),
        "W" => Some(Side::White),
        _ => None,
    }
}

fn move_property(side: Option<Side>) -> &'static str {
    if side == Some(Side::White) { "W" } else { "B" }
}
