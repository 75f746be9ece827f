//! Configurable rules and their options.

use std::fmt::Debug;

/// The allowed values of a rule option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleChoice {
    /// One of these names. The value is the index of the name; index 0 is the default.
    Named(&'static [&'static str]),
    /// A number in a range.
    Number {
        /// The default value.
        default: u16,
        /// The smallest value.
        min: u16,
        /// The largest value.
        max: u16,
    },
}

/// An option for a rule that has more than one accepted version.
#[derive(Clone, Copy, Debug)]
pub struct RuleOption<R> {
    /// The name of the option.
    pub name: &'static str,
    /// What it means to players, in a sentence.
    pub description: &'static str,
    /// The allowed values.
    pub choice: RuleChoice,
    /// Sets the value: a number, or the index of a name.
    pub set: fn(&mut R, u16),
}

/// The configurable rules of a game. `default()` returns the usual ones.
pub trait Rules: Copy + Default + Debug + Send + Sync + 'static {
    /// All options, in the order in which they are listed.
    const OPTIONS: &'static [RuleOption<Self>];
}

/// The values of rule options by name: numbers, or indices of names.
pub type RuleValues<'a> = &'a dyn Fn(&str) -> Option<u16>;

/// The rules with these values, and the defaults for all other options.
pub fn rules_from<R: Rules>(values: RuleValues) -> R {
    let mut rules = R::default();
    for option in R::OPTIONS {
        if let Some(value) = values(option.name) {
            (option.set)(&mut rules, value);
        }
    }
    rules
}
