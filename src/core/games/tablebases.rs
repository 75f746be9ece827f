//! The endgame tables of all games.

#[cfg(not(target_family = "wasm"))]
use std::path::Path;
use std::sync::Arc;

use super::GAMES;
use crate::game::{Game, SharedTables, TableError, TableOpener, Tablebase};
use crate::with_game;

/// The open endgame tables of all games that have some.
#[derive(Clone, Default)]
pub struct Tablebases(Vec<SharedTables>);

/// How the tables of each game are opened.
fn openers() -> impl Iterator<Item = TableOpener> {
    GAMES.iter().filter_map(|variants| with_game!(variants.first()?.name, |P, _variant| P::TABLES)?)
}

impl Tablebases {
    /// Opens the tables in a folder, or in several ones with the separator of `PATH` between them.
    /// Also returns the errors of tables and folders that are unusable. Fails if no folder has usable
    /// ones.
    #[cfg(not(target_family = "wasm"))]
    pub fn open(path: &Path) -> Result<(Self, Vec<TableError>), TableError> {
        let (mut tables, mut refused) = (Vec::new(), Vec::new());
        let mut failed = Vec::new();
        for opener in openers() {
            match (opener.open)(path) {
                Ok((opened, errors)) => {
                    tables.push(opened);
                    refused.extend(errors);
                }
                Err(error) => failed.push(error),
            }
        }
        match failed.into_iter().next() {
            Some(error) if tables.is_empty() => Err(error),
            _ => Ok((Self(tables), refused)),
        }
    }

    /// Reads the contents of a file of tables, which stay in memory.
    pub fn read(bytes: Vec<u8>) -> Result<Self, TableError> {
        let opener = openers().next();
        opener.map_or_else(|| Ok(Self::default()), |opener| Ok(Self(vec![(opener.read)(bytes)?])))
    }

    /// The same tables, for positions of at most `pieces` pieces, with a cache of `mib` MiB for databases
    /// in files.
    pub fn with_limits(&self, mib: usize, pieces: usize) -> Result<Self, TableError> {
        let limited = |tables: &SharedTables| {
            Ok(tables.with_limits(mib, pieces)?.unwrap_or_else(|| Arc::clone(tables)))
        };
        self.0.iter().map(limited).collect::<Result<_, _>>().map(Self)
    }

    /// Those among these tables that a proof names so; `None` if they are not there.
    pub fn named(&self, identity: &str) -> Option<Self> {
        Some(Self(vec![self.0.iter().find_map(|tables| tables.named(identity))?]))
    }

    /// The endgame tables of the game `P`, if there are any.
    pub fn of<P: Game>(&self) -> Option<Arc<dyn Tablebase<P>>> {
        let tables = self.0.iter().find(|tables| tables.game() == P::name())?;
        Arc::clone(tables).tablebase().downcast().ok().map(|tables| *tables)
    }

    /// Whether there are tables for the game of a variant.
    pub fn have(&self, variant: &str) -> bool {
        let game = with_game!(variant, |P, _variant| P::name());
        self.0.iter().any(|tables| Some(tables.game()) == game)
    }

    /// The number of pieces up to which all positions of a game are in own tables; 0 without these.
    pub fn pieces(&self) -> usize {
        self.0.iter().map(|tables| tables.pieces()).max().unwrap_or(0)
    }

    /// The number of tables, those of incomplete sets and the parts of databases included.
    pub fn slices(&self) -> usize {
        self.0.iter().map(|tables| tables.slices()).sum()
    }
}
