//! The engine as a library that CheckerBoard loads, the window in which English draughts is played.
//!
//! The functions of the library (`abi.rs`) are called by the threads of the window, and each of them
//! works on one [`Library`]. [`Library::get_move`] searches with a [`WindowPlayer`](player), and
//! [`Library::answer`] executes the text commands. No thread is left when a call returns, because the
//! window may unload the library. `checkerboard.md` describes what is answered.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

// Only in a build of the library: a program must not export such names.
#[cfg(feature = "checkerboard")]
mod abi;
pub mod board;
mod commands;
pub mod player;
pub mod settings;
#[cfg(feature = "checkerboard")]
mod system;
pub mod time;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::engine::session::GameSession;
use crate::engine::{EngineError, open};
use crate::game::{Board, Side};
use crate::options::{Options, VARIANT};
use crate::search::InputPoll;
use board::{CbMove, GAME, Squares};
use player::{MoveReply, MoveRequest, Window, WindowPlayer};
use settings::Settings;
use time::Time;

/// All that the functions of the library work on. Commands do not wait for a search.
#[derive(Default)]
pub struct Library {
    settings: Mutex<Settings>,
    /// The setup and the moves since the last one that cannot be taken back.
    history: Mutex<String>,
    player: Mutex<Option<WindowPlayer>>,
    /// What each thread of a search calls regularly.
    poll: Option<InputPoll>,
}

impl Library {
    /// A library in this file, with the settings that the user made last. Each thread of a search calls
    /// `poll` regularly.
    pub fn new(file: Option<PathBuf>, poll: InputPoll) -> Self {
        let settings = Mutex::new(Settings::load(file));
        Self { settings, poll: Some(poll), ..Self::default() }
    }

    /// Searches a move. The position after it is in the reply; an error leaves the game as it was.
    pub fn get_move(
        &self,
        squares: &Squares,
        colour: i32,
        time: Time,
        window: &mut impl Window,
    ) -> Result<MoveReply, EngineError> {
        let (board, side) = position(squares, colour)?;
        let history = lock(&self.history).clone();
        let settings = lock(&self.settings).clone();
        let mut player = lock(&self.player);
        let mut current = player.take().map_or_else(|| self.new_player(), Ok)?;
        let reply = current.play(&MoveRequest { board, side, history, time, settings }, window);
        // A search that ended by a bug leaves no engine behind.
        if !matches!(reply, Err(EngineError::Died)) {
            *player = Some(current);
        }
        reply
    }

    /// Makes the engine ready, so that a search begins at once, unless one is running. Returns what cannot
    /// be used.
    pub fn prepare(&self) -> String {
        let settings = lock(&self.settings).clone();
        let Ok(mut player) = self.player.try_lock() else { return String::new() };
        // The next move reports an error.
        *player = player.take().or_else(|| self.new_player().ok());
        player.as_mut().map(|player| player.apply(&settings)).unwrap_or_default()
    }

    /// Frees memory if no move has been asked for in a while.
    pub fn rest(&self) {
        if let Ok(mut player) = self.player.try_lock()
            && let Some(player) = &mut *player
        {
            player.rest();
        }
    }

    fn new_player(&self) -> Result<WindowPlayer, EngineError> {
        WindowPlayer::new(self.poll.clone().unwrap_or_else(|| Arc::new(|_| ())))
    }

    /// The description of a legal move between two squares, named by their numbers.
    pub fn legal_move(&self, squares: &Squares, colour: i32, from: i32, to: i32) -> Option<CbMove> {
        let (board, side) = position(squares, colour).ok()?;
        let mut session = session().ok()?;
        session.set_board(&board, side).ok()?;
        let number = |square: i32| usize::try_from(square).ok();
        let (from, to) = (number(from)?, number(to)?);
        session.legal_views().iter().find_map(|mv| {
            let ends = (mv.path.first()?.number(), mv.path.last()?.number());
            (ends == (from, to)).then(|| board::describe(squares, mv))
        })
    }
}

fn position(squares: &Squares, colour: i32) -> Result<(Board, Side), EngineError> {
    board::read(squares, colour).map_err(|error| EngineError::Setup(error.into()))
}

/// A game of English draughts at its start.
fn session() -> Result<Box<dyn GameSession>, EngineError> {
    let mut options = Options::default();
    options.set(VARIANT, Some(GAME))?;
    open(&options)
}

/// Locks a value. No thread leaves one half changed.
fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
