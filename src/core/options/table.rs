//! The table of the options: each is one row.

use std::time::Duration;

use super::{EMPTY, OptionError, Options, variant_names};
use crate::game::{MAX_MOVES, MoveFormat, Players, RuleChoice, plain_name};
#[cfg(not(target_family = "wasm"))]
use crate::games::draughts::tablebase::DATABASE_CACHE;
use crate::games::{SharedRuleOption, rule_options, variant_named, variants};

// The names of the options that code refers to.
pub const VARIANT: &str = "UCI_Variant";
pub const HASH: &str = "Hash";
pub const THREADS: &str = "Threads";
pub const ANALYSE_MODE: &str = "UCI_AnalyseMode";
pub const LIMIT_STRENGTH: &str = "UCI_LimitStrength";
pub const ELO: &str = "UCI_Elo";
pub const TABLE_PATH: &str = "TablePath";
#[cfg(not(target_family = "wasm"))]
pub const TABLE_CACHE: &str = "TableCache";
#[cfg(not(target_family = "wasm"))]
pub const TABLE_PIECES: &str = "TablePieces";
pub const EVALUATION: &str = "Evaluation";
pub const EVAL_FILE: &str = "EvalFile";
pub const MOVE_FORMAT: &str = "Move Format";
pub const MULTI_PV: &str = "MultiPV";
pub const SOLVE: &str = "Solve";
pub const CHANCES: &str = "Chances";
pub const OWN_BOOK: &str = "OwnBook";
pub const BOOK_FILE: &str = "BookFile";

// The range of `UCI_Elo`, relative to a player who plays random legal moves. The levels of each
// game cover a part of it.
pub(super) const MIN_ELO: i64 = 200;
pub(super) const MAX_ELO: i64 = 2_800;

/// The largest transposition table in MiB: 1 TiB, or a quarter of a 32-bit address space.
const MAX_HASH: i64 = if usize::BITS < 64 { 1_024 } else { 1 << 20 };

/// The pieces at the start of a game of draughts: no endgame table has more.
#[cfg(not(target_family = "wasm"))]
const MOST_PIECES: i64 = 24;

/// The type of an option and its range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// A whole number (`spin`).
    Spin { default: i64, min: i64, max: i64 },
    /// One of several names (`combo`). The first is the default.
    Combo { values: Vec<&'static str> },
    /// A boolean (`check`), false by default.
    Check,
    /// The path of a file or a directory (`string`), empty by default.
    Path,
    /// An action without a value (`button`).
    Button,
}

/// What an option is about. A command that uses one scope also uses those before it, and refuses the
/// others: [`Options::set_within`] does on the command line; in queries they have no effect, which is a
/// warning. Analyses of the protocol use the values that the session has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// A rule of a game.
    Rule,
    /// What positions are worth: the evaluation, the endgame tables, and how the search looks at moves.
    Evaluation,
    /// The text of an output.
    Notation,
    /// The effort of a search, for which commands have arguments.
    Effort,
    /// The variant, for which commands have an argument.
    Variant,
    /// Games and the protocol, not analyses.
    Play,
}

/// What a new value makes obsolete, besides the option itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing: the next search or output uses the value.
    Nothing,
    /// The scores in the transposition table, and the histories.
    Scores,
    /// The same, if the strength of play changes.
    Strength,
    /// The transposition table.
    TableSize,
    /// The game, and the scores if the variant changes.
    Game,
    /// The rules of the game, and the scores.
    Rules,
    /// The open endgame tables, and the scores.
    Tablebases,
    /// The network of a file, and the scores.
    Network,
    /// The opening book of a file.
    Book,
}

/// A dialect that offers options to its users. UCI and UGI offer all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OfferedBy {
    /// The Hub protocol.
    Hub,
    /// The protocol of XBoard.
    Cecp,
    /// CECP, as a command with another name.
    CecpCommand,
}

/// A row of the table.
pub struct UciOption {
    /// The name, as `uci` lists it; it is read in any case.
    pub name: &'static str,
    pub kind: OptionKind,
    /// What it is about.
    pub scope: Scope,
    /// What a new value makes obsolete.
    pub effect: Effect,
    /// The dialects that offer it. They offer the rules of their games besides.
    offered_by: &'static [OfferedBy],
    /// The rule of games that it is; `None` for other options.
    pub rule: Option<SharedRuleOption>,
    set: Setter,
}

type Setter = fn(&mut Options, Value);

