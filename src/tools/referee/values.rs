//! The values of command line options as they are written.

use std::time::Duration;

use super::adjudicate::Agreement;
use super::settings::Target;
use super::sprt::Sprt;
use crate::tools::arguments::read_option;

/// An option for an engine.
pub fn read_engine_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = read_option(text)?;
    if text.contains(['\n', '\r']) {
        return Err("an option is one line".to_string());
    }
    // The referee would judge by other rules than the engines play by.
    if name.eq_ignore_ascii_case("UCI_Variant") {
        return Err("say --variant".to_string());
    }
    Ok((name, value))
}

pub fn read_games(text: &str) -> Result<usize, String> {
    let games: usize = text.parse().map_err(|_| "not a number")?;
    if games == 0 || games % 2 == 1 { Err("not an even number".into()) } else { Ok(games) }
}

pub fn read_concurrency(text: &str) -> Result<usize, String> {
    let at_once: usize = text.parse().map_err(|_| "not a number")?;
    if at_once == 0 { Err("there must be one".into()) } else { Ok(at_once) }
}

pub fn read_millis(text: &str) -> Result<Duration, String> {
    text.parse().map(Duration::from_millis).map_err(|_| "not a whole number".into())
}

pub fn read_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number")?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

pub fn read_range(text: &str) -> Result<(u32, u32), String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.parse::<u32>().map_err(|_| "not MIN-MAX".to_string());
    let (least, most) = (number(least)?, number(most)?);
    if least > most { Err("MIN is more than MAX".into()) } else { Ok((least, most)) }
}

pub fn read_sprt(text: &str) -> Result<Sprt, String> {
    let (elo0, elo1) = text.split_once(',').ok_or("say ELO0,ELO1")?;
    let number = |text: &str| {
        let number = text.trim().parse::<f64>().map_err(|_| "not a number".to_string())?;
        if number.abs() < 1e4 { Ok(number) } else { Err("too large".to_string()) }
    };
    let sprt = Sprt { elo0: number(elo0)?, elo1: number(elo1)? };
    if sprt.elo0 < sprt.elo1 { Ok(sprt) } else { Err("ELO0 must be less than ELO1".into()) }
}

pub fn read_agreement(text: &str) -> Result<Agreement, String> {
    let (centipawns, plies) = text.split_once(',').ok_or("say CP,PLIES")?;
    let centipawns = centipawns.trim().parse().ok().filter(|&cp: &i32| cp >= 0);
    let centipawns = centipawns.ok_or("CP is not a whole number from 0")?;
    // One ply is what one engine says, without the other.
    let plies = plies.trim().parse().ok().filter(|&plies: &usize| plies >= 2);
    let plies = plies.ok_or("PLIES is not a whole number from 2")?;
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
        assert!(read_seconds("-1").is_err());
        assert_eq!(read_range("6-11"), Ok((6, 11)));
        assert_eq!(read_range("3"), Ok((3, 3)));
        assert!(read_range("5-2").is_err());
        assert_eq!(read_sprt("-3,3"), Ok(Sprt { elo0: -3.0, elo1: 3.0 }));
        assert!(read_sprt("3,3").is_err() && read_sprt("0,inf").is_err());
        assert_eq!(read_agreement("500,4"), Ok(Agreement { centipawns: 500, plies: 4 }));
        assert!(["5", "-5,4", "5,1", "x,4"].iter().all(|text| read_agreement(text).is_err()));
    }
}
