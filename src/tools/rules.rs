//! `soucie rules`: prints the rules of a game.

use std::io::{self, Write};

use crate::games;
use crate::options::Options;

/// Prints the rules of a variant.
pub fn run(variant: &str, out: &mut impl Write) -> io::Result<()> {
    let mut options = Options::default();
    options.set("UCI_Variant", Some(variant)).map_err(io::Error::other)?;
    let rules = games::variant(options.variant).map_or("", |variant| variant.rules);
    out.write_all(rules.as_bytes())
}
