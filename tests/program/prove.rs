//! The commands `prove` and `verify`.

use std::fs;
use std::path::Path;

use soucie::game::{Notation, Position, Side, TablebaseValue, legal_moves, outcome};
use soucie::games::Tablebases;
use soucie::games::draughts::{Draughts, DraughtsRules};
use soucie::games::loa::{Loa, LoaRules};
use soucie::proofs::file::Proof;
use soucie::proofs::verify::verify;

use crate::programs::{self, Ran, run};

/// The side to move wins in two.
const WIN_IN_TWO: &str = "8/6L1/3lLLl1/1L2Ll2/2llL3/3llLl1/3l2L1/8 b";

/// The win takes longer than three moves of each side, so that captures must come in time.
const WIN_WITH_CAPTURES: &str = "6l1/L3lL2/L1L1L3/L2l4/3llLl1/6lL/8/8 b";

/// A file that is no proof.
const GAME: &str = "tests/data/loa/games.sgf";

/// One move connects both sides.
const BOTH_AT_ONCE: &str = "3l4/8/8/3L4/3l4/8/8/LL6 b - - 0 1";

fn loa(setup: &str) -> Loa {
    Loa::read_setup(setup, LoaRules::default()).unwrap()
}

fn soucie(arguments: &[&str]) -> Ran {
    run(programs::soucie().args(arguments))
}

/// Runs `soucie prove` and returns its stdout.
fn prove(arguments: &[&str]) -> String {
    programs::output_of(programs::soucie().arg("prove").args(arguments))
}

/// The path of a file that does not exist, in a folder of its own.
fn new_file(name: &str) -> String {
    let file = programs::empty_folder(Path::new("prove").join(name)).join("a.proof");
    file.to_str().unwrap().to_string()
}

#[test]
fn wins_are_proved_and_verified() {
    let rows: [(&str, &[&str]); 5] = [
        ("win", &["--fen", WIN_IN_TWO]),
        ("win-draw", &["--fen", WIN_IN_TWO, "--option", "Simultaneous Connection=draw"]),
        ("both", &["--fen", BOTH_AT_ONCE, "--option", "No Legal Move=loss"]),
        ("count", &["--fen", WIN_WITH_CAPTURES, "--option", "No Capture Draw=3"]),
        (
            "kings",
            &["--variant", "draughts", "--fen", "W:WK14,K15,K18:BK1,K6", "--nodes", "1000000"],
        ),
    ];
    for (name, arguments) in rows {
        let file = new_file(name);
        let stdout = prove(&[arguments, &["--out", &file]].concat());
        assert!(stdout.starts_with("proved: win in at most "), "{stdout}");
        let (plies, _) =
            stdout.strip_prefix("proved: win in at most ").unwrap().split_once(',').unwrap();
        let verified = soucie(&["verify", &file]);
        assert!(verified.succeeded(), "{}", verified.err);
        let wanted = format!("verified: win in at most {plies}, ");
        assert!(verified.out.starts_with(&wanted), "{}", verified.out);
    }
}

#[test]
fn disproved_and_open_results_are_reported() {
    let file = new_file("no-win");
    let stdout = prove(&["--fen", "W:WK18:BK1,K6", "--out", &file]);
    assert!(stdout.starts_with("disproved: White cannot force a win, "), "{stdout}");
    let verified = soucie(&["verify", &file]).out;
    assert!(verified.starts_with("verified: White cannot force a win, "), "{verified}");
    let position_and_rules = "\nenglishdraughts: W:WK18:BK1,K6\n\
                              rules: Captures = compulsory, Repetition Draw = 3, \
                              Draw Move Count = 40, No Capture Draw = 0\n";
    assert!(verified.ends_with(position_and_rules), "{verified}");
    assert_eq!(prove(&["--nodes", "5000"]), "open after 5000 expansions\n");
    let file = new_file("open");
    let output = soucie(&["prove", "--nodes", "5000", "--out", &file]);
    assert_eq!(output.err, format!("soucie: {file}: not written, as nothing is proved\n"));
    assert!(!Path::new(&file).exists());
    let table: [(&[&str], &str); 3] = [
        (&["--option", "UCI_Variant=draughts"], "no effect here: expected --variant"),
        (&["--fen", "8/8/8/3l4/3l4/8/8/L6L w"], "the game is over: Black has won"),
        (&["--option", "Hash=1"], "option 'Hash' has no effect here: expected a rule"),
    ];
    for (arguments, error) in table {
        let output = soucie(&[&["prove"], arguments].concat());
        assert_eq!(output.code, Some(1));
        assert!(output.err.contains(error), "{}", output.err);
    }
}

