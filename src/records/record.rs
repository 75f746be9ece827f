//! A record of a game, whatever the format.

use std::fmt::{self, Display};

use super::error::{Fault, Place, RecordError};
use super::tree::{Item, Tree, Turn};
use super::{Format, pdn, sgf};
use crate::game::Side;

/// Who has won, as the record tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordResult {
    /// This side.
    Won(Side),
    /// Nobody.
    Drawn,
    /// The record does not say.
    Unknown,
}

/// What headers tell about a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Info {
    /// The tournament or match.
    Event,
    /// Where it was played.
    Site,
    /// When, as the record writes it.
    Date,
    /// The round of the tournament.
    Round,
    /// Who played Black.
    Black,
    /// Who played White.
    White,
}

/// What is thought of a move. The numbers are the glyphs of PGN and PDN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveMark {
    /// `!`, in SGF `TE[1]`.
    Good = 1,
    /// `?`, in SGF `BM[1]`.
    Mistake = 2,
    /// `!!`, in SGF `TE[2]`.
    VeryGood = 3,
    /// `??`, in SGF `BM[2]`.
    Blunder = 4,
    /// `!?`, in SGF `IT[]`.
    Interesting = 5,
    /// `?!`, in SGF `DO[]`.
    Doubtful = 6,
}

/// A game as somebody wrote it down.
///
/// Plies of the main line are counted from 1; ply 0 stands for what is said before the first
/// move. [`Display`] writes the record. Two records are equal if they say the same, wherever in a
/// file they stood.
#[derive(Clone, Debug)]
pub struct Record {
    pub(super) format: Format,
    pub(super) variant: &'static str,
    pub(super) setup: Option<String>,
    pub(super) tree: Tree,
    /// How a game of PDN ends.
    pub(super) terminator: String,
    /// Whether nothing in the text decides which variant was played.
    pub(super) is_assumed: bool,
}

impl PartialEq for Record {
    /// Whether both say the same, however sure it was what was played.
    fn eq(&self, other: &Self) -> bool {
        let key = |record: &Self| (record.format, record.variant);
        key(self) == key(other)
            && self.setup == other.setup
            && self.tree == other.tree
            && self.terminator == other.terminator
    }
}

