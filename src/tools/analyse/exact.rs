//! What endgame tables know of a position, as it is kept and printed.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use crate::game::TablebaseValue;

/// The value of a position for the side to move if both play their best.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// It wins.
    Win,
    /// Nobody wins.
    Draw,
    /// It loses.
    Loss,
}

/// What tables know of a position, for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Exact {
    /// The value.
    pub value: Value,
    /// The plies until the game is over, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u16>,
}

impl Exact {
    /// The worth of a move, for who made it, that leads to a position of which this is known.
    pub fn of_move_to(known: TablebaseValue) -> Self {
        let next = Self::from(known);
        let value = match next.value {
            Value::Win => Value::Loss,
            Value::Draw => Value::Draw,
            Value::Loss => Value::Win,
        };
        Self { value, plies: next.plies.map(|plies| plies + 1) }
    }

    /// How far away the end is, in words; nothing if nobody knows.
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
