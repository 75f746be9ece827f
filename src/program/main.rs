//! The command line of `soucie`.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use soucie::game::MAX_PERFT_DEPTH;
use soucie::games::draughts::tablebase::default_dir;
use soucie::options::read_variant;
use soucie_program::arguments::{VariantArgument, number};
use soucie_program::command_line::{self, run_protocol};
use soucie_program::problem::settings::ProblemCommand;
use soucie_program::{
    analyse, bench, completions, console, find, man, openings, problem, prove, rules, tables, web,
    xboard,
};

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
  soucie problem check problems.txt";

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
    Analyse(Box<analyse::settings::AnalyseSettings>),
    /// Find games by position, player, opening or ending; the moves played in a position
    Find(Box<find::settings::FindSettings>),
    /// Prove that the side to move can force a win, or that it cannot
    Prove(prove::ProveSettings),
    /// Check a proof independently of the solver; the exit status is 1 if it fails
    Verify(prove::VerifySettings),
    /// Check problems with proofs: keys, cooks and duals; find new ones
    #[command(subcommand)]
    Problem(Box<ProblemCommand>),
    /// Play and analyse in the browser
    Play(web::settings::PlaySettings),
    /// Play at a terminal or from a script
    Console(console::ConsoleSettings),
    /// Print the rules of a game
    Rules(VariantArgument),
    /// Print the openings of Lines of Action that the engine has explored in games against itself
    Openings(openings::OpeningsSettings),
    /// Build, describe, verify and export the endgame tables of draughts
    #[command(subcommand)]
    Tables(tables::TablesCommand),
    /// Play Lines of Action in an XBoard window
    Xboard(xboard::XboardSettings),
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

/// The commands of `soucie-lab` that were commands of this program once.
const MOVED: [&str; 4] = ["book", "match", "selfplay", "train"];

fn main() -> ExitCode {
    if let Some(moved) = std::env::args().nth(1).filter(|name| MOVED.contains(&name.as_str())) {
        eprintln!("soucie: '{moved}' is a command of soucie-lab: cargo install --path src/lab");
        return ExitCode::FAILURE;
    }
    command_line::main(run)
}

/// Runs a command. Returns false after a failure that its output has reported.
fn run(arguments: Arguments) -> io::Result<bool> {
    let (out, notes) = (&mut io::stdout(), &mut io::stderr());
    let done = |result: io::Result<()>| result.map(|()| true);
    match arguments.command {
        None => done(run_protocol()),
        Some(Command::Bench { depth }) => done(bench::run(depth.map(usize::from))),
        Some(Command::Perft { depth, fen, variant }) => {
            done(bench::perft(depth, fen.as_deref(), variant.as_deref()))
        }
        Some(Command::Rules(game)) => done(rules::run(&game.variant, out)),
        Some(Command::Openings(settings)) => {
            done(openings::run(&settings, out).map_err(io::Error::from))
        }
        Some(Command::Xboard(settings)) => done(xboard::run(&settings, out, notes)),
        Some(Command::Man { dir }) => done(man::run(Arguments::command(), &dir)),
        Some(Command::Completions { shell }) => {
            done(completions::run(Arguments::command(), shell, out))
        }
        Some(Command::Tables(command)) => tables::run(&command, out, notes),
        Some(Command::Prove(mut settings)) => {
            settings.tables.default = default_dir();
            done(prove::run(&settings, out).map_err(io::Error::from))
        }
        Some(Command::Verify(mut settings)) => {
            settings.tables.default = default_dir();
            done(prove::verify(&settings, out))
        }
        Some(Command::Problem(mut command)) => {
            if let Some(proofs) = command.proofs() {
                proofs.tables.default = default_dir();
            }
            problem::run(&command, out).map_err(io::Error::from)
        }
        Some(Command::Analyse(mut settings)) => {
            settings.default_tables = default_dir();
            analyse::run(&settings, out).map_err(io::Error::from)
        }
        Some(Command::Find(settings)) => find::run(&settings, out).map_err(io::Error::from),
        Some(Command::Play(mut settings)) => {
            settings.tables.default = default_dir();
            done(web::run(&settings, out, notes))
        }
        Some(Command::Console(mut settings)) => {
            settings.tables.default = default_dir();
            console::open(&settings)
        }
    }
}
