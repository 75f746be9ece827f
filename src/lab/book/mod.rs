//! `soucie-lab book`: builds opening books.
//!
//! The searches of positions are kept in a journal. The tree (`tree.rs`) selects the
//! positions to search next and the moves of the book.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod explored;
mod tree;

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::openings;
use sha2::{Digest, Sha256};
use soucie::book::{Book, BookKey, moves_up_to_symmetry};
use soucie::engine::game_file::Evaluator;
use soucie::engine::{self, EngineError, SearchedGame};
use soucie::files::hash::{hex, write_with_manifest};
use soucie::files::named;
use soucie::files::paths::{Endpoint, check_distinct};
use soucie::files::printable::plural;
use soucie::game::{Game, Variant};
use soucie::nnue::Network;
use soucie::options::Options;
use soucie::search::{
    Limits, OutOfMemory, SearchEvent, SearchMemory, SearchOptions, SearchRequest, Signals,
    insert_pv,
};
use soucie::{ordered_map, with_game};
use soucie_program::arguments::{ThreadArguments, VariantArgument, number, read_range};
use soucie_program::error::CommandError;
use soucie_program::journal::{self, Journal, JournalError, KnownEntries};
use soucie_program::progress::progress_bar;
use soucie_program::{arguments, bench, interrupt};
use tree::BookTree;

/// The number of positions that are chosen together. The book depends on it, so it does not depend
/// on the number of threads.
const BATCH: usize = 16;

/// Builds a book. Returns false if it was interrupted before the last position.
pub fn build(settings: &BuildSettings, output: &mut dyn Write) -> Result<bool, CommandError> {
    let network = PathBuf::from(&settings.eval_file);
    let inputs = settings.openings.iter().chain(&settings.add).chain([&network]);
    check_distinct(inputs.cloned().map(Endpoint::File), [settings.journal.clone()])?;
    let options = Options::of_variant(Some(&settings.game.variant))?;
    let networks = arguments::evaluator(&settings.eval_file, Some(options.variant))?;
    let stop = interrupt::flag();
    let unknown = || EngineError::Variant(settings.game.variant.clone());
    with_game!(options.variant, |P, variant| {
        build_for::<P>(settings, &options, networks, &stop, output, variant)
    })
    .ok_or_else(unknown)?
}

fn build_for<P: SearchedGame>(
    settings: &BuildSettings,
    options: &Options,
    networks: Evaluator,
    stop: &AtomicBool,
    output: &mut dyn Write,
    variant: &'static Variant,
) -> Result<bool, CommandError> {
    let network = networks.network(options, P::name());
    let plan = json!({
        "game": P::name(),
        "network": network.as_ref().map(|network| hex(&network.hash())),
        "nodes": settings.nodes,
        "lines": settings.lines,
    });
    let search = BookSearch { nodes: settings.nodes, lines: settings.lines.into(), network };
    let (roots, openings) = roots::<P>(settings, options, variant)?;
    let description = bench::with_signature(plan.clone())?;
    let mut added = HashMap::new();
    for path in &settings.add {
        let (_, entries) = journal::read(path, "book", Some(&description))?;
        added.extend(searches(entries)?);
    }
    let (known, mut journal) = journal::open(&settings.journal, "book", &description)?;
    let known = searches(known)?;
    // An error after hours of searches would come late.
    if let Some(dir) = &settings.out {
        fs::create_dir_all(dir).map_err(|error| named(dir, error))?;
    }
    let mut tree = BookTree::new(roots);
    tree.add_known(added, settings.positions as usize, BATCH);
    search_next(&mut tree, &search, &known, &mut journal, settings, stop)?;
    writeln!(output, "{}", plural(tree.len() as u64, "position", "positions"))?;
    if tree.len() < settings.positions as usize && stop.load(Relaxed) {
        writeln!(output, "{}", interrupt::UNFINISHED)?;
        return Ok(false);
    }
    if let Some(dir) = &settings.out {
        let manifest = json!({
            "engine": env!("CARGO_PKG_VERSION"),
            "searches": plan,
            "openings": openings.map(|hash| hex(&hash)),
            "positions": tree.len(),
        });
        let path = write(&Book::new(P::name(), tree.entries()), &manifest, dir)?;
        writeln!(output, "{}", path.display())?;
    }
    Ok(true)
}

/// Returns the positions from which the book begins, and the SHA-256 hash of the openings file.
fn roots<P: Game>(
    settings: &BuildSettings,
    options: &Options,
    variant: &'static Variant,
) -> Result<(Vec<P>, Option<[u8; 32]>), CommandError> {
    let start = P::read_setup(variant.start, P::Rules::default()).map_err(EngineError::setup)?;
    let Some(path) = &settings.openings else { return Ok((vec![start], None)) };
    let (listed, text) = openings::read_file(path, &*engine::open(options)?, None)?;
    let range = settings.openings_range.clone().unwrap_or(0..listed.len());
    let chosen = listed.get(range.clone()).ok_or_else(|| {
        let (start, end, all) = (range.start, range.end, listed.len());
        CommandError::Other(format!("--openings-range {start}..{end}: there are {all} openings"))
    })?;
    let positions = chosen.iter().map(|opening| opening.play(&start).map(|game| *game.position()));
    let positions = positions.collect::<Result<_, _>>().map_err(EngineError::setup)?;
    Ok((positions, Some(Sha256::digest(&text).into())))
}

fn searches(mut entries: KnownEntries) -> Result<HashMap<u64, BookSearchResult>, JournalError> {
    let mut searches = HashMap::new();
    while let Some(result) = entries.take_next::<BookSearchResult>()? {
        searches.insert(result.hash, result);
    }
    Ok(searches)
}

