//! The settings of self-play on the command line.

use std::ops::Range;
use std::path::PathBuf;

use clap::Args;

use soucie::game::Variant;
use soucie_program::arguments::{ThreadArguments, VariantArgument, number, read_range};

/// The settings of self-play.
#[derive(Args, Clone, Debug)]
#[command(after_help = include_str!("help.txt"))]
pub struct SelfplaySettings {
    #[command(flatten)]
    pub game: VariantArgument,
    /// Seeds of the games, END not included; each seed is one reproducible game
    #[arg(long, value_name = "FIRST..END", value_parser = read_range::<u64>)]
    pub seeds: Range<u64>,
    /// Positions per search
    #[arg(long, default_value_t = 1_000, value_parser = number::<u64>(1..))]
    pub nodes: u64,
    /// Evaluation: network or handcrafted
    #[arg(long, default_value = "network")]
    pub evaluation: String,
    /// Network file [default: the built-in network]
    #[arg(long, value_name = "FILE", default_value = "", hide_default_value = true)]
    pub eval_file: String,
    #[command(flatten)]
    pub threads: ThreadArguments,
    /// Output file for the samples; a file made with the same settings is continued
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Openings, plus up to 4 random plies: a built-in set (`soucie-lab match --help` lists them), or a
    /// file with moves or a setup on each line, or games [default: 6 to 11 random plies]
    #[arg(long, value_name = "SET|FILE")]
    pub openings: Option<PathBuf>,
    /// Largest score after an opening, in centipawns; openings beyond it are dropped [default: 1400,
    /// handcrafted 600]
    #[arg(long, value_name = "CP", value_parser = number::<u16>(1..))]
    pub balance: Option<u16>,
    /// Directory of endgame tables; a game ends when they have its result
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// Plies after which a game is drawn [default: 160, in draughts 200]
    #[arg(long, value_name = "PLIES", value_parser = number::<u16>(1..=10_000))]
    pub longest: Option<u16>,
}

impl SelfplaySettings {
    /// Returns the largest score after an opening, in centipawns. The two evaluations have scales of
    /// their own, and random openings of Lines of Action high scores.
    pub fn balance(&self, has_network: bool) -> u16 {
        self.balance.unwrap_or(if has_network { 1400 } else { 600 })
    }

    /// Returns the length at which a game of the variant is drawn, in plies.
    pub fn longest(&self, variant: &Variant) -> usize {
        self.longest.map_or(variant.max_plies, usize::from)
    }
}
