//! The settings of the window, which the library keeps between two starts.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{fs, io};

use crate::files::{atomic_file, regular, user_dirs};
use crate::games::draughts::tables::default_dir;
use crate::options::{BOOK_FILE, HASH, OWN_BOOK, SOLVE, TABLE_CACHE, TABLE_PATH, THREADS};

/// A setting, by its name in the commands `set` and `get`.
struct Setting {
    name: &'static str,
    kind: Kind,
    default: &'static str,
}

enum Kind {
    /// A number in this range.
    Number(u32, u32),
    /// The path of a file or a folder; empty for none.
    Path,
}

/// All settings.
const SETTINGS: [Setting; 9] = [
    Setting { name: "hashsize", kind: Kind::Number(1, 1 << 16), default: "64" },
    Setting { name: "searchthreads", kind: Kind::Number(1, 256), default: "1" },
    Setting { name: "book", kind: Kind::Number(0, 3), default: "3" },
    Setting { name: "bookfile", kind: Kind::Path, default: "" },
    Setting { name: "dbpath", kind: Kind::Path, default: "" },
    Setting { name: "dbmbytes", kind: Kind::Number(1, 1 << 16), default: "64" },
    Setting { name: "enable_wld", kind: Kind::Number(0, 1), default: "1" },
    Setting { name: "allscores", kind: Kind::Number(0, 1), default: "0" },
    Setting { name: "solve", kind: Kind::Number(0, 1), default: "0" },
];

/// The maximum size of the file, in bytes.
const LONGEST: u64 = 64 << 10;

/// The values that differ from the defaults.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings(BTreeMap<&'static str, String>);

impl Settings {
    /// The settings of the last start. Lines that are not valid are ignored.
    pub fn load() -> Self {
        let bytes = file().and_then(|path| regular::read(&path, LONGEST).ok()).unwrap_or_default();
        let mut settings = Self::default();
        for line in String::from_utf8_lossy(&bytes).lines() {
            let (name, value) = line.split_once(' ').unwrap_or((line, ""));
            settings.set(name, value);
        }
        settings
    }

    /// Writes the settings for the next start.
    pub fn save(&self) -> io::Result<()> {
        let Some(path) = file() else { return Ok(()) };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let lines: String =
            self.0.iter().map(|(name, value)| format!("{name} {value}\n")).collect();
        atomic_file::write(&path, lines.as_bytes())
    }

    /// The value of a setting; `None` if there is none of this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        let setting = SETTINGS.iter().find(|setting| setting.name == name)?;
        Some(self.0.get(name).map_or(setting.default, String::as_str))
    }

    /// Changes a setting. Returns false if there is none of this name, or it cannot have this value.
    pub fn set(&mut self, name: &str, value: &str) -> bool {
        let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
            return false;
        };
        let value = match setting.kind {
            Kind::Number(min, max) => {
                let number = value.parse().ok().filter(|number| (min..=max).contains(number));
                number.map(|number: u32| number.to_string())
            }
            Kind::Path => (!value.contains(['\n', '\r', '\0'])).then(|| value.to_string()),
        };
        value.map(|value| self.0.insert(setting.name, value)).is_some()
    }

    /// Whether the status line shows the scores of all moves.
    pub fn shows_all_scores(&self) -> bool {
        self.is("allscores", "1")
    }

    /// The options of the engine that the settings stand for, with their values.
    pub fn options(&self) -> [(&'static str, String); 7] {
        let text = |name| self.get(name).unwrap_or_default().to_string();
        let tables = match text("dbpath") {
            _ if !self.is("enable_wld", "1") => String::new(),
            path if path.is_empty() => own_tables().unwrap_or_default(),
            path => path,
        };
        [
            (HASH, text("hashsize")),
            (THREADS, text("searchthreads")),
            (OWN_BOOK, (!self.is("book", "0")).to_string()),
            (BOOK_FILE, text("bookfile")),
            (SOLVE, self.is("solve", "1").to_string()),
            (TABLE_CACHE, text("dbmbytes")),
            (TABLE_PATH, tables),
        ]
    }

    fn is(&self, name: &str, value: &str) -> bool {
        self.get(name) == Some(value)
    }
}

/// The folder of the user's own endgame tables, if it is there.
fn own_tables() -> Option<String> {
    default_dir().filter(|folder| folder.is_dir())?.into_os_string().into_string().ok()
}

/// The file of the settings, in the user's directory for state; `None` if there is no home.
fn file() -> Option<PathBuf> {
    Some(user_dirs::state()?.join("checkerboard"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_checked() {
        for (name, value, is_valid, after) in [
            ("hashsize", "256", true, Some("256")),
            ("hashsize", "0", false, Some("64")),
            ("hashsize", "99999999999999999999", false, Some("64")),
            ("hashsize", "", false, Some("64")),
            ("searchthreads", "4", true, Some("4")),
            ("searchthreads", "-1", false, Some("1")),
            ("book", "4", false, Some("3")),
            ("dbpath", "C:\\Tables of Jürgen", true, Some("C:\\Tables of Jürgen")),
            ("dbpath", "a\nb", false, Some("")),
            ("enable_wld", "0", true, Some("0")),
            ("dbmbytes", "2048", true, Some("2048")),
            ("dbmbytes", "0", false, Some("64")),
            ("max_dbpieces", "6", false, None),
        ] {
            let mut settings = Settings::default();
            assert_eq!(settings.set(name, value), is_valid, "{name} {value}");
            assert_eq!(settings.get(name), after, "{name} {value}");
        }
    }

    #[test]
    fn every_default_is_valid() {
        for setting in SETTINGS {
            let mut settings = Settings::default();
            assert!(settings.set(setting.name, setting.default), "{}", setting.name);
        }
    }
}
