//! Replaying records by the rules, and creating records from played moves.

use std::iter;

use thiserror::Error;

use super::error::LineColumn;
use super::legality::{canonical, is_start};
use super::record::Record;
use super::tree::{GameTree, NodeItem, Turn};
use crate::game::{Game, MoveFormat, Position, RuleValues, Side, Variant, rules_from, values_of};
use crate::with_game;

/// An illegal move or setup in a record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{location}: ply {ply}, {text}: {reason}")]
pub struct ReplayError {
    /// The first illegal ply, from 1; 0 for the setup.
    pub ply: usize,
    /// Its position in the file.
    pub location: LineColumn,
    /// The move or the setup.
    pub text: String,
    pub reason: String,
}

/// Plays the main line and returns all positions, including the first one. The record must be of
/// the game `P`.
pub fn replay<P: Game>(record: &Record, rules: P::Rules) -> Result<Vec<P>, ReplayError> {
    let (start, moves) = replayed_moves::<P>(record, rules)?;
    iter::once(Ok(start)).chain(moves.map(|played| Ok(played?.1))).collect()
}

/// A move that was played and the position after it, or why it is illegal.
pub type ReplayedMove<P> = Result<(<P as Position>::Move, P), ReplayError>;

/// The first position of the main line, and its moves, each with the position after it. Each move is read when the
/// iterator reaches it; an illegal one ends the iteration. The record must be of the game `P`.
pub fn replayed_moves<P: Game>(
    record: &Record,
    rules: P::Rules,
) -> Result<(P, impl Iterator<Item = ReplayedMove<P>>), ReplayError> {
    let wrong = |ply, location, text: &str, reason: String| ReplayError {
        ply,
        location,
        text: text.to_string(),
        reason,
    };
    let name = record.variant();
    let Some(variant) = P::VARIANTS.iter().find(|variant| variant.name == name) else {
        return Err(wrong(0, record.location(), name, "another game".to_string()));
    };
    let setup = record.setup().unwrap_or(variant.start);
    let start = P::read_setup(setup, rules)
        .map_err(|error| wrong(0, record.location(), setup, error.to_string()))?;
    let play = move |position: P, ply, (turn, location): (&Turn, LineColumn)| {
        let mover = position.side();
        if turn.side.is_some_and(|side| side != mover) {
            return Err(wrong(ply, location, &turn.text, format!("{mover} is to move")));
        }
        let mv = position
            .read_move(&turn.text)
            .map_err(|error| wrong(ply, location, &turn.text, error.to_string()))?;
        Ok((mv, position.play(mv)))
    };
    let moves = record.turns().zip(1..).scan(Some(start), move |position, (turn, ply)| {
        let played = play((*position)?, ply, turn);
        *position = played.as_ref().ok().map(|(_, position)| *position);
        Some(played)
    });
    Ok((start, moves))
}

/// Plays the main line by the rules of the record. Returns the number of plies.
pub fn check(record: &Record) -> Result<usize, ReplayError> {
    let rules = record.rules();
    let played = with_game!(record.variant(), |P, _variant| {
        replay::<P>(record, rules_from(&values_of(&rules))).map(|positions| positions.len() - 1)
    });
    played.unwrap_or(Ok(0))
}

/// The record of a game of this variant from a setup, by default the start position, with the rules
/// that are not the usual ones. `None` if the variant is unknown.
pub fn record_game(
    variant: &str,
    setup: Option<&str>,
    rules: RuleValues,
    moves: &[impl AsRef<str>],
) -> Option<Result<Record, ReplayError>> {
    with_game!(variant, |P, variant| {
        Record::new::<P>(variant, setup, rules_from(rules), moves).map(|mut record| {
            record.set_rules(rules);
            record
        })
    })
}

impl Record {
    /// Creates a record from played moves, in any notation of the game.
    ///
    /// The format is the common exchange format of the game. The variant is the one with this
    /// start position, or else `variant`. An illegal move is an error; the file
    /// position in it has no meaning.
    pub fn new<P: Game>(
        variant: &'static Variant,
        setup: Option<&str>,
        rules: P::Rules,
        moves: &[impl AsRef<str>],
    ) -> Result<Self, ReplayError> {
        let location = LineColumn { line: 1, column: 1 };
        let wrong = |ply, text: &str, reason: String| ReplayError {
            ply,
            location,
            text: text.to_string(),
            reason,
        };
        let start = setup.unwrap_or(variant.start);
        let mut position =
            P::read_setup(start, rules).map_err(|error| wrong(0, start, error.to_string()))?;
        let setup = position.write_setup();
        let begun = P::VARIANTS.iter().find(|variant| is_start(variant, &setup));
        let variant = begun.unwrap_or(variant);
        let setup = canonical(variant, &setup);
        let mut record = Self::empty(variant, setup, location)
            .map_err(|fault| wrong(0, start, fault.to_string()))?;
        record.set_application();
        let mut node = GameTree::ROOT;
        for (i, text) in moves.iter().enumerate() {
            let text = text.as_ref();
            let mv = position.read_move(text);
            let mv = mv.map_err(|error| wrong(i + 1, text, error.to_string()))?;
            let written = position.write_move(mv, MoveFormat::Standard);
            let added = record.add_move(node, position.side(), &written);
            node = added.map_err(|reason| wrong(i + 1, &written, reason))?;
            position = position.play(mv);
        }
        Ok(record)
    }

    /// Adds a move in the standard notation of the game after a node. Returns its node, or why the
    /// format cannot represent it.
    pub(super) fn add_move(
        &mut self,
        node: usize,
        side: Side,
        text: &str,
    ) -> Result<usize, String> {
        let turn = self.turn(Some(side), text);
        let turn = turn.ok_or("the record format cannot represent it")?;
        let added = self.tree.add_node(node, self.location());
        let next = added.map_err(|error| error.fault.to_string())?;
        self.tree.add_item(next, NodeItem::Turn(turn));
        Ok(next)
    }
}
