//! What the results of pairs of games say about strength.
//!
//! The two games of a pair share an opening, which favours one side or the other; only their sum
//! is free of it. So pairs are counted, by their five possible sums, and not games.
//! See <https://www.chessprogramming.org/Match_Statistics>.

use std::fmt::{self, Display};

use serde::Serialize;

/// Half a confidence interval of 95 %, in standard errors.
const CONFIDENCE: f64 = 1.959_964;

/// What stands for a count of 0 in the sequential test, whose logarithms must have a value.
const RARE: f64 = 1e-3;

/// The results of a match by pairs of games, for the first engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pairs {
    /// How many pairs brought 0, 1, 2, 3 and 4 half points.
    pub counts: [u64; 5],
}

impl Pairs {
    /// Counts a pair that brought so many half points.
    pub fn add(&mut self, half_points: usize) {
        if let Some(count) = self.counts.get_mut(half_points) {
            *count += 1;
        }
    }

    /// The number of pairs.
    pub fn len(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The difference in strength; none without a pair.
    pub fn elo(&self) -> Option<Elo> {
        let pairs = self.len() as f64;
        let (mean, variance) = moments(&self.counts.map(|count| count as f64))?;
        let (below, above) = if variance > 0.0 {
            let reach = CONFIDENCE * (variance / pairs).sqrt();
            (reach, reach)
        } else {
            // Pairs that all came out alike tell no spread, but that another result is rare: with
            // 95 % not more than 3 in n. See Eypasch et al., "Probability of adverse events that
            // have not yet occurred".
            let unseen = (3.0 / pairs).min(1.0);
            (unseen * mean, unseen * (1.0 - mean))
        };
        Some(Elo { value: elo(mean), low: elo(mean - below), high: elo(mean + above) })
    }

    /// The logarithm of how much likelier the results are if the first engine is `elo1` stronger
    /// than if it is `elo0` stronger: the generalised ratio, of the likeliest distributions with
    /// these means. See Michel Van den Bergh, "The Generalized Sequential Probability Ratio Test".
    pub fn log_likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        let weights = self.counts.map(|count| (count as f64).max(RARE));
        let tilts = [elo0, elo1].map(score).map(|mean| (mean, tilt(&weights, mean)));
        let [tilted0, tilted1] = tilts.map(|(mean, tilt)| {
            let logs = weights
                .iter()
                .zip(SCORES)
                .map(|(weight, score)| weight * (1.0 + tilt * (score - mean)).ln());
            logs.sum::<f64>()
        });
        tilted0 - tilted1
    }
}

