//! Statistics of match results: Elo with its confidence interval, and the sequential probability
//! ratio test (SPRT), which ends a match as soon as its results are significant.
//!
//! The two games of a pair share an opening, which may favour one side; only the sum of their
//! results is free of this bias. Results are therefore counted by pair, in five classes
//! (pentanomial).
//! See <https://www.chessprogramming.org/Match_Statistics>.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Half the width of a 95 % confidence interval, in standard errors.
const CONFIDENCE: f64 = 1.959_964;

/// The replacement for a count of 0 in the sequential test, which takes logarithms.
const RARE: f64 = 1e-3;

/// The results of a match by pairs of games, from the first engine's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pairs {
    /// The number of pairs with 0, 1, 2, 3 and 4 half points.
    pub counts: [u64; 5],
}

impl Pairs {
    /// Counts a pair with the given half points.
    pub fn add(&mut self, half_points: usize) {
        if let Some(count) = self.counts.get_mut(half_points) {
            *count += 1;
        }
    }

    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the Elo difference, or `None` without a pair.
    pub fn elo(&self) -> Option<Elo> {
        let pairs = self.count() as f64;
        let (mean, variance) = moments(&self.counts.map(|count| count as f64))?;
        let (below, above) = if variance > 0.0 {
            let reach = CONFIDENCE * (variance / pairs).sqrt();
            (reach, reach)
        } else {
            // Identical results have no variance. The rule of three bounds the rate of other
            // results: at most 3 in n with 95 % confidence. See Eypasch et al., "Probability of
            // adverse events that have not yet occurred".
            let unseen = (3.0 / pairs).min(1.0);
            (unseen * mean, unseen * (1.0 - mean))
        };
        Some(Elo { value: elo(mean), low: elo(mean - below), high: elo(mean + above) })
    }

    /// Returns the generalised log-likelihood ratio of an advantage of `elo1` against one of `elo0`
    /// for the first engine: each hypothesis is represented by the likeliest distribution with its
    /// mean. See Michel Van den Bergh, "The Generalized Sequential Probability Ratio Test".
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

/// The average score of a game, from 0 to 1, for the five results of a pair.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Returns the tilt of the likeliest distribution with the given mean. Its probabilities are
/// proportional to `weight / (1 + tilt * (score - mean))`.
fn tilt(weights: &[f64; 5], mean: f64) -> f64 {
    // Within these bounds all probabilities are positive, and the sum decreases from above 0 to
    // below.
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

/// Returns the mean and the variance over pairs of the average score of a game, from 0 to 1.
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

/// Returns the Elo difference with the given expected score.
fn elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Returns the expected score for an Elo difference.
fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// An Elo difference with its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Elo {
    /// The maximum-likelihood estimate.
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let reach = (self.high - self.low) / 2.0;
        // Adding 0.0 turns -0.0 into 0.0.
        let value = self.value + 0.0;
        if reach.is_finite() {
            write!(f, "{value:+.1} +- {reach:.1}")
        } else {
            // The interval is unbounded if an engine has won everything.
            write!(f, "{value:+.1} [{:+.1}, {:+.1}]", self.low, self.high)
        }
    }
}

/// The probability of an error of either kind (alpha and beta).
const ERROR_RATE: f64 = 0.05;

/// A test of the hypothesis "stronger by `elo1`" against "stronger by `elo0`".
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// The Elo difference of the alternative hypothesis.
    pub elo1: f64,
}

/// A greater Elo difference gives an expected score of practically 1.
const MOST_ELO: f64 = 1_000.0;

impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (elo0, elo1) = text.split_once(',').ok_or("expected ELO0,ELO1, such as 0,5")?;
        let number = |text: &str| {
            let elo = text.trim().parse().ok().filter(|elo: &f64| elo.abs() <= MOST_ELO);
            elo.ok_or_else(|| format!("expected numbers from -{MOST_ELO} to {MOST_ELO}"))
        };
        let sprt = Self { elo0: number(elo0)?, elo1: number(elo1)? };
        if sprt.elo0 < sprt.elo1 { Ok(sprt) } else { Err("ELO0 must be less than ELO1".into()) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtState {
    /// The first engine is not `elo1` stronger.
    Rejected,
    /// The results are not significant yet.
    Open,
    /// The first engine is more than `elo0` stronger.
    Accepted,
}

impl Sprt {
    /// Returns the state of the test after these results.
    pub fn state(self, pairs: &Pairs) -> SprtState {
        let ratio = pairs.log_likelihood_ratio(self.elo0, self.elo1);
        match ratio {
            _ if ratio >= Self::bound() => SprtState::Accepted,
            _ if ratio <= -Self::bound() => SprtState::Rejected,
            _ => SprtState::Open,
        }
    }

    /// Returns the absolute log-likelihood ratio at which the test ends.
    pub fn bound() -> f64 {
        ((1.0 - ERROR_RATE) / ERROR_RATE).ln()
    }
}

/// A sequential test in progress. The first decision is final: pairs that were in progress at that
/// time are counted, but do not reopen the test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtTest {
    sprt: Sprt,
    verdict: SprtState,
}

impl SprtTest {
    pub fn new(sprt: Sprt) -> Self {
        Self { sprt, verdict: SprtState::Open }
    }

    /// Updates the state after another pair.
    pub fn update(&mut self, pairs: &Pairs) {
        if !self.is_decided() {
            self.verdict = self.sprt.state(pairs);
        }
    }

