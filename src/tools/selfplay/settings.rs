//! The settings of self-play on the command line.

use std::ops::Range;
use std::path::PathBuf;
use std::thread::available_parallelism;

use clap::Args;

use crate::game::Variant;
use crate::games::DEFAULT_VARIANT;

/// What games are to be played.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// What is played
    #[arg(long, default_value = DEFAULT_VARIANT.name)]
    pub variant: String,
    /// The seeds of the games, the last one not included: each seed makes one game, always the same
    #[arg(long, value_name = "FIRST..END", value_parser = read_seeds)]
    pub seeds: Range<u64>,
    /// The positions that the search of each move may visit
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// What judges positions: network or handcrafted
    #[arg(long, default_value = "network")]
    pub evaluation: String,
    /// A network to use instead of the one that is built in
    #[arg(long, value_name = "FILE", default_value = "")]
    pub eval_file: String,
    /// How many games at a time, one thread each [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Where the samples go; a file that was made in the same way is continued
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Openings, one a line: moves from the start, # before comments. Up to four random plies
    /// follow; without a file an opening is six to eleven random plies
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Endgame tables: a game ends where they know the result
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// A game of so many plies is drawn [default: 160, in draughts 200]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub longest: Option<u16>,
}

impl Settings {
    /// Returns the number of concurrent games.
    pub fn threads(&self) -> usize {
        let cores = || available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, usize::from)
    }

    /// Returns the length at which a game of the variant is drawn, in plies.
    pub fn longest(&self, variant: &Variant) -> usize {
        self.longest.map_or(variant.max_plies, usize::from)
    }
}

fn read_seeds(text: &str) -> Result<Range<u64>, String> {
    let (first, end) = text.split_once("..").ok_or("say FIRST..END")?;
    let number = |text: &str| text.trim().parse().map_err(|_| format!("'{text}' is no seed"));
    let seeds: Range<u64> = number(first)?..number(end)?;
    if seeds.is_empty() { Err("there is no seed in it".into()) } else { Ok(seeds) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_a_range() {
        assert_eq!(read_seeds("0..10"), Ok(0..10));
        assert_eq!(read_seeds(" 7 .. 18446744073709551615"), Ok(7..u64::MAX));
        for (text, complaint) in [
            ("10", "say FIRST..END"),
            ("5..5", "there is no seed in it"),
            ("6..5", "there is no seed in it"),
            ("0..ten", "'ten' is no seed"),
            ("-1..2", "'-1' is no seed"),
        ] {
            assert_eq!(read_seeds(text), Err(complaint.to_string()), "{text}");
        }
    }
}
