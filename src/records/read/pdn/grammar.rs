//! The grammar of a game in PDN.

use std::io::BufRead;

use super::super::super::error::{LineColumn, RecordError, RecordFault, shorten};
use super::super::super::pdn::{self, UNKNOWN};
use super::super::super::rules::setup_error;
use super::super::super::setups::SetupMoves;
use super::super::super::tree::{GameTree, NodeItem};
use super::super::bytes::{ByteReader, is_blank, text};
use super::super::{pgn, variant};
use super::tokens::{
    begins_first_move, comment, comment_of_result, is_of_word, next_char, rest_of_line,
    rest_of_move, typographic_sign,
};

/// The maximum nesting of variations.
const MAX_DEPTH: usize = 1000;

/// The maximum number of tags of a game.
const MAX_TAGS: usize = 1000;

/// The glyph of an only move, written as a star directly after the move.
const ONLY_MOVE: u8 = 7;

/// The parser state of a game.
pub(super) struct PdnParser {
    pub(super) tree: GameTree,
    /// The last move, or the root.
    node: usize,
    /// The last move before each open variation; its line resumes there when the variation ends.
    open: Vec<usize>,
    /// Whether the current line of play has a move.
    has_move: bool,
    /// Comments before the first move of a variation.
    pending: Vec<NodeItem>,
    /// Whether any part of the game has been read.
    pub(super) has_begun: bool,
    /// Whether the text has tags or move numbers, which mark the beginning of a game.
    has_heads: bool,
    /// The number of moves of the main line.
    pub(super) plies: usize,
    /// A number without a full stop, and no move after it yet: a move number, or a part of a move.
    number: Option<(String, LineColumn)>,
    pub(super) terminator: Option<String>,
}

impl PdnParser {
    /// A game without any part yet.
    pub(super) fn new(location: LineColumn) -> Self {
        Self {
            tree: GameTree::new(location),
            node: GameTree::ROOT,
            open: vec![],
            has_move: false,
            pending: vec![],
            has_begun: false,
            has_heads: false,
            plies: 0,
            number: None,
            terminator: None,
        }
    }

    /// Reads the whole game.
    pub(super) fn tokens<R: BufRead>(
        &mut self,
        source: &mut ByteReader<R>,
    ) -> Result<(), RecordError> {
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
