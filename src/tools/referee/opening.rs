//! Openings: from a file, or at random.

use rand::RngExt;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::MatchError;
use crate::engine::session::Session;

/// How often a random opening is drawn before there seems to be none.
const TRIES: usize = 1_000;

/// Where openings come from. Each pair of games has its own.
pub enum Openings {
    /// Pairs take them in turn, from the first again after the last.
    Listed(Vec<Vec<String>>),
    /// Made from the number of the pair.
    Random {
        /// The seed of the match.
        seed: u64,
        /// The fewest and the most plies.
        plies: (u32, u32),
    },
}

impl Openings {
    /// Reads openings, one a line: moves from the start, and comments behind `#`.
    pub fn read(text: &str, start: &dyn Session) -> Result<Self, MatchError> {
        let mut openings = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let moves = line.split('#').next().unwrap_or_default();
            let moves: Vec<&str> = moves.split_whitespace().collect();
            if moves.is_empty() {
                continue;
            }
            let after = start.after(&moves);
            let after =
                after.map_err(|why| MatchError::Opening { number, why: why.to_string() })?;
            if let Some(ending) = after.view().ending {
                return Err(MatchError::Opening { number, why: ending.to_string() });
            }
            openings.push(moves.into_iter().map(str::to_string).collect());
        }
        if openings.is_empty() { Err(MatchError::NoOpening) } else { Ok(Self::Listed(openings)) }
    }

    /// The opening of a pair of games, as moves from the start.
    pub fn of_pair(&self, pair: usize, start: &dyn Session) -> Result<Vec<String>, MatchError> {
        match self {
            Self::Listed(openings) => {
                openings.iter().cycle().nth(pair % openings.len().max(1)).cloned()
            }
            &Self::Random { seed, plies } => {
                // The generator spreads its seed, so neighbouring pairs have nothing in common.
                let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(pair as u64);
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
                (0..TRIES).find_map(|_| draw(start, plies, &mut random))
            }
        }
        .ok_or(MatchError::NoOpening)
    }
}

/// Random moves; none where the game is over after them, or the side to move can win at once.
fn draw(
    start: &dyn Session,
    (least, most): (u32, u32),
    random: &mut Xoshiro256PlusPlus,
) -> Option<Vec<String>> {
    let mut moves = Vec::new();
    let mut session = start.after(&[]).ok()?;
    for _ in 0..random.random_range(least..=most) {
        let legal = session.view().moves;
        // As 32 bits the number is the same on every computer.
        let choice = random.random_range(0..u32::try_from(legal.len()).ok().filter(|&n| n > 0)?);
        let mv = legal.into_iter().nth(choice as usize)?;
        session = session.after(&[&mv]).ok()?;
        moves.push(mv);
    }
    let view = session.view();
    // A move that ends the game here is a win of somebody, or an early draw: no opening either.
    let ends = |mv: &String| session.after(&[mv]).is_ok_and(|next| next.view().ending.is_some());
    (view.ending.is_none() && !view.moves.iter().any(ends)).then_some(moves)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::engine::open;
    use crate::games::variants;
    use crate::options::Options;

    fn start(variant: &'static str) -> Box<dyn Session> {
        let mut options = Options::default();
        options.variant = variant;
        open(&options).unwrap()
    }

    #[test]
    fn random_openings_can_be_made_again_and_differ() {
        for variant in variants() {
            let start = start(variant.name);
            let openings = Openings::Random { seed: 1, plies: (6, 11) };
            let mut seen = Vec::new();
            for pair in 0..50 {
                let opening = openings.of_pair(pair, &*start).unwrap();
                assert_eq!(opening, openings.of_pair(pair, &*start).unwrap());
                assert!((6..=11).contains(&opening.len()), "{opening:?}");
                assert!(!seen.contains(&opening), "{opening:?}");
                seen.push(opening);
            }
            let other = Openings::Random { seed: 2, plies: (6, 11) };
            assert!(!seen.contains(&other.of_pair(0, &*start).unwrap()));
        }
    }

    #[test]
    fn nothing_is_decided_in_an_opening() {
        let start = start(Options::default().variant);
        let openings = Openings::Random { seed: 7, plies: (20, 30) };
        for pair in 0..20 {
            let opening = openings.of_pair(pair, &*start).unwrap();
            let moves: Vec<&str> = opening.iter().map(String::as_str).collect();
            let session = start.after(&moves).unwrap();
            assert_eq!(session.view().ending, None);
            for mv in session.view().moves {
                assert_eq!(session.after(&[&mv]).unwrap().view().ending, None);
            }
        }
    }

    #[test]
    fn a_file_of_openings_is_read_and_checked() {
        let start = start("linesofaction");
        let text = "# two openings\nb8b6 a4c4 # first\n\n b8h8\n";
        let openings = Openings::read(text, &*start).unwrap();
        for (pair, first) in [(0, "b8b6"), (1, "b8h8"), (2, "b8b6"), (5, "b8h8")] {
            let opening = openings.of_pair(pair, &*start).unwrap();
            assert_eq!(opening.first().unwrap(), first);
        }
        let complaint = |text| Openings::read(text, &*start).err().unwrap().to_string();
        assert!(complaint("b8b6\na1a2").starts_with("opening in line 2: illegal move a1a2"));
        let lost = "d1b3 h5g4 b1b4 g4g1 b4e7 a3c1 b3e6 h3f1 e1e5";
        assert!(complaint(lost).starts_with("opening in line 1: Black has won"));
        assert_eq!(complaint("# nothing"), "there is no opening to play");
    }
}
