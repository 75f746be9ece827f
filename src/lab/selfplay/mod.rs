//! `soucie-lab selfplay`: generates training data from games of the engine against itself.
//!
//! Each game depends on its seed alone ([`game`]) and is played by one thread with its own
//! transposition table. The games of all threads are written in the order of their seeds
//! ([`mod@file`]), so that equal settings produce equal files.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod file;
pub mod game;

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use clap::Args;

use super::samples::Header;
use crate::openings;
use file::{Output, Totals};
use game::{Explored, Openings, SelfplayPlayer};
use soucie::engine::game_file::Evaluator;
use soucie::engine::{self, EngineError, SearchedGame};
use soucie::files::paths::{Endpoint, check_distinct};
use soucie::files::printable::plural;
use soucie::game::{Game, Variant};
use soucie::nnue::Network;
use soucie::options::{EVALUATION, Options};
use soucie::{ordered_map, with_game};
use soucie_program::arguments::{ThreadArguments, VariantArgument, number, read_range};
use soucie_program::error::CommandError;
use soucie_program::progress::progress_bar;
use soucie_program::{arguments, bench, interrupt};

/// Plays the games and prints a summary. Returns false if it was interrupted before the last game.
pub fn run(settings: &SelfplaySettings, output: &mut dyn Write) -> Result<bool, CommandError> {
    let inputs = settings.openings.iter().cloned().map(Endpoint::File);
    let network = Endpoint::File(settings.eval_file.clone().into());
    check_distinct(inputs.chain([network]), [settings.out.clone()])?;
    let mut options = Options::of_variant(Some(&settings.game.variant))?;
    options.set(EVALUATION, Some(&settings.evaluation))?;
    options.eval_file.clone_from(&settings.eval_file);
    if options.handcrafted && !options.eval_file.is_empty() {
        let error = "--eval-file: the handcrafted evaluation uses no network";
        return Err(CommandError::Other(error.to_string()));
    }
    // On an interrupt, the games in progress are finished first.
    let stop = interrupt::flag();
    let unknown = || EngineError::Variant(settings.game.variant.clone());
    let evaluator = arguments::evaluator(&options.eval_file, Some(options.variant))?;
    with_game!(options.variant, |P, variant| {
        play_games::<P>(settings, &options, evaluator, &stop, output, variant)
    })
    .ok_or_else(unknown)?
}

fn play_games<P: SearchedGame>(
    settings: &SelfplaySettings,
    options: &Options,
    evaluator: Evaluator,
    stop: &AtomicBool,
    output: &mut dyn Write,
    variant: &'static Variant,
) -> Result<bool, CommandError> {
    let network = evaluator.network(options, P::name());
    let net = network.as_ref().map_or([0; 8], |network| network.hash());
    let (player, fingerprint) = prepare::<P>(settings, options, variant, network)?;
    let header = header(settings, variant, net, fingerprint);
    let (mut file, before) = Output::open(&settings.out, &header, player.longest)?;
    let bar =
        progress_bar(Some(header.seeds), "{bar:30} {human_pos} of {human_len} games, {msg}{left}");
    bar.set_position(before.games);
    let mut totals = before;
    let began = Instant::now();
    let seeds = settings.seeds.start + before.games..settings.seeds.end;
    ordered_map::map(
        settings.threads.count(),
        seeds.take_while(|_| !stop.load(Relaxed)),
        |seed| player.play(seed),
        |played| {
            let played = played?;
            file.add(&played)?;
            totals.add(&played.end);
            bar.inc(1);
            bar.set_message(speed(&totals, &before, began.elapsed()));
            Ok::<_, CommandError>(())
        },
    )?;
    file.finish()?;
    bar.finish_and_clear();
    let is_done = totals.games == header.seeds;
    writeln!(output, "{}", summary(&totals, &before, began.elapsed()))?;
    if !is_done {
        writeln!(output, "{}", interrupt::UNFINISHED)?;
    }
    Ok(is_done)
}

/// Returns the player, and a hash of everything that the games depend on and the header does not
/// contain.
fn prepare<P: SearchedGame>(
    settings: &SelfplaySettings,
    options: &Options,
    variant: &'static Variant,
    network: Option<Arc<Network>>,
) -> Result<(SelfplayPlayer<P>, u64), CommandError> {
    let start = P::read_setup(variant.start, P::Rules::default());
    let start = start.map_err(EngineError::setup)?;
    let (openings, listed) = match &settings.openings {
        Some(path) => read_openings(path, start, options)?,
        None if settings.explore.is_some() => (Openings::none(start), String::new()),
        None => (Openings::random(start), String::new()),
    };
    let (tablebase, tables) = match &settings.tables {
        Some(folder) => {
            let tables = arguments::all_tables(folder, variant.name)?;
            (tables.of::<P>(), arguments::describe_tables(&tables).to_string())
        }
        None => (None, String::new()),
    };
    let longest = settings.longest(variant);
    let balance = settings.balance(network.is_some());
    let nodes = settings.nodes;
    let explored = settings.explore.map(Explored::new);
    let player = SelfplayPlayer { openings, explored, balance, nodes, longest, network, tablebase };
    let bench = bench::signature()?;
    let mut fingerprint = format!("{longest}\n{balance}\n{listed}\n{tables}\n{bench}");
    fingerprint.extend(settings.explore.map(|most| format!("\n{most}")));
    Ok((player, crc32fast::hash(fingerprint.as_bytes()).into()))
}

