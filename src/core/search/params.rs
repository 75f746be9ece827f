//! Search parameters, by technique. Each technique cites its source.
//!
//! A parameter is a function that returns a constant. In a build with the feature `tune` it returns
//! the value of the UCI option of its name, so that a match of two values needs no build.

#[cfg(feature = "tune")]
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// Defines parameters, with the ranges of their options. Those of type `f64` are in hundredths.
macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $type:ident = $default:literal in $min:literal..=$max:literal;)*) => {
        $($(#[$doc])*
        #[inline]
        pub fn $name() -> $type {
            #[cfg(not(feature = "tune"))]
            let value: i32 = $default;
            #[cfg(feature = "tune")]
            let value = PARAMETERS[Index::$name as usize].value.load(Relaxed);
            number!($type, value)
        })*

        #[cfg(feature = "tune")]
        #[allow(non_camel_case_types)]
        enum Index { $($name,)* Count }

        #[cfg(feature = "tune")]
        pub static PARAMETERS: [Parameter; Index::Count as usize] = [$(Parameter {
            name: stringify!($name),
            default: $default,
            min: $min,
            max: $max,
            value: AtomicI32::new($default),
        },)*];
    };
}

macro_rules! number {
    (i32, $value:ident) => {
        $value
    };
    (f64, $value:ident) => {
        f64::from($value) / 100.0
    };
    ($type:ident, $value:ident) => {
        $value as $type
    };
}

/// A parameter as an option.
#[cfg(feature = "tune")]
pub struct Parameter {
    pub name: &'static str,
    pub default: i64,
    pub min: i64,
    pub max: i64,
    /// The value for all searches of the process, also those that run.
    pub value: AtomicI32,
}

parameters! {
    // Aspiration windows: an iteration first searches a narrow window around the last score.
    // See <https://www.chessprogramming.org/Aspiration_Windows>.
    aspiration_min_depth: usize = 4 in 1..=12;
    aspiration_width: i32 = 30 in 5..=150;
    /// Beyond this width the window is opened fully.
    aspiration_widest: i32 = 600 in 100..=3000;

    // Correction history: the evaluation is corrected by the errors that searches have shown.
    // See <https://www.chessprogramming.org/Static_Evaluation_Correction_History>.
    /// The largest correction by the pieces of one side.
    correction_largest: i32 = 40 in 0..=200;
    /// The change of an entry for each unit of the error and ply of depth.
    correction_change: i32 = 2 in 0..=16;
    /// The largest change of an entry by one search.
    correction_max_change: i32 = 2048 in 64..=8192;

    // History: moves that have caused cutoffs are searched earlier in other nodes. The bonus of a
    // move grows with the depth of the search.
    // See <https://www.chessprogramming.org/History_Heuristic>.
    history_quadratic: i32 = 12 in 0..=100;
    history_linear: i32 = 40 in 0..=400;
    history_max_bonus: i32 = 1600 in 100..=8192;

    // Reverse futility pruning: a position far above beta will not fall below it in a few plies.
    // See <https://www.chessprogramming.org/Reverse_Futility_Pruning>.
    reverse_futility_max_depth: i32 = 6 in 0..=16;
    reverse_futility_margin: i32 = 70 in 10..=300;

    // Null move pruning: if passing the turn reaches beta, a move does so too.
    // See <https://www.chessprogramming.org/Null_Move_Pruning>.
    null_move_min_depth: i32 = 3 in 1..=10;
    null_move_reduction: i32 = 3 in 1..=8;
    null_move_depth_divisor: i32 = 4 in 1..=16;
    /// The evaluation above beta that adds one ply to the reduction.
    null_move_surplus_divisor: i32 = 150 in 20..=1000;
    null_move_max_surplus_reduction: i32 = 3 in 0..=8;

    // Enhanced transposition cutoffs: before any move is searched, the table is probed for a result
    // of one of them that causes a cutoff.
    // J. Schaeffer and A. Plaat, "New Advances in Alpha-Beta Searching", 1996.
    enhanced_cutoff_min_depth: i32 = 3 in 1..=12;

    // Internal iterative reduction: a node without a TT move is searched less deeply.
    // See <https://www.chessprogramming.org/Internal_Iterative_Reductions>.
    internal_iterative_reduction_min_depth: i32 = 4 in 1..=12;

    // Late move pruning: near the horizon, a quiet move late in the order ends the node.
    // See <https://www.chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning>.
    late_move_pruning_max_depth: i32 = 4 in 0..=12;
    late_move_pruning_base: i32 = 4 in 0..=20;

    // Futility pruning: near the horizon, quiet moves cannot make up for an evaluation far below
    // alpha.
    // See <https://www.chessprogramming.org/Futility_Pruning>.
    futility_max_depth: i32 = 4 in 0..=12;
    futility_base: i32 = 60 in 0..=300;
    futility_margin: i32 = 70 in 0..=300;

    // Late move reductions: late moves are searched less deeply, and again if they raise alpha.
    // See <https://www.chessprogramming.org/Late_Move_Reductions>.
    late_move_reduction_min_depth: i32 = 3 in 2..=8;
    late_move_reduction_from_move: usize = 2 in 1..=10;
    late_move_reduction_from_root_move: usize = 4 in 1..=20;
    late_move_reduction_base: f64 = 40 in 0..=200;
    late_move_reduction_divisor: f64 = 200 in 80..=500;
    /// Larger move scores, positive or negative, count as this: those of the TT move and the
    /// killers.
    late_move_reduction_max_score: i32 = 24_000 in 1_000..=24_576;

    // Extensions: forced replies, and replies to the threat of an immediate win, cost no depth.
    // See <https://www.chessprogramming.org/Check_Extensions>.
    /// Lines are extended up to this multiple of the depth of the iteration.
    extension_iterations: usize = 2 in 1..=3;
    /// The longest win or loss in the table to which the principal variation is extended, in
    /// plies.
    extension_max_proof: usize = 10 in 0..=40;

    // Singular extensions: if all other moves are worse than the TT move by a margin, it is
    // searched one ply deeper.
    // See <https://www.chessprogramming.org/Singular_Extensions>.
    singular_extension_min_depth: i32 = 7 in 3..=16;
    /// The entry of the table may be this much shallower than the node.
    singular_extension_table_depth: i32 = 3 in 0..=8;
    /// The margin for each ply of depth.
    singular_extension_margin: i32 = 2 in 0..=20;
    /// The other moves are searched to the depth divided by this.
    singular_extension_depth_divisor: i32 = 2 in 1..=4;

    // Best-move stability: the factors of the soft limit.
    /// The factor after an iteration that changed the best move.
    stability_changed: f64 = 140 in 100..=300;
    /// How much each later iteration without a change lowers it.
    stability_iteration: f64 = 10 in 0..=12;
    stability_most_iterations: u32 = 7 in 0..=8;
    /// The factor is this, less the share of the nodes that the best move took.
    stability_share: f64 = 160 in 110..=300;
    /// The fall of the score that doubles the time.
    stability_largest_drop: f64 = 10_000 in 1_000..=100_000;

    // Quiescence search: the plies of noisy moves beyond the horizon. Forced moves are not limited.
    quiescence_plies: usize = 8 in 0..=20;
}
