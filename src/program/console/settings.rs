//! The command line options of the console.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;

use crate::arguments::{StrengthArguments, TablesArgument, VariantArgument};
use soucie::engine::PlayingLevel;

/// The longest time per move, in seconds: one day.
const LONGEST_TIME: f64 = 86_400.0;

/// The settings of a console session.
#[derive(Parser, Clone, Debug)]
#[command(after_help = include_str!("help.txt"))]
#[command(mut_arg("level", |level| level.default_value(PlayingLevel::default().name())))]
pub struct ConsoleSettings {
    /// File with commands, - for standard input [default: -]
    pub input: Option<PathBuf>,
    /// File for the output, overwritten; - for standard output [default: -]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub game: VariantArgument,
    /// Time for each move of the engine, in seconds, unless a seed is set
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = read_time)]
    pub time: Duration,
    /// The strength of the engine.
    #[command(flatten)]
    pub strength: StrengthArguments,
    /// Begin with the rules: small positions, each with a task
    #[arg(long)]
    pub learn: bool,
    /// Show the board with coordinates before each typed move
    #[arg(long)]
    pub board: bool,
    #[command(flatten)]
    pub tables: TablesArgument,
    /// Exit with status 1 at the first error
    #[arg(long)]
    pub strict: bool,
}

impl Default for ConsoleSettings {
    fn default() -> Self {
        Self::parse_from(["console"])
    }
}

fn read_time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=LONGEST_TIME).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or("expected seconds from 0 to 86400".to_string())
}
