//! PGN as written by XBoard, and plain move lists: their conversion to SGF records. `pdn` reads the text,
//! `variant.rs` determines the game.

use super::super::error::{LineColumn, RecordError, RecordFault};
use super::super::legality::{canonical, read_setup};
use super::super::record::Record;
use super::super::tree::{GameTree, NodeItem, TreeNode};
use super::super::values::{HeaderField, RecordResult};
use super::super::{pdn, results, sgf};
use super::variant::VariantChoice;
use crate::game::Side;

pub(super) fn to_sgf_record(
    tree: &GameTree,
    choice: VariantChoice,
    result: Option<&(String, LineColumn)>,
) -> Result<Record, RecordError> {
    let VariantChoice { variant, is_assumed } = choice;
    let root = tree.get(GameTree::ROOT);
    let tag = |name| root.and_then(|root| root.value(name));
    let setup = tag("FEN").and_then(|setup| canonical(variant, setup));
    let start = read_setup(variant, setup.as_deref().unwrap_or(variant.start));
    let first = start.map_or(Side::Black, |start| start.side);
    let location = root.map_or(LineColumn::START, |root| root.location);
    let mut record = Record::empty(variant, setup, location).map_err(|fault| fault.at(location))?;
    record.is_assumed = is_assumed;
    for (info, [_, name]) in HeaderField::NAMES {
        tag(name).into_iter().for_each(|value| record.set_info(info, value));
    }
    // PGN results begin with White's points. In a list without tags, the order is unknown.
    let has_tags = root
        .is_some_and(|root| root.items.iter().any(|item| matches!(item, NodeItem::Property(..))));
    let (outcome, fault) = results::agreed(tree, result, has_tags.then_some(Side::White));
    if outcome != RecordResult::Unknown {
        record.set_outcome(outcome);
    }
    // Nodes keep their indices, and a parent always precedes its children.
    let mut movers = vec![!first];
    for (id, node) in tree.nodes().iter().enumerate() {
        if let Some(parent) = node.parent {
            let mover = !movers.get(parent).copied().unwrap_or(first);
            movers.push(mover);
            let written = node.turn().map_or("", |turn| turn.written());
            let text = node.turn().map_or("", |turn| &turn.text).to_ascii_lowercase();
            let turn = sgf::turn(Some(mover), &sgf::of_standard(&text));
            let wrong = || RecordFault::expected("a move", written).at(node.location);
            record.tree.add_node(parent, node.location)?;
            record.tree.add_item(id, NodeItem::Turn(turn.ok_or_else(wrong)?));
        }
        remarks(node).into_iter().for_each(|item| record.tree.add_item(id, item));
    }
    if let (Some(fault), Some((text, _))) = (fault, result) {
        record.add_comment(record.moves().count(), text);
        record.fault = Some(fault.to_string());
    }
    Ok(record)
}

/// The comments of a node, merged into one, and its glyphs.
fn remarks(node: &TreeNode) -> Vec<NodeItem> {
    // XBoard writes a drawing of the board before the first move.
    let is_drawing = |text: &&str| text.starts_with("-----");
    let comments = node.comments().filter(|text| !is_drawing(text)).map(str::to_string);
    // SGF has no properties for the other glyphs.
    let (marks, others): (Vec<u8>, Vec<u8>) =
        node.glyphs().partition(|glyph| sgf::mark_property(*glyph).is_some());
    let comments: Vec<String> = comments.chain(others.into_iter().map(pdn::sign)).collect();
    let comment = (!comments.is_empty()).then(|| NodeItem::Comment(comments.join("\n")));
    comment.into_iter().chain(marks.into_iter().map(NodeItem::Nag)).collect()
}
