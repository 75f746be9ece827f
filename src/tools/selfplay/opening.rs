//! Openings of self-play games: random moves, or a listed opening followed by random moves.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::game::{Game, GameHistory, legal_moves};
use crate::tools::openings::Opening;

/// The minimum and maximum number of random plies of an opening.
const RANDOM_PLIES: (u32, u32) = (6, 11);

/// The minimum and maximum number of random plies after a listed opening.
const PLIES_BEHIND: (u32, u32) = (0, 4);

/// A source of openings.
pub struct Openings<P: Game> {
    /// The start position.
    start: P,
    /// The listed openings: a position, and moves from it. If empty, openings are random.
    listed: Vec<(P, Vec<P::Move>)>,
}

impl<P: Game> Openings<P> {
    /// Returns a source of random openings.
    pub fn random(start: P) -> Self {
        Self { start, listed: Vec::new() }
    }

    /// Returns a source of openings that begin with one of those listed.
    pub fn listed(start: P, openings: &[Opening]) -> Result<Self, P::Error> {
        let listed =
            openings.iter().map(|opening| moves_of(&start, opening)).collect::<Result<_, _>>()?;
        Ok(Self { start, listed })
    }

    /// Draws an opening and returns the game after it. It is shorter if the game ends earlier.
    pub fn draw(&self, random: &mut Xoshiro256PlusPlus) -> GameHistory<P> {
        let listed = u32::try_from(self.listed.len()).ok().filter(|&count| count > 0);
        let listed = listed.map(|count| random.random_range(0..count) as usize);
        let listed = listed.and_then(|number| self.listed.get(number));
        let (least, most) = if listed.is_some() { PLIES_BEHIND } else { RANDOM_PLIES };
        let (start, moves) =
            listed.map_or((self.start, [].as_slice()), |(start, moves)| (*start, moves));
        let mut game = GameHistory::new(start);
        for &mv in moves {
            game.play(mv);
        }
        for _ in 0..random.random_range(least..=most) {
            let Some(mv) = random_move(game.position(), random) else { break };
            game.play(mv);
        }
        game
    }
}

/// Returns a random legal move, or `None` if the game is over.
fn random_move<P: Game>(position: &P, random: &mut Xoshiro256PlusPlus) -> Option<P::Move> {
    let moves = legal_moves(position);
    // A 32-bit number gives the same choice on 32-bit and 64-bit platforms.
    let count = u32::try_from(moves.len()).ok().filter(|&count| count > 0)?;
    moves.get(random.random_range(0..count) as usize).copied()
}

/// Returns the position in which an opening begins, and its moves.
fn moves_of<P: Game>(start: &P, opening: &Opening) -> Result<(P, Vec<P::Move>), P::Error> {
    let setup = opening.setup.as_deref();
    let begin = setup.map_or(Ok(*start), |setup| P::read_setup(setup, P::Rules::default()))?;
    let mut position = begin;
    let mut moves = Vec::new();
    for text in &opening.moves {
        let mv = position.read_move(text)?;
        position = position.play(mv);
        moves.push(mv);
    }
    Ok((begin, moves))
}
