//! Dates of games, of which only the year may be known.

/// A date as a header has it: `2001.05.12` in PDN, `2001-05-12` in SGF, `2001`, or `May 2001`, of which only the year
/// is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Date {
    year: u16,
    month: Option<u8>,
    day: Option<u8>,
}

impl Date {
    /// Reads a date: the first number of four digits is the year, and a month and a day may follow it. `None` without
    /// a year.
    pub fn read(text: &str) -> Option<Self> {
        let year = text.split(|c: char| !c.is_ascii_digit()).find(|digits| digits.len() == 4)?;
        let mut rest = text.split_once(year)?.1;
        let mut part = || {
            let digits = rest.strip_prefix(['.', '-', '/'])?.get(..2)?;
            rest = rest.get(3..)?;
            digits.parse().ok().filter(|number| *number > 0)
        };
        let month = part();
        Some(Self { year: year.parse().ok()?, month, day: month.and_then(|_| part()) })
    }

    /// The year.
    pub fn year(self) -> u16 {
        self.year
    }

    /// Whether it may be the other date or a later one: what is unknown in either may be any month or day.
    pub fn may_follow(self, other: Self) -> bool {
        let number = |date: Self, unknown| {
            (date.year, date.month.unwrap_or(unknown), date.day.unwrap_or(unknown))
        };
        number(self, u8::MAX) >= number(other, 0)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_incomplete_date_may_be_any_day_in_it() {
        let rows = [
            ("2001.05.12", "2001-05-12", true),
            ("2001.05.12", "2001-05-13", false),
            ("2001.05.??", "2001-05-13", true),
            ("2001.??.??", "2001-06", true),
            ("2001", "2001-12-31", true),
            ("2001.04.30", "2001-05", false),
            ("May 2001", "2001", true),
            ("2000", "2001", false),
            ("2002", "2001.12.31", true),
            ("12.05.2001", "2001", true),
            ("2001-05-12,13", "2001-05-12", true),
        ];
        for (one, other, follows) in rows {
            let [date, since] = [one, other].map(|text| Date::read(text).unwrap());
            assert_eq!(date.may_follow(since), follows, "{one} after {other}");
        }
        assert!(["", "?", "12.5.01", "20011"].map(Date::read).iter().all(Option::is_none));
    }
}
