//! The parser of a game in SGF.

use super::super::super::error::{LineColumn, RecordError, RecordFault, shorten};
use super::super::super::move_data;
use super::super::super::sgf::{self, PlayerData, setup};
use super::super::super::tree::{GameTree, NodeItem, Turn};
use super::super::super::values::{is_blank, plain_text, present};
use super::super::buffer::Places;
use super::super::charset::Charset;

/// The maximum nesting of variations.
const MAX_DEPTH: usize = 1000;

/// The maximum number of properties of a node, without its moves.
const MAX_PROPERTIES: usize = 1000;

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

pub(super) struct SgfParser<'a> {
    text: &'a str,
    at: usize,
    places: Places<'a>,
    pub(super) tree: GameTree,
    /// The charset of the text; `None` if its caller has decoded it.
    charset: Option<Charset>,
    /// The current node; `None` before the first one.
    node: Option<usize>,
    /// The nodes at which the open variations branch off.
    open: Vec<Option<usize>>,
    place: Place,
    first_move: Option<usize>,
    /// Whether the main line has ended.
    is_in_variation: bool,
    /// The first error after which the game is read further.
    pub(super) fault: Option<RecordError>,
}

impl<'a> SgfParser<'a> {
    /// The game of a text with this position.
    pub(super) fn new(text: &'a str, location: LineColumn, charset: Option<Charset>) -> Self {
        Self {
            text,
            at: 0,
            places: Places::new(text, location),
            tree: GameTree::new(location),
            charset,
            node: None,
            open: vec![],
            place: Place::Opened,
            first_move: None,
            is_in_variation: false,
            fault: None,
        }
    }

    /// Reads the whole game. An error ends it.
    pub(super) fn nodes(&mut self) -> Result<(), RecordError> {
        loop {
            self.skip_while(is_blank);
            let location = self.location();
            let Some(byte) = self.peek() else {
                return Err(RecordFault::not_closed("the game").at(location));
            };
            if byte.is_ascii_alphabetic() {
                self.property(location)?;
                continue;
            }
            match byte {
                b'(' if self.open.len() >= MAX_DEPTH => {
                    return Err(RecordFault::too_much("1000 nested variations").at(location));
                }
                b'(' => {
                    self.open.push(self.node);
                    self.place = Place::Opened;
                }
                b')' => {
                    self.node = self.open.pop().flatten();
                    self.place = Place::Closed;
                    self.is_in_variation = true;
                    if self.open.is_empty() {
                        self.at += 1;
                        return Ok(());
                    }
                }
                b';' => self.begin_node(location)?,
                _ => return Err(self.unexpected("a property, a node or a variation")),
            }
            self.at += 1;
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.rest().bytes().next()
    }

    /// Consumes bytes while `predicate` holds, which it returns.
    fn skip_while(&mut self, predicate: fn(u8) -> bool) -> &'a str {
        let length = self.rest().bytes().take_while(|&byte| predicate(byte)).count();
        let skipped = self.rest().get(..length).unwrap_or_default();
        self.at += length;
        skipped
    }

    /// The position of the next byte.
    fn location(&mut self) -> LineColumn {
        self.places.at(self.at)
    }

    /// The error that another character follows than the expected one.
    fn unexpected(&mut self, expected: &'static str) -> RecordError {
        let found = self.rest().chars().next().unwrap_or(' ');
        RecordFault::expected(expected, &found.to_string()).at(self.location())
    }

    /// Notes what is behind the game in its text.
    pub(super) fn end(&mut self) {
        self.skip_while(is_blank);
        if !self.rest().is_empty() {
            let error = self.unexpected("another game in SGF");
            self.note(error);
        }
    }

    /// Whether the main line has a move.
    pub(super) fn has_moves(&self) -> bool {
        self.tree.main_line().any(|(_, node)| node.turn().is_some())
    }

    fn begin_node(&mut self, location: LineColumn) -> Result<(), RecordError> {
        if self.place == Place::Closed {
            return Err(RecordFault::expected("'(' or ')' after a variation", ";").at(location));
        }
        self.node = Some(match self.node {
            Some(node) => self.tree.add_node(node, location)?,
            None if self.open.len() == 1 => GameTree::ROOT,
            None => {
                return Err(RecordFault::expected("a game with one root", ";").at(location));
            }
        });
        self.place = Place::Node;
        Ok(())
    }

