//! The parser of a game in SGF.

use std::io::BufRead;

use super::super::super::error::{LineColumn, RecordError, RecordFault, shorten};
use super::super::super::sgf::{self, PlayerData, setup};
use super::super::super::tree::{GameTree, NodeItem};
use super::super::super::values::{plain_text, present};
use super::super::bytes::{ByteReader, is_blank};
use super::super::charset::Charset;
use super::boundaries::{begins_game, begins_unquoted_game};
use crate::games::variants;

/// The maximum nesting of variations.
const MAX_DEPTH: usize = 1000;

/// Where the parser is in a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// After `(`.
    Opened,
    /// In a node.
    Node,
    /// After the `)` of a variation.
    Closed,
}

/// The parser state of a game.
pub(super) struct SgfParser {
    pub(super) tree: GameTree,
    /// The charset of the values; `None` if the text is decoded.
    charset: Option<Charset>,
    /// The current node; `None` before the first one.
    node: Option<usize>,
    /// The nodes at which the open variations branch off.
    open: Vec<Option<usize>>,
    place: Place,
    /// An invalid value in the root, which ends the game after this node: a later property may show
    /// that it is a record of another game.
    invalid: Option<RecordError>,
    /// The first error after which the game is read further.
    pub(super) fault: Option<RecordError>,
}

impl SgfParser {
    /// A game in this charset, or one that is decoded.
    pub(super) fn new(location: LineColumn, charset: Option<Charset>) -> Self {
        Self {
            tree: GameTree::new(location),
            charset,
            node: None,
            open: vec![],
            place: Place::Opened,
            invalid: None,
            fault: None,
        }
    }

    /// Reads the whole game. An error of its syntax ends it, and an invalid value in the root.
    pub(super) fn nodes<R: BufRead>(
        &mut self,
        source: &mut ByteReader<R>,
    ) -> Result<(), RecordError> {
        let read = self.tokens(source);
        let is_final = |error: &RecordError| {
            error.is_of_input() || matches!(error.fault, RecordFault::OtherGame { .. })
        };
        match (read, self.invalid.take()) {
            (Err(error), _) if is_final(&error) => Err(error),
            (_, Some(invalid)) => Err(invalid),
            (read, None) => read,
        }
    }

    fn tokens<R: BufRead>(&mut self, source: &mut ByteReader<R>) -> Result<(), RecordError> {
        loop {
            source.depth = self.open.len();
            source.take_while(is_blank)?;
            let location = source.location();
            let Some(byte) = source.peek()? else {
                return Err(RecordFault::NotClosed("the game").at(location));
            };
            if byte.is_ascii_alphabetic() {
                self.property(source)?;
                continue;
            }
            if self.invalid.is_some() {
                return Ok(());
            }
            let may_begin_game = !self.open.is_empty() && matches!(byte, b'(' | b';');
            // Nodes of a setup, before the first move, may name the game too.
            if may_begin_game && begins_game(source)? && (byte == b'(' || self.has_moves()) {
                return Err(RecordFault::NotClosed("the game before").at(location));
            }
            let found = source.peek_char()?.unwrap_or(' ');
            source.next()?;
            match byte {
                b'(' if self.open.len() >= MAX_DEPTH => {
                    return Err(RecordFault::TooMuch("1000 nested variations").at(location));
                }
                b'(' => {
                    self.open.push(self.node);
                    self.place = Place::Opened;
                }
                b')' => {
                    self.node = self.open.pop().flatten();
                    self.place = Place::Closed;
                    if self.open.is_empty() {
                        source.depth = 0;
                        return Ok(());
                    }
                }
                b';' => {
                    // The parenthesis of the root may be missing.
                    if self.open.is_empty() {
                        self.open.push(None);
                    }
                    self.begin_node(location)?;
                }
                _ => {
                    let expected = "a property, a node or a variation";
                    return Err(RecordFault::Unexpected { found, expected }.at(location));
                }
            }
        }
    }

    /// Whether the main line has a move.
    pub(super) fn has_moves(&self) -> bool {
        self.tree.main_line().any(|(_, node)| node.turn().is_some())
    }

    /// Whether the game is the continuation of another one, which a `)` has ended too early: its root is
    /// a move and does not name the game.
    pub(super) fn continues_another(&self) -> bool {
        let mut nodes = self.tree.main_line().map(|(_, node)| node);
        let is_empty = nodes.next().is_some_and(|root| root.items.is_empty());
        is_empty && nodes.next().is_some_and(|first| first.turn().is_some())
    }

