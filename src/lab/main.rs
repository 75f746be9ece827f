//! The command line of `soucie-lab`.

use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use soucie_lab::book::{self, BookCommand};
use soucie_lab::engine_match::{self, settings::MatchSettings};
use soucie_lab::selfplay::{self, SelfplaySettings};
use soucie_lab::train::{self, TrainSettings};
use soucie_program::command_line::{self, run_protocol};

/// Matches, self-play, training and books for the engine Soucie
///
/// Without a command, soucie-lab is the same UCI engine as soucie.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Play a match between two engines
    Match(Box<MatchSettings>),
    /// Generate training data from self-play
    Selfplay(SelfplaySettings),
    /// Build an opening book
    #[command(subcommand)]
    Book(BookCommand),
    /// Train a network on self-play data
    Train(TrainSettings),
}

fn main() -> ExitCode {
    command_line::main(run)
}

/// Runs a command. Returns false after a failure that its output has reported.
fn run(arguments: Arguments) -> io::Result<bool> {
    let (out, notes) = (&mut io::stdout(), &mut io::stderr());
    match arguments.command {
        None => run_protocol().map(|()| true),
        Some(Command::Match(settings)) => Ok(engine_match::run(&settings, out, notes)?),
        Some(Command::Selfplay(settings)) => Ok(selfplay::run(&settings, out)?),
        Some(Command::Book(BookCommand::Build(settings))) => Ok(book::build(&settings, out)?),
        Some(Command::Book(BookCommand::Explored(settings))) => {
            book::explored::run(&settings, out)?;
            Ok(true)
        }
        Some(Command::Train(settings)) => {
            train::run(&settings, out)?;
            Ok(true)
        }
    }
}
