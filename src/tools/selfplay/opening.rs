//! Openings of self-play games: random moves, or a listed opening followed by random moves.

use std::path::Path;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::error::SelfplayError;
use crate::files::regular;
use crate::game::{Game, legal_moves, outcome};

/// The minimum and maximum number of random plies of an opening.
const RANDOM_PLIES: (u32, u32) = (6, 11);

/// The minimum and maximum number of random plies after a listed opening.
const PLIES_BEHIND: (u32, u32) = (0, 4);

/// The maximum size of an openings file, in bytes.
const MOST_BYTES: u64 = 16 << 20;

/// A source of openings.
pub struct Openings<P: Game> {
    /// The listed openings; if empty, openings are random.
    listed: Vec<Vec<P::Move>>,
}

impl<P: Game> Openings<P> {
    /// Returns a source of random openings.
    pub fn random() -> Self {
        Self { listed: Vec::new() }
    }

    /// Reads a file with one opening a line: moves from the start position, and comments after `#`.
    /// Also returns the text of the file.
    pub fn read(path: &Path, start: &P) -> Result<(Self, String), SelfplayError> {
        let named = |why: String| SelfplayError::Openings { path: path.into(), why };
        let text = regular::read(path, MOST_BYTES).map_err(|error| named(error.to_string()))?;
        let text = String::from_utf8(text).map_err(|error| named(error.to_string()))?;
        let mut listed = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let moves = line.split('#').next().unwrap_or_default();
            if moves.trim().is_empty() {
                continue;
            }
            let moves = read_moves(start, moves);
            listed.push(moves.map_err(|why| named(format!("line {number}: {why}")))?);
        }
        if listed.is_empty() {
            return Err(named("no openings found".into()));
        }
        Ok((Self { listed }, text))
    }

    /// Draws an opening and returns its moves. It is shorter if the game ends earlier.
    pub fn draw(&self, start: &P, random: &mut Xoshiro256PlusPlus) -> Vec<P::Move> {
        let listed = u32::try_from(self.listed.len()).ok().filter(|&count| count > 0);
        let listed = listed.map(|count| random.random_range(0..count) as usize);
        let listed = listed.and_then(|number| self.listed.get(number));
        let (least, most) = if listed.is_some() { PLIES_BEHIND } else { RANDOM_PLIES };
        let mut moves = listed.cloned().unwrap_or_default();
        let mut position = moves.iter().fold(*start, |position, &mv| position.play(mv));
        for _ in 0..random.random_range(least..=most) {
            let Some(mv) = random_move(&position, random) else { break };
            position = position.play(mv);
            moves.push(mv);
        }
        moves
    }
}

/// Returns a random legal move, or `None` if the game is over.
fn random_move<P: Game>(position: &P, random: &mut Xoshiro256PlusPlus) -> Option<P::Move> {
    let moves = legal_moves(position);
    // A 32-bit number gives the same choice on 32-bit and 64-bit platforms.
    let count = u32::try_from(moves.len()).ok().filter(|&count| count > 0)?;
    moves.get(random.random_range(0..count) as usize).copied()
}

fn read_moves<P: Game>(start: &P, text: &str) -> Result<Vec<P::Move>, String> {
    let mut position = *start;
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let mv = position.read_move(word).map_err(|error| format!("{word}: {error}"))?;
        position = position.play(mv);
        moves.push(mv);
    }
    outcome(&position).map_or(Ok(moves), |outcome| Err(outcome.to_string()))
}
