//! The numbers of the search, by technique. Each technique says where it comes from.

/// Aspiration windows: an iteration first believes that the score will be near the last one.
/// See <https://www.chessprogramming.org/Aspiration_Windows>.
pub mod aspiration {
    pub const FROM_DEPTH: usize = 4;
    pub const WIDTH: i32 = 30;
    /// From this width on the window is opened fully.
    pub const WIDEST: i32 = 600;
}

/// A position far above beta will not fall below it in a few plies.
/// See <https://www.chessprogramming.org/Reverse_Futility_Pruning>.
pub mod reverse_futility {
    pub const TO_DEPTH: i32 = 6;
    pub const MARGIN: i32 = 70;
}

/// If passing the turn is good enough, so is a move.
/// See <https://www.chessprogramming.org/Null_Move_Pruning>.
pub mod null_move {
    pub const FROM_DEPTH: i32 = 3;
    pub const REDUCTION: i32 = 3;
    pub const DEPTH_DIVISOR: i32 = 4;
}

/// A node whose best move nobody remembers is looked at less deeply first.
/// See <https://www.chessprogramming.org/Internal_Iterative_Reductions>.
pub mod internal_iterative_reduction {
    pub const FROM_DEPTH: i32 = 4;
}

/// Near the horizon, moves that come late are left out.
/// See <https://www.chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning>.
pub mod late_move_pruning {
    pub const TO_DEPTH: i32 = 4;
    pub const BASE: i32 = 4;
}

/// Near the horizon, quiet moves cannot make up for a position that is far too bad.
/// See <https://www.chessprogramming.org/Futility_Pruning>.
pub mod futility {
    pub const TO_DEPTH: i32 = 4;
    pub const BASE: i32 = 60;
    pub const MARGIN: i32 = 70;
}

/// Late moves are searched less deeply, and again if they surprise.
/// See <https://www.chessprogramming.org/Late_Move_Reductions>.
pub mod late_move_reduction {
    pub const FROM_DEPTH: i32 = 3;
    pub const FROM_MOVE: usize = 2;
    pub const FROM_ROOT_MOVE: usize = 4;
    pub const BASE: f64 = 0.4;
    pub const DIVISOR: f64 = 2.0;
    /// A merit so much above none takes back one ply of reduction.
    pub const HISTORY_DIVISOR: i32 = 6000;
}

/// Replies that are forced, and those to a threat to win at once, cost no depth.
/// See <https://www.chessprogramming.org/Check_Extensions>.
pub mod extension {
    /// No line is made longer than so many times the depth of the iteration.
    pub const ITERATIONS: usize = 2;
}

/// The captures that are followed beyond the horizon.
pub mod quiescence {
    pub const PLIES: usize = 8;
}
