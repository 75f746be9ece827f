//! The course of the rules at the console: lessons of the game, one after the other.

use soucie::engine::lesson::{Lesson, Verdict};
use soucie::engine::{Engine, EngineError};

/// The lessons of a course, and the current one; none before it begins and after its end.
#[derive(Default)]
pub(super) struct Lessons {
    lessons: Vec<Lesson>,
    at: usize,
}

impl Lessons {
    /// The course of the game of `engine`, whose position becomes that of the first lesson. A game may have
    /// none.
    pub(super) fn begin(engine: &mut Engine) -> Result<Self, EngineError> {
        // The tests read the lessons of every game.
        let lessons = Lesson::of(engine.session().game()).unwrap_or_default();
        let course = Self { lessons, at: 0 };
        if let Some(lesson) = course.current() {
            engine.set_position(Some(&lesson.setup), &[])?;
        }
        Ok(course)
    }

    /// Whether there is a current lesson.
    pub(super) fn is_on(&self) -> bool {
        self.current().is_some()
    }

    fn current(&self) -> Option<&Lesson> {
        self.lessons.get(self.at)
    }

    /// The current lesson: its place, its title and the task; or that there is none any more.
    pub(super) fn task(&self) -> String {
        let (number, all) = (self.at + 1, self.lessons.len());
        match self.current() {
            Some(lesson) => format!("Rule {number} of {all}: {}.\n{}", lesson.title, lesson.text),
            None if self.lessons.is_empty() => "This game has no lessons.".to_string(),
            None => "These are the rules. Now you can play: a game begins.".to_string(),
        }
    }

    /// What to think of, and the move that solves the task; `None` without a lesson.
    pub(super) fn hint(&self) -> Option<String> {
        self.current().map(|lesson| {
            format!("Hint: {} The move is {}.", lesson.hint, lesson.solution.join(" or "))
        })
    }

    /// Judges a move. After a right one the next lesson is set up. Returns what to say.
    pub(super) fn answer(&mut self, engine: &mut Engine, mv: &str) -> Result<String, EngineError> {
        let Some(lesson) = self.current() else { return Ok(self.task()) };
        Ok(match lesson.judge(engine.session(), mv)? {
            Verdict::Right(text) => {
                let has_won = engine.session().with_moves(&[mv])?.outcome().is_some();
                let right = if has_won { "Right: you have won." } else { "Right." };
                let right = format!("{right} {text}");
                format!("{right}\n{}", self.next(engine)?)
            }
            Verdict::Wrong(text) => format!("Not yet. {text}"),
        })
    }

    /// Sets up the next lesson. Returns what to say.
    pub(super) fn next(&mut self, engine: &mut Engine) -> Result<String, EngineError> {
        self.at += 1;
        if let Some(lesson) = self.current() {
            engine.set_position(Some(&lesson.setup), &[])?;
        }
        Ok(self.task())
    }
}
