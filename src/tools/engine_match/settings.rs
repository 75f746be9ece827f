//! The settings of a match on the command line.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::{Value, json};

use super::MatchError;
use super::adjudicate::{Adjudication, Agreement};
use super::cli_parsers::{
    read_agreement, read_concurrency, read_depth, read_engine_option, read_games, read_millis,
    read_nodes, read_plies, read_range, read_seconds, read_sprt, read_target,
};
use super::engine_id::{EngineId, PerEngine};
use super::sprt::Sprt;
use crate::files::paths::{Conflict, Endpoint, check_distinct};
use crate::files::printable::one_line;
use crate::game::Side;
use crate::tools::arguments::{file_hash, network_files};

/// What a match is to be.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// The command line of the first engine; `soucie` is this one where no other is on the path
    #[arg(long, value_name = "COMMAND", default_value = "soucie")]
    pub first: String,
    /// The command line of the second engine
    #[arg(long, value_name = "COMMAND", default_value = "soucie")]
    pub second: String,
    /// What to call the first engine [default: its program, and its options if those differ]
    #[arg(long, value_name = "NAME")]
    pub first_name: Option<String>,
    /// What to call the second engine
    #[arg(long, value_name = "NAME")]
    pub second_name: Option<String>,
    /// An option for the first engine; say it again for more
    #[arg(long = "first-option", value_name = "NAME=VALUE", value_parser = read_engine_option)]
    pub first_options: Vec<(String, String)>,
    /// An option for the second engine
    #[arg(long = "second-option", value_name = "NAME=VALUE", value_parser = read_engine_option)]
    pub second_options: Vec<(String, String)>,
    /// An option for both engines
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = read_engine_option)]
    pub options: Vec<(String, String)>,
    /// How many games, an even number: each opening is played with both colours
    #[arg(long, default_value_t = 100, value_parser = read_games)]
    pub games: usize,
    /// How many games at a time
    #[arg(long, default_value_t = 1, value_parser = read_concurrency)]
    pub concurrency: usize,
    /// What to play
    #[arg(long)]
    pub variant: Option<String>,
    /// How long the engines may think
    #[command(flatten)]
    pub pace: Pace,
    /// What a clock gains with each move, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds, requires = "time")]
    pub increment: Option<Duration>,
    /// Let each engine think on the other's time about the reply that it expects
    #[arg(long, requires = "time")]
    pub ponder: bool,
    /// Openings to play: moves from the start or setups (FEN, EPD), one a line, # before comments;
    /// or games (SGF, PDN)
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// The order of the openings of a file; where there are too few they are played again
    #[arg(long, value_enum, default_value_t = Order::Sequential, requires = "openings")]
    pub order: Order,
    /// How many random plies an opening has [default: 6-11]; of one in a file, no more than MAX
    #[arg(long, value_name = "MIN-MAX", value_parser = read_range)]
    pub plies: Option<(u32, u32)>,
    /// The seed of random openings, and of a random order: the same seed, the same openings
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many milliseconds over its time an engine may be [default: 20 with --movetime, else 0]
    #[arg(long, value_name = "MS", value_parser = read_millis)]
    pub margin: Option<Duration>,
    /// How many seconds over its time make a stall, which loses a game; with --nodes and --depth,
    /// the seconds for a whole search: give more than the longest one takes
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = read_seconds)]
    pub stall: Duration,
    /// A longer game is drawn
    #[arg(long, value_name = "PLIES", default_value_t = 400, value_parser = read_plies)]
    pub max_plies: usize,
    /// Stop as soon as the results show that the first engine is stronger by ELO1 and not by ELO0
    /// only, or the other way round, with an error rate of 5 %
    #[arg(long, value_name = "ELO0,ELO1", value_parser = read_sprt, allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,
    /// Give a game to a side that both engines see ahead by CP centipawns, PLIES plies in a row
    #[arg(long, value_name = "CP,PLIES", value_parser = read_agreement)]
    pub adjudicate_win: Option<Agreement>,
    /// Draw a game in which no engine sees more than CP for anybody, PLIES plies in a row
    #[arg(long, value_name = "CP,PLIES", value_parser = read_agreement)]
    pub adjudicate_draw: Option<Agreement>,
    /// End a game as the endgame tables in this folder say, as soon as they know
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// Write the record of every game to this file: SGF or, of draughts, PDN
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Write a JSON object a line for every game, and one at the end; - for standard output,
    /// where nothing else is written then
    #[arg(long, value_name = "FILE", value_parser = read_target)]
    pub json: Option<Target>,
    /// Keep the games in this file, and go on with the match that it tells of
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
}

/// The destination of an output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// Standard output.
    Stdout,
    /// A file.
    File(PathBuf),
}

/// The order of the openings of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Order {
    /// As they stand there.
    Sequential,
    /// Shuffled.
    Random,
}

/// How long the engines may think: one of these.
#[derive(Args, Clone, Copy, Debug)]
#[group(required = true, multiple = false)]
pub struct Pace {
    /// The time for each move, in milliseconds
    #[arg(long, value_name = "MS", value_parser = read_millis)]
    pub movetime: Option<Duration>,
    /// The time on each clock at the start, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds)]
    pub time: Option<Duration>,
    /// The positions that a search may visit
    #[arg(long, value_parser = read_nodes)]
    pub nodes: Option<u64>,
    /// The depth of a search, in plies
    #[arg(long, value_name = "PLIES", value_parser = read_depth)]
    pub depth: Option<usize>,
}

/// The default time margin with `--movetime`, which gives each move the same time: switching
/// between the processes takes this long on a busy computer.
const MOVETIME_MARGIN: Duration = Duration::from_millis(20);

