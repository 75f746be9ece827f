//! `soucie xboard`: writes the files that XBoard needs to play Lines of Action against this
//! program.
//!
//! XBoard supports a game in which Black begins only by loading a position, and it loads none in a
//! variant that an engine defines. Therefore it is started with its own variant `fairy`, in which it
//! does not check the moves.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

use clap::Args;

use crate::arguments::StrengthArguments;
use soucie::engine::PlayingLevel;
use soucie::files::{atomic_file, named};
use soucie::game::{Game, Heuristics};
use soucie::games::loa::Loa;

/// The settings of the XBoard window.
#[derive(Args, Clone, Debug)]
#[command(after_help = include_str!("xboard/help.txt"))]
#[command(mut_arg("level", |level| level.default_value(PlayingLevel::default().name())))]
pub struct XboardSettings {
    /// Directory for the files of the window and for its games, games.pgn; created if missing
    #[arg(long, value_name = "DIR", default_value = "soucie-xboard")]
    pub dir: PathBuf,
    /// Play Black, who moves first; then choose Mode > Machine White in the window
    #[arg(long)]
    pub black: bool,
    /// The strength of the engine.
    #[command(flatten)]
    pub strength: StrengthArguments,
}

/// The script that starts the engine, without its first lines, which set the engine and its
/// strength.
const ENGINE: &str = include_str!("xboard/engine.sh");

/// The script that opens the window, without its last lines, which contain the command.
const WINDOW: &str = include_str!("xboard/window.sh");

/// The start position of Lines of Action.
const START: &str = Loa::VARIANTS[0].start;

/// XBoard's piece letters, White's and then Black's. The second piece, the knight, represents a
/// disc; the first piece, the pawn, would be promoted.
const LETTERS: &str = "PLBRQ..............Kplbrq..............k";

/// The pictures, named after XBoard's pieces.
const FILES: [(&str, &str); 2] = [
    ("WhiteKnight.svg", include_str!("xboard/white.svg")),
    ("BlackKnight.svg", include_str!("xboard/black.svg")),
];

/// Writes the files into the folder of the settings. Prints the command line that opens the window
/// to `out`, and instructions to `notes`.
pub fn run(
    settings: &XboardSettings,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> io::Result<()> {
    let dir = std::path::absolute(&settings.dir)?;
    fs::create_dir_all(&dir).map_err(|error| named(&dir, error))?;
    let StrengthArguments { level, elo } = settings.strength;
    let fixed = elo
        .or_else(|| level.unwrap_or_default().elo(&Loa::CALIBRATION))
        .map(|elo| format!("option UCI_LimitStrength=1\noption UCI_Elo={elo}\n"));
    let engine = quoted(text(&env::current_exe()?)?)?;
    let fixed = quoted(&fixed.unwrap_or_default())?;
    let save = |name, content: &str| atomic_file::write(&dir.join(name), content.as_bytes());
    save("engine.sh", &format!("engine={engine}\nfixed={fixed}\n{ENGINE}"))?;
    save("window.sh", &format!("{WINDOW}{}", command(&dir, settings.black)?))?;
    save("start.fen", &format!("{START}\n"))?;
    for (name, content) in FILES {
        save(name, content)?;
    }
    writeln!(out, "sh {}", quoted(text(&dir.join("window.sh"))?)?)?;
    let advice = if settings.black {
        "move a black disc, then choose Mode > Machine White"
    } else {
        "the engine has Black and begins; drag a white disc, or click it and its target square"
    };
    writeln!(notes, "In the window: {advice}")
}

/// Returns the end of window.sh: the loop around the command that opens the window.
fn command(dir: &Path, person_is_black: bool) -> io::Result<String> {
    let start = dir.join("start.fen");
    let games = dir.join("games.pgn");
    let (dir, start, games) = (text(dir)?, text(&start)?, text(&games)?);
    let mut words = vec!["xboard", "-fcp", "sh engine.sh", "-fd", dir];
    words.extend(["-variant", "fairy", "-pieceToCharTable", LETTERS, "-lpf", start]);
    // XBoard does not implement the rules.
    words.extend(["-testLegality", "false", "-testClaims", "false", "-ruleMoves", "0"]);
    // With an increment and no clock for the user, the engine takes about four seconds for every
    // move.
    words.extend(["-timeControl", "1", "-timeIncrement", "2", "-clockMode", "false"]);
    words.extend(["-ponderNextMove", "false"]);
    words.extend(["-pid", dir, "-useBoardTexture", "false", "-showCoords", "true"]);
    words.extend(["-lightSquareColor", "#e8d5ac", "-darkSquareColor", "#d9bf8c"]);
    words.extend(["-whitePieceColor", "#fffdf6", "-blackPieceColor", "#262626"]);
    // The board is symmetric, so it need not be flipped.
    words.extend(["-autoFlipView", "false", "-flipView", "false"]);
    // The user's XBoard settings for chess stay unchanged.
    words.extend(["-saveGameFile", games, "-saveSettingsOnExit", "false"]);
    if !person_is_black {
        words.extend(["-initialMode", "MachineBlack"]);
    }
    let words = shlex::try_join(words).map_err(io::Error::other)?;
    Ok(format!(
        "    {words} \"$@\" &\n    window=$!\n    wait $window\n    [ -e \"$again\" ]\ndo :; done\n"
    ))
}

fn text(path: &Path) -> io::Result<&str> {
    let strange = || io::Error::other(format!("the path {} is not UTF-8", path.display()));
    path.to_str().ok_or_else(strange)
}

fn quoted(text: &str) -> io::Result<String> {
    let quoted = shlex::try_quote(text).map_err(io::Error::other)?;
    Ok(quoted.into_owned())
}
