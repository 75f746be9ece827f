//! Parser for SGF.

use std::io::BufRead;

use super::super::error::{LineColumn, RecordError, RecordFault, shorten};
use super::super::record::Record;
use super::super::sgf::{self, setup};
use super::super::tree::{GameTree, NodeItem};
use super::super::values::Format;
use super::bytes::{ByteReader, is_blank, text};
use crate::game::Variant;
use crate::games::variants;

/// The maximum nesting of variations.
const MAX_DEPTH: usize = 1000;

/// The parser state of a game.
struct SgfParser {
    tree: GameTree,
    /// The current node; `None` before the first one.
    node: Option<usize>,
    /// The nodes at which the open variations branch off.
    open: Vec<Option<usize>>,
}

/// Reads the next game; `None` at the end of the input.
///
/// FF[4]: text before a game is not part of it. After a game (`follows_game`) other text than blanks
/// is an error, as it may be a game in another format.
pub(super) fn read<R: BufRead>(
    source: &mut ByteReader<R>,
    default_variant: Option<&'static Variant>,
    follows_game: bool,
) -> Result<Option<Record>, RecordError> {
    let mut other_text = None;
    while !begins_tree(source)? {
        let location = source.location();
        let Some(byte) = source.skip()? else { break };
        if follows_game && other_text.is_none() && byte > b' ' {
            let (found, expected) = (char::from(byte), "another game in SGF");
            other_text = Some(RecordFault::Unexpected { found, expected }.at(location));
        }
    }
    if let Some(error) = other_text {
        return Err(error);
    }
    if source.peek()?.is_none() {
        return Ok(None);
    }
    source.begin();
    let mut game = SgfParser { tree: GameTree::new(source.location()), node: None, open: vec![] };
    // The moves before a syntax error are read.
    let fault = match game.nodes(source) {
        Err(error) if !game.has_moves() || error.is_of_input() => return Err(error),
        read => read.err().map(|error| error.to_string()),
    };
    // Records are always written as UTF-8, whatever the encoding of the source.
    if let Some(root) = game.tree.get_mut(GameTree::ROOT).filter(|root| root.value("CA").is_some())
    {
        root.set("CA", "UTF-8".to_string());
    }
    let (variant, setup) = setup::of(&game.tree, default_variant)?;
    let terminator = String::new();
    let (format, tree) = (Format::Sgf, game.tree);
    Ok(Some(Record { format, variant, setup, tree, terminator, is_assumed: false, fault }))
}

/// Skips the rest of a game: up to its closing parenthesis, or to a likely beginning of the next
/// game.
pub(super) fn recover<R: BufRead>(source: &mut ByteReader<R>) -> Result<(), RecordError> {
    let mut in_value = false;
    while source.depth > 0 && !begins_game(source)? {
        match source.skip()? {
            None => break,
            Some(b'\\') if in_value => drop(source.skip()?),
            Some(b']') => in_value = false,
            Some(b'[') => in_value = true,
            Some(b'(') if !in_value => source.depth += 1,
            Some(b')') if !in_value => source.depth -= 1,
            Some(_) => {}
        }
    }
    Ok(())
}

/// Whether a game tree or a variation follows: `(`, blanks, `;`.
fn begins_tree<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    Ok(source.peek()? == Some(b'(') && after_blanks(source, 1)?.1 == Some(b';'))
}

/// Whether a game rather than a variation follows: its root begins with the format or the game.
fn begins_game<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    Ok(first_value(source)?.is_some())
}

/// The distance to the value of the first property of a game, if a game follows.
fn first_value<R: BufRead>(source: &mut ByteReader<R>) -> Result<Option<usize>, RecordError> {
    if source.peek()? != Some(b'(') {
        return Ok(None);
    }
    let (at, byte) = after_blanks(source, 1)?;
    if byte != Some(b';') {
        return Ok(None);
    }
    let (at, first) = after_blanks(source, at + 1)?;
    let letters = [first, source.peek_at(at + 1)?, source.peek_at(at + 2)?];
    let is_head = matches!(
        letters,
        [Some(b'F'), Some(b'F'), Some(b'[')] | [Some(b'G'), Some(b'M'), Some(b'[')]
    );
    Ok(is_head.then_some(at + 3))
}

/// Whether a game follows that is not quoted in a value: there `]` would be escaped.
fn begins_unquoted_game<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    const LONGEST: usize = 4;
    let Some(value) = first_value(source)? else { return Ok(false) };
    let mut end = value;
    while end < value + LONGEST && source.peek_at(end)?.is_some_and(|byte| byte.is_ascii_digit()) {
        end += 1;
    }
    Ok(source.peek_at(end)? == Some(b']'))
}

/// The distance and value of the first byte that is not a blank, from a few bytes ahead.
fn after_blanks<R: BufRead>(
    source: &mut ByteReader<R>,
    from: usize,
) -> Result<(usize, Option<u8>), RecordError> {
    const FARTHEST: usize = 16;
    let mut at = from;
    while at < FARTHEST && source.peek_at(at)?.is_some_and(is_blank) {
        at += 1;
    }
    Ok((at, source.peek_at(at)?))
}

