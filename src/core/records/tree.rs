//! The tree of a game and its variations. The nodes are in a list, which avoids recursion however
//! deep the variations are nested.

use std::iter;

use super::error::{LineColumn, RecordError, RecordFault};
use super::values::present;
use crate::game::Side;

/// The maximum number of nodes of a game.
const MAX_NODES: usize = 100_000;

/// The charset of every record that is written, as a value of `CA`.
pub(super) const UTF_8: &str = "UTF-8";

/// A move in a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The side that moves, if the format specifies it.
    pub side: Option<Side>,
    /// The move in the notation that the rules accept.
    pub text: String,
    /// The move as written in the record, if that differs.
    written: Option<String>,
}

impl Turn {
    pub(super) fn new(side: Option<Side>, written: &str, text: String) -> Self {
        let written = (written != text).then(|| written.to_string());
        Self { side, text, written }
    }

    /// A move in PDN, which the rules accept as it is written.
    pub(super) fn of_pdn(text: String) -> Self {
        Self { side: None, text, written: None }
    }

    pub(super) fn written(&self) -> &str {
        self.written.as_ref().unwrap_or(&self.text)
    }

    /// Sets the move in the notation that the rules accept.
    pub(super) fn set_text(&mut self, text: String) {
        let before = std::mem::replace(&mut self.text, text);
        self.written.get_or_insert(before);
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NodeItem {
    Turn(Turn),
    Comment(String),
    /// A numeric annotation glyph (NAG).
    Nag(u8),
    /// An SGF property with its raw values, or a PDN tag.
    Property(String, Vec<String>),
}

/// A node: its items, and its children with the main line first.
#[derive(Clone, Debug)]
pub(super) struct TreeNode {
    pub(super) items: Vec<NodeItem>,
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
    pub(super) location: LineColumn,
}

impl TreeNode {
    /// The move that leads to this node.
    pub(super) fn turn(&self) -> Option<&Turn> {
        self.items.iter().find_map(|item| match item {
            NodeItem::Turn(turn) => Some(turn),
            _ => None,
        })
    }

    /// The move that leads to this node, to change it.
    pub(super) fn turn_mut(&mut self) -> Option<&mut Turn> {
        self.items.iter_mut().find_map(|item| match item {
            NodeItem::Turn(turn) => Some(turn),
            _ => None,
        })
    }

    fn property_mut(&mut self, name: &str) -> Option<(&mut String, &mut Vec<String>)> {
        self.items.iter_mut().find_map(|item| match item {
            NodeItem::Property(found, values) if found == name => Some((found, values)),
            _ => None,
        })
    }

    /// Renames a property, in place of those that have the new name.
    pub(super) fn rename(&mut self, old: &str, new: &str) {
        self.items.retain(|item| !matches!(item, NodeItem::Property(name, _) if name == new));
        if let Some((name, _)) = self.property_mut(old) {
            *name = new.to_string();
        }
    }

    pub(super) fn comments(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|item| match item {
            NodeItem::Comment(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The numeric annotation glyphs (NAG).
    pub(super) fn glyphs(&self) -> impl Iterator<Item = u8> {
        self.items.iter().filter_map(|item| match item {
            NodeItem::Nag(glyph) => Some(*glyph),
            _ => None,
        })
    }

    pub(super) fn property(&self, name: &str) -> Option<&[String]> {
        self.items.iter().find_map(|item| match item {
            NodeItem::Property(found, values) if found == name => Some(values.as_slice()),
            _ => None,
        })
    }

    /// The first value of a property.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.property(name)?.first().map(String::as_str)
    }

    /// The first value of a property that is not absent.
    pub(super) fn present_value(&self, name: &str) -> Option<&str> {
        let mut values = self.property(name)?.iter().map(String::as_str);
        values.find(|value| present(value).is_some())
    }

    /// Adds a comment to the first one. An SGF node has at most one.
    pub(super) fn merge_comment(&mut self, text: String) {
        if text.is_empty() {
            return;
        }
        let comment = self.items.iter_mut().find_map(|item| match item {
            NodeItem::Comment(comment) => Some(comment),
            _ => None,
        });
        match comment {
            Some(comment) => *comment += &format!("\n{text}"),
            None => self.items.push(NodeItem::Comment(text)),
        }
    }

    pub(super) fn set(&mut self, name: &str, value: String) {
        match self.property_mut(name) {
            Some((_, values)) => *values = vec![value],
            None => self.add_header(name, value),
        }
    }

    /// Adds a value of a property after the others.
    pub(super) fn add_value(&mut self, name: &str, value: String) {
        match self.property_mut(name) {
            Some((_, values)) => values.push(value),
            None => self.add_header(name, value),
        }
    }

    /// Adds a property after those at the beginning of the node.
    pub(super) fn add_header(&mut self, name: &str, value: String) {
        let is_other = |item: &NodeItem| !matches!(item, NodeItem::Property(..));
        let at = self.items.iter().position(is_other).unwrap_or(self.items.len());
        self.items.insert(at, NodeItem::Property(name.to_string(), vec![value]));
    }
}

/// All nodes. The first one is the root; in PDN it has no move.
#[derive(Clone, Debug)]
pub(super) struct GameTree {
    nodes: Vec<TreeNode>,
}

impl PartialEq for GameTree {
    /// Whether the contents are equal, regardless of file positions and insertion order.
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

impl GameTree {
    /// A tree with only a root.
    pub(super) fn new(location: LineColumn) -> Self {
        Self { nodes: vec![TreeNode { items: vec![], parent: None, children: vec![], location }] }
    }

    pub(super) const ROOT: usize = 0;

    pub(super) fn get(&self, id: usize) -> Option<&TreeNode> {
        self.nodes.get(id)
    }

    pub(super) fn get_mut(&mut self, id: usize) -> Option<&mut TreeNode> {
        self.nodes.get_mut(id)
    }

    /// Names the charset of a record of SGF that is not ASCII: without `CA` it is ISO 8859-1.
    pub(super) fn declare_charset(&mut self) {
        let is_ascii = |item: &NodeItem| match item {
            NodeItem::Turn(turn) => turn.written().is_ascii(),
            NodeItem::Comment(text) => text.is_ascii(),
            NodeItem::Nag(_) => true,
            NodeItem::Property(name, values) => {
                name.is_ascii() && values.iter().all(|value| value.is_ascii())
            }
        };
        if !self.nodes.iter().flat_map(|node| &node.items).all(is_ascii)
            && let Some(root) = self.nodes.first_mut()
        {
            root.set("CA", UTF_8.to_string());
        }
    }

    /// All nodes in the order in which they were added: a parent stands before its children.
    pub(super) fn nodes(&self) -> &[TreeNode] {
        &self.nodes
    }

    pub(super) fn add_item(&mut self, id: usize, item: NodeItem) {
        if let Some(node) = self.nodes.get_mut(id) {
            node.items.push(item);
        }
    }

    /// Sets the file position of a node.
    pub(super) fn move_to(&mut self, id: usize, location: LineColumn) {
        if let Some(node) = self.nodes.get_mut(id) {
            node.location = location;
        }
    }

    /// Adds a child to a node and returns its index.
    pub(super) fn add_node(
        &mut self,
        parent: usize,
        location: LineColumn,
    ) -> Result<usize, RecordError> {
        let id = self.nodes.len();
        if id >= MAX_NODES {
            return Err(RecordFault::too_much("100,000 nodes").at(location));
        }
        self.nodes.push(TreeNode {
            // Most nodes have a move and nothing else.
            items: Vec::with_capacity(1),
            parent: Some(parent),
            children: vec![],
            location,
        });
        if let Some(parent) = self.nodes.get_mut(parent) {
            parent.children.push(id);
        }
        Ok(id)
    }

    /// A node and those before it, the root last.
    pub(super) fn line_to(&self, id: usize) -> impl Iterator<Item = &TreeNode> {
        iter::successors(self.get(id), |node| self.get(node.parent?))
    }

    /// The nodes of the main line, starting with the root.
    pub(super) fn main_line(&self) -> impl Iterator<Item = (usize, &TreeNode)> {
        let find = |id: usize| Some((id, self.get(id)?));
        iter::successors(find(Self::ROOT), move |(_, node)| find(*node.children.first()?))
    }
}
