//! The answers that are JSON: they describe the same games as the other commands do.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use soucie::engine;
use soucie::engine::session::GameSession;
use soucie::games;
use soucie::options::Options;
use soucie::protocol::json;

/// The value behind the command word.
fn answer(line: &str, word: &str) -> Value {
    let text = line.strip_prefix(word).unwrap_or_else(|| panic!("no {word}: {line}"));
    serde_json::from_str(text).unwrap()
}

fn state(session: &dyn GameSession) -> Value {
    answer(&json::state(&session.game_view()).unwrap(), "state ")
}

/// The texts of an array.
fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// The squares and sides of the pieces, sorted.
fn pieces(state: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_string();
    let pieces = state["pieces"].as_array().unwrap();
    let mut pieces: Vec<_> =
        pieces.iter().map(|piece| (text(&piece["square"]), text(&piece["side"]))).collect();
    pieces.sort();
    pieces
}

/// The pieces after a move, by its path and captures alone.
fn played(before: &Value, mv: &Value) -> Vec<(String, String)> {
    let (path, captures) = (texts(&mv["path"]), texts(&mv["captures"]));
    let mut pieces = pieces(before);
    pieces.retain(|(square, _)| !captures.contains(&&**square));
    if let ([first, ..], [.., last]) = (&*path, &*path) {
        let moved = pieces.iter_mut().find(|(square, _)| square == first).unwrap();
        assert_eq!(moved.1, before["side"]);
        moved.0 = last.to_string();
    }
    pieces.sort();
    pieces
}

#[test]
fn a_state_follows_from_the_one_before_and_its_last_move() {
    let mut rng = SmallRng::seed_from_u64(1);
    for variant in games::variants() {
        for _ in 0..20 {
            let mut options = Options::default();
            options.set("UCI_Variant", Some(variant.name)).unwrap();
            let mut session = engine::open(&options).unwrap();
            let mut before = state(&*session);
            assert_eq!(before["start"], variant.start);
            assert!(before["last"].is_null());
            while let Some(mv) = before["legal"].as_array().unwrap().choose(&mut rng) {
                let format = ["coordinate", "standard"][usize::from(rng.random_bool(0.5))];
                session.play(mv[format].as_str().unwrap()).unwrap();
                let after = state(&*session);
                assert_eq!(after["last"], *mv);
                assert_eq!(pieces(&after), played(&before, mv), "{mv} in {}", before["setup"]);
                assert_eq!(after["plies"].as_u64(), before["plies"].as_u64().map(|n| n + 1));
                before = after;
                if before["plies"] == 150 {
                    break;
                }
            }
            let view = session.view();
            assert_eq!(before["result"].is_null(), view.outcome.is_none());
            assert_eq!(before["legal"].as_array().unwrap().len(), view.moves.len());
            assert_eq!(before["setup"], view.setup);
        }
    }
}

#[test]
fn the_described_variants_are_those_of_the_option() {
    let line = json::variants().unwrap();
    let described = answer(&line, "variants ");
    let names = described.as_array().unwrap().iter().map(|variant| variant["name"].as_str());
    assert!(names.eq(games::variants().map(|variant| Some(variant.name))));
    for variant in described.as_array().unwrap() {
        for level in ["easy", "medium", "hard"] {
            let elo = variant["levels"][level].to_string();
            Options::default().set("UCI_Elo", Some(&elo)).unwrap();
        }
        assert!(texts(&variant["rules"]).iter().skip(1).all(|rule| rule.contains(". ")));
    }
}
