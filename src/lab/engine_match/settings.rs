//! The settings of a match on the command line.

use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};

use super::adjudicate::{Adjudication, MOST_PLIES};
use super::game_record::{EngineId, PerEngine};
use super::pipes::EngineCommand;
use super::statistics::Sprt;
use soucie::files::paths::{Conflict, Endpoint, check_distinct};
use soucie::files::printable::one_line;
use soucie::game::Side;
use soucie::options::{VARIANT, read_variant};
use soucie_program::arguments::{
    LimitArguments, ResumeArgument, network_files, number, read_number, read_option, read_range,
};
use soucie_program::error::CommandError;

/// The settings of a match.
#[derive(Args, Clone, Debug)]
#[command(after_help = include_str!("help.txt"))]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct MatchSettings {
    /// What to do instead of playing
    #[command(subcommand)]
    pub command: Option<MatchCommand>,
    /// Command line of the first engine [default: this program]
    #[arg(long, value_name = "COMMAND")]
    pub first: Option<String>,
    /// Command line of the second engine [default: this program]
    #[arg(long, value_name = "COMMAND")]
    pub second: Option<String>,
    /// Name of the first engine [default: its program, with its options where needed]
    #[arg(long, value_name = "NAME")]
    pub first_name: Option<String>,
    /// Name of the second engine [default: as for the first]
    #[arg(long, value_name = "NAME")]
    pub second_name: Option<String>,
    /// Set an option of the first engine; repeatable
    #[arg(long = "first-option", value_name = "NAME=VALUE", value_parser = read_engine_option)]
    pub first_options: Vec<(String, String)>,
    /// Set an option of the second engine; repeatable
    #[arg(long = "second-option", value_name = "NAME=VALUE", value_parser = read_engine_option)]
    pub second_options: Vec<(String, String)>,
    /// Set an option of both engines; repeatable
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = read_engine_option)]
    pub options: Vec<(String, String)>,
    /// Number of games, even: each opening is played twice, with colours swapped
    #[arg(long, default_value_t = 100, value_parser = read_games)]
    pub games: usize,
    /// Play only a part of the match: games FIRST+1 to END, both even; for `soucie-lab match merge`
    #[arg(long, value_name = "FIRST..END", value_parser = read_games_range, requires = "resume")]
    pub games_range: Option<Range<usize>>,
    /// Number of games played at the same time
    #[arg(long, default_value_t = 1, value_parser = number::<usize>(1..=1_024))]
    pub concurrency: usize,
    /// The game, such as linesofaction (default) or draughts
    #[arg(long, value_parser = read_variant)]
    pub variant: Option<String>,
    /// How long the engines may think
    #[command(flatten)]
    pub time_control: TimeControl,
    /// Time added to the clock after each move, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds, default_value = "0")]
    #[arg(conflicts_with_all = ["movetime", "nodes", "depth"])]
    pub increment: Duration,
    /// Let each engine search on the opponent's time
    #[arg(long, conflicts_with_all = ["movetime", "nodes", "depth"])]
    pub ponder: bool,
    /// Openings: a built-in set, or a file: a line each of moves or setups (FEN, EPD), or games (SGF,
    /// PDN); # starts a comment
    #[arg(long, value_name = "SET|FILE")]
    pub openings: Option<PathBuf>,
    /// Order of the openings in the set or file: sequential or random
    #[arg(long, value_enum, default_value_t = OpeningOrder::Sequential, requires = "openings")]
    #[arg(hide_possible_values = true)]
    pub order: OpeningOrder,
    /// Number of random plies in an opening [default: 6-11]; from a set or file: at most MAX
    /// plies are used
    #[arg(long, value_name = "MIN-MAX", value_parser = read_plies)]
    pub plies: Option<(u32, u32)>,
    /// Seed of random openings and of a random order
    #[arg(long, default_value_t = 1, value_parser = number::<u64>(0..))]
    pub seed: u64,
    /// Time by which a limit may be exceeded, in milliseconds [default: 20 with --movetime, else 0]
    #[arg(long, value_name = "MS", value_parser = read_millis)]
    pub margin: Option<Duration>,
    /// Seconds past its time limit after which an engine loses; with --nodes and --depth, per
    /// search
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = read_seconds)]
    pub stall: Duration,
    /// Number of plies after which a game is drawn
    #[arg(long, value_name = "PLIES", default_value_t = 400, value_parser = number::<usize>(1..=MOST_PLIES))]
    pub max_plies: usize,
    /// Stop when a sequential test accepts ELO1 against ELO0 or the reverse, with 5 % errors
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,
    /// When to end games early
    #[command(flatten)]
    pub adjudication: Adjudication,
    /// End a game when the endgame tables in this directory have its result
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// Write every game to this file, as SGF or (draughts) PDN
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Print one JSON object per game and a summary; the text goes to standard error
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub journal: ResumeArgument,
}

