//! Random dialogues in the other dialects: for any input, each search and each query gets one
//! answer, and all output belongs to the dialect.

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::dialogue::run_uci;
use crate::setting;

/// The number of dialogues in each dialect, unless the environment sets it.
const DIALOGUES: u64 = 60;

/// A dialect, and the lines that may be sent and printed in it.
struct Dialect {
    /// The first line.
    first: &'static str,
    /// Lines that may be sent.
    lines: &'static [&'static str],
    /// Commands with the first words of their answers. Each command has one answer.
    answers: &'static [(&'static str, &'static str)],
    /// The first words of the other lines of output.
    others: &'static [&'static str],
    /// The last lines, which end every search.
    last: &'static str,
}

const UGI: Dialect = Dialect {
    first: "ugi",
    lines: &[
        "uginewgame",
        "isready",
        "query p1turn",
        "query gameover",
        "query result",
        "query",
        "position startpos",
        "position startpos moves d1b3 h4f2",
        "position startpos moves 11-15 23-19",
        "position startpos moves d1d4",
        "position fen 8/8/8/3L4/3L4/8/l7/L1l5 b",
        "position fen W:WK26:B1,14,15,22,23",
        "position fen 8/8/8/8/8/1l6/8/L6L b",
        "go",
        "go depth 2",
        "go nodes 200",
        "go movetime 3",
        "go p1time 20 p2time 30 p1inc 1 p2inc 1",
        "go infinite",
        "go ponder p1time 5",
        "go mate 2 nodes 50",
        "go p1time",
        "ponderhit",
        "stop",
        "setoption name UCI_Variant value draughts",
        "setoption name UCI_Variant value loa",
        "setoption name MultiPV value 3",
        "setoption name Hash value 0",
        "moves",
        "hello",
    ],
    answers: &[
        ("go", "bestmove"),
        ("query", "response"),
        ("isready", "readyok"),
        ("moves", "moves"),
    ],
    others: &["id", "option", "ugiok", "info"],
    last: "stop",
};

const HUB: Dialect = Dialect {
    first: "hub",
    lines: &[
        "init",
        "ping",
        "new-game",
        "pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww",
        "pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-15 23-19\"",
        "pos pos=BeeeeeeBeewweeeeeewweeeeeeeeeeeew moves=26x26x22x14x15x23",
        "pos pos=BeeeeeeBeewweeeeeewweeeeeeeeeeeew moves=\"26x26x22x14x15\"",
        "pos pos=WeeeeeeeeeeeeeeeeeeeeeeebeeeWeeee",
        "pos pos=WeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeB",
        "pos pos=Wbbbb",
        "pos",
        "level depth=2",
        "level nodes=200",
        "level move-time=0.003",
        "level time=0.02 inc=0.001 moves=3",
        "level time=-1",
        "level time=1e300 inc=nan",
        "level infinite",
        "go think",
        "go ponder",
        "go analyze",
        "go",
        "ponder-hit",
        "stop",
        "set-param name=hash value=1",
        "set-param name=hash value=0",
        "set-param name=uci-limitstrength value=true",
        "set-param name=\"variant\" value=\"english\"",
        "set-param name=",
        "level depth=\"2",
    ],
    answers: &[("go", "done"), ("ping", "pong"), ("init", "ready")],
    others: &["id", "param", "wait", "info", "error"],
    last: "stop",
};

const CECP: Dialect = Dialect {
    first: "xboard",
    lines: &[
        "protover 2",
        "new",
        "variant linesofaction",
        "variant fairy",
        "variant normal",
        "setboard 1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b - - 0 1",
        "setboard 8/8/8/3L4/3L4/8/l7/L1l5 b - - 0 1",
        "setboard 6lL/6ll/8/8/8/8/ll6/Ll6 w - - 0 1",
        "setboard 8/8/8",
        "usermove a4c2",
        "usermove d1b3",
        "usermove @@@@",
        "usermove h4f2",
        "usermove",
        "force",
        "go",
        "playother",
        "level 40 0:01 0",
        "level 0 1 0.1",
        "level x",
        "st 0.003",
        "st -1",
        "sd 2",
        "time 3",
        "otim -5",
        "?",
        "ping 1",
        "ping 2",
        "hint",
        "undo",
        "remove",
        "analyze",
        ".",
        "exit",
        "post",
        "nopost",
        "hard",
        "easy",
        "memory 1",
        "cores 1",
        "option UCI_LimitStrength=1",
        "option Clear Hash",
        "option Move Format=standard",
        "result 1-0 {x}",
        "hello",
    ],
    answers: &[("ping", "pong")],
    others: &[
        "feature",
        "setup",
        "move",
        "Hint:",
        "Illegal",
        "Error",
        "tellusererror",
        "stat01:",
        "0-1",
        "1-0",
        "1/2-1/2",
    ],
    last: "?\nforce",
};

