//! Endgame tables (tablebases) of any game: their values, which of these draws by repetition in a game cannot
//! change, and their errors.

use std::any::Any;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{GameHistory, Position, Side, drawn_if_repeated};

/// A value for the side to move. In JSON it is an object such as `{"value":"win","plies":5}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "ValueJson", into = "ValueJson")]
pub enum TablebaseValue {
    /// A win, with the plies to the end under best play if known.
    Won(Option<u16>),
    /// A loss, with the plies to the end under best play if known.
    Lost(Option<u16>),
    Drawn,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "value", rename_all = "lowercase")]
enum ValueJson {
    Win {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plies: Option<u16>,
    },
    Loss {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plies: Option<u16>,
    },
    Draw,
}

impl From<TablebaseValue> for ValueJson {
    fn from(value: TablebaseValue) -> Self {
        match value {
            TablebaseValue::Won(plies) => Self::Win { plies },
            TablebaseValue::Lost(plies) => Self::Loss { plies },
            TablebaseValue::Drawn => Self::Draw,
        }
    }
}

impl From<ValueJson> for TablebaseValue {
    fn from(value: ValueJson) -> Self {
        match value {
            ValueJson::Win { plies } => Self::Won(plies),
            ValueJson::Loss { plies } => Self::Lost(plies),
            ValueJson::Draw => Self::Drawn,
        }
    }
}

impl TablebaseValue {
    /// The winner and the plies to the end if known, where `side` is to move; `None` for a draw.
    fn winner(self, side: Side) -> Option<(Side, Option<u16>)> {
        match self {
            Self::Won(plies) => Some((side, plies)),
            Self::Lost(plies) => Some((!side, plies)),
            Self::Drawn => None,
        }
    }
}

/// A source of values, such as endgame tables. It has only the position: draws by repetition are
/// ignored. The game must not be over.
pub trait Tablebase<P>: Send + Sync {
    /// The value of a position with its move counters; `None` if it is unknown. A win or loss without
    /// its length is only expected where a move counter may draw the game.
    fn value(&self, position: &P) -> Option<TablebaseValue>;

    /// The value of a position as if no move counter could draw the game; `None` if it is unknown.
    fn expected_value(&self, position: &P) -> Option<TablebaseValue> {
        self.value(position)
    }

    /// Whether a side can force a win, which is certain under the move counters of the position; `None`
    /// if this is unknown.
    fn can_win(&self, _position: &P, _side: Side) -> Option<bool> {
        None
    }

    /// The words by which a proof names this source, a checksum of its content among them; `None` if
    /// no proof can rest on it.
    fn identity(&self) -> Option<String> {
        None
    }
}

/// The open endgame tables of a game, whatever the type of its positions is.
pub trait ErasedTablebase: Send + Sync {
    /// The name of the game.
    fn game(&self) -> &'static str;

    /// The number of pieces up to which all positions are in own tables; 0 without these.
    fn own_pieces(&self) -> usize;

    /// The number of tables, those of incomplete sets and the parts of databases included.
    fn slices(&self) -> usize;

    /// The same tables, for positions of at most `pieces` pieces, with a cache of `mib` MiB for databases in
    /// files; `None` for tables in memory.
    fn with_limits(
        &self,
        mib: usize,
        pieces: usize,
    ) -> Result<Option<SharedTablebase>, TablebaseError>;

    /// Those among these tables that a proof names so; `None` if they are not there. No proof names tables
    /// in memory.
    fn named(&self, identity: &str) -> Option<SharedTablebase>;

    /// An `Arc<dyn Tablebase<P>>`, where `P` is the type of the positions.
    fn tablebase(self: Arc<Self>) -> Box<dyn Any>;
}

/// The open endgame tables of a game.
pub type SharedTablebase = Arc<dyn ErasedTablebase>;

/// The endgame tables of a game, and the errors of what cannot be used.
pub type OpenedTablebase = (SharedTablebase, Vec<TablebaseError>);

/// How the endgame tables of a game are opened.
#[derive(Clone, Copy)]
pub struct TablebaseOpener {
    /// Opens those in a folder, or in several ones with the separator of `PATH` between them. Fails if no
    /// folder has usable ones.
    #[cfg(not(target_family = "wasm"))]
    pub open: fn(&Path) -> Result<OpenedTablebase, TablebaseError>,
    /// Reads the contents of a file of tables, which stay in memory.
    pub read: fn(Vec<u8>) -> Result<SharedTablebase, TablebaseError>,
}

/// The endgame tables in one game: the values on which its history has no influence.
///
/// A side that wins in some plies can make every move on a way on which the plies left decrease.
/// On this way no position occurs twice, and none from which that side needs more plies. Only a position
/// from which it needs fewer, and which draws if it is repeated, can draw the game. A draw remains one: more
/// draws help neither side to win.
#[derive(Clone, Copy)]
pub struct GameTablebase<'a, P> {
    tablebase: &'a dyn Tablebase<P>,
    /// The least plies in which each side wins from a position that draws if it is repeated.
    nearest: [u16; 2],
}

