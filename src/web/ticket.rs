//! The secret in the address with which the browser is opened.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::token::Token;

/// The time in which a browser must be open.
pub const TICKET_TIME: Duration = Duration::from_secs(30);

/// A substitute for the token, valid once and for a short time. The browser gets its address as an
/// argument, and the arguments of a process are visible to all users of the computer.
pub struct Ticket {
    secret: Token,
    end: Instant,
    is_used: AtomicBool,
}

/// Why a ticket is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidTicket {
    /// It was used before.
    Used,
    /// It has expired, or is none of this server.
    Expired,
}

impl Ticket {
    /// A new ticket, valid from now on.
    pub fn new() -> Self {
        let end = Instant::now() + TICKET_TIME;
        Self { secret: Token::random(), end, is_used: AtomicBool::new(false) }
    }

    /// The ticket as text: hexadecimal digits.
    pub fn as_str(&self) -> &str {
        self.secret.as_str()
    }

    /// Uses the ticket, if `text` is it.
    pub fn redeem(&self, text: &str, now: Instant) -> Result<(), InvalidTicket> {
        if !self.secret.matches(text) {
            return Err(InvalidTicket::Expired);
        }
        // A late attempt uses it too: nothing is valid afterwards.
        if self.is_used.swap(true, Ordering::Relaxed) {
            return Err(InvalidTicket::Used);
        }
        if now < self.end { Ok(()) } else { Err(InvalidTicket::Expired) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_valid_once_and_for_a_short_time() {
        let (ticket, now) = (Ticket::new(), Instant::now());
        let other = Ticket::new();
        assert_eq!(ticket.redeem(other.as_str(), now), Err(InvalidTicket::Expired));
        assert_eq!(ticket.redeem("", now), Err(InvalidTicket::Expired));
        let in_time = now + TICKET_TIME / 2;
        assert_eq!(ticket.redeem(ticket.as_str(), in_time), Ok(()));
        assert_eq!(ticket.redeem(ticket.as_str(), in_time), Err(InvalidTicket::Used));
        let late = now + 2 * TICKET_TIME;
        assert_eq!(other.redeem(other.as_str(), late), Err(InvalidTicket::Expired));
    }
}
