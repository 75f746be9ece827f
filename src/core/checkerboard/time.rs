//! The time for a move.

use std::time::Duration;

use crate::search::Limits;

/// The longest time for a move: a day. The window asks for more where it means no limit.
const LONGEST: f64 = 86_400.0;

/// An average is kept like the time for so many moves, of which a single move may take longer.
const MOVES: u32 = 20;

/// How long a search may last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Time {
    /// Exactly this long.
    Exact(Duration),
    Average(Duration),
    /// A share of the remaining time, with an increment after the move.
    Clock {
        left: Duration,
        increment: Duration,
    },
}

impl Time {
    /// Reads the arguments of `getmove`: seconds, flags, and two numbers of 16 bits.
    pub fn read(seconds: f64, info: i32, more: i32) -> Self {
        const EXACT: i32 = 1 << 1;
        let units = match info >> 2 & 3 {
            0 => None,
            1 => Some(1),
            2 => Some(10),
            _ => Some(100),
        };
        if let Some(unit) = units {
            let millis = |number: i32| Duration::from_millis(unit * (number & 0xffff) as u64);
            return Self::Clock { left: millis(more >> 16), increment: millis(more) };
        }
        let seconds = if seconds.is_nan() { 0.0 } else { seconds.clamp(0.0, LONGEST) };
        let time = Duration::from_secs_f64(seconds);
        if info & EXACT != 0 { Self::Exact(time) } else { Self::Average(time) }
    }

    /// Whether only the user ends the search, as where a position is analysed.
    pub fn is_unlimited(self) -> bool {
        matches!(self, Self::Exact(time) | Self::Average(time) if time.as_secs_f64() >= LONGEST)
    }

    pub fn usual(self) -> Duration {
        match self {
            Self::Exact(time) | Self::Average(time) => time,
            Self::Clock { left, .. } => left / MOVES,
        }
    }

    pub fn limits(self) -> Limits {
        /// Most moves need only a part of their share.
        const SHARE: f64 = 1.6;
        let mut limits = Limits::default();
        match self {
            Self::Exact(time) => limits.movetime = Some(time),
            Self::Average(time) => {
                limits.time = [Some(time.mul_f64(SHARE) * MOVES); 2];
                limits.moves_to_go = Some(MOVES);
            }
            Self::Clock { left, increment } => {
                limits.time = [Some(left); 2];
                limits.increment = [increment; 2];
            }
        }
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        let ms = Duration::from_millis;
        let clock = |left, increment| Time::Clock { left: ms(left), increment: ms(increment) };
        for (seconds, info, more, time) in [
            (1.5, 0, 0, Time::Average(ms(1_500))),
            (1.5, 1, 7, Time::Average(ms(1_500))),
            (0.05, 2, 0, Time::Exact(ms(50))),
            (1.5, 1 << 2, 2_000 << 16 | 300, clock(2_000, 300)),
            (1.5, 2 << 2 | 2, 2_000 << 16 | 300, clock(20_000, 3_000)),
            (1.5, 3 << 2, -1, clock(6_553_500, 6_553_500)),
            (-1.0, 0, 0, Time::Average(ms(0))),
            (f64::NAN, 2, 0, Time::Exact(ms(0))),
            (f64::INFINITY, 0, 0, Time::Average(ms(86_400_000))),
        ] {
            assert_eq!(Time::read(seconds, info, more), time, "{seconds} {info} {more}");
            assert_eq!(time.is_unlimited(), seconds == f64::INFINITY);
        }
    }
}
