//! The command line options of `soucie play`.

use clap::Args;

use crate::arguments::{StrengthArguments, TablesArgument};
use soucie::options::{OptionError, Options, read_variant};

/// The settings of the page for playing.
#[derive(Args, Clone, Debug)]
#[command(after_help = include_str!("help.txt"))]
pub struct PlaySettings {
    /// The game, such as linesofaction, scrambledeggs or draughts
    #[arg(long, value_parser = read_variant)]
    pub variant: Option<String>,
    /// The strength of the engine.
    #[command(flatten)]
    pub strength: StrengthArguments,
    /// Play Black, who moves first
    #[arg(long, conflicts_with = "white")]
    pub black: bool,
    /// Play White
    #[arg(long)]
    pub white: bool,
    /// Port of a server of its own, 0 for any free one [default: 7411, if it is free]
    #[arg(long, value_name = "N", value_parser = read_port)]
    pub port: Option<u16>,
    /// Print the address, but do not open the browser
    #[arg(long)]
    pub no_open: bool,
    /// Those of a server of its own.
    #[command(flatten)]
    pub tables: TablesArgument,
}

fn read_port(text: &str) -> Result<u16, String> {
    text.trim().parse().map_err(|_| "expected a port from 0 to 65535".to_string())
}

impl PlaySettings {
    /// Whether a server that runs already is not enough: a port or tables are given.
    pub fn is_separate(&self) -> bool {
        self.port.is_some() || self.tables.tables.is_some()
    }

    /// The query of the address, by which the page gets the settings; empty without settings.
    pub fn query(&self) -> Result<String, OptionError> {
        let mut pairs = Vec::new();
        if let Some(name) = &self.variant {
            pairs.push(format!("variant={}", Options::of_variant(Some(name))?.variant));
        }
        pairs.extend(self.strength.level.map(|level| format!("level={level}")));
        pairs.extend(self.strength.elo.map(|elo| format!("elo={elo}")));
        let side = if self.black { Some("black") } else { self.white.then_some("white") };
        pairs.extend(side.map(|side| format!("side={side}")));
        let sign = if pairs.is_empty() { "" } else { "?" };
        Ok(format!("{sign}{}", pairs.join("&")))
    }
}
