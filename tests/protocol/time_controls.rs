//! Time controls of every dialect and of CheckerBoard, each on a clock that only the test advances.

use std::time::Duration;

use soucie::checkerboard::time::Time;
use soucie::search::Limits;

use crate::clocks::{POLL, Session};
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
        row("go movetime -1", &[], 1, (0, 0)),
        row("go btime -1", &[], 1, (0, 0)),
        row("go wtime -1", &[], 1, (0, 0)),
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
        row("go p1time 1020 p2time 20", &[], 1, (20, 182)),
    ]
}

/// Searches without a limit: some reach their greatest depth before `stop`.
fn endless() -> Vec<Row> {
    let weak = "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 800\ngo";
    let trivial = TRIVIAL.map(|position| format!("{position}\ngo infinite"));
    let all = trivial.into_iter().chain([weak.to_string()]);
    all.map(|lines| row(lines, &[(250, "stop")], 1, (250, 250))).collect()
}

/// Analyses of a game of three positions.
fn analyses() -> Vec<Row> {
    let analyse = |limit| format!("position startpos moves d1b3 h5g4\nanalyse {{{limit}}}");
    vec![
        row(analyse("\"movetime\":100"), &[], 1, (200, 300)),
        row(analyse("\"movetime\":18446744073709551615"), &[(250, "stop")], 1, (250, 250)),
    ]
}

/// `p1` is Black, which moves first.
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
        row(go("movetime 100"), &[(50, "query p1turn\nisready")], 1, (100, 100)),
    ]
}

/// The level holds for all searches that follow. The increment of the move to play is a part of its
/// time.
fn hub() -> Vec<Row> {
    let think = |level: &str| format!("level {level}\ngo think");
    let ponder = |level: &str| format!("level {level}\ngo ponder");
    vec![
        row(think("move-time=0.1"), &[], 1, (100, 100)),
        row(think("move-time=0.1"), &[], 13, (100, 100)),
        row(think("move-time=0.1"), &[(50, "ping")], 1, (100, 100)),
        row(think("move-time=0.5 time=0.08"), &[], 1, (60, 60)),
        row(think("time=0"), &[], 1, (0, 0)),
        row(think("time=-5"), &[], 1, (0, 0)),
        row(think("time=1.02"), &[], 1, (20, 182)),
        row(think("time=1.02"), &[], 30, (20, 182)),
        row(think("time=0 inc=0.5"), &[], 1, (100, 384)),
        row(think("time=59.02 inc=1"), &[], 50, (1_000, 14_200)),
        row(think("time=0.12 moves=1"), &[], 1, (50, 100)),
        row(think("time=0.42 moves=2"), &[], 1, (50, 140)),
        row("set-param name=move-overhead value=90\nlevel time=0.19\ngo think", &[], 1, (2, 19)),
        row(
            "level move-time=0.1\nnew-game\npos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww \
             moves=\"11-15 23-19\"\ngo think",
            &[],
            1,
            (100, 100),
        ),
        row(ponder("move-time=0.05"), &[(100, "ponder-hit")], 1, (150, 150)),
        row(ponder("time=1.02"), &[(300, "ponder-hit")], 1, (300, 482)),
        row(ponder("time=1.02"), &[(300, "stop")], 1, (300, 300)),
        row("level infinite\ngo analyze", &[(100, "stop")], 1, (100, 100)),
        row("go think", &[(100, "stop")], 1, (100, 100)),
    ]
}

/// The engine plays the side that moves first, which is White in this protocol.
fn cecp() -> Vec<Row> {
    let go = |control: &str| format!("{control}\ngo");
    vec![
        row(go("st 0.1"), &[], 1, (100, 100)),
        row(go("st 0.1"), &[], 13, (100, 100)),
        row(go("st 600"), &[], 5_000, (600_000, 600_000)),
        row(go("st 0.1\nlevel 0 0:0.12 0\nst 0.1"), &[], 1, (100, 100)),
        row(go("st 600"), &[(100, "?")], 1, (100, 100)),
        row(go("level 0 0:1.02 0"), &[], 1, (20, 182)),
        row(go("level 0 0:1.02 0"), &[], 30, (20, 182)),
        row(go("st 600\nlevel 0 0:1.02 0"), &[], 1, (20, 182)),
        row(go("level 0 1 1"), &[], 50, (1_000, 14_200)),
        row(go("level 40 5 0"), &[], 100, (4_000, 54_600)),
        row(go("level 1 0:0.12 0"), &[], 1, (50, 100)),
        row(go("level 2 0:0.42 0"), &[], 1, (50, 140)),
        // The clocks that the client sends count, and the opponent's does not limit the search.
        row(go("level 0 5 0\ntime 102\notim 30000"), &[], 1, (20, 182)),
        row(go("level 0 5 0\ntime 102\notim 0"), &[], 1, (20, 182)),
        row(go("level 0 5 0\ntime 0\notim 30000"), &[], 1, (0, 0)),
        row(go("level 0 5 0\ntime -5"), &[], 1, (0, 0)),
        row(go("level 1 5 0\ntime 12"), &[], 1, (50, 100)),
        row(go("option Move Overhead=90\nlevel 0 0:0.19 0"), &[], 1, (2, 19)),
        // As Black, after a move of White.
        row("new\nst 0.1\nusermove a4c4", &[], 1, (100, 100)),
        row("new\nlevel 0 5 0\ntime 102\notim 30000\nusermove a4c4", &[], 1, (20, 182)),
    ]
}