/// A command about matches.
#[derive(Subcommand, Clone, Debug)]
pub enum MatchCommand {
    /// Add the journals of the parts of a match to one report
    Merge(MergeSettings),
}

/// The settings of `soucie-lab match merge`.
#[derive(Args, Clone, Debug)]
pub struct MergeSettings {
    /// Journals of one match (--resume), without common games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print the report as a JSON object
    #[arg(long)]
    pub json: bool,
}

/// The order of the openings of a set or file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OpeningOrder {
    /// In the order of the set or file.
    Sequential,
    /// Shuffled.
    Random,
}

/// How long the engines may think: one of these.
#[derive(Args, Clone, Copy, Debug)]
#[group(required = true, multiple = false, args = ["movetime", "time", "nodes", "depth"])]
pub struct TimeControl {
    #[command(flatten)]
    pub limits: LimitArguments,
    /// Time on each clock at the start, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds)]
    pub time: Option<Duration>,
}

impl TimeControl {
    pub fn movetime(self) -> Option<Duration> {
        self.limits.movetime.map(Duration::from_millis)
    }
}

/// The default time margin with `--movetime`, which gives each move the same time: switching
/// between the processes takes this long on a busy computer.
const MOVETIME_MARGIN: Duration = Duration::from_millis(20);

impl MatchSettings {
    /// Returns the indices of the games to play, counted from 0.
    pub fn part(&self) -> Result<Range<usize>, CommandError> {
        let games = self.games;
        match self.games_range.clone() {
            None => Ok(0..games),
            Some(part) if part.end <= games => Ok(part),
            Some(Range { start: first, end }) => Err(CommandError::Other(format!(
                "--games-range {first}..{end}: the match has only {games} games"
            ))),
        }
    }

    /// Returns the sequential test that ends the match. A part of a match has none: the test is
    /// made when the parts are merged.
    pub fn sequential_test(&self) -> Option<Sprt> {
        self.sprt.filter(|_| self.games_range.is_none())
    }

    /// Returns the time by which an engine may exceed its limit.
    pub fn margin(&self) -> Duration {
        let usual = self.time_control.movetime().map_or(Duration::ZERO, |_| MOVETIME_MARGIN);
        self.margin.unwrap_or(usual)
    }

    /// Returns the options of an engine: first the common ones, then its own.
    pub fn options(&self, id: EngineId) -> impl Iterator<Item = &(String, String)> {
        let own = match id {
            EngineId::First => &self.first_options,
            EngineId::Second => &self.second_options,
        };
        self.options.iter().chain(own)
    }

    /// Returns how to start each engine, including its options.
    pub fn engines(&self) -> Result<PerEngine<EngineCommand>, CommandError> {
        let parse =
            |command, id| EngineCommand::parse(command, self.options(id).cloned().collect());
        let mut first = parse(self.first.as_deref(), EngineId::First)?;
        let mut second = parse(self.second.as_deref(), EngineId::Second)?;
        if first.name == second.name {
            first.name += &written(&self.first_options);
            second.name += &written(&self.second_options);
        }
        if first.name == second.name {
            (first.name, second.name) = ("first".to_string(), "second".to_string());
        }
        for (engine, name) in [(&mut first, &self.first_name), (&mut second, &self.second_name)] {
            engine.name = one_line(name.as_ref().unwrap_or(&engine.name)).into_owned();
        }
        Ok(PerEngine { first, second })
    }

    /// Returns a description of all that the games depend on: the engines, the variant, the
    /// openings and the tables used for adjudication.
    pub fn describe(
        &self,
        engines: PerEngine<Value>,
        variant: &str,
        openings: Value,
        tables: Option<Value>,
    ) -> Value {
        let TimeControl { limits: LimitArguments { movetime, nodes, depth }, time } =
            self.time_control;
        let millis = |time: Duration| time.as_secs_f64() * 1e3;
        json!({
            "games": self.games,
            "variant": variant,
            "engines": engines,
            "openings": openings,
            "movetime": movetime,
            "time": time.map(millis),
            "nodes": nodes,
            "depth": depth,
            "increment": millis(self.increment),
            "ponder": self.ponder,
            "margin": millis(self.margin()),
            "stall": millis(self.stall),
            "max_plies": self.max_plies,
            "sprt": self.sprt,
            "adjudication": self.adjudication,
            "tables": tables,
        })
    }