#[test]
fn invalid_proof_file_is_refused_before_its_end() {
    let file = new_file("zeros");
    let verify_error = |path: &str| {
        let output = soucie(&["verify", path]);
        assert_eq!(output.code, Some(1));
        output.err.replace(path, "FILE")
    };
    // A sparse file of 1 TiB.
    fs::File::create(&file).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(
        verify_error(&file),
        "soucie: FILE: line 1 is longer than 4096 bytes: not a proof file\n"
    );
    let head = "soucie proof 1\nvariant loa\n";
    let table = [
        (head.to_string() + &"option a=b\n".repeat(100_000), "line 67: expected 'setup SETUP'"),
        (
            format!("{head}setup x\nplies 1\npositions 1\n{}", "1 a b\n".repeat(100_000)),
            "line 7: expected 'end' after the last position",
        ),
        (
            "\u{1b}[2J".to_string(),
            "not a proof file: the first line must be `soucie proof 2` or `soucie proof 1`",
        ),
        (
            "soucie proof 2\nvariant loa\nsetup x\nno win red\n".to_string(),
            "line 4: expected 'move MOVE', 'plies N', 'loss N' or 'no win SIDE'",
        ),
        ("soucie proof 1\nvariant loa\nplies 1\n".to_string(), "line 3: expected 'setup SETUP'"),
    ];
    for (content, error) in table {
        fs::write(&file, content).unwrap();
        assert_eq!(verify_error(&file), format!("soucie: FILE: {error}\n"));
    }
    if cfg!(unix) {
        let wanted = "soucie: FILE: is a device or a pipe; expected a regular file\n";
        assert_eq!(verify_error("/dev/zero"), wanted);
    }
}

#[test]
fn prove_reports_an_unwritable_file_before_the_search() {
    let output = soucie(&["prove", "--nodes", "5000", "--out", "no-such-folder/x"]);
    assert_eq!(output.code, Some(1));
    let stderr = output.err;
    assert!(stderr.starts_with("soucie: no-such-folder/x: "), "{stderr}");
}

#[test]
#[cfg(unix)]
fn links_and_pipes_are_not_replaced() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    use std::thread;

    let folder = programs::empty_folder("prove/links");
    let [file, link, pipe] = ["end.proof", "link.proof", "pipe.proof"]
        .map(|name| folder.join(name).to_str().unwrap().to_string());
    symlink("end.proof", &link).unwrap();
    programs::make_pipe(&pipe);
    let path = pipe.clone();
    let reader = thread::spawn(move || fs::read(path).unwrap());
    for out in [&link, &pipe] {
        prove(&["--fen", WIN_IN_TWO, "--out", out]);
    }
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    let proof = fs::read(&file).unwrap();
    assert!(proof.starts_with(b"soucie proof 2"));
    assert!(reader.join().unwrap() == proof);
    let stdout = prove(&["--fen", WIN_IN_TWO, "--out", "/dev/stdout"]);
    let (before, after) = stdout.split_once("proved: ").unwrap();
    assert!(before.as_bytes() == proof && after.lines().count() == 1, "{stdout}");
}