/// A value in the range of its option.
struct Value<'a> {
    option: &'static str,
    /// A number, a boolean as 0 or 1, or the index of a name; otherwise 0.
    number: i64,
    /// A name in the spelling of the table, or a path; otherwise empty.
    text: &'a str,
}

/// All options, in the order in which they are listed.
#[rustfmt::skip] // One row is one line.
pub fn uci_options() -> Vec<UciOption> {
    use Effect::*;
    use OfferedBy::{Cecp, CecpCommand, Hub};
    use OptionKind::{Button, Check, Path};
    use Scope::*;
    let names = variants().map(|variant| variant.name).collect();
    let mut rows = vec![
        row(VARIANT, combo(names), |o, v| o.variant = variant_named(v.text).map_or(o.variant, |variant| variant.name), Variant, Game, &[]),
        row(HASH, spin(16, 1, MAX_HASH), |o, v| o.hash = v.number as usize, Effort, TableSize, &[Hub, CecpCommand]),
        row("Clear Hash", Button, |_, _| (), Play, Scores, &[Cecp]),
        row(THREADS, spin(1, 1, 256), |o, v| o.search.threads = v.number as usize, Effort, Nothing, &[Hub, CecpCommand]),
        row(MULTI_PV, spin(1, 1, MAX_MOVES as i64), |o, v| o.search.multipv = v.number as usize, Effort, Nothing, &[]),
        row(SOLVE, Check, |o, v| o.search.solve = v.is_on(), Evaluation, Scores, &[Hub, Cecp]),
        row("Move Overhead", spin(20, 0, 5_000), |o, v| o.overhead = v.millis(), Play, Nothing, &[Hub, Cecp]),
        row("Ponder", Check, |o, v| o.ponder = v.is_on(), Play, Nothing, &[]),
        row("UCI_ShowWDL", Check, |o, v| o.show_wdl = v.is_on(), Play, Nothing, &[]),
        row(CHANCES, combo(Players::NAMES.to_vec()), |o, v| o.chances = v.number as usize, Evaluation, Nothing, &[]),
        row(ANALYSE_MODE, Check, |o, v| o.analyse = v.is_on(), Play, Strength, &[]),
        row(LIMIT_STRENGTH, Check, |o, v| o.limit_strength = v.is_on(), Play, Strength, &[Hub, Cecp]),
        row(ELO, spin(1_500, MIN_ELO, MAX_ELO), |o, v| o.elo = v.number as i32, Play, Strength, &[Hub, Cecp]),
        #[cfg(not(target_family = "wasm"))]
        row(TABLE_PATH, Path, |o, v| o.table_path = v.text.into(), Evaluation, Tablebases, &[Hub]),
        #[cfg(not(target_family = "wasm"))]
        row(TABLE_CACHE, spin(DATABASE_CACHE as i64, 1, MAX_HASH), |o, v| o.table_cache = v.number as usize, Evaluation, Tablebases, &[Hub]),
        #[cfg(not(target_family = "wasm"))]
        row(TABLE_PIECES, spin(MOST_PIECES, 0, MOST_PIECES), |o, v| o.table_pieces = v.number as usize, Evaluation, Tablebases, &[Hub]),
        row(EVALUATION, combo(vec!["network", "handcrafted"]), |o, v| o.handcrafted = v.text == "handcrafted", Evaluation, Scores, &[Hub, Cecp]),
        row(EVAL_FILE, Path, |o, v| o.eval_file = v.text.into(), Evaluation, Network, &[Hub, Cecp]),
        #[cfg(not(target_family = "wasm"))]
        row(OWN_BOOK, Check, |o, v| o.own_book = v.is_on(), Play, Nothing, &[Hub, Cecp]),
        #[cfg(not(target_family = "wasm"))]
        row(BOOK_FILE, Path, |o, v| o.book_file = v.text.into(), Play, Book, &[Hub, Cecp]),
        row(MOVE_FORMAT, combo(vec!["coordinate", "standard"]), |o, v| o.move_format = v.notation(), Notation, Nothing, &[]),
    ];
    rows.extend(rule_options().into_iter().map(|rule| {
        let kind = match rule.choice {
            RuleChoice::Named(values) => combo(values.to_vec()),
            RuleChoice::Number { default, min, max } => spin(default.into(), min.into(), max.into()),
        };
        let option = row(rule.name, kind, set_number, Rule, Rules, &[]);
        UciOption { rule: Some(rule), ..option }
    }));
    #[cfg(feature = "tune")]
    rows.extend(crate::search::PARAMETERS.iter().map(|parameter| {
        let kind = spin(parameter.default, parameter.min, parameter.max);
        row(parameter.name, kind, set_number, Play, Scores, &[])
    }));
    rows
}

