//! The games. Each module holds the rules, the notation and the handcrafted evaluation of one game.

pub mod board;
pub mod draughts;
pub mod loa;
mod tablebases;

use crate::game::{Game, RuleChoice, RuleOption, Rules, Variant, plain_name};
pub use tablebases::Tablebases;

/// Generates the functions that depend on the list of games.
#[doc(hidden)]
#[macro_export]
macro_rules! games {
    ([$($game:ty),+]) => {
        /// The variants of each game, the default ones first.
        pub const GAMES: &[&[Variant]] = &[$(<$game>::VARIANTS),+];

        /// The rule options of all games, without duplicates.
        pub fn rule_options() -> Vec<SharedRuleOption> {
            let mut options = Vec::new();
            $(add_options::<$game>(&mut options);)+
            options
        }
    };
}

/// Passes all games, and what follows its name, to a macro. To add a game, add its type here.
#[doc(hidden)]
#[macro_export]
macro_rules! all_games {
    ($for_games:ident $(, $argument:tt)*) => {
        $crate::$for_games! {
            [$crate::games::loa::Loa, $crate::games::draughts::Draughts] $(, $argument)*
        }
    };
}

/// Evaluates an expression with the type of the game that has a variant of this name, and with the
/// variant: `with_game!(name, |P, variant| function::<P>(variant))`. `None` if there is no such variant.
#[macro_export]
macro_rules! with_game {
    ($name:expr, |$game:ident, $variant:ident| $body:expr) => {
        $crate::all_games!(with_game_of, $name, $game, $variant, $body)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! with_game_of {
    ([$($type:ty),+], $name:expr, $game:ident, $variant:ident, $body:expr) => {{
        let name: &str = $name;
        let is_named = |variant: &&$crate::game::Variant| variant.name == name;
        $(if let Some($variant) = <$type as $crate::game::Game>::VARIANTS.iter().find(is_named) {
            type $game = $type;
            Some($body)
        } else)+ {
            None
        }
    }};
}

all_games!(games);

/// The variant that is played until another one is chosen: the first of the first game.
pub const DEFAULT_VARIANT: &Variant = &GAMES[0][0];

/// The variants of all games, the default one first.
pub fn variants() -> impl Iterator<Item = &'static Variant> {
    GAMES.iter().copied().flatten()
}

/// The variant with this name in the protocol.
pub fn variant(name: &str) -> Option<&'static Variant> {
    variants().find(|variant| variant.name == name)
}

/// The variant that has this name or alias, ignoring case, blanks and punctuation.
pub fn variant_named(text: &str) -> Option<&'static Variant> {
    let name = plain_name(text);
    variants().find(|v| [v.name].iter().chain(v.aliases).any(|known| plain_name(known) == name))
}

/// The built-in [problems](Game::PROBLEMS) of a game, by its name.
pub fn problems(game: &str) -> impl Iterator<Item = &'static str> {
    with_game!(game, |P, _variant| P::PROBLEMS).unwrap_or_default().lines()
}

/// The built-in [lessons](Game::LESSONS) of a game, by its name.
pub fn lessons(game: &str) -> impl Iterator<Item = &'static str> {
    with_game!(game, |P, _variant| P::LESSONS).unwrap_or_default().lines()
}

/// A rule option, and the games that have it.
pub struct SharedRuleOption {
    /// The name of the option in the protocol and in records.
    pub name: &'static str,
    /// What it means to players: a phrase that the value completes.
    pub description: &'static str,
    pub choice: RuleChoice,
    /// What each name of the choice means to players; empty for numbers.
    pub labels: &'static [&'static str],
    pub games: Vec<&'static str>,
}

fn add_options<P: Game>(options: &mut Vec<SharedRuleOption>) {
    for &RuleOption { name, description, choice, labels, .. } in P::Rules::OPTIONS {
        match options.iter_mut().find(|option| option.name == name) {
            Some(option) => option.games.push(P::name()),
            None => {
                let games = vec![P::name()];
                options.push(SharedRuleOption { name, description, choice, labels, games });
            }
        }
    }
}
