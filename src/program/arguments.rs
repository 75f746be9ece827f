//! Command line values and engine parts that several commands share.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::ops::{Bound, Range, RangeBounds};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::thread::available_parallelism;

use clap::Args;
use serde_json::{Value, json};
use thiserror::Error;

use super::error::{CommandError, note};
use soucie::engine::game_file::{Evaluator, GameFileError};
use soucie::engine::{PlayingLevel, variant_data};
use soucie::files::hash::{hex, sha256};
use soucie::files::named;
use soucie::files::paths::Endpoint;
use soucie::game::TablebaseError;
use soucie::games::{DEFAULT_VARIANT, Tablebases};
use soucie::options::{Effect, OptionKind, Options, Scope, UciOption, read_elo, read_variant};
use soucie::records::setups::SetupMoves;

/// A parser of whole numbers within bounds, which its errors name.
pub fn number<T>(
    bounds: impl RangeBounds<T> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display,
{
    move |text| read_number(text, bounds.clone())
}

/// Parses a whole number within bounds.
pub fn read_number<T>(text: &str, bounds: impl RangeBounds<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let number = text.trim().parse().ok().filter(|number| bounds.contains(number));
    number.ok_or_else(|| match (bounds.start_bound(), bounds.end_bound()) {
        (Bound::Included(least), Bound::Included(most)) => {
            format!("expected a whole number from {least} to {most}")
        }
        (Bound::Included(least), _) => format!("expected a whole number of at least {least}"),
        _ => "expected a whole number".to_string(),
    })
}

/// Parses `FIRST..END`, a range with at least one number.
pub fn read_range<T>(text: &str) -> Result<Range<T>, String>
where
    T: FromStr + PartialOrd,
{
    let (first, end) = text.split_once("..").ok_or("expected FIRST..END, such as 0..100")?;
    let number =
        |text: &str| text.trim().parse().map_err(|_| format!("expected a number, found '{text}'"));
    let range: Range<T> = number(first)?..number(end)?;
    if range.is_empty() { Err("END must be more than FIRST".into()) } else { Ok(range) }
}

pub fn read_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.trim().to_string(), value.trim().to_string()))
}

/// Returns the number of processor cores that the program may use.
pub fn default_threads() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// The limits of a search. Several of them apply together.
#[derive(Args, Clone, Copy, Debug)]
pub struct LimitArguments {
    /// Positions per search
    #[arg(long, value_parser = number::<u64>(1..))]
    pub nodes: Option<u64>,
    /// Depth of each search, in plies
    #[arg(long, value_parser = number::<usize>(1..))]
    pub depth: Option<usize>,
    /// Time for each search, in milliseconds
    #[arg(long, value_name = "MS", value_parser = number::<u64>(1..=MOST_MILLIS))]
    pub movetime: Option<u64>,
}

/// The longest time of a search, in milliseconds.
pub const MOST_MILLIS: u64 = 1_000_000_000;

/// How much a proof may search.
#[derive(Args, Clone, Copy, Debug)]
pub struct ProofArguments {
    /// Maximum number of expanded positions of each proof [default: 300000 to check problems, 20000 to find
    /// some, otherwise no limit]
    #[arg(long, value_parser = number::<u64>(1..))]
    pub nodes: Option<u64>,
    /// Transposition table of each proof, in MiB [default: 64 to check problems, 8 to find some, otherwise
    /// 256]
    #[arg(long, value_parser = number::<u32>(1..=1 << 20))]
    pub hash: Option<u32>,
}

#[derive(Args, Clone, Copy, Debug)]
pub struct ThreadArguments {
    /// Number of threads [default: one per core]
    #[arg(long, value_parser = number::<u16>(1..=1024))]
    pub threads: Option<u16>,
}

impl ThreadArguments {
    pub fn count(&self) -> usize {
        self.threads.map_or_else(default_threads, usize::from)
    }
}

/// The game, unless it is detected, and its options.
#[derive(Args, Clone, Debug)]
pub struct GameArguments {
    /// The game [default: that of the input]
    #[arg(long, value_parser = read_variant)]
    pub variant: Option<String>,
    /// Set a rule option of the protocol; repeatable
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = read_option)]
    pub options: Vec<(String, String)>,
}

