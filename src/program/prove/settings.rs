//! The command-line settings of `soucie prove`.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::{number, read_option};
use soucie::options::read_variant;

/// The settings of a proof.
#[derive(Args, Clone, Debug)]
#[command(after_help = include_str!("help.txt"))]
pub struct ProveSettings {
    /// The setup [default: the start position]
    #[arg(long)]
    pub fen: Option<String>,
    /// The game [default: that of the setup]
    #[arg(long, value_parser = read_variant)]
    pub variant: Option<String>,
    /// Set a rule option of the protocol; repeatable
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = read_option)]
    pub options: Vec<(String, String)>,
    /// Maximum number of expanded positions [default: no limit]
    #[arg(long, value_parser = number::<u64>(1..))]
    pub nodes: Option<u64>,
    /// Transposition table, in MiB
    #[arg(long, default_value_t = 256, value_parser = number::<u32>(1..=1 << 20))]
    pub hash: u32,
    /// End lines at positions of the endgame tables in this folder, on which the proof then rests
    /// [default: that of `soucie tables build`]
    #[arg(long, value_name = "FOLDER")]
    pub tables: Option<PathBuf>,
    /// Folder of the endgame tables without --tables. It need not have usable tables.
    #[arg(skip)]
    pub default_tables: Option<PathBuf>,
    /// Write the proof to this file, for `soucie verify`; an existing one is replaced
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
