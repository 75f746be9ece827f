//! `soucie prove`: proves or disproves that the side to move can force a win. `soucie verify`: checks a proof
//! independently of the solver.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fmt::Display;
use std::io::{self, BufReader, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use clap::Args;

use crate::arguments::{
    GameArguments, ProofArguments, TablesArgument, all_tables, proof_tables, read_source,
};
use crate::error::CommandError;
use crate::progress::progress_bar;
use crate::{arguments, interrupt};
use soucie::files::atomic_file::AtomicFile;
use soucie::files::paths::{Endpoint, check_distinct};
use soucie::files::printable::plural;
use soucie::files::regular;
use soucie::games::Tablebases;
use soucie::options::{Options, Scope};
use soucie::proofs::Proof;
use soucie::proofs::prove::{ProofOutcome, ProofRequest, prove};
use soucie::proofs::verify::verify_with;

/// The default size of the transposition table, in MiB.
const DEFAULT_HASH: u32 = 256;

/// Proves or disproves that the side to move can force a win, and writes the result.
///
/// The result is open if the node limit is reached or the program is interrupted.
pub fn run(settings: &ProveSettings, output: &mut dyn Write) -> Result<(), CommandError> {
    let variant = settings.game.variant.as_deref();
    let variant = variant.unwrap_or_else(|| arguments::variant_of(settings.fen.as_deref()));
    let options = Options::of(Some(variant), &settings.game.options, Scope::Rule)?;
    let stop = interrupt::flag();
    let tables = match &settings.tables.tables {
        Some(folder) => all_tables(folder, options.variant)?,
        None => {
            let tables = proof_tables(&settings.tables)?;
            Some(tables).filter(|tables| tables.have(options.variant)).unwrap_or_default()
        }
    };
    arguments::note_unused(&settings.game.options, &[options.variant].into(), None, &tables);
    // Created first, so that an unwritable file is reported now and not after hours.
    let out = settings.out.as_deref().map(AtomicFile::begin).transpose()?;
    let bar = progress_bar(None, "{spinner} {human_pos} expansions, {rate}, {elapsed}");
    bar.enable_steady_tick(Duration::from_millis(100));
    let request = ProofRequest {
        options: &options,
        setup: settings.fen.as_deref(),
        tables: &tables,
        hash: settings.limits.hash.unwrap_or(DEFAULT_HASH) as usize,
        nodes: settings.limits.nodes.unwrap_or(u64::MAX),
        wants_disproof: out.is_some(),
        stop: &|expansions| {
            bar.set_position(expansions);
            stop.load(Relaxed)
        },
    };
    let ProofOutcome { text, proof } = prove(&request)?;
    let written = match (out, proof, &settings.out) {
        (Some(mut file), Some(proof), _) => proof
            .and_then(|proof| Ok(proof.write(&mut file)?))
            .and_then(|()| Ok(file.finish()?))
            .map_err(CommandError::from),
        (Some(_), None, Some(path)) => {
            let error = format!("{}: not written, as nothing is proved", path.display());
            Err(CommandError::Other(error))
        }
        _ => Ok(()),
    };
    bar.suspend(|| writeln!(output, "{text}"))?;
    written
}

/// The settings of a proof.
#[derive(Args, Clone, Debug)]
#[command(after_help = include_str!("prove/help.txt"))]
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
pub fn verify(settings: &VerifySettings, output: &mut impl Write) -> io::Result<()> {
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
