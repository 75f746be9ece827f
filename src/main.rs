//! The command line.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::thread;
use std::time::Duration;

use clap::{Parser, Subcommand};
use soucie::files::printable::Printable;
use soucie::games::DEFAULT_VARIANT;
use soucie::games::draughts::tables;
use soucie::protocol::{UciLoop, reply};
use soucie::{console, tools};

/// A headless engine that plays Lines of Action and English draughts over a text protocol.
///
/// Without a command it reads the protocol on standard input and answers on standard output:
/// `position startpos`, `go movetime 1000`, `d` to see the board, `quit` to end; `help` lists the
/// commands. protocol.md is the specification.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Search fixed positions: the nodes are a signature of the search, the speed its measure
    Bench {
        /// How deep, in plies
        depth: Option<usize>,
    },
    /// Count the sequences of legal moves of a given length
    Perft {
        /// How many moves
        #[arg(value_parser = clap::value_parser!(u32).range(1..))]
        depth: u32,
        /// The setup; without it the start of the variant
        #[arg(long)]
        fen: Option<String>,
        /// What to play
        #[arg(long, default_value = DEFAULT_VARIANT.name)]
        variant: String,
    },
    /// Say what a strong player would of games and positions: `soucie analyse game.sgf`
    Analyse(Box<tools::analyse::settings::AnalyseSettings>),
    /// Play two engines against each other: `--first soucie --second ./other --movetime 10`
    ///
    /// Pairs of games from the same opening with colours swapped, over the protocol. The end says
    /// the score, the difference in Elo, and how often each engine lost on time, played an illegal
    /// move, crashed, stalled, said what it should not or did not win as it had announced; the exit
    /// status is 1 if that ever happened. Ctrl-C prints the score so far, and the command that goes
    /// on with the match where --resume is given.
    Match(Box<tools::engine_match::settings::MatchSettings>),
    /// Play games of the engine against itself, to learn from: `--seeds 0..10000 --out FILE`
    ///
    /// Each seed makes one game, always the same whatever the threads. Interrupted, the same
    /// command goes on behind the last whole game.
    Selfplay(tools::selfplay::settings::Settings),
    /// Prove for good that the side to move can force a win, or that it cannot: `--fen SETUP`
    ///
    /// Ends with one line: `proved: win in at most 11 plies, key c3f6, 5120 expansions`,
    /// `disproved: ...` or `open after N expansions`. Ctrl-C ends it with what is known.
    Prove(tools::prove::Settings),
    /// Check a proof that `prove` has written, by the rules alone; the exit status is 1 if it fails
    Verify {
        /// The proof
        file: PathBuf,
    },
    /// Play at the terminal or from a script: `d1-b3`, `auto black`, `dump`; `help` lists the rest
    ///
    /// A prompt ends in `>`; moves of the automatic player and the result begin with `*`.
    Console(console::settings::Settings),
    /// Print the rules of a game in ten lines: `soucie rules --variant draughts`
    Rules {
        /// Which game
        #[arg(long, default_value = DEFAULT_VARIANT.name)]
        variant: String,
    },
    /// Build, describe and check the endgame tables of draughts
    #[command(subcommand)]
    Tables(tools::tables::TablesCommand),
    /// Learn an evaluation from positions of self-play: `--data FILE --out DIR`
    ///
    /// Writes a network and beside it how it was made. Interrupted and started again with the same
    /// settings it goes on after the last epoch and makes the same network.
    Train(tools::train::settings::Settings),
    /// Play Lines of Action against the engine in a window of XBoard: `sh -c "$(soucie xboard)"`
    ///
    /// Writes the start position and pictures of the discs to a folder and prints the command line
    /// that opens the window. XBoard and the adapter UCI2WB must be installed.
    Xboard(tools::xboard::Settings),
}

/// The time after which a program that was asked to end by a signal is terminated.
const PATIENCE: Duration = Duration::from_secs(3);

fn main() -> ExitCode {
    env_logger::init();
    match run(Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            // Failures are ignored: standard error may be closed.
            let _ = writeln!(Printable(io::stderr()), "soucie: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> io::Result<ExitCode> {
    match arguments.command {
        None => converse(),
        Some(Command::Bench { depth }) => tools::bench::run(depth, reply::event),
        Some(Command::Perft { depth, fen, variant }) => {
            tools::perft::run(depth, fen.as_deref(), &variant, reply::event)
        }
        Some(Command::Rules { variant }) => tools::rules::run(&variant, &mut io::stdout()),
        Some(Command::Xboard(settings)) => {
            tools::xboard::run(&settings, &mut io::stdout(), &mut io::stderr())
        }
        Some(Command::Tables(task)) => {
            if !tools::tables::run(&task, &mut io::stdout(), &mut io::stderr())? {
                return Ok(ExitCode::FAILURE);
            }
            Ok(())
        }
        Some(Command::Prove(settings)) => {
            tools::prove::run(&settings, &mut io::stdout()).map_err(io::Error::other)
        }
        Some(Command::Train(settings)) => {
            tools::train::run(&settings, &mut io::stdout()).map_err(io::Error::other)
        }
        Some(Command::Verify { file }) => tools::prove::verify::run(&file, &mut io::stdout()),
        Some(Command::Analyse(settings)) => {
            let is_clean = tools::analyse::run(&settings, &mut io::stdout());
            if !is_clean.map_err(io::Error::other)? {
                return Ok(ExitCode::FAILURE);
            }
            Ok(())
        }
        Some(Command::Match(settings)) => {
            let is_clean =
                tools::engine_match::run(&settings, &mut io::stdout(), &mut io::stderr());
            if !is_clean.map_err(io::Error::other)? {
                return Ok(ExitCode::FAILURE);
            }
            Ok(())
        }
        Some(Command::Selfplay(settings)) => {
            let is_done = tools::selfplay::run(&settings, &mut io::stdout());
            if !is_done.map_err(io::Error::other)? {
                return Ok(ExitCode::FAILURE);
            }
            Ok(())
        }
        Some(Command::Console(mut settings)) => {
            let usual = || tables::default_dir().filter(|folder| folder.is_dir());
            settings.tables = settings.tables.or_else(usual);
            if !console::settings::open(&settings)? {
                return Ok(ExitCode::FAILURE);
            }
            Ok(())
        }
    }?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the protocol on standard input and output. A signal ends it as `quit` does.
fn converse() -> io::Result<()> {
    // Help for users at a terminal; client programs expect no greeting.
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        let _ = writeln!(
            io::stderr(),
            "Soucie {} reads commands: 'help' lists them, 'quit' ends the program.",
            env!("CARGO_PKG_VERSION")
        );
    }
    let conversation = UciLoop::new().with_tables(tables::default_dir());
    let quitter = conversation.shutdown_handle();
    let handler = move || {
        // The fallback if the protocol cannot end, for example because the output is not read.
        thread::spawn(|| {
            thread::sleep(PATIENCE);
            process::exit(0);
        });
        quitter.quit();
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        log::warn!("signals end the program at once: {error}");
    }
    conversation.run(io::BufReader::new(io::stdin()), io::stdout())
}
