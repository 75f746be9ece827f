//! The games. Each module holds the rules, the notation and the handcrafted evaluation of one game.

pub mod board;
pub mod draughts;
pub mod loa;

use std::any::Any;
use std::sync::Arc;

use crate::game::{Game, RuleChoice, RuleOption, Rules, Tablebase, Variant, plain_name};
use draughts::Draughts;
#[cfg(not(target_family = "wasm"))]
use draughts::tables::EndgameTables;
#[cfg(not(target_family = "wasm"))]
pub use draughts::tables::TableError;
use draughts::tables::{MemoryTables, MemoryTablesError};

/// The endgame tables of all games.
#[derive(Clone, Default)]
pub struct Tablebases {
    draughts: Option<Arc<dyn Tablebase<Draughts>>>,
    /// The same tables, if they come from files.
    #[cfg(not(target_family = "wasm"))]
    files: Option<Arc<EndgameTables>>,
    pieces: usize,
    slices: usize,
}

impl Tablebases {
    /// Opens the tables in a folder, or in several ones with the separator of `PATH` between them.
    /// Also returns the errors of tables and folders that are unusable. Fails if no folder has usable
    /// ones.
    #[cfg(not(target_family = "wasm"))]
    pub fn open(path: &std::path::Path) -> Result<(Self, Vec<TableError>), TableError> {
        let (tables, refused) = EndgameTables::open(path)?;
        Ok((Self::of_files(tables), refused))
    }

    #[cfg(not(target_family = "wasm"))]
    fn of_files(tables: EndgameTables) -> Self {
        let (pieces, slices) = (tables.own().pieces().min(tables.pieces()), tables.slices());
        let tables = Arc::new(tables);
        Self { draughts: Some(tables.clone()), files: Some(tables), pieces, slices }
    }

    /// The same tables, for positions of at most `pieces` pieces, with a cache of `mib` MiB for databases
    /// in files.
    #[cfg(not(target_family = "wasm"))]
    pub fn with_limits(&self, mib: usize, pieces: usize) -> Result<Self, TableError> {
        let files = self.files.as_ref().map(|files| files.with_limits(mib, pieces)).transpose()?;
        Ok(files.map_or_else(|| self.clone(), Self::of_files))
    }

    /// Those among these tables that a proof names so; `None` if they are not there.
    #[cfg(not(target_family = "wasm"))]
    pub fn named(&self, identity: &str) -> Option<Self> {
        Some(Self::of_files(self.files.as_ref()?.named(identity)?))
    }

    /// No proof names tables that are in memory.
    #[cfg(target_family = "wasm")]
    pub fn named(&self, _identity: &str) -> Option<Self> {
        None
    }

    /// Reads the contents of a file of tables, which stay in memory.
    pub fn read(bytes: Vec<u8>) -> Result<Self, MemoryTablesError> {
        let draughts = Arc::new(MemoryTables::read(bytes)?);
        Ok(Self {
            draughts: Some(draughts),
            pieces: MemoryTables::PIECES,
            slices: MemoryTables::slices(),
            #[cfg(not(target_family = "wasm"))]
            files: None,
        })
    }

    /// The endgame tables of the game `P`, if there are any.
    pub fn of<P: Game>(&self) -> Option<Arc<dyn Tablebase<P>>> {
        let draughts = self.draughts.clone()?;
        (&draughts as &dyn Any).downcast_ref::<Arc<dyn Tablebase<P>>>().cloned()
    }

    /// Whether there are tables for the game of a variant.
    pub fn have(&self, variant: &str) -> bool {
        self.draughts.is_some() && Draughts::VARIANTS.iter().any(|known| known.name == variant)
    }

    /// The number of pieces up to which all positions are in own tables; 0 without these.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The number of tables, those of incomplete sets and the parts of databases included.
    pub fn slices(&self) -> usize {
        self.slices
    }
}

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

/// A rule option, and the games that have it.
pub struct SharedRuleOption {
    /// The name of the option in the protocol and in records.
    pub name: &'static str,
    /// What it means to players: a phrase that the value completes.
    pub description: &'static str,
    /// The allowed values.
    pub choice: RuleChoice,
    /// What each name of the choice means to players; empty for numbers.
    pub labels: &'static [&'static str],
    /// The names of the games.
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