/// The client waits for these searches by a ping.
fn cecp_analyses() -> Vec<Row> {
    vec![
        row("analyze", &[(100, "exit\nping 1")], 1, (100, 100)),
        row("st 600\ngo", &[(100, "force\nping 1")], 1, (100, 100)),
        row("st 0.1\ngo", &[(50, "ping 1")], 1, (100, 100)),
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

/// Searches with each row in a dialect. `end` begins the line that ends a search.
fn check(dialect: &str, end: &str, rows: Vec<Row>) {
    let mut wrong = Vec::new();
    for Row { lines, later, poll, time: (least, most) } in rows {
        let poll = Duration::from_millis(poll);
        let (text, time) = Session::in_dialect(dialect, poll).answers(&lines, later);
        assert_eq!(count(&text, end), 1, "{lines}: {text}");
        let [least, most] = [least, most].map(Duration::from_millis);
        if !(least..=most + SLACK * poll).contains(&time) {
            wrong.push(format!("{lines}, {poll:?}: {time:?}"));
        }
    }
    assert!(wrong.is_empty(), "{dialect}: {}", wrong.join("\n"));
}

#[test]
fn each_time_control_is_kept() {
    check("uci", "bestmove ", uci());
    check("uci", "bestmove ", checkerboard());
    check("uci", "bestmove ", endless());
    check("uci", "analyse {\"final\":", analyses());
}

#[test]
fn each_time_control_of_other_dialects_is_kept() {
    check("ugi", "bestmove ", ugi());
    check("hub", "done ", hub());
    check("xboard", "move ", cecp());
    check("xboard", "pong ", cecp_analyses());
    check("xboard", "Hint: ", vec![row("hint", &[], 1, (500, 500))]);
}

/// The engine deducts its own moves from its clock while the client does not send the time, and
/// ponders on the opponent's.
#[test]
fn the_clock_of_xboard_runs_over_several_moves() {
    let between = |time: Duration, least, most| {
        let [least, most] = [least, most].map(Duration::from_millis);
        assert!((least..=most + SLACK * POLL).contains(&time), "{time:?}");
    };
    let hint = |session: &mut Session| {
        let text = session.answers("hint", &[]).0;
        let hint = text.strip_prefix("Hint: ").unwrap_or_else(|| panic!("{text}"));
        format!("usermove {}", hint.trim_end())
    };
    // Each move is the last before the time control: its rest is added to the next one.
    let mut session = Session::in_dialect("xboard", POLL);
    between(session.answers("level 1 0:0.12 0\ngo", &[]).1, 50, 100);
    for most in [200, 300, 400] {
        let reply = hint(&mut session);
        between(session.answers(&reply, &[]).1, 50, most);
    }
    // No time is left after the first move, and no increment follows.
    let mut session = Session::in_dialect("xboard", POLL);
    between(session.answers("level 0 0:1.02 0\ntime 3\ngo", &[]).1, 0, 10);
    let reply = hint(&mut session);
    between(session.answers(&reply, &[]).1, 0, 10);
    // The expected reply starts the clock of a search that has begun before; another one starts
    // another search.
    let expected = {
        let mut session = Session::in_dialect("xboard", POLL);
        session.answers("st 0.1\ngo", &[]);
        hint(&mut session)
    };
    for (control, least, most) in [("st 0.1", 100, 100), ("level 0 0:1.02 0", 10, 182)] {
        for reply in [expected.as_str(), "usermove b1b3"] {
            let lines = format!("hard\n{control}\ngo");
            // Without the last line, the engine would ponder again.
            let later = [(700, reply), (700, "easy")];
            let (text, time) = Session::in_dialect("xboard", POLL).answers(&lines, &later);
            assert_eq!(count(&text, "move "), 2, "{text}");
            between(time, 700 + least, 700 + most);
        }
    }
}
