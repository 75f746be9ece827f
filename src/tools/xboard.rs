//! `soucie xboard`: all that XBoard needs to show Lines of Action and to play it against this
//! very program.
//!
//! XBoard speaks with the engine through the adapter UCI2WB. It knows no game in which Black
//! begins but by loading a position, and refuses a position that is loaded before an engine has
//! described a variant of its own. So the adapter is not told of the variants of the engine, and
//! XBoard is told of one of its own, `fairy`, in which it asks nothing of the moves.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

use clap::Args;

use crate::game::Game;
use crate::games::loa::Loa;
use crate::tools::unfinished::Unfinished;

/// Where the files are to be and which side the person plays.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// The folder for the position and the pictures of the discs; made if it is not there
    #[arg(long, value_name = "DIR", default_value = "soucie-xboard")]
    pub dir: PathBuf,
    /// Play Black, who begins; the engine then needs a word: see the note that is printed
    #[arg(long)]
    pub black: bool,
}

/// Lines of Action as it begins.
const START: &str = Loa::VARIANTS[0].start;

/// The letters of XBoard's pieces, White's and then Black's: the second, the knight, is a stone.
/// It is not the first, since that one is promoted.
const LETTERS: &str = "PLBRQ..............Kplbrq..............k";

/// What UCI2WB is not to read. Without the line that names its variants the engine plays Lines of
/// Action. UCI2WB takes a search without a move for the end of the game; after an illegal move of
/// the person it reads some move, which `adapter.sh` keeps back.
const FILTER: &str = "\
sed -u -e '/^option name UCI_Variant /d' \
-e '/^info string error the last position was refused: illegal move /,/^bestmove /{
/^info /d
s/^bestmove (none)$/bestmove a1a1/
}'
";

/// The files that are the same everywhere: the pictures under the names of the pieces, and what
/// stands between XBoard and the engine.
const FILES: [(&str, &str); 3] = [
    ("WhiteKnight.svg", include_str!("xboard/white.svg")),
    ("BlackKnight.svg", include_str!("xboard/black.svg")),
    ("adapter.sh", include_str!("xboard/adapter.sh")),
];

/// Writes the files into the folder of the settings, the command line that opens the window to
/// `out`, and to `notes` what to do there.
pub fn run(settings: &Settings, out: &mut impl Write, notes: &mut impl Write) -> io::Result<()> {
    let dir = std::path::absolute(&settings.dir)?;
    fs::create_dir_all(&dir).map_err(|error| at(&dir, &error))?;
    let engine = env::current_exe()?;
    let start_engine = format!("{} | {FILTER}", quoted(&engine)?);
    save(&dir, "engine.sh", &start_engine)?;
    save(&dir, "start.fen", &format!("{START}\n"))?;
    for (name, content) in FILES {
        save(&dir, name, content)?;
    }
    writeln!(out, "{}", command(&dir, settings.black)?)?;
    let advice = if settings.black {
        "move a black disc, then choose Mode > Machine White"
    } else {
        "the engine has Black and begins; click a white disc and where it shall go"
    };
    writeln!(notes, "needs the programs xboard and uci2wb. In the window: {advice}")
}

/// The command line, quoted for a shell.
fn command(dir: &Path, person_is_black: bool) -> io::Result<String> {
    let start = dir.join("start.fen");
    let games = dir.join("games.pgn");
    let (dir, start, games) = (text(dir)?, text(&start)?, text(&games)?);
    let mut words = vec!["xboard", "-fcp", "sh adapter.sh", "-fd", dir];
    words.extend(["-variant", "fairy", "-pieceToCharTable", LETTERS, "-lpf", start]);
    // XBoard does not know the rules.
    words.extend(["-testLegality", "false", "-testClaims", "false", "-ruleMoves", "0"]);
    // With a gain for each move and no clock for the person, the engine takes some four seconds a
    // move from the first to the last.
    words.extend(["-timeControl", "1", "-timeIncrement", "2", "-clockMode", "false"]);
    words.extend(["-ponderNextMove", "false"]);
    words.extend(["-pid", dir, "-useBoardTexture", "false", "-showCoords", "true"]);
    words.extend(["-lightSquareColor", "#e8d5ac", "-darkSquareColor", "#d9bf8c"]);
    words.extend(["-whitePieceColor", "#fffdf6", "-blackPieceColor", "#262626"]);
    // Who plays chess in XBoard finds it afterwards as it was.
    words.extend(["-saveGameFile", games, "-saveSettingsOnExit", "false"]);
    if !person_is_black {
        words.extend(["-initialMode", "MachineBlack"]);
    }
    let words = shlex::try_join(words).map_err(io::Error::other)?;
    // Debian keeps both programs in a folder that is not always on the path.
    Ok(format!("env PATH=\"$PATH:/usr/games\" {words}"))
}

/// Writes a file so that nobody ever sees half of it.
fn save(dir: &Path, name: &str, content: &str) -> io::Result<()> {
    let path = dir.join(name);
    let write = || {
        let mut file = Unfinished::begin(&path, ".tmp")?;
        file.write_all(content.as_bytes())?;
        file.finish()
    };
    write().map_err(|error| at(&path, &error))
}

fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()))
}

fn text(path: &Path) -> io::Result<&str> {
    let strange = || io::Error::other(format!("the path {} is not UTF-8", path.display()));
    path.to_str().ok_or_else(strange)
}

fn quoted(path: &Path) -> io::Result<String> {
    let quoted = shlex::try_quote(text(path)?).map_err(io::Error::other)?;
    Ok(quoted.into_owned())
}
