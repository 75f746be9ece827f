//! `soucie completions`: prints the completions for a shell.

use std::io::{self, Write};

use clap::Command;
use clap_complete::Shell;

/// Prints the script that completes the arguments of the program in a shell.
pub fn run(mut program: Command, shell: Shell, out: &mut impl Write) -> io::Result<()> {
    // The generator panics if it cannot write, for example to a closed pipe.
    let mut script = Vec::new();
    let name = program.get_name().to_string();
    clap_complete::generate(shell, &mut program, name, &mut script);
    out.write_all(&script)
}
