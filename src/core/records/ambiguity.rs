//! Moves that fit several paths, of which only one lets the next moves of the record be played.

use super::tree::GameTree;
use crate::game::{Game, MoveFormat, MoveList, RuleValues, Variant, rules_from};
use crate::with_game;

/// The number of plies that may follow until one path is left.
const MAX_PLIES: usize = 100;

/// The number of ways to play these plies that are followed.
const MAX_LINES: usize = 64;

/// Replaces ambiguous moves by their paths, where the moves after them decide which these are.
pub(super) fn resolve(
    variant: &Variant,
    setup: Option<&str>,
    rules: RuleValues,
    tree: &mut GameTree,
) {
    with_game!(variant.name, |P, variant| {
        resolve_in::<P>(setup.unwrap_or(variant.start), rules, tree);
    });
}

fn resolve_in<P: Game>(setup: &str, rules: RuleValues, tree: &mut GameTree) {
    let mut turns = tree.nodes().iter().filter_map(|node| node.turn());
    if !turns.any(|turn| P::may_be_ambiguous(&turn.text)) {
        return;
    }
    let Ok(start) = P::read_setup(setup, rules_from(rules)) else { return };
    // The positions after the nodes, as far as the moves are legal. A parent precedes its children.
    let mut positions = vec![Some(start)];
    for id in 1.. {
        let Some(node) = tree.get(id) else { break };
        let before = node.parent.and_then(|parent| positions.get(parent).copied().flatten());
        let mv = before.zip(node.turn()).and_then(|(position, turn)| {
            let moves = position.read_moves(&turn.text);
            match moves.as_slice() {
                [] => None,
                [mv] => Some((*mv, false)),
                _ => decide(&position, &moves, tree, id).map(|mv| (mv, true)),
            }
        });
        positions.push(before.zip(mv).map(|(position, (mv, is_decided))| {
            if is_decided && let Some(turn) = tree.get_mut(id).and_then(|node| node.turn_mut()) {
                turn.set_text(position.write_move(mv, MoveFormat::Standard));
            }
            position.play(mv)
        }));
    }
}

/// The only one of these moves of a node after which the next moves can be played.
fn decide<P: Game>(
    position: &P,
    moves: &MoveList<P::Move>,
    tree: &GameTree,
    id: usize,
) -> Option<P::Move> {
    let mut lines: Vec<(P::Move, P)> = moves.iter().map(|&mv| (mv, position.play(mv))).collect();
    let mut node = tree.get(id)?;
    for _ in 0..MAX_PLIES {
        node = node.children.first().and_then(|&id| tree.get(id))?;
        let text = &node.turn()?.text;
        let mut next = Vec::new();
        for (mv, position) in lines {
            for reply in &position.read_moves(text) {
                let line = (mv, position.play(*reply));
                if !next.contains(&line) && next.len() < MAX_LINES {
                    next.push(line);
                }
            }
        }
        lines = next;
        let (first, _) = lines.first()?;
        if lines.iter().all(|(mv, _)| mv == first) {
            return Some(*first);
        }
    }
    None
}
