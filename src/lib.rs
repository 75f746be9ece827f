//! Soucie, a headless engine that plays Lines of Action and English draughts over a text protocol.
//!
//! # Layers
//!
//! ```text
//! main ─→ web, protocol, console, tools    wasm ─→ protocol    checkerboard ─→ engine
//! web ─→ protocol ─→ analysis ←─ tools
//! analysis, protocol, console, tools ─→ engine, records
//! engine ─→ options ─→ search ─→ nnue ─→ game
//! engine ─→ book ─→ game
//! records, options, engine ─→ games ─→ game
//! protocol, tools ─→ problems
//! ```
//!
//! An arrow means "may import"; `tests/layers.rs` has the full list and checks it. The [`search`]
//! depends on a game only through the traits of [`game`], and the [`games`] do not depend on the
//! search. [`files`] and [`host`] are below all: files are read and written safely, and the time
//! and random numbers come from the standard library or from the embedding program. [`web`] serves
//! the page of `soucie play`, which is a client of the protocol in a browser. `src/wasm` runs the
//! protocol in a WebAssembly module, and holds the npm package around it and what the page needs to
//! have the engine inside. [`checkerboard`] has the functions of a shared library, which the window
//! CheckerBoard loads.
//!
//! # From `go` to `bestmove`
//!
//! 1. [`protocol::UciLoop::run`] receives a line. [`protocol::command::read`] parses it to a
//!    [`UciCommand`](protocol::command::UciCommand), which `Handler` (`protocol/handler.rs`) runs. The
//!    first line selects the dialect; `protocol/dialects` translates those other than UCI.
//! 2. [`engine::Engine::search`] plays a move of the opening book, or adds the options to the limits.
//!    [`GameSession::search`](engine::session::GameSession::search) copies the position into a
//!    [`SearchJob`](engine::session::SearchJob) (`engine/typed_session.rs`), which the engine queues
//!    (`engine/jobs.rs`) for its search thread (`engine/search_thread.rs`).
//! 3. The job builds a [`search::SearchRequest`] for the type of the game. `run_search`
//!    (`engine/reporting.rs`) calls [`search::run`] with it, which starts the workers, or the search
//!    for a mate. If the game is over, the job reports only that.
//!    `TimeManager::new` turns `movetime` or the clock into limits: see [Time](#time).
//! 4. `Worker` (`search/worker.rs`) deepens iteratively at the root. `Searcher` (`searcher.rs`,
//!    `pvs.rs`, `quiescence.rs`) searches the tree below. One worker is one thread.
//! 5. Worker 0, on the search thread, reports a [`search::SearchEvent`] after each depth.
//!    `engine/reporting.rs` converts them to an [`engine::event::Event`], with moves as text and
//!    scores in centipawns.
//! 6. [`protocol::reply::event`] formats an event as a line, which the search thread writes
//!    (`event_writer` in `protocol/dialects/mod.rs`).
//!    `bestmove` comes last; after `go infinite` and `go ponder` it waits for `stop` or `ponderhit`.
//!
//! # Time
//!
//! `read_go` (`protocol/command.rs`), the dialects, CheckerBoard's `time.rs` and the page's `Clock`
//! fill [`search::Limits`] (`search/time.rs`). `allocate` there makes two limits of a clock, an
//! increment and the option `Move Overhead`. The soft limit is for a usual move: `Worker` begins no
//! iteration that would probably end after it. `BestMoveStability` (`search/stability.rs`) scales
//! it. The hard limit aborts an iteration: `Searcher::tick` checks it regularly. `movetime` is a
//! hard limit without a soft one. The first access to a page of the transposition table may take
//! milliseconds, so the main loop prepares the table while it waits for input
//! ([`search::TranspositionTable::prepare`]), and such a search uses only what is prepared. Units of these modules test them; whole time controls run on a
//! simulated clock in `tests/protocol/time_controls.rs` and `clocks.rs`, and on real ones in
//! `tests/external/clocks`.
//!
//! # Where analysis runs, and how often it reports
//!
//! [`analysis::analyser`] searches a position, with a transposition table that is empty at first.
//! [`analysis::game`] splits games into positions and makes reports of their analyses. The callers
//! choose the thread:
//!
//! | caller | thread | reports |
//! |---|---|---|
//! | the command `analyse`: `protocol/analyse.rs` | the search thread, in the queue of the searches | a line after each move |
//! | `soucie analyse`: `Reporter::add` (`tools/analyse/mod.rs`) | `--jobs` threads, each with a position | in the order of the input: the progress bar after each position, a line of the table after each move, other results after each game or single position, `--players` at the end |
//! | the page: `review.js`, by the command `analyse` | that of the command | after each move the progress bar, and the mark in the list of moves (`movelist.js`); the report at the end |
//! | `--queries`: `tools/analyse/queries/worker.rs` | `--jobs` threads, each with a position | the reply after each search; with `report_every` also at this interval |
//!
//! Besides, `analysis.js` of the page searches the position that is shown with `go infinite`. For a
//! position to solve, `lesson.js` searches after the move that is tried: `learn.js` poses bad moves
//! of a game, and `problems.js` the built-in problems, which the engine lists by the command
//! `problems`.
//!
//! # From a dragged stone to the drawn reply
//!
//! The scripts of the page are in `web/page`, the server in `web`.
//!
//! 1. `boardview.js` follows the pointer, and finds the legal move for the squares. If there is none,
//!    `advice.js` asks for the reason with `check` and shows it.
//! 2. `Play` (`play.js`) adds the move to the game, requests the `state` of the new position, and
//!    notifies the views (`main.js` connects them), which draw it. If it is the engine's turn, `Play` starts a search.
//! 3. `engine.js` queues requests and searches. It sends `position` and `go` as lines through
//!    `transport.js`, a WebSocket.
//! 4. `connection.rs` passes the lines to the [`protocol::UciLoop`] that `hosted_engine.rs` runs, and
//!    the answers back: see [above](#from-go-to-bestmove).
//! 5. `bestmove` resolves the search in `engine.js`. `Play` plays the move like one of a human.
//! 6. `boardview.js` calls `Board.draw` (`board.js`), which moves the piece.
//!
//! # Threads
//!
//! ```text
//! input ──lines─→ protocol ─jobs─→ search ──events──→ stdout
//! (stdin)         owns Engine     worker 0             ↑
//!                    │              │ scoped threads    │
//!                    │              └─→ workers 1..n    │
//!                    └── replies to other commands ─────┘
//! ```
//!
//! The main loop of [`protocol::UciLoop::run`] has a thread of its own, so that `run` can return
//! although the output is not read. It never waits for a search. It reaches a running search through
//! [`search::Signals`]. Where there are no threads, [`protocol::SingleThreadLoop`] runs one search
//! after the other, and a search regularly reads input. Such an environment provides the clock: see
//! [`host`]. The workers share these signals and the [`search::TranspositionTable`]; their histories
//! and stacks are their own.
//!
//! # How to add
//!
//! - **A UCI option:** a field in [`options::Options`], a row in [`options::uci_options`], a row in
//!   `protocol.md`, a block in `tests/protocol/transcripts/options.txt` (`tests/protocol/transcripts.rs`
//!   names the rows that have none). The row names the
//!   commands that accept the option ([`options::Scope`]), what a new value makes obsolete
//!   ([`options::Effect`]), and the dialects that offer it. If the search reads the value, the field is in
//!   [`search::SearchOptions`], which the search has as [`search::SearchRequest::options`], as `Solve`
//!   does. If it changes scores, its effect is `Scores`, which clears the transposition table. If it
//!   treats both sides alike, its scope is `Evaluation`, so that analyses accept it:
//!   `tools/analyse/settings.rs` and `queries.md` there list their options for users, in the order of
//!   the rows, and so does the error that `tests/tools/analyse/queries.rs` quotes. An option about the
//!   engine's own side has the scope `Play`, and `AnalysisJob` (`protocol/analyse.rs`), which copies the
//!   options of the search, must reset it. Every draw in the search gets its score in
//!   `SearchRequest::draw_score` (`search/request.rs`), in units of the evaluation.
//!   `EvalScale::centipawns` (`engine/uci_score.rs`) converts these for users; an option in centipawns
//!   needs its inverse, where `engine/typed_session.rs` makes the request. If the score depends on the
//!   side that moves at the root, which the transposition table does not know, let `Engine::search`
//!   clear the table when this side changes: nothing needs it today. A rule option belongs to its game:
//!   instead of the field and the first row, an entry in the [`OPTIONS`](game::Rules::OPTIONS) of its
//!   rules.
//! - **A command:** a variant of [`UciCommand`](protocol::command::UciCommand), its parser in
//!   [`protocol::command::read`], what a client waits for if its line is wrong (`purpose` there), an
//!   arm of `Handler::handle` in `protocol/handler.rs`, a line in [`protocol::reply::HELP`], a row in
//!   `protocol.md`, a transcript in `tests/protocol`.
//! - **A dialect:** a type that implements `Dialect` (`protocol/handler.rs`) in `protocol/dialects`,
//!   its first line and its event format in `protocol/dialects/mod.rs`, a section in `dialects.md`
//!   there, transcripts in `tests/protocol/transcripts/dialects.txt`, time controls in
//!   `tests/protocol/time_controls.rs`.
//! - **A game:** a folder in `games` that implements [`game::Game`] and the traits that this
//!   requires, its module and its type in the `games!` list of `games/mod.rs`, and a line with its
//!   `GameExpectations` in the table of `tests/rules/properties.rs`. The board is 8x8, two sides
//!   move in turn, a position has at most [`game::MAX_MOVES`] moves, and a move fits in 16 bits.
//!   Facts about moves, reasons of squares, counted lines and openings have defaults in its traits.
//!   Pictures show two kinds of pieces, a plain one and a crowned one; the page needs nothing else.
//!   The smallest example is the game in `tests/external/third_game`. Guesses are enough for its
//!   [`game::Calibration`] at first. A built-in network is a line in `nnue/built_in.rs`, an
//!   opening book one in `book/built_in.rs`, problems one in `problems/mod.rs`. The tests then name
//!   the lists of variants in `protocol.md` and the transcripts that lack the new one, and
//!   `tests/search/bench.txt`, as the benchmark has every variant. The README and
//!   `python/soucie/_engine.py` list the variants too. A game whose start is written by ranks is
//!   offered to XBoard, with the letters of pieces in `protocol/dialects/cecp_reply.rs`.
//! - **A record format:** a `Syntax` and how it begins in `records/read/syntax.rs`
//!   (`begins_over_lines` there, if a record may begin in its second line); a reader in
//!   `records/read`, which `RecordReader` (`records/read/mod.rs`) calls, also to recover after a
//!   fault. The reader makes a tree of moves and of tags with their names in PDN, of which `record`
//!   (`records/read/parsed.rs`) makes the [`records::Record`] of SGF or PDN, for every game. In
//!   `records/items.rs` the name of the format comes into `SUPPORTED`, and out of `MAGIC_BYTES`;
//!   `help.txt` and the arguments in `settings.rs` of `tools/{analyse,engine_match,problem}`, the README,
//!   `protocol/json.md`, the page (`web/page/index.html`) and `python/soucie/_engine.py` name it too.
//!   Its tests stand beside `tests/records/lists.rs`. If it is written too: a writer beside
//!   `records/sgf`.
//! - **A search idea:** first a look into `search/experiments.md`, whether it was tried; the
//!   condition in `search/pruning.rs`, `search/cutoffs.rs` or `search/pvs.rs`, its numbers in
//!   `search/params.rs`, its measurement (see [below](#how-to-measure); none is in CI) in
//!   `search/experiments.md`, the new node count in `tests/search/bench.txt`.
//!
//! # How to measure
//!
//! - `soucie bench`: the number of nodes identifies the search. A change of speed alone keeps it.
//!   A test compares it with `tests/search/bench.txt`.
//! - `cargo bench`: move generation, evaluation, search speed, tables and proofs.
//! - `soucie match --first ./new --second ./old --movetime 100 --games 20000 --sprt 0,5`: plays until
//!   the sequential probability ratio test accepts or rejects a gain of 5 Elo. Run it for each game.
//!   Openings are repeated where there are fewer than pairs of games; on time the games still differ.
//!   Draughts, most of whose games are drawn, needs `--variant draughts --openings SET`: `ballots` has
//!   the 156 three-move openings, `hard-ballots` the 50 hardest of them, and `eleven-man` others,
//!   to confirm a result. `soucie match --help` lists the sets, which
//!   `tools/openings/sets.rs` defines. The two programs:
//!
//!   ```text
//!   git worktree add --detach target/base main                  # the commit without the change
//!   (cd target/base && cargo build --release) && cp target/base/target/release/soucie old
//!   cargo build --release && cp target/release/soucie new
//!   ```
//!
//! - `cargo build --release --features tune`: the numbers of `search/params.rs` are options. A match
//!   of two values, such as `--second-option futility_margin=90`, needs no other build.
//! - `tests/external/strength/spsa ENGINE JOURNAL PARAMETER...`: tunes such numbers by self-play.
//! - `tests/external/strength/problems.py ENGINE`: how many published wins and draws of draughts the
//!   engine recognises, without a match.
//! - `tests/external/strength/levels [GAMES]`: the scores of the named levels against simulated
//!   beginners.
//! - `tests/external/strength/grades.py ENGINE`: how many problems of each grade the named levels solve.
//! - `tests/external/strength/calibration.py SAMPLES...`: the win rates of evaluations, from self-play.
//! - `tests/external/strength/eleven_man ENGINE JOURNAL`: selects the balanced ones of the 11-man
//!   ballots.
//! - `tests/external/strength/networks ENGINE GAME FOLDER`: trains a network from scratch, in
//!   the generations of the shipped ones.

pub mod analysis;
pub mod book;
#[cfg(feature = "cli")]
pub mod checkerboard;
#[cfg(feature = "cli")]
pub mod console;
pub mod engine;
pub mod files;
pub mod game;
pub mod games;
pub mod host;
pub mod nnue;
pub mod options;
pub mod problems;
pub mod protocol;
pub mod records;
pub mod search;
#[cfg(feature = "cli")]
pub mod tools;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub mod wasm;
#[cfg(feature = "cli")]
pub mod web;
