//! The time of a game in the search in archives: `cargo bench --bench archives`.
//!
//! One thread cuts out the games, the others read and replay them. Nothing is found, so each game is replayed to its
//! end.

mod timing;

use std::hint::black_box;

use soucie::archives::{Query, WantedEnding};
use soucie::game::{Game, legal_moves, mix};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;
use soucie::records::Record;
use soucie::records::items::{RawItem, TextItem, raw_items};
use timing::measure;

/// The number of games of each archive, and of their plies.
const GAMES: u64 = 1_000;
const PLIES: u64 = 52;

/// Random games as an archive.
fn archive<P: Game>() -> String {
    let game = |seed: u64| {
        let variant = &P::VARIANTS[0];
        let mut position = P::read_setup(variant.start, P::Rules::default()).expect("a setup");
        let mut moves = Vec::new();
        for ply in 0..PLIES {
            let legal = legal_moves(&position);
            let Some(&mv) = legal.get(mix(seed * PLIES + ply) as usize % legal.len().max(1)) else {
                break;
            };
            moves.push(position.write_move(mv, Default::default()));
            position = position.play(mv);
        }
        Record::new::<P>(variant, None, P::Rules::default(), &moves).expect("a game").to_string()
    };
    (0..GAMES).map(game).collect()
}

fn bench<P: Game>() {
    let (name, text) = (P::name(), archive::<P>());
    let cut = || raw_items(text.as_bytes(), None).expect("a text").flatten();
    measure(&format!("{name}: cut out a game"), GAMES as usize, || black_box(cut().count()));
    let query = Query { ending: WantedEnding::read("1:1").ok(), ..Query::default() };
    measure(&format!("{name}: cut out, read and replay a game"), GAMES as usize, || {
        let games = cut().filter_map(RawItem::read);
        let found = games.filter(|item| match item {
            TextItem::Game(record) => query.search(record).is_found,
            _ => false,
        });
        black_box(found.count())
    });
}

fn main() {
    bench::<Draughts>();
    bench::<Loa>();
}