    /// Reads a property with its values into the current node.
    fn property(&mut self, location: LineColumn) -> Result<(), RecordError> {
        if self.place != Place::Node {
            return Err(self.unexpected("';'"));
        }
        let written = self.skip_while(|byte| byte.is_ascii_alphanumeric());
        let name = sgf::property_name(written);
        if matches!(&*name, "FF" | "GM") && self.open.len() > 1 {
            return Err(RecordFault::invalid("another game in a variation").at(location));
        }
        let mut values = Vec::new();
        loop {
            self.skip_while(is_blank);
            match self.peek() {
                Some(b'[') => values.push(self.value()?),
                _ if values.is_empty() => return Err(self.unexpected("'['")),
                _ => break,
            }
        }
        let node = self.node.unwrap_or(GameTree::ROOT);
        if let [(_, value)] = values.as_slice()
            && let Some(about) = sgf::player_data(&name, value)
        {
            self.add_player(&name, about);
            return Ok(());
        }
        // Any other unknown property is kept as a header.
        let is_lower = name.bytes().any(|byte| byte.is_ascii_lowercase());
        let is_of_board = || values.iter().any(|(_, value)| sgf::is_of_board(value));
        if !sgf::is_known(&name) && (is_lower || is_of_board()) {
            let expected = "a property of SGF in capitals, such as B, W, AB or AW";
            self.note(RecordFault::expected(expected, &name).at(location));
        }
        let is_empty = |(_, value): &&(LineColumn, &str)| value.trim().is_empty();
        if values.len() > 1
            && !sgf::is_single(&name)
            && let Some((location, _)) = values.iter().find(is_empty)
        {
            self.note(RecordFault::expected("a point of the board", "").at(*location));
        }
        for (i, (location, value)) in values.into_iter().enumerate() {
            self.add_value(node, &name, (location, value), i == 0)?;
        }
        Ok(())
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
                root.add_header(name, player);
            }
        }
    }

    /// Adds a value of a property to a node, to those that it has.
    fn add_value(
        &mut self,
        id: usize,
        name: &str,
        (location, value): (LineColumn, &str),
        is_first: bool,
    ) -> Result<(), RecordError> {
        check(name, value, location)?;
        if name == "CA"
            && let Err(fault) = self.check_charset(id, value)
        {
            self.note(fault.at(location));
        }
        if setup::PROPERTIES.contains(&name) && present(value).is_some() {
            self.check_setup(id, name, value)?;
        }
        let is_single = sgf::is_single(name);
        if let Some(expected) = move_data::not_read(name, value) {
            self.note(RecordFault::value(name, expected, value).at(location));
        }
        if let Some(side) = sgf::side_of(name).filter(|_| !sgf::is_no_move(value)) {
            return self.add_move(id, sgf::turn(Some(side), value), value, location);
        }
        let Some(node) = self.tree.get_mut(id) else { return Ok(()) };
        if node.items.len() >= MAX_PROPERTIES {
            return Err(RecordFault::too_much("1000 properties in a node").at(location));
        }
        let is_known = is_single && node.property(name).is_some_and(|known| known == [value]);
        let is_second = !is_first || node.property(name).is_some() && !is_known;
        match (name, sgf::glyph(name, value)) {
            ("C", _) => node.merge_comment(plain_text(&sgf::decode(value))),
            (_, Some(glyph)) => node.items.push(NodeItem::Nag(glyph)),
            _ if is_known => {}
            _ if node.property(name).is_some() => node.add_value(name, value.to_string()),
            _ => node.items.push(NodeItem::Property(name.to_string(), vec![value.to_string()])),
        }
        if is_single && is_second {
            self.note(RecordFault::value(name, "one value", value).at(location));
        }
        Ok(())
    }

    /// Checks that a setup is in the root or before the first move of the main line: no record of a game can
    /// hold another one. The side that is to move anyway is none.
    fn check_setup(&self, id: usize, name: &str, value: &str) -> Result<(), RecordError> {
        let is_behind = self.first_move.is_some_and(|first| first != id) || self.is_in_variation;
        let mover = self.tree.line_to(id).find_map(|node| node.turn()?.side);
        let is_to_move = || setup::side(value).is_ok_and(|side| mover == Some(!side));
        let Some(node) = self.tree.get(id).filter(|_| is_behind) else { return Ok(()) };
        if name == "PL" && is_to_move() {
            return Ok(());
        }
        Err(RecordFault::invalid("setup in the middle of the game").at(node.location))
    }

    /// Adds the move of a value to a node.
    fn add_move(
        &mut self,
        id: usize,
        turn: Option<Turn>,
        value: &str,
        location: LineColumn,
    ) -> Result<(), RecordError> {
        let turn = turn.ok_or_else(|| RecordFault::expected("a move", value).at(location))?;
        if self.tree.get(id).is_some_and(|node| node.turn().is_some()) {
            return Err(RecordFault::invalid("a second move in one node").at(location));
        }
        // The root is before the first move.
        let id = if id == GameTree::ROOT { self.tree.add_node(id, location)? } else { id };
        self.node = Some(id);
        self.first_move.get_or_insert(id);
        self.tree.move_to(id, location);
        self.tree.add_item(id, NodeItem::Turn(turn));
        Ok(())
    }

    /// Checks that a value of `CA` is the charset that the values are read in.
    fn check_charset(&self, node: usize, value: &str) -> Result<(), RecordFault> {
        let Some(charset) = self.charset.filter(|_| present(value).is_some()) else {
            return Ok(());
        };
        if Charset::named(value)?.reads_like(charset) && node == GameTree::ROOT {
            return Ok(());
        }
        Err(RecordFault::value("CA", "the charset in the first node", value))
    }

    /// Reads `[value]` without decoding its escapes, and returns it with its position.
    fn value(&mut self) -> Result<(LineColumn, &'a str), RecordError> {
        let opened = self.location();
        self.at += 1;
        let (location, rest) = (self.location(), self.rest());
        let mut length = 0;
        loop {
            let sign = rest.get(length..).and_then(|rest| rest.find([']', '\\']));
            let sign = sign.map(|sign| length + sign);
            let Some(sign) = sign else {
                return Err(RecordFault::not_closed("the value of a property").at(opened));
            };
            if rest.as_bytes().get(sign) == Some(&b']') {
                self.at += sign + 1;
                let value = rest.get(..sign).unwrap_or_default();
                self.check_closed(value, location)?;
                return Ok((location, value));
            }
            // The character behind a backslash is escaped.
            let escaped = rest.get(sign + 1..).and_then(|rest| rest.chars().next());
            length = sign + 1 + escaped.map_or(0, char::len_utf8);
        }
    }

    /// Checks that no property begins in a value. A move in it ends the game: those behind it are played in
    /// another position.
    fn check_closed(&mut self, value: &str, location: LineColumn) -> Result<(), RecordError> {
        let mut lost = sgf::unclosed_properties(value).map(sgf::property_name).peekable();
        if lost.peek().is_none() {
            return Ok(());
        }
        let error = RecordFault::not_closed("the value of a property").at(location);
        if lost.any(|name| sgf::side_of(&name).is_some()) {
            return Err(error);
        }
        self.note(error);
        Ok(())
    }

    /// Notes an error after which the game is read further.
    fn note(&mut self, error: RecordError) {
        self.fault.get_or_insert(error);
    }
}

/// Checks that a property that defines the game has a supported value, or none.
fn check(name: &str, value: &str, location: LineColumn) -> Result<(), RecordError> {
    let is_checked = matches!(name, "GM" | "SZ") || setup::PROPERTIES.contains(&name);
    if !is_checked || present(value).is_none() {
        return Ok(());
    }
    let read = match name {
        "GM" if !setup::is_supported(value) => Err(RecordFault::other_game("GM", value.trim())),
        "SZ" if !matches!(value.trim(), "8" | "8:8") => {
            let text = format!("expected board size 8, found {}", shorten(value));
            Err(RecordFault::invalid(text))
        }
        "SU" => setup::Beginning::read(value, None).map(drop),
        "PL" => setup::side(value).map(drop),
        "AB" | "AW" | "AE" => setup::points(value).map(drop),
        _ => Ok(()),
    };
    read.map_err(|fault| fault.at(location))
}
