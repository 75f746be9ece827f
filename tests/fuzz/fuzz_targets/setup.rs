//! Setups of both games: what can be read is written and read again as the same.
// cargo install cargo-fuzz
// cargo +nightly fuzz run --fuzz-dir tests/fuzz setup -- -max_total_time=300 (stable: RUSTC_BOOTSTRAP=1 cargo fuzz ...)

#![no_main]

use libfuzzer_sys::fuzz_target;
use soucie::game::{Game, legal_moves};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;

fn try_as<P: Game>(text: &str) {
    let Ok(position) = P::read_setup(text, P::Rules::default()) else { return };
    let again = P::read_setup(&position.write_setup(), P::Rules::default());
    assert_eq!(again.ok(), Some(position));
    let drawn = format!("{}\nNext move: {}\n", position.diagram(), position.side());
    let again = P::read_setup(&drawn, P::Rules::default());
    assert_eq!(again.ok(), Some(position), "{drawn}");
    for mv in legal_moves(&position) {
        position.play(mv).outcome();
    }
    position.evaluate();
}

fuzz_target!(|text: &str| {
    try_as::<Loa>(text);
    try_as::<Draughts>(text);
});
