//! The lines of a record: the main line and its variations, with their annotations.

use std::collections::VecDeque;
use std::iter;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::error::LineColumn;
use super::legality::read_setup;
use super::move_data::MoveData;
use super::record::Record;
use super::tree::{GameTree, TreeNode, Turn};
use super::values::RecordFormat;
use super::{pdn, sgf};
use crate::game::{GameLines, Side, Variation};

/// A move of a record with its annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordMove<'a> {
    pub turn: &'a Turn,
    /// Its position in the file.
    pub location: LineColumn,
    /// The comments on it, one per line, without commands.
    pub comment: String,
    /// Its numeric annotation glyphs (NAG).
    pub glyphs: Vec<u8>,
    /// Clocks, time and evaluation.
    pub data: MoveData,
}

impl RecordMove<'_> {
    /// The move with its glyphs, and the comment in braces.
    pub fn text(&self) -> String {
        let sign =
            |&glyph: &u8| pdn::suffix(glyph).map_or_else(|| format!(" ${glyph}"), str::to_string);
        let signs: String = self.glyphs.iter().map(sign).collect();
        let move_text = format!("{}{signs}", self.turn.text);
        match joined(&self.data.commands(None, true), &self.comment).as_str() {
            "" => move_text,
            comment => format!("{move_text} {{{comment}}}"),
        }
    }

    /// Adds the annotations of a node: that of the move, or one without a move after it. `remarks` are
    /// further comments.
    fn annotate(&mut self, node: &TreeNode, remarks: &[String]) {
        for text in node.comments().chain(remarks.iter().map(String::as_str)) {
            let separator = if self.comment.is_empty() { "" } else { "\n" };
            self.comment += &format!("{separator}{text}");
        }
        self.glyphs.extend(node.glyphs());
        self.data.read_properties(node);
    }
}

/// The annotations of a move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Annotation {
    /// The line: 0 is the main line, N the Nth variation.
    pub line: usize,
    /// The ply of the move, from 1; 0 is before the first move.
    pub ply: usize,
    #[serde(default)]
    pub comment: String,
    /// Numeric annotation glyphs (NAG).
    #[serde(default, rename = "nags")]
    pub glyphs: Vec<u8>,
    /// Clocks, time and evaluation as recorded.
    #[serde(default, skip_serializing_if = "MoveData::is_empty")]
    pub recorded: MoveData,
}

/// A variation or an annotation that does not belong to the game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{what} {number}: {reason}")]
pub struct LineError {
    what: &'static str,
    /// Counted from 1.
    number: usize,
    reason: String,
}

impl Record {
    /// The annotations before the first move.
    pub fn start(&self) -> Annotation {
        let mut recorded = MoveData::default();
        self.nodes_of(0).for_each(|node| recorded.read_properties(node));
        let comment = recorded.take_commands(&self.comment(0), None);
        Annotation { line: 0, ply: 0, comment, glyphs: self.glyphs(0), recorded }
    }

    /// The main line, then the variations, each after the line that it leaves.
    pub fn lines(&self) -> Vec<Variation<RecordMove<'_>>> {
        let mut lines = Vec::new();
        let mover = self.movers();
        let mut pending = VecDeque::from([(0, 1, GameTree::ROOT)]);
        while let Some((line, ply, first)) = pending.pop_front() {
            let mut moves: Vec<RecordMove> = Vec::new();
            let mut next = self.tree.get(first);
            // Nodes before the first move of a variation.
            let mut before = Vec::new();
            while let Some(node) = next {
                if let Some(turn) = node.turn() {
                    if lines.is_empty() && moves.is_empty() {
                        // The annotations of ply 0: see `Record::comment`.
                        before.clear();
                    }
                    let (location, comment, glyphs) = (node.location, String::new(), Vec::new());
                    let data = MoveData::default();
                    moves.push(RecordMove { turn, location, comment, glyphs, data });
                }
                before.push(node);
                if let Some(last) = moves.last_mut() {
                    let is_variation = !lines.is_empty() && self.format == RecordFormat::Sgf;
                    for node in before.drain(..) {
                        let info = if is_variation { sgf::info::remarks(node) } else { vec![] };
                        last.annotate(node, &info);
                    }
                }
                let others = node.children.iter().skip(1);
                pending.extend(others.map(|&other| (lines.len(), ply + moves.len(), other)));
                next = node.children.first().and_then(|&id| self.tree.get(id));
            }
            for (i, mv) in moves.iter_mut().enumerate() {
                mv.comment = mv.data.take_commands(&mv.comment, Some(mover(ply + i)));
            }
            lines.push(Variation { line, ply, moves });
        }
        lines
    }

    /// The side that makes the move of a ply.
    fn movers(&self) -> impl Fn(usize) -> Side + use<> {
        let start = read_setup(self.variant, self.setup.as_deref().unwrap_or(self.variant.start));
        let first = start.map_or(Side::Black, |start| start.side);
        move |ply| if ply % 2 == 1 { first } else { !first }
    }

    /// Adds variations, with moves in the standard notation of the game, and annotations of their moves
    /// and of the main line.
    pub fn add_lines(
        &mut self,
        variations: &[Variation<(Side, String)>],
        annotations: &[Annotation],
    ) -> Result<(), LineError> {
        let turns = self.tree.main_line().filter(|(_, node)| node.turn().is_some());
        let mut nodes = GameLines::new(iter::once(GameTree::ROOT).chain(turns.map(|(id, _)| id)));
        for (i, &Variation { line, ply, ref moves }) in variations.iter().enumerate() {
            let wrong = |reason| LineError { what: "variation", number: i + 1, reason };
            // A record has a move to replace: what follows its last one continues the main line.
            nodes.after(line, ply).ok_or_else(|| wrong(no_move(line, ply)))?;
            let before = nodes.begin(line, ply).copied();
            let mut node = before.ok_or_else(|| wrong(no_move(line, ply)))?;
            for (side, text) in moves {
                node = self.add_move(node, *side, text).map_err(wrong)?;
                nodes.push(node);
            }
        }
        let mover = self.movers();
        for (i, Annotation { line, ply, comment, glyphs, recorded }) in
            annotations.iter().enumerate()
        {
            let reason = || no_move(*line, *ply);
            let wrong = || LineError { what: "annotation", number: i + 1, reason: reason() };
            let &node = nodes.after(*line, *ply).ok_or_else(wrong)?;
            // Glyphs belong to moves.
            for glyph in glyphs.iter().filter(|_| *ply > 0) {
                self.add_glyph_to(node, *glyph);
            }
            let is_sgf = self.format == RecordFormat::Sgf;
            if let Some(node) = self.tree.get_mut(node).filter(|_| is_sgf) {
                recorded.write_properties(node);
            }
            let commands = recorded.commands((*ply > 0).then(|| mover(*ply)), !is_sgf);
            self.add_comment_to(node, &joined(&commands, comment));
        }
        Ok(())
    }
}

fn joined(commands: &str, words: &str) -> String {
    format!("{commands} {words}").trim().to_string()
}

fn no_move(line: usize, ply: usize) -> String {
    format!("line {line} has no ply {ply}")
}
