//! Options of the rules of English draughts.

use crate::game::{RuleChoice, RuleOption, Rules};

/// Whether captures must be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Captures {
    /// A capture must be made, and completed.
    Compulsory,
    /// A capture need not be made, and has one jump.
    Optional,
}

/// The rules that differ between tournaments and programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DraughtsRules {
    /// Whether captures must be made.
    pub captures: Captures,
    /// The number of occurrences of a position that draws the game; 0 to disable the rule.
    pub repetition: u8,
    /// The number of moves of each side without an advance of a man or a capture that draws the
    /// game; 0 to disable the rule.
    pub draw_moves: u16,
    /// The number of moves of each side without a capture that draws the game; 0 to disable the
    /// rule.
    pub no_capture: u8,
}

impl Default for DraughtsRules {
    fn default() -> Self {
        Self { captures: Captures::Compulsory, repetition: 3, draw_moves: 40, no_capture: 0 }
    }
}

impl Rules for DraughtsRules {
    const OPTIONS: &'static [RuleOption<Self>] = &[
        RuleOption {
            name: "Captures",
            description: "Whether a capture must be made and completed, or is optional and takes one piece.",
            choice: RuleChoice::Named(&["compulsory", "optional"]),
            set: |rules, value| {
                rules.captures = if value == 1 { Captures::Optional } else { Captures::Compulsory }
            },
        },
        RuleOption {
            name: "Repetition Draw",
            description: "How many times a position occurs before the game is drawn; 0 for no such draw.",
            choice: RuleChoice::Number { default: 3, min: 0, max: 9 },
            // One occurrence would draw every game at once.
            set: |rules, value| rules.repetition = if value == 1 { 2 } else { value as u8 },
        },
        RuleOption {
            name: "Draw Move Count",
            description: "After how many moves of each side without a capture or a move of a man the game is drawn; 0 for no such draw.",
            choice: RuleChoice::Number { default: 40, min: 0, max: 1_000 },
            set: |rules, value| rules.draw_moves = value,
        },
        RuleOption {
            name: "No Capture Draw",
            description: "After how many moves of each side without a capture the game is drawn; 0 for no such draw.",
            choice: RuleChoice::Number { default: 0, min: 0, max: 100 },
            set: |rules, value| rules.no_capture = value as u8,
        },
    ];
}
