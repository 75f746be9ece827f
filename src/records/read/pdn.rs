//! Parser for PDN.

use std::io::BufRead;

use super::super::error::{LineColumn, RecordError, RecordFault, shorten};
use super::super::pdn::{self, UNKNOWN};
use super::super::record::Record;
use super::super::rules::{canonical, setup_error};
use super::super::setups::SetupMoves;
use super::super::tree::{GameTree, NodeItem};
use super::super::values::Format;
use super::bytes::{ByteReader, is_blank, text};
use super::{pgn, variant};
use crate::game::Variant;

/// The maximum nesting of variations.
const MAX_DEPTH: usize = 1000;

/// The maximum number of tags of a game.
const MAX_TAGS: usize = 1000;

/// The glyph of an only move, written as a star directly after the move.
const ONLY_MOVE: u8 = 7;

/// The parser state of a game.
struct PdnParser {
    tree: GameTree,
    /// The last move, or the root.
    node: usize,
    /// The last move before each open variation; its line resumes there when the variation ends.
    open: Vec<usize>,
    /// Whether the current line of play has a move.
    has_move: bool,
    /// Comments before the first move of a variation.
    pending: Vec<NodeItem>,
    /// Whether any part of the game has been read.
    has_begun: bool,
    /// Whether the text has tags or move numbers, which mark the beginning of a game.
    has_heads: bool,
    /// The number of moves of the main line.
    plies: usize,
    /// A number without a full stop, and no move after it yet: a move number, or a part of a move.
    number: Option<(String, LineColumn)>,
    terminator: Option<String>,
}

/// Reads the next game; `None` at the end of the input. `default_variant` is used for texts that do
/// not determine the variant.
pub(super) fn read<R: BufRead>(
    source: &mut ByteReader<R>,
    default_variant: Option<&'static Variant>,
) -> Result<Option<Record>, RecordError> {
    source.skip_blanks()?;
    source.begin();
    let mut game = PdnParser {
        tree: GameTree::new(source.location()),
        node: GameTree::ROOT,
        open: vec![],
        has_move: false,
        pending: vec![],
        has_begun: false,
        has_heads: false,
        plies: 0,
        number: None,
        terminator: None,
    };
    // The moves before a syntax error are read.
    let fault = match game.tokens(source) {
        Err(error) if game.plies == 0 || error.is_of_input() => return Err(error),
        read => read.err().map(|error| error.to_string()),
    };
    if !game.has_begun {
        return Ok(None);
    }
    source.is_complete = fault.is_none();
    // The moves after a syntax error are lost, but not the result.
    if fault.is_some() && game.terminator.is_none() {
        let result = game.tree.get(GameTree::ROOT).and_then(|root| root.value("Result"));
        game.terminator = result.filter(|result| pdn::is_result(result)).map(str::to_string);
    }
    let record = record(game.tree, game.terminator, default_variant)?;
    Ok(Some(Record { fault, ..record }))
}

/// The record of a parsed game.
pub(super) fn record(
    tree: GameTree,
    terminator: Option<String>,
    default_variant: Option<&'static Variant>,
) -> Result<Record, RecordError> {
    let choice = variant::decide(&tree, default_variant);
    let variant = choice.variant;
    if variant.record_format.pdn_game().is_none() {
        return pgn::to_sgf_record(&tree, choice, terminator.as_deref());
    }
    let root = tree.get(GameTree::ROOT);
    let fen = root.and_then(|root| root.value("FEN")).map(|fen| canonical(variant, fen));
    Ok(Record {
        format: Format::Pdn,
        variant,
        setup: fen.flatten(),
        tree,
        terminator: terminator.unwrap_or_else(|| UNKNOWN.to_string()),
        is_assumed: choice.is_assumed,
        fault: None,
    })
}

