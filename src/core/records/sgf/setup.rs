//! Start positions in SGF: `SU`, `AB`, `AW`, `AE` and `PL`.
//!
//! A setup in SGF consists of pieces of the first kind of the game.

use super::super::error::{LineColumn, RecordError, RecordFault, shorten};
use super::super::legality::{is_start, read_setup};
use super::super::tree::{GameTree, TreeNode};
use super::super::values::present;
use crate::game::bitboard::Square;
use crate::game::{RecordId, Side, Variant, plain_name};
use crate::games::board::write_placement;
use crate::games::{variant_named, variants};

/// The board before any pieces are added.
#[derive(Clone, Copy)]
pub(in super::super) enum Beginning {
    Variant(&'static Variant),
    Empty,
}

impl Beginning {
    /// Parses a value of `SU`, in a record of the game with this number if it is known.
    pub(in super::super) fn read(value: &str, game: Option<u8>) -> Result<Self, RecordFault> {
        if plain_name(value) == "custom" {
            return Ok(Self::Empty);
        }
        // BoardSpace appends numbers to the name: `Loa 1234 100`.
        let mut words = value.split_whitespace();
        let first = words.next().unwrap_or_default();
        let has_numbers = words.all(|word| word.bytes().all(|b| b.is_ascii_digit() || b == b'-'));
        let name = plain_name(if has_numbers { first } else { value });
        let begun = variants().find(|variant| match variant.record_id {
            RecordId::Sgf { game: number, starts } => {
                game.is_none_or(|game| game == number)
                    && starts.iter().any(|known| plain_name(known) == name)
            }
            RecordId::Pdn { .. } => false,
        });
        begun
            .map(Self::Variant)
            .ok_or_else(|| RecordFault::invalid(format!("unsupported setup '{}'", shorten(value))))
    }
}

/// Whether a value of `GM` is the number of the game of a variant, or the variant's name, as BoardSpace
/// writes it.
pub(in super::super) fn is_game(variant: &Variant, value: &str) -> bool {
    let game = variant.record_id.sgf_game();
    game.is_some_and(|game| {
        game.to_string() == value.trim()
            || variant_named(value).is_some_and(|named| named.name == variant.name)
    })
}

/// Whether a value of `GM` is that of a supported game, or absent.
pub(in super::super) fn is_supported(value: &str) -> bool {
    present(value).is_none() || variants().any(|variant| is_game(variant, value))
}

/// The properties for the start position of a new record.
pub(in super::super) fn properties(
    variant: &Variant,
    setup: Option<&str>,
) -> Result<Vec<(&'static str, Vec<String>)>, RecordFault> {
    let Some(setup) = setup else {
        let RecordId::Sgf { starts: [name, ..], .. } = variant.record_id else {
            return Ok(vec![]);
        };
        return Ok(vec![("SU", vec![(*name).to_string()])]);
    };
    let unwritable = || RecordFault::invalid("SGF cannot hold this setup");
    let start = read_setup(variant, setup).map_err(|_| unwritable())?;
    // Without a name, a setup is read as one of the main variant. Pieces are then added to the start
    // position of the variant, from which others are removed.
    let main = variants().find(|main| main.record_id.sgf_game() == variant.record_id.sgf_game());
    let begun = read_setup(variant, variant.start).ok().filter(|_| main != Some(variant));
    let name = match variant.record_id {
        RecordId::Sgf { starts: [name, ..], .. } if begun.is_some() => name,
        _ => "Custom",
    };
    let mut properties = vec![("SU", vec![name.to_string()])];
    if start.board.iter().any(|letter| *letter != '-' && !start.pieces.contains(letter)) {
        return Err(unwritable());
    }
    for (name, piece) in ["AB", "AW"].into_iter().zip(start.pieces) {
        let squares = (0..64).map(Square::new).zip(start.board);
        let points = squares.filter(|&(_, letter)| letter == piece);
        let points: Vec<String> = points.map(|(square, _)| square.to_string()).collect();
        properties.extend((!points.is_empty()).then_some((name, points)));
    }
    if let Some(begun) = begun {
        let squares = (0..64).map(Square::new).zip(begun.board.iter().zip(start.board));
        let removed = squares.filter(|(_, (there, here))| **there != '-' && *here == '-');
        let removed: Vec<String> = removed.map(|(square, _)| square.to_string()).collect();
        properties.extend((!removed.is_empty()).then_some(("AE", removed)));
    }
    properties.push(("PL", vec![if start.side == Side::White { "W" } else { "B" }.to_string()]));
    Ok(properties)
}

/// The variant, and the setup if it differs from the start position. `default_variant` is used for
/// records that do not specify one.
pub(in super::super) fn read_start(
    tree: &GameTree,
    default_variant: Option<&'static Variant>,
) -> Result<(&'static Variant, Option<String>), RecordError> {
    let line = || tree.main_line().map(|(_, node)| node);
    let number = line().find_map(|node| node.present_value("GM"));
    let fits = |variant: &&Variant| match number {
        Some(number) => is_game(variant, number),
        None => variant.record_id.sgf_game().is_some(),
    };
    let Some(variant) = default_variant.into_iter().chain(variants()).find(fits) else {
        let location = line().next().map_or(LineColumn::START, |root| root.location);
        let number = number.map_or("", |number| number.trim());
        return Err(RecordFault::other_game("GM", number).at(location));
    };
    let game = variant.record_id.sgf_game();
    let has = |name: &str| line().any(|node| node.present_value(name).is_some());
    let named = line().find_map(|node| Some((node.present_value("SU")?, node.location)));
    let beginning = match named {
        Some((value, location)) => {
            Beginning::read(value, game).map_err(|fault| fault.at(location))?
        }
        // Without `SU`, pieces are added to an empty board, as in SGF of other games.
        None if has("AB") || has("AW") => Beginning::Empty,
        None => Beginning::Variant(variant),
    };
    let (variant, is_empty) = match beginning {
        Beginning::Variant(variant) => (variant, false),
        Beginning::Empty => (variant, true),
    };
    let is_changed = ["AB", "AW", "AE", "PL"].into_iter().any(has);
    let first = || line().find_map(|node| node.turn()?.side);
    if !is_empty && !is_changed && first() != Some(Side::White) {
        return Ok((variant, None));
    }
    let start = read_setup(variant, variant.start).ok();
    let pieces = start.as_ref().map_or(['-'; 2], |start| start.pieces);
    let mut board = start.filter(|_| !is_empty).map_or(['-'; 64], |start| start.board);
    let mut to_move = None;
    let mut mover = None;
    for node in line() {
        change(&mut board, node, pieces).map_err(|fault| fault.at(node.location))?;
        if let Some(value) = node.present_value("PL") {
            to_move = Some(side(value).map_err(|fault| fault.at(node.location))?);
        }
        mover = node.turn().and_then(|turn| turn.side);
        if mover.is_some() {
            break;
        }
    }
    // Without `PL`, the side that makes the first move is the side to move.
    let side = if to_move.or(mover) == Some(Side::White) { 'w' } else { 'b' };
    let placement =
        write_placement(|square| board.get(square.index()).copied().filter(|&c| c != '-'));
    let setup = format!("{placement} {side}");
    let setup = read_setup(variant, &setup).map_or(setup, |setup| setup.text);
    let mut of_game = variants().filter(|variant| variant.record_id.sgf_game() == game);
    Ok(match of_game.find(|variant| is_start(variant, &setup)) {
        Some(variant) => (variant, None),
        None => (variant, Some(setup)),
    })
}

pub(in super::super) const PROPERTIES: [&str; 5] = ["SU", "AB", "AW", "AE", "PL"];

/// Parses a value of `PL`.
pub(in super::super) fn side(value: &str) -> Result<Side, RecordFault> {
    match value.trim() {
        "1" => Ok(Side::Black),
        "2" => Ok(Side::White),
        value => Side::read(value)
            .ok_or_else(|| RecordFault::value("PL", "a side to move: B or W", value)),
    }
}

/// The points in a value: a single point, or a rectangle such as `b1:g1`.
pub(in super::super) fn points(value: &str) -> Result<Vec<Square>, RecordFault> {
    let point = |text: &str| {
        let square = Square::read(text.trim().as_bytes());
        square.ok_or_else(|| RecordFault::expected("a point of the board", value))
    };
    let (first, last) = value.split_once(':').unwrap_or((value, value));
    let (a, b) = (point(first)?, point(last)?);
    let between = |a: i8, b: i8, c: i8| (a.min(b)..=a.max(b)).contains(&c);
    let is_inside = |square: &Square| {
        between(a.file(), b.file(), square.file()) && between(a.rank(), b.rank(), square.rank())
    };
    Ok((0..64).map(Square::new).filter(is_inside).collect())
}

/// Applies the setup properties of a node. A square that gets two different contents is an error.
fn change(
    board: &mut [char; 64],
    node: &TreeNode,
    [black, white]: [char; 2],
) -> Result<(), RecordFault> {
    let mut changed = [None; 64];
    for (name, letter) in [("AB", black), ("AW", white), ("AE", '-')] {
        let values = node.property(name).unwrap_or_default().iter();
        for value in values.filter(|value| present(value).is_some()) {
            for square in points(value)? {
                let Some(change) = changed.get_mut(square.index()) else { continue };
                if change.is_some_and(|other| other != letter) {
                    let text = format!("{name} sets {square} again, with other contents");
                    return Err(RecordFault::invalid(text));
                }
                *change = Some(letter);
            }
        }
    }
    for (cell, change) in board.iter_mut().zip(changed) {
        *cell = change.unwrap_or(*cell);
    }
    Ok(())
}
