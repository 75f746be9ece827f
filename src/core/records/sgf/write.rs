//! Writer for SGF.

use std::fmt::{self, Formatter};

use super::super::tree::{GameTree, NodeItem, TreeNode};
use super::{encode, mark_property, move_property};

/// A line is broken before a node that would begin after this column.
const WIDTH: usize = 72;

/// A pending step of the writer; the next one is at the end of the stack.
enum SgfStep {
    Node(usize),
    Text(&'static str),
}

/// Writes the game with all variations, followed by a line end.
pub(in super::super) fn write(tree: &GameTree, f: &mut Formatter) -> fmt::Result {
    f.write_str("(")?;
    let mut column = 1;
    let mut steps = vec![SgfStep::Text(")\n"), SgfStep::Node(GameTree::ROOT)];
    while let Some(step) = steps.pop() {
        let text = match step {
            SgfStep::Text(text) => text.to_string(),
            SgfStep::Node(id) => {
                let Some(node) = tree.get(id) else { continue };
                if let [child] = node.children.as_slice() {
                    steps.push(SgfStep::Node(*child));
                } else {
                    for &child in node.children.iter().rev() {
                        let first = tree.get(child).and_then(|child| child.items.first());
                        // A property of a root, such as `CA`, behind a line end begins another game.
                        let is_property = matches!(first, Some(NodeItem::Property(..)));
                        let opening = if is_property { "(" } else { "\n(" };
                        steps.extend([
                            SgfStep::Text(")"),
                            SgfStep::Node(child),
                            SgfStep::Text(opening),
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

fn write_node(node: &TreeNode) -> String {
    let mut text = ";".to_string();
    for item in &node.items {
        let (name, values) = match item {
            NodeItem::Turn(turn) => (move_property(turn.side), vec![turn.written().to_string()]),
            NodeItem::Comment(comment) => ("C", vec![encode(comment)]),
            NodeItem::Nag(glyph) => match mark_property(*glyph) {
                Some((name, value)) => (name, vec![value.to_string()]),
                None => continue,
            },
            NodeItem::Property(name, values) => (name.as_str(), values.clone()),
        };
        text += name;
        for value in values {
            text += &format!("[{value}]");
        }
    }
    text
}