/// Skips the rest of a game: up to the first tag or move number 1 after its moves, or past its
/// terminator. A list without tags and move numbers also ends at an empty line.
pub(super) fn recover<R: BufRead>(source: &mut ByteReader<R>) -> Result<(), RecordError> {
    let follows_moves = source.depth > 0;
    let mut in_moves = follows_moves;
    let mut word = Vec::new();
    loop {
        let at_head = source.location().column == 1;
        let is_parted = source.is_list && source.line_ends() > 1;
        if at_head && (is_parted || follows_moves && begins_first_move(source)?) {
            return Ok(());
        }
        if at_head && source.peek()? == Some(b'[') {
            if in_moves {
                return Ok(());
            }
            while source.skip()?.is_some_and(|byte| byte != b'\n') {}
            continue;
        }
        let Some(byte) = source.skip()? else { return Ok(()) };
        if byte == b';' && word.is_empty() {
            // A comment to the end of the line may contain a result.
            while source.peek()?.is_some_and(|byte| byte != b'\n') {
                source.skip()?;
            }
            continue;
        }
        if !is_blank(byte) {
            in_moves = true;
            // No terminator is longer.
            if word.len() < 8 {
                word.push(byte);
            }
            continue;
        }
        if pdn::is_result(&text(std::mem::take(&mut word))) {
            while byte != b'\n' && comment_of_result(source)?.is_some() {}
            return Ok(());
        }
    }
}

/// Reads a comment on the line of the result, which belongs to the game that ends there.
fn comment_of_result<R: BufRead>(
    source: &mut ByteReader<R>,
) -> Result<Option<String>, RecordError> {
    source.take_while(|byte| is_blank(byte) && byte != b'\n')?;
    comment(source)
}

/// Reads a comment, if one follows.
fn comment<R: BufRead>(source: &mut ByteReader<R>) -> Result<Option<String>, RecordError> {
    match source.peek()? {
        Some(b'{') => enclosed(source, b'}', "a comment").map(Some),
        Some(b';') => {
            source.next()?;
            rest_of_line(source).map(Some)
        }
        _ => Ok(None),
    }
}

impl PdnParser {
    /// Reads the whole game.
    fn tokens<R: BufRead>(&mut self, source: &mut ByteReader<R>) -> Result<(), RecordError> {
        while self.terminator.is_none() && self.token(source)? {}
        match (self.open.last(), self.number.take()) {
            // The last move of a text that is cut off.
            (None, Some((word, location))) if self.terminator.is_none() => {
                Err(RecordFault::Move(word).at(location))
            }
            (None, _) => Ok(()),
            (Some(&node), _) => {
                let location = self.tree.get(node).map_or(source.location(), |node| node.location);
                Err(RecordFault::NotClosed("a variation of this move").at(location))
            }
        }
    }

    /// Reads the next word, sign or comment. Returns whether the game may continue.
    fn token<R: BufRead>(&mut self, source: &mut ByteReader<R>) -> Result<bool, RecordError> {
        source.take_while(is_blank)?;
        let line_ends = source.line_ends();
        let is_outside = self.has_move && self.open.is_empty();
        // In a list without tags and move numbers, an empty line ends the game.
        if is_outside && line_ends > 1 && !self.has_heads {
            return Ok(false);
        }
        // For error recovery: any error after the tags counts as one within the moves.
        source.depth = usize::from(self.has_move || !self.open.is_empty());
        let location = source.location();
        let Some(byte) = source.peek()? else { return Ok(false) };
        source.is_list = !self.has_heads && byte != b'[';
        match byte {
            b'%' | b'#' if location.column == 1 => drop(rest_of_line(source)?),
            b'[' if self.has_move || !self.open.is_empty() => return Ok(false),
            // The tags of the next game follow: this one has no moves.
            b'[' if line_ends > 1 && self.repeats_tag(source)? => return Ok(false),
            b'[' => {
                (self.has_begun, self.has_heads) = (true, true);
                self.tag(source)?;
            }
            b'{' | b';' => {
                if let Some(text) = comment(source)? {
                    self.comment(text);
                }
            }
            b'(' if matches!(source.peek_at(1)?, Some(b'!' | b'?')) => {
                source.next()?;
                self.signs(source)?;
                if source.peek()? != Some(b')') {
                    return Err(RecordFault::NotClosed("'('").at(location));
                }
                source.next()?;
            }
            b'(' => {
                source.next()?;
                self.open_variation(location)?;
            }
            b')' => {
                source.next()?;
                let node = self.open.pop().ok_or_else(|| RecordFault::NoVariation.at(location))?;
                // A variation that contains only comments.
                for comment in std::mem::take(&mut self.pending) {
                    self.tree.add_item(node, comment);
                }
                self.node = node;
                self.has_move = true;
            }
            b'$' => self.glyph(source)?,
            b'!' | b'?' => self.signs(source)?,
            b'*' => {
                source.next()?;
                self.end(source, UNKNOWN, location)?;
            }
            // Move number 1 again: the next game begins.
            b'1' if is_outside
                && (self.plies > 1 || line_ends > 0)
                && begins_first_move(source)? =>
            {
                return Ok(false);
            }
            _ => self.word(source)?,
        }
        Ok(true)
    }

