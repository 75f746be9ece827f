//! The program `soucie`: each command is a module, and `main.rs` chooses it. The laboratory `soucie-lab`
//! uses what they share: [`arguments`], an [`error`], [`interrupt`]s, [`jobs`] for many threads,
//! [`progress`] bars, and the [`journal`] of long work.
//!
//! # From a dragged stone to the drawn reply
//!
//! The scripts of the page are in `web/page`, the server, which sends them as one, in [`web`].
//!
//! 1. `boardview.js` follows the pointer, and finds the legal move for the squares. If there is none,
//!    `advice.js` asks for the reason with `check` and shows it.
//! 2. `Play` (`play.js`) adds the move to the game, requests the `state` of the new position, and
//!    notifies the views (`main.js` connects them), which draw it. If it is the engine's turn, `Play`
//!    starts a search.
//! 3. `engine.js` queues requests and searches. It sends `position` and `go` as lines through
//!    `transport.js`, a WebSocket.
//! 4. `connection.rs` (of [`web`]) passes the lines to the [`soucie::protocol::UciLoop`] that
//!    `hosted_engine.rs` runs, and the answers back. `src/core/lib.rs` follows a line from there.
//! 5. `bestmove` resolves the search in `engine.js`. `Play` plays the move like one of a human.
//! 6. `boardview.js` calls `BoardPicture.draw` (`boardpicture.js`), which moves the piece.
//!
//! Besides, `analysis.js` of the page searches the position that is shown with `go infinite`. For a
//! position to solve, `lesson.js` searches after the move that is tried: `learn.js` poses bad moves
//! of a game, and `puzzles.js` the built-in problems, which the engine lists by the command
//! `problems`, and the wins that were missed in games on the page. `course.js` poses the lessons of the
//! rules, which the command `lessons` lists; `advice.js` asks for a `hint`.

pub mod analyse;
pub mod arguments;
pub mod bench;
pub mod command_line;
pub mod completions;
pub mod console;
pub mod error;
pub mod find;
pub mod interrupt;
pub mod jobs;
pub mod journal;
pub mod man;
pub mod openings;
pub mod problem;
pub mod progress;
pub mod prove;
pub mod record_file;
pub mod rules;
pub mod tables;
pub mod web;
pub mod xboard;
