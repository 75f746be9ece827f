//! The endgame tables that a command uses.

use std::io::{self, Write};
use std::path::Path;

use super::arguments::TablesArgument;
use super::error::CommandError;
use soucie::engine::TableError;
use soucie::engine::Tablebases;
use soucie::options::Options;

/// Returns the endgame tables in the folders that the options name, or else in the default folder if
/// that exists. Tables that cannot be used are reported on standard error.
pub fn tablebases(options: &Options, default: Option<&Path>) -> Result<Tablebases, TableError> {
    let named = !options.table_path.is_empty();
    let folder = if named { Some(Path::new(&options.table_path)) } else { default };
    let Some(folder) = folder.filter(|folder| named || folder.is_dir()) else {
        return Ok(Tablebases::default());
    };
    let (tablebases, refused) = match Tablebases::open(folder) {
        Err(error) if !named => (Tablebases::default(), vec![error]),
        opened => opened?,
    };
    for error in refused {
        // The message is optional: standard error may be closed.
        let _ = writeln!(io::stderr(), "soucie: {error}");
    }
    tablebases.with_limits(options.table_cache, options.table_pieces)
}

/// Returns the endgame tables in a folder. A damaged table is an error: results would depend on it.
pub fn whole_tables(folder: &Path) -> Result<Tablebases, CommandError> {
    let (tables, refused) = Tablebases::open(folder)?;
    match refused.into_iter().next() {
        Some(refused) => Err(refused.into()),
        None => Ok(tables),
    }
}

/// Returns the endgame tables on which proofs may rest: those in a folder or, if none is named, those in
/// the default folder.
pub fn proof_tables(argument: &TablesArgument) -> Result<Tablebases, CommandError> {
    match &argument.tables {
        Some(folder) => whole_tables(folder),
        None => Ok(tablebases(&Options::default(), argument.default.as_deref())?),
    }
}

/// Returns the endgame tables in a folder, which must have some for the variant. A damaged table is
/// an error: without it, games would not end as expected.
pub fn all_tables(folder: &Path, variant: &str) -> Result<Tablebases, CommandError> {
    let tables = whole_tables(folder)?;
    let none = || format!("tables: no tables for {variant} in {}", folder.display());
    if tables.have(variant) { Ok(tables) } else { Err(CommandError::Other(none())) }
}
