//! The grammar of a game in PDN: the game tree that its tokens give.

use std::io::BufRead;

use super::super::super::error::{LineColumn, RecordError, RecordFault, shorten};
use super::super::super::pdn;
use super::super::super::rules::read_setup;
use super::super::super::setups::SetupMoves;
use super::super::super::tree::{GameTree, NodeItem, Turn};
use super::super::bytes::{ByteReader, is_space};
use super::super::variant;
use super::boundaries::{LONGEST_WORD, begins_first_move, begins_tags};
use super::numbers::{Digits, Numbering};
use super::tags;
use super::token::{Token, skip_blanks};
use super::tokens;

/// The maximum number of tags of a game.
const MAX_TAGS: usize = 1000;

/// The glyph of an only move, written as a star directly after the move.
const ONLY_MOVE: u8 = 7;

/// The parser of a game.
pub(super) struct PdnParser {
    pub(super) tree: GameTree,
    /// The result, and others on its line.
    pub(super) terminators: Vec<(String, LineColumn)>,
    /// The first error that does not end the game.
    pub(super) fault: Option<RecordError>,
    pub(super) has_tags: bool,
    /// The name of the last tag, and the line on which it ends.
    last_tag: (String, u64),
    /// The last move, or the root.
    pub(super) node: usize,
    /// The number of moves up to this node.
    pub(super) plies: usize,
    /// The last move before each open variation, and its ply; its line resumes there when the variation
    /// ends.
    pub(super) open: Vec<(usize, usize)>,
    /// Whether the current line of play has a move.
    pub(super) has_move: bool,
    /// Comments before the first move of a variation.
    pub(super) pending: Vec<NodeItem>,
    /// The result at the end of the current variation.
    pub(super) result: Option<(String, LineColumn)>,
    pub(super) numbering: Numbering,
    /// A number after which no move has been read.
    pub(super) number: Option<Digits>,
    /// Numbers without full stops: move numbers, and squares of moves without signs.
    pub(super) digits: Vec<Digits>,
}

impl PdnParser {
    /// A game without any part yet.
    pub(super) fn new(location: LineColumn) -> Self {
        Self {
            tree: GameTree::new(location),
            terminators: vec![],
            fault: None,
            has_tags: false,
            last_tag: (String::new(), 0),
            node: GameTree::ROOT,
            plies: 0,
            open: vec![],
            has_move: false,
            pending: vec![],
            result: None,
            numbering: Numbering::default(),
            number: None,
            digits: vec![],
        }
    }

    /// Whether any move has been read.
    pub(super) fn has_moves(&self) -> bool {
        self.tree.get(GameTree::ROOT).is_some_and(|root| !root.children.is_empty())
    }

    /// Reads the whole game.
    pub(super) fn game<R: BufRead>(
        &mut self,
        source: &mut ByteReader<R>,
    ) -> Result<(), RecordError> {
        while self.terminators.is_empty() {
            skip_blanks(source)?;
            if source.line_ends() > 1 && self.digits.len() > 1 {
                self.end_digits()?;
            }
            // For error recovery: any error after the tags counts as one within the moves.
            source.depth = usize::from(self.is_in_moves());
            if self.ends_before_next(source)? {
                break;
            }
            if self.digits.is_empty() {
                source.mark();
            }
            match self.token(source) {
                Err(error) if !self.open.is_empty() && !error.is_of_input() => {
                    self.break_variation(source, error)?;
                }
                read => read?,
            }
            if !self.terminators.is_empty() {
                self.end_digits()?;
                self.end_number();
                self.after_result(source)?;
            }
        }
        self.end_digits()?;
        self.end_number();
        self.check_next_game(source)?;
        let open = self.open.last().and_then(|&(node, _)| self.tree.get(node));
        match (self.result.take(), open) {
            (Some((_, location)), _) => {
                let what = "a variation before the end of the game";
                Err(RecordFault::NotClosed(what).at(location))
            }
            (None, Some(node)) => {
                Err(RecordFault::NotClosed("a variation of this move").at(node.location))
            }
            (None, None) => Ok(()),
        }
    }

    /// Reads a token and adds it to the game.
    fn token<R: BufRead>(&mut self, source: &mut ByteReader<R>) -> Result<(), RecordError> {
        let (location, first) = (source.location(), source.peek()?);
        source.is_list = !self.has_heads() && first != Some(b'[');
        match first {
            Some(b'%' | b'#') if location.column == 1 => {
                tokens::rest_of_line(source)?;
                Ok(())
            }
            Some(b'[') if self.is_in_moves() => {
                self.end_digits()?;
                let (found, expected) = ('[', "a move");
                Err(RecordFault::Unexpected { found, expected }.at(location))
            }
            _ => self.next_token(source, location, first),
        }
    }

