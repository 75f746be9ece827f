//! `soucie completions`: prints the completions for a shell.

use std::io::{self, Write};

use clap::Command;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use soucie::engine::PlayingLevel;
use soucie::games;

/// Prints the script that completes the arguments of the program in a shell.
pub fn run(program: Command, shell: Shell, out: &mut impl Write) -> io::Result<()> {
    // The generator panics if it cannot write, for example to a closed pipe.
    let mut script = Vec::new();
    let name = program.get_name().to_string();
    clap_complete::generate(shell, &mut with_values(program), name, &mut script);
    out.write_all(&script)
}

/// The command with the names of variants and levels, which it does not list itself.
fn with_values(command: Command) -> Command {
    let command = command.mut_args(|arg| match arg.get_id().as_str() {
        "variant" => {
            let names = games::variants().flat_map(|variant| {
                std::iter::once(variant.name).chain(variant.aliases.iter().copied())
            });
            arg.value_parser(PossibleValuesParser::new(names))
        }
        "level" => {
            let levels = PlayingLevel::ALL.map(PlayingLevel::name);
            arg.value_parser(PossibleValuesParser::new(levels))
        }
        _ => arg,
    });
    command.mut_subcommands(with_values)
}
