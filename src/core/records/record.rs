//! A game record, independent of the file format.

use std::fmt::{self, Display};

use super::error::{LineColumn, RecordError, RecordFault};
use super::tree::{GameTree, NodeItem, TreeNode, Turn, UTF_8};
use super::values::{
    HeaderField, MoveMark, RecordFormat, RecordResult, WinReason, date_for, plain_text, present,
};
use super::{pdn, sgf};
use crate::game::{RecordId, Side, Variant};

/// This program, as a value of `AP` in SGF.
const APPLICATION: &str = concat!("Soucie:", env!("CARGO_PKG_VERSION"));

/// A recorded game with variations, comments and headers.
///
/// Plies of the main line are counted from 1; ply 0 holds the annotations before the first move.
/// [`Display`] writes the record in its format. Equality compares the contents, not the positions
/// in the file.
#[derive(Clone, Debug)]
pub struct Record {
    pub(super) format: RecordFormat,
    pub(super) variant: &'static Variant,
    pub(super) setup: Option<String>,
    pub(super) tree: GameTree,
    /// The result at the end of a PDN game.
    pub(super) terminator: String,
    /// Whether the variant is a guess, because nothing in the text determines it.
    pub(super) is_assumed: bool,
    /// The first syntax error, with its position in the file.
    pub(super) fault: Option<String>,
    /// The charset that is assumed, if it matters and none is declared.
    pub(super) note: Option<String>,
}

impl PartialEq for Record {
    /// Whether the contents are equal, however certain the variant is.
    fn eq(&self, other: &Self) -> bool {
        let key = |record: &Self| (record.format, record.variant.name);
        key(self) == key(other)
            && self.setup == other.setup
            && self.tree == other.tree
            && self.terminator == other.terminator
    }
}

impl Record {
    /// A record without moves.
    pub(super) fn empty(
        variant: &'static Variant,
        setup: Option<String>,
        location: LineColumn,
    ) -> Result<Self, RecordFault> {
        let (format, properties) = match variant.record_id {
            RecordId::Sgf { game, .. } => {
                let mut properties = vec![
                    ("FF", vec!["4".to_string()]),
                    ("GM", vec![game.to_string()]),
                    ("SZ", vec!["8".to_string()]),
                    ("CA", vec![UTF_8.to_string()]),
                ];
                properties.extend(sgf::setup::properties(variant, setup.as_deref())?);
                (RecordFormat::Sgf, properties)
            }
            RecordId::Pdn { game_type } => {
                let mut tags = vec![("GameType", vec![game_type.to_string()])];
                if let Some(setup) = &setup {
                    tags.push(("SetUp", vec!["1".to_string()]));
                    tags.push(("FEN", vec![setup.clone()]));
                }
                (RecordFormat::Pdn, tags)
            }
        };
        let (tree, terminator) = (GameTree::new(location), String::new());
        let mut record = Self {
            format,
            variant,
            setup,
            tree,
            terminator,
            is_assumed: false,
            fault: None,
            note: None,
        };
        for (name, values) in properties {
            record.tree.add_item(GameTree::ROOT, NodeItem::Property(name.to_string(), values));
        }
        if format == RecordFormat::Pdn {
            record.set_outcome(RecordResult::Unknown);
        }
        Ok(record)
    }

    pub fn format(&self) -> RecordFormat {
        self.format
    }

