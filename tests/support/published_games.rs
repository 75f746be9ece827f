//! Published games of strong programs and players.

#![allow(dead_code, reason = "not every test reads the records")]

use soucie::games::loa::{Loa, LoaRules};
use soucie::records::{Record, RecordReader, replay};

/// The records of the games.
pub fn records() -> Vec<Record> {
    let text = include_bytes!("../data/loa/games.sgf");
    RecordReader::new(&text[..]).map(Result::unwrap).collect()
}

/// The positions of each game.
pub fn games() -> Vec<Vec<Loa>> {
    records().iter().map(|record| replay(record, LoaRules::default()).unwrap()).collect()
}
