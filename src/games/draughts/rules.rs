//! English draughts: the rules that players have agreed on in more than one way.

use crate::game::{RuleChoice, RuleOption, Rules};

/// The choices that the rules leave open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DraughtsRules {
    /// The number of occurrences of a position that draws the game; 0 if it never does.
    pub repetition: u8,
    /// The game is drawn once each side has made so many moves without advancing a man or
    /// capturing; 0 if it never is.
    pub draw_moves: u16,
}

impl Default for DraughtsRules {
    fn default() -> Self {
        Self { repetition: 3, draw_moves: 40 }
    }
}

impl Rules for DraughtsRules {
    const OPTIONS: &'static [RuleOption<Self>] = &[
        RuleOption {
            name: "Repetition Draw",
            choice: RuleChoice::Number { default: 3, min: 0, max: 9 },
            // One occurrence cannot draw a game, or every game would be drawn.
            set: |rules, value| rules.repetition = if value == 1 { 2 } else { value as u8 },
        },
        RuleOption {
            name: "Draw Move Count",
            choice: RuleChoice::Number { default: 40, min: 0, max: 1_000 },
            set: |rules, value| rules.draw_moves = value,
        },
    ];
}
