//! What the numbers of a game are worth: evaluations in odds, handicaps in Elo.

/// What evaluations and searches of a game are worth, as games of the engine against itself
/// told.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Calibration {
    /// What the evaluation of the network is worth.
    pub network: EvalScale,
    /// What the evaluation without a network is worth, [`Position::evaluate`](super::Position::evaluate).
    pub handcrafted: EvalScale,
    /// How strong the engine is with a handicap, the weakest level first.
    pub levels: &'static [StrengthLevel],
    /// The strength in Elo of the levels for people: easy, medium and hard.
    pub named: [i32; 3],
}

/// What an evaluation is worth: a position is won at the rate of
/// 1 / (1 + exp((margin - evaluation) / spread)), and lost at that of the evaluation with the
/// other sign.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EvalScale {
    /// The evaluation of a position that is won as often as not: little where draws are rare.
    pub margin: f64,
    /// How slowly the rate of wins rises with the evaluation.
    pub spread: f64,
}

/// The strength of a search with a handicap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrengthLevel {
    /// The strength in Elo above a player who makes any legal move.
    pub elo: i32,
    /// The positions that the search may visit.
    pub nodes: u64,
    /// How far the search misjudges a position at the most, in units of the evaluation.
    pub eval_noise: i32,
}

/// A row of a table of levels.
pub const fn level(elo: i32, nodes: u64, misjudgement: i32) -> StrengthLevel {
    StrengthLevel { elo, nodes, eval_noise: misjudgement }
}