#[derive(Args, Clone, Debug)]
pub struct VariantArgument {
    /// The game, such as linesofaction, scrambledeggs or draughts
    #[arg(long, default_value = DEFAULT_VARIANT.name, value_parser = read_variant)]
    pub variant: String,
}

#[derive(Args, Clone, Debug, Default)]
pub struct TablesArgument {
    /// Directory of the endgame tables of draughts [default: that of `soucie tables build`]
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// Directory to use without `tables`. It need not have usable tables.
    #[arg(skip)]
    pub default: Option<PathBuf>,
}

impl TablesArgument {
    /// The directory that is given or, without one, the default one.
    pub fn folder(&self) -> Option<&Path> {
        self.tables.as_deref().or(self.default.as_deref())
    }
}

#[derive(Args, Clone, Debug)]
pub struct ResumeArgument {
    /// Keep a journal in this file, and continue the interrupted work in it
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
}

/// The strength of the engine on a command line.
#[derive(Args, Clone, Debug)]
pub struct StrengthArguments {
    /// Strength of the engine: beginner, easy, medium, hard or full
    #[arg(long)]
    pub level: Option<PlayingLevel>,
    /// Strength in Elo, from 200 to 2800; a player of random moves has 0
    #[arg(long, value_name = "N", conflicts_with = "level", value_parser = read_elo)]
    pub elo: Option<i32>,
}

/// The variant whose setups this one resembles most; the default variant without a setup.
pub fn variant_of(setup: Option<&str>) -> &'static str {
    SetupMoves { setup: setup.map(str::to_string), moves: Vec::new() }.variant(None).name
}

/// The error that a network cannot be used.
#[derive(Debug, Error)]
#[error("network {path}: {error}")]
pub struct NoNetwork {
    pub path: String,
    pub error: GameFileError,
}

/// Returns the evaluator with the network in the file `path`, or with the built-in networks if
/// `path` is empty. If `variant` is given, the network must be for its game.
pub fn evaluator(path: &str, variant: Option<&str>) -> Result<Evaluator, NoNetwork> {
    Evaluator::read(path, variant).map_err(|error| NoNetwork { path: path.to_string(), error })
}

/// Returns the paths of the network files named in the options.
pub fn network_files(options: &[(String, String)]) -> impl Iterator<Item = PathBuf> {
    let is_network = |option: UciOption| option.effect == Effect::Network;
    let named = options.iter().filter(move |(name, _)| UciOption::find(name).is_ok_and(is_network));
    named.map(|(_, value)| PathBuf::from(value)).filter(|path| !path.as_os_str().is_empty())
}

/// Returns the options with the hash of each file in place of its path: for two computers, or after a file
/// has changed.
pub fn with_hashes(options: &[(String, String)]) -> Vec<(&str, Option<String>)> {
    let is_file = |option: UciOption| option.kind == OptionKind::Path;
    let value = |(name, value): &(String, String)| match UciOption::find(name).is_ok_and(is_file) {
        true => file_hash(Path::new(value)),
        false => Some(value.clone()),
    };
    options.iter().map(|option| (option.0.as_str(), value(option))).collect()
}

/// Names on standard error the options that no game of these variants can use: rules of other games, a
/// network for the game `network`, and endgame tables.
pub fn note_unused(
    options: &[(String, String)],
    variants: &BTreeSet<&str>,
    network: Option<&str>,
    tables: &Tablebases,
) {
    let games = variant_data().filter(|data| variants.contains(data.variant.name));
    let games: BTreeSet<&str> = games.map(|data| data.game).collect();
    let is_unused = |option: &UciOption| match option.effect {
        _ if games.is_empty() => false,
        Effect::Rules => !games.iter().any(|game| option.is_rule_of(game)),
        Effect::Network => network.is_some_and(|game| !games.contains(game)),
        Effect::Tablebases => !variants.iter().any(|variant| tables.have(variant)),
        _ => false,
    };
    let named = options.iter().filter_map(|(name, _)| UciOption::find(name).ok());
    let unused: BTreeSet<&str> = named.filter(is_unused).map(|option| option.name).collect();
    if !unused.is_empty() {
        let names = unused.into_iter().collect::<Vec<_>>().join(", ");
        note(format_args!("no game of the input could use --option {names}"));
    }
}

