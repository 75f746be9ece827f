//! Endgame table values in the form that is stored and printed.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use crate::game::TablebaseValue;

/// The game-theoretic value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// A win.
    Win,
    /// A draw.
    Draw,
    /// A loss.
    Loss,
}

/// The endgame table value of a position, from the view of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Exact {
    /// The value.
    pub value: Value,
    /// The number of plies until the end of the game, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u16>,
}

impl Exact {
    /// The value of a move, from the view of the player who makes it. `known` is the value of the
    /// position after the move.
    pub fn of_move_to(known: TablebaseValue) -> Self {
        let next = Self::from(known);
        let value = match next.value {
            Value::Win => Value::Loss,
            Value::Draw => Value::Draw,
            Value::Loss => Value::Win,
        };
        Self { value, plies: next.plies.map(|plies| plies + 1) }
    }

    /// The distance to the end of the game in words; empty if it is unknown.
    pub fn length(self) -> String {
        match self.plies {
            None => String::new(),
            Some(1) => " in 1 ply".to_string(),
            Some(plies) => format!(" in {plies} plies"),
        }
    }
}

impl From<TablebaseValue> for Exact {
    fn from(known: TablebaseValue) -> Self {
        match known {
            TablebaseValue::Won(plies) => Self { value: Value::Win, plies },
            TablebaseValue::Lost(plies) => Self { value: Value::Loss, plies },
            TablebaseValue::Drawn => Self { value: Value::Draw, plies: None },
        }
    }
}

impl Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let value = match self.value {
            Value::Win => "win",
            Value::Draw => "draw",
            Value::Loss => "loss",
        };
        write!(f, "table {value}{}", self.length())
    }
}
