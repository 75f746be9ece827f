//! The games. Each module holds the rules, the notation and the handcrafted evaluation of one game.

pub mod board;
pub mod draughts;
pub mod loa;

#[cfg(not(target_family = "wasm"))]
use std::path::Path;
use std::sync::Arc;

use crate::game::{
    Game, RuleChoice, RuleOption, Rules, SharedTablebase, Tablebase, TablebaseError,
    TablebaseOpener, Variant, plain_name,
};

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

/// The open endgame tables of all games that have some.
#[derive(Clone, Default)]
pub struct Tablebases(Vec<SharedTablebase>);

/// How the tables of each game are opened.
fn openers() -> impl Iterator<Item = TablebaseOpener> {
    GAMES.iter().filter_map(|variants| with_game!(variants.first()?.name, |P, _variant| P::TABLES)?)
}

impl Tablebases {
    /// Opens the tables in a folder, or in several ones with the separator of `PATH` between them.
    /// Also returns the errors of tables and folders that are unusable. Fails if no folder has usable
    /// ones.
    #[cfg(not(target_family = "wasm"))]
    pub fn open(path: &Path) -> Result<(Self, Vec<TablebaseError>), TablebaseError> {
        let (mut tables, mut refused) = (Vec::new(), Vec::new());
        let mut failed = Vec::new();
        for opener in openers() {
            match (opener.open)(path) {
                Ok((opened, errors)) => {
                    tables.push(opened);
                    refused.extend(errors);
                }
                Err(error) => failed.push(error),
            }
        }
        match failed.into_iter().next() {
            Some(error) if tables.is_empty() => Err(error),
            _ => Ok((Self(tables), refused)),
        }
    }

    /// Reads the contents of a file of tables, which stay in memory.
    pub fn read(bytes: Vec<u8>) -> Result<Self, TablebaseError> {
        let opener = openers().next();
        opener.map_or_else(|| Ok(Self::default()), |opener| Ok(Self(vec![(opener.read)(bytes)?])))
    }

    /// The same tables, for positions of at most `pieces` pieces, with a cache of `mib` MiB for databases
    /// in files.
    pub fn with_limits(&self, mib: usize, pieces: usize) -> Result<Self, TablebaseError> {
        let limited = |tables: &SharedTablebase| {
            Ok(tables.with_limits(mib, pieces)?.unwrap_or_else(|| Arc::clone(tables)))
        };
        self.0.iter().map(limited).collect::<Result<_, _>>().map(Self)
    }

    /// Those among these tables that a proof names so; `None` if they are not there.
    pub fn named(&self, identity: &str) -> Option<Self> {
        Some(Self(vec![self.0.iter().find_map(|tables| tables.named(identity))?]))
    }

    /// The endgame tables of the game `P`, if there are any.
    pub fn of<P: Game>(&self) -> Option<Arc<dyn Tablebase<P>>> {
        let tables = self.0.iter().find(|tables| tables.game() == P::name())?;
        Arc::clone(tables).tablebase().downcast().ok().map(|tables| *tables)
    }

    /// Whether there are tables for the game of a variant.
    pub fn have(&self, variant: &str) -> bool {
        let game = with_game!(variant, |P, _variant| P::name());
        self.0.iter().any(|tables| Some(tables.game()) == game)
    }

    /// The number of pieces up to which all positions of a game are in own tables; 0 without these.
    pub fn own_pieces(&self) -> usize {
        self.0.iter().map(|tables| tables.own_pieces()).max().unwrap_or(0)
    }

    /// The number of tables, those of incomplete sets and the parts of databases included.
    pub fn slices(&self) -> usize {
        self.0.iter().map(|tables| tables.slices()).sum()
    }
}