/// Ctrl-C prints the result so far, and writes no partial proof.
#[test]
#[cfg(unix)]
fn interrupt_prints_the_result_so_far() {
    use std::io::Read;
    use std::process::Stdio;
    use std::thread::sleep;
    use std::time::Duration;

    let folder = programs::empty_folder("prove/interrupted");
    let file = folder.join("interrupted.proof");
    fs::write(&file, "an older one").unwrap();
    let mut command = programs::soucie();
    command.args(["prove", "--out"]).arg(&file).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    sleep(Duration::from_millis(100));
    programs::signal(&child, "INT");
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "no proof to write");
    assert!(stdout.starts_with("open after ") && stdout.ends_with(" expansions\n"), "{stdout}");
    assert_eq!(fs::read_to_string(file).unwrap(), "an older one");
    assert_eq!(fs::read_dir(folder).unwrap().count(), 1, "a temporary file is left");
}

#[test]
fn tampered_proof_is_refused() {
    let file = new_file("tampered");
    prove(&["--fen", WIN_IN_TWO, "--out", &file]);
    let proof = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = proof.lines().collect();
    let second = lines.iter().position(|line| line.starts_with("1 ")).unwrap();
    let [_, mv, setup] = *lines[second].splitn(3, ' ').collect::<Vec<_>>() else { panic!() };
    let without = |n: usize| {
        let mut lines = lines.clone();
        lines.remove(n);
        lines.join("\n") + "\n"
    };
    let count = lines.iter().filter(|line| line.starts_with(['1', '3'])).count();
    let positions_line = |n: usize| format!("positions {n}");
    let rows = [
        (without(0), "not a proof file: the first line must be `soucie proof 2`"),
        (without(1), "line 2: expected 'variant NAME'"),
        (without(2), "expected the rule option 'Simultaneous Connection' once"),
        (proof.replace("option Move", "option Mood"), "'Mood Limit' is not a rule option"),
        (proof.replace("Limit=0", "Limit=x"), "expected a whole number from"),
        (proof.replace("Limit=0", "Limit=1"), "the game is not won, but drawn: the move limit"),
        (proof.replace("plies 3", "plies 5"), "the win takes 3 plies at most, not 5"),
        (proof.replace("plies 3", "plies three"), "expected 'move MOVE', 'plies N',"),
        (without(lines.len() - 1), "the file is truncated"),
        (proof.clone() + "1 a1a2 x\n", "expected nothing"),
        (without(second), " positions, found "),
        (
            without(second).replace(&positions_line(count), &positions_line(count - 1)),
            ": no answer",
        ),
        (
            proof
                .replace(lines[second], &format!("{0}\n{0}", lines[second]))
                .replace(&positions_line(count), &positions_line(count + 1)),
            ": two answers",
        ),
        (
            proof
                .replace("end\n", "1 a1a2 8/8/8/8/8/8/8/lL1lL3 b - - 0 1\nend\n")
                .replace(&positions_line(count), &positions_line(count + 1)),
            "unreachable position",
        ),
        (proof.replace(lines[second], &format!("1 a1a8 {setup}")), "illegal answer a1a8"),
        (proof.replace(lines[second], &format!("3 {mv} {setup}")), "the win is no nearer"),
        (
            proof.replace(lines[second], &format!("2 {mv} {setup}")),
            "the win takes 4 plies at most, not 3",
        ),
        (proof.replacen("setup 8/6L1", "setup 8/5L2", 1), ": no answer"),
        (proof.replacen("8 b - - 0 1\nplies", "8 b\nplies", 1), "is not in standard form"),
        (proof.replacen("setup 8", "setup 9", 1), "setup: "),
        (proof.replace("linesofaction", "chess"), "option 'UCI_Variant': expected one of"),
        (proof.replace("linesofaction", "englishdraughts"), "expected the rule option 'Captures'"),
    ];
    for (tampered, error) in rows {
        assert_ne!(tampered, proof, "{error}");
        fs::write(&file, &tampered).unwrap();
        let output = soucie(&["verify", &file]);
        assert_eq!(output.code, Some(1), "{error}");
        assert!(output.err.contains(error), "{error}: {}", output.err);
        assert!(output.out.is_empty());
    }
    // Another move is accepted only if it wins at once.
    let position = loa(setup);
    for other in legal_moves(&position) {
        let next = position.play(other);
        let wins = outcome(&next).is_some_and(|end| end.winner == Some(Side::Black));
        let other = position.write_move(other, Default::default());
        let tampered = proof.replace(lines[second], &format!("1 {other} {setup}"));
        let tampered = Proof::read(tampered.as_bytes()).unwrap();
        assert_eq!(verify(&tampered, &Tablebases::default()).is_ok(), wins, "{other}");
    }
}