/// Searches positions until the tree has the wanted number, or until an interrupt. A build that was
/// interrupted chooses the same positions again, and takes their searches from its journal.
fn search_next<P: SearchedGame>(
    tree: &mut BookTree<P>,
    search: &BookSearch,
    known: &HashMap<u64, BookSearchResult>,
    journal: &mut Journal,
    settings: &BuildSettings,
    stop: &AtomicBool,
) -> Result<(), CommandError> {
    let template = "{bar:30} {human_pos} of {human_len} positions{left}";
    let bar = progress_bar(Some(settings.positions.into()), template);
    bar.set_position(tree.len() as u64);
    while tree.len() < settings.positions as usize && !stop.load(Relaxed) {
        let positions = tree.unsearched(BATCH.min(settings.positions as usize - tree.len()));
        if positions.is_empty() {
            break;
        }
        ordered_map::map(
            settings.threads.count().min(BATCH),
            positions.into_iter().take_while(|_| !stop.load(Relaxed)),
            |(hash, position)| {
                let result = known.get(&hash).cloned();
                (position, result.map_or_else(|| search.run(&position), Ok))
            },
            |(position, result)| {
                let result = result?;
                if !known.contains_key(&result.hash) {
                    journal.add(&result)?;
                }
                tree.add(&position, &result);
                bar.inc(1);
                Ok::<_, CommandError>(())
            },
        )?;
        tree.update_values();
    }
    bar.finish_and_clear();
    Ok(())
}

/// Writes the book and, beside it, its manifest. Returns the path of the book.
fn write(book: &Book, manifest: &Value, dir: &Path) -> io::Result<PathBuf> {
    let mut text = serde_json::to_vec_pretty(manifest)?;
    text.push(b'\n');
    write_with_manifest(dir, &book.game, "book", &book.write(), &text)
}

/// The `soucie-lab book` commands.
#[derive(Subcommand, Clone, Debug)]
pub enum BookCommand {
    /// Search the positions of an opening book, the most useful first
    Build(BuildSettings),
    /// Count the openings of self-play with --explore
    Explored(explored::ExploredSettings),
}

/// The settings of `soucie-lab book build`.
#[derive(Args, Clone, Debug)]
#[command(after_help = include_str!("help.txt"))]
pub struct BuildSettings {
    #[command(flatten)]
    pub game: VariantArgument,
    /// Openings from which the book begins: a built-in set (`soucie-lab match --help` lists them), or a
    /// file with moves or a setup on each line, or games [default: the start position]
    #[arg(long, value_name = "SET|FILE")]
    pub openings: Option<PathBuf>,
    /// Begin from a part of the openings only: FIRST+1 to END
    #[arg(long, value_name = "FIRST..END", value_parser = read_range::<usize>, requires = "openings")]
    pub openings_range: Option<Range<usize>>,
    /// Number of positions to search, those in the journals included
    #[arg(long, value_parser = number::<u32>(1..))]
    pub positions: u32,
    /// Positions per search
    #[arg(long, default_value_t = 2_000_000, value_parser = number::<u64>(1..))]
    pub nodes: u64,
    /// Number of moves of a position that are considered
    #[arg(long, default_value_t = 4, value_parser = number::<u16>(1..=128))]
    pub lines: u16,
    /// Network file [default: the built-in network]
    #[arg(long, value_name = "FILE", default_value = "", hide_default_value = true)]
    pub eval_file: String,
    #[command(flatten)]
    pub threads: ThreadArguments,
    /// Journal of the searches; one made with the same settings is continued
    #[arg(long, value_name = "FILE")]
    pub journal: PathBuf,
    /// Journal of another book whose searches are used too; repeatable
    #[arg(long, value_name = "FILE")]
    pub add: Vec<PathBuf>,
    /// Directory for the book and its manifest; without it only the journal is written
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// The size of a transposition table, in MiB.
const TABLE: usize = 32;

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct BookSearchResult {
    pub hash: u64,
    /// The score for the side to move, in units of the evaluation.
    pub score: i16,
    /// The codes and scores of the best moves, the best first.
    pub moves: Vec<(u16, i16)>,
}

pub struct BookSearch {
    pub nodes: u64,
    /// The number of moves to find.
    pub lines: usize,
    /// The network; without one the handcrafted evaluation is used.
    pub network: Option<Arc<Network>>,
}

impl BookSearch {
    /// Searches a position. The same position always gives the same result.
    pub fn run<P: SearchedGame>(&self, position: &P) -> Result<BookSearchResult, OutOfMemory> {
        let key = BookKey::of(position);
        let root_moves = moves_up_to_symmetry(position);
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let (table, signals) = (SearchMemory::new(TABLE)?, Signals::new(false));
        let request = SearchRequest {
            root_moves: &root_moves,
            options: SearchOptions { multipv: self.lines, ..SearchOptions::default() },
            network: self.network.as_deref(),
            ..SearchRequest::new(*position, &limits, &table, &signals)
        };
        let mut moves = Vec::new();
        P::search(&request, &mut |event| {
            let SearchEvent::Line(line) = event else { return };
            let Some(&mv) = line.pv.first() else { return };
            let code = key.code(position, mv);
            let found = (code, line.score.raw());
            insert_pv(&mut moves, line.multipv, line.bound, found, |&(other, _)| other == code);
        });
        let score = moves.first().map_or(0, |&(_, score)| score);
        Ok(BookSearchResult { hash: key.hash, score, moves })
    }
}
