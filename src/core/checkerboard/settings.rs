//! The settings of the window, which the library keeps between two starts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use thiserror::Error;

use crate::engine::NAME;
use crate::files::{atomic_file, regular, user_dirs};
use crate::games::draughts::tablebase::default_dir;
use crate::options::{
    BOOK_FILE, HASH, OWN_BOOK, SOLVE, TABLE_CACHE, TABLE_PATH, TABLE_PIECES, THREADS,
};

/// A setting, by its name in the commands `set` and `get`.
struct Setting {
    name: &'static str,
    kind: Kind,
    default: &'static str,
}

enum Kind {
    Number(u32, u32),
    /// The path of a file or a folder; empty for none.
    Path,
}

const SETTINGS: [Setting; 10] = [
    Setting { name: "hashsize", kind: Kind::Number(1, 1 << 16), default: "64" },
    Setting { name: "searchthreads", kind: Kind::Number(1, 256), default: "1" },
    Setting { name: "book", kind: Kind::Number(0, 3), default: "3" },
    Setting { name: "bookfile", kind: Kind::Path, default: "" },
    Setting { name: "dbpath", kind: Kind::Path, default: "" },
    Setting { name: "dbmbytes", kind: Kind::Number(1, 1 << 16), default: "64" },
    Setting { name: "max_dbpieces", kind: Kind::Number(0, 24), default: "24" },
    Setting { name: "enable_wld", kind: Kind::Number(0, 1), default: "1" },
    Setting { name: "allscores", kind: Kind::Number(0, 1), default: "0" },
    Setting { name: "solve", kind: Kind::Number(0, 1), default: "0" },
];

/// The maximum size of the file, in bytes.
const LONGEST: u64 = 64 << 10;

/// The names of the file of the library, without the ending, that do not tell a copy from others.
const USUAL_NAMES: [&str; 3] = ["soucie64", "soucie", "libsoucie"];

/// Why a setting is not changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SettingError {
    #[error("unknown setting")]
    Unknown,
    #[error("expected a whole number from {0} to {1}")]
    Number(u32, u32),
    #[error("expected a path in one line")]
    Path,
}

/// The settings of a copy of the library.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    values: BTreeMap<&'static str, String>,
    library: Option<PathBuf>,
}

impl Settings {
    /// The settings of the last start of this library. Lines that are not valid are ignored.
    pub fn load(library: Option<PathBuf>) -> Self {
        let mut settings = Self { library, ..Self::default() };
        let bytes = settings.file().and_then(|path| regular::read(&path, LONGEST).ok());
        for line in String::from_utf8_lossy(&bytes.unwrap_or_default()).lines() {
            let (name, value) = line.split_once(' ').unwrap_or((line, ""));
            let _ = settings.set(name, value);
        }
        settings
    }

    /// Writes the settings for the next start.
    pub fn save(&self) -> io::Result<()> {
        let Some(path) = self.file() else { return Ok(()) };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let lines: String =
            self.values.iter().map(|(name, value)| format!("{name} {value}\n")).collect();
        atomic_file::write(&path, lines.as_bytes())
    }

    /// The name of the engine. That of a renamed library has the name of its file, because matches of two
    /// copies are played.
    pub fn engine_name(&self) -> String {
        self.copy().map_or_else(|| NAME.to_string(), |copy| format!("{NAME} ({copy})"))
    }

    /// The name of the file of the library, if it is not the usual one.
    fn copy(&self) -> Option<String> {
        let name = self.library.as_ref()?.file_stem()?.to_string_lossy().into_owned();
        let is_usual = USUAL_NAMES.iter().any(|usual| name.eq_ignore_ascii_case(usual));
        (!is_usual).then_some(name)
    }

    /// The file of the settings, in the user's directory for state; `None` if there is no home.
    fn file(&self) -> Option<PathBuf> {
        Some(user_dirs::state()?.join(self.file_name()))
    }

    fn file_name(&self) -> String {
        let copy = self.copy().map(|copy| format!("checkerboard-{copy}"));
        copy.unwrap_or_else(|| "checkerboard".to_string())
    }

