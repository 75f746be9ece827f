//! Moves of both games: what is read is one of the moves that can be, and is written and read again as the same.
// cargo install cargo-fuzz
// cargo +nightly fuzz run --fuzz-dir tests/fuzz moves -- -max_total_time=300 (stable: RUSTC_BOOTSTRAP=1 cargo fuzz ...)

#![no_main]

use libfuzzer_sys::fuzz_target;
use soucie::game::{Game, MoveFormat, readable_moves};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;

/// Plays the words of a text on the positions of the benchmark, one after the other.
fn try_as<P: Game>(text: &str) {
    for setup in P::VARIANTS.iter().flat_map(|variant| variant.bench) {
        let Ok(mut position) = P::read_setup(setup, P::Rules::default()) else { return };
        for word in text.split_whitespace() {
            let Ok(mv) = position.read_move(word) else { continue };
            assert!(readable_moves(&position).contains(&mv), "{word}");
            for format in [MoveFormat::Coordinate, MoveFormat::Standard] {
                let written = position.write_move(mv, format);
                assert_eq!(position.read_move(&written).ok(), Some(mv), "{written}");
            }
            position = position.play(mv);
        }
    }
}

fuzz_target!(|text: &str| {
    try_as::<Loa>(text);
    try_as::<Draughts>(text);
});