impl Record {
    /// How the record is written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The name of the variant that was played.
    pub fn variant(&self) -> &'static str {
        self.variant
    }

    /// Whether the variant is a guess: neither the text nor the moves decide it.
    pub fn variant_is_assumed(&self) -> bool {
        self.is_assumed
    }

    /// The setup, if it is not the start of the variant.
    pub fn setup(&self) -> Option<&str> {
        self.setup.as_deref()
    }

    /// Where the record begins.
    pub fn place(&self) -> Place {
        self.tree.get(Tree::ROOT).map_or(Place { line: 1, column: 1 }, |root| root.place)
    }

    /// The moves of the main line with their places. A resignation is none.
    pub fn turns(&self) -> impl Iterator<Item = (&Turn, Place)> {
        self.tree.main_line().filter_map(|(_, node)| Some((node.turn()?, node.place)))
    }

    /// The moves of the main line, as the game reads them.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.turns().map(|(turn, _)| turn.text.as_str())
    }

    /// What a header tells.
    pub fn info(&self, info: Info) -> Option<String> {
        let value = self.tree.get(Tree::ROOT)?.value(self.header(info))?;
        Some(match self.format {
            Format::Sgf => sgf::decode(value),
            Format::Pdn => value.to_string(),
        })
    }

    /// Tells something in a header.
    pub fn set_info(&mut self, info: Info, text: &str) {
        self.set(self.header(info), text);
    }

    /// Who has won.
    pub fn outcome(&self) -> RecordResult {
        match self.format {
            Format::Sgf => sgf::outcome(self),
            Format::Pdn => pdn::outcome(self),
        }
    }

    /// Tells who has won.
    pub fn set_outcome(&mut self, outcome: RecordResult) {
        match self.format {
            Format::Sgf => self.set("RE", sgf::result(outcome)),
            Format::Pdn => {
                self.terminator = pdn::result(outcome).to_string();
                self.set("Result", pdn::result(outcome));
            }
        }
    }

    /// What is said about a ply of the main line, comments one to a line.
    pub fn comment(&self, ply: usize) -> String {
        let comments = self.items(ply).filter_map(|item| match item {
            Item::Comment(text) => Some(text.as_str()),
            _ => None,
        });
        comments.collect::<Vec<_>>().join("\n")
    }

    /// The numeric annotation glyphs of a ply of the main line; see [`MoveMark`].
    pub fn glyphs(&self, ply: usize) -> Vec<u8> {
        let glyphs = self.items(ply).filter_map(|item| match item {
            Item::Nag(glyph) => Some(*glyph),
            _ => None,
        });
        glyphs.collect()
    }

    /// The variations that begin with another move at a ply: their moves, as the game reads
    /// them, without variations within them.
    pub fn variations(&self, ply: usize) -> Vec<Vec<&str>> {
        let node = self.node_of(ply).and_then(|id| self.tree.get(id));
        let parent = node.and_then(|node| self.tree.get(node.parent?));
        let others = parent.map_or(&[][..], |parent| &parent.children).iter().skip(1);
        others.map(|&id| self.line_from(id)).collect()
    }

    /// Adds a comment to a ply of the main line. Nothing happens if the game is shorter.
    pub fn add_comment(&mut self, ply: usize, text: &str) {
        let text = text.trim();
        let Some(id) = self.node_of(ply).filter(|_| !text.is_empty()) else { return };
        let said = self.tree.get_mut(id).and_then(|node| {
            node.items.iter_mut().find_map(|item| match item {
                Item::Comment(said) => Some(said),
                _ => None,
            })
        });
        match said {
            // A node of SGF has one comment.
            Some(said) if self.format == Format::Sgf => *said = format!("{said}\n{text}"),
            _ => self.tree.add_item(id, Item::Comment(text.to_string())),
        }
    }

    /// Judges the move of a ply of the main line. Nothing happens if the game is shorter.
    pub fn judge(&mut self, ply: usize, judgement: MoveMark) {
        if let Some(id) = self.node_of(ply).filter(|_| ply > 0) {
            self.tree.add_item(id, Item::Nag(judgement as u8));
        }
    }

    /// Adds a variation that replaces the move of a ply of the main line; the comment is on its
    /// first move. The moves are in the standard format of the game; what is no move at all is
    /// an error. Nothing happens if the game is shorter.
    pub fn add_variation(
        &mut self,
        ply: usize,
        moves: &[impl AsRef<str>],
        comment: &str,
    ) -> Result<(), RecordError> {
        let place = self.place();
        let node = self.node_of(ply).and_then(|id| self.tree.get(id));
        let Some((parent, turn)) = node.and_then(|node| Some((node.parent?, node.turn()?))) else {
            return Ok(());
        };
        let mut side = turn.side;
        let mut turns = Vec::new();
        for text in moves {
            let text = text.as_ref();
            let turn = match self.format {
                Format::Sgf => sgf::turn(side, &sgf::of_standard(text)),
                Format::Pdn => pdn::turn(text),
            };
            turns.push(turn.ok_or_else(|| Fault::Move(text.to_string()).at(place))?);
            side = side.map(|side| !side);
        }
        let mut id = parent;
        for (i, turn) in turns.into_iter().enumerate() {
            id = self.tree.add_node(id, place)?;
            self.tree.add_item(id, Item::Turn(turn));
            if i == 0 && !comment.trim().is_empty() {
                self.tree.add_item(id, Item::Comment(comment.trim().to_string()));
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

    /// The node of a ply of the main line.
    fn node_of(&self, ply: usize) -> Option<usize> {
        if ply == 0 {
            return Some(Tree::ROOT);
        }
        let turns = self.tree.main_line().filter(|(_, node)| node.turn().is_some());
        turns.map(|(id, _)| id).nth(ply - 1)
    }

    fn items(&self, ply: usize) -> impl Iterator<Item = &Item> {
        let node = self.node_of(ply).and_then(|id| self.tree.get(id));
        node.map_or(&[][..], |node| &node.items).iter()
    }

    pub(super) fn set(&mut self, name: &str, text: &str) {
        let value = match self.format {
            Format::Sgf => sgf::encode(text),
            Format::Pdn => text.split_whitespace().collect::<Vec<_>>().join(" "),
        };
        if let Some(root) = self.tree.get_mut(Tree::ROOT) {
            root.set(name, value);
        }
    }

    fn header(&self, info: Info) -> &'static str {
        let (sgf, pdn) = match info {
            Info::Event => ("EV", "Event"),
            Info::Site => ("PC", "Site"),
            Info::Date => ("DT", "Date"),
            Info::Round => ("RO", "Round"),
            Info::Black => ("PB", "Black"),
            Info::White => ("PW", "White"),
        };
        match self.format {
            Format::Sgf => sgf,
            Format::Pdn => pdn,
        }
    }
}

impl Display for Record {
    /// The record as a file holds it, with the end of its last line.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.format {
            Format::Sgf => sgf::write::write(self, f),
            Format::Pdn => pdn::write::write(self, f),
        }
    }
}
