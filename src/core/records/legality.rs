//! Setups and moves of records by the rules of their game: whether they are legal, and which of several paths of a
//! move lets the next moves of the record be played.

use std::array;

use super::tree::GameTree;
use crate::game::{
    Game, MoveFormat, MoveList, Piece, RuleValues, Side, Variant, outcome, rules_from,
};
use crate::with_game;

pub(super) struct ValidSetup {
    /// The setup in canonical notation.
    pub(super) text: String,
    pub(super) side: Side,
    pub(super) is_over: bool,
    /// The letters on the squares, a1 first, with `-` for an empty square.
    pub(super) board: [char; 64],
    /// The letters of the first kind of piece, for Black and White.
    pub(super) pieces: [char; 2],
}

/// Reads a setup of the game of a variant, with the default rules. The error is a text.
pub(super) fn read_setup(variant: &Variant, setup: &str) -> Result<ValidSetup, String> {
    fn read<P: Game>(setup: &str) -> Result<ValidSetup, String> {
        let position =
            P::read_setup(setup, P::Rules::default()).map_err(|error| error.to_string())?;
        let letter = |piece: Piece| {
            let [black, white] = P::PIECES.get(piece.kind)?.letters;
            Some(if piece.side == Side::Black { black } else { white })
        };
        let letter_on = |square| position.piece_on(square).and_then(letter).unwrap_or('-');
        Ok(ValidSetup {
            text: position.write_setup(),
            side: position.side(),
            is_over: outcome(&position).is_some(),
            board: array::from_fn(letter_on),
            pieces: P::PIECES.first().map_or(['-'; 2], |piece| piece.letters),
        })
    }
    let unknown = || Err(format!("unknown variant {}", variant.name));
    with_game!(variant.name, |P, _variant| read::<P>(setup)).unwrap_or_else(unknown)
}

pub(super) fn is_start(variant: &Variant, setup: &str) -> bool {
    let text = |setup| read_setup(variant, setup).map(|setup| setup.text);
    text(setup).is_ok_and(|setup| text(variant.start) == Ok(setup))
}

/// The setup in canonical notation; `None` if it is invalid or the start position.
pub(super) fn canonical(variant: &Variant, setup: &str) -> Option<String> {
    let setup = read_setup(variant, setup).ok()?.text;
    (!is_start(variant, &setup)).then_some(setup)
}

/// The number of leading moves that are legal in sequence.
pub(super) fn legal_plies(
    variant: &Variant,
    setup: Option<&str>,
    moves: &[impl AsRef<str>],
) -> usize {
    fn count<P: Game>(setup: &str, moves: &[impl AsRef<str>]) -> usize {
        let Ok(mut position) = P::read_setup(setup, P::Rules::default()) else { return 0 };
        let mut play = |text: &str| position.read_move(text).map(|mv| position = position.play(mv));
        moves.iter().map(AsRef::as_ref).map_while(|text| play(text).ok()).count()
    }
    let setup = setup.unwrap_or(variant.start);
    with_game!(variant.name, |P, _variant| count::<P>(setup, moves)).unwrap_or(0)
}

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
