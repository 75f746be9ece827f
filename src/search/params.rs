//! Search parameters, by technique. Each technique cites its source.

/// Aspiration windows: an iteration first searches a narrow window around the last score.
/// See <https://www.chessprogramming.org/Aspiration_Windows>.
pub mod aspiration {
    pub const MIN_DEPTH: usize = 4;
    pub const WIDTH: i32 = 30;
    /// Beyond this width the window is opened fully.
    pub const WIDEST: i32 = 600;
}

/// Correction history: the evaluation is corrected by the errors that searches have shown.
/// See <https://www.chessprogramming.org/Static_Evaluation_Correction_History>.
pub mod correction {
    /// The largest correction by the pieces of one side.
    pub const LARGEST: i32 = 40;
    /// The largest absolute entry, which stands for the largest correction.
    pub const BOUND: i32 = 8192;
    /// The change of an entry for each unit of the error and ply of depth.
    pub const CHANGE: i32 = 2;
    /// The largest change of an entry by one search.
    pub const MAX_CHANGE: i32 = 2048;
}

/// History: moves that have caused cutoffs are searched earlier in other nodes.
/// See <https://www.chessprogramming.org/History_Heuristic>.
pub mod history {
    /// The bonus of a move that causes a cutoff in a search of `depth` plies.
    pub fn bonus(depth: i32) -> i32 {
        (12 * depth * depth + 40 * depth).min(1600)
    }
}

/// Reverse futility pruning: a position far above beta will not fall below it in a few plies.
/// See <https://www.chessprogramming.org/Reverse_Futility_Pruning>.
pub mod reverse_futility {
    pub const MAX_DEPTH: i32 = 6;
    pub const MARGIN: i32 = 70;
}

/// Null move pruning: if passing the turn reaches beta, a move does so too.
/// See <https://www.chessprogramming.org/Null_Move_Pruning>.
pub mod null_move {
    pub const MIN_DEPTH: i32 = 3;
    pub const REDUCTION: i32 = 3;
    pub const DEPTH_DIVISOR: i32 = 4;
    /// The evaluation above beta that adds one ply to the reduction.
    pub const SURPLUS_DIVISOR: i32 = 150;
    pub const MAX_SURPLUS_REDUCTION: i32 = 3;
}

/// Enhanced transposition cutoffs: before any move is searched, the table is probed for a result
/// of one of them that causes a cutoff.
/// J. Schaeffer and A. Plaat, "New Advances in Alpha-Beta Searching", 1996.
pub mod enhanced_cutoff {
    pub const MIN_DEPTH: i32 = 3;
}

/// Internal iterative reduction: a node without a TT move is searched less deeply.
/// See <https://www.chessprogramming.org/Internal_Iterative_Reductions>.
pub mod internal_iterative_reduction {
    pub const MIN_DEPTH: i32 = 4;
}

/// Late move pruning: near the horizon, a quiet move late in the order ends the node.
/// See <https://www.chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning>.
pub mod late_move_pruning {
    pub const MAX_DEPTH: i32 = 4;
    pub const BASE: i32 = 4;
}

/// Futility pruning: near the horizon, quiet moves cannot make up for an evaluation far below
/// alpha.
/// See <https://www.chessprogramming.org/Futility_Pruning>.
pub mod futility {
    pub const MAX_DEPTH: i32 = 4;
    pub const BASE: i32 = 60;
    pub const MARGIN: i32 = 70;
}

/// Late move reductions: late moves are searched less deeply, and again if they raise alpha.
/// See <https://www.chessprogramming.org/Late_Move_Reductions>.
pub mod late_move_reduction {
    pub const MIN_DEPTH: i32 = 3;
    pub const FROM_MOVE: usize = 2;
    pub const FROM_ROOT_MOVE: usize = 4;
    pub const BASE: f64 = 0.4;
    pub const DIVISOR: f64 = 2.0;
    /// Larger move scores, positive or negative, count as this: those of the TT move and the killers.
    pub const MAX_SCORE: i32 = 24_000;
}

/// Extensions: forced replies, and replies to the threat of an immediate win, cost no depth.
/// See <https://www.chessprogramming.org/Check_Extensions>.
pub mod extension {
    /// Lines are extended up to this multiple of the depth of the iteration.
    pub const ITERATIONS: usize = 2;
    /// The longest win or loss in the table to which the principal variation is extended, in plies.
    pub const MAX_PROOF: usize = 10;
}

/// Singular extensions: if all other moves are worse than the TT move by a margin, it is searched
/// one ply deeper.
/// See <https://www.chessprogramming.org/Singular_Extensions>.
pub mod singular_extension {
    pub const MIN_DEPTH: i32 = 7;
    /// The entry of the table may be this much shallower than the node.
    pub const TABLE_DEPTH: i32 = 3;
    /// The margin for each ply of depth.
    pub const MARGIN: i32 = 2;
    /// The other moves are searched to the depth divided by this.
    pub const DEPTH_DIVISOR: i32 = 2;
}

/// Best-move stability: the factors of the planned time.
pub mod stability {
    /// The factor after an iteration that changed the best move.
    pub const CHANGED: f64 = 1.4;
    /// How much each later iteration without a change lowers it.
    pub const ITERATION: f64 = 0.1;
    pub const MOST_ITERATIONS: u32 = 7;
    /// The factor is this, less the share of the nodes that the best move took.
    pub const EFFORT: f64 = 1.6;
    /// The fall of the score that doubles the time.
    pub const LARGEST_DROP: f64 = 100.0;
}

/// Quiescence search: the plies of noisy moves beyond the horizon. Forced moves are not limited.
pub mod quiescence {
    pub const PLIES: usize = 8;
}
