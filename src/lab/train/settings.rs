//! The command-line settings of `soucie-lab train`.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use soucie::nnue::MAX_SCALE;
use soucie_program::arguments::number;

/// The settings of a training run. Those that are serialized determine the network, together with
/// the data.
#[derive(Args, Clone, PartialEq, Serialize, Debug)]
#[command(after_help = include_str!("help.txt"))]
pub struct TrainSettings {
    /// Sample files, all of the same game
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    #[serde(skip)]
    pub data: Vec<PathBuf>,
    /// Directory for the network, its manifest and the checkpoint
    #[arg(long, value_name = "DIR")]
    #[serde(skip)]
    pub out: PathBuf,
    /// Network file from whose weights the training starts [default: random weights]
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub start: Option<PathBuf>,
    /// Add inputs for pairs of neighbouring stones (Lines of Action); they need millions of
    /// positions. A network to start from keeps its pairs
    #[arg(long)]
    #[serde(skip)]
    pub pairs: bool,
    /// Number of passes over all positions
    #[arg(long, default_value_t = 30, value_parser = number::<u32>(1..=100_000))]
    pub epochs: u32,
    /// Positions per weight update
    #[arg(long, default_value_t = 16_384, value_parser = number::<u32>(1..=1 << 24))]
    pub batch: u32,
    /// Learning rate at the start; it falls along a cosine
    #[arg(long, default_value_t = 4e-3, value_parser = positive)]
    pub rate: f64,
    /// Learning rate at the end
    #[arg(long, default_value_t = 1e-5, value_parser = positive)]
    pub final_rate: f64,
    /// Number of threads; the network does not depend on it
    #[arg(long, default_value_t = 2, value_parser = number::<u16>(1..=1024))]
    #[serde(skip)]
    pub threads: u16,
    /// Seed of the initial weights, of the order of the positions and of their symmetries
    #[arg(long, default_value_t = 0, value_parser = number::<u64>(0..))]
    pub seed: u64,
    /// Weight of the game result in the target, from 0 to 1; the rest is the search score
    #[arg(long, default_value_t = 0.5, value_parser = share)]
    pub blend: f64,
    /// Evaluation units per logit [default: fitted to the results in the last file]
    #[arg(long, value_name = "UNITS", value_parser = number::<i32>(1..=MAX_SCALE))]
    #[serde(skip)]
    pub scale: Option<i32>,
    /// Leave out positions whose best move is noisy
    #[arg(long)]
    pub skip_noisy: bool,
    /// Share of the games held out for validation, from 0, less than 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = part)]
    pub validation: f64,
}

fn positive(text: &str) -> Result<f64, String> {
    read_decimal(text, "above 0, at most 1", |number| number > 0.0 && number <= 1.0)
}

fn share(text: &str) -> Result<f64, String> {
    read_decimal(text, "from 0 to 1", |number| (0.0..=1.0).contains(&number))
}

fn part(text: &str) -> Result<f64, String> {
    read_decimal(text, "from 0, less than 1", |number| (0.0..1.0).contains(&number))
}

fn read_decimal(text: &str, expected: &str, is_good: fn(f64) -> bool) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number| is_good(number));
    number.ok_or_else(|| format!("expected a number {expected}"))
}
