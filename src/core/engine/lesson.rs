//! Lessons of the rules: a position, a task, and the moves that solve it.

use serde::Deserialize;

use super::error::EngineError;
use super::session::GameSession;
use crate::games;

/// A lesson: one rule, and a move that shows it. Which moves are legal and how the game ends are judged by
/// the rules, not by the lesson.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Lesson {
    /// The stable name.
    pub id: String,
    pub title: String,
    pub setup: String,
    /// The rule and the task.
    pub text: String,
    /// The moves that solve the task, at least one.
    pub solution: Vec<String>,
    /// What to say to them.
    pub right: String,
    /// What to say to some other legal moves.
    pub wrong: Vec<WrongMove>,
    /// What to say to all others; empty if there are none.
    pub other: String,
    /// What to think of, before the solution is shown.
    pub hint: String,
}

/// A legal move that does not solve the task, and why.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct WrongMove {
    #[serde(rename = "move")]
    pub mv: String,
    pub text: String,
}

/// What a legal move does to the task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict<'a> {
    Right(&'a str),
    Wrong(&'a str),
}

impl Lesson {
    /// The lessons of a game, by its name, in their order.
    pub fn of(game: &str) -> serde_json::Result<Vec<Self>> {
        games::lessons(game).map(serde_json::from_str).collect()
    }

    /// Judges a move in the position of the lesson, which `session` is at. An illegal move is an error.
    pub fn judge(&self, session: &dyn GameSession, mv: &str) -> Result<Verdict<'_>, EngineError> {
        let played = session.check_move(mv)?;
        let is_played = |text: &str| session.check_move(text).is_ok_and(|other| other == played);
        if self.solution.iter().any(|text| is_played(text)) {
            return Ok(Verdict::Right(&self.right));
        }
        let wrong = self.wrong.iter().find(|wrong| is_played(&wrong.mv));
        Ok(Verdict::Wrong(wrong.map_or(&self.other, |wrong| &wrong.text)))
    }
}
