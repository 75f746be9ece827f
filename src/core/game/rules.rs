//! Configurable rules and their options.

use std::fmt::Debug;

use serde::Serialize;

/// The allowed values of a rule option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleChoice {
    /// One of these names. The value is the index of the name; index 0 is the default.
    Named(&'static [&'static str]),
    /// A number in a range.
    Number { default: u16, min: u16, max: u16 },
}

impl RuleChoice {
    pub fn default(self) -> u16 {
        match self {
            Self::Named(_) => 0,
            Self::Number { default, .. } => default,
        }
    }

    /// Reads a value, ignoring case; `None` if it is not allowed.
    pub fn read(self, text: &str) -> Option<u16> {
        match self {
            Self::Named(names) => {
                let index = names.iter().position(|name| name.eq_ignore_ascii_case(text));
                index.map(|index| index as u16)
            }
            Self::Number { min, max, .. } => {
                text.parse().ok().filter(|number| (min..=max).contains(number))
            }
        }
    }

    /// Writes a value as it is read.
    pub fn write(self, value: u16) -> String {
        match self {
            Self::Named(names) => names.get(usize::from(value)).copied().unwrap_or_default().into(),
            Self::Number { .. } => value.to_string(),
        }
    }
}

/// A rule option with its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RuleSetting {
    pub name: &'static str,
    /// The value: a number, or the index of a name.
    pub value: u16,
    pub text: String,
}

impl RuleSetting {
    /// An option whose value is a number.
    pub fn number(name: &'static str, value: u16) -> Self {
        Self { name, value, text: value.to_string() }
    }
}

/// An option for a rule that has more than one accepted version.
#[derive(Clone, Copy, Debug)]
pub struct RuleOption<R> {
    /// The name of the option in the protocol and in records.
    pub name: &'static str,
    /// What it means to players: a phrase that the value completes.
    pub description: &'static str,
    pub choice: RuleChoice,
    /// What each name of the choice means to players; empty for numbers.
    pub labels: &'static [&'static str],
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

/// The values of these settings.
pub fn values_of(settings: &[RuleSetting]) -> impl Fn(&str) -> Option<u16> {
    |name| settings.iter().find(|setting| setting.name == name).map(|setting| setting.value)
}

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
