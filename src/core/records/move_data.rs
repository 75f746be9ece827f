//! What programs record about a move: clocks, its time, and an evaluation.
//!
//! They are commands in comments, as in `{[%clk 0:04:57] [%eval 0.12] a remark}`, or properties of SGF.
//! A record keeps both as they are written.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use super::sgf;
use super::tree::{NodeItem, TreeNode};
use crate::game::Side;

/// A value of each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BySide<T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<T>,
}

impl<T> Default for BySide<T> {
    fn default() -> Self {
        Self { black: None, white: None }
    }
}

impl<T> BySide<T> {
    fn of(&mut self, side: Side) -> &mut Option<T> {
        match side {
            Side::Black => &mut self.black,
            Side::White => &mut self.white,
        }
    }

    fn is_empty(&self) -> bool {
        self.black.is_none() && self.white.is_none()
    }

    /// The values that there are, White's first, as PDN writes them.
    fn values(&self) -> impl Iterator<Item = (Side, &T)> {
        let values = [(Side::White, &self.white), (Side::Black, &self.black)];
        values.into_iter().filter_map(|(side, value)| Some((side, value.as_ref()?)))
    }
}

/// What a record has about a move besides the words of an annotator.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveData {
    /// The remaining time of the sides after the move, in milliseconds: `clk` and `clock`, in SGF `BL` and
    /// `WL`.
    #[serde(default, skip_serializing_if = "BySide::is_empty")]
    pub clock: BySide<u64>,
    /// The number of moves that they must still make in this time: `OB` and `OW` of SGF.
    #[serde(default, skip_serializing_if = "BySide::is_empty")]
    pub moves_to_go: BySide<u32>,
    /// The time of the move in milliseconds: `emt`, and `timestamp` in tenths of a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// The evaluation as it is written, such as `0.12`, `#-3` or `0.12,20` with a depth: `eval`. Servers give
    /// it in pawns from White's side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<String>,
    /// All of it in words, where it is shown; not read.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl MoveData {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Reads the commands in a comment on a move of this side. Returns the comment without them.
    pub(super) fn take_commands(&mut self, comment: &str, mover: Option<Side>) -> String {
        let (mut words, mut rest) = (String::new(), comment);
        while let Some((before, after)) = rest.split_once("[%") {
            words += before;
            // Without a bound, a comment of many such signs would take a time with its square.
            let end = after.bytes().take(LONGEST_COMMAND).position(|byte| byte == b']');
            let command = end.and_then(|end| after.split_at_checked(end));
            let command =
                command.map(|(command, rest)| (command, rest.get(1..).unwrap_or_default()));
            rest = match command.filter(|(command, _)| self.read(command, mover).is_some()) {
                Some((_, after)) if words.ends_with(char::is_whitespace) => after.trim_start(),
                Some((_, after)) => after,
                None => {
                    words += "[%";
                    after
                }
            };
        }
        words += rest;
        if words.len() == comment.len() { words } else { words.trim().to_string() }
    }

    /// Reads a command; `None` if it is unknown or repeated, or its value has another form.
    fn read(&mut self, command: &str, mover: Option<Side>) -> Option<()> {
        let (name, value) = command.trim().split_once(char::is_whitespace)?;
        match name {
            "clk" | "clock" => {
                let mut clock = self.clock;
                for word in value.split_whitespace() {
                    let (side, time) = match word.split_at_checked(1) {
                        Some(("w" | "W", time)) => (Some(Side::White), time),
                        Some(("b" | "B", time)) => (Some(Side::Black), time),
                        _ => (mover, word),
                    };
                    set(clock.of(side?), read_time(time))?;
                }
                self.clock = clock;
                Some(())
            }
            "emt" => set(&mut self.time, read_time(value)),
            "timestamp" => {
                let tenths = value.trim().parse::<u32>().ok();
                set(&mut self.time, tenths.map(|tenths| u64::from(tenths) * 100))
            }
            "eval" => {
                let eval = Some(value.trim()).filter(|text| is_eval(text));
                set(&mut self.eval, eval.map(str::to_string))
            }
            _ => None,
        }
    }

    /// Reads the properties of a node of SGF.
    pub(super) fn read_properties(&mut self, node: &TreeNode) {
        for (side, [left, to_go]) in PROPERTIES {
            let value = |name| node.value(name).map(sgf::decode);
            let time = value(left).and_then(|text| read_time(&text));
            let moves = value(to_go).and_then(|text| text.trim().parse().ok());
            let _ = set(self.clock.of(side), time);
            let _ = set(self.moves_to_go.of(side), moves);
        }
    }

    /// Writes the clocks as properties of a node of SGF, after those that it has.
    pub(super) fn write_properties(&self, node: &mut TreeNode) {
        for (side, [left, to_go]) in PROPERTIES {
            let (mut clock, mut moves) = (self.clock, self.moves_to_go);
            let time = clock.of(side).map(seconds);
            let moves = moves.of(side).map(|moves| moves.to_string());
            for (name, value) in [(left, time), (to_go, moves)] {
                let Some(value) = value else { continue };
                match node.property(name) {
                    Some(_) => node.set(name, value),
                    None => node.items.push(NodeItem::Property(name.to_string(), vec![value])),
                }
            }
        }
    }

    /// The commands for a comment on a move of this side; without the clocks if these are properties.
    pub(super) fn commands(&self, mover: Option<Side>, has_clock: bool) -> String {
        let clock: Vec<_> = self.clock.values().filter(|_| has_clock).collect();
        let clock = match clock.as_slice() {
            [] => None,
            [(side, time)] if Some(*side) == mover => Some(format!("[%clk {}]", Time(**time))),
            times => {
                // A capital marks the clock that runs after the move.
                let sign = |side: Side| match (side, mover == Some(!side)) {
                    (Side::White, false) => 'w',
                    (Side::White, true) => 'W',
                    (Side::Black, false) => 'b',
                    (Side::Black, true) => 'B',
                };
                let times =
                    times.iter().map(|&(side, time)| format!(" {}{}", sign(side), Time(*time)));
                Some(format!("[%clock{}]", times.collect::<String>()))
            }
        };
        let time = self.time.map(|time| format!("[%emt {}]", Time(time)));
        let eval =
            self.eval.as_ref().filter(|text| is_eval(text)).map(|text| format!("[%eval {text}]"));
        [clock, time, eval].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

impl Display for MoveData {
    /// Writes the data in words: `White 0:05:00, Black 0:04:58, took 1.5 s, recorded evaluation 0.12`.
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let clocks = self.clock.values().map(|(side, time)| format!("{side} {}", Time(*time)));
        let to_go =
            self.moves_to_go.values().map(|(side, moves)| format!("{side} {moves} moves to go"));
        let time = self.time.map(|time| format!("took {} s", seconds(time)));
        let eval = self.eval.as_ref().map(|eval| format!("recorded evaluation {eval}"));
        f.write_str(&clocks.chain(to_go).chain(time).chain(eval).collect::<Vec<_>>().join(", "))
    }
}

