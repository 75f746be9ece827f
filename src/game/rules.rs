//! Rules that can be chosen: what a game leaves open, and how a user says it.

use std::fmt::Debug;

/// The values that an open rule may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleChoice {
    /// One of these names; the number of the chosen one counts from 0, which is the default.
    Named(&'static [&'static str]),
    /// A number within bounds.
    Number {
        /// Its value unless somebody sets it.
        default: u16,
        /// The smallest value.
        min: u16,
        /// The largest value.
        max: u16,
    },
}

/// A rule that players have agreed on in more than one way, as a user may choose it.
#[derive(Clone, Copy, Debug)]
pub struct RuleOption<R> {
    /// The name of the option.
    pub name: &'static str,
    /// What it may be.
    pub choice: RuleChoice,
    /// Puts a value into the rules: a number, or the place of a name in its list.
    pub set: fn(&mut R, u16),
}

/// The choices that a game's rules leave open. `default()` holds the usual ones.
pub trait Rules: Copy + Default + Debug + Send + Sync + 'static {
    /// Every choice, in the order in which options are listed.
    const OPTIONS: &'static [RuleOption<Self>];
}

/// The values of rule options by name: numbers, or the place of a name in its list.
pub type RuleValues<'a> = &'a dyn Fn(&str) -> Option<u16>;

/// The rules with these values; those that are not among them stay as they usually are.
pub fn rules_from<R: Rules>(values: RuleValues) -> R {
    let mut rules = R::default();
    for option in R::OPTIONS {
        if let Some(value) = values(option.name) {
            (option.set)(&mut rules, value);
        }
    }
    rules
}