/// A line of the dialect, possibly with an error, or random bytes.
fn line(dialect: &Dialect, rng: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let known = dialect.lines.choose(rng).unwrap();
    match rng.random_range(0..12) {
        0 => {
            let mut byte = || rng.random_range(0..=255_u8);
            (0..byte()).map(|_| byte()).filter(|&byte| byte != b'\n').collect()
        }
        1 => {
            let mut chars: Vec<char> = known.chars().collect();
            let at = rng.random_range(0..=chars.len());
            let inserted =
                *['9', '-', '=', '"', ' ', 'W', 'x', 'ß', '\t', ':'].choose(rng).unwrap();
            chars.insert(at, inserted);
            chars.into_iter().collect::<String>().into_bytes()
        }
        2 => {
            let mut bytes = known.as_bytes().to_vec();
            bytes.truncate(rng.random_range(0..=bytes.len()));
            bytes
        }
        3 => [known.as_bytes(), b" ", dialect.lines.choose(rng).unwrap().as_bytes()].concat(),
        _ => known.as_bytes().to_vec(),
    }
}

fn first_word(line: &str) -> &str {
    line.trim_start_matches('\u{feff}').split_whitespace().next().unwrap_or_default()
}

/// Runs a random dialogue and checks its output.
fn run(dialect: &Dialect, seed: u64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut input = dialect.first.as_bytes().to_vec();
    for _ in 0..rng.random_range(1..40) {
        let line = line(dialect, &mut rng);
        // The only command of UCI that random bytes may produce.
        if first_word(&String::from_utf8_lossy(&line)) != "d" {
            input.push(b'\n');
            input.extend(line);
        }
    }
    input.extend([b"\n", dialect.last.as_bytes()].concat());
    let sent = String::from_utf8_lossy(&input).into_owned();
    let output = run_uci(&input);
    let fail =
        |what: &str| panic!("{what}, dialogue {seed} of {}:\n{sent}\n\n{output}", dialect.first);
    let is_thinking = |line: &str| dialect.first == "xboard" && line.contains('\t');
    for line in output.lines().filter(|line| !is_thinking(line)) {
        let word = first_word(line);
        let is_answer = dialect.answers.iter().any(|(_, answer)| *answer == word);
        if !is_answer && !dialect.others.contains(&word) {
            fail(&format!("an unexpected line '{line}'"));
        }
    }
    for &(command, answer) in dialect.answers {
        // A quotation mark without its partner makes a command of Hub unreadable, and CECP refuses
        // `ping` without its number.
        let is_complete = |line: &str| {
            !line.contains(['"', '='])
                && (dialect.first != "xboard" || line.split_whitespace().nth(1).is_some())
        };
        let is_command =
            |line: &&str| first_word(line) == command && (command == "go" || is_complete(line));
        let is_answer = |line: &&str| first_word(line) == answer;
        let (commands, answers) =
            (sent.split('\n').filter(is_command).count(), output.lines().filter(is_answer).count());
        if answers < commands || (command == "go" && answers != commands) {
            fail(&format!("{commands} commands '{command}' and {answers} answers"));
        }
    }
}

#[test]
fn noisy_dialogues_are_answered_in_every_dialect() {
    let dialogues = setting("SOUCIE_SOAK_DIALECTS").unwrap_or(DIALOGUES);
    for dialect in [UGI, HUB, CECP] {
        (1..=dialogues).for_each(|seed| run(&dialect, seed));
    }
}