impl Settings {
    /// Returns the time by which an engine may exceed its limit.
    pub fn margin(&self) -> Duration {
        let usual = self.pace.movetime.map_or(Duration::ZERO, |_| MOVETIME_MARGIN);
        self.margin.unwrap_or(usual)
    }

    /// Returns the increment for each move.
    pub fn increment(&self) -> Duration {
        self.increment.unwrap_or_default()
    }

    /// Returns the options of an engine: first the common ones, then its own.
    pub fn options(&self, seat: EngineId) -> impl Iterator<Item = &(String, String)> {
        let own = match seat {
            EngineId::First => &self.first_options,
            EngineId::Second => &self.second_options,
        };
        self.options.iter().chain(own)
    }

    /// Returns how to start each engine, including its options.
    pub fn engines(&self) -> Result<PerEngine<Launch>, MatchError> {
        let options = |seat| self.options(seat).cloned().collect();
        let mut first = launch(&self.first, options(EngineId::First))?;
        let mut second = launch(&self.second, options(EngineId::Second))?;
        if first.name == second.name {
            first.name += &written(&self.first_options);
            second.name += &written(&self.second_options);
        }
        if first.name == second.name {
            (first.name, second.name) = ("first".to_string(), "second".to_string());
        }
        first.name = self.first_name.clone().unwrap_or(first.name);
        second.name = self.second_name.clone().unwrap_or(second.name);
        for launch in [&mut first, &mut second] {
            launch.name = one_line(&launch.name).into_owned();
        }
        Ok(PerEngine { first, second })
    }

    /// Returns a description of all that the games depend on: the engines, the variant, the
    /// openings and the tables used for adjudication.
    pub fn describe(
        &self,
        engines: &PerEngine<Launch>,
        variant: &str,
        openings: Value,
        tables: Option<Value>,
    ) -> Value {
        let Pace { movetime, time, nodes, depth } = self.pace;
        let millis = |time: Duration| time.as_secs_f64() * 1e3;
        json!({
            "games": self.games,
            "variant": variant,
            "engines": engines,
            "openings": openings,
            "movetime": movetime.map(millis),
            "time": time.map(millis),
            "nodes": nodes,
            "depth": depth,
            "increment": millis(self.increment()),
            "ponder": self.ponder,
            "margin": millis(self.margin()),
            "stall": millis(self.stall),
            "max_plies": self.max_plies,
            "sprt": self.sprt,
            "adjudication": self.adjudication(),
            "tables": tables,
        })
    }

    /// Checks that no output file is also an input or another output.
    pub fn check_files(&self) -> Result<(), Conflict> {
        let json = match &self.json {
            Some(Target::File(path)) => Some(path),
            Some(Target::Stdout) | None => None,
        };
        let networks = EngineId::BOTH.into_iter().flat_map(|seat| {
            network_files(&self.options(seat).cloned().collect::<Vec<_>>()).collect::<Vec<_>>()
        });
        let inputs = self.openings.iter().cloned().chain(networks).map(Endpoint::File);
        let outputs = [self.record.as_ref(), json, self.resume.as_ref()];
        check_distinct(inputs, outputs.into_iter().flatten().cloned())
    }

    /// Returns the adjudication rules, without tables.
    pub fn adjudication(&self) -> Adjudication {
        Adjudication { win: self.adjudicate_win, draw: self.adjudicate_draw }
    }

    /// Returns the time limit for the next move with `clock` left, or `None` without a time limit.
    pub fn allowance(&self, clock: Duration) -> Option<Duration> {
        self.pace.movetime.or(self.pace.time.map(|_| clock))
    }

    /// Returns the `go` command; `black` is the engine that plays Black.
    pub fn go(&self, clocks: &PerEngine<Duration>, black: EngineId) -> String {
        let Pace { movetime, time, nodes, depth } = self.pace;
        if let Some(movetime) = movetime {
            return format!("go movetime {}", movetime.as_millis());
        }
        if time.is_some() {
            let left = |side| clocks.of(black.playing(side)).as_millis();
            let (black, white) = (left(Side::Black), left(Side::White));
            let gain = self.increment().as_millis();
            return format!("go wtime {white} btime {black} winc {gain} binc {gain}");
        }
        match (nodes, depth) {
            (Some(nodes), _) => format!("go nodes {nodes}"),
            (None, depth) => format!("go depth {}", depth.unwrap_or(1)),
        }
    }
}

/// The command, options and name of an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Launch {
    /// The name of the engine.
    pub name: String,
    /// The path or name of the program.
    pub program: String,
    /// The arguments of the program.
    pub arguments: Vec<String>,
    /// The protocol options to set.
    pub options: Vec<(String, String)>,
    /// The hashes of the network files named in the options.
    pub networks: Vec<Option<String>>,
}

/// Splits a command line as a shell does.
fn launch(command: &str, options: Vec<(String, String)>) -> Result<Launch, MatchError> {
    let mut words = shlex::split(command).unwrap_or_default().into_iter();
    let program = words.next().ok_or_else(|| MatchError::Command(command.to_string()))?;
    let name = Path::new(&program).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let networks = network_files(&options).map(|path| file_hash(&path)).collect();
    Ok(Launch { name, program, arguments: words.collect(), options, networks })
}

/// Returns the options as a suffix for a name.
fn written(options: &[(String, String)]) -> String {
    options.iter().map(|(name, value)| format!(" {name}={value}")).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_as_in_a_shell() {
        let launch = launch("'/some where/soucie.exe' --threads \"2\"", vec![]).unwrap();
        assert_eq!(launch.program, "/some where/soucie.exe");
        assert_eq!(launch.arguments, ["--threads", "2"]);
        assert_eq!(launch.name, "soucie");
        assert!(super::launch("", vec![]).is_err());
        assert!(super::launch("'open", vec![]).is_err());
    }
}
