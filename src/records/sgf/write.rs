//! Writer for SGF.

use std::fmt::{self, Formatter};

use super::super::record::Record;
use super::super::tree::{Item, Node, Tree};
use super::{encode, judgement, move_property};

/// A line is broken before a node that would begin after this column.
const WIDTH: usize = 72;

/// A pending step of the writer; the next one is at the end of the stack.
enum WriteStep {
    Node(usize),
    Text(&'static str),
}

/// Writes the game with all variations, followed by a line end.
pub(in super::super) fn write(record: &Record, f: &mut Formatter) -> fmt::Result {
    f.write_str("(")?;
    let mut column = 1;
    let mut tasks = vec![WriteStep::Text(")\n"), WriteStep::Node(Tree::ROOT)];
    while let Some(task) = tasks.pop() {
        let text = match task {
            WriteStep::Text(text) => text.to_string(),
            WriteStep::Node(id) => {
                let Some(node) = record.tree.get(id) else { continue };
                if let [child] = node.children.as_slice() {
                    tasks.push(WriteStep::Node(*child));
                } else {
                    for &child in node.children.iter().rev() {
                        tasks.extend([
                            WriteStep::Text(")"),
                            WriteStep::Node(child),
                            WriteStep::Text("\n("),
                        ]);
                    }
                }
                write_node(node)
            }
        };
        if column > WIDTH && text.starts_with(';') {
            f.write_str("\n")?;
            column = 0;
        }
        f.write_str(&text)?;
        column = match text.rsplit_once('\n') {
            Some((_, last)) => last.len(),
            None => column + text.len(),
        };
    }
    Ok(())
}

fn write_node(node: &Node) -> String {
    let mut text = ";".to_string();
    for item in &node.items {
        let (name, values) = match item {
            Item::Turn(turn) => (move_property(turn.side), vec![turn.written.clone()]),
            Item::Comment(comment) => ("C", vec![encode(comment)]),
            Item::Nag(glyph) => match judgement(*glyph) {
                Some((name, value)) => (name, vec![value.to_string()]),
                None => continue,
            },
            Item::Property(name, values) => (name.as_str(), values.clone()),
        };
        text += name;
        for value in values {
            text += &format!("[{value}]");
        }
    }
    text
}
