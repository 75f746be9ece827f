//! The course of the rules at the console: lessons of the game, one after the other.

use soucie::engine::lesson::{Lesson, Verdict};
use soucie::engine::{Engine, EngineError};

/// A course in progress.
pub(super) struct Course {
    lessons: Vec<Lesson>,
    at: usize,
}

impl Course {
    /// The course of the game of `engine`, whose position becomes that of its first lesson; `None` for a
    /// game without lessons.
    pub(super) fn begin(engine: &mut Engine) -> Result<Option<Self>, EngineError> {
        // The tests read the lessons of every game.
        let lessons = Lesson::of(engine.session().game()).unwrap_or_default();
        let course = Self { lessons, at: 0 };
        let Some(lesson) = course.lesson() else { return Ok(None) };
        engine.set_position(Some(&lesson.setup), &[])?;
        Ok(Some(course))
    }

    fn lesson(&self) -> Option<&Lesson> {
        self.lessons.get(self.at)
    }

    /// The current lesson: its place, its title and the task.
    pub(super) fn task(&self) -> String {
        let (number, all) = (self.at + 1, self.lessons.len());
        self.lesson().map_or(String::new(), |lesson| {
            format!("Rule {number} of {all}: {}.\n{}", lesson.title, lesson.text)
        })
    }

    /// The move that solves the task.
    pub(super) fn solution(&self) -> &str {
        self.lesson().and_then(|lesson| lesson.solution.first()).map_or("", String::as_str)
    }

    /// Judges a move. After a right one the next lesson is set up. Returns what to say, and whether the
    /// course goes on.
    pub(super) fn answer(
        &mut self,
        engine: &mut Engine,
        mv: &str,
    ) -> Result<(String, bool), EngineError> {
        let Some(lesson) = self.lesson() else { return Ok((String::new(), false)) };
        Ok(match lesson.judge(engine.session(), mv)? {
            Verdict::Right(text) => {
                let has_won = engine.session().with_moves(&[mv])?.outcome().is_some();
                let right = if has_won { "Right: you have won." } else { "Right." };
                let right = format!("{right} {text}");
                let (next, goes_on) = self.next(engine)?;
                (format!("{right}\n{next}"), goes_on)
            }
            Verdict::Wrong(text) => (format!("Not yet. {text}"), true),
        })
    }

    /// Sets up the next lesson. Returns what to say, and whether there is one.
    pub(super) fn next(&mut self, engine: &mut Engine) -> Result<(String, bool), EngineError> {
        self.at += 1;
        if let Some(lesson) = self.lesson() {
            engine.set_position(Some(&lesson.setup), &[])?;
            return Ok((self.task(), true));
        }
        Ok(("These are the rules. Now you can play: a game begins.".to_string(), false))
    }
}