    fn begin_node(&mut self, location: LineColumn) -> Result<(), RecordError> {
        if self.place == Place::Closed {
            let (found, expected) = (';', "'(' or ')' after a variation");
            return Err(RecordFault::Unexpected { found, expected }.at(location));
        }
        self.node = Some(match self.node {
            Some(node) => self.tree.add_node(node, location)?,
            None if self.open.len() == 1 => GameTree::ROOT,
            None => {
                let expected = "a game with one root";
                return Err(RecordFault::Unexpected { found: ';', expected }.at(location));
            }
        });
        self.place = Place::Node;
        Ok(())
    }

    /// Reads a property with its values into the current node.
    fn property<R: BufRead>(&mut self, source: &mut ByteReader<R>) -> Result<(), RecordError> {
        let location = source.location();
        let written = source.take_while(|byte| byte.is_ascii_alphanumeric())?;
        let short = sgf::short_name(&written);
        let is_unknown = short.is_none();
        let name = short.unwrap_or(written);
        let mut values = Vec::new();
        loop {
            source.take_while(is_blank)?;
            match source.peek()? {
                Some(b'[') => values.push(value(source, self.charset.unwrap_or_default())?),
                _ if values.is_empty() => {
                    let found = source.peek_char()?.unwrap_or(' ');
                    let expected = "'['";
                    return Err(RecordFault::Unexpected { found, expected }.at(source.location()));
                }
                _ => break,
            }
        }
        // The `;` of a node after `(` may be missing.
        if self.place != Place::Node {
            self.begin_node(location)?;
        }
        let node = self.node.unwrap_or(GameTree::ROOT);
        if let [(_, value)] = values.as_slice()
            && let Some(about) = sgf::player_data(&name, value)
        {
            self.add_player(&name, about);
            return Ok(());
        }
        let texts = values.iter().map(|(_, value)| value.as_str());
        if is_unknown || sgf::is_misspelt(&name, texts) {
            let expected = "a property of SGF in capitals, such as B, W, AB or AW";
            let text = format!("expected {expected}, found '{}'", shorten(&name));
            self.note(RecordFault::Unsupported(text).at(location));
        }
        match self.add_values(node, &name, values) {
            Err(error)
                if node == GameTree::ROOT
                    && !matches!(error.fault, RecordFault::OtherGame { .. }) =>
            {
                self.invalid.get_or_insert(error);
                Ok(())
            }
            added => added,
        }
    }

    /// Adds player data of BoardSpace; other data than a name is dropped.
    fn add_player(&mut self, property: &str, about: PlayerData) {
        // BoardSpace numbers the players, and `CM` is `1,0` where the first one has White.
        let colours = self.tree.get(GameTree::ROOT).and_then(|root| root.value("CM"));
        let is_swapped = property.starts_with('P') && colours == Some("1,0");
        if let PlayerData::Name(side, player) = about
            && let Some(root) = self.tree.get_mut(GameTree::ROOT)
        {
            let name = sgf::name_property(if is_swapped { !side } else { side });
            if root.value(name).is_none() {
                root.add_header(NodeItem::Property(name.to_string(), vec![player]));
            }
        }
    }

    /// Adds the values of a property to a node, to those that it has.
    fn add_values(
        &mut self,
        node: usize,
        name: &str,
        values: Vec<(LineColumn, String)>,
    ) -> Result<(), RecordError> {
        let has_many = values.len() > 1;
        for (i, (location, value)) in values.into_iter().enumerate() {
            check(name, &value, location)?;
            if name == "CA" {
                self.check_charset(&value).map_err(|fault| fault.at(location))?;
            }
            if has_many && value.trim().is_empty() && !sgf::is_single(name) {
                self.note(RecordFault::Point(String::new()).at(location));
            }
            if sgf::is_unclosed(&value) {
                self.note(RecordFault::NotClosed("the value of a property").at(location));
            }
            let item = self.item(node, name, &value, location)?;
            let known = self.tree.get(node).and_then(|node| node.property(name));
            let known = known.map(|known| known.contains(&value));
            // Comments and glyphs may be repeated.
            let is_second = item.is_none() && known == Some(false) || i > 0;
            if is_second && sgf::is_single(name) {
                let text = format!("{name}: expected one value, found '{}'", shorten(&value));
                self.note(RecordFault::Unsupported(text).at(location));
            }
            // The root is before the first move.
            let is_move = matches!(item, Some(NodeItem::Turn(_)));
            let node = match node {
                GameTree::ROOT if is_move => self.tree.add_node(node, location)?,
                node => node,
            };
            if is_move {
                self.node = Some(node);
                self.tree.move_to(node, location);
            }
            let Some(node) = self.tree.get_mut(node) else { continue };
            match item {
                Some(NodeItem::Comment(text)) if text.is_empty() => {}
                Some(NodeItem::Comment(text)) => node.merge_comment(text),
                Some(item) => node.items.push(item),
                None if known == Some(true) && sgf::is_single(name) => {}
                None if known.is_some() => node.add_value(name, value),
                None => node.items.push(NodeItem::Property(name.to_string(), vec![value])),
            }
        }
        Ok(())
    }

