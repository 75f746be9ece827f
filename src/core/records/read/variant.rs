//! The variant of a game in PDN, PGN or a move list, which need not name it.

use super::super::legality::{is_start, legal_plies, read_setup};
use super::super::tree::GameTree;
use crate::game::Variant;
use crate::games::{DEFAULT_VARIANT, variant_named, variants};

/// The variant of a game, and whether it is certain.
#[derive(Clone, Copy)]
pub(super) struct VariantChoice {
    pub(super) variant: &'static Variant,
    /// Whether the variant is a guess, because nothing in the text determines it.
    pub(super) is_assumed: bool,
}

/// What the detectors look at.
struct Evidence<'a> {
    game_type: Option<&'a str>,
    name: Option<&'a str>,
    setup: Option<&'a str>,
    /// The moves of the main line.
    moves: Vec<&'a str>,
    preferred: Option<&'static Variant>,
}

/// What determines the variant: the first of these that finds one.
const DETECTORS: [fn(&Evidence) -> Option<&'static Variant>; 4] = [
    // The tag `GameType`.
    |game| by_number(game_number(game.game_type?)),
    // Moves in numbers.
    |game| {
        let is_number = |mv: &&str| *mv != "0000" && mv.starts_with(|c: char| c.is_ascii_digit());
        variants().find(|variant| variant.is_numbered && game.moves.iter().any(is_number))
    },
    // The tag `Variant`.
    |game| variant_named(game.name?),
    // The start position of a variant.
    |game| variants().find(|variant| game.setup.is_some_and(|setup| is_start(variant, setup))),
];

/// Determines the variant of a game from its tags, setup and moves: the preferred one where they do not determine
/// it.
pub(super) fn decide(tree: &GameTree, preferred: Option<&'static Variant>) -> VariantChoice {
    let tag = |name| tree.get(GameTree::ROOT).and_then(|root| root.value(name));
    let game = Evidence {
        game_type: tag("GameType"),
        name: tag("Variant"),
        setup: tag("FEN"),
        moves: moves(tree),
        preferred,
    };
    let found = DETECTORS.iter().find_map(|detector| detector(&game));
    found.map_or_else(
        || game.by_legal_moves(),
        |variant| VariantChoice { variant, is_assumed: false },
    )
}

impl Evidence<'_> {
    fn fits(&self, variant: &Variant) -> bool {
        self.setup.is_none_or(|setup| read_setup(variant, setup).is_ok())
    }

    /// The variant in which the most moves are legal, and of several the preferred one.
    fn by_legal_moves(&self) -> VariantChoice {
        let preferred = self.preferred;
        let candidates =
            preferred.into_iter().chain(variants()).filter(|variant| self.fits(variant));
        let plies = |variant| legal_plies(variant, self.setup, &self.moves);
        let candidates: Vec<_> = candidates.map(|variant| (variant, plies(variant))).collect();
        let most = candidates.iter().map(|&(_, plies)| plies).max().unwrap_or(0);
        let mut best = candidates.iter().filter(|&&(_, plies)| plies == most).map(|row| row.0);
        let first = best.next();
        // From a given setup, all variants of a game have the same moves.
        let is_open = most == 0 || self.setup.is_none() && best.any(|other| Some(other) != first);
        let is_pdn = |variant: &&Variant| variant.record_id.pdn_game().is_some();
        // A game without anything is one of PDN.
        let is_bare = self.moves.is_empty() && self.setup.is_none() && preferred.is_none();
        let usual = || variants().find(is_pdn).unwrap_or(DEFAULT_VARIANT);
        VariantChoice {
            variant: first.filter(|_| !is_bare).unwrap_or_else(usual),
            is_assumed: is_open && first != preferred && !self.moves.is_empty(),
        }
    }
}

/// The number of the game in a value of `GameType`.
pub(super) fn game_number(game_type: &str) -> &str {
    game_type.split(',').next().unwrap_or_default().trim()
}

/// The variant whose number in `GameType` is this one.
pub(super) fn by_number(number: &str) -> Option<&'static Variant> {
    variants().find(|variant| variant.record_id.pdn_game() == Some(number))
}

/// The moves of the main line.
fn moves(tree: &GameTree) -> Vec<&str> {
    let turns = tree.main_line().filter_map(|(_, node)| node.turn());
    turns.map(|turn| turn.text.as_str()).collect()
}

/// The number of moves of the main line that are legal in a variant, from a setup other than its start position.
pub(super) fn plies(tree: &GameTree, variant: &Variant, setup: Option<&str>) -> usize {
    legal_plies(variant, setup, &moves(tree))
}
