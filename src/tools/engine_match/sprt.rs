//! The sequential probability ratio test (SPRT), which ends a match as soon as its results are
//! significant.

use serde::Serialize;

use super::stats::Pairs;

/// The probability of an error of either kind (alpha and beta).
const ERROR_RATE: f64 = 0.05;

/// A test of the hypothesis "stronger by `elo1`" against "stronger by `elo0`".
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// The Elo difference of the alternative hypothesis.
    pub elo1: f64,
}

/// The state of a sequential test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The first engine is not `elo1` stronger.
    Rejected,
    /// The results are not significant yet.
    Open,
    /// The first engine is more than `elo0` stronger.
    Accepted,
}

impl Sprt {
    /// Returns the state of the test after these results.
    pub fn verdict(self, pairs: &Pairs) -> Verdict {
        let ratio = pairs.log_likelihood_ratio(self.elo0, self.elo1);
        match ratio {
            _ if ratio >= Self::bound() => Verdict::Accepted,
            _ if ratio <= -Self::bound() => Verdict::Rejected,
            _ => Verdict::Open,
        }
    }

    /// Returns the absolute log-likelihood ratio at which the test ends.
    pub fn bound() -> f64 {
        ((1.0 - ERROR_RATE) / ERROR_RATE).ln()
    }
}

/// A sequential test in progress. The first verdict is final: pairs that were in progress at that
/// time are counted, but do not reopen the test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trial {
    sprt: Sprt,
    verdict: Verdict,
}

impl Trial {
    /// Returns a test without results.
    pub fn new(sprt: Sprt) -> Self {
        Self { sprt, verdict: Verdict::Open }
    }

    /// Updates the verdict after another pair.
    pub fn weigh(&mut self, pairs: &Pairs) {
        if !self.is_decided() {
            self.verdict = self.sprt.verdict(pairs);
        }
    }

    /// Returns whether the test has ended.
    pub fn is_decided(&self) -> bool {
        self.verdict != Verdict::Open
    }

    /// Returns the state of the test in the form that is written as JSON.
    pub fn summary(&self, pairs: &Pairs) -> SprtSummary {
        let Self { sprt: Sprt { elo0, elo1 }, verdict } = *self;
        SprtSummary { elo0, elo1, llr: pairs.log_likelihood_ratio(elo0, elo1), verdict }
    }

    /// Returns the state of the test as text.
    pub fn describe(&self, pairs: &Pairs) -> String {
        let Self { sprt: Sprt { elo0, elo1 }, verdict } = *self;
        let verdict_text = match verdict {
            Verdict::Rejected => ", rejected",
            Verdict::Open => "",
            Verdict::Accepted => ", accepted",
        };
        let is_old = verdict != self.sprt.verdict(pairs);
        let since = if is_old { " before the last pairs" } else { "" };
        let (ratio, bound) = (pairs.log_likelihood_ratio(elo0, elo1), Sprt::bound());
        format!("LLR {ratio:+.2} of +-{bound:.2} for [{elo0}, {elo1}]{verdict_text}{since}")
    }
}

/// The state of a sequential test as JSON.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtSummary {
    elo0: f64,
    elo1: f64,
    llr: f64,
    verdict: Verdict,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn pairs(counts: [u64; 5]) -> Pairs {
        Pairs { counts }
    }

    #[test]
    fn a_sequential_test_ends_when_it_must() {
        let sprt = Sprt { elo0: 0.0, elo1: 10.0 };
        assert!((Sprt::bound() - 2.944).abs() < 0.01);
        assert_eq!(sprt.verdict(&Pairs::default()), Verdict::Open);
        assert_eq!(sprt.verdict(&pairs([1, 2, 4, 3, 1])), Verdict::Open);
        // One pair is not significant, whatever its result.
        assert_eq!(sprt.verdict(&pairs([0, 0, 0, 0, 1])), Verdict::Open);
        assert_eq!(sprt.verdict(&pairs([1, 0, 0, 0, 0])), Verdict::Open);
        assert_eq!(sprt.verdict(&pairs([50, 200, 500, 400, 150])), Verdict::Accepted);
        assert_eq!(sprt.verdict(&pairs([150, 400, 500, 200, 50])), Verdict::Rejected);
    }

    #[test]
    fn the_first_verdict_stays() {
        let mut trial = Trial::new(Sprt { elo0: -50.0, elo1: 50.0 });
        let table = [
            ([0, 0, 0, 0, 4], "LLR +1.15 of +-2.94 for [-50, 50]"),
            ([0, 0, 0, 0, 11], "LLR +3.17 of +-2.94 for [-50, 50], accepted"),
            ([2, 0, 0, 0, 11], "LLR +2.59 of +-2.94 for [-50, 50], accepted before the last pairs"),
        ];
        for (counts, text) in table {
            trial.weigh(&pairs(counts));
            assert_eq!(trial.describe(&pairs(counts)), text);
        }
        assert!(trial.is_decided());
        assert_eq!(trial.summary(&pairs([9, 0, 0, 0, 0])).verdict, Verdict::Accepted);
    }
}
