//! The time of a probe of the endgame tables: `cargo bench --bench tables`. It builds the tables of
//! up to four pieces first, unless `SOUCIE_TABLES` is a directory with tables. If `SOUCIE_CHINOOK` is a
//! folder with databases, these are probed too.

mod timing;

use std::env;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use soucie::game::{Heuristics, MoveList, Notation, mix};
use soucie::games::draughts::Draughts;
use soucie::games::draughts::tablebase::{self, Databases, FolderTables, OwnTables};
use timing::measure;

/// The number of positions that are probed in turn.
const POSITIONS: usize = 10_000;

/// The same for databases: so many that most are in different blocks.
const DATABASE_POSITIONS: usize = 300_000;

fn dir() -> PathBuf {
    let built = || {
        let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tables/bench");
        tablebase::build(&dir, 4, 2, 1 << 30, &|_| {}).expect("the tables can be built");
        dir
    };
    env::var_os("SOUCIE_TABLES").map_or_else(built, PathBuf::from)
}

/// Random positions with this number of pieces, in which neither side can capture unless `captures` is true.
fn positions(count: usize, pieces: usize, captures: bool) -> Vec<Draughts> {
    let mut seed = pieces as u64;
    let mut draw = |below: u64| {
        seed += 1;
        (mix(seed) >> 32) % below
    };
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut squares: Vec<u64> = Vec::new();
        while squares.len() < pieces {
            let square = draw(32) + 1;
            if !squares.contains(&square) {
                squares.push(square);
            }
        }
        let mut side = |squares: &[u64]| {
            let piece = |&square| format!("{}{square}", if draw(2) == 0 { "K" } else { "" });
            squares.iter().map(piece).collect::<Vec<_>>().join(",")
        };
        let (white, black) = squares.split_at(pieces / 2);
        let pieces = format!("W{}:B{}", side(white), side(black));
        let read = |mover| Draughts::read_setup(&format!("{mover}:{pieces}"), Default::default());
        // A man on its last row is invalid.
        let (Ok(position), Ok(turned)) = (read("B"), read("W")) else { continue };
        let is_quiet = |position: &Draughts| {
            let mut noisy = MoveList::new();
            position.noisy_moves(&mut noisy);
            noisy.is_empty()
        };
        if captures || is_quiet(&position) && is_quiet(&turned) {
            positions.push(position);
        }
    }
    positions
}

fn main() {
    let dir = dir();
    let tables = OwnTables::open(&dir).expect("the tables can be read");
    measure("open the tables", 1, || OwnTables::open(black_box(&dir)).is_ok());
    for pieces in 3..=tables.pieces() {
        for (name, captures) in [("quiet", false), ("any", true)] {
            let positions = positions(POSITIONS, pieces, captures);
            let mut positions = positions.iter().cycle();
            measure(&format!("probe a position of {pieces}, {name}"), 1, || {
                tables.value(black_box(positions.next()?))
            });
        }
    }
    if let Some(dir) = env::var_os("SOUCIE_CHINOOK").map(PathBuf::from) {
        probe_databases(&dir);
    }
}

/// Probes the positions with most pieces that the databases have, with all of their data in the cache, and
/// with a cache of a tenth of them.
fn probe_databases(dir: &Path) {
    let (tables, _) = FolderTables::open(dir).expect("the databases can be read");
    let (databases, _) = Databases::open(&[dir.to_path_buf()]).expect("the folder can be read");
    let files = dir.read_dir().expect("the folder can be read");
    let bytes: u64 = files.filter_map(|file| Some(file.ok()?.metadata().ok()?.len())).sum();
    let mib = bytes.div_ceil(1 << 20) as usize;
    let positions = positions(DATABASE_POSITIONS, databases.pieces(), false);
    for (name, mib) in [("all data in a cache", 2 * mib), ("a tenth of the data", mib.div_ceil(10))]
    {
        let tables = tables.with_limits(mib, usize::MAX).expect("the memory is enough");
        let value = |position| tables.value(black_box(position));
        for position in &positions {
            black_box(value(position));
        }
        let mut positions = positions.iter().cycle();
        measure(&format!("probe databases, {name}: {mib} MiB"), 1, || value(positions.next()?));
    }
}
