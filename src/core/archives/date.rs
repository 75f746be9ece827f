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

    /// Reads a date of a query: `2001`, `2001-05` or `2001-05-12`. `None` for any other text.
    pub fn of_query(text: &str) -> Option<Self> {
        let (year, rest) =
            text.split_once('-').map_or((text, None), |(year, rest)| (year, Some(rest)));
        let (month, day) = rest.map_or((None, None), |rest| {
            rest.split_once('-').map_or((Some(rest), None), |(month, day)| (Some(month), Some(day)))
        });
        let number = |part: Option<&str>, digits: usize, most: u16| match part {
            None => Some(None),
            Some(part)
                if part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                part.parse().ok().filter(|number| (1..=most).contains(number)).map(Some)
            }
            Some(_) => None,
        };
        let year = number(Some(year), 4, 9999)??;
        let [month, day] =
            [number(month, 2, 12)?, number(day, 2, 31)?].map(|part| part.map(|part| part as u8));
        Some(Self { year, month, day })
    }

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

    #[test]
    fn a_query_has_a_date_of_digits() {
        for text in ["2001", "2001-05", "2001-05-12"] {
            assert_eq!(Date::of_query(text), Date::read(text), "{text}");
        }
        let others = [
            "",
            "01",
            "2001-5",
            "2001-13",
            "2001-00",
            "2001-05-32",
            "2001-05-",
            "2001-+5",
            "2001.05",
            "May 2001",
        ];
        assert!(others.map(Date::of_query).iter().all(Option::is_none));
    }
}
