//! The command-line settings of `soucie problem`.

use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::arguments::{
    self, GameArguments, ProofArguments, ResumeArgument, TablesArgument, VariantArgument, number,
    proof_tables, read_range, read_source,
};
use crate::error::CommandError;
use crate::{interrupt, jobs};
use soucie::files::named;
use soucie::files::paths::{Conflict, Endpoint, check_distinct};
use soucie::games::Tablebases;
use soucie::problems::check::{HASH_OF_NEW, NODES_OF_NEW};
use soucie::problems::problem::StatedTerms;

/// The commands for problems.
#[derive(Subcommand, Clone, Debug)]
pub enum ProblemCommand {
    /// Check problems: whether the key is the only move that keeps the result, with proofs
    Check(CheckSettings),
    /// Find problems in games: positions in which one move wins, which is proved
    Generate(GenerateSettings),
    /// Print the built-in problems of a game, which `problem check -` checks again
    List {
        #[command(flatten)]
        game: VariantArgument,
    },
}

/// The settings of a check.
#[derive(Args, Clone, Debug)]
#[command(after_help = include_str!("help.txt"))]
pub struct CheckSettings {
    /// Lists of problems (SETUP ; TERMS ; KEYS, or JSON) or records (PDN, SGF); - for standard input
    #[arg(value_name = "FILE", required_unless_present = "fen", value_parser = read_source)]
    pub files: Vec<Endpoint>,
    /// Check this setup instead of files
    #[arg(long, value_name = "SETUP", conflicts_with = "files")]
    pub fen: Option<String>,
    /// The result that the side to move is to reach: win, "win in 3", draw or loss [default: that of the record,
    /// otherwise win]
    #[arg(long, value_parser = StatedTerms::read)]
    pub terms: Option<StatedTerms>,
    #[command(flatten)]
    pub game: GameArguments,
    #[command(flatten)]
    pub limits: ProofArguments,
    /// How to prove.
    #[command(flatten)]
    pub proofs: ProofSettings,
    /// Print one JSON object per problem
    #[arg(long)]
    pub json: bool,
    /// Write a page for a browser to this file; an existing one is replaced
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// The settings of the generation.
#[derive(Args, Clone, Debug)]
#[command(after_help = include_str!("generate/help.txt"))]
pub struct GenerateSettings {
    /// Records of the games to search (PDN, SGF and more); - for standard input [default: games of the
    /// engine against itself]
    #[arg(value_name = "FILE", required_unless_present = "seeds", value_parser = read_source)]
    pub files: Vec<Endpoint>,
    #[command(flatten)]
    pub game: VariantArgument,
    /// Seeds of the games against itself, END not included; each seed is one reproducible game
    #[arg(long, value_name = "FIRST..END", value_parser = read_range::<u64>, conflicts_with = "files")]
    pub seeds: Option<Range<u64>>,
    /// End after this many problems
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..))]
    pub count: Option<usize>,
    #[command(flatten)]
    pub limits: ProofArguments,
    /// How to prove.
    #[command(flatten)]
    pub proofs: ProofSettings,
    /// Write the problems as records too, in the format of the game; an existing file is replaced
    #[arg(long, value_name = "FILE")]
    pub records: Option<PathBuf>,
}

/// How problems are proved, by all commands.
#[derive(Args, Clone, Debug)]
pub struct ProofSettings {
    /// The tables on which proofs may rest.
    #[command(flatten)]
    pub tables: TablesArgument,
    /// Number of threads, each with a problem or a game [default: one per core]
    #[arg(long, value_parser = number::<u16>(1..=1024))]
    pub jobs: Option<u16>,
    /// Write the proofs to this folder, one file per move, for `soucie verify`
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub journal: ResumeArgument,
}

impl ProofSettings {
    /// Makes the folder of the proofs, and opens the endgame tables of the settings, or of the user.
    pub fn begin(&self) -> Result<Tablebases, CommandError> {
        if let Some(folder) = &self.out {
            fs::create_dir_all(folder).map_err(|error| named(folder, error))?;
        }
        proof_tables(&self.tables)
    }

