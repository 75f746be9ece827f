//! `soucie verify`: checks a proof independently of the solver.

use std::fmt::Display;
use std::io::{self, BufReader, Write};

use clap::Args;
use soucie::files::paths::{Endpoint, check_distinct};
use soucie::files::printable::plural;
use soucie::files::regular;
use soucie::games::Tablebases;
use soucie::proofs::Proof;
use soucie::proofs::verify::verify_with;

use crate::arguments::TablesArgument;
use crate::arguments::proof_tables;
use crate::sources::read_source;

/// The settings of a verification.
#[derive(Args, Clone, Debug)]
pub struct VerifySettings {
    /// A proof file written by `soucie prove --out`; - for standard input
    #[arg(value_parser = read_source)]
    pub file: Endpoint,
    /// The tables that a proof may name.
    #[command(flatten)]
    pub tables: TablesArgument,
}

/// Reads and verifies a proof, with endgame tables if it needs them, and writes what it proves: the
/// claim, the position, and the rules under which it holds.
///
/// A proof that does not hold is an error.
pub fn run(settings: &VerifySettings, output: &mut impl Write) -> io::Result<()> {
    let VerifySettings { file, tables } = settings;
    let source = file;
    let named = |why: &dyn Display| io::Error::other(format!("{source}: {why}"));
    check_distinct([source.clone()], None).map_err(io::Error::other)?;
    let proof = match source {
        Endpoint::File(path) => {
            let file = regular::open(path).map_err(|error| named(&error))?;
            Proof::read(BufReader::new(file))
        }
        _ => Proof::read(io::stdin().lock()),
    };
    let proof = proof.map_err(|error| named(&error))?;
    let found = match tables.tables.is_some() || proof.tables.is_some() {
        true => proof_tables(tables).map_err(io::Error::other)?,
        false => Tablebases::default(),
    };
    verify_with(&proof, &found, tables.folder()).map_err(|fault| named(&fault))?;
    let positions = plural(proof.answers.len(), "position", "positions");
    writeln!(output, "verified: {}, {positions}", proof.claimed())?;
    let after = match proof.moves.as_slice() {
        [] => String::new(),
        moves => format!(" after {}", moves.join(" ")),
    };
    writeln!(output, "{}: {}{after}", proof.variant, proof.setup)?;
    let rules: Vec<_> =
        proof.options.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    writeln!(output, "rules: {}", rules.join(", "))
}
