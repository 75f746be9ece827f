//! Random openings: the same for the same random numbers.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::game::{Game, GameHistory, legal_moves};

/// The default range of the length of a random opening, in plies.
pub const RANDOM_PLIES: (u32, u32) = (6, 11);

/// Plays this many random moves, fewer if the game ends.
pub fn play_random_moves<P: Game>(
    game: &mut GameHistory<P>,
    (least, most): (u32, u32),
    random: &mut Xoshiro256PlusPlus,
) {
    for _ in 0..random.random_range(least..=most) {
        let moves = legal_moves(game.position());
        let drawn = draw_index(moves.len(), random).and_then(|index| moves.get(index));
        let Some(&mv) = drawn else { break };
        game.play(mv);
    }
}

/// Draws an index below `count`; `None` if that is 0.
pub fn draw_index(count: usize, random: &mut Xoshiro256PlusPlus) -> Option<usize> {
    // A 32-bit number gives the same choice on 32-bit and 64-bit platforms.
    let count = u32::try_from(count).ok().filter(|&count| count > 0)?;
    Some(random.random_range(0..count) as usize)
}
