//! Parsers for the values of command line options.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use super::adjudicate::Agreement;
use super::settings::Target;
use super::sprt::Sprt;
use crate::tools::arguments::read_option;

/// Upper bounds that exceed any practical value and rule out overflow.
const MOST_GAMES: usize = 10_000_000;
const MOST_AT_ONCE: usize = 1_024;
const MOST_PLIES: usize = 10_000;
const MOST_SECONDS: u64 = 1_000_000;
/// A greater Elo difference gives an expected score of practically 1.
const MOST_ELO: f64 = 1_000.0;

/// Parses an engine option, `NAME=VALUE`.
pub fn read_engine_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = read_option(text)?;
    if text.contains(['\n', '\r']) {
        return Err("an option is one line".to_string());
    }
    // The referee would use different rules than the engines.
    if name.eq_ignore_ascii_case("UCI_Variant") {
        return Err("say --variant".to_string());
    }
    Ok((name, value))
}

/// Parses a whole number within bounds.
fn read_number<T>(text: &str, bounds: RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let number = text.trim().parse().ok().filter(|number| bounds.contains(number));
    let (least, most) = (bounds.start(), bounds.end());
    number.ok_or_else(|| format!("not a whole number from {least} to {most}"))
}

pub fn read_games(text: &str) -> Result<usize, String> {
    let games = read_number(text, 2..=MOST_GAMES)?;
    if games % 2 == 1 { Err("not an even number".to_string()) } else { Ok(games) }
}

pub fn read_concurrency(text: &str) -> Result<usize, String> {
    read_number(text, 1..=MOST_AT_ONCE)
}

pub fn read_depth(text: &str) -> Result<usize, String> {
    read_number(text, 1..=usize::from(u16::MAX))
}

pub fn read_nodes(text: &str) -> Result<u64, String> {
    read_number(text, 1..=u64::MAX)
}

pub fn read_plies(text: &str) -> Result<usize, String> {
    read_number(text, 1..=MOST_PLIES)
}

pub fn read_millis(text: &str) -> Result<Duration, String> {
    read_number(text, 0..=MOST_SECONDS * 1_000).map(Duration::from_millis)
}

pub fn read_seconds(text: &str) -> Result<Duration, String> {
    let most = MOST_SECONDS as f64;
    let seconds = text.trim().parse().ok().filter(|seconds| (0.0..=most).contains(seconds));
    let wrong = || format!("not a number of seconds from 0 to {MOST_SECONDS}");
    seconds.map(Duration::from_secs_f64).ok_or_else(wrong)
}

pub fn read_range(text: &str) -> Result<(u32, u32), String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let number = |text| read_number(text, 0..=MOST_PLIES as u32);
    let (least, most) = (number(least)?, number(most)?);
    if least > most { Err("MIN is more than MAX".into()) } else { Ok((least, most)) }
}

pub fn read_sprt(text: &str) -> Result<Sprt, String> {
    let (elo0, elo1) = text.split_once(',').ok_or("say ELO0,ELO1")?;
    let number = |text: &str| {
        let elo = text.trim().parse().ok().filter(|elo: &f64| elo.abs() <= MOST_ELO);
        elo.ok_or_else(|| format!("not numbers from -{MOST_ELO} to {MOST_ELO}"))
    };
    let sprt = Sprt { elo0: number(elo0)?, elo1: number(elo1)? };
    if sprt.elo0 < sprt.elo1 { Ok(sprt) } else { Err("ELO0 must be less than ELO1".into()) }
}

pub fn read_agreement(text: &str) -> Result<Agreement, String> {
    let (centipawns, plies) = text.split_once(',').ok_or("say CP,PLIES")?;
    let centipawns = read_number(centipawns, 0..=i32::MAX).map_err(|why| format!("CP is {why}"))?;
    // A single ply is the score of only one engine.
    let plies = read_number(plies, 2..=MOST_PLIES).map_err(|why| format!("PLIES is {why}"))?;
    Ok(Agreement { centipawns, plies })
}

pub fn read_target(text: &str) -> Result<Target, String> {
    Ok(if text == "-" { Target::Stdout } else { Target::File(text.into()) })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked() {
        assert_eq!(read_engine_option("Hash = 5"), Ok(("Hash".into(), "5".into())));
        for wrong in ["Hash", "UCI_Variant=loa", " uci_VARIANT =x", "Hash=1\nquit"] {
            assert!(read_engine_option(wrong).is_err(), "{wrong}");
        }
        assert_eq!(read_games("4"), Ok(4));
        assert!(read_games("3").is_err() && read_games("0").is_err());
        assert_eq!(read_seconds("0.01"), Ok(Duration::from_millis(10)));
        let too_much = ["-1", "nan", "inf", "1000001", "1e19", ""];
        assert!(too_much.iter().all(|text| read_seconds(text).is_err()));
        assert_eq!(read_millis("20"), Ok(Duration::from_millis(20)));
        assert!(read_millis("1000000001").is_err() && read_millis("0.5").is_err());
        assert!(read_games("10000002").is_err() && read_games("18446744073709551614").is_err());
        assert_eq!(read_concurrency("1024"), Ok(1024));
        assert!(read_concurrency("1025").is_err() && read_concurrency("0").is_err());
        assert!(read_depth("0").is_err() && read_nodes("0").is_err());
        assert!(read_plies("0").is_err() && read_plies("10001").is_err());
        assert_eq!(read_range("6-11"), Ok((6, 11)));
        assert_eq!(read_range("3"), Ok((3, 3)));
        assert!(read_range("5-2").is_err() && read_range("1-4000000000").is_err());
        assert_eq!(read_sprt("-3,3"), Ok(Sprt { elo0: -3.0, elo1: 3.0 }));
        assert!(read_sprt("3,3").is_err() && read_sprt("0,inf").is_err());
        assert!(read_sprt("0,1001").is_err() && read_sprt("nan,5").is_err());
        assert_eq!(read_agreement("500,4"), Ok(Agreement { centipawns: 500, plies: 4 }));
        assert!(["5", "-5,4", "5,1", "x,4"].iter().all(|text| read_agreement(text).is_err()));
    }
}