impl SgfParser {
    /// Reads the whole game.
    fn nodes<R: BufRead>(&mut self, source: &mut ByteReader<R>) -> Result<(), RecordError> {
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
            if byte == b'(' && !self.open.is_empty() && begins_game(source)? {
                return Err(RecordFault::NotClosed("the game before").at(location));
            }
            source.next()?;
            match byte {
                b'(' if self.open.len() >= MAX_DEPTH => {
                    return Err(RecordFault::TooMuch("1000 nested variations").at(location));
                }
                b'(' => self.open.push(self.node),
                b')' => {
                    self.node = self.open.pop().flatten();
                    if self.open.is_empty() {
                        source.depth = 0;
                        return Ok(());
                    }
                }
                b';' => self.begin_node(location)?,
                _ => {
                    let (found, expected) = (byte.into(), "a property, a node or a variation");
                    return Err(RecordFault::Unexpected { found, expected }.at(location));
                }
            }
        }
    }

    /// Whether the main line has a move.
    fn has_moves(&self) -> bool {
        self.tree.main_line().any(|(_, node)| node.turn().is_some())
    }

    fn begin_node(&mut self, location: LineColumn) -> Result<(), RecordError> {
        self.node = Some(match self.node {
            Some(node) => self.tree.add_node(node, location)?,
            None if self.open.len() == 1 => GameTree::ROOT,
            None => {
                let expected = "a game with one root";
                return Err(RecordFault::Unexpected { found: ';', expected }.at(location));
            }
        });
        Ok(())
    }

    /// Reads a property with its values into the current node.
    fn property<R: BufRead>(&mut self, source: &mut ByteReader<R>) -> Result<(), RecordError> {
        let location = source.location();
        let name = source.take_while(|byte| byte.is_ascii_alphanumeric())?;
        let mut values = Vec::new();
        loop {
            source.take_while(is_blank)?;
            match source.peek()? {
                Some(b'[') => values.push(value(source)?),
                found if values.is_empty() => {
                    let found = found.map_or(' ', char::from);
                    return Err(
                        RecordFault::Unexpected { found, expected: "'['" }.at(source.location())
                    );
                }
                _ => break,
            }
        }
        let Some(node) = self.node else {
            let found = name.chars().next().unwrap_or(' ');
            return Err(RecordFault::Unexpected { found, expected: "';'" }.at(location));
        };
        if let [(_, value)] = values.as_slice()
            && let Some(about) = sgf::of_player(&name, value)
        {
            // Other player data of BoardSpace is dropped. BoardSpace numbers the players, and `CM`
            // is `1,0` where the first one has White.
            let colours = self.tree.get(GameTree::ROOT).and_then(|root| root.value("CM"));
            let is_swapped = name.starts_with('P') && colours == Some("1,0");
            let name = about.map(|(side, name)| {
                (sgf::name_property(if is_swapped { !side } else { side }), name)
            });
            if let Some((name, player)) = name
                && let Some(root) = self.tree.get_mut(GameTree::ROOT)
                && root.value(name).is_none()
            {
                root.add_header(NodeItem::Property(name.to_string(), vec![player]));
            }
            return Ok(());
        }
        let name = sgf::short_name(name);
        let item = match values.as_slice() {
            [(location, value)] => self.item(node, &name, value, *location)?,
            _ => None,
        };
        for (location, value) in &values {
            check(&name, value, *location)?;
        }
        if let (Some(NodeItem::Turn(_)), [(location, _)]) = (&item, values.as_slice()) {
            self.tree.move_to(node, *location);
        }
        let values = values.into_iter().map(|(_, value)| value).collect();
        self.tree.add_item(node, item.unwrap_or(NodeItem::Property(name, values)));
        Ok(())
    }

    /// The parsed meaning of a property; `None` if it is stored as it is.
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
                "C" => Some(NodeItem::Comment(sgf::decode(value))),
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

/// Checks that a property that defines the game has a supported value.
fn check(name: &str, value: &str, location: LineColumn) -> Result<(), RecordError> {
    let wrong = |fault: RecordFault| Err(fault.at(location));
    match name {
        "GM" if !variants().any(|variant| setup::is_game(variant, value)) => {
            wrong(RecordFault::OtherGame { tag: "GM", number: shorten(value.trim()) })
        }
        "SZ" if !matches!(value.trim(), "8" | "8:8") => wrong(RecordFault::Unsupported(format!(
            "expected board size 8, found {}",
            shorten(value)
        ))),
        "SU" => setup::Beginning::read(value, None).map(drop).map_err(|fault| fault.at(location)),
        "PL" => setup::side(value).map(drop).map_err(|fault| fault.at(location)),
        "AB" | "AW" | "AE" => setup::points(value).map(drop).map_err(|fault| fault.at(location)),
        _ => Ok(()),
    }
}

/// Reads `[value]` without decoding its escapes, and returns it with its position. The beginning of
/// another game on a line of its own ends it too, with an error.
fn value<R: BufRead>(source: &mut ByteReader<R>) -> Result<(LineColumn, String), RecordError> {
    let opened = source.location();
    source.next()?;
    let location = source.location();
    let mut bytes = Vec::new();
    let mut escaped = false;
    while !(source.location().column == 1 && begins_unquoted_game(source)?) {
        match source.next()? {
            None => break,
            Some(b']') if !escaped => return Ok((location, text(bytes))),
            Some(byte) => {
                escaped = byte == b'\\' && !escaped;
                bytes.push(byte);
            }
        }
    }
    Err(RecordFault::NotClosed("the value of a property").at(opened))
}
