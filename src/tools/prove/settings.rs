//! The command-line settings of `soucie prove`.

use std::path::PathBuf;

use clap::Args;

use crate::games::DEFAULT_VARIANT;
use crate::tools::arguments::read_option;

/// What is to be proved.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// The setup; without it the start of the variant
    #[arg(long)]
    pub fen: Option<String>,
    /// What is played
    #[arg(long, default_value = DEFAULT_VARIANT.name)]
    pub variant: String,
    /// Who wins when one move connects both sides: mover or draw
    #[arg(long, value_name = "WHO")]
    pub simultaneous: Option<String>,
    /// A rule option of the protocol; say it again for more
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = read_option)]
    pub options: Vec<(String, String)>,
    /// The positions whose moves may be looked at; without it until it is settled or Ctrl-C
    #[arg(long)]
    pub nodes: Option<u64>,
    /// The table in MiB
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: u32,
    /// Write the proof to this file, for `soucie verify`
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