/// The plies of a win of unknown length.
const UNKNOWN: u16 = u16::MAX - 1;
/// The plies where there is no win.
const NONE: u16 = u16::MAX;

impl<'a, P: Position> GameTablebase<'a, P> {
    /// The tables in a game with these positions before `root`, the first one first.
    pub fn new(tablebase: &'a dyn Tablebase<P>, root: &P, earlier: &[P]) -> Self {
        let mut nearest = [NONE; 2];
        for position in drawn_if_repeated(root, earlier) {
            let value = tablebase.value(&position);
            if let Some((winner, plies)) = value.and_then(|value| value.winner(position.side())) {
                nearest[winner] = nearest[winner].min(plies.unwrap_or(UNKNOWN));
            }
        }
        Self { tablebase, nearest }
    }

    /// The certain value of the current position of a game, which is not over; `None` if it is
    /// unknown, or if the game so far could change it.
    pub fn value_in_game(
        tablebase: &'a dyn Tablebase<P>,
        game: &GameHistory<P>,
    ) -> Option<TablebaseValue> {
        Self::new(tablebase, game.position(), game.earlier()).value(game.position(), 0)
    }

    /// The certain value of a position, `ply` plies after the root; `None` if it is unknown, or if
    /// the game so far could change it.
    #[inline]
    pub fn value(&self, position: &P, ply: usize) -> Option<TablebaseValue> {
        let value = self.tablebase.value(position)?;
        if self.nearest == [NONE; 2] || position.reversible_plies() < ply {
            return Some(value);
        }
        let is_certain = match value.winner(position.side()) {
            Some((winner, Some(plies))) => plies <= self.nearest[winner],
            Some((winner, None)) => self.nearest[winner] == NONE,
            None => true,
        };
        is_certain.then_some(value)
    }

    /// The value of a position without draws by rule, which a search may expect but not claim, and
    /// whether the move counters allow it.
    pub fn expected_value(&self, position: &P) -> Option<(TablebaseValue, bool)> {
        let value = self.tablebase.expected_value(position)?;
        Some((value, self.tablebase.value(position).is_some()))
    }
}

/// Endgame tables whose [`Tablebase::can_win`] is certain in a game in which some positions draw if they are
/// repeated.
struct TablebaseInGame<P> {
    tablebase: Arc<dyn Tablebase<P>>,
    nearest: [u16; 2],
}

impl<P: Position> Tablebase<P> for TablebaseInGame<P> {
    fn value(&self, position: &P) -> Option<TablebaseValue> {
        self.tablebase.value(position)
    }

    fn expected_value(&self, position: &P) -> Option<TablebaseValue> {
        self.tablebase.expected_value(position)
    }

    fn can_win(&self, position: &P, side: Side) -> Option<bool> {
        let is_won = self.tablebase.can_win(position, side)?;
        // Right after an irreversible move no earlier position can occur again.
        if !is_won || position.reversible_plies() == 0 {
            return Some(is_won);
        }
        let (_, plies) = self.tablebase.value(position)?.winner(position.side())?;
        (plies? <= self.nearest[side]).then_some(true)
    }

    fn identity(&self) -> Option<String> {
        self.tablebase.identity()
    }
}

/// Returns the tables for positions that follow `root` in a game, after the positions `earlier`, the first
/// one first: a win that draws by repetition could prevent is unknown to [`Tablebase::can_win`].
pub fn tablebase_in_game<P: Position>(
    tablebase: Arc<dyn Tablebase<P>>,
    root: &P,
    earlier: &[P],
) -> Arc<dyn Tablebase<P>> {
    if drawn_if_repeated(root, earlier).is_empty() {
        return tablebase;
    }
    let nearest = GameTablebase::new(&*tablebase, root, earlier).nearest;
    Arc::new(TablebaseInGame { tablebase, nearest })
}

/// Why endgame tables cannot be built, read or used.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// A file or a directory cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    /// A file or a directory has not what it should have.
    #[error("{}{what}", path.display())]
    Content {
        path: PathBuf,
        /// What follows the path in the message.
        what: String,
    },
    /// A directory without all tables of any number of pieces.
    #[error("no complete set of endgame tables and no database in {}: `soucie tables build --dir DIR` makes one", path.display())]
    Incomplete { path: PathBuf },
    /// An error that is not about one file.
    #[error("{0}")]
    Other(String),
}

impl TablebaseError {
    /// The error of a path, with what follows it in the message.
    pub fn content(path: &Path, what: impl Into<String>) -> Self {
        Self::Content { path: path.into(), what: what.into() }
    }

    /// A file or a directory cannot be read or written.
    pub fn io(path: &Path, error: io::Error) -> Self {
        Self::Io { path: path.into(), error }
    }

    /// There is not so much memory.
    pub fn out_of_memory(bytes: usize) -> Self {
        Self::Other(format!("cannot allocate {} MiB", bytes.div_ceil(1 << 20)))
    }

    /// The file or directory that the error is about, if it is about one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Io { path, .. } | Self::Content { path, .. } | Self::Incomplete { path } => {
                Some(path)
            }
            Self::Other(_) => None,
        }
    }
}