    fn next_token<R: BufRead>(
        &mut self,
        source: &mut ByteReader<R>,
        location: LineColumn,
        first: Option<u8>,
    ) -> Result<(), RecordError> {
        let begins_line = source.line_ends() > 0;
        let is_optional_tag = first == Some(b'[') && !tags::defines_game(source)?;
        match tokens::next(source) {
            Ok(token) => {
                match &token {
                    Token::Comment(text) if first == Some(b'{') && text.contains('{') => {
                        let what = "a comment before the next one";
                        self.note(RecordFault::NotClosed(what).at(location));
                    }
                    Token::Tag { name, .. } => {
                        self.last_tag = (name.clone(), source.location().line);
                    }
                    _ => {}
                }
                self.take(token, location)
            }
            Err(error) if error.is_of_input() => Err(error),
            Err(error) if is_optional_tag => self.skip_tag(source, error),
            Err(error) if self.is_rubbish(source, &error, begins_line) => {
                let text = source.take_marked() + &tokens::rest_of_line(source)?;
                let (name, line) = &self.last_tag;
                let fault = match location.line == *line {
                    true => {
                        RecordFault::TagRest { name: name.clone(), found: shorten(text.trim()) }
                    }
                    false => error.fault,
                };
                self.note(fault.at(location));
                Ok(())
            }
            Err(error) => {
                // The moves before the error stay.
                let _ = self.end_digits();
                Err(error)
            }
        }
    }

    /// Whether an error between the tags and the moves costs only the rest of its line: behind a tag, or a
    /// word alone on the line.
    fn is_rubbish<R: BufRead>(
        &self,
        source: &mut ByteReader<R>,
        error: &RecordError,
        begins_line: bool,
    ) -> bool {
        let rest = source.peek_while(0, LONGEST_WORD, |c| c != '\n');
        let is_alone = begins_line && !rest.trim().contains(is_space);
        self.has_tags
            && !self.numbering.has_begun()
            && !self.is_in_moves()
            && self.digits.is_empty()
            && matches!(error.fault, RecordFault::Unexpected { .. } | RecordFault::Move(_))
            && (is_alone || error.location.line == self.last_tag.1)
    }

    /// Whether the moves have begun.
    pub(super) fn is_in_moves(&self) -> bool {
        self.has_move || !self.open.is_empty() || self.digits.len() > 1
    }

    /// Whether tags or move numbers mark the beginning of a game. Otherwise an empty line ends it.
    pub(super) fn has_heads(&self) -> bool {
        self.has_tags || self.numbering.has_begun()
    }

    /// Whether the game ends before the next token: there, the next game or the end of the text begins.
    fn ends_before_next<R: BufRead>(
        &self,
        source: &mut ByteReader<R>,
    ) -> Result<bool, RecordError> {
        let line_ends = source.line_ends();
        let is_outside = self.has_move && self.open.is_empty();
        Ok(match source.peek()? {
            None => true,
            // Only a comment may stand between a result and the end of its variation.
            Some(byte) if self.result.is_some() => !matches!(byte, b')' | b'{' | b';'),
            Some(b'[') if self.is_in_moves() => begins_tags(source)?,
            // The tags of the next game: this one has no moves.
            Some(b'[') => line_ends > 1 && self.repeats_tag(source),
            _ if is_outside && line_ends > 1 && !self.has_heads() => true,
            Some(b'1') if is_outside && line_ends > usize::from(self.has_tags) => {
                begins_first_move(source)?
            }
            Some(_) => false,
        })
    }

    /// Whether the tag that follows is one that the game already has.
    pub(super) fn repeats_tag<R: BufRead>(&self, source: &mut ByteReader<R>) -> bool {
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = pdn::tag_name(source.peek_while(1, LONGEST_WORD, is_of_name));
        self.tree.get(GameTree::ROOT).is_some_and(|root| root.property(&name).is_some())
    }

    /// Adds a token to the game.
    fn take(&mut self, token: Token, location: LineColumn) -> Result<(), RecordError> {
        let is_alone = self.digits.len() == 1;
        match token {
            Token::Digits(text) => self.digits.push(Digits { text, location }),
            // The number of the move that follows, or its full stop after a blank.
            Token::Comment(text) if is_alone => self.comment(text),
            Token::Move { .. } if is_alone && self.begins_with_number() => {
                self.digits.clear();
                self.add(token, location)?;
            }
            Token::Number(stops) if stops.is_empty() && !self.digits.is_empty() => {
                let number = self.digits.pop();
                self.end_digits()?;
                number.into_iter().for_each(|number| self.begin_number(number));
            }
            token => {
                self.end_digits()?;
                self.add(token, location)?;
            }
        }
        Ok(())
    }

    /// Whether the digits before a move are its number.
    fn begins_with_number(&mut self) -> bool {
        let plies = self.plies;
        self.digits.first().is_some_and(|number| self.numbering.fits(number, plies))
    }

