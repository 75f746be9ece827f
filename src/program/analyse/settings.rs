//! The command-line settings of `soucie analyse`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use crate::arguments::{
    self, GameArguments, LimitArguments, ResumeArgument, default_threads, number, read_source,
};
use soucie::analysis::analyser::{Analyser, search_limits};
use soucie::files::paths::{Conflict, Endpoint, check_distinct};
use soucie::game::Players;
use soucie::options::{CHANCES, Options};
use soucie::search::Limits;

const NODES: &str = "Positions per search [default: 200000, unless --depth or --movetime is given]";

const OPTIONS: &str = "Set a protocol option: a rule, `Evaluation`, `EvalFile`, `TablePath`, `TableCache`, \
     `TablePieces`, `Solve` or `Chances`, with --queries also `Move Format`; repeatable";

/// The settings of an analysis.
#[derive(Args, Clone, Debug)]
#[command(after_help = include_str!("help.txt"))]
#[command(mut_arg("nodes", |nodes| nodes.help(NODES)), mut_arg("options", |options| options.help(OPTIONS)))]
pub struct AnalyseSettings {
    /// Games (SGF, PDN, XBoard's PGN, move lists) or positions; - for standard input
    #[arg(required = true, value_name = "FILE", value_parser = read_source)]
    pub files: Vec<Endpoint>,
    #[command(flatten)]
    pub limits: LimitArguments,
    /// Threads for each search
    #[arg(long, default_value_t = 1, value_parser = number::<u16>(1..=256))]
    pub threads: u16,
    /// Number of best moves to report for a position
    #[arg(long, default_value_t = 1, value_parser = number::<u16>(1..=128))]
    pub multipv: u16,
    /// Number of positions searched at the same time [default: cores divided by --threads]
    #[arg(long, value_parser = number::<u16>(1..=1024))]
    pub jobs: Option<u16>,
    /// Transposition table of each search, in MiB
    #[arg(long, default_value_t = 16, value_parser = number::<u32>(1..=1 << 20))]
    pub hash: u32,
    #[command(flatten)]
    pub game: GameArguments,
    /// Print one JSON object per game or position
    #[arg(long)]
    pub json: bool,
    /// Answer queries on standard input, one JSON object per line, by their ids: see queries.md
    #[arg(long, conflicts_with_all = ["json", "annotate", "html", "problems", "resume"])]
    pub queries: bool,
    /// Write the games to this file, with scores, better lines and marks, in the format of the first
    /// one (games of XBoard in SGF); an existing file is replaced
    #[arg(long, value_name = "OUT")]
    pub annotate: Option<PathBuf>,
    /// Write a page for a browser to this file; an existing one is replaced
    #[arg(long, value_name = "OUT")]
    pub html: Option<PathBuf>,
    /// Write problems to this file: positions in which the player missed the only move that wins, with
    /// proofs, as `problem generate` finds them, in the format of the first one (PDN or SGF); an
    /// existing file is replaced
    #[arg(long, value_name = "OUT")]
    pub problems: Option<PathBuf>,
    #[command(flatten)]
    pub journal: ResumeArgument,
    /// Directory of the endgame tables while `TablePath` is empty. It need not have usable tables.
    #[arg(skip)]
    pub default_tables: Option<PathBuf>,
}

impl AnalyseSettings {
    pub fn limits(&self) -> Limits {
        let LimitArguments { nodes, depth, movetime } = self.limits;
        search_limits(nodes, depth, movetime.map(Duration::from_millis))
    }

    pub fn analyser(&self, options: &Options) -> Analyser {
        let mut search = options.search;
        (search.threads, search.multipv) = (self.threads.into(), self.multipv.into());
        let (players, hash) = (self.players(options), self.hash as usize);
        Analyser { limits: self.limits(), options: search, players, hash }
    }

    /// The players whose chances decide what a move loses. Records without a level are taken for games of
    /// players of the level medium.
    fn players(&self, options: &Options) -> Players {
        let is_given = self.game.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(CHANCES));
        if is_given { options.players() } else { Players::MEDIUM }
    }

    /// The number of positions that are searched in parallel.
    pub fn jobs(&self) -> usize {
        self.jobs
            .map_or_else(|| (default_threads() / usize::from(self.threads)).max(1), usize::from)
    }

    /// Checks that no output file is also an input or another output.
    pub fn check_files(&self) -> Result<(), Conflict> {
        let networks = arguments::network_files(&self.game.options).map(Endpoint::File);
        let outputs = self.outputs().chain(&self.journal.resume).cloned();
        check_distinct(self.files.iter().cloned().chain(networks), outputs)
    }

    /// The files that are written at the end.
    pub fn outputs(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.annotate, &self.html, &self.problems].into_iter().flatten()
    }

    /// The settings that determine the analyses, as JSON for the header of the journal.
    ///
    /// `variant` is the variant if one is given, `tables` the number of endgame tables.
    pub fn describe(&self, options: &Options, variant: Option<&str>, tables: Value) -> Value {
        let limits = self.limits();
        json!({
            "nodes": limits.nodes,
            "depth": limits.depth,
            "movetime": self.limits.movetime,
            "threads": self.threads,
            "multipv": self.multipv,
            "hash": self.hash,
            "chances": self.players(options).to_string(),
            "variant": variant,
            "options": arguments::with_hashes(&self.game.options),
            "tables": tables,
        })
    }
}
