//! The game tree that the parts of a game in PDN give.

use super::super::super::error::{LineColumn, RecordError, RecordFault, shorten};
use super::super::super::legality::read_setup;
use super::super::super::setups::SetupMoves;
use super::super::super::tree::{GameTree, NodeItem, Turn};
use super::super::super::{pdn, results};
use super::super::buffer::Places;
use super::super::variant;
use super::reader::{PdnEvent, PdnReader, PlacedFault};

/// The maximum number of tags of a game.
const MAX_TAGS: usize = 1000;

pub(super) struct PdnGame {
    pub(super) tree: GameTree,
    pub(super) result: Option<(String, LineColumn)>,
    pub(super) fault: Option<RecordError>,
    /// Whether an error has ended the game.
    pub(super) is_cut: bool,
}

/// Reads the game of a text with this position.
pub(super) fn read(text: &str, location: LineColumn) -> PdnGame {
    let mut reader = PdnReader::new(text);
    let mut builder = TreeBuilder {
        tree: GameTree::new(location),
        places: Places::new(text, location),
        result: None,
        node: GameTree::ROOT,
        left: Vec::new(),
        before: None,
    };
    let error = loop {
        match reader.next() {
            Ok(Some(event)) => {
                if let Err(fault) = builder.add(event, &mut reader) {
                    break Some(fault);
                }
            }
            Ok(None) => break None,
            Err(fault) => break Some(fault),
        }
    };
    let is_cut = error.is_some();
    let fault = reader.fault.take().or(error).map(|(place, fault)| {
        let before = text.as_bytes().get(..place).unwrap_or_default();
        fault.at(location.after(before))
    });
    PdnGame { tree: builder.tree, result: builder.result, fault, is_cut }
}

struct TreeBuilder<'a> {
    tree: GameTree,
    places: Places<'a>,
    result: Option<(String, LineColumn)>,
    /// The last move, or the root.
    node: usize,
    /// The last moves of the lines that the current one leaves.
    left: Vec<usize>,
    /// The comments before the first move of a variation, until it is read.
    before: Option<Vec<NodeItem>>,
}

impl<'a> TreeBuilder<'a> {
    fn add(&mut self, event: PdnEvent<'a>, reader: &mut PdnReader<'a>) -> Result<(), PlacedFault> {
        let place = reader.place;
        match event {
            PdnEvent::Tag(name, value, opened) => {
                return self.tag(pdn::tag_name(name), &value, opened, reader);
            }
            PdnEvent::Move(mv) => {
                let location = self.places.at(place);
                let added = self.tree.add_node(self.node, location);
                self.node = added.map_err(|error| (place, error.fault))?;
                let items = self.before.take().into_iter().flatten();
                items.for_each(|item| self.tree.add_item(self.node, item));
                self.tree.add_item(self.node, NodeItem::Turn(Turn::of_pdn(mv.into_owned())));
            }
            PdnEvent::Comment(text) => self.comment(&pdn::comment::decode(text)),
            // Glyphs belong to moves.
            PdnEvent::Glyph(glyph) if self.node == GameTree::ROOT || self.before.is_some() => {
                self.comment(&pdn::sign(glyph));
            }
            PdnEvent::Glyph(glyph) => self.tree.add_item(self.node, NodeItem::Nag(glyph)),
            PdnEvent::Open => {
                self.left.push(self.node);
                let node = self.tree.get(self.node);
                self.node = node.and_then(|node| node.parent).unwrap_or(GameTree::ROOT);
                self.before = Some(Vec::new());
            }
            PdnEvent::Close => {
                self.node = self.left.pop().unwrap_or(GameTree::ROOT);
                // A variation that contains only comments.
                let items = self.before.take().into_iter().flatten();
                items.for_each(|item| self.tree.add_item(self.node, item));
            }
            PdnEvent::Result(text) => {
                if results::has_reason(text) {
                    self.comment(text);
                }
                self.result = Some((text.to_string(), self.places.at(place)));
            }
        }
        Ok(())
    }

    fn comment(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let comment = NodeItem::Comment(text.to_string());
        match &mut self.before {
            Some(before) => before.push(comment),
            None => self.tree.add_item(self.node, comment),
        }
    }

    /// Adds a tag, whose value is at `opened`.
    fn tag(
        &mut self,
        name: &str,
        value: &str,
        opened: usize,
        reader: &mut PdnReader,
    ) -> Result<(), PlacedFault> {
        let number = variant::game_number(value);
        if name == "GameType" && !number.is_empty() && variant::by_number(number).is_none() {
            return Err((reader.place, RecordFault::other_game("GameType", number)));
        }
        if name == "FEN" {
            let variant = SetupMoves::of_setup(value).variant(None);
            let wrong = |error| (opened, RecordFault::invalid(format!("FEN: {error}")));
            read_setup(variant, value).map_err(wrong)?;
        }
        if name == "Result" && pdn::read_result(value).is_none() {
            let expected = "1-0, 0-1, 1/2-1/2 or words such as 'White wins'";
            reader.note(opened, RecordFault::value("Result", expected, value));
        }
        let Some(root) = self.tree.get_mut(GameTree::ROOT) else { return Ok(()) };
        if root.items.len() >= MAX_TAGS {
            let most = "1000 tags and comments before the moves";
            return Err((reader.place, RecordFault::too_much(most)));
        }
        if root.value(name).is_some_and(|known| known != value) {
            let what = format!("a second tag {} with another value", shorten(name));
            reader.note(reader.place, RecordFault::invalid(what));
        }
        // Comments between tags are written after the tags.
        root.add_header(name, value.to_string());
        Ok(())
    }
}
