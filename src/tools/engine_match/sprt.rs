//! The sequential test that ends a match as soon as its results show enough.

use serde::Serialize;

use super::stats::Pairs;

/// The chance of a wrong verdict, either way, in a sequential test.
const ERROR_RATE: f64 = 0.05;

/// A sequential test of "stronger by `elo1`" against "stronger by `elo0`".
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    /// The difference that is not enough.
    pub elo0: f64,
    /// The difference that is.
    pub elo1: f64,
}

/// What a sequential test has shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The first engine is not `elo1` stronger.
    Rejected,
    /// Nothing yet.
    Open,
    /// The first engine is more than `elo0` stronger.
    Accepted,
}

impl Sprt {
    /// What the results show.
    pub fn verdict(self, pairs: &Pairs) -> Verdict {
        let ratio = pairs.log_likelihood_ratio(self.elo0, self.elo1);
        match ratio {
            _ if ratio >= Self::bound() => Verdict::Accepted,
            _ if ratio <= -Self::bound() => Verdict::Rejected,
            _ => Verdict::Open,
        }
    }

    /// The logarithm of the likelihood ratio that decides the test, either way.
    pub fn bound() -> f64 {
        ((1.0 - ERROR_RATE) / ERROR_RATE).ln()
    }
}

/// A sequential test under way. Its first verdict stays: pairs that were under way then may count
/// against it, but do not open it again.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trial {
    sprt: Sprt,
    verdict: Verdict,
}

impl Trial {
    /// A test at its beginning.
    pub fn new(sprt: Sprt) -> Self {
        Self { sprt, verdict: Verdict::Open }
    }

    /// Weighs the results after another pair.
    pub fn weigh(&mut self, pairs: &Pairs) {
        if !self.is_decided() {
            self.verdict = self.sprt.verdict(pairs);
        }
    }

    /// Whether it has come to its end.
    pub fn is_decided(&self) -> bool {
        self.verdict != Verdict::Open
    }

    /// The state of the test for scripts.
    pub fn summary(&self, pairs: &Pairs) -> SprtSummary {
        let Self { sprt: Sprt { elo0, elo1 }, verdict } = *self;
        SprtSummary { elo0, elo1, llr: pairs.log_likelihood_ratio(elo0, elo1), verdict }
    }

    /// The state of the test in words.
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

/// The state of a sequential test for scripts.
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
        // A pair is no proof, however well it came out.
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