    /// Works on items that the bar counts, and passes the results to `sink` in order: see [`jobs::map`]. The
    /// results depend on the description.
    pub fn map<T: Send, R: Serialize + DeserializeOwned + Send>(
        &self,
        (description, stop, bar): (Value, &AtomicBool, &ProgressBar),
        items: impl Iterator<Item = (Option<String>, T)> + Send,
        work: impl Fn(&T) -> R + Sync,
        mut sink: impl FnMut(R) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let threads = self.jobs.map_or_else(arguments::default_threads, usize::from);
        let journal = jobs::journal(&self.journal, "problems", description)?;
        let is_stopped = || stop.load(Relaxed);
        jobs::map(
            threads,
            journal,
            items,
            |item| Ok(work(item)),
            is_stopped,
            |_, result| {
                bar.inc(1);
                sink(result)
            },
        )?;
        bar.finish_and_clear();
        Ok(())
    }
}

impl ProblemCommand {
    /// The settings of proofs, if the command proves something.
    pub fn proofs(&mut self) -> Option<&mut ProofSettings> {
        match self {
            Self::Check(settings) => Some(&mut settings.proofs),
            Self::Generate(settings) => Some(&mut settings.proofs),
            Self::List { .. } => None,
        }
    }
}

impl CheckSettings {
    pub fn nodes(&self) -> u64 {
        self.limits.nodes.unwrap_or(300_000)
    }

    pub fn hash(&self) -> u32 {
        self.limits.hash.unwrap_or(64)
    }

    /// Checks that no output file is also an input or another output.
    pub fn check_files(&self) -> Result<(), Conflict> {
        check_files(&self.files, [&self.html, &self.proofs.journal.resume])
    }

    /// The settings that determine the results, as JSON for the header of the journal.
    pub fn describe(&self, tables: Value) -> Value {
        json!({
            "fen": self.fen,
            "terms": self.terms,
            "variant": self.game.variant,
            "options": arguments::with_hashes(&self.game.options),
            "nodes": self.nodes(),
            "hash": self.hash(),
            "proofs": self.proofs.out,
            "tables": tables,
        })
    }
}

impl GenerateSettings {
    pub fn nodes(&self) -> u64 {
        self.limits.nodes.unwrap_or(NODES_OF_NEW)
    }

    pub fn hash(&self) -> u32 {
        self.limits.hash.unwrap_or(HASH_OF_NEW)
    }

    /// Checks that no output file is also an input or another output.
    pub fn check_files(&self) -> Result<(), Conflict> {
        check_files(&self.files, [&self.records, &self.proofs.journal.resume])
    }

    /// The settings that determine the results, as JSON for the header of the journal.
    pub fn describe(&self, tables: Value) -> Value {
        json!({
            "variant": self.game.variant,
            "nodes": self.nodes(),
            "hash": self.hash(),
            "proofs": self.proofs.out,
            "tables": tables,
        })
    }
}

fn check_files(inputs: &[Endpoint], outputs: [&Option<PathBuf>; 2]) -> Result<(), Conflict> {
    check_distinct(inputs.iter().cloned(), outputs.into_iter().flatten().cloned())
}

/// Adds to an interrupt what has been done and written, and how to go on.
pub fn with_rest(
    error: CommandError,
    settings: &ProofSettings,
    done: &str,
    file: Option<&PathBuf>,
) -> CommandError {
    if !matches!(error, CommandError::Interrupted(_)) {
        return error;
    }
    let folder = settings.out.as_ref().map(|path| format!("the proofs in {}", path.display()));
    let files =
        file.into_iter().chain(&settings.journal.resume).map(|path| path.display().to_string());
    let files: Vec<String> = files.chain(folder).collect();
    let written = match files.is_empty() {
        true => "no file is written".to_string(),
        false => format!("written: {}", files.join(", ")),
    };
    let how = match settings.journal.resume {
        Some(_) => interrupt::UNFINISHED,
        None => "pass --resume FILE to continue later ones",
    };
    CommandError::Interrupted(format!("interrupted after {done}; {written}; {how}").into())
}

/// Whether a file of results is to be written after the work: also of the first `count` ones, after an
/// interrupt or once the output is closed.
pub fn is_file_due(done: &Result<(), CommandError>, count: usize) -> bool {
    match done {
        Ok(()) => true,
        Err(CommandError::Interrupted(_)) => count > 0,
        Err(CommandError::Io(error)) => error.kind() == ErrorKind::BrokenPipe && count > 0,
        Err(_) => false,
    }
}