    /// Checks that no output file is also an input or another output.
    pub fn check_files(&self) -> Result<(), Conflict> {
        let networks = EngineId::BOTH.into_iter().flat_map(|id| {
            network_files(&self.options(id).cloned().collect::<Vec<_>>()).collect::<Vec<_>>()
        });
        let inputs = self.openings.iter().cloned().chain(networks).map(Endpoint::File);
        check_distinct(inputs, self.record.iter().chain(&self.journal.resume).cloned())
    }

    /// Returns the time limit for the next move with `clock` left, or `None` without a time limit.
    pub fn allowance(&self, clock: Duration) -> Option<Duration> {
        self.time_control.movetime().or(self.time_control.time.map(|_| clock))
    }

    /// Returns the `go` command; `black` is the engine that plays Black.
    pub fn go(&self, clocks: &PerEngine<Duration>, black: EngineId) -> String {
        let TimeControl { limits: LimitArguments { movetime, nodes, depth }, time } =
            self.time_control;
        if let Some(movetime) = movetime {
            return format!("go movetime {movetime}");
        }
        if time.is_some() {
            let left = |side| clocks.get(black.playing(side)).as_millis();
            let (black, white) = (left(Side::Black), left(Side::White));
            let gain = self.increment.as_millis();
            return format!("go wtime {white} btime {black} winc {gain} binc {gain}");
        }
        match (nodes, depth) {
            (Some(nodes), _) => format!("go nodes {nodes}"),
            (None, depth) => format!("go depth {}", depth.unwrap_or(1)),
        }
    }
}

/// Returns the options as a suffix for a name.
fn written(options: &[(String, String)]) -> String {
    options.iter().map(|(name, value)| format!(" {name}={value}")).collect()
}

const MOST_GAMES: usize = 10_000_000;
const MOST_SECONDS: u64 = 1_000_000;

/// Parses an engine option, `NAME=VALUE`.
fn read_engine_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = read_option(text)?;
    if text.contains(['\n', '\r']) {
        return Err("expected one line".to_string());
    }
    // The referee would use different rules than the engines.
    if name.eq_ignore_ascii_case(VARIANT) {
        return Err("use --variant".to_string());
    }
    Ok((name, value))
}

fn read_games(text: &str) -> Result<usize, String> {
    let games = read_number(text, 2..=MOST_GAMES)?;
    if games % 2 == 1 { Err("expected an even number".to_string()) } else { Ok(games) }
}

fn read_games_range(text: &str) -> Result<Range<usize>, String> {
    let games = read_range(text)?;
    if games.start % 2 == 1 || games.end % 2 == 1 {
        return Err("expected even numbers: the two games of an opening stay together".to_string());
    }
    Ok(games)
}

fn read_millis(text: &str) -> Result<Duration, String> {
    read_number(text, 0..=MOST_SECONDS * 1_000).map(Duration::from_millis)
}

fn read_seconds(text: &str) -> Result<Duration, String> {
    let most = MOST_SECONDS as f64;
    let seconds = text.trim().parse().ok().filter(|seconds| (0.0..=most).contains(seconds));
    let wrong = || format!("expected seconds from 0 to {MOST_SECONDS}");
    seconds.map(Duration::from_secs_f64).ok_or_else(wrong)
}

fn read_plies(text: &str) -> Result<(u32, u32), String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let number = |text| read_number(text, 0..=MOST_PLIES as u32);
    let (least, most) = (number(least)?, number(most)?);
    if least > most { Err("MIN is more than MAX".into()) } else { Ok((least, most)) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked() {
        assert_eq!(read_engine_option("Hash = 5"), Ok(("Hash".into(), "5".into())));
        for wrong in ["Hash", "UCI_Variant=loa", " uci_VARIANT =x", "Hash=1\nquit"] {
            assert!(read_engine_option(wrong).is_err(), "{wrong}");
        }
        assert!(read_games("3").is_err());
        assert_eq!(read_games_range("2..6"), Ok(2..6));
        assert!(["1..4", "2..5", "4..4", "4"].map(read_games_range).iter().all(Result::is_err));
        assert_eq!(read_seconds("0.01"), Ok(Duration::from_millis(10)));
        let invalid = ["-1", "nan", "inf", "1000001", "1e19", ""];
        assert!(invalid.iter().all(|text| read_seconds(text).is_err()));
        assert_eq!(read_millis("20"), Ok(Duration::from_millis(20)));
        assert!(read_millis("0.5").is_err());
        assert_eq!(read_plies("6-11"), Ok((6, 11)));
        assert_eq!(read_plies("3"), Ok((3, 3)));
        assert!(read_plies("5-2").is_err() && read_plies("1-4000000000").is_err());
    }
}
