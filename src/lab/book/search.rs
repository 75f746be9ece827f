//! The search of a position for a book. Its result is an entry of the journal.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use soucie::book::BookKey;
use soucie::engine::SearchedGame;
use soucie::game::legal_moves;
use soucie::nnue::Network;
use soucie::search::{
    Limits, OutOfMemory, SearchEvent, SearchMemory, SearchOptions, SearchRequest, Signals,
    insert_pv,
};

/// The size of a transposition table, in MiB.
const TABLE: usize = 32;

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct BookSearchResult {
    pub hash: u64,
    /// The score for the side to move, in units of the evaluation.
    pub score: i16,
    /// The codes and scores of the best moves, the best first.
    pub moves: Vec<(u16, i16)>,
}

pub struct BookSearch {
    pub nodes: u64,
    /// The number of moves to find.
    pub lines: usize,
    /// The network; without one the handcrafted evaluation is used.
    pub network: Option<Arc<Network>>,
}

impl BookSearch {
    /// Searches a position. The same position always gives the same result.
    pub fn run<P: SearchedGame>(&self, position: &P) -> Result<BookSearchResult, OutOfMemory> {
        let key = BookKey::of(position);
        // Of several moves that lead to the same position, one suffices.
        let mut reached = BTreeSet::new();
        let mut root_moves = legal_moves(position);
        root_moves.retain(|mv| reached.insert(BookKey::of(&position.play(*mv)).hash));
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let (table, signals) = (SearchMemory::new(TABLE)?, Signals::new(false));
        let request = SearchRequest {
            root_moves: &root_moves,
            options: SearchOptions { multipv: self.lines, ..SearchOptions::default() },
            network: self.network.as_deref(),
            ..SearchRequest::new(*position, &limits, &table, &signals)
        };
        let mut moves = Vec::new();
        P::search(&request, &mut |event| {
            let SearchEvent::Line(line) = event else { return };
            let Some(&mv) = line.pv.first() else { return };
            let code = key.code(position, mv);
            let found = (code, line.score.raw());
            insert_pv(&mut moves, line.multipv, line.bound, found, |&(other, _)| other == code);
        });
        let score = moves.first().map_or(0, |&(_, score)| score);
        Ok(BookSearchResult { hash: key.hash, score, moves })
    }
}
