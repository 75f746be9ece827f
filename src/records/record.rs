//! A game record, independent of the file format.

use std::fmt::{self, Display};

use super::error::{Fault, Place, RecordError};
use super::tree::{Item, Tree, Turn};
use super::{Format, pdn, sgf};
use crate::game::{Side, Variant};

/// The result of a game according to its record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordResult {
    /// A win of this side.
    Won(Side),
    /// A draw.
    Drawn,
    /// An unknown result.
    Unknown,
}

/// The standard headers of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Info {
    /// The tournament or match.
    Event,
    /// The place.
    Site,
    /// The date, in the notation of the record.
    Date,
    /// The round of the tournament.
    Round,
    /// The name of the Black player.
    Black,
    /// The name of the White player.
    White,
}

/// A move annotation. The values are the numeric annotation glyphs (NAG) of PGN and PDN.
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

/// A recorded game with variations, comments and headers.
///
/// Plies of the main line are counted from 1; ply 0 holds the annotations before the first move.
/// [`Display`] writes the record in its format. Equality compares the contents, not the positions
/// in the file.
#[derive(Clone, Debug)]
pub struct Record {
    pub(super) format: Format,
    pub(super) variant: &'static Variant,
    pub(super) setup: Option<String>,
    pub(super) tree: Tree,
    /// The result at the end of a PDN game.
    pub(super) terminator: String,
    /// Whether the variant is a guess, because nothing in the text determines it.
    pub(super) is_assumed: bool,
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
    /// The file format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The name of the variant.
    pub fn variant(&self) -> &'static str {
        self.variant.name
    }

    /// Whether the variant is a guess: neither the text nor the moves determine it.
    pub fn variant_is_assumed(&self) -> bool {
        self.is_assumed
    }

    /// The setup; `None` for the start position of the variant.
    pub fn setup(&self) -> Option<&str> {
        self.setup.as_deref()
    }

    /// The position of the record in its file.
    pub fn place(&self) -> Place {
        self.tree.get(Tree::ROOT).map_or(Place { line: 1, column: 1 }, |root| root.place)
    }

    /// The moves of the main line with their positions in the file. A resignation is not a move.
    pub fn turns(&self) -> impl Iterator<Item = (&Turn, Place)> {
        self.tree.main_line().filter_map(|(_, node)| Some((node.turn()?, node.place)))
    }

    /// The moves of the main line, in the notation that the rules accept.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.turns().map(|(turn, _)| turn.text.as_str())
    }

    /// The value of a header; `None` if it is missing.
    pub fn info(&self, info: Info) -> Option<String> {
        let value = self.tree.get(Tree::ROOT)?.value(self.header(info))?;
        Some(match self.format {
            Format::Sgf => sgf::decode(value),
            Format::Pdn => value.to_string(),
        })
    }

    /// Sets a header.
    pub fn set_info(&mut self, info: Info, text: &str) {
        self.set(self.header(info), text);
    }

    /// The result of the game.
    pub fn outcome(&self) -> RecordResult {
        match self.format {
            Format::Sgf => sgf::outcome(self),
            Format::Pdn => pdn::outcome(self),
        }
    }

    /// Sets the result of the game.
    pub fn set_outcome(&mut self, outcome: RecordResult) {
        match self.format {
            Format::Sgf => self.set("RE", sgf::result(outcome)),
            Format::Pdn => {
                self.terminator = pdn::result(outcome).to_string();
                self.set("Result", pdn::result(outcome));
            }
        }
    }

    /// The comments on a ply of the main line, one per line.
    pub fn comment(&self, ply: usize) -> String {
        let comments = self.items(ply).filter_map(|item| match item {
            Item::Comment(text) => Some(text.as_str()),
            _ => None,
        });
        comments.collect::<Vec<_>>().join("\n")
    }

    /// The numeric annotation glyphs (NAG) of a ply of the main line; see [`MoveMark`].
    pub fn glyphs(&self, ply: usize) -> Vec<u8> {
        let glyphs = self.items(ply).filter_map(|item| match item {
            Item::Nag(glyph) => Some(*glyph),
            _ => None,
        });
        glyphs.collect()
    }

    /// The variations at a ply of the main line: their moves, in the notation that the rules
    /// accept, without nested variations.
    pub fn variations(&self, ply: usize) -> Vec<Vec<&str>> {
        let node = self.node_of(ply).and_then(|id| self.tree.get(id));
        let parent = node.and_then(|node| self.tree.get(node.parent?));
        let others = parent.map_or(&[][..], |parent| &parent.children).iter().skip(1);
        others.map(|&id| self.line_from(id)).collect()
    }

    /// Adds a comment to a ply of the main line. No effect beyond the end of the game.
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
            // An SGF node has at most one comment.
            Some(said) if self.format == Format::Sgf => *said = format!("{said}\n{text}"),
            _ => self.tree.add_item(id, Item::Comment(text.to_string())),
        }
    }

    /// Annotates the move of a ply of the main line. No effect beyond the end of the game.
    pub fn judge(&mut self, ply: usize, judgement: MoveMark) {
        if let Some(id) = self.node_of(ply).filter(|_| ply > 0) {
            self.tree.add_item(id, Item::Nag(judgement as u8));
        }
    }

    /// Adds a variation that replaces the move of a ply of the main line, with a comment on its
    /// first move.
    ///
    /// The moves are in the standard notation of the game; text that is not a move is an error. No
    /// effect beyond the end of the game.
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

    /// The node index of a ply of the main line.
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
    /// Writes the record as file contents, including the last line end.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.format {
            Format::Sgf => sgf::write::write(self, f),
            Format::Pdn => pdn::write::write(self, f),
        }
    }
}
