//! Variations in PDN.

use std::io::BufRead;

use super::super::super::error::{LineColumn, RecordError, RecordFault};
use super::super::super::pdn::UNKNOWN;
use super::super::super::tree::GameTree;
use super::super::bytes::ByteReader;
use super::grammar::PdnParser;
use super::remarks;

/// The maximum nesting of variations.
const MAX_DEPTH: usize = 1000;

impl PdnParser {
    pub(super) fn open_variation(&mut self, location: LineColumn) -> Result<(), RecordError> {
        if !self.has_move {
            return Err(RecordFault::EarlyVariation.at(location));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(RecordFault::TooMuch("1000 nested variations").at(location));
        }
        self.open.push((self.node, self.plies));
        self.node = self.tree.get(self.node).and_then(|node| node.parent).unwrap_or(GameTree::ROOT);
        self.plies = self.plies.saturating_sub(1);
        self.has_move = false;
        self.number = None;
        Ok(())
    }

    pub(super) fn close_variation(&mut self, location: LineColumn) -> Result<(), RecordError> {
        self.end_number();
        let (node, plies) = self.open.pop().ok_or_else(|| RecordFault::NoVariation.at(location))?;
        // A variation has no result of its own in a record.
        if let Some((result, _)) = self.result.take().filter(|(result, _)| result != UNKNOWN) {
            self.comment(result);
        }
        (self.node, self.plies) = (node, plies);
        self.has_move = true;
        // A variation that contains only comments.
        for comment in std::mem::take(&mut self.pending) {
            self.tree.add_item(node, comment);
        }
        Ok(())
    }

    /// Ends a variation at an error in it. The rest of it becomes a comment. An error after which no bracket
    /// closes the variation ends the game.
    pub(super) fn break_variation<R: BufRead>(
        &mut self,
        source: &mut ByteReader<R>,
        error: RecordError,
    ) -> Result<(), RecordError> {
        let is_limit = matches!(error.fault, RecordFault::TooMuch(_));
        let begun = source.take_marked();
        let rest = if is_limit { None } else { remarks::rest_of_variation(source, &begun)? };
        let Some(rest) = rest else { return Err(error) };
        let location = error.location;
        self.note(error);
        self.comment(rest);
        self.close_variation(location)
    }
}
