//! PGN as written by XBoard, and plain move lists: their conversion to SGF records. `pdn` reads the text,
//! `variant.rs` determines the game.

use super::super::error::{LineColumn, RecordError, RecordFault};
use super::super::record::Record;
use super::super::rules::{canonical, read_setup};
use super::super::tree::{GameTree, NodeItem, TreeNode};
use super::super::values::{HeaderField, RecordResult, present};
use super::super::{pdn, results, sgf};
use super::variant::VariantChoice;
use crate::game::Side;

/// The tags with an equivalent in SGF.
const INFOS: [(&str, HeaderField); 7] = [
    ("Event", HeaderField::Event),
    ("Site", HeaderField::Site),
    ("Date", HeaderField::Date),
    ("Round", HeaderField::Round),
    ("Black", HeaderField::Black),
    ("White", HeaderField::White),
    ("Rules", HeaderField::Rules),
];

/// The SGF record of a game that was read as PGN or as a move list.
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
    for (name, info) in INFOS {
        if let Some(value) = tag(name).and_then(present) {
            let is_date = info == HeaderField::Date;
            record.set_info(info, &if is_date { value.replace('.', "-") } else { value });
        }
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
    for (id, node) in (0..).map_while(|id| Some((id, tree.get(id)?))) {
        let node_id = match node.parent {
            Some(parent) => {
                let mover = !movers.get(parent).copied().unwrap_or(first);
                movers.push(mover);
                let added = record.tree.add_node(parent, node.location)?;
                let turn = node.turn().and_then(|turn| {
                    sgf::turn(Some(mover), &sgf::of_standard(&turn.text.to_ascii_lowercase()))
                });
                let text = node.turn().map_or("", |turn| turn.written());
                let turn =
                    turn.ok_or_else(|| RecordFault::expected("a move", text).at(node.location))?;
                record.tree.add_item(added, NodeItem::Turn(turn));
                added
            }
            None => id,
        };
        for item in remarks(node) {
            record.tree.add_item(node_id, item);
        }
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
