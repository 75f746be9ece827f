//! A game with its variations: nodes in a list, so that no depth of nesting is recursion.

use super::error::{Fault, Place, RecordError};
use crate::game::Side;

/// The most nodes of a game.
const MAX_NODES: usize = 100_000;

/// A move as a record tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Who makes it, where the format says so.
    pub side: Option<Side>,
    /// As it is written in the record.
    pub written: String,
    /// As the game reads it.
    pub text: String,
}

/// Something that is said in a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Item {
    Turn(Turn),
    Comment(String),
    /// A numeric annotation glyph.
    Nag(u8),
    /// A property of SGF with its values as they are written, or a tag of PDN.
    Property(String, Vec<String>),
}

/// A place in the game: what was done and said there, and how it goes on, main line first.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) items: Vec<Item>,
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
    pub(super) place: Place,
}

impl Node {
    /// The move that leads here.
    pub(super) fn turn(&self) -> Option<&Turn> {
        self.items.iter().find_map(|item| match item {
            Item::Turn(turn) => Some(turn),
            _ => None,
        })
    }

    /// The comments.
    pub(super) fn comments(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|item| match item {
            Item::Comment(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The values of a property.
    pub(super) fn property(&self, name: &str) -> Option<&[String]> {
        self.items.iter().find_map(|item| match item {
            Item::Property(found, values) if found == name => Some(values.as_slice()),
            _ => None,
        })
    }

    /// The first value of a property.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.property(name)?.first().map(String::as_str)
    }

    /// Says something in the place of what a property said.
    pub(super) fn set(&mut self, name: &str, value: String) {
        let set = Item::Property(name.to_string(), vec![value]);
        let same = |item: &&mut Item| matches!(item, Item::Property(found, _) if found == name);
        match self.items.iter_mut().find(same) {
            Some(item) => *item = set,
            None => self.add_header(set),
        }
    }

    /// Adds a property behind those at the head of the node.
    pub(super) fn add_header(&mut self, header: Item) {
        let is_other = |item: &Item| !matches!(item, Item::Property(..));
        let at = self.items.iter().position(is_other).unwrap_or(self.items.len());
        self.items.insert(at, header);
    }
}

/// All nodes; the first one is the root and has no move in PDN.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl PartialEq for Tree {
    /// Whether both say the same, wherever it was read and in whatever order it was added.
    fn eq(&self, other: &Self) -> bool {
        let mut pairs = vec![(Self::ROOT, Self::ROOT)];
        while let Some((a, b)) = pairs.pop() {
            let (Some(a), Some(b)) = (self.get(a), other.get(b)) else { return false };
            if a.items != b.items || a.children.len() != b.children.len() {
                return false;
            }
            pairs.extend(a.children.iter().copied().zip(b.children.iter().copied()));
        }
        true
    }
}

impl Tree {
    /// A tree with nothing but a root.
    pub(super) fn new(place: Place) -> Self {
        Self { nodes: vec![Node { items: vec![], parent: None, children: vec![], place }] }
    }

    pub(super) const ROOT: usize = 0;

    pub(super) fn get(&self, id: usize) -> Option<&Node> {
        self.nodes.get(id)
    }

    pub(super) fn get_mut(&mut self, id: usize) -> Option<&mut Node> {
        self.nodes.get_mut(id)
    }

    pub(super) fn add_item(&mut self, id: usize, item: Item) {
        if let Some(node) = self.nodes.get_mut(id) {
            node.items.push(item);
        }
    }

    /// Says where a node stands.
    pub(super) fn move_to(&mut self, id: usize, place: Place) {
        if let Some(node) = self.nodes.get_mut(id) {
            node.place = place;
        }
    }

    /// Adds a node behind another one.
    pub(super) fn add_node(&mut self, parent: usize, place: Place) -> Result<usize, RecordError> {
        let id = self.nodes.len();
        if id >= MAX_NODES {
            return Err(Fault::TooMuch("100,000 nodes").at(place));
        }
        self.nodes.push(Node { items: vec![], parent: Some(parent), children: vec![], place });
        if let Some(parent) = self.nodes.get_mut(parent) {
            parent.children.push(id);
        }
        Ok(id)
    }

    /// The nodes of the main line, the root first.
    pub(super) fn main_line(&self) -> impl Iterator<Item = (usize, &Node)> {
        let mut next = Some(Self::ROOT);
        std::iter::from_fn(move || {
            let id = next?;
            let node = self.get(id)?;
            next = node.children.first().copied();
            Some((id, node))
        })
    }
}
