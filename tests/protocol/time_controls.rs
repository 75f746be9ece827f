//! Time controls of UCI, UGI and CheckerBoard, each on a clock that only the test advances.

use std::time::Duration;

use soucie::checkerboard::time::Time;
use soucie::engine::Limits;

use crate::clocks::Session;
use crate::go_and_stop::TRIVIAL;
use crate::{DRAUGHTS, count};

/// The polls by which a move may be late: each line of the input costs one too.
const SLACK: u32 = 10;

/// A request for a move.
struct Row {
    /// The lines up to the one that starts the search.
    lines: String,
    /// What follows after so many milliseconds.
    later: &'static [(u64, &'static str)],
    /// The milliseconds between two polls of the input.
    poll: u64,
    /// The milliseconds in which the move is played.
    time: (u64, u64),
}

fn row(
    lines: impl Into<String>,
    later: &'static [(u64, &'static str)],
    poll: u64,
    time: (u64, u64),
) -> Row {
    Row { lines: lines.into(), later, poll, time }
}

/// One move gets at most 35 % of the remaining time less the overhead, which is 20 ms unless
/// the row sets it, and four times the share of a usual move, which is a 22nd.
fn uci() -> Vec<Row> {
    vec![
        row("go movetime 1", &[], 1, (1, 1)),
        row("go movetime 100", &[], 1, (100, 100)),
        row("go movetime 100", &[], 13, (100, 100)),
        row("go movetime 600000", &[], 5_000, (600_000, 600_000)),
        row("go movetime 500 btime 80 wtime 80", &[], 1, (60, 60)),
        row("setoption name Move Overhead value 90\ngo movetime 100", &[], 1, (100, 100)),
        row("go btime 0 wtime 0", &[], 1, (0, 0)),
        row("go btime 1 wtime 1", &[], 1, (0, 0)),
        row("go btime -5 wtime 1000", &[], 1, (0, 0)),
        row("go btime 1020 wtime 20", &[], 1, (20, 182)),
        row("go btime 1020 wtime 20", &[], 30, (20, 182)),
        row("go wtime 1020", &[], 1, (20, 182)),
        row("go btime 10 wtime 10 binc 500 winc 500", &[], 1, (0, 0)),
        row("go btime 60020 wtime 60020 binc 1000 winc 1000", &[], 50, (1_000, 14_200)),
        row("go btime 7200000 wtime 7200000", &[], 10_000, (60_000, 1_309_100)),
        row("go btime 120 wtime 120 movestogo 1", &[], 1, (50, 100)),
        row("go btime 420 wtime 420 movestogo 2", &[], 1, (50, 140)),
        row("go btime 200000 wtime 200000 movestogo 40", &[], 50, (1_000, 36_400)),
        row("setoption name Move Overhead value 90\ngo btime 190", &[], 1, (2, 19)),
        row("setoption name Move Overhead value 500\ngo btime 190", &[], 1, (0, 0)),
        row("setoption name Move Overhead value 0\ngo btime 90 movestogo 1", &[], 1, (40, 90)),
        row("go ponder movetime 50", &[(500, "ponderhit")], 1, (550, 550)),
        row("go ponder btime 1020", &[(1_000, "ponderhit")], 1, (1_000, 1_182)),
        row("go ponder btime 120 movestogo 1", &[(30, "ponderhit")], 7, (80, 130)),
        row("go ponder btime 1020 wtime 1020", &[(700, "stop")], 1, (700, 700)),
        row("go infinite movetime 10", &[(250, "stop")], 1, (250, 250)),
    ]
}

/// Searches that reach their greatest depth before `stop`.
fn trivial() -> Vec<Row> {
    let infinite = |position| format!("{position}\ngo infinite");
    TRIVIAL.map(|position| row(infinite(position), &[(250, "stop")], 1, (250, 250))).into()
}

