//! The lines of a record: the main line and its variations, with their annotations.

use std::collections::VecDeque;

use thiserror::Error;

use super::error::LineColumn;
use super::record::Record;
use super::replay::replay;
use super::tree::{GameTree, NodeItem, TreeNode, Turn};
use crate::game::{Game, GameLines, RuleValues, Variant, Variation, rules_from};
use crate::games::{GameVisitor, open};

/// A move of a record with its annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordMove<'a> {
    /// The move.
    pub turn: &'a Turn,
    /// Its position in the file.
    pub location: LineColumn,
    /// The comments on it, one per line.
    pub comment: String,
    /// Its numeric annotation glyphs (NAG).
    pub glyphs: Vec<u8>,
}

impl RecordMove<'_> {
    /// Adds the annotations of a node: that of the move, or one without a move after it.
    fn annotate(&mut self, node: &TreeNode) {
        for item in &node.items {
            match item {
                NodeItem::Comment(text) if self.comment.is_empty() => self.comment.clone_from(text),
                NodeItem::Comment(text) => self.comment += &format!("\n{text}"),
                NodeItem::Nag(glyph) => self.glyphs.push(*glyph),
                NodeItem::Turn(_) | NodeItem::Property(..) => {}
            }
        }
    }
}

/// The annotations of a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Annotation {
    /// The line: 0 is the main line, N the Nth variation.
    pub line: usize,
    /// The ply of the move, from 1; 0 is before the first move.
    pub ply: usize,
    /// A comment.
    pub comment: String,
    /// Numeric annotation glyphs (NAG).
    pub glyphs: Vec<u8>,
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
    /// The main line, then the variations, each after the line that it leaves.
    pub fn lines(&self) -> Vec<Variation<RecordMove<'_>>> {
        let mut lines = Vec::new();
        let mut pending = VecDeque::from([(0, 1, GameTree::ROOT)]);
        while let Some((line, ply, first)) = pending.pop_front() {
            let mut moves: Vec<RecordMove> = Vec::new();
            let mut next = self.tree.get(first);
            while let Some(node) = next {
                if let Some(turn) = node.turn() {
                    let (location, comment, glyphs) = (node.location, String::new(), Vec::new());
                    moves.push(RecordMove { turn, location, comment, glyphs });
                }
                if let Some(last) = moves.last_mut() {
                    last.annotate(node);
                }
                let others = node.children.iter().skip(1);
                pending.extend(others.map(|&other| (lines.len(), ply + moves.len(), other)));
                next = node.children.first().and_then(|&id| self.tree.get(id));
            }
            lines.push(Variation { line, ply, moves });
        }
        lines
    }

    /// Adds variations, with moves in any notation of the game, and annotations of their moves and of
    /// the main line.
    pub fn add_lines(
        &mut self,
        rules: RuleValues,
        variations: &[Variation<String>],
        annotations: &[Annotation],
    ) -> Result<(), LineError> {
        struct Add<'a> {
            record: &'a mut Record,
            rules: RuleValues<'a>,
            variations: &'a [Variation<String>],
            annotations: &'a [Annotation],
        }
        impl GameVisitor for Add<'_> {
            type Output = Result<(), LineError>;

            fn visit<P: Game>(self, _: &'static Variant) -> Self::Output {
                let rules = rules_from::<P::Rules>(self.rules);
                let nodes = self.record.add_variations::<P>(rules, self.variations)?;
                self.record.annotate(&nodes, self.annotations)
            }
        }
        let variant = self.variant();
        open(variant, Add { record: self, rules, variations, annotations }).unwrap_or(Ok(()))
    }

    /// Returns the nodes of all lines, with the positions.
    fn add_variations<P: Game>(
        &mut self,
        rules: P::Rules,
        variations: &[Variation<String>],
    ) -> Result<GameLines<(usize, P)>, LineError> {
        let positions = replay::<P>(self, rules).map_err(|error| LineError {
            what: "ply",
            number: error.ply,
            reason: error.reason,
        })?;
        let turns = self.tree.main_line().filter(|(_, node)| node.turn().is_some());
        let nodes = [GameTree::ROOT].into_iter().chain(turns.map(|(id, _)| id));
        let mut lines = GameLines::new(nodes.zip(positions));
        for (i, Variation { line, ply, moves }) in variations.iter().enumerate() {
            let wrong = |reason| LineError { what: "variation", number: i + 1, reason };
            let (mut node, mut position) =
                *lines.begin(*line, *ply).ok_or_else(|| wrong(no_move(*line, *ply)))?;
            for (j, text) in moves.iter().enumerate() {
                let added = self.add_move(node, &position, text);
                (node, position) =
                    added.map_err(|reason| wrong(format!("ply {}, {text}: {reason}", ply + j)))?;
                lines.push((node, position));
            }
        }
        Ok(lines)
    }

    fn annotate<P>(
        &mut self,
        lines: &GameLines<(usize, P)>,
        annotations: &[Annotation],
    ) -> Result<(), LineError> {
        for (i, Annotation { line, ply, comment, glyphs }) in annotations.iter().enumerate() {
            let wrong = |reason| LineError { what: "annotation", number: i + 1, reason };
            let &(node, _) = lines.after(*line, *ply).ok_or_else(|| wrong(no_move(*line, *ply)))?;
            // Glyphs belong to moves.
            for glyph in glyphs.iter().filter(|_| *ply > 0) {
                self.add_glyph_to(node, *glyph);
            }
            self.add_comment_to(node, comment);
        }
        Ok(())
    }
}

fn no_move(line: usize, ply: usize) -> String {
    format!("line {line} has no ply {ply}")
}
