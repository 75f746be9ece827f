//! The command-line settings of `soucie train`.

use std::path::PathBuf;

use clap::Args;

/// What is to be trained.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Files of samples, all of one game
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub data: Vec<PathBuf>,
    /// The folder for the network, its manifest and the state of an unfinished training
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// How often all positions are gone through
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub epochs: u32,
    /// The positions behind one change of the weights
    #[arg(long, default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    pub batch: u32,
    /// The learning rate of the first change; it falls as a cosine does
    #[arg(long, default_value_t = 4e-3, value_parser = positive)]
    pub rate: f64,
    /// The learning rate of the last change
    #[arg(long, default_value_t = 1e-5, value_parser = positive)]
    pub final_rate: f64,
    /// How many threads; the network does not depend on it
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// The seed of the first weights, of the order of the positions and of how they are turned
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// The share of the game's result in what is learned; the rest is the score's
    #[arg(long, default_value_t = 0.5, value_parser = share)]
    pub blend: f64,
    /// The units of the evaluation that multiply the odds by e [default: those of the scores of
    /// the last file, fitted to the results]
    #[arg(long, value_name = "UNITS", value_parser = clap::value_parser!(i32).range(1..=MAX_SCALE))]
    pub scale: Option<i32>,
    /// Leave out positions whose best move is noisy
    #[arg(long)]
    pub skip_noisy: bool,
    /// The share of the games that is held out, to see what the network makes of unknown ones
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = part)]
    pub validation: f64,
}

/// The largest useful scale for 16-bit scores.
pub const MAX_SCALE: i64 = 32_000;

fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "this is no number".to_string())
}

fn positive(text: &str) -> Result<f64, String> {
    let number = number(text)?;
    let is_good = number > 0.0 && number <= 1.0;
    if is_good { Ok(number) } else { Err("it must lie above 0, up to 1".into()) }
}

fn share(text: &str) -> Result<f64, String> {
    let number = number(text)?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("it must lie from 0 to 1".into()) }
}

fn part(text: &str) -> Result<f64, String> {
    let number = number(text)?;
    if (0.0..1.0).contains(&number) {
        Ok(number)
    } else {
        Err("it must lie from 0, below 1".into())
    }
}
