//! Writer for PDN.

use std::fmt::{self, Formatter};

use super::super::record::Record;
use super::super::tree::{Item, Node, Tree};
use super::SIGNS;

/// The maximum width of a line of moves.
const WIDTH: usize = 79;

/// A pending step of the writer; the next one is at the end of the stack.
enum WriteStep {
    /// The continuation after a node (first index), at a ply of the game (second).
    After(usize, usize),
    /// A move with its annotations: the node and the ply.
    Move(usize, usize),
    Open,
    Close,
}

/// Writes the game with all variations, followed by an empty line.
pub(in super::super) fn write(record: &Record, f: &mut Formatter) -> fmt::Result {
    let Some(root) = record.tree.get(Tree::ROOT) else { return Ok(()) };
    for item in &root.items {
        if let Item::Property(name, values) = item {
            let value = values.concat().replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
    }
    let mut text = Text { f, column: 0, glue: true, number: false };
    text.items(root, 0)?;
    let mut tasks = vec![WriteStep::After(Tree::ROOT, 0)];
    while let Some(task) = tasks.pop() {
        match task {
            WriteStep::After(id, ply) => {
                let children = record.tree.get(id).map_or(&[][..], |node| &node.children);
                let Some((main, others)) = children.split_first() else { continue };
                tasks.push(WriteStep::After(*main, ply + 1));
                for &other in others.iter().rev() {
                    let line = [
                        WriteStep::After(other, ply + 1),
                        WriteStep::Move(other, ply),
                        WriteStep::Open,
                    ];
                    tasks.push(WriteStep::Close);
                    tasks.extend(line);
                }
                tasks.push(WriteStep::Move(*main, ply));
            }
            WriteStep::Move(id, ply) => {
                if let Some(node) = record.tree.get(id) {
                    text.items(node, ply)?;
                }
            }
            WriteStep::Open => text.open()?,
            WriteStep::Close => text.close()?,
        }
    }
    text.word(&record.terminator)?;
    f.write_str("\n\n")
}

/// Writer of the move text, with line breaks.
struct Text<'a, 'b> {
    f: &'a mut Formatter<'b>,
    column: usize,
    /// Whether the next word follows without a blank.
    glue: bool,
    /// Whether the next move begins a line of play and therefore needs its number, for either
    /// side. Numbers are not repeated after comments, because that confuses other PDN readers.
    number: bool,
}

impl Text<'_, '_> {
    fn items(&mut self, node: &Node, ply: usize) -> fmt::Result {
        let mut after_move = false;
        for item in &node.items {
            match item {
                Item::Turn(turn) => {
                    let first = ply.is_multiple_of(2);
                    if first || self.number {
                        let dots = if first { "." } else { "..." };
                        self.word(&format!("{}{dots}", ply / 2 + 1))?;
                    }
                    self.number = false;
                    self.word(&turn.written)?;
                }
                Item::Nag(glyph) => {
                    let sign = SIGNS.get(usize::from(*glyph).wrapping_sub(1));
                    match sign.filter(|_| after_move) {
                        Some(sign) => self.raw(sign)?,
                        None => self.word(&format!("${glyph}"))?,
                    }
                }
                Item::Comment(comment) => self.comment(comment)?,
                Item::Property(..) => continue,
            }
            after_move = matches!(item, Item::Turn(_));
        }
        Ok(())
    }

    /// Writes a comment in braces or, if it contains a closing brace, as comment lines.
    fn comment(&mut self, comment: &str) -> fmt::Result {
        if !comment.contains('}') {
            return self.word(&format!("{{{comment}}}"));
        }
        for line in comment.lines() {
            self.word(&format!("; {line}\n"))?;
            self.glue = true;
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
            self.raw(if self.column + 1 + length > WIDTH { "\n" } else { " " })?;
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
