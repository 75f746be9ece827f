//! The values of game records: formats, results, headers and marks.

use crate::game::Side;

/// A file format of game records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// The Smart Game Format, `FF[4]`. See <https://www.red-bean.com/sgf/>.
    Sgf,
    /// Portable Draughts Notation 3.0.
    Pdn,
}

/// The result of a game according to its record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordResult {
    /// A win of this side.
    Won(Side),
    /// A draw.
    Drawn,
    /// An unknown result.
    Unknown,
}

/// The standard headers of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeaderField {
    /// The tournament or match.
    Event,
    /// The place.
    Site,
    /// The date, in the notation of the record.
    Date,
    /// The round of the tournament.
    Round,
    /// The name of the Black player.
    Black,
    /// The name of the White player.
    White,
}

/// A move annotation. The values are the numeric annotation glyphs (NAG) of PGN and PDN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveMark {
    /// `!`, in SGF `TE[1]`.
    Good = 1,
    /// `?`, in SGF `BM[1]`.
    Mistake = 2,
    /// `!!`, in SGF `TE[2]`.
    VeryGood = 3,
    /// `??`, in SGF `BM[2]`.
    Blunder = 4,
    /// `!?`, in SGF `IT[]`.
    Interesting = 5,
    /// `?!`, in SGF `DO[]`.
    Doubtful = 6,
}