/// The largest length of a command, in bytes.
const LONGEST_COMMAND: usize = 200;

/// The properties with the remaining time of a side, and with the moves to make in it.
const PROPERTIES: [(Side, [&str; 2]); 2] =
    [(Side::Black, ["BL", "OB"]), (Side::White, ["WL", "OW"])];

/// What a value of a property of [`MoveData`] should be, if it is something else.
pub(super) fn not_read(name: &str, value: &str) -> Option<&'static str> {
    if !matches!(name, "BL" | "WL" | "OB" | "OW") {
        return None;
    }
    let value = sgf::decode(value);
    match name {
        _ if value.trim().is_empty() => None,
        "BL" | "WL" => read_time(&value).is_none().then_some("a time in seconds"),
        "OB" | "OW" => value.trim().parse::<u32>().is_err().then_some("a number of moves"),
        _ => None,
    }
}

/// Sets a value that is not known yet. `None` if it is, or if there is none.
fn set<T>(known: &mut Option<T>, value: Option<T>) -> Option<()> {
    if known.is_some() {
        return None;
    }
    *known = Some(value?);
    Some(())
}

/// Reads a time in milliseconds: `1:04:57`, `4:57` or seconds, each with a fraction if wanted.
fn read_time(text: &str) -> Option<u64> {
    const MOST_DIGITS: usize = 9;
    const MOST_PARTS: usize = 3;
    let is_number = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), "0"));
    let parts: Vec<&str> = whole.split(':').collect();
    if parts.len() > MOST_PARTS {
        return None;
    }
    let seconds = parts.iter().try_fold(0, |seconds: u64, part| {
        let part = Some(part).filter(|part| is_number(part) && part.len() <= MOST_DIGITS)?;
        Some(60 * seconds + part.parse::<u64>().ok()?)
    })?;
    let fraction = Some(fraction).filter(is_number)?;
    let millis = format!("{fraction:0<3}").get(..3)?.parse::<u64>().ok()?;
    Some(1000 * seconds + millis)
}

/// A time in seconds, without zeros at the end of the fraction.
fn seconds(millis: u64) -> String {
    let text = format!("{}.{:03}", millis / 1000, millis % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// A time in milliseconds, which is written as `0:04:57`.
struct Time(u64);

impl Display for Time {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let (minutes, rest) = (self.0 / 60_000, self.0 % 60_000);
        let zero = if rest < 10_000 { "0" } else { "" };
        write!(f, "{}:{:02}:{zero}{}", minutes / 60, minutes % 60, seconds(rest))
    }
}

/// Whether a text is an evaluation: a number, or after `#` moves to the end, and a depth if wanted.
fn is_eval(text: &str) -> bool {
    let (value, depth) = text.split_once(',').unwrap_or((text, "1"));
    let value = value.trim_start_matches(['#', '+', '-']);
    let is_value = value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_value && value.parse::<f64>().is_ok() && depth.parse::<u32>().is_ok()
}
