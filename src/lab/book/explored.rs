//! `soucie-lab book explored`: counts the openings of self-play.

use std::collections::{HashMap, HashSet};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::BookSearch;
use crate::samples::{Block, Reader, Sample};
use crate::selfplay::game::EXPLORED_PLIES;
use soucie::book::{BookKey, ExploredOpenings, OpeningStatistics, moves_up_to_symmetry};
use soucie::engine::{EngineError, SearchedGame};
use soucie::files::paths::{Endpoint, check_distinct};
use soucie::files::printable::plural;
use soucie::files::{atomic_file, named, regular};
use soucie::game::{Side, Variant};
use soucie::options::Options;
use soucie::{ordered_map, with_game};
use soucie_program::arguments::{self, ThreadArguments, VariantArgument, number};
use soucie_program::error::CommandError;
use soucie_program::progress::progress_bar;

/// The settings of `soucie-lab book explored`.
#[derive(Args, Clone, Debug)]
pub struct ExploredSettings {
    /// Sample files of `soucie-lab selfplay --explore`, whose games begin at the start position
    #[arg(required = true)]
    pub samples: Vec<PathBuf>,
    #[command(flatten)]
    pub game: VariantArgument,
    /// Least number of games of a listed position
    #[arg(long, default_value_t = 50, value_parser = number::<u32>(1..))]
    pub least: u32,
    /// Positions of the search that scores each of them
    #[arg(long, default_value_t = 100_000, value_parser = number::<u64>(1..))]
    pub nodes: u64,
    #[command(flatten)]
    pub threads: ThreadArguments,
    /// File for the tree of the openings
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Counts the openings, scores them, and writes the file.
pub fn run(settings: &ExploredSettings, output: &mut dyn Write) -> Result<(), CommandError> {
    check_distinct(settings.samples.iter().cloned().map(Endpoint::File), [settings.out.clone()])?;
    let options = Options::of_variant(Some(&settings.game.variant))?;
    with_game!(options.variant, |P, variant| explored::<P>(settings, variant, output))
        .ok_or_else(|| EngineError::Variant(settings.game.variant.clone()))?
}

/// The games with a position.
#[derive(Clone, Copy, Default)]
struct Count {
    games: u32,
    /// The half points of the side that moved to it.
    half_points: u32,
}

fn explored<P: SearchedGame>(
    settings: &ExploredSettings,
    variant: &'static Variant,
    output: &mut dyn Write,
) -> Result<(), CommandError> {
    let mut counts = HashMap::new();
    for path in &settings.samples {
        count::<P>(path, &mut counts)?;
    }
    counts.retain(|_, count: &mut Count| count.games >= settings.least);
    let start = P::read_setup(variant.start, P::Rules::default()).map_err(EngineError::setup)?;
    let positions = listed(start, &counts);
    let network = arguments::evaluator("", Some(variant.name))?
        .network(&Options::of_variant(Some(variant.name))?, P::name());
    let search = BookSearch { nodes: settings.nodes, lines: 1, network };
    let scale = P::CALIBRATION.scale(search.network.is_some());
    let bar = progress_bar(
        Some(positions.len() as u64),
        "{bar:30} {human_pos} of {human_len} positions{left}",
    );
    let mut statistics = HashMap::new();
    ordered_map::map(
        settings.threads.count(),
        positions.into_iter(),
        |(position, count)| (count, search.run(&position)),
        |(Count { games, half_points }, result)| {
            let result = result?;
            let percent = 50.0 * half_points as f32 / games as f32;
            let score = -scale.centipawns(result.score.into());
            statistics.insert(result.hash, OpeningStatistics { games, percent, score });
            bar.inc(1);
            Ok::<_, CommandError>(())
        },
    )?;
    bar.finish_and_clear();
    let openings = ExploredOpenings::new(statistics);
    let text = openings.write::<P>();
    atomic_file::write(&settings.out, text.as_bytes())?;
    writeln!(output, "{}", plural(openings.positions() as u64, "position", "positions"))?;
    Ok(())
}

/// Counts the positions of the first plies of the games of a file, but for the start.
fn count<P: SearchedGame>(
    path: &Path,
    counts: &mut HashMap<u64, Count>,
) -> Result<(), CommandError> {
    let file = regular::open(path).map_err(|error| named(path, error))?;
    // The positions of the game whose samples are being read: each counts once.
    let mut seen = HashSet::new();
    for block in Reader::new(BufReader::with_capacity(1 << 20, file), path) {
        let sample = match block? {
            Block::Header(header) => {
                header.expect::<P>(path)?;
                continue;
            }
            Block::End(_) => {
                seen.clear();
                continue;
            }
            Block::Sample(sample) if (1..=EXPLORED_PLIES).contains(&sample.ply.into()) => sample,
            _ => continue,
        };
        let Sample { inputs, result, ply, .. } = sample;
        let side = if ply % 2 == 0 { Side::Black } else { Side::White };
        let hash = BookKey::of_features::<P>(inputs, side).hash;
        if !seen.insert(hash) {
            continue;
        }
        let count = counts.entry(hash).or_default();
        count.games += 1;
        count.half_points += 2 - u32::from(result);
    }
    Ok(())
}

/// The counted positions that can be reached from the start through counted ones.
fn listed<P: SearchedGame>(start: P, counts: &HashMap<u64, Count>) -> Vec<(P, Count)> {
    let mut known = HashSet::new();
    let mut found = Vec::new();
    let mut next = vec![start];
    for _ in 0..EXPLORED_PLIES {
        for position in std::mem::take(&mut next) {
            for mv in moves_up_to_symmetry(&position).iter() {
                let reached = position.play(*mv);
                let hash = BookKey::of(&reached).hash;
                let Some(&count) = counts.get(&hash) else { continue };
                if known.insert(hash) {
                    found.push((reached, count));
                    next.push(reached);
                }
            }
        }
    }
    found
}
