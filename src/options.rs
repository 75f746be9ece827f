//! The UCI options: one table to print, parse and range-check them.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::time::Duration;

use thiserror::Error;

use crate::game::{MAX_MOVES, MoveFormat, RuleChoice};
use crate::games::{rule_options, variants};

/// The values of all options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// `UCI_Variant`: the name of the variant.
    pub variant: &'static str,
    /// `Hash`: the size of the transposition table in MiB.
    pub hash: usize,
    /// `Clear Hash`: how often it was pressed.
    pub clearings: u64,
    /// `Threads`: the number of threads of a search.
    pub threads: usize,
    /// `MultiPV`: the number of principal variations to report.
    pub multipv: usize,
    /// `Move Overhead`: the time lost per move between the engine and the clock.
    pub overhead: Duration,
    /// `Ponder`: whether the client intends to let the engine ponder.
    pub ponder: bool,
    /// `UCI_ShowWDL`: whether to report win/draw/loss with each score.
    pub show_wdl: bool,
    /// `UCI_AnalyseMode`: whether games are analysed rather than played.
    pub analyse: bool,
    /// `UCI_LimitStrength`: whether to limit the strength to [`Options::elo`].
    pub limit_strength: bool,
    /// `UCI_Elo`: the strength in Elo, if it is limited.
    pub elo: i32,
    /// `TablePath`: the folder of the endgame tables; empty for the default folder.
    pub table_path: String,
    /// `Evaluation`: whether to use the handcrafted evaluation even if there is a network.
    pub handcrafted: bool,
    /// `EvalFile`: the path of the network; empty for the built-in network.
    pub eval_file: String,
    /// `OwnBook`: whether moves of the opening book are played without a search.
    pub own_book: bool,
    /// `BookFile`: the path of the opening book; empty for the built-in book.
    pub book_file: String,
    /// `Move Format`: the notation of moves in output.
    pub move_format: MoveFormat,
    /// The values of the rule options, in the order of [`rule_options`].
    rules: Vec<u16>,
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Self {
            variant: "",
            hash: 0,
            clearings: 0,
            threads: 0,
            multipv: 0,
            overhead: Duration::ZERO,
            ponder: false,
            show_wdl: false,
            analyse: false,
            limit_strength: false,
            elo: 0,
            table_path: String::new(),
            handcrafted: false,
            eval_file: String::new(),
            own_book: false,
            book_file: String::new(),
            move_format: MoveFormat::default(),
            rules: vec![0; rule_options().len()],
        };
        for spec in uci_options() {
            let default = match spec.kind {
                OptionKind::Spin { default, .. } => OptionValue::Number(default),
                OptionKind::Combo { ref values } => {
                    OptionValue::Name(0, values.first().copied().unwrap_or_default())
                }
                OptionKind::Check { default } => OptionValue::Number(default.into()),
                OptionKind::Path | OptionKind::Button => continue,
            };
            (spec.set)(&mut options, spec.index, default);
        }
        options
    }
}

impl Options {
    /// The value of a rule option: a number, or the index of a name in its list.
    pub fn rule(&self, name: &str) -> Option<u16> {
        let index = rule_options().iter().position(|&(rule, _)| rule == name)?;
        self.rules.get(index).copied()
    }

    /// Whether a rule option of this name exists, ignoring case.
    pub fn is_rule(name: &str) -> bool {
        rule_options().iter().any(|(rule, _)| rule.eq_ignore_ascii_case(name))
    }

    /// The strength in Elo; `None` at full strength, which analysis always uses.
    pub fn strength(&self) -> Option<i32> {
        (self.limit_strength && !self.analyse).then_some(self.elo)
    }

    /// Whether the rules equal those of `other`.
    pub fn same_rules(&self, other: &Self) -> bool {
        self.rules == other.rules
    }

    /// Sets the option called `name`, ignoring case.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let spec = uci_options()
            .into_iter()
            .find(|spec| spec.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(name.to_string()))?;
        let value = spec.read(value)?;
        (spec.set)(self, spec.index, value);
        Ok(())
    }
}