/// Analyses of a game of three positions.
fn analyses() -> Vec<Row> {
    let analyse = |limit| format!("position startpos moves d1b3 h5g4\nanalyse {{{limit}}}");
    vec![
        row(analyse("\"movetime\":100"), &[], 1, (200, 300)),
        row(analyse("\"movetime\":18446744073709551615"), &[(250, "stop")], 1, (250, 250)),
    ]
}

/// The words of UGI, which UCI reads too: `p1` is Black, which moves first.
fn ugi() -> Vec<Row> {
    let go = |limits: &str| format!("go {limits}");
    let reply = |limits: &str| format!("position startpos moves d1b3\ngo {limits}");
    vec![
        row(go("movetime 100"), &[], 1, (100, 100)),
        row(go("p1time 0 p2time 1000"), &[], 1, (0, 0)),
        row(go("p1time -5 p2time 1000"), &[], 1, (0, 0)),
        row(go("p1time 1020 p2time 20"), &[], 1, (20, 182)),
        row(go("p2time 1020"), &[], 1, (20, 182)),
        row(reply("p1time 20 p2time 1020"), &[], 1, (20, 182)),
        row(reply("p1time 1000 p2time 0"), &[], 1, (0, 0)),
        row(go("p1time 10 p2time 10 p1inc 500 p2inc 500"), &[], 1, (0, 0)),
        row(go("p1time 60020 p2time 60020 p1inc 1000 p2inc 1000"), &[], 50, (1_000, 14_200)),
        row(reply("p1time 60020 p2time 60020 p1inc 9000 p2inc 1000"), &[], 50, (1_000, 14_200)),
        row(go("p1time 120 p2time 120 movestogo 1"), &[], 1, (50, 100)),
        row(go("ponder p1time 1020"), &[(1_000, "ponderhit")], 1, (1_000, 1_182)),
        row(go("infinite"), &[(250, "stop")], 1, (250, 250)),
    ]
}

/// The arguments of `getmove`, as the lines of a client that sets the same limits.
fn checkerboard() -> Vec<Row> {
    let request = |seconds, info, more| {
        let Limits { movetime, time, increment, moves_to_go, .. } =
            Time::read(seconds, info, more).limits();
        let mut go = format!("{DRAUGHTS}\ngo");
        for (word, time) in [("movetime", movetime), ("btime", time[0]), ("wtime", time[1])] {
            go += &time.map_or(String::new(), |time| format!(" {word} {}", time.as_millis()));
        }
        go += &format!(" binc {0} winc {0}", increment[0].as_millis());
        go + &moves_to_go.map_or(String::new(), |moves| format!(" movestogo {moves}"))
    };
    vec![
        row(request(0.1, 1 << 1, 0), &[], 1, (100, 100)),
        // An average of a second.
        row(request(1.0, 0, 0), &[], 5, (300, 6_400)),
        // Two seconds and an increment of a tenth, in milliseconds and in their tenfold.
        row(request(0.0, 1 << 2, 2_020 << 16 | 100), &[], 5, (50, 700)),
        row(request(0.0, 2 << 2, 202 << 16 | 10), &[], 5, (50, 700)),
        row(request(1.0, 1 << 2, 0), &[], 1, (0, 0)),
    ]
}

#[test]
fn each_time_control_is_kept() {
    let mut wrong = Vec::new();
    let tables = [
        ("bestmove ", uci()),
        ("bestmove ", checkerboard()),
        ("bestmove ", trivial()),
        ("bestmove ", ugi()),
        ("analyse {\"final\":", analyses()),
    ];
    let rows =
        tables.into_iter().flat_map(|(end, rows)| rows.into_iter().map(move |row| (end, row)));
    for (end, Row { lines, later, poll, time: (least, most) }) in rows {
        let poll = Duration::from_millis(poll);
        let (text, time) = Session::with_poll(poll).answers(&lines, later);
        assert_eq!(count(&text, end), 1, "{lines}: {text}");
        let [least, most] = [least, most].map(Duration::from_millis);
        if !(least..=most + SLACK * poll).contains(&time) {
            wrong.push(format!("{lines}, {poll:?}: {time:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
