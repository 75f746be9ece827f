//! The settings of `soucie-lab book` on the command line.

use std::ops::Range;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use soucie_program::arguments::{ThreadArguments, VariantArgument, number, read_range};

/// The `soucie-lab book` commands.
#[derive(Subcommand, Clone, Debug)]
pub enum BookCommand {
    /// Search the positions of an opening book, the most useful first
    Build(BuildSettings),
}

/// The settings of `soucie-lab book build`.
#[derive(Args, Clone, Debug)]
#[command(after_help = include_str!("help.txt"))]
pub struct BuildSettings {
    #[command(flatten)]
    pub game: VariantArgument,
    /// Openings from which the book begins: a built-in set (`soucie-lab match --help` lists them), or a
    /// file with moves or a setup on each line, or games [default: the start position]
    #[arg(long, value_name = "SET|FILE")]
    pub openings: Option<PathBuf>,
    /// Begin from a part of the openings only: FIRST+1 to END
    #[arg(long, value_name = "FIRST..END", value_parser = read_range::<usize>, requires = "openings")]
    pub openings_range: Option<Range<usize>>,
    /// Number of positions to search, those in the journals included
    #[arg(long, value_parser = number::<u32>(1..))]
    pub positions: u32,
    /// Positions per search
    #[arg(long, default_value_t = 2_000_000, value_parser = number::<u64>(1..))]
    pub nodes: u64,
    /// Number of moves of a position that are considered
    #[arg(long, default_value_t = 4, value_parser = number::<u16>(1..=128))]
    pub lines: u16,
    /// Network file [default: the built-in network]
    #[arg(long, value_name = "FILE", default_value = "", hide_default_value = true)]
    pub eval_file: String,
    #[command(flatten)]
    pub threads: ThreadArguments,
    /// Journal of the searches; one made with the same settings is continued
    #[arg(long, value_name = "FILE")]
    pub journal: PathBuf,
    /// Journal of another book whose searches are used too; repeatable
    #[arg(long, value_name = "FILE")]
    pub add: Vec<PathBuf>,
    /// Directory for the book and its manifest; without it only the journal is written
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
