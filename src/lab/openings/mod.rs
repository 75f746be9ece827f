//! Openings of matches, books and self-play: random ones, or those of a file (`read`) or of a built-in
//! set (`sets`).

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod read;
mod sets;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

pub use read::{read, read_file};
pub use sets::{OpeningSet, SETS, eleven_man_ballots};
use soucie::engine::EngineError;
use soucie::engine::session::GameSession;
use soucie::game::{Game, GameHistory};
use soucie::random_openings::{RANDOM_PLIES, draw_index};

/// The number of attempts to draw a random opening before giving up.
const TRIES: usize = 1_000;

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ListedOpening {
    /// The setup; `None` for the start position of the variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup: Option<String>,
    /// The moves from the setup, in coordinate notation.
    pub moves: Vec<String>,
}

impl ListedOpening {
    /// Returns a session after the moves of the opening.
    pub fn begin(&self, start: &dyn GameSession) -> Result<Box<dyn GameSession>, EngineError> {
        let moves: Vec<&str> = self.moves.iter().map(String::as_str).collect();
        let mut session = start.copy();
        session.set_position(self.setup.as_deref(), &moves)?;
        Ok(session)
    }

    /// Returns the game after the moves of the opening. `start` is the start position.
    pub fn play<P: Game>(&self, start: &P) -> Result<GameHistory<P>, P::Error> {
        let setup = self.setup.as_deref();
        let begin = setup.map_or(Ok(*start), |setup| P::read_setup(setup, P::Rules::default()))?;
        let mut game = GameHistory::new(begin);
        for text in &self.moves {
            game.play(game.position().read_move(text)?);
        }
        Ok(game)
    }

    /// Returns the `position` command for the setup and `moves`, which include the opening moves.
    pub fn position(&self, moves: &[String]) -> String {
        let setup = self.setup.as_ref().map_or("startpos".to_string(), |fen| format!("fen {fen}"));
        let between = if moves.is_empty() { "" } else { " moves " };
        format!("position {setup}{between}{}", moves.join(" "))
    }
}

/// A source of openings. Each pair of games has one opening.
pub enum OpeningSource {
    /// A list, repeated from the start when it is exhausted.
    Listed(Vec<ListedOpening>),
    /// Random openings, determined by the seed and the index of the pair.
    Random {
        seed: u64,
        /// The minimum and maximum number of plies.
        plies: (u32, u32),
    },
}

impl OpeningSource {
    /// Returns random openings with a number of plies in the given range.
    pub fn random(seed: u64, plies: Option<(u32, u32)>) -> Self {
        Self::Random { seed, plies: plies.unwrap_or(RANDOM_PLIES) }
    }

    /// Returns the openings in playing order: the given one or, with a seed, shuffled.
    pub fn listed(mut openings: Vec<ListedOpening>, seed: Option<u64>) -> Self {
        if let Some(seed) = seed {
            openings.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        }
        Self::Listed(openings)
    }

    pub fn most_plies(&self) -> usize {
        match self {
            Self::Listed(openings) => {
                openings.iter().map(|opening| opening.moves.len()).max().unwrap_or(0)
            }
            Self::Random { plies: (_, most), .. } => *most as usize,
        }
    }

    /// Returns the opening of a pair of games; `pair` counts from 0. `None` if no random opening
    /// leaves the game undecided.
    pub fn for_pair(&self, pair: usize, start: &dyn GameSession) -> Option<ListedOpening> {
        match self {
            Self::Listed(openings) => openings.get(pair % openings.len().max(1)).cloned(),
            &Self::Random { seed, plies } => {
                // The generator mixes its seed, so that neighbouring pairs are uncorrelated.
                let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(pair as u64);
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
                (0..TRIES).find_map(|_| draw(start, plies, &mut random))
            }
        }
    }
}

/// Draws random moves. Returns `None` if the game is over after them or the side to move can end it
/// with one move.
fn draw(
    start: &dyn GameSession,
    (least, most): (u32, u32),
    random: &mut Xoshiro256PlusPlus,
) -> Option<ListedOpening> {
    let mut moves = Vec::new();
    let mut session = start.copy();
    for _ in 0..random.random_range(least..=most) {
        let legal = session.legal_moves();
        let choice = draw_index(legal.len(), random)?;
        let mv = legal.into_iter().nth(choice)?;
        session.play(&mv).ok()?;
        moves.push(mv);
    }
    // A move that ends the game is an immediate win or an early draw, so the opening is rejected.
    let ends = |mv: &String| session.with_moves(&[mv]).is_ok_and(|next| next.outcome().is_some());
    let is_open = session.outcome().is_none() && !session.legal_moves().iter().any(ends);
    is_open.then_some(ListedOpening { setup: None, moves })
}
