//! The secret in the address with which the browser is opened.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::token::Token;

/// The time in which a browser must be open.
pub const TICKET_TIME: Duration = Duration::from_secs(30);

/// A substitute for the token, valid once and for a short time. The browser gets its address as an
/// argument, and the arguments of a process are visible to all users of the computer.
pub struct Ticket {
    secret: Token,
    end: Instant,
    is_used: bool,
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
    /// A ticket with this secret, valid from now on.
    pub fn new(secret: Token) -> Self {
        Self { secret, end: Instant::now() + TICKET_TIME, is_used: false }
    }

    fn redeem(&mut self, now: Instant) -> Result<(), InvalidTicket> {
        // A late attempt uses it too: nothing is valid afterwards.
        if std::mem::replace(&mut self.is_used, true) {
            return Err(InvalidTicket::Used);
        }
        if now < self.end { Ok(()) } else { Err(InvalidTicket::Expired) }
    }
}

/// The tickets of a server: one for each start that opens the browser.
#[derive(Default)]
pub struct Tickets(VecDeque<Ticket>);

impl Tickets {
    /// The number of tickets that are kept.
    const MOST: usize = 16;

    /// Adds a ticket, in place of the oldest one if there are too many.
    pub fn add(&mut self, ticket: Ticket) {
        if self.0.len() >= Self::MOST {
            self.0.pop_front();
        }
        self.0.push_back(ticket);
    }

    /// Uses the ticket that `text` is.
    pub fn redeem(&mut self, text: &str, now: Instant) -> Result<(), InvalidTicket> {
        let ticket = self.0.iter_mut().find(|ticket| ticket.secret.matches(text));
        ticket.ok_or(InvalidTicket::Expired)?.redeem(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_valid_once_and_for_a_short_time() {
        let (mut tickets, now) = (Tickets::default(), Instant::now());
        let secrets = ["first", "second"].map(|_| Token::random());
        for secret in &secrets {
            tickets.add(Ticket::new(secret.clone()));
        }
        let [first, second] = secrets.each_ref().map(Token::as_str);
        let (in_time, late) = (now + TICKET_TIME / 2, now + 2 * TICKET_TIME);
        for (text, at, result) in [
            ("", now, Err(InvalidTicket::Expired)),
            (Token::random().as_str(), now, Err(InvalidTicket::Expired)),
            (first, in_time, Ok(())),
            (first, in_time, Err(InvalidTicket::Used)),
            (second, late, Err(InvalidTicket::Expired)),
            (second, now, Err(InvalidTicket::Used)),
        ] {
            assert_eq!(tickets.redeem(text, at), result, "{text}");
        }
    }

    #[test]
    fn the_oldest_ticket_makes_room() {
        let (mut tickets, now) = (Tickets::default(), Instant::now());
        let secrets: Vec<Token> = (0..=Tickets::MOST).map(|_| Token::random()).collect();
        for secret in &secrets {
            tickets.add(Ticket::new(secret.clone()));
        }
        let valid = |secret: &Token| tickets.redeem(secret.as_str(), now).is_ok();
        let valid: Vec<bool> = secrets.iter().map(valid).collect();
        let expected: Vec<bool> = (0..=Tickets::MOST).map(|i| i > 0).collect();
        assert_eq!(valid, expected);
    }
}
