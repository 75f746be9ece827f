//! Openings of self-play games: random moves, or a listed opening followed by random moves.

use rand::rngs::Xoshiro256PlusPlus;
use soucie::game::{Game, GameHistory};
use soucie::random_openings::{RANDOM_PLIES, draw_index, play_random_moves};

use crate::openings::ListedOpening;

/// The minimum and maximum number of random plies after a listed opening.
const PLIES_BEHIND: (u32, u32) = (0, 4);

pub struct Openings<P: Game> {
    start: P,
    /// The games after the listed openings. If empty, openings are random.
    listed: Vec<GameHistory<P>>,
}

impl<P: Game> Openings<P> {
    pub fn random(start: P) -> Self {
        Self { start, listed: Vec::new() }
    }

    /// Returns a source of openings that begin with one of those listed.
    pub fn listed(start: P, openings: &[ListedOpening]) -> Result<Self, P::Error> {
        let listed = openings.iter().map(|opening| opening.play(&start));
        let listed = listed.collect::<Result<_, _>>()?;
        Ok(Self { start, listed })
    }

    /// Draws an opening and returns the game after it. It is shorter if the game ends earlier.
    pub fn draw(&self, random: &mut Xoshiro256PlusPlus) -> GameHistory<P> {
        let listed = draw_index(self.listed.len(), random).and_then(|index| self.listed.get(index));
        let plies = if listed.is_some() { PLIES_BEHIND } else { RANDOM_PLIES };
        let mut game = listed.map_or_else(|| GameHistory::new(self.start), GameHistory::clone);
        play_random_moves(&mut game, plies, random);
        game
    }
}