fn row(
    name: &'static str,
    kind: OptionKind,
    set: Setter,
    scope: Scope,
    effect: Effect,
    offered_by: &'static [OfferedBy],
) -> UciOption {
    UciOption { name, kind, scope, effect, offered_by, rule: None, set }
}

fn set_number(options: &mut Options, value: Value) {
    options.numbers.insert(value.option, value.number);
}

fn spin(default: i64, min: i64, max: i64) -> OptionKind {
    OptionKind::Spin { default, min, max }
}

fn combo(values: Vec<&'static str>) -> OptionKind {
    OptionKind::Combo { values }
}

impl Value<'_> {
    fn is_on(&self) -> bool {
        self.number != 0
    }

    fn millis(&self) -> Duration {
        Duration::from_millis(self.number as u64)
    }

    fn notation(&self) -> MoveFormat {
        if self.number == 0 { MoveFormat::Coordinate } else { MoveFormat::Standard }
    }
}

impl UciOption {
    /// The option of this name, in any case.
    pub fn find(name: &str) -> Result<Self, OptionError> {
        let found = uci_options().into_iter().find(|row| row.name.eq_ignore_ascii_case(name));
        found.ok_or_else(|| OptionError::Unknown(name.to_string()))
    }

    /// The default value, as the protocol writes it.
    pub fn default(&self) -> String {
        match &self.kind {
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { values } => values.first().copied().unwrap_or_default().to_string(),
            OptionKind::Check => "false".to_string(),
            OptionKind::Path => EMPTY.to_string(),
            OptionKind::Button => String::new(),
        }
    }

    /// Whether the option is a rule of the game of this name.
    pub fn is_rule_of(&self, game: &str) -> bool {
        self.rule.as_ref().is_some_and(|rule| rule.games.contains(&game))
    }

    /// Whether a dialect that plays these variants offers the option.
    pub fn is_offered(&self, by: OfferedBy, variants: &[&str]) -> bool {
        self.offered_by.contains(&by) || variants.iter().any(|game| self.is_rule_of(game))
    }

    /// Whether an equal value has the effect again: an action is repeated, the contents of a file
    /// may have changed, and the name of a variant begins a new game.
    pub(super) fn repeats(&self) -> bool {
        matches!(self.kind, OptionKind::Button | OptionKind::Path) || self.effect == Effect::Game
    }

    pub(super) fn set(&self, options: &mut Options, text: Option<&str>) -> Result<(), OptionError> {
        let (number, text) = match (text, &self.kind) {
            (_, OptionKind::Button) | (None, OptionKind::Path) => (0, ""),
            (None, _) => return Err(OptionError::NoValue(self.name)),
            (Some(text), &OptionKind::Spin { min, max, .. }) => {
                let number = text.parse().ok().filter(|number| (min..=max).contains(number));
                let range = || self.error(format!("a whole number from {min} to {max}"), text);
                (number.ok_or_else(range)?, "")
            }
            (Some(text), OptionKind::Check) => {
                let (_, name) = self.choose(text, &["true", "false"])?;
                (i64::from(name == "true"), "")
            }
            (Some(text), OptionKind::Combo { values }) => self.choose(text, values)?,
            (Some(text), OptionKind::Path) => (0, if text == EMPTY { "" } else { text }),
        };
        (self.set)(options, Value { option: self.name, number, text });
        Ok(())
    }

    /// Reads a name, or an alias of a variant. Returns its index and its spelling in the list.
    fn choose<'a>(&self, text: &str, names: &[&'a str]) -> Result<(i64, &'a str), OptionError> {
        let find = |text| {
            let name = plain_name(text);
            (0..).zip(names.iter().copied()).find(|(_, known)| plain_name(known) == name)
        };
        let found = find(text).or_else(|| find(variant_named(text)?.name));
        found.ok_or_else(|| {
            let is_variant = self.name == VARIANT;
            let expected =
                if is_variant { variant_names() } else { format!("one of {}", names.join(", ")) };
            self.error(expected, text)
        })
    }

    fn error(&self, expected: String, found: &str) -> OptionError {
        OptionError::Value { name: self.name, expected, found: found.to_string() }
    }
}
