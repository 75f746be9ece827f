//! The data of a game and its variants that modules outside the game need.

use std::fmt::{self, Display};

use super::{
    BoardLine, Fact, Features, Groups, Heuristics, Notation, Opening, TablebaseOpener, Threat,
};

/// A variant of a game: names, a start position and conventions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variant {
    /// The name in the protocol.
    pub name: &'static str,
    /// The name for display. The title of the first variant is also that of the game.
    pub title: &'static str,
    /// Other accepted names, in lower case without spaces and dashes.
    pub aliases: &'static [&'static str],
    /// The start position as a setup.
    pub start: &'static str,
    /// The letters and signs of setups in all their notations, except digits, blanks, `/`, `-` and
    /// `.`.
    pub setup_signs: &'static str,
    /// Setups for the benchmark.
    pub bench: &'static [&'static str],
    /// The goal of the game as one sentence for players.
    pub goal: &'static str,
    /// The rules as text for players, one rule per line.
    pub rules: &'static str,
    /// Whether squares are numbered by convention: the dark squares from 1 to 32, beginning at the
    /// left of the eighth rank.
    pub is_numbered: bool,
    /// The format of game records, and how they name the game.
    pub record_id: RecordId,
    /// The default maximum length of self-play games, in plies.
    pub max_plies: usize,
}

/// A name without case, blanks and punctuation, to compare it with others.
pub fn plain_name(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_ascii_lowercase()
}

/// How records name the game, in the format that it uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordId {
    /// The Smart Game Format.
    Sgf {
        /// The number of the game in the property `GM`.
        game: u8,
        /// The names of the start position in the property `SU`; the first one is written.
        starts: &'static [&'static str],
    },
    /// The Portable Draughts Notation.
    Pdn {
        /// The tag `GameType`, which begins with the number of the game.
        game_type: &'static str,
    },
}

impl RecordId {
    /// The number of the game in SGF; `None` for other formats.
    pub fn sgf_game(&self) -> Option<u8> {
        match *self {
            Self::Sgf { game, .. } => Some(game),
            Self::Pdn { .. } => None,
        }
    }

    /// The number of the game in PDN; `None` for other formats.
    pub fn pdn_game(&self) -> Option<&'static str> {
        match self {
            Self::Sgf { .. } => None,
            Self::Pdn { game_type } => game_type.split(',').next(),
        }
    }
}

impl Display for RecordId {
    /// Writes the property or tag that identifies the game, and its number.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Sgf { game, .. } => write!(f, "GM {game}"),
            Self::Pdn { .. } => write!(f, "GameType {}", self.pdn_game().unwrap_or_default()),
        }
    }
}

/// A game with all that the engine and the tools need.
pub trait Game: Notation + Heuristics + Features {
    /// The variants, the default one first.
    const VARIANTS: &'static [Variant];

    /// How its endgame tables are opened; `None` for a game without any.
    const TABLES: Option<TablebaseOpener> = None;

    /// The built-in problems, each a JSON object on a line, the easiest first: `protocol/json.md` describes
    /// the fields. None by default.
    const PROBLEMS: &'static str = "";

    /// The lessons in which the rules are learnt by playing, each a JSON object on a line, in their order:
    /// `protocol/json.md` describes the fields. None by default.
    const LESSONS: &'static str = "";

    /// The lines of the board whose pieces the rules count, without empty ones; none by default.
    fn lines(&self) -> Vec<BoardLine> {
        Vec::new()
    }

    /// The groups of pieces, in games whose rules are about them; none by default.
    fn groups(&self) -> Option<Groups> {
        None
    }

    /// What the opponent of the side to move threatens. None by default.
    fn threat(&self) -> Option<Threat<Self>> {
        None
    }

    /// What a legal move does where it can be counted, in words of the game: see
    /// [`facts`](super::facts()), which adds what every game has. None by default.
    fn facts(&self, mv: Self::Move) -> Vec<Fact> {
        let _ = mv;
        Vec::new()
    }

    /// The openings of a variant that players name or draw by lot; none by default.
    fn openings(variant: &Variant) -> Vec<Opening> {
        let _ = variant;
        Vec::new()
    }

    /// The name of the game, which is that of its default variant.
    fn name() -> &'static str {
        Self::VARIANTS.first().map_or("", |variant| variant.name)
    }
}
