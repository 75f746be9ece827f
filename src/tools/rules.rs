//! `soucie rules`: prints the rules of a game.

use std::io::{self, Write};

use crate::games::variants;
use crate::options::Options;

/// Prints the rules of a variant.
pub fn run(variant: &str, out: &mut impl Write) -> io::Result<()> {
    let mut options = Options::default();
    options.set("UCI_Variant", Some(variant)).map_err(io::Error::other)?;
    let rules = variants().find(|known| known.name == options.variant).map(|known| known.rules);
    out.write_all(rules.unwrap_or_default().as_bytes())
}