    /// The value of a setting; `None` if there is none of this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        let setting = SETTINGS.iter().find(|setting| setting.name == name)?;
        Some(self.values.get(name).map_or(setting.default, String::as_str))
    }

    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let setting = SETTINGS.iter().find(|setting| setting.name == name);
        let setting = setting.ok_or(SettingError::Unknown)?;
        let value = match setting.kind {
            Kind::Number(min, max) => {
                let number = value.parse().ok().filter(|number| (min..=max).contains(number));
                number.ok_or(SettingError::Number(min, max))?.to_string()
            }
            Kind::Path if value.contains(['\n', '\r', '\0']) => return Err(SettingError::Path),
            Kind::Path => value.to_string(),
        };
        self.values.insert(setting.name, value);
        Ok(())
    }

    /// Whether the status line shows the scores of all moves.
    pub fn shows_all_scores(&self) -> bool {
        self.is("allscores", "1")
    }

    /// The options of the engine that the settings stand for, with their values.
    pub fn options(&self) -> [(&'static str, String); 8] {
        let text = |name| self.get(name).unwrap_or_default().to_string();
        let tables =
            if self.is("enable_wld", "1") { tables(&text("dbpath")) } else { String::new() };
        [
            (HASH, text("hashsize")),
            (THREADS, text("searchthreads")),
            (OWN_BOOK, (!self.is("book", "0")).to_string()),
            (BOOK_FILE, self.book_file()),
            (SOLVE, self.is("solve", "1").to_string()),
            (TABLE_CACHE, text("dbmbytes")),
            (TABLE_PIECES, text("max_dbpieces")),
            (TABLE_PATH, tables),
        ]
    }

    /// The path of the opening book. A file without a folder is beside the library.
    fn book_file(&self) -> String {
        let named = self.get("bookfile").unwrap_or_default();
        let folder = self.library.as_deref().and_then(Path::parent);
        let is_bare = Path::new(named).file_name().is_some_and(|name| name == named);
        let path = folder.filter(|_| is_bare).map(|folder| folder.join(named));
        path.map_or_else(|| named.to_string(), |path| path.to_string_lossy().into_owned())
    }

    fn is(&self, name: &str, value: &str) -> bool {
        self.get(name) == Some(value)
    }
}

/// The folders of endgame tables with these names, or the user's own folder if none is named.
pub fn tables(named: &str) -> String {
    if !named.is_empty() {
        return named.to_string();
    }
    let own = default_dir().filter(|folder| folder.is_dir());
    own.and_then(|own| own.into_os_string().into_string().ok()).unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_checked() {
        const MIB: SettingError = SettingError::Number(1, 65_536);
        for (name, value, found, after) in [
            ("hashsize", "256", Ok(()), Some("256")),
            ("hashsize", "0", Err(MIB), Some("64")),
            ("hashsize", "99999999999999999999", Err(MIB), Some("64")),
            ("hashsize", "", Err(MIB), Some("64")),
            ("searchthreads", "4", Ok(()), Some("4")),
            ("searchthreads", "-1", Err(SettingError::Number(1, 256)), Some("1")),
            ("book", "4", Err(SettingError::Number(0, 3)), Some("3")),
            ("dbpath", "C:\\Tables of Jürgen", Ok(()), Some("C:\\Tables of Jürgen")),
            ("dbpath", "a\nb", Err(SettingError::Path), Some("")),
            ("enable_wld", "0", Ok(()), Some("0")),
            ("dbmbytes", "2048", Ok(()), Some("2048")),
            ("dbmbytes", "0", Err(MIB), Some("64")),
            ("max_dbpieces", "6", Ok(()), Some("6")),
            ("max_dbpieces", "25", Err(SettingError::Number(0, 24)), Some("24")),
            ("mtcpath", "C:\\", Err(SettingError::Unknown), None),
        ] {
            let mut settings = Settings::default();
            assert_eq!(settings.set(name, value), found, "{name} {value}");
            assert_eq!(settings.get(name), after, "{name} {value}");
        }
    }

    #[test]
    fn every_default_is_valid() {
        for setting in SETTINGS {
            let mut settings = Settings::default();
            assert_eq!(settings.set(setting.name, setting.default), Ok(()), "{}", setting.name);
        }
    }

    #[test]
    fn copies_have_names_and_files_of_their_own() {
        for (library, name, file) in [
            (None, "", "checkerboard"),
            (Some("engines/soucie64.dll"), "", "checkerboard"),
            (Some("engines/SOUCIE.DLL"), "", "checkerboard"),
            (Some("engines/soucie64-b.dll"), " (soucie64-b)", "checkerboard-soucie64-b"),
            (Some("engines/für 2.0.dll"), " (für 2.0)", "checkerboard-für 2.0"),
        ] {
            let settings = Settings { library: library.map(PathBuf::from), ..Settings::default() };
            assert_eq!(settings.engine_name(), format!("{NAME}{name}"));
            assert_eq!(settings.file_name(), file);
        }
    }

    #[test]
    fn a_book_without_a_folder_is_beside_the_library() {
        let beside = Path::new("engines").join("ä.book");
        for (library, book, path) in [
            (Some("engines/soucie64.dll"), "ä.book", beside.to_str().unwrap()),
            (Some("engines/soucie64.dll"), "books/ä.book", "books/ä.book"),
            (Some("engines/soucie64.dll"), "", ""),
            (None, "ä.book", "ä.book"),
        ] {
            let mut settings =
                Settings { library: library.map(PathBuf::from), ..Settings::default() };
            settings.set("bookfile", book).unwrap();
            assert!(settings.options().contains(&(BOOK_FILE, path.to_string())), "{book}");
        }
    }
}
