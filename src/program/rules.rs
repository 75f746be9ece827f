//! `soucie rules`: prints the rules of a game.

use std::io::{self, Write};

use soucie::games;
use soucie::options::Options;

pub fn run(variant: &str, out: &mut impl Write) -> io::Result<()> {
    let options = Options::of_variant(Some(variant)).map_err(io::Error::other)?;
    let rules = games::variant(options.variant).map_or("", |variant| variant.rules);
    out.write_all(rules.as_bytes())
}
