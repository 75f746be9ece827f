//! Random dialogues in every dialect: for any input, each search and each query gets one answer, and
//! all output belongs to the dialect.

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::dialogue::run_uci;
use crate::setting;

/// The number of dialogues in each dialect, unless the environment sets it.
const DIALOGUES: u64 = 60;

/// A dialect, and the lines that may be sent and printed in it.
pub struct Dialect {
    /// The first line.
    first: &'static str,
    /// Lines that may be sent.
    pub lines: &'static str,
    /// Commands with the first words of their answers. Each command has one answer.
    answers: &'static [(&'static str, &'static str)],
    /// The first words of the other lines of output.
    others: &'static str,
    /// The last lines, which end every search.
    last: &'static str,
}

pub const UCI: Dialect = Dialect {
    first: "uci",
    lines: include_str!("lines/uci.txt"),
    answers: &[
        ("go", "bestmove"),
        ("isready", "readyok"),
        ("moves", "moves"),
        ("legalmoves", "legalmoves"),
        ("state", "state"),
        ("variants", "variants"),
        ("import", "import"),
        ("export", "export"),
        ("check", "check"),
    ],
    others: "id option uciok info analyse",
    last: "stop",
};

const UGI: Dialect = Dialect {
    first: "ugi",
    lines: include_str!("lines/ugi.txt"),
    answers: &[
        ("go", "bestmove"),
        ("query", "response"),
        ("isready", "readyok"),
        ("moves", "moves"),
    ],
    others: "id option ugiok info",
    last: "stop",
};

const HUB: Dialect = Dialect {
    first: "hub",
    lines: include_str!("lines/hub.txt"),
    answers: &[("go", "done"), ("ping", "pong"), ("init", "ready")],
    others: "id param wait info error",
    last: "stop",
};

const CECP: Dialect = Dialect {
    first: "xboard",
    lines: include_str!("lines/cecp.txt"),
    answers: &[("ping", "pong")],
    others: "feature setup move Hint: Illegal Error tellusererror stat01: 0-1 1-0 1/2-1/2",
    last: "?\nforce",
};

/// One of the lines, possibly with an error, or random bytes.
pub fn line(lines: &str, rng: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let lines: Vec<&str> = lines.lines().collect();
    let known = lines.choose(rng).unwrap();
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
        3 => [known.as_bytes(), b" ", lines.choose(rng).unwrap().as_bytes()].concat(),
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
        let line = line(dialect.lines, &mut rng);
        // The output of `d` has no first word of its own. Truncated lines may produce it.
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
        if !is_answer && !dialect.others.split(' ').any(|other| other == word) {
            fail(&format!("an unexpected line '{line}'"));
        }
    }
    for &(command, answer) in dialect.answers {
        // A quotation mark without its partner makes a command of Hub unreadable, and CECP refuses
        // `ping` without its number.
        let is_complete = |line: &str| match dialect.first {
            "hub" => !line.contains(['"', '=']),
            "xboard" => line.split_whitespace().nth(1).is_some(),
            _ => true,
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
    for dialect in [UCI, UGI, HUB, CECP] {
        (1..=dialogues).for_each(|seed| run(&dialect, seed));
    }
}
