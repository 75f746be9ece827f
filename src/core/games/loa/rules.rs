//! Lines of Action: the configurable rules.

use crate::game::{RuleChoice, RuleOption, Rules};

/// The outcome when one move connects all stones of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Simultaneous {
    /// The side that moved wins.
    Mover,
    Draw,
}

/// The rule for a side without a legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoMove {
    Pass,
    Loss,
    Draw,
}

/// The result if a move connects only the stones of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpponentConnection {
    Wins,
    /// The game goes on: only the side that moved can win.
    Ignored,
}

/// The side to move in a position that counts as a repetition of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RepetitionSide {
    Same,
    /// Either side: the board alone counts.
    Either,
}

/// The configurable rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoaRules {
    /// The outcome when one move connects both sides.
    pub simultaneous: Simultaneous,
    /// The result if a move connects only the opponent.
    pub opponent: OpponentConnection,
    /// The rule for a side without a legal move.
    pub no_move: NoMove,
    /// The number of occurrences of a position that draws the game; 0 without draws by repetition.
    pub repetition: u8,
    /// The side to move in a repeated position.
    pub repetition_side: RepetitionSide,
    /// The number of moves of each side without a capture after which the game is drawn; 0 without
    /// such a rule.
    pub no_capture: u8,
    /// The number of moves of each side after which the game is drawn; 0 without a limit.
    pub move_limit: u16,
}

impl Default for LoaRules {
    fn default() -> Self {
        Self {
            simultaneous: Simultaneous::Mover,
            opponent: OpponentConnection::Wins,
            no_move: NoMove::Pass,
            repetition: 3,
            repetition_side: RepetitionSide::Same,
            no_capture: 0,
            move_limit: 0,
        }
    }
}

pub(super) const MAX_MOVE_LIMIT: u16 = 10_000;

impl Rules for LoaRules {
    const OPTIONS: &'static [RuleOption<Self>] = &[
        RuleOption {
            name: "Simultaneous Connection",
            description: "If a move connects all stones of both sides:",
            choice: RuleChoice::Named(&["mover", "draw"]),
            labels: &["the side that moved wins", "the game is drawn"],
            set: |rules, value| {
                rules.simultaneous =
                    if value == 1 { Simultaneous::Draw } else { Simultaneous::Mover }
            },
        },
        RuleOption {
            name: "Opponent Connection",
            description: "If a move connects only the stones of the opponent:",
            choice: RuleChoice::Named(&["wins", "ignored"]),
            labels: &["the opponent wins", "the game goes on"],
            set: |rules, value| {
                rules.opponent =
                    if value == 1 { OpponentConnection::Ignored } else { OpponentConnection::Wins }
            },
        },
        RuleOption {
            name: "No Legal Move",
            description: "If a side has no legal move:",
            choice: RuleChoice::Named(&["pass", "loss", "draw"]),
            labels: &["it passes", "it loses", "the game is drawn"],
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
            description: "A position that occurs this often draws the game; 0 for never:",
            choice: RuleChoice::Number { default: 3, min: 0, max: 9 },
            labels: &[],
            // A value of 1 would draw every game at its first position, so 2 is used.
            set: |rules, value| rules.repetition = if value == 1 { 2 } else { value as u8 },
        },
        RuleOption {
            name: "Repetition Side",
            description: "A position counts as repeated:",
            choice: RuleChoice::Named(&["same", "either"]),
            labels: &["only with the same side to move", "with either side to move"],
            set: |rules, value| {
                rules.repetition_side =
                    if value == 1 { RepetitionSide::Either } else { RepetitionSide::Same }
            },
        },
        RuleOption {
            name: "No Capture Draw",
            description: "The game is drawn after this number of moves by each player without a capture; 0 for never:",
            choice: RuleChoice::Number { default: 0, min: 0, max: 100 },
            labels: &[],
            set: |rules, value| rules.no_capture = value as u8,
        },
        RuleOption {
            name: "Move Limit",
            description: "The game is drawn after this number of moves by each player; 0 for never:",
            choice: RuleChoice::Number { default: 0, min: 0, max: MAX_MOVE_LIMIT },
            labels: &[],
            set: |rules, value| rules.move_limit = value,
        },
    ];
}