/// Reads the openings of a file, and returns them with its text.
fn read_openings<P: Game>(
    path: &Path,
    start: P,
    options: &Options,
) -> Result<(Openings<P>, String), CommandError> {
    let (listed, text) = openings::read_file(path, &*engine::open(options)?, None)?;
    let openings = Openings::listed(start, &listed);
    let openings = openings.map_err(EngineError::setup)?;
    Ok((openings, String::from_utf8_lossy(&text).into_owned()))
}

fn header(
    settings: &SelfplaySettings,
    variant: &Variant,
    net: [u8; 8],
    fingerprint: u64,
) -> Header {
    let parts = [
        env!("CARGO_PKG_VERSION_MAJOR"),
        env!("CARGO_PKG_VERSION_MINOR"),
        env!("CARGO_PKG_VERSION_PATCH"),
    ];
    Header {
        variant: variant.name.to_string(),
        engine: parts.map(|part| part.parse().unwrap_or(0)),
        net,
        first_seed: settings.seeds.start,
        seeds: settings.seeds.end - settings.seeds.start,
        nodes: settings.nodes,
        settings: fingerprint,
    }
}

/// Returns the number of positions so far and the current rate.
fn speed(totals: &Totals, before: &Totals, time: Duration) -> String {
    let rate = (totals.samples - before.samples) as f64 / time.as_secs_f64().max(1e-9);
    let positions = plural(totals.samples, "position", "positions");
    format!("{positions}, {rate:.0} a second")
}

/// Returns a summary of the file's contents.
fn summary(totals: &Totals, before: &Totals, time: Duration) -> String {
    let [black, draws, white] = totals.results;
    format!(
        "{}, {} of them dropped, Black won {black}, White {white}, {draws} drawn; {}",
        plural(totals.games, "game", "games"),
        totals.dropped,
        speed(totals, before, time)
    )
}

/// The settings of self-play.
#[derive(Args, Clone, Debug)]
#[command(after_help = include_str!("help.txt"))]
pub struct SelfplaySettings {
    #[command(flatten)]
    pub game: VariantArgument,
    /// Seeds of the games, END not included; each seed is one reproducible game
    #[arg(long, value_name = "FIRST..END", value_parser = read_range::<u64>)]
    pub seeds: Range<u64>,
    /// Positions per search
    #[arg(long, default_value_t = 1_000, value_parser = number::<u64>(1..))]
    pub nodes: u64,
    /// Evaluation: network or handcrafted
    #[arg(long, default_value = "network")]
    pub evaluation: String,
    /// Network file [default: the built-in network]
    #[arg(long, value_name = "FILE", default_value = "", hide_default_value = true)]
    pub eval_file: String,
    #[command(flatten)]
    pub threads: ThreadArguments,
    /// Output file for the samples; a file made with the same settings is continued
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Openings, plus up to 4 random plies: a built-in set (`soucie-lab match --help` lists them), or a
    /// file with moves or a setup on each line, or games [default: 6 to 11 random plies]
    #[arg(long, value_name = "SET|FILE")]
    pub openings: Option<PathBuf>,
    /// Begin at the start position, and draw each move from those that are at most so many centipawns worse
    /// than the best one: of the best eight in the first eight plies, with eight times the nodes, then of
    /// three
    #[arg(long, value_name = "CP", conflicts_with = "openings")]
    pub explore: Option<u16>,
    /// Largest score after an opening, in centipawns; openings beyond it are dropped [default: 1400,
    /// handcrafted 600]
    #[arg(long, value_name = "CP", value_parser = number::<u16>(1..))]
    pub balance: Option<u16>,
    /// Directory of endgame tables; a game ends when they have its result
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// Plies after which a game is drawn [default: 160, in draughts 200]
    #[arg(long, value_name = "PLIES", value_parser = number::<u16>(1..=10_000))]
    pub longest: Option<u16>,
}

impl SelfplaySettings {
    /// Returns the largest score after an opening, in centipawns. The two evaluations have scales of
    /// their own, and random openings of Lines of Action high scores.
    pub fn balance(&self, has_network: bool) -> u16 {
        self.balance.unwrap_or(if has_network { 1400 } else { 600 })
    }

    /// Returns the length at which a game of the variant is drawn, in plies.
    pub fn longest(&self, variant: &Variant) -> usize {
        self.longest.map_or(variant.max_plies, usize::from)
    }
}
