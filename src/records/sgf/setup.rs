//! Start positions of Lines of Action in SGF: `SU`, `AB`, `AW`, `AE` and `PL`.

use super::super::error::{Fault, RecordError, shorten};
use super::super::tree::{Node, Tree};
use crate::game::{Side, Variant};
use crate::games::variants;

/// The variant names in the protocol and in `SU`. The last `SU` name is that of BoardSpace.
const BEGINNINGS: [(&str, &str); 3] =
    [("linesofaction", "Standard"), ("scrambledeggs", "Scrambled-eggs"), ("linesofaction", "LOA")];

/// The board before any stones are added.
#[derive(Clone, Copy)]
pub(super) enum Beginning {
    Variant(&'static Variant),
    Empty,
}

impl Beginning {
    /// Parses a value of `SU`.
    pub(super) fn read(value: &str) -> Result<Self, Fault> {
        let plain = |text: &str| -> String {
            text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
        };
        if plain(value) == "custom" {
            return Ok(Self::Empty);
        }
        // BoardSpace appends numbers to the name: `Loa 1234 100`.
        let mut words = value.split_whitespace();
        let first = words.next().unwrap_or_default();
        let is_numbered = words.all(|word| word.bytes().all(|b| b.is_ascii_digit() || b == b'-'));
        let name = if is_numbered { first } else { value };
        let row = BEGINNINGS.iter().find(|(_, known)| plain(known) == plain(name));
        let variant = row.and_then(|(name, _)| variant(name)).map(Self::Variant);
        variant.ok_or_else(|| {
            Fault::Unsupported(format!("the setup '{}' is not played here", shorten(value)))
        })
    }
}

fn variant(name: &str) -> Option<&'static Variant> {
    variants().find(|variant| variant.name == name)
}

/// The properties for the start position of a new record.
pub(in super::super) fn properties(
    name: &str,
    setup: Option<&str>,
) -> Vec<(&'static str, Vec<String>)> {
    let Some(setup) = setup else {
        let known = BEGINNINGS.iter().find(|row| row.0 == name);
        return known.map(|row| ("SU", vec![row.1.to_string()])).into_iter().collect();
    };
    let board = Board::read(setup);
    let (points, side) = (|side| board.points(side), if setup.contains(" w") { "W" } else { "B" });
    let stones = [("AB", points(Side::Black)), ("AW", points(Side::White))];
    let stones = stones.into_iter().filter(|(_, points)| !points.is_empty());
    let begin = [("SU", vec!["Custom".to_string()])].into_iter();
    begin.chain(stones).chain([("PL", vec![side.to_string()])]).collect()
}

/// The variant, and the setup if it differs from the start position. `told` is the variant for
/// games that do not specify one.
pub(super) fn of(
    tree: &Tree,
    told: Option<&str>,
) -> Result<(&'static str, Option<String>), RecordError> {
    let first = BEGINNINGS.first().and_then(|row| variant(row.0));
    let told = BEGINNINGS.iter().find(|row| Some(row.0) == told).and_then(|row| variant(row.0));
    let Some((first, usual)) = first.zip(told.or(first)) else { return Ok(("", None)) };
    let line = || tree.main_line().map(|(_, node)| node);
    let has = |name: &str| line().any(|node| node.property(name).is_some());
    let named = line().find_map(|node| Some((node.value("SU")?, node.place)));
    let beginning = match named {
        Some((value, place)) => Beginning::read(value).map_err(|fault| fault.at(place))?,
        // Without `SU`, stones are added to an empty board, as in SGF of other games.
        None if has("AB") || has("AW") => Beginning::Empty,
        None => Beginning::Variant(usual),
    };
    let (mut board, usual) = match beginning {
        Beginning::Variant(variant) => (Board::read(variant.start), variant),
        Beginning::Empty => (Board([None; 64]), first),
    };
    let mut to_move = None;
    let mut mover = None;
    for node in line() {
        let changed = board.change(node).map_err(|fault| fault.at(node.place))?;
        if changed && mover.is_some() {
            return Err(Fault::LateSetup.at(node.place));
        }
        if let Some(value) = node.value("PL").filter(|_| mover.is_none()) {
            to_move = Some(side(value).map_err(|fault| fault.at(node.place))?);
        }
        mover = mover.or_else(|| node.turn()?.side);
    }
    // Without `PL`, the side that makes the first move is the side to move.
    let setup = board.write(to_move.or(mover).unwrap_or(Side::Black));
    let mut all = variants();
    Ok(match all.find(|variant| variant.start == setup) {
        Some(variant) => (variant.name, None),
        None => (usual.name, Some(setup)),
    })
}