pub fn rules(options: &[(String, String)]) -> Vec<(String, String)> {
    let is_rule = |option: UciOption| option.scope == Scope::Rule;
    let rules = options.iter().filter(|(name, _)| UciOption::find(name).is_ok_and(is_rule));
    rules.cloned().collect()
}

/// Returns the hash of a file in the form used for networks, or `None` if the file cannot be read.
fn file_hash(path: &Path) -> Option<String> {
    sha256(path).ok()?.first_chunk::<8>().map(|bytes| hex(bytes))
}

/// Returns the endgame tables in the folders that the options name, or else in the default folder if
/// that exists. Tables that cannot be used are reported on standard error.
pub fn tablebases(options: &Options, default: Option<&Path>) -> Result<Tablebases, TablebaseError> {
    let named = !options.table_path.is_empty();
    let folder = if named { Some(Path::new(&options.table_path)) } else { default };
    let Some(folder) = folder.filter(|folder| named || folder.is_dir()) else {
        return Ok(Tablebases::default());
    };
    let (tablebases, refused) = match Tablebases::open(folder) {
        Err(error) if !named => (Tablebases::default(), vec![error]),
        opened => opened?,
    };
    refused.iter().for_each(note);
    tablebases.with_limits(options.table_cache, options.table_pieces)
}

/// Returns the endgame tables in a folder. A damaged table is an error: results would depend on it.
pub fn whole_tables(folder: &Path) -> Result<Tablebases, CommandError> {
    let (tables, refused) = Tablebases::open(folder)?;
    match refused.into_iter().next() {
        Some(refused) => Err(refused.into()),
        None => Ok(tables),
    }
}

/// Returns the endgame tables on which proofs may rest: those in a folder or, if none is named, those in
/// the default folder.
pub fn proof_tables(argument: &TablesArgument) -> Result<Tablebases, CommandError> {
    match &argument.tables {
        Some(folder) => whole_tables(folder),
        None => Ok(tablebases(&Options::default(), argument.default.as_deref())?),
    }
}

/// Returns the endgame tables in a folder, which must have some for the variant. A damaged table is
/// an error: without it, games would not end as expected.
pub fn all_tables(folder: &Path, variant: &str) -> Result<Tablebases, CommandError> {
    let tables = whole_tables(folder)?;
    let none = || format!("tables: no tables for {variant} in {}", folder.display());
    if tables.have(variant) { Ok(tables) } else { Err(CommandError::Other(none())) }
}

/// Returns a description of the available endgame tables. Tables for the same pieces always have
/// the same contents.
pub fn describe_tables(tablebases: &Tablebases) -> Value {
    json!({ "pieces": tablebases.own_pieces(), "slices": tablebases.slices() })
}

pub type Source = Box<dyn BufRead + Send>;

/// Parses the name of an input; `-` stands for standard input.
pub fn read_source(text: &str) -> Result<Endpoint, String> {
    Ok(if text == "-" { Endpoint::Stdin } else { Endpoint::File(text.into()) })
}

/// Opens an input and begins to read it. Errors name the file.
pub fn open_source<T>(
    source: &Endpoint,
    read: impl FnOnce(Source) -> io::Result<T>,
) -> io::Result<T> {
    const BUFFER: usize = 64 << 10;
    let Endpoint::File(path) = source else {
        return read(Box::new(BufReader::with_capacity(BUFFER, io::stdin())));
    };
    let opened =
        File::open(path).and_then(|file| read(Box::new(BufReader::with_capacity(BUFFER, file))));
    opened.map_err(|error| named(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_a_number() {
        assert_eq!(read_range(" 7 .. 18446744073709551615"), Ok(7..u64::MAX));
        for (text, error) in [
            ("10", "expected FIRST..END, such as 0..100"),
            ("5..5", "END must be more than FIRST"),
            ("0..ten", "expected a number, found 'ten'"),
            ("-1..2", "expected a number, found '-1'"),
        ] {
            assert_eq!(read_range::<u64>(text), Err(error.to_string()));
        }
    }
}