/// The scores of a game, from 0 to 1, that the five results of a pair stand for.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Of all distributions with this mean the likeliest has the probabilities
/// `weight / (1 + tilt * (score - mean))`, but for a factor; this is the tilt.
fn tilt(weights: &[f64; 5], mean: f64) -> f64 {
    // Within these bounds all are positive, and the sum falls from above 0 to below.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let sum = |tilt: f64| -> f64 {
        let terms = weights.iter().zip(SCORES);
        terms.map(|(weight, score)| weight * (score - mean) / (1.0 + tilt * (score - mean))).sum()
    };
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if sum(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// The mean and the variance of the score of a game, from 0 to 1, over pairs.
fn moments(weights: &[f64; 5]) -> Option<(f64, f64)> {
    let total = weights.iter().sum::<f64>();
    if total <= 0.0 {
        return None;
    }
    let scored = || weights.iter().zip(SCORES);
    let mean = scored().map(|(weight, score)| weight * score).sum::<f64>() / total;
    let variance = scored().map(|(weight, score)| weight * (score - mean).powi(2)).sum::<f64>();
    Some((mean, variance / total))
}

/// The difference in strength at which a score is to be expected.
fn elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The score that is to be expected at a difference in strength.
fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// A difference in strength and its interval of 95 %, in Elo.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Elo {
    /// The likeliest value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let reach = (self.high - self.low) / 2.0;
        // A zero has no sign.
        let value = self.value + 0.0;
        if reach.is_finite() {
            write!(f, "{value:+.1} +- {reach:.1}")
        } else {
            // Who has won everything may be infinitely stronger.
            write!(f, "{value:+.1} [{:+.1}, {:+.1}]", self.low, self.high)
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn pairs(counts: [u64; 5]) -> Pairs {
        Pairs { counts }
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 0.01
    }

    #[test]
    fn scores_become_known_differences() {
        let table = [(0.5, 0.0), (0.75, 190.85), (0.9, 381.70), (0.36, -99.95)];
        for (points, difference) in table {
            assert!(close(elo(points), difference), "{points}");
            assert!(close(score(difference), points), "{difference}");
        }
    }

    #[test]
    fn even_pairs_are_no_difference() {
        assert_eq!(pairs([7, 2, 5, 2, 7]).elo().unwrap().value, 0.0);
        assert_eq!(pairs([0; 5]).elo(), None);
    }

    #[test]
    fn the_interval_is_that_of_a_worked_example() {
        // Mean 0.55, mean square 0.35625, so the variance is 0.05375.
        let found = pairs([5, 15, 40, 35, 5]).elo().unwrap();
        assert!(close(found.value, elo(0.55)));
        let error = (0.05375_f64 / 100.0).sqrt();
        assert!(close(found.low, elo(0.55 - 1.959_964 * error)), "{found}");
        assert!(close(found.high, elo(0.55 + 1.959_964 * error)), "{found}");
    }

    #[test]
    fn swapping_the_engines_swaps_the_sign() {
        let one = pairs([1, 4, 30, 9, 6]).elo().unwrap();
        let other = pairs([6, 9, 30, 4, 1]).elo().unwrap();
        assert!(close(one.value, -other.value));
        assert!(close(one.low, -other.high));
        let (a, b) = (pairs([1, 4, 30, 9, 6]), pairs([6, 9, 30, 4, 1]));
        let ratios = (a.log_likelihood_ratio(-3.0, 3.0), b.log_likelihood_ratio(-3.0, 3.0));
        assert!(close(ratios.0, -ratios.1));
    }

    #[test]
    fn more_games_narrow_the_interval() {
        let width = |n| {
            let elo = pairs([n, 2 * n, 5 * n, 3 * n, n]).elo().unwrap();
            elo.high - elo.low
        };
        assert!(close(width(1) / width(4), 2.0) || width(1) / width(4) > 2.0);
        assert!(width(100) < width(10));
    }

    #[test]
    fn the_interval_is_that_of_other_programs() {
        // From the tests of fastchess, whose pairs of a win and a loss stand apart.
        let table = [
            ([34, 54, 31 + 32, 64, 75], 55.58, 27.65),
            ([332, 433, 457 + 41, 333, 334], -8.64, 10.33),
            ([7895, 8757, 5485 + 200, 568, 9999], -21.04, 2.95),
        ];
        for (counts, value, reach) in table {
            let found = pairs(counts).elo().unwrap();
            assert!(close(found.value, value), "{found}");
            assert!(close((found.high - found.low) / 2.0, reach), "{found}");
        }
    }

    #[test]
    fn pairs_that_all_came_out_alike_leave_the_rule_of_three() {
        let table = [
            // 9 of 9: a third of the pairs may come out otherwise, so 2/3 of the points.
            ([0, 0, 0, 0, 9], "+inf [+120.4, +inf]"),
            ([9, 0, 0, 0, 0], "-inf [-inf, -120.4]"),
            ([0, 0, 0, 0, 1], "+inf [-inf, +inf]"),
            ([0, 0, 1, 0, 0], "+0.0 [-inf, +inf]"),
            // 3 of 300 pairs lost, or won, instead: 0.495, or 0.505.
            ([0, 0, 300, 0, 0], "+0.0 +- 3.5"),
        ];
        for (counts, text) in table {
            assert_eq!(pairs(counts).elo().unwrap().to_string(), text);
        }
    }

    #[test]
    fn the_ratio_is_that_of_other_programs() {
        // From the tests of fastchess.
        let (one, other) = ([223, 9863, 21279, 10037, 246], [871, 26175, 55983, 26678, 821]);
        assert!(close(pairs(one).log_likelihood_ratio(0.5, 2.5), -3.07));
        assert!(close(pairs(other).log_likelihood_ratio(0.0, 2.0), -4.98));
        // By hand: with a mean of 0.36 the likeliest way to win a pair is that 36 in 100 are won
        // and the others lost, so each pair that was won counts ln(0.64 / 0.36).
        let elo = elo(0.64);
        for won in [1, 2, 5] {
            let ratio = pairs([0, 0, 0, 0, won]).log_likelihood_ratio(-elo, elo);
            assert!(close(ratio, won as f64 * (0.64_f64 / 0.36).ln()), "{ratio}");
        }
        assert!(close(pairs([0; 5]).log_likelihood_ratio(0.0, 5.0), 0.0));
    }
}
