//! Lines of Action: the rules that players have agreed on in more than one way.

use crate::game::{RuleChoice, RuleOption, Rules};

/// Who wins when one move connects all stones of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Simultaneous {
    /// The side that moved.
    Mover,
    /// Nobody.
    Draw,
}

/// What happens to a side that has no legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoMove {
    /// It passes.
    Pass,
    /// It has lost.
    Loss,
    /// The game is drawn.
    Draw,
}

/// The choices that the rules leave open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoaRules {
    /// Who wins when one move connects both sides.
    pub simultaneous: Simultaneous,
    /// What happens to a side that has no legal move.
    pub no_move: NoMove,
    /// The number of occurrences of a position that draws the game; 0 if it never does.
    pub repetition: u8,
    /// The game is drawn once each side has made so many moves; 0 if it never is.
    pub move_limit: u16,
}

impl Default for LoaRules {
    fn default() -> Self {
        Self {
            simultaneous: Simultaneous::Mover,
            no_move: NoMove::Pass,
            repetition: 3,
            move_limit: 0,
        }
    }
}

/// The longest move limit that can be set.
pub(super) const MAX_MOVE_LIMIT: u16 = 10_000;

impl Rules for LoaRules {
    const OPTIONS: &'static [RuleOption<Self>] = &[
        RuleOption {
            name: "Simultaneous Connection",
            choice: RuleChoice::Named(&["mover", "draw"]),
            set: |rules, value| {
                rules.simultaneous =
                    if value == 1 { Simultaneous::Draw } else { Simultaneous::Mover }
            },
        },
        RuleOption {
            name: "No Legal Move",
            choice: RuleChoice::Named(&["pass", "loss", "draw"]),
            set: |rules, value| {
                rules.no_move = match value {
                    1 => NoMove::Loss,
                    2 => NoMove::Draw,
                    _ => NoMove::Pass,
                }
            },
        },
        RuleOption {
            name: "Repetition Draw",
            choice: RuleChoice::Number { default: 3, min: 0, max: 9 },
            // One occurrence cannot draw a game, or every game would be drawn.
            set: |rules, value| rules.repetition = if value == 1 { 2 } else { value as u8 },
        },
        RuleOption {
            name: "Move Limit",
            choice: RuleChoice::Number { default: 0, min: 0, max: MAX_MOVE_LIMIT },
            set: |rules, value| rules.move_limit = value,
        },
    ];
}
