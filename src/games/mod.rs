//! The games: each folder holds the rules, the notation and the handcrafted evaluation of one.

pub mod board;
pub mod draughts;
pub mod loa;

use std::path::Path;
use std::sync::Arc;

use crate::game::{Choice, Game, Oracle, Rules, Variant};
pub use draughts::tables::TableError;
use draughts::tables::{MAX_PIECES, MIN_PIECES, Tables};

/// Whoever wants to begin a game without knowing beforehand which.
pub trait Opener {
    /// What comes of it.
    type Opened;

    /// Begins the game `G` in one of its variants.
    fn open<G: Equipped>(self, variant: &'static Variant) -> Self::Opened;
}

/// What a game has beside its rules.
pub trait Equipped: Game {
    /// Who knows some of its positions for certain, if anybody does.
    fn oracle(_shelf: &Shelf) -> Option<Arc<dyn Oracle<Self>>> {
        None
    }
}

impl Equipped for loa::Loa {}

impl Equipped for draughts::Draughts {
    fn oracle(shelf: &Shelf) -> Option<Arc<dyn Oracle<Self>>> {
        Some(shelf.draughts.clone()? as Arc<dyn Oracle<Self>>)
    }
}

/// The endgame tables of all games that have some.
#[derive(Clone, Default)]
pub struct Shelf {
    draughts: Option<Arc<Tables>>,
}

impl Shelf {
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
        pub fn rule_options() -> Vec<(&'static str, Choice)> {
            let mut options = Vec::new();
            $(add_options::<<$game as Game>::Rules>(&mut options);)+
            options
        }

        /// Begins the game that has a variant of this name.
        pub fn open<O: Opener>(name: &str, opener: O) -> Option<O::Opened> {
            $(if let Some(variant) = <$game>::VARIANTS.iter().find(|variant| variant.name == name) {
                return Some(opener.open::<$game>(variant));
            })+
            None
        }
    };
}

// All games. A new one is a word here.
games![loa::Loa, draughts::Draughts];

fn add_options<R: Rules>(options: &mut Vec<(&'static str, Choice)>) {
    for option in R::OPTIONS {
        if options.iter().all(|&(name, _)| name != option.name) {
            options.push((option.name, option.choice));
        }
    }
}