    pub fn is_decided(&self) -> bool {
        self.verdict != SprtState::Open
    }

    pub fn json(&self, pairs: &Pairs) -> Value {
        let Self { sprt: Sprt { elo0, elo1 }, verdict } = *self;
        let llr = pairs.log_likelihood_ratio(elo0, elo1);
        json!({ "elo0": elo0, "elo1": elo1, "llr": llr, "verdict": verdict })
    }

    pub fn describe(&self, pairs: &Pairs) -> String {
        let Self { sprt: Sprt { elo0, elo1 }, verdict } = *self;
        let verdict_text = match verdict {
            SprtState::Rejected => ", rejected",
            SprtState::Open => "",
            SprtState::Accepted => ", accepted",
        };
        let is_old = verdict != self.sprt.state(pairs);
        let since = if is_old { " before the last pairs" } else { "" };
        let (ratio, bound) = (pairs.log_likelihood_ratio(elo0, elo1), Sprt::bound());
        format!("LLR {ratio:+.2} of +-{bound:.2} for [{elo0}, {elo1}]{verdict_text}{since}")
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
    fn elo_and_score_convert_known_values() {
        let table = [(0.5, 0.0), (0.75, 190.85), (0.9, 381.70), (0.36, -99.95)];
        for (points, difference) in table {
            assert!(close(elo(points), difference), "{points}");
            assert!(close(score(difference), points), "{difference}");
        }
    }

    #[test]
    fn the_interval_matches_fastchess() {
        // From the tests of fastchess, which counts a win and a loss separately from two draws.
        let table = [
            ([34, 54, 31 + 32, 64, 75], 55.58, 27.65),
            ([332, 433, 457 + 41, 333, 334], -8.64, 10.33),
            ([7895, 8757, 5485 + 200, 568, 9999], -21.04, 2.95),
        ];
        for (counts, value, half_width) in table {
            let found = pairs(counts).elo().unwrap();
            assert!(close(found.value, value), "{found}");
            assert!(close((found.high - found.low) / 2.0, half_width), "{found}");
        }
    }

    #[test]
    fn identical_results_are_bounded_by_the_rule_of_three() {
        let table = [
            // 9 of 9: up to a third of the pairs may have other results, so 2/3 of the points.
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
    fn the_log_likelihood_ratio_matches_fastchess() {
        // From the tests of fastchess.
        let (one, other) = ([223, 9863, 21279, 10037, 246], [871, 26175, 55983, 26678, 821]);
        assert!(close(pairs(one).log_likelihood_ratio(0.5, 2.5), -3.07));
        assert!(close(pairs(other).log_likelihood_ratio(0.0, 2.0), -4.98));
        // Derived on paper: with a mean of 0.36, the likeliest distribution wins 36 of 100 pairs
        // and loses the others, so each pair won contributes ln(0.64 / 0.36).
        let elo = elo(0.64);
        for won in [1, 2, 5] {
            let ratio = pairs([0, 0, 0, 0, won]).log_likelihood_ratio(-elo, elo);
            assert!(close(ratio, won as f64 * (0.64_f64 / 0.36).ln()), "{ratio}");
        }
        assert!(close(pairs([0; 5]).log_likelihood_ratio(0.0, 5.0), 0.0));
    }

    #[test]
    fn a_sequential_test_ends_with_significant_results() {
        let sprt = Sprt { elo0: 0.0, elo1: 10.0 };
        assert!((Sprt::bound() - 2.944).abs() < 0.01);
        assert_eq!(sprt.state(&Pairs::default()), SprtState::Open);
        assert_eq!(sprt.state(&pairs([1, 2, 4, 3, 1])), SprtState::Open);
        // One pair is not significant, whatever its result.
        assert_eq!(sprt.state(&pairs([0, 0, 0, 0, 1])), SprtState::Open);
        assert_eq!(sprt.state(&pairs([1, 0, 0, 0, 0])), SprtState::Open);
        assert_eq!(sprt.state(&pairs([50, 200, 500, 400, 150])), SprtState::Accepted);
        assert_eq!(sprt.state(&pairs([150, 400, 500, 200, 50])), SprtState::Rejected);
    }

    #[test]
    fn a_sequential_test_is_read_from_two_differences() {
        assert_eq!("-3,3".parse(), Ok(Sprt { elo0: -3.0, elo1: 3.0 }));
        let wrong = ["3,3", "0,inf", "0,1001", "nan,5"];
        assert!(wrong.iter().all(|text| text.parse::<Sprt>().is_err()));
    }

    #[test]
    fn the_first_decision_is_final() {
        let mut test = SprtTest::new(Sprt { elo0: -50.0, elo1: 50.0 });
        let table = [
            ([0, 0, 0, 0, 4], "LLR +1.15 of +-2.94 for [-50, 50]"),
            ([0, 0, 0, 0, 11], "LLR +3.17 of +-2.94 for [-50, 50], accepted"),
            ([2, 0, 0, 0, 11], "LLR +2.59 of +-2.94 for [-50, 50], accepted before the last pairs"),
        ];
        for (counts, text) in table {
            test.update(&pairs(counts));
            assert_eq!(test.describe(&pairs(counts)), text);
        }
        assert!(test.is_decided());
        let json = test.json(&pairs([9, 0, 0, 0, 0]));
        assert_eq!(json.get("verdict").unwrap(), "accepted");
    }
}
