//! What the command lines of the program and of the laboratory share.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use super::error::note;
use clap::{Arg, Parser};
use soucie::engine::default_tables;
use soucie::games::draughts::tablebase;
use soucie::protocol::UciLoop;

/// Runs a command line. `run` returns false after a failure that its output has reported.
pub fn main<A: Parser>(run: impl FnOnce(A) -> io::Result<bool>) -> ExitCode {
    env_logger::init();
    match run(arguments()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // A closed standard output (such as `head`) needs no message. Other closed pipes are named.
        Err(error) if error.kind() == ErrorKind::BrokenPipe && error.raw_os_error().is_some() => {
            ExitCode::FAILURE
        }
        Err(error) => {
            note(error);
            ExitCode::FAILURE
        }
    }
}

/// Parses the arguments. A negative number is a value, so that its error names the option.
fn arguments<A: Parser>() -> A {
    fn with_numbers(command: clap::Command) -> clap::Command {
        let with_number = |argument: Arg| {
            let has_value = argument.get_action().takes_values();
            argument.allow_negative_numbers(has_value)
        };
        command.mut_args(with_number).mut_subcommands(with_numbers)
    }
    let matches = with_numbers(A::command()).get_matches();
    A::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// Runs the protocol on standard input and output. A signal ends it as `quit` does.
pub fn run_protocol() -> io::Result<()> {
    // Help for users at a terminal; client programs expect no greeting.
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        let _ = writeln!(
            io::stderr(),
            "Soucie {} reads commands: 'help' lists them, 'quit' ends the program.",
            env!("CARGO_PKG_VERSION")
        );
    }
    let uci_loop = UciLoop::new().with_tables(default_tables(tablebase::default_dir()));
    let shutdown = uci_loop.shutdown_handle();
    if let Err(error) = ctrlc::set_handler(move || shutdown.quit()) {
        log::warn!("no signal handler, signals end the process at once: {error}");
    }
    uci_loop.run(io::BufReader::new(io::stdin()), io::stdout())
}
