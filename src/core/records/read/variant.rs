//! The variant of a game in PDN syntax: PDN, PGN or a move list, which need not name it.

use super::super::rules::{is_start, legal_plies, read_setup};
use super::super::tree::GameTree;
use crate::game::Variant;
use crate::games::{self, DEFAULT_VARIANT, variant_named, variants};

/// The variant of games whose text leaves it open.
#[derive(Clone, Copy)]
pub enum DefaultVariant {
    /// Their variant, whatever their moves.
    Given(&'static Variant),
    /// Their variant, unless more of their moves are legal in another one.
    Preferred(&'static Variant),
}

impl DefaultVariant {
    /// The default variant with this name, unless it is unknown.
    pub fn given(name: &str) -> Option<Self> {
        games::variant(name).map(Self::Given)
    }

    /// The preferred variant with this name, unless it is unknown.
    pub fn preferred(name: &str) -> Option<Self> {
        games::variant(name).map(Self::Preferred)
    }
}

/// The variant of a game, and whether it is certain.
#[derive(Clone, Copy)]
pub(super) struct VariantChoice {
    pub(super) variant: &'static Variant,
    /// Whether the variant is a guess, because nothing in the text determines it.
    pub(super) is_assumed: bool,
}

/// The number of the game in a value of `GameType`.
pub(super) fn game_number(game_type: &str) -> &str {
    game_type.split(',').next().unwrap_or_default().trim()
}

/// The variant whose number in `GameType` is this one, preferably `default_variant`.
pub(super) fn by_number(
    number: &str,
    default_variant: Option<&'static Variant>,
) -> Option<&'static Variant> {
    default_variant
        .into_iter()
        .chain(variants())
        .find(|variant| variant.record_format.pdn_game() == Some(number))
}

/// The moves of the main line.
fn moves(tree: &GameTree) -> Vec<&str> {
    let turns = tree.main_line().filter_map(|(_, node)| node.turn());
    turns.map(|turn| turn.text.as_str()).collect()
}

/// A variant, and a setup other than its start position.
type Start<'a> = (&'static Variant, Option<&'a str>);

/// Whether a game is of the preferred variant: it has no moves, or more of them are legal there than
/// in the variant that was found without a preference.
pub(super) fn is_preferred(tree: &GameTree, preferred: Start, found: Start) -> bool {
    let moves = moves(tree);
    let plies = |(variant, setup): Start| legal_plies(variant, setup, &moves);
    moves.is_empty() || plies(preferred) > plies(found)
}

/// Determines the variant of a game from its tags, setup and moves. The default variant is used where
/// they do not determine it.
pub(super) fn decide(tree: &GameTree, default_variant: Option<DefaultVariant>) -> VariantChoice {
    let preferred = match default_variant {
        None => return decide_with(tree, None),
        Some(DefaultVariant::Given(variant)) => return decide_with(tree, Some(variant)),
        Some(DefaultVariant::Preferred(variant)) => decide_with(tree, Some(variant)),
    };
    let found = decide_with(tree, None);
    let setup = tree.get(GameTree::ROOT).and_then(|root| root.value("FEN"));
    let is_preferred = || is_preferred(tree, (preferred.variant, setup), (found.variant, setup));
    if found.is_assumed || is_preferred() { preferred } else { found }
}

fn decide_with(tree: &GameTree, default_variant: Option<&'static Variant>) -> VariantChoice {
    let certain = |variant| VariantChoice { variant, is_assumed: false };
    let tag = |name| tree.get(GameTree::ROOT).and_then(|root| root.value(name));
    let moves = moves(tree);
    let in_numbers = |mv: &&str| *mv != "0000" && mv.starts_with(|c: char| c.is_ascii_digit());
    let by_game_type =
        tag("GameType").and_then(|value| by_number(game_number(value), default_variant));
    let by_squares = || {
        let is_in_numbers = moves.iter().any(in_numbers);
        let mut numbered = default_variant.into_iter().chain(variants()).filter(|_| is_in_numbers);
        numbered.find(|variant| variant.is_numbered)
    };
    let by_name = || tag("Variant").and_then(variant_named);
    if let Some(variant) = by_game_type.or_else(by_squares).or_else(by_name) {
        return certain(variant);
    }
    let setup = tag("FEN");
    let fits =
        |variant: &&'static Variant| setup.is_none_or(|setup| read_setup(variant, setup).is_ok());
    let candidates: Vec<&'static Variant> = variants().filter(fits).collect();
    let begun = |variant: &&&'static Variant| setup.is_some_and(|setup| is_start(variant, setup));
    if let Some(variant) = candidates.iter().find(begun) {
        return certain(variant);
    }
    if let Some(variant) = default_variant.filter(|variant| candidates.contains(variant)) {
        return certain(variant);
    }
    let is_pdn = |variant: &&Variant| variant.record_format.pdn_game().is_some();
    let fallback = variants().find(is_pdn).unwrap_or(DEFAULT_VARIANT);
    if moves.is_empty() && setup.is_none() {
        return certain(fallback);
    }
    let plies: Vec<usize> =
        candidates.iter().map(|variant| legal_plies(variant, setup, &moves)).collect();
    let most = plies.iter().copied().max().unwrap_or(0);
    let mut best = candidates.iter().zip(&plies).filter(|(_, plies)| **plies == most);
    let (first, second) = (best.next(), best.next());
    // From a given setup, all variants of a game have the same moves.
    let is_assumed = (second.is_some() && setup.is_none()) || most == 0;
    let variant = first.map_or(fallback, |(variant, _)| variant);
    VariantChoice { variant, is_assumed: is_assumed && !moves.is_empty() }
}
