//! The command line.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use soucie::engine::{MAX_PERFT_DEPTH, default_tables};
use soucie::files::printable::Printable;
use soucie::games::DEFAULT_VARIANT;
use soucie::games::draughts::tables;
use soucie::options::read_variant;
use soucie::protocol::{UciLoop, reply};
use soucie::tools::arguments::number;
use soucie::tools::book::settings::BookCommand;
use soucie::tools::problem::settings::ProblemCommand;
use soucie::{console, tools, web};

/// A headless engine for Lines of Action and English draughts
#[derive(Parser)]
#[command(after_help = HELP)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

/// The end of `soucie --help`.
const HELP: &str = "\
Without a command, soucie is a UCI engine: it reads commands on standard input and writes replies to
standard output. `help` lists the commands, protocol.md describes them.

Set RUST_LOG=soucie=debug to log the lines in both directions to standard error.

Examples:
  soucie play
  printf 'position startpos\\ngo movetime 1000\\n' | soucie
  soucie console --board --level easy
  soucie analyse game.sgf --html game.html
  soucie match --first ./new --second ./old --movetime 100";

#[derive(Subcommand)]
enum Command {
    /// Benchmark: the node count identifies the search, nps its speed
    Bench {
        /// Depth in plies, from 1 to 100 [default: 14]
        #[arg(value_parser = number::<u8>(1..=100))]
        depth: Option<u8>,
    },
    /// Count the sequences of legal moves of a given length
    Perft {
        /// Length in plies, from 1 to 100
        #[arg(value_parser = number::<u32>(1..=MAX_PERFT_DEPTH.into()))]
        depth: u32,
        /// The setup [default: the start position]
        #[arg(long)]
        fen: Option<String>,
        /// The game, such as linesofaction, scrambledeggs or draughts [default: that of the setup]
        #[arg(long, value_parser = read_variant)]
        variant: Option<String>,
    },
    /// Analyse games and positions
    #[command(visible_alias = "analyze")]
    Analyse(Box<tools::analyse::settings::AnalyseSettings>),
    /// Play a match between two engines
    Match(Box<tools::engine_match::settings::MatchSettings>),
    /// Generate training data from self-play
    Selfplay(tools::selfplay::settings::SelfplaySettings),
    /// Prove that the side to move can force a win, or that it cannot
    Prove(tools::prove::ProveSettings),
    /// Check a proof independently of the solver; the exit status is 1 if it fails
    Verify(tools::prove::verify::VerifySettings),
    /// Check problems with proofs: keys, cooks and duals; find new ones
    #[command(subcommand)]
    Problem(Box<ProblemCommand>),
    /// Play and analyse in the browser
    Play(web::settings::PlaySettings),
    /// Play at a terminal or from a script
    Console(console::settings::ConsoleSettings),
    /// Print the rules of a game
    Rules {
        /// The game, such as linesofaction, scrambledeggs or draughts
        #[arg(long, default_value = DEFAULT_VARIANT.name, value_parser = read_variant)]
        variant: String,
    },
    /// Build, describe, verify and export the endgame tables of draughts
    #[command(subcommand)]
    Tables(tools::tables::TablesCommand),
    /// Build an opening book
    #[command(subcommand)]
    Book(BookCommand),
    /// Train a network on self-play data
    Train(tools::train::settings::TrainSettings),
    /// Play Lines of Action in an XBoard window
    Xboard(tools::xboard::XboardSettings),
    /// Write the manual pages, one per command
    Man {
        /// Directory for the pages; created if missing
        dir: PathBuf,
    },
    /// Print the completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

fn main() -> ExitCode {
    env_logger::init();
    match run(arguments()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // A closed standard output (such as `head`) needs no message. Other closed pipes are named.
        Err(error) if error.kind() == ErrorKind::BrokenPipe && error.raw_os_error().is_some() => {
            ExitCode::FAILURE
        }
        Err(error) => {
            // Failures are ignored: standard error may be closed.
            let _ = writeln!(Printable(io::stderr()), "soucie: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Parses the arguments. A negative number is a value, so that its error names the option.
fn arguments() -> Arguments {
    fn with_numbers(command: clap::Command) -> clap::Command {
        let with_number = |argument: Arg| {
            let has_value = argument.get_action().takes_values();
            argument.allow_negative_numbers(has_value)
        };
        command.mut_args(with_number).mut_subcommands(with_numbers)
    }
    let matches = with_numbers(Arguments::command()).get_matches();
    Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// Runs a command. Returns false after a failure that its output has reported.
fn run(arguments: Arguments) -> io::Result<bool> {
    let (out, notes) = (&mut io::stdout(), &mut io::stderr());
    let done = |result: io::Result<()>| result.map(|()| true);
    match arguments.command {
        None => done(run_uci()),
        Some(Command::Bench { depth }) => {
            done(tools::bench::run(depth.map(usize::from), reply::event))
        }
        Some(Command::Perft { depth, fen, variant }) => {
            done(tools::perft::run(depth, fen.as_deref(), variant.as_deref(), reply::event))
        }
        Some(Command::Rules { variant }) => done(tools::rules::run(&variant, out)),
        Some(Command::Xboard(settings)) => done(tools::xboard::run(&settings, out, notes)),
        Some(Command::Man { dir }) => done(tools::man::run(Arguments::command(), &dir)),
        Some(Command::Completions { shell }) => {
            done(tools::completions::run(Arguments::command(), shell, out))
        }
        Some(Command::Tables(command)) => tools::tables::run(&command, out, notes),
        Some(Command::Book(BookCommand::Build(settings))) => {
            tools::book::build(&settings, out).map_err(io::Error::from)
        }
        Some(Command::Prove(mut settings)) => {
            settings.default_tables = tables::default_dir();
            done(tools::prove::run(&settings, out).map_err(io::Error::from))
        }
        Some(Command::Verify(mut settings)) => {
            settings.default_tables = tables::default_dir();
            done(tools::prove::verify::run(&settings, out))
        }
        Some(Command::Problem(mut command)) => {
            if let Some(proofs) = command.proofs() {
                proofs.default_tables = tables::default_dir();
            }
            tools::problem::run(&command, out).map_err(io::Error::from)
        }
        Some(Command::Train(settings)) => {
            done(tools::train::run(&settings, out).map_err(io::Error::from))
        }
        Some(Command::Analyse(mut settings)) => {
            settings.default_tables = tables::default_dir();
            tools::analyse::run(&settings, out).map_err(io::Error::from)
        }
        Some(Command::Match(settings)) => {
            tools::engine_match::run(&settings, out, notes).map_err(io::Error::from)
        }
        Some(Command::Selfplay(settings)) => {
            tools::selfplay::run(&settings, out).map_err(io::Error::from)
        }
        Some(Command::Play(mut settings)) => {
            settings.default_tables = tables::default_dir();
            done(web::run(&settings, out, notes))
        }
        Some(Command::Console(mut settings)) => {
            settings.default_tables = tables::default_dir();
            console::open(&settings)
        }
    }
}

/// Runs the protocol on standard input and output. A signal ends it as `quit` does.
fn run_uci() -> io::Result<()> {
    // Help for users at a terminal; client programs expect no greeting.
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        let _ = writeln!(
            io::stderr(),
            "Soucie {} reads commands: 'help' lists them, 'quit' ends the program.",
            env!("CARGO_PKG_VERSION")
        );
    }
    let uci_loop = UciLoop::new().with_tables(default_tables(tables::default_dir()));
    let shutdown = uci_loop.shutdown_handle();
    if let Err(error) = ctrlc::set_handler(move || shutdown.quit()) {
        log::warn!("no signal handler, signals end the process at once: {error}");
    }
    uci_loop.run(io::BufReader::new(io::stdin()), io::stdout())
}