    fn add(&mut self, token: Token, location: LineColumn) -> Result<(), RecordError> {
        match token {
            Token::Tag { name, value, at } => return self.tag(name, value, at, location),
            Token::Comment(text) => self.comment(text),
            Token::Open => return self.open_variation(location),
            Token::Close => return self.close_variation(location),
            // Glyphs belong to moves.
            Token::Glyph(glyph) if !self.has_move => self.comment(pdn::sign(glyph)),
            Token::Glyph(glyph) => self.tree.add_item(self.node, NodeItem::Nag(glyph)),
            Token::Number(text) => self.begin_number(Digits { text, location }),
            Token::Digits(text) => self.digits.push(Digits { text, location }),
            Token::Move { turn, is_only } => {
                self.add_move(turn, location)?;
                if is_only {
                    self.tree.add_item(self.node, NodeItem::Nag(ONLY_MOVE));
                }
            }
            Token::Result(word) if self.open.is_empty() => self.add_result(word, location),
            Token::Result(word) => self.result = Some((word, location)),
        }
        Ok(())
    }

    /// Adds a tag, whose value is at `opened`.
    fn tag(
        &mut self,
        name: String,
        value: String,
        opened: LineColumn,
        location: LineColumn,
    ) -> Result<(), RecordError> {
        self.has_tags = true;
        let number = variant::game_number(&value);
        if name == "GameType" && !number.is_empty() && variant::by_number(number, None).is_none() {
            let number = shorten(number);
            return Err(RecordFault::OtherGame { tag: "GameType", number }.at(location));
        }
        if name == "FEN" {
            let variant = SetupMoves::of_setup(&value).variant(None);
            read_setup(variant, &value).map_err(|error| RecordFault::Setup(error).at(opened))?;
            self.numbering.begin_anywhere();
        }
        if name == "Result" && pdn::read_result(&value).is_none() {
            let (name, expected) = ("Result", "1-0, 0-1, 1/2-1/2 or words such as 'White wins'");
            let value = shorten(&value);
            self.note(RecordFault::Value { name, value, expected }.at(opened));
        }
        let Some(root) = self.tree.get_mut(GameTree::ROOT) else { return Ok(()) };
        if root.items.len() >= MAX_TAGS {
            let most = "1000 tags and comments before the moves";
            return Err(RecordFault::TooMuch(most).at(location));
        }
        let is_other = root.value(&name).is_some_and(|known| known != value);
        let fault = is_other.then(|| RecordFault::SecondTag(shorten(&name)).at(location));
        // Comments between tags are written after the tags.
        root.add_header(NodeItem::Property(name, vec![value]));
        fault.into_iter().for_each(|fault| self.note(fault));
        Ok(())
    }

    /// Skips the rest of a tag with an error.
    fn skip_tag<R: BufRead>(
        &mut self,
        source: &mut ByteReader<R>,
        error: RecordError,
    ) -> Result<(), RecordError> {
        self.has_tags = true;
        self.note(error);
        source.take_while(|byte| !matches!(byte, b']' | b'\n'))?;
        if source.peek()? == Some(b']') {
            source.next()?;
        }
        Ok(())
    }

    pub(super) fn comment(&mut self, text: String) {
        let text = pdn::comment::decode(&text);
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

    fn add_move(&mut self, turn: Turn, location: LineColumn) -> Result<(), RecordError> {
        self.node = self.tree.add_node(self.node, location)?;
        for comment in std::mem::take(&mut self.pending) {
            self.tree.add_item(self.node, comment);
        }
        self.tree.add_item(self.node, NodeItem::Turn(turn));
        (self.number, self.has_move) = (None, true);
        self.plies += 1;
        Ok(())
    }

    /// Takes a number with full stops, or full stops alone.
    fn begin_number(&mut self, number: Digits) {
        if number.text.is_empty() {
            return;
        }
        self.numbering.read(&number, self.plies);
        let known = self.number.as_ref();
        if known.is_some_and(|known| known.text != number.text) {
            self.end_number();
        }
        self.number = Some(number);
    }

    /// Notes a number after which no move has been read.
    pub(super) fn end_number(&mut self) {
        if let Some(Digits { text, location }) = self.number.take() {
            self.note(RecordFault::Number(text).at(location));
        }
    }

    /// Adds the moves of the numbers that have been read without full stops.
    pub(super) fn end_digits(&mut self) -> Result<(), RecordError> {
        let digits = std::mem::take(&mut self.digits);
        let Some(first) = digits.first() else { return Ok(()) };
        let split = self.numbering.split(&digits, self.plies);
        let wrong = || RecordFault::Move(first.text.clone()).at(first.location);
        let (moves, number) = split.ok_or_else(wrong)?;
        for (turn, location) in moves {
            self.add_move(turn, location)?;
        }
        if let Some(Digits { text, location }) = number {
            self.number = Some(Digits { text: text.clone(), location: *location });
        }
        Ok(())
    }

    /// Notes an error that does not end the game.
    pub(super) fn note(&mut self, error: RecordError) {
        self.fault.get_or_insert(error);
    }
}
