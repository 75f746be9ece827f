//! The command-line settings of `soucie train`.

use std::path::PathBuf;

use clap::Args;

use crate::nnue::MAX_SCALE;
use crate::tools::arguments::number;

/// The settings of a training run.
#[derive(Args, Clone, Debug)]
#[command(after_help = include_str!("help.txt"))]
pub struct TrainSettings {
    /// Sample files, all of the same game
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub data: Vec<PathBuf>,
    /// Directory for the network, its manifest and the checkpoint
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Network file from whose weights the training starts [default: random weights]
    #[arg(long, value_name = "FILE")]
    pub start: Option<PathBuf>,
    /// Add inputs for pairs of neighbouring stones (Lines of Action); they need millions of
    /// positions. A network to start from keeps its pairs
    #[arg(long)]
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
    pub threads: u16,
    /// Seed of the initial weights, of the order of the positions and of their symmetries
    #[arg(long, default_value_t = 0, value_parser = number::<u64>(0..))]
    pub seed: u64,
    /// Weight of the game result in the target, from 0 to 1; the rest is the search score
    #[arg(long, default_value_t = 0.5, value_parser = share)]
    pub blend: f64,
    /// Evaluation units per logit [default: fitted to the results in the last file]
    #[arg(long, value_name = "UNITS", value_parser = number::<i32>(1..=MAX_SCALE))]
    pub scale: Option<i32>,
    /// Leave out positions whose best move is noisy
    #[arg(long)]
    pub skip_noisy: bool,
    /// Continue a checkpoint of another build
    #[arg(long)]
    pub any_build: bool,
    /// Share of the games held out for validation, from 0, less than 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = part)]
    pub validation: f64,
}

fn decimal(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "expected a number".to_string())
}

fn positive(text: &str) -> Result<f64, String> {
    let number = decimal(text)?;
    let is_good = number > 0.0 && number <= 1.0;
    if is_good { Ok(number) } else { Err("expected a number above 0, at most 1".into()) }
}

fn share(text: &str) -> Result<f64, String> {
    let number = decimal(text)?;
    if (0.0..=1.0).contains(&number) {
        Ok(number)
    } else {
        Err("expected a number from 0 to 1".into())
    }
}

fn part(text: &str) -> Result<f64, String> {
    let number = decimal(text)?;
    if (0.0..1.0).contains(&number) {
        Ok(number)
    } else {
        Err("expected a number from 0, less than 1".into())
    }
}
