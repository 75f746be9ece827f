//! Options of the rules of English draughts.

use crate::game::{RuleChoice, RuleOption, Rules};

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
    pub captures: Captures,
    /// The number of occurrences of a position that draws the game, less than 128; 0 to disable the
    /// rule.
    pub repetition: u8,
    /// The number of moves of each side without an advance of a man or a capture that draws the
    /// game, at most 32,767; 0 to disable the rule.
    pub draw_moves: u16,
    /// The number of moves of each side without a capture that draws the game, at most 127; 0 to
    /// disable the rule.
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
            description: "A player who can capture:",
            choice: RuleChoice::Named(&["compulsory", "optional"]),
            labels: &[
                "must capture, and must complete the capture",
                "need not capture, and captures one piece at a time",
            ],
            set: |rules, value| {
                rules.captures = if value == 1 { Captures::Optional } else { Captures::Compulsory }
            },
        },
        RuleOption {
            name: "Repetition Draw",
            description: "A position that occurs this often draws the game; 0 for never:",
            choice: RuleChoice::Number { default: 3, min: 0, max: 9 },
            labels: &[],
            // One occurrence would draw every game at once.
            set: |rules, value| rules.repetition = if value == 1 { 2 } else { value as u8 },
        },
        RuleOption {
            name: "Draw Move Count",
            description: "The game is drawn after this number of moves by each player without a capture or a move of a man; 0 for never:",
            choice: RuleChoice::Number { default: 40, min: 0, max: 1_000 },
            labels: &[],
            set: |rules, value| rules.draw_moves = value,
        },
        RuleOption {
            name: "No Capture Draw",
            description: "The game is drawn after this number of moves by each player without a capture; 0 for never:",
            choice: RuleChoice::Number { default: 0, min: 0, max: 100 },
            labels: &[],
            set: |rules, value| rules.no_capture = value as u8,
        },
    ];
}
