//! The values of game records: formats, results, headers and marks.

use serde::{Deserialize, Serialize};

use crate::game::{Side, is_blank as is_blank_char};

/// A file format of game records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordFormat {
    /// The Smart Game Format, `FF[4]`. See <https://www.red-bean.com/sgf/>.
    Sgf,
    /// Portable Draughts Notation 3.0.
    Pdn,
}

/// The result of a game according to its record. In JSON it is `black`, `white`, `draw` or null.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "Option<String>", into = "Option<&str>")]
pub enum RecordResult {
    Won(Side),
    Drawn,
    #[default]
    Unknown,
}

impl TryFrom<Option<String>> for RecordResult {
    type Error = String;

    fn try_from(text: Option<String>) -> Result<Self, Self::Error> {
        match text.as_deref() {
            Some("black") => Ok(Self::Won(Side::Black)),
            Some("white") => Ok(Self::Won(Side::White)),
            Some("draw") => Ok(Self::Drawn),
            None => Ok(Self::Unknown),
            Some(text) => Err(format!("expected black, white or draw, found '{text}'")),
        }
    }
}

impl From<RecordResult> for Option<&str> {
    fn from(result: RecordResult) -> Self {
        match result {
            RecordResult::Won(side) => Some(side.name()),
            RecordResult::Drawn => Some("draw"),
            RecordResult::Unknown => None,
        }
    }
}

/// How a side has won a game that is not over by the rules. In JSON it is the name in lower case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WinReason {
    /// The opponent has resigned: `B+R` in SGF.
    Resignation,
    /// The opponent's time is up: `B+T`.
    Time,
    /// The opponent has made no legal move: `B+F`.
    Forfeit,
}

/// The standard headers of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeaderField {
    /// The tournament or match.
    Event,
    /// The place.
    Site,
    /// The date, in the notation of the record.
    Date,
    /// The round of the tournament.
    Round,
    /// The name of the Black player.
    Black,
    /// The name of the White player.
    White,
    /// The rules: see [`Record::rules`](super::Record::rules).
    Rules,
    /// Who annotated the game, and how: see [`Record::add_annotator`](super::Record::add_annotator).
    Annotator,
}

impl HeaderField {
    /// The headers and their names in SGF and in PDN.
    pub(super) const NAMES: [(Self, [&'static str; 2]); 8] = [
        (Self::Event, ["EV", "Event"]),
        (Self::Site, ["PC", "Site"]),
        (Self::Date, ["DT", "Date"]),
        (Self::Round, ["RO", "Round"]),
        (Self::Black, ["PB", "Black"]),
        (Self::White, ["PW", "White"]),
        (Self::Rules, ["RU", "Rules"]),
        (Self::Annotator, ["AN", "Annotator"]),
    ];
}

/// A date in the form of a format: the year, the month and the day are separated by points in PDN and by
/// hyphens in SGF. A text that is no such date is returned as it is.
pub(super) fn date_for(format: RecordFormat, text: String) -> String {
    let is_number = |(i, part): (usize, &str)| {
        part.len() == if i == 0 { 4 } else { 2 } && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let parts: Vec<&str> = text.split(['-', '.']).collect();
    if parts.len() > 3 || !parts.iter().copied().enumerate().all(is_number) {
        return text;
    }
    parts.join(match format {
        RecordFormat::Sgf => "-",
        RecordFormat::Pdn => ".",
    })
}

/// A move annotation. The values are the numeric annotation glyphs (NAG) of PGN and PDN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveMark {
    /// `!`, in SGF `TE[1]`.
    Good = 1,
    /// `?`, in SGF `BM[1]`.
    Mistake = 2,
    /// `!!`, in SGF `TE[2]`.
    VeryGood = 3,
    /// `??`, in SGF `BM[2]`.
    Blunder = 4,
    /// `!?`, in SGF `IT[]`.
    Interesting = 5,
    /// `?!`, in SGF `DO[]`.
    Doubtful = 6,
}

/// The text of a header on one line; `None` if it is absent: empty, or only the placeholders `?`, `-`,
/// `.` and `/` of unknown values, such as `????.??.??`.
pub(super) fn present(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_nothing = |c| is_blank_char(c) || matches!(c, '?' | '.' | '-' | '/');
    let is_absent = words.iter().all(|word| word.trim_matches(is_nothing).is_empty());
    (!is_absent).then(|| words.join(" "))
}

/// A text as records hold it: with `\n` as line end, blanks for other white space, and without
/// control characters, for which a file would be taken for binary data.
pub(super) fn plain_text(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let plain = text.chars().map(|c| if c.is_whitespace() && c != '\n' { ' ' } else { c });
    plain
        .filter(|&c| c == '\n' || !c.is_control())
        .collect::<String>()
        .trim_matches(is_blank_char)
        .to_string()
}

/// Whether a byte is a blank or part of a line end. One is the end of a file in DOS.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C | 0x1A)
}

/// Whether a character separates the parts of a record.
pub(super) fn is_space(c: char) -> bool {
    u8::try_from(c).is_ok_and(is_blank) || is_blank_char(c)
}
