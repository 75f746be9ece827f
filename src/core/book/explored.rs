//! Openings that the engine has explored: the positions of the first plies of its games against itself, with
//! the number of games, their results, and scores.
//!
//! `soucie-lab book explored` writes the file of a game. It is a tree: a line has a move, indented by a blank
//! for each ply before it, the number of games with the position behind it, the points of the side that made
//! it in per cent, and the score for this side in centipawns. Positions that differ by a symmetry only are the
//! same, and the moves from each are listed once.
//!
//! ```text
//! d1b3 5012 48.5 -12
//!  h5f3 1720 52.0 3
//! ```

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use serde::Serialize;

use super::{BookKey, moves_up_to_symmetry};
use crate::game::{Game, MoveFormat};

/// The files as pairs of the name of a game and the content.
///
/// `soucie-lab selfplay --explore 30 --seeds 600000000..600050000` played the games of Lines of Action, with 1,000
/// nodes a move after the opening; `soucie-lab book explored --least 50` counted them.
const FILES: &[(&str, &str)] = &[("linesofaction", include_str!("books/linesofaction.txt"))];

/// What is known of a move: the games that reached the position behind it, whatever the moves before.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct OpeningStatistics {
    /// The number of these games.
    pub games: u32,
    /// The points of the side that made the move in these games, in per cent.
    pub percent: f32,
    /// The score for this side, in centipawns.
    #[serde(rename = "cp")]
    pub score: i32,
}

/// The explored openings of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct ExploredOpenings {
    /// By the hash of the position behind the move: see [`BookKey`].
    statistics: HashMap<u64, OpeningStatistics>,
}

impl ExploredOpenings {
    /// Openings with these statistics, by the hash of the position behind a move.
    pub fn new(statistics: HashMap<u64, OpeningStatistics>) -> Self {
        Self { statistics }
    }

    /// The openings of the game that are built in; `None` if there are none.
    pub fn built_in<P: Game>() -> Option<Self> {
        let (_, text) = FILES.iter().find(|(game, _)| *game == P::name())?;
        // The tests check that every file is readable.
        Self::read::<P>(text)
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.statistics.len()
    }

    /// The known moves of a position, the most frequent first; of those that lead to the same position up to a
    /// symmetry, one.
    pub fn moves<P: Game>(&self, position: &P) -> Vec<(P::Move, OpeningStatistics)> {
        let moves = moves_up_to_symmetry(position);
        let known = moves.iter().filter_map(|&mv| {
            let statistics = self.statistics.get(&BookKey::of(&position.play(mv)).hash)?;
            Some((mv, *statistics))
        });
        let mut known: Vec<_> = known.collect();
        known.sort_by_key(|(_, statistics)| u32::MAX - statistics.games);
        known
    }

    /// Reads a file; `None` if it is not as [`Self::write`] writes it.
    fn read<P: Game>(text: &str) -> Option<Self> {
        let mut positions = vec![start::<P>()?];
        let mut statistics = HashMap::new();
        for line in text.lines() {
            let [mv, games, percent, score] =
                line.split_whitespace().collect::<Vec<_>>().try_into().ok()?;
            positions.truncate(line.len() - line.trim_start().len() + 1);
            let position = *positions.last()?;
            let position = position.play(position.read_move(mv).ok()?);
            positions.push(position);
            let found = OpeningStatistics {
                games: games.parse().ok()?,
                percent: percent.parse().ok()?,
                score: score.parse().ok()?,
            };
            statistics.insert(BookKey::of(&position).hash, found);
        }
        Some(Self { statistics })
    }

    /// Writes the file of the game.
    pub fn write<P: Game>(&self) -> String {
        let mut text = String::new();
        let mut listed = HashSet::new();
        // The moves that are still to be written, the next one last.
        let mut rest = Vec::new();
        let add = |position: P, plies: usize, rest: &mut Vec<_>| {
            let moves = self.moves(&position).into_iter().rev();
            rest.extend(moves.map(|(mv, statistics)| (plies, position, mv, statistics)));
        };
        if let Some(start) = start::<P>() {
            add(start, 0, &mut rest);
        }
        while let Some((plies, position, mv, OpeningStatistics { games, percent, score })) =
            rest.pop()
        {
            let mv_text = position.write_move(mv, MoveFormat::Coordinate);
            let _ = writeln!(text, "{:plies$}{mv_text} {games} {percent:.1} {score}", "");
            let position = position.play(mv);
            if listed.insert(BookKey::of(&position).hash) {
                add(position, plies + 1, &mut rest);
            }
        }
        text
    }
}

fn start<P: Game>() -> Option<P> {
    P::read_setup(P::VARIANTS.first()?.start, P::Rules::default()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::with_game;

    #[test]
    fn built_in_files_are_read_as_they_are_written() {
        for (game, text) in FILES {
            let variant = games::variant(game).map_or("", |variant| variant.name);
            let read = with_game!(variant, |P, _variant| {
                let openings = ExploredOpenings::read::<P>(text);
                openings.map(|openings| openings.write::<P>())
            });
            assert_eq!(read.flatten().as_deref(), Some(*text), "{game}");
            assert!(text.len() <= 64 << 10, "{game}");
        }
    }
}
