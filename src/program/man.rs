//! `soucie man`: writes the manual pages.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use clap::Command;
use clap::builder::Resettable;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use soucie::files::atomic_file::AtomicFile;
use soucie::files::named;

/// Writes a page for the program and for each of its subcommands into the folder `dir`, which is
/// created if missing. Pages of the same name are replaced.
pub fn run(program: Command, dir: &Path) -> io::Result<()> {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    fs::create_dir_all(dir).map_err(|error| named(dir, error))?;
    write_pages(program, dir)
}

fn write_pages(command: Command, dir: &Path) -> io::Result<()> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_string();
    let subcommands: Vec<Command> = command.get_subcommands().cloned().collect();
    // The end of the help is written below with its line ends.
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let command = command.after_help(Resettable::Reset).version(Resettable::Reset);
    let man = Man::new(command)
        .title(name.to_uppercase())
        .source(concat!("Soucie ", env!("CARGO_PKG_VERSION")))
        // The library drops an empty date.
        .date(" ");
    let mut file = AtomicFile::begin(&dir.join(man.get_filename()))?;
    man.render(&mut file)?;
    file.write_all(details(&help).render().as_bytes())?;
    file.finish()?;
    subcommands.into_iter().try_for_each(|subcommand| write_pages(subcommand, dir))
}

/// The end of a help text as sections. Indented lines are tables and examples, which keep their line
/// ends; the others are prose.
fn details(help: &str) -> Roff {
    const EXAMPLES: &str = "Examples:";
    let mut roff = Roff::new();
    let mut is_prose = true;
    for (at, line) in help.lines().enumerate() {
        if at == 0 && line != EXAMPLES {
            roff.control("SH", ["DETAILS"]);
        }
        if line.starts_with(' ') == is_prose {
            is_prose = !is_prose;
            roff.control(if is_prose { "fi" } else { "nf" }, []);
        }
        match line {
            "" => roff.control("PP", []),
            EXAMPLES => roff.control("SH", ["EXAMPLES"]),
            _ => roff.text([roman(line)]),
        };
    }
    if !is_prose {
        roff.control("fi", []);
    }
    roff
}
