//! Published games of strong programs and players.

use soucie::game::{Game, Notation, Position, Side, outcome};
use soucie::games::loa::{Loa, LoaRules};

/// The parts of a game record that the tests use.
#[allow(dead_code, reason = "not every test uses every field")]
pub struct Record {
    pub name: String,
    pub event: String,
    pub result: String,
    pub moves: Vec<(Side, String)>,
}

/// The games. Their file has neither variations nor escaped characters.
pub fn games() -> Vec<Record> {
    include_str!("../data/loa/games.sgf").split("(;").skip(1).map(record).collect()
}

fn record(text: &str) -> Record {
    let mut record =
        Record { name: String::new(), event: String::new(), result: String::new(), moves: vec![] };
    for property in text.split(']') {
        let Some((name, value)) = property.split_once('[') else { continue };
        let name = name.trim_matches(|c: char| c == ';' || c.is_whitespace());
        match name {
            "B" => record.moves.push((Side::Black, value.to_string())),
            "W" => record.moves.push((Side::White, value.to_string())),
            "EV" => record.event = value.to_string(),
            "RE" => record.result = value.to_string(),
            "PB" => record.name = value.to_string(),
            "PW" => record.name = format!("{} - {value}", record.name),
            _ => {}
        }
    }
    record
}

/// The positions of a game. Panics if a move is illegal or out of turn.
pub fn replay(record: &Record) -> Vec<Loa> {
    let mut positions = vec![Loa::read_setup(Loa::VARIANTS[0].start, LoaRules::default()).unwrap()];
    for (i, (side, text)) in record.moves.iter().enumerate() {
        let before = positions[i];
        let location = format!("{} ({}), ply {}: {text}", record.name, record.event, i + 1);
        assert_eq!(outcome(&before), None, "{location}: the game is over");
        assert_eq!(before.side(), *side, "{location}");
        let mv = before.read_move(text).unwrap_or_else(|error| panic!("{location}: {error}"));
        positions.push(before.play(mv));
    }
    positions
}
