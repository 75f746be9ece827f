//! The games: each folder holds the rules, the notation and the handcrafted evaluation of one.

pub mod board;
pub mod draughts;
pub mod loa;

use std::path::Path;
use std::sync::Arc;

use crate::game::{Position, RuleChoice, Rules, Tablebase, Variant};
pub use draughts::tables::TableError;
use draughts::tables::{MAX_PIECES, MIN_PIECES, Tables};

/// Whoever wants to begin a game without knowing beforehand which.
pub trait GameVisitor {
    /// What comes of it.
    type Output;

    /// Begins the game `P` in one of its variants.
    fn visit<P: WithTablebase>(self, variant: &'static Variant) -> Self::Output;
}

/// What a game has beside its rules.
pub trait WithTablebase: Position {
    /// Who knows some of its positions for certain, if anybody does.
    fn tablebase(_shelf: &Tablebases) -> Option<Arc<dyn Tablebase<Self>>> {
        None
    }
}

impl WithTablebase for loa::Loa {}

impl WithTablebase for draughts::Draughts {
    fn tablebase(shelf: &Tablebases) -> Option<Arc<dyn Tablebase<Self>>> {
        Some(shelf.draughts.clone()? as Arc<dyn Tablebase<Self>>)
    }
}

/// The endgame tables of all games that have some.
#[derive(Clone, Default)]
pub struct Tablebases {
    draughts: Option<Arc<Tables>>,
}

impl Tablebases {
    /// The tables in a folder, and what is wrong with those that cannot be used.
    pub fn open(folder: &Path) -> Result<(Self, Vec<TableError>), TableError> {
        let mut tables = Tables::open(folder)?;
        let refused = tables.take_refused();
        let draughts = (tables.pieces() > 0).then(|| Arc::new(tables));
        Ok((Self { draughts }, refused))
    }

    /// Every position with up to so many pieces is known; 0 where there are no tables.
    pub fn pieces(&self) -> usize {
        self.draughts.as_ref().map_or(0, |tables| tables.pieces())
    }

    /// The number of tables, those of an unfinished set too.
    pub fn slices(&self) -> usize {
        let of = |tables: &Arc<Tables>| (MIN_PIECES..=MAX_PIECES).map(|n| tables.slices(n).0).sum();
        self.draughts.as_ref().map_or(0, of)
    }
}

/// Makes, from the list of games, the functions that must name each.
macro_rules! games {
    ($($game:ty),+ $(,)?) => {
        /// The variants of all games, the default one first.
        pub fn variants() -> impl Iterator<Item = &'static Variant> {
            let games: [&'static [Variant]; _] = [$(<$game>::VARIANTS),+];
            games.into_iter().flatten()
        }

        /// The rule options of all games by name and values; games may share one.
        pub fn rule_options() -> Vec<(&'static str, RuleChoice)> {
            let mut options = Vec::new();
            $(add_options::<<$game as Position>::Rules>(&mut options);)+
            options
        }

        /// Begins the game that has a variant of this name.
        pub fn open<V: GameVisitor>(name: &str, visitor: V) -> Option<V::Output> {
            $(if let Some(variant) = <$game>::VARIANTS.iter().find(|variant| variant.name == name) {
                return Some(visitor.visit::<$game>(variant));
            })+
            None
        }
    };
}

// All games. A new one is a word here.
games![loa::Loa, draughts::Draughts];

fn add_options<R: Rules>(options: &mut Vec<(&'static str, RuleChoice)>) {
    for option in R::OPTIONS {
        if options.iter().all(|&(name, _)| name != option.name) {
            options.push((option.name, option.choice));
        }
    }
}
