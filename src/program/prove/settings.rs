//! The command-line settings of `soucie prove`.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::{GameArguments, ProofArguments, TablesArgument};

/// The settings of a proof.
#[derive(Args, Clone, Debug)]
#[command(after_help = include_str!("help.txt"))]
pub struct ProveSettings {
    /// The setup [default: the start position]
    #[arg(long)]
    pub fen: Option<String>,
    #[command(flatten)]
    pub game: GameArguments,
    #[command(flatten)]
    pub limits: ProofArguments,
    /// Where lines end and on which the proof then rests.
    #[command(flatten)]
    pub tables: TablesArgument,
    /// Write the proof to this file, for `soucie verify`; an existing one is replaced
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
