//! The time of a probe of the endgame tables: `cargo bench --bench tables`. It builds the tables of
//! up to four pieces first, unless `SOUCIE_TABLES` is a directory with tables.

mod timing;

use std::env;
use std::hint::black_box;
use std::path::PathBuf;

use soucie::game::{Heuristics, MoveList, Notation, mix};
use soucie::games::draughts::Draughts;
use soucie::games::draughts::tables::{self, Tables};
use timing::measure;

/// The number of positions that are probed in turn.
const POSITIONS: usize = 10_000;

fn dir() -> PathBuf {
    let built = || {
        let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tables/bench");
        tables::build(&dir, 4, 2, 1 << 30, &|_| {}).expect("the tables can be built");
        dir
    };
    env::var_os("SOUCIE_TABLES").map_or_else(built, PathBuf::from)
}

/// Random positions with this number of pieces; without captures unless `captures` is true.
fn positions(pieces: usize, captures: bool) -> Vec<Draughts> {
    let mut seed = pieces as u64;
    let mut draw = |below: u64| {
        seed += 1;
        (mix(seed) >> 32) % below
    };
    let mut positions = Vec::new();
    while positions.len() < POSITIONS {
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
        let setup = format!("B:W{}:B{}", side(white), side(black));
        // A man on its last row is invalid.
        let Ok(position) = Draughts::read_setup(&setup, Default::default()) else { continue };
        let mut noisy = MoveList::new();
        position.noisy_moves(&mut noisy);
        if captures || noisy.is_empty() {
            positions.push(position);
        }
    }
    positions
}

fn main() {
    let dir = dir();
    let tables = Tables::open(&dir).expect("the tables can be read");
    measure("open the tables", 1, || Tables::open(black_box(&dir)).is_ok());
    for pieces in 3..=tables.pieces() {
        for (name, captures) in [("quiet", false), ("any", true)] {
            let positions = positions(pieces, captures);
            let mut positions = positions.iter().cycle();
            measure(&format!("probe a position of {pieces}, {name}"), 1, || {
                tables.value(black_box(positions.next()?))
            });
        }
    }
}
