//! What a match is to be, as the command line says it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::MatchError;
use super::seat::{Both, Seat};
use super::stats::Sprt;
use crate::game::Side;
use crate::tools::arguments::read_option;

/// What a match is to be.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// The command line of the first engine
    #[arg(long, value_name = "COMMAND")]
    pub first: String,
    /// The command line of the second engine
    #[arg(long, value_name = "COMMAND")]
    pub second: String,
    /// What to call the first engine [default: the name of its program]
    #[arg(long, value_name = "NAME")]
    pub first_name: Option<String>,
    /// What to call the second engine
    #[arg(long, value_name = "NAME")]
    pub second_name: Option<String>,
    /// An option for the first engine; say it again for more
    #[arg(long = "first-option", value_name = "NAME=VALUE", value_parser = read_option)]
    pub first_options: Vec<(String, String)>,
    /// An option for the second engine
    #[arg(long = "second-option", value_name = "NAME=VALUE", value_parser = read_option)]
    pub second_options: Vec<(String, String)>,
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
    /// Openings to play, one a line: moves from the start, # before comments
    #[arg(long, value_name = "FILE", conflicts_with = "plies")]
    pub openings: Option<PathBuf>,
    /// How many random plies an opening has, where there is no file of openings
    #[arg(long, value_name = "MIN-MAX", default_value = "6-11", value_parser = read_range)]
    pub plies: (u32, u32),
    /// The seed of the random openings: each pair has its own opening, always the same
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many milliseconds over its time an engine may be [default: 20 with --movetime, else 0]
    #[arg(long, value_name = "MS", value_parser = read_millis)]
    pub margin: Option<Duration>,
    /// How many seconds over its time make a stall; without times, the seconds for a whole search
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = read_seconds)]
    pub stall: Duration,
    /// A longer game is drawn
    #[arg(long, default_value_t = 400)]
    pub max_plies: usize,
    /// Stop as soon as the results show that the first engine is stronger by ELO1 and not by ELO0
    /// only, or the other way round, with an error rate of 5 %
    #[arg(long, value_name = "ELO0,ELO1", value_parser = read_sprt, allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,
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
    #[arg(long)]
    pub nodes: Option<u64>,
    /// The depth of a search, in plies
    #[arg(long)]
    pub depth: Option<usize>,
}

/// What a move may be over its time where each has the same: the switch from one process to
/// another and back again takes that long on a busy computer.
const MOVETIME_MARGIN: Duration = Duration::from_millis(20);

impl Settings {
    /// The time over its own that is forgiven.
    pub fn margin(&self) -> Duration {
        let usual = self.pace.movetime.map_or(Duration::ZERO, |_| MOVETIME_MARGIN);
        self.margin.unwrap_or(usual)
    }

    /// What a clock gains with each move.
    pub fn increment(&self) -> Duration {
        self.increment.unwrap_or_default()
    }

    /// How to start each engine, and with which options.
    pub fn engines(&self) -> Result<Both<Launch>, MatchError> {
        let mut first = launch(&self.first, &self.first_options)?;
        let mut second = launch(&self.second, &self.second_options)?;
        if first.name == second.name {
            (first.name, second.name) = ("first".to_string(), "second".to_string());
        }
        first.name = self.first_name.clone().unwrap_or(first.name);
        second.name = self.second_name.clone().unwrap_or(second.name);
        Ok(Both { first, second })
    }

    /// The time for the next move of an engine with so much on its clock, if there is any limit.
    pub fn allowance(&self, clock: Duration) -> Option<Duration> {
        self.pace.movetime.or(self.pace.time.map(|_| clock))
    }

    /// The command that lets an engine think; `black` has the first move.
    pub fn go(&self, clocks: &Both<Duration>, black: Seat) -> String {
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

/// How to start an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// What to call it.
    pub name: String,
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The options that it gets.
    pub options: Vec<(String, String)>,
}

/// Takes a command line apart, as a shell does.
fn launch(command: &str, options: &[(String, String)]) -> Result<Launch, MatchError> {
    let mut words = shlex::split(command).unwrap_or_default().into_iter();
    let program = words.next().ok_or_else(|| MatchError::Command(command.to_string()))?;
    let name = Path::new(&program).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Launch { name, program, arguments: words.collect(), options: options.to_vec() })
}

fn read_games(text: &str) -> Result<usize, String> {
    let games: usize = text.parse().map_err(|_| "not a number")?;
    if games == 0 || games % 2 == 1 { Err("not an even number".into()) } else { Ok(games) }
}

fn read_concurrency(text: &str) -> Result<usize, String> {
    let at_once: usize = text.parse().map_err(|_| "not a number")?;
    if at_once == 0 { Err("there must be one".into()) } else { Ok(at_once) }
}

fn read_millis(text: &str) -> Result<Duration, String> {
    text.parse().map(Duration::from_millis).map_err(|_| "not a whole number".into())
}

fn read_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number")?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

fn read_range(text: &str) -> Result<(u32, u32), String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.parse::<u32>().map_err(|_| "not MIN-MAX".to_string());
    let (least, most) = (number(least)?, number(most)?);
    if least > most { Err("MIN is more than MAX".into()) } else { Ok((least, most)) }
}

fn read_sprt(text: &str) -> Result<Sprt, String> {
    let (elo0, elo1) = text.split_once(',').ok_or("say ELO0,ELO1")?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| "not a number".to_string());
    let sprt = Sprt { elo0: number(elo0)?, elo1: number(elo1)? };
    if sprt.elo0 < sprt.elo1 { Ok(sprt) } else { Err("ELO0 must be less than ELO1".into()) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_as_in_a_shell() {
        let launch = launch("'/some where/soucie.exe' --threads \"2\"", &[]).unwrap();
        assert_eq!(launch.program, "/some where/soucie.exe");
        assert_eq!(launch.arguments, ["--threads", "2"]);
        assert_eq!(launch.name, "soucie");
        assert!(super::launch("", &[]).is_err());
        assert!(super::launch("'open", &[]).is_err());
    }

    #[test]
    fn values_are_checked() {
        assert_eq!(read_option("Move Overhead=5"), Ok(("Move Overhead".into(), "5".into())));
        assert!(read_option("Hash").is_err());
        assert_eq!(read_games("4"), Ok(4));
        assert!(read_games("3").is_err() && read_games("0").is_err());
        assert_eq!(read_seconds("0.01"), Ok(Duration::from_millis(10)));
        assert!(read_seconds("-1").is_err());
        assert_eq!(read_range("6-11"), Ok((6, 11)));
        assert_eq!(read_range("3"), Ok((3, 3)));
        assert!(read_range("5-2").is_err());
        assert_eq!(read_sprt("-3,3"), Ok(Sprt { elo0: -3.0, elo1: 3.0 }));
        assert!(read_sprt("3,3").is_err());
    }
}