    /// Checks that a value of `CA` is the charset that the values are read in.
    fn check_charset(&self, value: &str) -> Result<(), RecordFault> {
        let Some(charset) = self.charset.filter(|_| present(value).is_some()) else {
            return Ok(());
        };
        if Charset::named(value)? == charset {
            return Ok(());
        }
        let text =
            format!("CA: expected the charset in the first node, found '{}'", shorten(value));
        Err(RecordFault::Unsupported(text))
    }

    /// Notes an error after which the game is read further.
    fn note(&mut self, error: RecordError) {
        self.fault.get_or_insert(error);
    }

    /// The parsed meaning of a value; `None` if it is stored as it is.
    fn item(
        &self,
        node: usize,
        name: &str,
        value: &str,
        location: LineColumn,
    ) -> Result<Option<NodeItem>, RecordError> {
        let side = sgf::side_of(name);
        if side.is_none() {
            return Ok(match name {
                "C" => Some(NodeItem::Comment(plain_text(&sgf::decode(value)))),
                _ => sgf::glyph(name, value).map(NodeItem::Nag),
            });
        }
        if sgf::is_no_move(value) {
            return Ok(None);
        }
        let turn = sgf::turn(side, value);
        let turn = turn.ok_or_else(|| RecordFault::Move(shorten(value)).at(location))?;
        if self.tree.get(node).is_some_and(|node| node.turn().is_some()) {
            return Err(RecordFault::SecondMove.at(location));
        }
        Ok(Some(NodeItem::Turn(turn)))
    }
}

/// Checks that a property that defines the game has a supported value, or none.
fn check(name: &str, value: &str, location: LineColumn) -> Result<(), RecordError> {
    if present(value).is_none() {
        return Ok(());
    }
    let read = match name {
        "GM" if !variants().any(|variant| setup::is_game(variant, value)) => {
            Err(RecordFault::OtherGame { tag: "GM", number: shorten(value.trim()) })
        }
        "SZ" if !matches!(value.trim(), "8" | "8:8") => {
            let text = format!("expected board size 8, found {}", shorten(value));
            Err(RecordFault::Unsupported(text))
        }
        "SU" => setup::Beginning::read(value, None).map(drop),
        "PL" => setup::side(value).map(drop),
        "AB" | "AW" | "AE" => setup::points(value).map(drop),
        _ => Ok(()),
    };
    read.map_err(|fault| fault.at(location))
}

/// Reads `[value]` without decoding its escapes, and returns it with its position. The beginning of
/// another game on a line of its own ends it too, with an error.
fn value<R: BufRead>(
    source: &mut ByteReader<R>,
    charset: Charset,
) -> Result<(LineColumn, String), RecordError> {
    let opened = source.location();
    source.next()?;
    let location = source.location();
    let mut text = charset.value();
    let mut escaped = false;
    while !(source.location().column == 1 && begins_unquoted_game(source)?) {
        let column = source.location().column;
        let Some(byte) = source.next()? else { break };
        let added = text.push(byte);
        let characters = added.iter().filter(|byte| *byte & 0xc0 != 0x80).count();
        let last = added.last().copied();
        if byte != b'\n' {
            source.set_column(column + characters as u64);
        }
        match last {
            Some(b']') if !escaped => return Ok((location, text.finish())),
            Some(last) => escaped = last == b'\\' && !escaped,
            None => {}
        }
    }
    Err(RecordFault::NotClosed("the value of a property").at(opened))
}