    /// Whether the tag that follows is one that the game already has.
    fn repeats_tag<R: BufRead>(&self, source: &mut ByteReader<R>) -> Result<bool, RecordError> {
        let items = self.tree.get(GameTree::ROOT).map_or(&[][..], |root| &root.items);
        for item in items {
            if let NodeItem::Property(name, _) = item
                && source.follows(format!("[{name} ").as_bytes())?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads a tag, `[Name "value"]`.
    fn tag<R: BufRead>(&mut self, source: &mut ByteReader<R>) -> Result<(), RecordError> {
        let location = source.location();
        let expect = |found: Option<u8>, expected: &'static str, location: LineColumn| match found {
            Some(found) => {
                RecordFault::Unexpected { found: char::from(found), expected }.at(location)
            }
            None => RecordFault::NotClosed("a tag").at(location),
        };
        source.next()?;
        source.take_while(is_blank)?;
        let name = source.take_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_')?;
        if name.is_empty() {
            return Err(expect(source.peek()?, "the name of a tag", source.location()));
        }
        source.take_while(is_blank)?;
        let (opened, found) = (source.location(), source.next()?);
        if found != Some(b'"') {
            return Err(expect(found, "'\"'", opened));
        }
        let mut bytes = Vec::new();
        loop {
            match source.next()? {
                Some(b'"') => break,
                Some(b'\\') if matches!(source.peek()?, Some(b'"' | b'\\')) => {
                    bytes.extend(source.next()?);
                }
                Some(b'\n') | None => {
                    return Err(RecordFault::NotClosed("the value of a tag").at(opened));
                }
                Some(byte) => bytes.push(byte),
            }
        }
        source.take_while(is_blank)?;
        let (end, found) = (source.location(), source.next()?);
        if found != Some(b']') {
            return Err(expect(found, "']'", end));
        }
        let value = text(bytes);
        let number = variant::game_number(&value);
        if name == "GameType" && !number.is_empty() && variant::by_number(number, None).is_none() {
            let number = shorten(number);
            return Err(RecordFault::OtherGame { tag: "GameType", number }.at(location));
        }
        if name == "FEN" {
            let variant = SetupMoves { setup: Some(&value), moves: Vec::new() }.variant(None);
            if let Some(error) = setup_error(variant, &value) {
                return Err(RecordFault::Setup(error).at(opened));
            }
        }
        // Comments between tags are written after the tags.
        if let Some(root) = self.tree.get_mut(GameTree::ROOT) {
            if root.items.len() >= MAX_TAGS {
                return Err(
                    RecordFault::TooMuch("1000 tags and comments before the moves").at(location)
                );
            }
            root.add_header(NodeItem::Property(name, vec![value]));
        }
        Ok(())
    }

    fn comment(&mut self, text: String) {
        let text = text.trim().replace("\r\n", "\n");
        if text.is_empty() {
            return;
        }
        let comment = NodeItem::Comment(text);
        if self.has_move || self.open.is_empty() {
            self.tree.add_item(self.node, comment);
        } else {
            self.pending.push(comment);
        }
    }

    fn open_variation(&mut self, location: LineColumn) -> Result<(), RecordError> {
        if !self.has_move {
            return Err(RecordFault::EarlyVariation.at(location));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(RecordFault::TooMuch("1000 nested variations").at(location));
        }
        self.open.push(self.node);
        self.node = self.tree.get(self.node).and_then(|node| node.parent).unwrap_or(GameTree::ROOT);
        self.has_move = false;
        Ok(())
    }

    /// Reads a glyph, `$n`.
    fn glyph<R: BufRead>(&mut self, source: &mut ByteReader<R>) -> Result<(), RecordError> {
        let location = source.location();
        source.next()?;
        let digits = source.take_while(|byte| byte.is_ascii_digit())?;
        let glyph = digits.parse().map_err(|_| {
            let (value, expected) = (shorten(&digits), "a number from 0 to 255");
            RecordFault::Value { name: "$", value, expected }.at(location)
        })?;
        self.add_glyph(glyph, location)
    }

    /// Reads a move suffix of `!` and `?`.
    fn signs<R: BufRead>(&mut self, source: &mut ByteReader<R>) -> Result<(), RecordError> {
        let location = source.location();
        let signs = source.take_while(|byte| matches!(byte, b'!' | b'?'))?;
        match pdn::glyph(&signs) {
            Some(glyph) => self.add_glyph(glyph, location),
            None => Ok(()),
        }
    }

    fn add_glyph(&mut self, glyph: u8, location: LineColumn) -> Result<(), RecordError> {
        if !self.has_move {
            return Err(RecordFault::Unexpected { found: '$', expected: "a move" }.at(location));
        }
        self.tree.add_item(self.node, NodeItem::Nag(glyph));
        Ok(())
    }

    /// Reads a move, a move number or the game terminator.
    fn word<R: BufRead>(&mut self, source: &mut ByteReader<R>) -> Result<(), RecordError> {
        let location = source.location();
        let mut word = source.take_while(is_of_word)?;
        while let Some(sign) = typographic_sign(source)? {
            word.push(sign);
            word += &source.take_while(is_of_word)?;
        }
        if word.is_empty() {
            let found = next_char(source)?;
            return Err(RecordFault::Unexpected { found, expected: "a move" }.at(location));
        }
        if pdn::is_result(&word) {
            return self.end(source, &word, location);
        }
        // A move number may be attached to its move without a blank. Digits followed by a full
        // stop or standing alone are only a number.
        let is_digits = |text: &str| text.len() <= 3 && text.bytes().all(|b| b.is_ascii_digit());
        self.number = None;
        if let Some((number, rest)) = word.split_once('.') {
            if !is_digits(number) {
                return Err(RecordFault::Move(shorten(&word)).at(location));
            }
            self.has_heads = true;
            word = rest.trim_start_matches('.').to_string();
        }
        let at_sign = source.location();
        rest_of_move(source, &mut word)?;
        if word.is_empty() || is_digits(&word) {
            (self.has_begun, self.has_heads) = (true, true);
            self.number = Some((word, location)).filter(|(word, _)| !word.is_empty());
            return Ok(());
        }
        let turn = pgn::turn(&word).ok_or_else(|| match pgn::is_of_chess(&word) {
            true => RecordFault::Chess { word }.at(location),
            false => RecordFault::Move(shorten(&word)).at(location),
        })?;
        // XBoard appends a sign to each move of variants whose rules it does not know.
        if source.location() == at_sign {
            source.take_while(|byte| matches!(byte, b'#' | b'+'))?;
        }
        self.node = self.tree.add_node(self.node, location)?;
        for comment in std::mem::take(&mut self.pending) {
            self.tree.add_item(self.node, comment);
        }
        self.tree.add_item(self.node, NodeItem::Turn(turn));
        self.plies += usize::from(self.open.is_empty());
        self.has_move = true;
        self.has_begun = true;
        if source.location() == at_sign && source.peek()? == Some(b'*') {
            source.next()?;
            self.tree.add_item(self.node, NodeItem::Nag(ONLY_MOVE));
        }
        Ok(())
    }

    /// Ends the game with its terminator and the comments behind it.
    fn end<R: BufRead>(
        &mut self,
        source: &mut ByteReader<R>,
        word: &str,
        location: LineColumn,
    ) -> Result<(), RecordError> {
        if !self.open.is_empty() {
            return Err(
                RecordFault::NotClosed("a variation before the end of the game").at(location)
            );
        }
        self.has_begun = true;
        self.terminator = Some(word.to_string());
        while let Some(text) = comment_of_result(source)? {
            self.comment(text);
        }
        Ok(())
    }
}

/// Whether `1.` follows, but not `1...`.
fn begins_first_move<R: BufRead>(source: &mut ByteReader<R>) -> Result<bool, RecordError> {
    /// Between a number and the dots of the second side, as in `1. ... 23-19`.
    const MOST_BLANKS: usize = 16;
    if !source.follows(b"1.")? {
        return Ok(false);
    }
    let mut next = 2;
    while next < MOST_BLANKS && source.peek_at(next)?.is_some_and(is_blank) {
        next += 1;
    }
    Ok(source.peek_at(next)? != Some(b'.'))
}

/// The signs that web pages and word processors write for `-` and `x`.
const TYPOGRAPHIC_SIGNS: [(&str, char); 5] =
    [("\u{2010}", '-'), ("\u{2011}", '-'), ("\u{2013}", '-'), ("\u{2212}", '-'), ("\u{d7}", 'x')];

/// Reads a sign of [`TYPOGRAPHIC_SIGNS`], if one follows.
fn typographic_sign<R: BufRead>(source: &mut ByteReader<R>) -> Result<Option<char>, RecordError> {
    if source.peek()?.is_none_or(|byte| byte.is_ascii()) {
        return Ok(None);
    }
    for (text, sign) in TYPOGRAPHIC_SIGNS {
        if source.follows(text.as_bytes())? {
            for _ in 0..text.len() {
                source.next()?;
            }
            return Ok(Some(sign));
        }
    }
    Ok(None)
}

/// Reads a character of UTF-8, or one of windows-1252 where the bytes are not UTF-8.
fn next_char<R: BufRead>(source: &mut ByteReader<R>) -> Result<char, RecordError> {
    let first = source.next()?.unwrap_or(b' ');
    if first.is_ascii() {
        return Ok(char::from(first));
    }
    let mut bytes = vec![first];
    while bytes.len() < 4 && source.peek()?.is_some_and(|byte| byte & 0xc0 == 0x80) {
        bytes.extend(source.next()?);
    }
    Ok(text(bytes).chars().next().unwrap_or_default())
}

/// Whether a byte can be part of a move, a move number or a terminator.
fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | b'.' | b'/')
}

