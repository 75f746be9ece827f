//! The interface between the rules of a game and the search, the engine and the tools.
//!
//! | trait | answers | used by |
//! |---|---|---|
//! | [`Position`] | the rules: legal moves, outcome, keys | all |
//! | [`Heuristics`] | evaluation, noisy moves, null move | search |
//! | [`Features`] | inputs of the evaluation network | nnue, training |
//! | [`Notation`] | setups and moves as text | engine, records, tools |
//! | [`Game`] | the above, with the data of each [`Variant`] | engine, tools |
//!
//! A [`GameHistory`] is a game being played: the moves, repetitions and the outcome. Nothing in
//! this module is specific to one game.

pub mod bitboard;
mod calibration;
mod facts;
mod features;
mod hash;
mod heuristics;
mod history;
mod lines;
mod move_text;
mod notation;
mod opening;
mod outcome;
mod position;
mod repetition;
mod rules;
mod side;
mod tablebase;
mod variant;

pub use calibration::{
    Calibration, Chances, EvalScale, Handicap, Players, StrengthLevel, chances, level, one_ply,
};
pub use facts::{BoardLine, Fact, Groups, Threat, facts};
pub use features::{FeatureBits, Features, oriented};
pub use hash::{key_with_counters, mix};
pub use heuristics::{Heuristics, Term};
pub use history::GameHistory;
pub use lines::{GameLines, Variation};
pub use move_text::{is_blank, plain_move, split_moves, words};
pub use notation::{Board, MoveFormat, Notation, NotationError, Piece, PieceKind};
pub use opening::{Opening, opening_name};
pub use outcome::{EndReason, Outcome};
pub use position::{
    MAX_MOVES, MAX_PERFT_DEPTH, Move, MoveList, MoveScore, MoveScores, Position, are_same_move,
    distinct_moves, legal_moves, listed_move, outcome, perft, readable_moves, root_moves,
};
pub use repetition::{drawn_if_repeated, is_repetition, occurrences, occurrences_of};
pub use rules::{RuleChoice, RuleOption, RuleSetting, RuleValues, Rules, rules_from, values_of};
pub use side::Side;
pub use tablebase::{
    ErasedTablebase, GameTablebase, OpenedTablebase, SharedTablebase, Tablebase, TablebaseError,
    TablebaseOpener, TablebaseValue, tablebase_in_game,
};
pub use variant::{Game, RecordId, Variant, plain_name};