/// Parses a value of `PL`.
pub(super) fn side(value: &str) -> Result<Side, Fault> {
    match value.trim().to_lowercase().as_str() {
        "b" | "black" | "1" => Ok(Side::Black),
        "w" | "white" | "2" => Ok(Side::White),
        other => Err(Fault::Value {
            name: "PL",
            value: shorten(other),
            expected: "a side to move: B or W",
        }),
    }
}

/// The indices of the points in a value: a single point, or a rectangle such as `b1:g1`.
pub(super) fn points(value: &str) -> Result<Vec<usize>, Fault> {
    let wrong = || Fault::Point(shorten(value));
    let (first, last) = value.split_once(':').unwrap_or((value, value));
    let (a, b) = (point(first).ok_or_else(wrong)?, point(last).ok_or_else(wrong)?);
    let (left, right) = (a.0.min(b.0), a.0.max(b.0));
    let (low, high) = (a.1.min(b.1), a.1.max(b.1));
    Ok((low..=high).flat_map(|rank| (left..=right).map(move |file| rank * 8 + file)).collect())
}

/// The file and rank of a point such as `b1`, from 0.
fn point(text: &str) -> Option<(usize, usize)> {
    match text.trim().to_ascii_lowercase().as_bytes() {
        &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
            Some((usize::from(file - b'a'), usize::from(rank - b'1')))
        }
        _ => None,
    }
}

/// The owner of the stone on each point, in the order a1, b1 and so on.
struct Board([Option<Side>; 64]);

impl Board {
    /// The board of a valid setup.
    fn read(setup: &str) -> Self {
        let mut board = [None; 64];
        let placement = setup.split(' ').next().unwrap_or_default();
        for (row, rank) in placement.split('/').zip((0..8).rev()) {
            let mut file = 0;
            for c in row.chars() {
                let stone = match c {
                    'l' => Some(Side::Black),
                    'L' => Some(Side::White),
                    _ => None,
                };
                if let Some(point) = board.get_mut(rank * 8 + file) {
                    *point = stone;
                }
                file += c.to_digit(10).unwrap_or(1) as usize;
            }
        }
        Self(board)
    }

    /// Applies the setup properties of a node. Returns whether there are any.
    fn change(&mut self, node: &Node) -> Result<bool, Fault> {
        let mut changed = false;
        let properties = [("AB", Some(Side::Black)), ("AW", Some(Side::White)), ("AE", None)];
        for (name, stone) in properties {
            for value in node.property(name).unwrap_or_default() {
                changed = true;
                for point in points(value)? {
                    if let Some(point) = self.0.get_mut(point) {
                        *point = stone;
                    }
                }
            }
        }
        Ok(changed)
    }

    /// The points with stones of a side.
    fn points(&self, side: Side) -> Vec<String> {
        let points = self.0.iter().enumerate().filter(|(_, stone)| **stone == Some(side));
        let name = |(i, _)| format!("{}{}", char::from(b'a' + (i % 8) as u8), i / 8 + 1);
        points.map(name).collect()
    }

    /// The setup with `side` to move.
    fn write(&self, side: Side) -> String {
        let rank = |rank: &[Option<Side>]| {
            let mut text = String::new();
            let mut empty = 0;
            for stone in rank.iter().map(Some).chain([None]) {
                match stone {
                    Some(None) => empty += 1,
                    _ => {
                        if empty > 0 {
                            text += &empty.to_string();
                        }
                        empty = 0;
                        text.extend(stone.copied().flatten().map(|side| match side {
                            Side::Black => 'l',
                            Side::White => 'L',
                        }));
                    }
                }
            }
            text
        };
        let ranks: Vec<String> = self.0.chunks(8).rev().map(rank).collect();
        let side = if side == Side::Black { 'b' } else { 'w' };
        format!("{} {side} - - 0 1", ranks.join("/"))
    }
}
