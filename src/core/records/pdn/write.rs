//! Writer for PDN.

use std::fmt::{self, Formatter};

use super::super::tree::{GameTree, NodeItem, TreeNode};
use super::comment::encode;
use super::suffix;

/// The maximum width of a line of moves.
const WIDTH: usize = 79;

/// A pending step of the writer; the next one is at the end of the stack.
enum PdnStep {
    /// The continuation after a node (first index), at a ply of the game (second).
    After(usize, usize),
    /// A move with its annotations: the node and the ply.
    Move(usize, usize),
    Open,
    Close,
}

/// Writes the game with all variations, followed by an empty line.
pub(in super::super) fn write(tree: &GameTree, terminator: &str, f: &mut Formatter) -> fmt::Result {
    let Some(root) = tree.get(GameTree::ROOT) else { return Ok(()) };
    let mut has_tags = false;
    for item in &root.items {
        if let NodeItem::Property(name, values) = item {
            let value = values.concat().replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
            has_tags = true;
        }
    }
    if has_tags {
        f.write_str("\n")?;
    }
    let mut text = MoveText { f, column: 0, glue: true, number: false };
    text.items(root, 0)?;
    let mut steps = vec![PdnStep::After(GameTree::ROOT, 0)];
    while let Some(step) = steps.pop() {
        match step {
            PdnStep::After(id, ply) => {
                let children = tree.get(id).map_or(&[][..], |node| &node.children);
                let Some((main, others)) = children.split_first() else { continue };
                steps.push(PdnStep::After(*main, ply + 1));
                for &other in others.iter().rev() {
                    let line =
                        [PdnStep::After(other, ply + 1), PdnStep::Move(other, ply), PdnStep::Open];
                    steps.push(PdnStep::Close);
                    steps.extend(line);
                }
                steps.push(PdnStep::Move(*main, ply));
            }
            PdnStep::Move(id, ply) => {
                if let Some(node) = tree.get(id) {
                    text.items(node, ply)?;
                }
            }
            PdnStep::Open => text.open()?,
            PdnStep::Close => text.close()?,
        }
    }
    text.word(terminator)?;
    f.write_str("\n\n")
}

/// Writer of the move text, with line breaks.
struct MoveText<'a, 'b> {
    f: &'a mut Formatter<'b>,
    column: usize,
    /// Whether the next word follows without a blank.
    glue: bool,
    /// Whether the next move begins a line of play and therefore needs its number, for either
    /// side. Numbers are not repeated after comments, because that confuses other PDN readers.
    number: bool,
}

impl MoveText<'_, '_> {
    fn items(&mut self, node: &TreeNode, ply: usize) -> fmt::Result {
        let mut after_move = false;
        for item in &node.items {
            match item {
                NodeItem::Turn(turn) => {
                    let first = ply.is_multiple_of(2);
                    if first || self.number {
                        let dots = if first { "." } else { "..." };
                        self.word(&format!("{}{dots}", ply / 2 + 1))?;
                    }
                    self.number = false;
                    self.word(turn.written())?;
                }
                NodeItem::Nag(glyph) => {
                    let suffix = suffix(*glyph);
                    match suffix.filter(|_| after_move) {
                        Some(suffix) => self.raw(suffix)?,
                        None => self.word(&format!("${glyph}"))?,
                    }
                }
                NodeItem::Comment(comment) => self.word(&format!("{{{}}}", encode(comment)))?,
                NodeItem::Property(..) => continue,
            }
            after_move = matches!(item, NodeItem::Turn(_));
        }
        Ok(())
    }

    fn open(&mut self) -> fmt::Result {
        self.number = true;
        self.word("(")?;
        self.glue = true;
        Ok(())
    }

    fn close(&mut self) -> fmt::Result {
        self.raw(")")
    }

    /// Writes a word, on a new line if the current one is full.
    fn word(&mut self, word: &str) -> fmt::Result {
        if !std::mem::take(&mut self.glue) {
            let length = word.split('\n').next().unwrap_or_default().chars().count();
            // In a list of games a line that begins with the first number is the next game.
            let is_full = self.column + 1 + length > WIDTH && word != "1.";
            self.raw(if is_full { "\n" } else { " " })?;
        }
        self.raw(word)
    }

    fn raw(&mut self, text: &str) -> fmt::Result {
        self.column = match text.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.column + text.chars().count(),
        };
        self.f.write_str(text)
    }
}
