//! Time management, on a clock that advances only while a search polls its input.
//!
//! A search then depends on nothing but its input. `tests/external/clocks` plays with real clocks.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use soucie::platform::{self, Platform, STANDARD};
use soucie::protocol::{Received, SingleThreadLoop};

use crate::dialogue::SharedBuffer;
use crate::{DRAUGHTS, MOVES, PASS, count, last, number_after, scores, word_after};

/// The usual time between two polls of the input. A search polls it once in 256 nodes.
pub const POLL: Duration = Duration::from_millis(1);

/// The time that a reply may be late: some polls.
const SLACK: Duration = Duration::from_millis(10);

thread_local! {
    /// The time of this thread; none if it uses the clock of the system.
    static CLOCK: Cell<Option<Duration>> = const { Cell::new(None) };
}

fn now() -> Duration {
    CLOCK.get().unwrap_or_else(STANDARD.now)
}

/// The library on this thread, with its own clock.
pub struct Session {
    library: SingleThreadLoop,
    /// The lines to send, and when.
    input: Arc<Mutex<VecDeque<(Duration, String)>>>,
    output: SharedBuffer,
}

impl Session {
    pub fn new() -> Self {
        Self::in_dialect("uci", POLL)
    }

    /// A session in the dialect that this line selects, on a machine so slow that this time passes
    /// between two polls of the input.
    pub fn in_dialect(first_line: &str, poll: Duration) -> Self {
        platform::install(Platform { now, random: STANDARD.random });
        CLOCK.set(Some(Duration::ZERO));
        let input = Arc::new(Mutex::new(VecDeque::<(Duration, String)>::new()));
        let lines = Arc::clone(&input);
        let receive = move |waits: bool| {
            let (mut lines, now) = (lines.lock().unwrap(), now());
            match lines.front() {
                Some(&(time, _)) if waits || time <= now => CLOCK.set(Some(now.max(time))),
                _ => {
                    CLOCK.set(Some(now + poll));
                    return Received::Nothing;
                }
            }
            Received::Text(lines.pop_front().unwrap().1.into_bytes())
        };
        let output = SharedBuffer::default();
        let library = SingleThreadLoop::in_dialect(first_line, receive, output.clone()).unwrap();
        Self { library, input, output }
    }

    /// Sends lines and others after some milliseconds. Returns the output and the time that it
    /// took.
    pub fn answers(&mut self, lines: &str, later: &[(u64, &str)]) -> (String, Duration) {
        let begin = now();
        let all = [(0, lines)].into_iter().chain(later.iter().copied());
        let all =
            all.map(|(after, line)| (begin + Duration::from_millis(after), format!("{line}\n")));
        self.input.lock().unwrap().extend(all);
        let before = self.output.text().len();
        assert!(!self.library.run().unwrap());
        (self.output.text().split_off(before), now() - begin)
    }
}

/// A time control, in milliseconds, and the length of a game with it.
struct Control {
    time: u64,
    increment: u64,
    /// The number of moves after which the clock is reset.
    moves: Option<usize>,
    plies: usize,
}

const CONTROLS: [Control; 4] = [
    Control { time: 500, increment: 0, moves: None, plies: 80 },
    Control { time: 150, increment: 10, moves: None, plies: 40 },
    Control { time: 80, increment: 0, moves: Some(1), plies: 10 },
    Control { time: 400, increment: 0, moves: Some(10), plies: 24 },
];

#[test]
fn no_game_is_lost_on_time() {
    let mut session = Session::new();
    session.answers("setoption name Move Overhead value 40", &[]);
    for variant in ["setoption name UCI_Variant value linesofaction", DRAUGHTS] {
        session.answers(variant, &[]);
        CONTROLS.iter().for_each(|control| play(&mut session, control));
    }
}

/// Plays a game, in which no clock runs out and an eighth of the time is used.
fn play(session: &mut Session, &Control { time, increment, moves, plies }: &Control) {
    let [time, bonus] = [time, increment].map(Duration::from_millis);
    let mut clocks = [time; 2];
    let (mut given, mut spent) = (2 * time, Duration::ZERO);
    let mut played = String::new();
    for ply in 0..plies {
        let side = ply % 2;
        let mut limits = String::new();
        if let Some(moves) = moves {
            let left = moves - ply / 2 % moves;
            if left == moves && ply > 1 {
                (clocks[side], given) = (time, given + time);
            }
            limits = format!(" movestogo {left}");
        }
        let [black, white] = clocks.map(|clock| clock.as_millis());
        let go =
            format!("go btime {black} wtime {white} binc {increment} winc {increment}{limits}");
        let (text, used) = session.answers(&format!("position startpos moves{played}\n{go}"), &[]);
        let left = clocks[side].checked_sub(used);
        clocks[side] = left.unwrap_or_else(|| panic!("ply {ply}, {go}: {used:?}")) + bonus;
        (given, spent) = (given + bonus, spent + used);
        match word_after(last(&text), "bestmove") {
            Some("(none)") | None => return,
            Some(best) => played += &format!(" {best}"),
        }
    }
    assert!(8 * spent > given, "{time:?}: {spent:?} of {given:?}");
}

