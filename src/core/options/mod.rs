//! The UCI options. An option is a field of [`Options`] and a row of the [table](uci_options), which
//! prints, parses and checks it, and has what depends on it.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod table;

use std::collections::BTreeMap;
#[cfg(feature = "tune")]
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use thiserror::Error;

use crate::game::{MoveFormat, Players, RuleSetting};
use crate::games::{rule_options, variant_named, variants};
use crate::search::SearchOptions;
pub use table::*;

/// The values of all options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// `UCI_Variant`: the name of the variant.
    pub variant: &'static str,
    /// `Hash`: the size of the transposition table in MiB.
    pub hash: usize,
    /// The options that the search reads: `Threads`, `MultiPV`, `Solve`.
    pub search: SearchOptions,
    /// `Move Overhead`: the time lost per move between the engine and the clock.
    pub overhead: Duration,
    /// `Ponder`: whether the client intends to let the engine ponder.
    pub ponder: bool,
    /// `UCI_ShowWDL`: whether to report win/draw/loss with each score.
    pub show_wdl: bool,
    /// `Chances`: the index of the players in [`Players::NAMES`].
    chances: usize,
    /// `UCI_AnalyseMode`: whether games are analysed rather than played.
    pub analyse: bool,
    /// `UCI_LimitStrength`: whether to limit the strength to [`Options::elo`].
    pub limit_strength: bool,
    /// `UCI_Elo`: the strength in Elo, if it is limited.
    pub elo: i32,
    /// `TablePath`: the folders of the endgame tables; empty for the default folder.
    pub table_path: String,
    /// `TableCache`: the size of the cache for databases in MiB.
    pub table_cache: usize,
    /// `TablePieces`: the largest number of pieces of a position that is looked up in endgame tables.
    pub table_pieces: usize,
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
    /// The values of the options without a field: the rules, and parameters of the search.
    numbers: BTreeMap<&'static str, i64>,
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Self {
            variant: "",
            hash: 0,
            search: SearchOptions::default(),
            overhead: Duration::ZERO,
            ponder: false,
            show_wdl: false,
            chances: 0,
            analyse: false,
            limit_strength: false,
            elo: 0,
            table_path: String::new(),
            table_cache: 0,
            table_pieces: 0,
            handcrafted: false,
            eval_file: String::new(),
            own_book: false,
            book_file: String::new(),
            move_format: MoveFormat::default(),
            numbers: BTreeMap::new(),
        };
        for option in uci_options() {
            // A default value is in the range of its option.
            let _ = option.set(&mut options, Some(&option.default()));
        }
        options
    }
}

impl Options {
    /// The default options of the variant with this name or alias, or of the default variant.
    pub fn of_variant(name: Option<&str>) -> Result<Self, OptionError> {
        let mut options = Self::default();
        if name.is_some() {
            options.set(VARIANT, name)?;
        }
        Ok(options)
    }

    /// The options of a variant with these values. A command uses the options of `scope` and of the scopes
    /// before it; another one is an error.
    pub fn of(
        variant: Option<&str>,
        values: &[(String, String)],
        scope: Scope,
    ) -> Result<Self, OptionError> {
        let mut options = Self::of_variant(variant)?;
        options.set_within(values, scope)?;
        Ok(options)
    }

    /// Sets options of `scope` and of the scopes before it.
    pub fn set_within(
        &mut self,
        values: &[(String, String)],
        scope: Scope,
    ) -> Result<(), OptionError> {
        for (name, value) in values {
            let option = UciOption::find(name)?;
            if option.scope > scope {
                let expected = used_within(&option, scope);
                return Err(OptionError::NoEffect { name: option.name, expected });
            }
            self.set(name, Some(value))?;
        }
        if scope < Scope::Play { self.require_level() } else { Ok(()) }
    }

    /// Ensures that `Chances` is not `elo`, for a command in which `UCI_Elo` has no effect.
    pub fn require_level(&self) -> Result<(), OptionError> {
        match (self.players(), Players::NAMES.split_last()) {
            (Players::Elo(_), Some((elo, levels))) => {
                let expected = format!("one of {} here", levels.join(", "));
                Err(OptionError::Value { name: CHANCES, expected, found: elo.to_string() })
            }
            _ => Ok(()),
        }
    }

