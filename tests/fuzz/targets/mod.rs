//! The fuzz targets: functions that panic if an input breaks what the engine guarantees.
//!
//! `tests/fuzz/main.rs` runs them on the corpus, `tests/external/fuzz/main.rs` on the inputs of
//! libFuzzer.

mod dialogues;
mod files;
mod queries;
mod texts;

/// A check of one input.
pub type Check = fn(&[u8]);

/// All targets. The inputs of each one are in a folder of its name in `tests/fuzz/corpus`.
pub const TARGETS: [(&str, Check); 20] = [
    ("arguments", texts::arguments),
    ("book", files::book),
    ("cecp", dialogues::cecp),
    ("checkerboard", texts::checkerboard),
    ("chinook", files::chinook),
    ("command", texts::command),
    ("hub", dialogues::hub),
    ("journal", files::journal),
    ("moves", texts::moves),
    ("network", files::network),
    ("openings", texts::openings),
    ("proof", files::proof),
    ("queries", queries::queries),
    ("records", texts::records),
    ("samples", files::samples),
    ("setup", texts::setup),
    ("tables", files::tables),
    ("tables_in_memory", files::tables_in_memory),
    ("uci", dialogues::uci),
    ("ugi", dialogues::ugi),
];

/// The settings of a command with these arguments, or the error of the command line.
fn settings<S: clap::Args>(arguments: &[&str]) -> Result<S, clap::Error> {
    let command = S::augment_args(clap::Command::default()).no_binary_name(true);
    S::from_arg_matches(&command.try_get_matches_from(arguments)?)
}