#[test]
fn without_time_the_best_move_is_legal() {
    let mut session = Session::new();
    for limits in ["movetime 0", "btime 0 wtime 0", "btime 1 wtime 1", "nodes 1", "movetime 1"] {
        let go = format!("position startpos\ngo {limits}\n{PASS}\ngo {limits}");
        let text = session.answers(&go, &[]).0;
        let bests: Vec<_> = text.lines().filter_map(|line| word_after(line, "bestmove")).collect();
        let is_legal = |best: &str| MOVES.split_whitespace().any(|mv| mv == best);
        assert!(matches!(bests[..], [first, "0000"] if is_legal(first)), "{text}");
        assert!(scores(&text).len() >= 2, "{text}");
    }
    // It is also one of the `searchmoves`.
    let text = session.answers("position startpos\ngo nodes 1 searchmoves g8a8 b1h1", &[]).0;
    assert!(matches!(word_after(last(&text), "bestmove"), Some("g8a8" | "b1h1")), "{text}");
}

#[test]
fn ponderhit_keeps_the_search_and_starts_the_clock() {
    let mut session = Session::new();
    session.answers("position startpos moves d1b3", &[]);
    // A search with a running clock would end before.
    let (text, time) = session.answers("go ponder wtime 300 btime 300", &[(350, "ponderhit")]);
    assert_eq!((count(&text, "bestmove "), count(&text, "info depth 1 ")), (1, 1), "{text}");
    assert!((Duration::from_millis(355)..Duration::from_millis(460)).contains(&time), "{time:?}");
    // Only the next search starts at depth 1, and `ponderhit` without a search is ignored.
    for (go, later) in [
        ("ponderhit\ngo ponder depth 1", (100, "stop")),
        // If the depth limit is reached, `ponderhit` ends the search.
        ("go ponder depth 2", (100, "ponderhit")),
        // Without a limit only `stop` ends the search, also after `ponderhit`.
        ("go ponder\nponderhit", (100, "stop")),
    ] {
        let (text, time) = session.answers(go, &[later]);
        assert_eq!((count(&text, "bestmove "), count(&text, "info depth 1 ")), (1, 1), "{text}");
        let end = Duration::from_millis(100);
        assert!((end..end + SLACK).contains(&time), "{go}: {time:?}");
    }
}

/// After `ponderhit` the search has a limit, so the next `go` waits for its end.
#[test]
fn go_does_not_stop_a_search_after_ponderhit() {
    let later = [(5, "ponderhit"), (6, "go depth 1")];
    let (text, _) = Session::new().answers("go ponder nodes 20000", &later);
    let (first, second) = text.split_once("bestmove ").unwrap();
    assert!(number_after(scores(first).last().unwrap(), "nodes") > 10_000, "{first}");
    assert_eq!((count(first, "info depth 1 "), count(second, "info depth 1 ")), (1, 1), "{text}");
}

/// The output depends on the input alone, also after other searches.
#[test]
fn fixed_searches_are_reproducible() {
    let mut session = Session::new();
    for (setup, limits) in [
        ("position startpos", "depth 8"),
        ("position startpos", "nodes 20000"),
        ("position startpos moves d1b3 h4f2", "depth 7"),
        ("setoption name UCI_Variant value draughts", "depth 9"),
        ("setoption name UCI_Variant value draughts", "nodes 12345"),
    ] {
        let search = format!("ucinewgame\n{setup}\ngo {limits}");
        let first = session.answers(&search, &[]);
        assert_eq!(session.answers(&search, &[]), first);
        session.answers("go depth 6\nposition startpos\ngo nodes 5000", &[]);
        assert_eq!(session.answers(&search, &[]), first);
        let new = thread::spawn(move || Session::new().answers(&search, &[]));
        assert_eq!(new.join().unwrap(), first);
        if let Some(nodes) = limits.strip_prefix("nodes ") {
            let most = scores(&first.0).iter().map(|line| number_after(line, "nodes")).max();
            assert!(most.is_some_and(|most| most <= nodes.parse().unwrap()), "{}", first.0);
        }
    }
    // A change of the variant forgets the searches of the other game.
    session.answers("setoption name UCI_Variant value loa\ngo depth 6", &[]);
    let changed = session.answers(&format!("{DRAUGHTS}\ngo depth 8"), &[]).0;
    assert_eq!(session.answers("ucinewgame\ngo depth 8", &[]).0, changed);
    let [bench, again] = ["bench 3", "setoption name Hash value 3\nbench 3"]
        .map(|line| session.answers(line, &[]).0);
    assert_eq!(bench, again);
}