/// The tables have a win only where the counter leaves time for it, and a position is reached with different
/// counters.
#[test]
fn a_proof_with_endgame_tables_holds_with_every_counter() {
    let tables = programs::tables().to_str().unwrap();
    let file = new_file("counters");
    let position = ["--fen", "B:W16,K9,8:B3,26", "--option", "Draw Move Count=12"];
    let out = ["--nodes", "20000", "--hash", "16", "--tables", tables, "--out", &file];
    let proved = soucie(&[&["prove"], &position[..], &out[..]].concat());
    assert!(proved.out.starts_with("proved: "), "{}", proved.err);
    let verified = soucie(&["verify", &file, "--tables", tables]);
    assert!(verified.out.starts_with("verified: "), "{}", verified.err);
}

/// Endgame tables end the lines of a proof, which holds with these tables alone.
#[test]
fn proofs_with_endgame_tables_are_verified_with_the_same_tables() {
    let tables = programs::tables();
    let opened = Tablebases::open(tables).unwrap().0;
    let tables = tables.to_str().unwrap();
    let damaged = programs::empty_folder("prove/damaged");
    fs::write(damaged.join("0m1k-0m1k.table"), "damaged").unwrap();
    let file = new_file("tables");
    let mut refused = 0;
    // The key, or `None` if the side to move cannot force a win.
    for (setup, key) in [
        ("W:W10,12,24,K27:B3,7,26,K30", Some("g3h4")),
        ("W:WK17,K13,K5:BK6,K1", Some("b4c5")),
        ("W:W31,27,K13:BK32,K29,25", Some("a5b4")),
        ("B:W30,26,24:B17,13,12", None),
        ("W:WK18,K22:BK1,K2,K29", None),
    ] {
        let out = ["--nodes", "20000", "--tables", tables, "--out", &file];
        let output = soucie(&[&["prove", "--fen", setup], &out[..]].concat());
        let stdout = output.out;
        let Some(key) = key else {
            assert!(stdout.starts_with("disproved: "), "{setup}: {stdout}");
            refused += refused_defences(&fs::read(&file).unwrap(), &opened);
            continue;
        };
        let [plies, found, _] = stdout.split(", ").collect::<Vec<_>>()[..] else {
            panic!("{stdout}")
        };
        assert!(plies.starts_with("proved: win in the endgame tables after at most "), "{stdout}");
        assert_eq!(found, format!("key {key}"), "{setup}");
        let verified = soucie(&["verify", &file, "--tables", tables]).out;
        assert!(verified.starts_with(&plies.replace("proved", "verified")), "{verified}");

        let alone = soucie(&["verify", &file]);
        assert_eq!(alone.code, Some(1));
        let folder = programs::no_home().join("tables");
        let wanted = format!(", and {} has none for this game; ", folder.display());
        assert!(alone.err.contains(&wanted), "{}", alone.err);
        assert!(alone.err.ends_with("; --tables names their folder\n"), "{setup}");
        let unusable = soucie(&["verify", &file, "--tables", damaged.to_str().unwrap()]);
        assert!(unusable.err.contains("0m1k-0m1k.table is not an endgame table"));
        let proof = fs::read_to_string(&file).unwrap();
        let other = Proof::read(proof.replace("crc32 ", "crc32 0").as_bytes()).unwrap();
        let error = verify(&other, &opened).unwrap_err().to_string();
        assert!(error.contains("the proof needs the endgame tables 4 pieces crc32 0"), "{error}");

        // An answer after which the tables have no win for its side is refused.
        let proof = Proof::read(proof.as_bytes()).unwrap();
        for (number, answer) in proof.answers.iter().enumerate() {
            let position = Draughts::read_setup(&answer.setup, DraughtsRules::default()).unwrap();
            for mv in legal_moves(&position) {
                let value = opened.of::<Draughts>().unwrap().value(&position.play(mv));
                if value.is_none_or(|value| matches!(value, TablebaseValue::Lost(_))) {
                    continue;
                }
                let mut changed = proof.clone();
                changed.answers[number].mv = position.write_move(mv, Default::default());
                let error = verify(&changed, &opened).unwrap_err().to_string();
                assert!(error.ends_with("the game is not won by the endgame tables"), "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused > 0);
}

/// Verifies a proof that a side cannot win, and changes each of its moves to one after which that side
/// wins by the tables. Returns the number of changed proofs, all of which are refused.
fn refused_defences(proof: &[u8], tables: &Tablebases) -> usize {
    let proof = Proof::read(proof).unwrap();
    verify(&proof, tables).unwrap();
    let mut refused = 0;
    for (number, answer) in proof.answers.iter().enumerate() {
        let position = Draughts::read_setup(&answer.setup, DraughtsRules::default()).unwrap();
        for mv in legal_moves(&position) {
            let value = tables.of::<Draughts>().unwrap().value(&position.play(mv));
            if !matches!(value, Some(TablebaseValue::Won(_))) {
                continue;
            }
            let mut changed = proof.clone();
            changed.answers[number].mv = position.write_move(mv, Default::default());
            let error = verify(&changed, tables).unwrap_err().to_string();
            assert!(error.ends_with("has won by the endgame tables"), "{error}");
            refused += 1;
        }
    }
    refused
}

/// The commands that prove and verify find the tables of the user, and name the folder where they have
/// looked.
#[test]
fn the_tables_of_the_user_are_found() {
    let home = programs::empty_folder("prove/home");
    let folder = home.join("tables");
    fs::create_dir(&folder).unwrap();
    programs::copy_tables(programs::tables(), &folder, |_| true);
    let at_home = |arguments: &[&str]| {
        programs::output_of(programs::soucie().env("SOUCIE_HOME", &home).args(arguments))
    };
    let file = new_file("of-the-user");
    let position = ["--fen", "W:W10,12,24,K27:B3,7,26,K30"];
    let limits = ["--nodes", "20000", "--hash", "16"];
    let found = at_home(&[&["prove", "--out", &file], &position[..], &limits].concat());
    assert!(found.starts_with("proved: win in the endgame tables after at most "), "{found}");
    let checked = at_home(&[&["problem", "check"], &position[..], &limits].concat());
    assert!(checked.contains("wins, in the endgame tables within "), "{checked}");
    let verified = at_home(&["verify", &file]);
    assert!(verified.starts_with("verified: win in the endgame tables after "), "{verified}");
    // A proof can also come from standard input.
    let mut verify = programs::soucie();
    verify.env("SOUCIE_HOME", &home).args(["verify", "-"]).stdin(fs::File::open(&file).unwrap());
    assert_eq!(programs::output_of(&mut verify), verified);
    let mut verify = programs::soucie();
    let error =
        programs::failure_of(verify.args(["verify", "-"]).stdin(fs::File::open(GAME).unwrap()));
    assert!(error.starts_with("soucie: standard input: not a proof file: "), "{error}");
    // Other tables are not those of the proof.
    let few = programs::empty_folder("prove/few");
    programs::output_of(
        programs::soucie().args(["tables", "build", "--pieces", "2", "--dir"]).arg(&few),
    );
    let mut verify = programs::soucie();
    let error = programs::failure_of(verify.args(["verify", &file, "--tables"]).arg(&few));
    let of_folder = format!(" of {}; --tables names their folder\n", few.display());
    assert!(error.contains(", not ") && error.ends_with(&of_folder), "{error}");
    // Tables of draughts are no tables of Lines of Action.
    let found = at_home(&["prove", "--fen", WIN_IN_TWO, "--nodes", "100000"]);
    assert!(found.starts_with("proved: win in at most 3 plies, "), "{found}");
}
