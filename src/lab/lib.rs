//! The laboratory `soucie-lab`: what the makers of an engine need and its users do not. Engines play
//! matches and against themselves, networks are trained, and books of openings are built. Each command is
//! a module; they share [`openings`], and [`samples`], the files between [`selfplay`] and [`train`]. Without
//! a command, `soucie-lab` is the engine.
//!
//! # How to measure
//!
//! - `soucie bench`: the number of nodes identifies the search. A change of speed alone keeps it.
//!   A test compares it with `tests/search/bench.txt`.
//! - `cargo bench --workspace`: move generation, evaluation, search speed, tables and proofs.
//! - `soucie-lab match --first ./new --second ./old --movetime 100 --games 20000 --sprt 0,5`: plays until
//!   the sequential probability ratio test accepts or rejects a gain of 5 Elo. Run it for each game.
//!   Draughts, most of whose games are drawn, needs `--variant draughts --openings SET`: `ballots` has
//!   the 156 three-move openings, `hard-ballots` the 50 hardest of them, and `eleven-man` others, to
//!   confirm a result. `openings/sets.rs` defines the sets. Where there are fewer openings than pairs of
//!   games they are repeated; with limits of time the games differ nevertheless.
//! - The two programs of such a match:
//!
//!   ```text
//!   git worktree add --detach target/base main                  # the commit without the change
//!   (cd target/base && cargo build --release) && cp target/base/target/release/soucie old
//!   cargo build --workspace --release && cp target/release/soucie new
//!   ```
//!
//! - `cargo build --workspace --release --features soucie/tune`: the numbers of `search/params.rs` (in
//!   `src/core`) are options. A match of two values, such as `--second-option futility_margin=90`, needs
//!   no other build.
//! - `tests/external/strength/spsa SOUCIE_LAB JOURNAL PARAMETER...`: tunes such numbers by self-play.
//! - `tests/external/strength/problems.py ENGINE`: how many published wins and draws of draughts the
//!   engine recognises, without a match.
//! - `tests/external/strength/levels [GAMES]`: the scores of the named levels against simulated
//!   beginners.
//! - `tests/external/strength/grades.py ENGINE`: how many problems of each grade the named levels solve.
//! - `tests/external/strength/calibration.py SAMPLES...`: the win rates of evaluations, from self-play.
//! - `tests/external/strength/eleven_man ENGINE JOURNAL`: selects the balanced ones of the 11-man
//!   ballots.
//! - `tests/external/strength/networks SOUCIE GAME FOLDER`: trains a network from scratch, in
//!   the generations of the shipped ones.

pub mod book;
pub mod engine_match;
pub mod openings;
pub mod samples;
pub mod selfplay;
pub mod train;