/// Why a `setoption` is rejected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionError {
    /// An unknown option.
    #[error("unknown option '{0}'")]
    Unknown(String),
    /// The option has no effect on a command.
    #[error("option '{name}' has no effect here: expected {expected}")]
    NoEffect {
        /// The name of the option.
        name: String,
        /// The options that have an effect.
        expected: &'static str,
    },
    /// The value is missing.
    #[error("option '{0}': expected a value")]
    NoValue(&'static str),
    /// The value is out of range or not a number.
    #[error("option '{name}': expected a whole number from {min} to {max}, found '{value}'")]
    NotInBounds {
        /// The name of the option.
        name: &'static str,
        /// The value as read.
        value: String,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// The value is not in the list of allowed values.
    #[error("option '{name}': expected one of {values}, found '{value}'")]
    NotAmong {
        /// The name of the option.
        name: &'static str,
        /// The value as read.
        value: String,
        /// The allowed values.
        values: String,
    },
}

// The range of `UCI_Elo`, relative to a player who plays random legal moves. The levels of each
// game cover a part of it.
const MIN_ELO: i64 = 200;
const MAX_ELO: i64 = 2_800;
const DEFAULT_ELO: i64 = 1_500;

/// The largest transposition table in MiB: 1 TiB, or a quarter of a 32-bit address space.
const MAX_HASH: i64 = if usize::BITS < 64 { 1_024 } else { 1 << 20 };

/// The protocol's notation of an empty string.
pub const EMPTY: &str = "<empty>";

/// The type of an option and its range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// A whole number (`spin`).
    Spin {
        /// The default value.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of several names (`combo`). The first is the default.
    Combo {
        /// The names.
        values: Vec<&'static str>,
    },
    /// A boolean (`check`).
    Check {
        /// The default value.
        default: bool,
    },
    /// The path of a file or a directory (`string`), empty by default.
    Path,
    /// An action without a value (`button`).
    Button,
}

/// A row of the option table.
pub struct UciOption {
    /// The name of the option.
    pub name: &'static str,
    /// Its type and range.
    pub kind: OptionKind,
    set: fn(&mut Options, usize, OptionValue<'_>),
    /// The index among the rule options; 0 for all others.
    index: usize,
}

/// A parsed value.
#[derive(Clone, Copy)]
enum OptionValue<'a> {
    Number(i64),
    Name(usize, &'static str),
    Text(&'a str),
    Pressed,
}

impl OptionValue<'_> {
    /// The number, or the index of the name.
    fn number(self) -> i64 {
        match self {
            Self::Number(number) => number,
            Self::Name(index, _) => index as i64,
            Self::Text(_) | Self::Pressed => 0,
        }
    }

    fn name(self) -> &'static str {
        if let Self::Name(_, name) = self { name } else { "" }
    }

    fn text(self) -> String {
        if let Self::Text(text) = self { text.to_string() } else { String::new() }
    }
}

/// Parses the name of a variant on the command line, and returns its full name.
pub fn read_variant(text: &str) -> Result<String, String> {
    variant_named(text).map(str::to_string).ok_or_else(|| {
        let names: Vec<_> = variants().map(|variant| variant.name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// Parses a strength on the command line.
pub fn read_elo(text: &str) -> Result<i32, String> {
    let elo = text.trim().parse().ok().filter(|elo| (MIN_ELO..=MAX_ELO).contains(elo));
    let elo = elo.ok_or_else(|| format!("expected a whole number from {MIN_ELO} to {MAX_ELO}"))?;
    Ok(elo as i32)
}

/// All options, in the order in which they are listed.
pub fn uci_options() -> Vec<UciOption> {
    let option = |name, kind, set| UciOption { name, kind, set, index: 0 };
    let spin =
        |name, default, min, max, set| option(name, OptionKind::Spin { default, min, max }, set);
    let check = |name, set| option(name, OptionKind::Check { default: false }, set);
    let combo = |name, values, set| option(name, OptionKind::Combo { values }, set);
    let names = variants().map(|variant| variant.name).collect();
    let mut options = vec![
        combo("UCI_Variant", names, |options, _, value| options.variant = value.name()),
        spin("Hash", 16, 1, MAX_HASH, |options, _, value| options.hash = value.number() as usize),
        option("Clear Hash", OptionKind::Button, |options, _, _| options.clearings += 1),
        spin("Threads", 1, 1, 256, |options, _, value| options.threads = value.number() as usize),
        spin("MultiPV", 1, 1, MAX_MOVES as i64, |options, _, value| {
            options.multipv = value.number() as usize;
        }),
        spin("Move Overhead", 20, 0, 5_000, |options, _, value| {
            options.overhead = Duration::from_millis(value.number() as u64);
        }),
        check("Ponder", |options, _, value| options.ponder = value.number() != 0),
        check("UCI_ShowWDL", |options, _, value| options.show_wdl = value.number() != 0),
        check("UCI_AnalyseMode", |options, _, value| options.analyse = value.number() != 0),
        check("UCI_LimitStrength", |options, _, value| {
            options.limit_strength = value.number() != 0;
        }),
        spin("UCI_Elo", DEFAULT_ELO, MIN_ELO, MAX_ELO, |options, _, value| {
            options.elo = value.number() as i32;
        }),
        #[cfg(feature = "cli")]
        option("TablePath", OptionKind::Path, |options, _, value| {
            options.table_path = value.text()
        }),
        combo("Evaluation", vec!["network", "handcrafted"], |options, _, value| {
            options.handcrafted = value.number() != 0;
        }),
        option("EvalFile", OptionKind::Path, |options, _, value| options.eval_file = value.text()),
        #[cfg(feature = "cli")]
        check("OwnBook", |options, _, value| options.own_book = value.number() != 0),
        #[cfg(feature = "cli")]
        option("BookFile", OptionKind::Path, |options, _, value| options.book_file = value.text()),
        combo("Move Format", vec!["coordinate", "standard"], |options, _, value| {
            options.move_format = match value.number() {
                0 => MoveFormat::Coordinate,
                _ => MoveFormat::Standard,
            };
        }),
    ];
    options.extend(rule_options().into_iter().enumerate().map(|(index, (name, choice))| {
        UciOption {
            name,
            kind: match choice {
                RuleChoice::Named(values) => OptionKind::Combo { values: values.to_vec() },
                RuleChoice::Number { default, min, max } => {
                    OptionKind::Spin { default: default.into(), min: min.into(), max: max.into() }
                }
            },
            set: |options, index, value| {
                if let Some(rule) = options.rules.get_mut(index) {
                    *rule = value.number() as u16;
                }
            },
            index,
        }
    }));
    options
}

/// The name of the variant that has this name or alias.
pub fn variant_named(text: &str) -> Option<&'static str> {
    let mut variants = variants();
    let found = variants.find(|variant| {
        [variant.name].iter().chain(variant.aliases).any(|name| same_name(name, text))
    });
    found.map(|variant| variant.name)
}

impl UciOption {
    fn read<'a>(&self, text: Option<&'a str>) -> Result<OptionValue<'a>, OptionError> {
        let text = match (text, &self.kind) {
            (Some(text), _) => text,
            // A path may be empty, and a button has no value.
            (None, OptionKind::Path | OptionKind::Button) => "",
            (None, _) => return Err(OptionError::NoValue(self.name)),
        };
        let value = text.to_string();
        let among = |values: &[&'static str]| {
            let index = values.iter().position(|name| same_name(name, text));
            let index = index.or_else(|| {
                let variant = variant_named(text)?;
                values.iter().position(|&name| name == variant)
            });
            index.map(|index| (index, values.get(index).copied().unwrap_or_default()))
        };
        match self.kind {
            OptionKind::Spin { min, max, .. } => text
                .parse()
                .ok()
                .filter(|number| (min..=max).contains(number))
                .map(OptionValue::Number)
                .ok_or(OptionError::NotInBounds { name: self.name, value, min, max }),
            OptionKind::Check { .. } => match among(&["false", "true"]) {
                Some((index, _)) => Ok(OptionValue::Number(index as i64)),
                None => Err(self.not_among(value, "true, false")),
            },
            OptionKind::Combo { ref values } => match among(values) {
                Some((index, name)) => Ok(OptionValue::Name(index, name)),
                None => Err(self.not_among(value, &values.join(", "))),
            },
            OptionKind::Path => Ok(OptionValue::Text(if text == EMPTY { "" } else { text })),
            OptionKind::Button => Ok(OptionValue::Pressed),
        }
    }

    fn not_among(&self, value: String, values: &str) -> OptionError {
        OptionError::NotAmong { name: self.name, value, values: values.to_string() }
    }
}

/// Whether two names are equal, ignoring case, spaces, `-` and `_`.
fn same_name(a: &str, b: &str) -> bool {
    let plain = |text: &str| {
        let letters = text.chars().filter(|c: &char| !c.is_whitespace() && !matches!(c, '-' | '_'));
        letters.collect::<String>().to_ascii_lowercase()
    };
    plain(a) == plain(b)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_are_read_in_any_case() {
        let mut options = Options::default();
        options.set("hash", Some("3")).unwrap();
        options.set("MOVE overhead", Some("100")).unwrap();
        options.set("uci_variant", Some("Scrambled-Eggs")).unwrap();
        options.set("No Legal Move", Some("DRAW")).unwrap();
        assert_eq!((options.hash, options.overhead), (3, Duration::from_millis(100)));
        assert_eq!(options.variant, "scrambledeggs");
        assert_eq!(options.rule("No Legal Move"), Some(2));
        options.set("UCI_Variant", Some("LOA")).unwrap();
        assert_eq!(options.variant, "linesofaction");
    }

    #[test]
    fn a_bad_value_is_refused_with_the_accepted_ones() {
        let table = [
            (
                "Hash",
                Some("0"),
                "option 'Hash': expected a whole number from 1 to 1048576, found '0'",
            ),
            (
                "Hash",
                Some("much"),
                "option 'Hash': expected a whole number from 1 to 1048576, found 'much'",
            ),
            ("Hash", None, "option 'Hash': expected a value"),
            (
                "Ponder",
                Some("maybe"),
                "option 'Ponder': expected one of true, false, found 'maybe'",
            ),
            ("Sugar", Some("2"), "unknown option 'Sugar'"),
            (
                "No Legal Move",
                Some("win"),
                "option 'No Legal Move': expected one of pass, loss, draw, found 'win'",
            ),
        ];
        for (name, value, message) in table {
            let mut options = Options::default();
            assert_eq!(options.set(name, value).unwrap_err().to_string(), message);
            assert_eq!(options, Options::default());
        }
    }
}
