//! The games: each folder holds the rules, the notation and the handcrafted evaluation of one.

pub mod board;
pub mod draughts;
pub mod loa;

use crate::game::{Choice, Game, Rules, Variant};

/// Whoever wants to begin a game without knowing beforehand which.
pub trait Opener {
    /// What comes of it.
    type Opened;

    /// Begins the game `G` in one of its variants.
    fn open<G: Game>(self, variant: &'static Variant) -> Self::Opened;
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
