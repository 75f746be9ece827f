//! The command-line settings of `soucie find`.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::{ThreadArguments, number, read_source};
use crate::error::CommandError;
use soucie::archives::{
    Date, Query, QueryError, TextPart, WantedEnding, WantedOpening, WantedPosition, WantedResult,
};
use soucie::files::paths::{Conflict, Endpoint, check_distinct};
use soucie::game::{Variant, split_moves};
use soucie::games;
use soucie::options::read_variant;
use soucie::records::setups::SetupMoves;

/// The settings of a search in archives.
#[derive(Args, Clone, Debug)]
#[command(after_help = include_str!("help.txt"))]
pub struct FindSettings {
    /// Games (SGF, PDN, XBoard's PGN, move lists); - for standard input
    #[arg(required = true, value_name = "ARCHIVE", value_parser = read_source)]
    pub archives: Vec<Endpoint>,
    /// Games with this position, a setup, however it was reached
    #[arg(long, value_name = "SETUP")]
    pub fen: Option<String>,
    /// Games with the position after these moves, from the start or from --fen
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Games of this player: a part of the name, in any case, as in the next options
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// Games in which this player has Black
    #[arg(long, value_name = "NAME")]
    pub black: Option<String>,
    /// Games in which this player has White
    #[arg(long, value_name = "NAME")]
    pub white: Option<String>,
    /// Games of this tournament or match
    #[arg(long, value_name = "NAME")]
    pub event: Option<String>,
    /// Games with a three-move opening: a part of its name, or its moves
    #[arg(long, value_name = "NAME")]
    pub opening: Option<String>,
    /// Games with this result: black, white, draw or unknown; won or lost by the player who is named
    #[arg(long, value_parser = read_result)]
    pub result: Option<WantedResult>,
    /// Games of this date or later, such as 2001 or 2001-05-12; of an incomplete date, if it may be so
    #[arg(long, value_name = "DATE", value_parser = read_date)]
    pub since: Option<Date>,
    /// Games of this date or earlier
    #[arg(long, value_name = "DATE", value_parser = read_date)]
    pub until: Option<Date>,
    /// Games with these pieces of Black and of White: 2k1m:1k2m for kings and men, or 5:4
    #[arg(long, value_name = "PIECES", value_parser = WantedEnding::read)]
    pub ending: Option<WantedEnding>,
    /// Games of this game; also where neither the archive nor its moves determine it
    #[arg(long, value_parser = read_variant)]
    pub variant: Option<String>,
    /// Print one JSON object per game or move
    #[arg(long)]
    pub json: bool,
    /// Write the games that are found to this file, in the format of the first one; an existing one is
    /// replaced
    #[arg(long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// Print the moves played in the position, with their results, in place of the games
    #[arg(long, conflicts_with_all = ["out", "duplicates"])]
    pub tree: bool,
    /// Also search each move of --tree, so many positions
    #[arg(long, requires = "tree", value_parser = number::<u64>(1..))]
    pub nodes: Option<u64>,
    /// Print only games with the same moves as an earlier one
    #[arg(long)]
    pub duplicates: bool,
    #[command(flatten)]
    pub threads: ThreadArguments,
}

fn read_result(text: &str) -> Result<WantedResult, &'static str> {
    WantedResult::read(text).ok_or("expected black, white, draw, unknown, won or lost")
}

fn read_date(text: &str) -> Result<Date, &'static str> {
    Date::of_query(text).ok_or("expected a date such as 2001 or 2001-05-12")
}

impl FindSettings {
    /// Checks that the output file is no input.
    pub fn check_files(&self) -> Result<(), Conflict> {
        check_distinct(self.archives.iter().cloned(), self.out.iter().cloned())
    }

    /// The variant that is given.
    pub fn variant(&self) -> Option<&'static Variant> {
        self.variant.as_deref().and_then(games::variant)
    }

    /// What a game must have.
    pub fn query(&self) -> Result<Query, CommandError> {
        let names = [&self.player, &self.black, &self.white];
        let is_of_player = matches!(self.result, Some(WantedResult::Won | WantedResult::Lost));
        if is_of_player && names.into_iter().flatten().count() != 1 {
            let error = "--result won and lost need one of --player, --black and --white";
            return Err(CommandError::Other(error.to_string()));
        }
        let part = |text: &Option<String>| text.as_deref().map(TextPart::new);
        let [player, black, white] = names.map(part);
        let mut query = Query {
            game: self.variant().and_then(|variant| {
                WantedPosition::read(variant, None, &[""; 0]).ok().map(|start| start.game())
            }),
            player,
            black,
            white,
            event: part(&self.event),
            result: self.result,
            since: self.since,
            until: self.until,
            position: self.position().map_err(error)?,
            opening: self.opening.as_deref().map(WantedOpening::read).transpose().map_err(error)?,
            ending: self.ending.clone(),
        };
        if self.tree && query.position.is_none() {
            query.position = Some(self.tree_position(&query)?);
        }
        Ok(query)
    }

    /// The position of `--fen` and `--moves`.
    fn position(&self) -> Result<Option<WantedPosition>, QueryError> {
        if self.fen.is_none() && self.moves.is_none() {
            return Ok(None);
        }
        let moves = split_moves(self.moves.as_deref().unwrap_or_default());
        let moves = moves.into_iter().map(str::to_string).collect();
        let played = SetupMoves { setup: self.fen.clone(), moves };
        let variant = self.variant().unwrap_or_else(|| played.variant(None));
        WantedPosition::read(variant, played.setup.as_deref(), &played.moves).map(Some)
    }

    /// The position of `--tree` where none is given: that of the opening, or the start position.
    fn tree_position(&self, query: &Query) -> Result<WantedPosition, CommandError> {
        let wrong = |reason: String| Err(CommandError::Other(reason));
        match (query.opening.as_ref().map(WantedOpening::positions), self.variant()) {
            (Some([position]), _) => Ok(position.clone()),
            (Some(several), _) => wrong(format!(
                "--tree needs one position, and {} openings have this name: --opening takes moves too",
                several.len()
            )),
            (None, Some(variant)) => WantedPosition::read(variant, None, &[""; 0]).map_err(error),
            (None, None) => wrong(
                "--tree needs a position: --fen, --moves, --opening, or --variant for its start"
                    .to_string(),
            ),
        }
    }
}

fn error(error: QueryError) -> CommandError {
    CommandError::Other(error.to_string())
}