    /// The value of a rule option: a number, or the index of a name in its list.
    pub fn rule(&self, name: &str) -> Option<u16> {
        self.numbers.get(name).map(|&number| number as u16)
    }

    /// `Chances`: the players whose chances are reported.
    pub fn players(&self) -> Players {
        Players::named(self.chances, self.elo)
    }

    /// The strength in Elo; `None` at full strength, which analysis always uses.
    pub fn strength(&self) -> Option<i32> {
        (self.limit_strength && !self.analyse).then_some(self.elo)
    }

    /// Whether the rules equal those of `other`.
    pub fn same_rules(&self, other: &Self) -> bool {
        rule_options().iter().all(|option| self.rule(option.name) == other.rule(option.name))
    }

    /// Uses the rules that a record names, and the usual ones for all others. A record that names none
    /// leaves the rules as they are.
    pub fn set_rules(&mut self, named: &[RuleSetting]) {
        if !named.is_empty() {
            let usual = rule_options().into_iter().map(|rule| (rule.name, rule.choice.default()));
            let named = named.iter().map(|rule| (rule.name, rule.value));
            self.numbers.extend(usual.chain(named).map(|(name, value)| (name, value.into())));
        }
    }

    /// Uses the parameters of the search in all searches of the process.
    #[cfg(feature = "tune")]
    pub fn tune_search(&self) {
        for parameter in &crate::search::PARAMETERS {
            if let Some(&number) = self.numbers.get(parameter.name) {
                parameter.value.store(number as i32, Relaxed);
            }
        }
    }

    /// Sets the option called `name`, ignoring case. Returns what the value makes obsolete.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
        let option = UciOption::find(name)?;
        let old = self.clone();
        option.set(self, value)?;
        Ok(if *self != old || option.repeats() { option.effect } else { Effect::Nothing })
    }
}

/// Why a `setoption` is rejected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionError {
    #[error("unknown option '{0}'")]
    Unknown(String),
    #[error("option '{name}' has no effect here: expected {expected}")]
    NoEffect { name: &'static str, expected: String },
    #[error("option '{0}': expected a value")]
    NoValue(&'static str),
    #[error("option '{name}': expected {expected}, found '{found}'")]
    Value { name: &'static str, expected: String, found: String },
}

/// The protocol's notation of an empty string.
pub const EMPTY: &str = "<empty>";

/// What a command accepts instead of an option.
fn used_within(option: &UciOption, scope: Scope) -> String {
    if option.scope == Scope::Variant {
        return "--variant".to_string();
    }
    let used = uci_options().into_iter().filter(|option| option.scope <= scope);
    let names = used.filter(|option| option.scope != Scope::Rule).map(|option| option.name);
    ["a rule"].into_iter().chain(names).collect::<Vec<_>>().join(" or ")
}

/// Parses the name of a variant on the command line, and returns its full name.
pub fn read_variant(text: &str) -> Result<String, String> {
    let variant = variant_named(text).map(|variant| variant.name.to_string());
    variant.ok_or_else(|| format!("expected {}", variant_names()))
}

/// The names of the variants and their aliases, in words.
pub fn variant_names() -> String {
    let names: Vec<_> = variants().map(|variant| variant.name).collect();
    let aliases: Vec<_> = variants().flat_map(|variant| variant.aliases).copied().collect();
    format!("one of {}, or an alias: {}", names.join(", "), aliases.join(", "))
}

/// Parses a strength on the command line.
pub fn read_elo(text: &str) -> Result<i32, String> {
    let elo = text.trim().parse().ok().filter(|elo| (MIN_ELO..=MAX_ELO).contains(elo));
    let elo = elo.ok_or_else(|| format!("expected a whole number from {MIN_ELO} to {MAX_ELO}"))?;
    Ok(elo as i32)
}

/// The scope of the option of this name, if there is one.
pub fn scope(name: &str) -> Option<Scope> {
    UciOption::find(name).ok().map(|option| option.scope)
}