/// The text between an opening and a closing character. The tag of another game after an empty line
/// ends it too, with an error.
fn enclosed<R: BufRead>(
    source: &mut ByteReader<R>,
    close: u8,
    what: &'static str,
) -> Result<String, RecordError> {
    let location = source.location();
    source.next()?;
    let mut bytes = Vec::new();
    while !(source.line_ends() > 1 && source.follows(b"[Event ")?) {
        match source.next()? {
            Some(byte) if byte == close => return Ok(text(bytes)),
            Some(byte) => bytes.push(byte),
            None => break,
        }
    }
    Err(RecordFault::NotClosed(what).at(location))
}

/// Reads the rest of a move with blanks around its separators: `11 - 15`.
fn rest_of_move<R: BufRead>(
    source: &mut ByteReader<R>,
    word: &mut String,
) -> Result<(), RecordError> {
    let is_sign = |byte: u8| matches!(byte, b'-' | b'x' | b'X' | b':');
    while !word.is_empty() {
        // A longer word cannot be a move.
        if word.len() > 64 || !source.peek()?.is_some_and(is_blank) {
            break;
        }
        source.take_while(is_blank)?;
        let is_open = word.bytes().next_back().is_some_and(is_sign);
        if !is_open && !source.peek()?.is_some_and(is_sign) {
            break;
        }
        let more = source.take_while(is_of_word)?;
        if more.is_empty() {
            break;
        }
        *word += &more;
    }
    Ok(())
}

/// The text up to the end of the line.
fn rest_of_line<R: BufRead>(source: &mut ByteReader<R>) -> Result<String, RecordError> {
    source.take_while(|byte| byte != b'\n')
}