    pub fn variant(&self) -> &'static str {
        self.variant.name
    }

    /// Whether the variant is a guess: neither the text nor the moves determine it.
    pub fn variant_is_assumed(&self) -> bool {
        self.is_assumed
    }

    /// The first syntax error, with its position in the file. What follows it is not part of the record
    /// if the text does not show where the game goes on.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// What is assumed about the file, with a position in it, without which other characters may be meant.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// The setup; `None` for the start position of the variant.
    pub fn setup(&self) -> Option<&str> {
        self.setup.as_deref()
    }

    /// The position of the record in its file.
    pub fn location(&self) -> LineColumn {
        self.tree
            .get(GameTree::ROOT)
            .map_or(LineColumn { line: 1, column: 1 }, |root| root.location)
    }

    /// The moves of the main line with their positions in the file. A resignation is not a move.
    pub fn turns(&self) -> impl Iterator<Item = (&Turn, LineColumn)> {
        self.tree.main_line().filter_map(|(_, node)| Some((node.turn()?, node.location)))
    }

    /// The moves of the main line, in the notation that the rules accept.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.turns().map(|(turn, _)| turn.text.as_str())
    }

    /// The value of a header; `None` if it is missing, empty or a placeholder such as `?`. Some
    /// programs write it to a later node than the root.
    pub fn info(&self, info: HeaderField) -> Option<String> {
        let name = self.header(info);
        self.tree.main_line().filter_map(|(_, node)| node.value(name)).find_map(|value| match self
            .format
        {
            RecordFormat::Sgf => present(&sgf::decode(value)),
            RecordFormat::Pdn => present(value),
        })
    }

    /// Sets a header. An absent value, such as `?`, has no effect. A date gets the form of the format.
    pub fn set_info(&mut self, info: HeaderField, text: &str) {
        let Some(text) = present(&plain_text(text)) else { return };
        let text = if info == HeaderField::Date { date_for(self.format, text) } else { text };
        self.set(self.header(info), &text);
    }

    /// Adds an annotator, such as `Soucie 1.0, 200000 nodes a search`, unless it is named already. An absent
    /// one, such as `?`, has no effect.
    pub fn add_annotator(&mut self, name: &str) {
        let Some(name) = present(&plain_text(name)) else { return };
        let known = self.info(HeaderField::Annotator);
        let mut names: Vec<&str> = known.iter().flat_map(|names| names.split("; ")).collect();
        if names.contains(&name.as_str()) {
            return;
        }
        names.push(&name);
        let names = names.join("; ");
        let property = self.header(HeaderField::Annotator);
        let value = if self.format == RecordFormat::Sgf { sgf::encode(&names) } else { names };
        let has = |(_, node): &(usize, &TreeNode)| node.property(property).is_some();
        let id = self.tree.main_line().find(has).map_or(GameTree::ROOT, |(id, _)| id);
        if let Some(node) = self.tree.get_mut(id) {
            node.set(property, value);
        }
    }

    /// Names Soucie as the program that wrote the record, where the format has a place for it.
    pub fn set_application(&mut self) {
        if self.format == RecordFormat::Sgf {
            self.set("AP", APPLICATION);
        }
    }

    pub fn outcome(&self) -> RecordResult {
        match self.format {
            RecordFormat::Sgf => sgf::info::outcome(&self.tree),
            RecordFormat::Pdn => pdn::outcome(&self.tree, &self.terminator),
        }
    }

    pub fn set_outcome(&mut self, outcome: RecordResult) {
        match self.format {
            RecordFormat::Sgf => self.set("RE", sgf::info::result(outcome)),
            RecordFormat::Pdn => {
                self.terminator = pdn::result(outcome).to_string();
                self.set("Result", pdn::result(outcome));
            }
        }
    }

    /// Adds how the game was won to the result, where the format has a sign for it: `B+R` in SGF.
    pub fn set_win_reason(&mut self, reason: WinReason) {
        let outcome = self.outcome();
        if self.format == RecordFormat::Sgf && matches!(outcome, RecordResult::Won(_)) {
            let sign = match reason {
                WinReason::Resignation => "R",
                WinReason::Time => "T",
                WinReason::Forfeit => "F",
            };
            self.set("RE", &format!("{}{sign}", sgf::info::result(outcome)));
        }
    }

    /// Sets the result of a game that is over by the rules, with the reason as a comment on the last
    /// move.
    pub fn add_end(&mut self, winner: Option<Side>, reason: &str) {
        self.set_outcome(winner.map_or(RecordResult::Drawn, RecordResult::Won));
        self.add_comment(self.moves().count(), reason);
    }

    /// The comments on a ply of the main line, one per line.
    pub fn comment(&self, ply: usize) -> String {
        self.nodes_of(ply).flat_map(TreeNode::comments).collect::<Vec<_>>().join("\n")
    }

    /// The numeric annotation glyphs (NAG) of a ply of the main line; see [`MoveMark`].
    pub fn glyphs(&self, ply: usize) -> Vec<u8> {
        self.nodes_of(ply).flat_map(TreeNode::glyphs).collect()
    }

    /// The variations at a ply of the main line: their moves, in the notation that the rules
    /// accept, without nested variations.
    pub fn variations(&self, ply: usize) -> Vec<Vec<&str>> {
        let parent = self.node(ply).and_then(|node| self.tree.get(node.parent?));
        let others = parent.map_or(&[][..], |parent| &parent.children).iter().skip(1);
        others.map(|&id| self.line_from(id)).collect()
    }

    /// Adds a comment to a ply of the main line. No effect beyond the end of the game, or if the
    /// ply has it already.
    pub fn add_comment(&mut self, ply: usize, text: &str) {
        let is_known = self.comment(ply).lines().any(|line| line == text.trim());
        if let Some(id) = self.node_of(ply).filter(|_| !is_known) {
            self.add_comment_to(id, text);
        }
    }

    /// Adds a comment to a node.
    pub(super) fn add_comment_to(&mut self, id: usize, text: &str) {
        let text = plain_text(text);
        let Some(node) = self.tree.get_mut(id).filter(|_| !text.is_empty()) else { return };
        match self.format {
            RecordFormat::Sgf => {
                let is_ascii = text.is_ascii();
                node.merge_comment(text);
                if !is_ascii {
                    self.tree.declare_charset();
                }
            }
            RecordFormat::Pdn => {
                node.items.push(NodeItem::Comment(pdn::comment::without_braces(&text)))
            }
        }
    }

    /// Annotates the move of a ply of the main line. No effect beyond the end of the game, or if
    /// the move has a mark already: it is that of an annotator, and a node of SGF has only one.
    pub fn add_mark(&mut self, ply: usize, mark: MoveMark) {
        if let Some(id) = self.node_of(ply).filter(|_| ply > 0) {
            self.add_glyph_to(id, mark as u8);
        }
    }

    /// Adds a numeric annotation glyph to a node. A second one of a [`MoveMark`] has no effect.
    pub(super) fn add_glyph_to(&mut self, id: usize, glyph: u8) {
        let is_mark = |glyph| sgf::mark_property(glyph).is_some();
        let Some(node) = self.tree.get_mut(id) else { return };
        let is_known =
            node.glyphs().any(|known| known == glyph || is_mark(known) && is_mark(glyph));
        if !is_known {
            node.items.push(NodeItem::Nag(glyph));
        }
    }

    /// Adds a variation that replaces the move of a ply of the main line, with a comment on its
    /// first move.
    ///
    /// The moves are in the standard notation of the game; text that is not a move is an error. No
    /// effect beyond the end of the game, or if the ply has a variation with these moves already.
    pub fn add_variation(
        &mut self,
        ply: usize,
        moves: &[impl AsRef<str>],
        comment: &str,
    ) -> Result<(), RecordError> {
        let location = self.location();
        let Some((parent, turn)) =
            self.node(ply).and_then(|node| Some((node.parent?, node.turn()?)))
        else {
            return Ok(());
        };
        let mut side = turn.side;
        let mut turns = Vec::new();
        for text in moves {
            let text = text.as_ref();
            let turn = self.turn(side, text);
            turns.push(turn.ok_or_else(|| RecordFault::expected("a move", text).at(location))?);
            side = side.map(|side| !side);
        }
        if self.variations(ply).iter().any(|line| line.iter().eq(turns.iter().map(|t| &t.text))) {
            return Ok(());
        }
        let mut id = parent;
        for (i, turn) in turns.into_iter().enumerate() {
            id = self.tree.add_node(id, location)?;
            self.tree.add_item(id, NodeItem::Turn(turn));
            if i == 0 {
                self.add_comment_to(id, comment);
            }
        }
        Ok(())
    }

    fn line_from(&self, id: usize) -> Vec<&str> {
        let mut line = Vec::new();
        let mut next = self.tree.get(id);
        while let Some(node) = next {
            line.extend(node.turn().map(|turn| turn.text.as_str()));
            next = node.children.first().and_then(|&id| self.tree.get(id));
        }
        line
    }

    /// The node of a ply of the main line, and those without a move after it.
    pub(super) fn nodes_of(&self, ply: usize) -> impl Iterator<Item = &TreeNode> {
        let nodes = self.tree.main_line().map(|(_, node)| node);
        let numbered = nodes.scan(0, |plies, node| {
            *plies += usize::from(node.turn().is_some());
            Some((*plies, node))
        });
        numbered.filter(move |&(at, _)| at == ply).map(|(_, node)| node)
    }

    /// The node index of a ply of the main line.
    fn node_of(&self, ply: usize) -> Option<usize> {
        if ply == 0 {
            return Some(GameTree::ROOT);
        }
        let turns = self.tree.main_line().filter(|(_, node)| node.turn().is_some());
        turns.map(|(id, _)| id).nth(ply - 1)
    }

    fn node(&self, ply: usize) -> Option<&TreeNode> {
        self.tree.get(self.node_of(ply)?)
    }

    /// The turn of a move in the standard notation of the game; `None` if the format cannot represent
    /// it.
    pub(super) fn turn(&self, side: Option<Side>, text: &str) -> Option<Turn> {
        match self.format {
            RecordFormat::Sgf => sgf::turn(side, &sgf::of_standard(text)),
            RecordFormat::Pdn => pdn::turn(text),
        }
    }

    pub(super) fn set(&mut self, name: &str, text: &str) {
        let value = match self.format {
            RecordFormat::Sgf => sgf::encode(text),
            RecordFormat::Pdn => text.to_string(),
        };
        if let Some(root) = self.tree.get_mut(GameTree::ROOT) {
            root.set(name, value);
        }
    }

    pub(super) fn header(&self, info: HeaderField) -> &'static str {
        let row = HeaderField::NAMES.iter().find(|row| row.0 == info);
        let [sgf, pdn] = row.map_or(["", ""], |row| row.1);
        if self.format == RecordFormat::Sgf { sgf } else { pdn }
    }
}

impl Display for Record {
    /// Writes the record as file contents, including the last line end.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.format {
            RecordFormat::Sgf => sgf::write::write(&self.tree, f),
            RecordFormat::Pdn => pdn::write::write(&self.tree, &self.terminator, f),
        }
    }
}
