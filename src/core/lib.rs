//! The library of Soucie: rules, evaluation, search, proofs, records and the protocol of Lines of Action
//! and English draughts.
//!
//! Two crates are built on it: the program `soucie` (`src/program`), with a module for each command, and
//! the laboratory `soucie-lab` (`src/lab`), where engines play matches and networks are trained.
//!
//! The package is `soucie-core`, and its library is `soucie` to those who import it; that of the program,
//! whose manifest is at the top, is `soucie_program`.
//!
//! # Layers
//!
//! ```text
//! protocol, wasm      lines of UCI and its dialects           checkerboard   a window's functions
//! analysis            reviews of games    problems            keys, cooks, new ones
//! archives            games of a query    proofs              found, written, verified
//! records             SGF and PDN
//! engine              a game, its options, searches on a thread
//! search ─→ nnue      one search, one network, for every game
//! games ─→ game       the rules and notations; the traits that the others ask
//! ```
//!
//! A module imports only those in the rows below it, and what an arrow leads to; [`problems`] also
//! imports [`analysis`]. `tests/layers.rs` has the whole list (the lowest first), also of [`options`], [`book`],
//! [`random_openings`] and [`ordered_map`]. The [`search`] depends on a game only through the traits of [`game`], and the
//! [`games`] do not depend on the search. [`files`] and [`platform`] are below all: files are read and
//! written safely, and the time comes from the standard library or from the embedding program.
//!
//! # Where to find it
//!
//! | what | where |
//! |---|---|
//! | endgame tables and databases | `game/tablebase.rs` has the traits and values, [`games::Tablebases`] the open ones; [`games::draughts::tablebase`] builds, reads and checks them |
//! | where the search probes them | at the root `Worker::new` (`search/worker.rs`) and `search/root_moves.rs`, in the tree `search/eval.rs`: a [`game::GameTablebase`], which has no value where an earlier position of the game could change it. `games/draughts/tablebase/search_values.rs` has none where a draw count leaves too few moves; a win without distance is only expected ([`search::Score`]) |
//! | levels and `UCI_Elo` | [`engine::Engine::search`] limits a search by [`game::Calibration::handicap`] and adds [`search::EvalNoise`]; the chances of players of a level are [`game::Chances`]; `analysis/continuations.rs` plays on as the levels for learners do, to confirm their mistakes |
//! | the reasons of a hint, groups and threats | [`game::facts()`] and `facts.rs` of each game; [`analysis::hint`] chooses the weightiest |
//! | the keys of a position | [`Position::key`](game::Position::key) for repetitions; for tables, those of [`game::Heuristics`] with the side to move and the move counters |
//! | which win is printed as `mate` | a [`search::Score`] with the plies to the end: by the rules in the tree, by a table with distances, or by the proof of `search/mate.rs`. [`engine::uci_score`] converts it |
//! | whether a move of a problem fails | [`problems::Checker`] (`problems/check.rs`): `moves.rs` asks `prover.rs` of each move, which proves or disproves a `Claim` with [`search::proof`] and certifies the result with [`proofs::Certifier`] |
//! | `soucie verify` | [`proofs::verify()`] replays a proof by the rules, without the search |
//! | the opening book, and the openings that the engine has explored | [`book`]; [`engine::Engine::search`] plays from the book |
//! | the explorer of archives | `protocol/archive` has the command, [`archives::GameList`] the games in memory, `explorer.js` of the page its tab |
//! | a record | [`records::items`] reads [`records::Record`]s; `records/habits.md` lists what is read beyond the standards |
//! | games with a position, a player, an opening | [`archives::Query`]; `src/program/find` reads the archives on several threads, of which `raw_items` ([`records::items`]) only cuts out the games |
//! | CheckerBoard | `getmove` in `checkerboard/abi.rs`, `Library` (`mod.rs`), then `WindowPlayer` (`player.rs`), which reads the `playnow` of its caller (`plays_now`) while it waits |
//! | the page of `soucie play` | `src/program/lib.rs` follows a dragged stone through its scripts and the server |
//! | matches, training, networks, how to measure | `src/lab/lib.rs`; the networks are in `nnue/nets` |
//!
//! # From `go` to `bestmove`
//!
//! 1. [`protocol::UciLoop::run`] receives a line. [`protocol::command::read`] parses it to a
//!    [`UciCommand`](protocol::command::UciCommand), which `Handler` (`protocol/handler.rs`) runs. The
//!    first line selects the dialect; `protocol/dialects` translates those other than UCI, but for CECP,
//!    which calls the engine itself.
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
//! `read_go` (`protocol/command.rs`), the dialects and CheckerBoard's `time.rs` fill [`search::Limits`]
//! (`search/time.rs`); the page's `Clock` (`game.js`) makes limits, and `goCommand` (`protocol.js`) the words of `go`. `allocate` makes two
//! limits of a clock, an increment and the option `Move Overhead`. The soft limit is for a usual move:
//! `Worker` begins no iteration that would probably end after it (`TimeManager::may_deepen`). `BestMoveStability`
//! (`search/stability.rs`) scales it. The hard limit aborts an iteration: `Searcher::tick` checks it
//! regularly. `movetime` is a hard limit without a soft one. The first access to a page of the
//! transposition table may take milliseconds, so the main loop prepares the table while it waits for
//! input ([`search::TranspositionTable::prepare`]), and a search with a clock uses only what is
//! prepared. The tests of these modules stand in them; whole time controls run on a simulated clock in
//! `time_controls.rs` and `clocks.rs` of `tests/protocol`, and on real clocks in
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
//! | `soucie analyse`: `Reporter::add` (`src/program/analyse/mod.rs`) | `--jobs` threads, each with a position | in the order of the input: the progress bar after each position, a line of the table after each move, other results after each game or single position |
//! | the page: `review.js` (`src/program/web/page`), by the command `analyse` | that of the command | after each move the progress bar, and the mark in the list of moves (`movelist.js`); the report at the end |
//! | `--queries`: `src/program/analyse/queries/worker.rs` | `--jobs` threads, each with a position | the reply after each search; with `report_every` also at this interval |
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
//! [`platform`]. The workers share these signals and the [`search::TranspositionTable`]; their histories
//! and stacks are their own. [`search::SearchMemory`] keeps table and histories for the next search.
//!
//! # How to add
//!
//! - **A UCI option:** a field in [`options::Options`] (in [`search::SearchOptions`] if the search reads
//!   it), a row in [`options::uci_options`], a row in `protocol.md`, and a block in
//!   `tests/protocol/transcripts/options.txt`. The row names the commands that accept the option
//!   ([`options::Scope`]), what a new value makes obsolete ([`options::Effect`]), and the dialects that
//!   offer it. `settings.rs` and `queries.md` in `src/program/analyse` list the options of analyses. A
//!   rule of a game is only an entry in the [`OPTIONS`](game::Rules::OPTIONS) of its rules.
//! - **A command:** a variant of [`UciCommand`](protocol::command::UciCommand), a row in `COMMANDS` beside
//!   it, which parses it and has its lines in `help` and what a client waits for, an arm of
//!   `Handler::handle` (`protocol/handler.rs`), a row in `protocol.md`, a transcript in `tests/protocol`.
//! - **A dialect:** a type that implements `Dialect` (`protocol/handler.rs`) in `protocol/dialects`,
//!   its first line and its event format in `protocol/dialects/mod.rs`, a section in `dialects.md`
//!   there, transcripts in `tests/protocol/transcripts/dialects.txt`, time controls in
//!   `tests/protocol/time_controls.rs`.
//! - **A game:** a folder in `games` that implements [`game::Game`] and the traits that this requires,
//!   its module and its type in the list `all_games!` of `games/mod.rs`, and a line in the table of
//!   `tests/rules/properties.rs`. `tests/external/third_game` is the smallest example. `cargo test`
//!   then names the documents in which it is missing. A network is a line in `nnue/built_in.rs`, a book one
//!   in `book/built_in.rs`.
//! - **A record format:** a [`records::RecordFormat`], how it begins in `records/read/detect.rs`, a reader in
//!   `records/read`, which `GameReader` (`records/read/mod.rs`) calls with the text of a game and which makes a
//!   [`records::Record`], and its writer beside `records/sgf`: `records/pdn` writes what `records/read/pdn`
//!   reads. Look at each `RecordFormat::` of `records`; `SUPPORTED_FORMATS` in `records/items.rs` names it. A format that is only read, as PGN, becomes a record in one of the others. Its tests stand
//!   beside `tests/records/lists.rs`.
//! - **A search idea:** first a look into `search/experiments.md`, whether it was tried; the
//!   condition in `search/pruning.rs` or `search/pvs.rs`, its numbers in
//!   `search/params.rs`, its match (see `src/lab/lib.rs`; none is in CI) in `search/experiments.md`, the
//!   new node count in `tests/search/bench.txt`.

pub mod analysis;
pub mod archives;
pub mod book;
#[cfg(not(target_family = "wasm"))]
pub mod checkerboard;
pub mod engine;
pub mod files;
pub mod game;
pub mod games;
pub mod nnue;
pub mod options;
#[cfg(not(target_family = "wasm"))]
pub mod ordered_map;
pub mod platform;
#[cfg(not(target_family = "wasm"))]
pub mod problems;
#[cfg(not(target_family = "wasm"))]
pub mod proofs;
pub mod protocol;
#[cfg(not(target_family = "wasm"))]
pub mod random_openings;
pub mod records;
pub mod search;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub mod wasm;
