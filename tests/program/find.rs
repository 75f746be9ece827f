//! `soucie find`: its filters, its outputs, the tree and the duplicates.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use soucie::game::{Game, MoveFormat, Notation, Side};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;
use soucie::records::{HeaderField, Record, RecordReader, RecordResult, replay};

use crate::programs::{self, Ran, run};

/// Twenty-six published games.
const LOA: &str = "tests/data/loa/games.sgf";

const BLACK: HeaderField = HeaderField::Black;
const WHITE: HeaderField = HeaderField::White;

/// Games of draughts: two reach a position by different moves, one is damaged.
const CLUB: &str = r#"[Event "Club Open 1998"]
[Date "1998.03.07"]
[Black "Ann Lee"]
[White "Ben Ray"]
[Result "1-0"]
1. 11-15 23-19 2. 9-14 22-17 3. 6-9 1-0

[Event "Club Open 1998"]
[Date "1998.??.??"]
[Black "Cy Orr"]
[White "Ann Lee"]
[Result "0-1"]
1. 9-14 22-17 2. 11-15 23-19 3. 8-11 0-1

[Event "Team match"]
[Date "2003.11.30"]
[Black "ANN LEE"]
[White "Dee Fox"]
[Result "0-1"]
1. 9-13 22-18 2. 6-9 26-22 0-1

[Event "Team match"]
[Date "2004"]
[Black "Dee Fox"]
[White "Ben Ray"]
[Result "1/2-1/2"]
1. 11-15 23-19 2. 15-18 22x15 3. 10x17x26 nonsense 1/2-1/2

[Event "An ending"]
[Black "Ann Lee"]
[SetUp "1"]
[FEN "W:WK32,K31,9:BK1,21"]
[Result "*"]
1. 32-27 1-5 2. 27-23 5x14 *
"#;

fn soucie() -> Command {
    let mut command = programs::soucie();
    command.arg("find");
    command
}

/// An empty folder for a test, with the games of the club in a file.
fn club(name: &str) -> (PathBuf, PathBuf) {
    let folder = programs::empty_folder(Path::new("find").join(name));
    let file = folder.join("club.pdn");
    fs::write(&file, CLUB).unwrap();
    (folder, file)
}

/// The games that are found: their numbers, and the plies of the position if there is one.
fn found(output: &Ran) -> Vec<(u64, Option<u64>)> {
    let objects = output.json().into_iter().filter(|object| object.get("error").is_none());
    objects.map(|game| (game["game"].as_u64().unwrap(), game["ply"].as_u64())).collect()
}

/// Searches an archive with these arguments, between which `|` stands.
fn find(archive: &Path, arguments: &str) -> Ran {
    let arguments = arguments.split('|').filter(|word| !word.is_empty());
    run(soucie().arg(archive).arg("--json").args(arguments))
}

#[test]
fn each_filter_finds_its_games_and_all_must_hold() {
    let (_, file) = club("filters");
    let of_headers: [(&str, &[u64]); 18] = [
        ("", &[1, 2, 3, 4, 5]),
        ("--player|ann", &[1, 2, 3, 5]),
        ("--black|ann lee", &[1, 3, 5]),
        ("--white|Ann", &[2]),
        ("--event|OPEN", &[1, 2]),
        ("--result|black", &[1]),
        ("--result|white", &[2, 3]),
        ("--result|draw", &[4]),
        ("--result|unknown", &[5]),
        ("--player|ann|--result|won", &[1, 2]),
        ("--player|ann|--result|lost", &[3]),
        ("--black|ann|--result|lost", &[3]),
        ("--white|ben|--result|lost", &[1]),
        ("--since|2003", &[3, 4]),
        ("--until|1998-03-06", &[2]),
        ("--since|1998-03-07|--until|2003", &[1, 2, 3]),
        ("--variant|draughts|--event|match", &[3, 4]),
        ("--variant|loa", &[]),
    ];
    for (arguments, games) in of_headers {
        let numbers: Vec<_> = games.iter().map(|game| (*game, None)).collect();
        assert_eq!(found(&find(&file, arguments)), numbers, "{arguments}");
    }
    let of_positions: [(&str, &[(u64, u64)]); 13] = [
        ("--moves|11-15 23-19 9-14 22-17", &[(1, 4), (2, 4)]),
        ("--moves|9-14 22-17 11-15 23-19", &[(1, 4), (2, 4)]),
        ("--moves|11-15 23-19 9-14 22-17|--player|cy", &[(2, 4)]),
        ("--moves|11-15 23-19", &[(1, 2), (4, 2)]),
        ("--moves|10-14", &[]),
        ("--fen|W:WK32,K31,9:BK1,21", &[(5, 0)]),
        ("--fen|W:WK32,K31,9:BK1,21|--moves|32-27", &[(5, 1)]),
        ("--opening|edinburgh", &[(3, 3)]),
        ("--opening|9-13 22-18 6-9", &[(3, 3)]),
        ("--black|ann|--opening|dreaded|--result|lost", &[(3, 3)]),
        ("--ending|1k1m:2k1m", &[(5, 0)]),
        ("--ending|2:2", &[(5, 4)]),
        ("--ending|2:2|--moves|11-15", &[]),
    ];
    for (arguments, games) in of_positions {
        let games: Vec<_> = games.iter().map(|&(game, ply)| (game, Some(ply))).collect();
        assert_eq!(found(&find(&file, arguments)), games, "{arguments}");
    }
}

#[test]
fn the_table_has_a_row_per_game_and_names_damaged_games_at_the_end() {
    let (folder, file) = club("table");
    let output = run(soucie().arg(&file).args(["--moves", "11-15 23-19"]));
    let rows = [
        "   game  Black - White                             event                     date        result     move",
        "      1  Ann Lee - Ben Ray                         Club Open 1998            1998.03.07  Black won  2.",
        "      4  Dee Fox - Ben Ray                         Team match                2004        draw       2.",
        "2 games of 5",
    ];
    assert_eq!(output.out.lines().collect::<Vec<_>>(), rows);
    let errors: Vec<&str> = output.err.lines().collect();
    assert!(errors[0].starts_with("soucie: line 27, column 43: "), "{errors:?}");
    assert_eq!(errors[1..], ["soucie: 1 game has an error"]);
    assert_eq!(output.code, Some(1));

    // Both formats, with the numbers of each archive.
    let other = folder.join("other.pdn");
    fs::write(&other, "[White \"Ann Lee\"]\n[GameType \"21\"]\n1. 11-15 *\n").unwrap();
    let archives = [other.as_path(), Path::new(LOA), file.as_path()];
    let output = run(soucie().args(archives).args(["--player", "Ann lee", "--json"]));
    let games = output.json().into_iter().filter(|game| game.get("game").is_some());
    let places: Vec<_> = games
        .map(|game| (game["file"].as_str().unwrap().to_string(), game["game"].clone()))
        .collect();
    let expected = [(&other, 1), (&file, 1), (&file, 2), (&file, 3), (&file, 5)];
    let expected = expected.map(|(file, number)| (file.display().to_string(), number.into()));
    assert_eq!(places, expected);
}

#[test]
fn standard_input_is_searched() {
    let stdin = fs::File::open(LOA).unwrap();
    let arguments = ["-", "--json", "--player", "MIA", "--result", "won", "--event", "2001"];
    let output = run(soucie().args(arguments).stdin(stdin));
    let read = records(LOA);
    let expected = (1..).zip(&read).filter(|(_, record)| {
        let name =
            |side: Side| record.info(if side == Side::Black { BLACK } else { WHITE }).unwrap();
        let event = record.info(HeaderField::Event).unwrap();
        let is_won = |side: &Side| {
            record.outcome() == RecordResult::Won(*side) && name(*side).contains("MIA")
        };
        event.contains("2001") && Side::BOTH.iter().any(is_won)
    });
    let expected: Vec<_> = expected.map(|(number, _)| (number, None)).collect();
    assert!(!expected.is_empty());
    assert_eq!(found(&output), expected);
    assert!(output.succeeded(), "{}", output.err);
}

fn records(file: impl AsRef<Path>) -> Vec<Record> {
    let text = fs::read(file).unwrap();
    RecordReader::new(&text[..]).map(Result::unwrap).collect()
}

#[test]
fn the_games_of_out_read_back_as_the_originals() {
    let (folder, file) = club("out");
    let (out, loa) = (folder.join("out"), PathBuf::from(LOA));
    let is_of = |record: &Record, name: &str| {
        [BLACK, WHITE].iter().any(|side| record.info(*side).is_some_and(|text| text.contains(name)))
    };
    let begins = |record: &Record, moves: &[&str]| {
        record.moves().take(moves.len()).eq(moves.iter().copied())
    };
    type Wanted<'a> = &'a dyn Fn(&Record) -> bool;
    let rows: [(_, _, Wanted); 4] = [
        (&file, ["--player", "cy orr"], &|record| is_of(record, "Cy Orr")),
        (&file, ["--moves", "11-15 23-19"], &|record| begins(record, &["11-15", "23-19"])),
        (&loa, ["--result", "unknown"], &|record| record.outcome() == RecordResult::Unknown),
        (&loa, ["--player", "yl"], &|record| is_of(record, "YL")),
    ];
    for (archive, arguments, is_wanted) in rows {
        let _ = fs::remove_file(&out);
        let output = run(soucie().arg(archive).args(arguments).arg("--out").arg(&out));
        let mut expected = records(archive);
        expected.retain(is_wanted);
        if expected.is_empty() {
            assert!(output.err.contains("not written: no game was found"));
            assert!(!out.exists());
        } else {
            assert!(records(&out) == expected, "{arguments:?}");
        }
    }
    let output = run(soucie().arg(&file).arg("--out").arg(&file));
    assert!(output.err.contains("is given twice"), "{}", output.err);
    assert_eq!(fs::read_to_string(&file).unwrap(), CLUB);
}

#[test]
fn duplicates_have_the_same_moves_in_any_notation() {
    let (folder, file) = club("duplicates");
    let again = folder.join("again.pdn");
    let games = "[Event \"x\"]\n1. 11-15 23-19 2. 9-14 22-17 3. 6-9 *\n\n\
         [Event \"y\"]\n1. a1-b2 *\n\n[Event \"z\"]\n1. f6-e5 e3-f4 2. b6-c5 c3-b4 3. c7-b6 *\n\n\
         [Event \"longer\"]\n1. 11-15 23-19 2. 9-14 22-17 3. 6-9 17-13 *\n\n\
         [FEN \"B:W32:B11\"]\n1. 11-15 *\n\n[FEN \"B:W31:B11\"]\n1. 11-15 *\n";
    fs::write(&again, games).unwrap();
    let output = run(soucie().args([&file, &again]).args(["--duplicates", "--json"]));
    let games = output.json().into_iter().filter(|game| game.get("game").is_some());
    let games: Vec<_> = games.map(|game| (game["game"].clone(), game["same_as"].clone())).collect();
    let first = serde_json::json!({"game": 1, "file": file.display().to_string()});
    assert_eq!(games, [(1.into(), first.clone()), (3.into(), first)]);
}

/// The statistics of a position by the setups of whole games: for each move the games, the wins of Black and of White
/// and the draws.
fn naive<P: Game>(records: &[Record], setup: &str) -> BTreeMap<String, [u64; 4]> {
    let mut moves = BTreeMap::<String, [u64; 4]>::new();
    for record in records {
        let positions = replay::<P>(record, P::Rules::default()).unwrap();
        let Some(at) = positions.iter().position(|position| position.write_setup() == setup) else {
            continue;
        };
        let Some(text) = record.moves().nth(at) else { continue };
        let mv = positions[at].read_move(text).unwrap();
        let counts = moves.entry(positions[at].write_move(mv, MoveFormat::Standard)).or_default();
        counts[0] += 1;
        match record.outcome() {
            RecordResult::Won(Side::Black) => counts[1] += 1,
            RecordResult::Won(Side::White) => counts[2] += 1,
            RecordResult::Drawn => counts[3] += 1,
            RecordResult::Unknown => {}
        }
    }
    moves
}

/// Compares the tree of positions of an archive with the naive statistics. Returns the number of positions with several
/// moves.
fn compare_trees<P: Game>(archive: &Path, positions: &[P]) -> usize {
    let records = records(archive);
    let mut several = 0;
    for position in positions {
        let setup = position.write_setup();
        let expected = naive::<P>(&records, &setup);
        several += usize::from(expected.len() > 1);
        let output = find(archive, &format!("--tree|--fen|{setup}"));
        let moves = output.json().into_iter().filter(|object| object.get("move").is_some());
        let found: BTreeMap<_, _> = moves
            .map(|mv| {
                let counts = ["games", "black", "white", "draws"];
                let counts = counts.map(|name| mv[name].as_u64().unwrap());
                (mv["move"].as_str().unwrap().to_string(), counts)
            })
            .collect();
        assert_eq!(found, expected, "{setup}");
    }
    several
}

#[test]
fn the_tree_has_the_numbers_of_a_naive_replay() {
    let (_, file) = club("tree");
    let games = records(LOA);
    let positions: Vec<Loa> = games
        .iter()
        .take(4)
        .flat_map(|record| {
            let positions = replay::<Loa>(record, Default::default()).unwrap();
            positions.into_iter().take(4).collect::<Vec<_>>()
        })
        .collect();
    assert!(compare_trees(Path::new(LOA), &positions) > 4);
    let start = Draughts::read_setup("B:W21-32:B1-12", Default::default()).unwrap();
    let club = records(&file);
    let sound: Vec<_> =
        club.into_iter().enumerate().filter(|(i, _)| *i != 3).map(|(_, game)| game).collect();
    let text: String = sound.iter().map(|game| game.to_string() + "\n").collect();
    fs::write(&file, text).unwrap();
    assert_eq!(compare_trees(&file, &[start]), 1);
}

#[test]
fn the_tree_has_points_and_scores_for_the_side_to_move() {
    let (_, file) = club("points");
    let output = find(&file, "--tree|--variant|draughts|--nodes|2000");
    let moves = output.json();
    let row = |mv: &str| moves.iter().find(|row| row["move"] == mv).unwrap().clone();
    // One win of Black and a draw in two games.
    assert_eq!((&row("11-15")["games"], &row("11-15")["percent"]), (&2.into(), &75.0.into()));
    assert_eq!((&row("9-14")["percent"], &row("9-14")["year"]), (&0.0.into(), &1998.into()));
    assert!(
        moves.iter().filter(|row| row.get("move").is_some()).all(|row| row.get("score").is_some())
    );
    // White's points, in an interval of Wilson.
    let moves = find(&file, "--tree|--moves|9-13").json();
    let row = moves.iter().find(|row| row.get("percent").is_some()).unwrap();
    assert_eq!(
        (&row["percent"], &row["interval"]),
        (&100.0.into(), &serde_json::json!([20.7, 100.0]))
    );
}

#[test]
fn wrong_arguments_are_named() {
    let (_, file) = club("arguments");
    for (arguments, error) in [
        ("--moves|11-15 11-15", "move 11-15: "),
        ("--fen|nonsense", "position: "),
        ("--opening|nonsense", "no opening is called 'nonsense'"),
        ("--ending|2k", "expected the pieces of Black and White"),
        ("--ending|1k1k:2k", "expected the pieces of Black and White"),
        ("--result|lost", "--result won and lost need one of --player"),
        ("--result|lots", "expected black, white, draw"),
        ("--since|yesterday", "expected a date"),
        ("--until|2001-5-12", "expected a date"),
        ("--tree", "--tree needs a position"),
        ("--tree|--opening|edinburgh", "2 openings have this name"),
        ("--nodes|5", "--tree"),
    ] {
        let output = find(&file, arguments);
        assert!(output.err.contains(error), "{arguments}: {}", output.err);
        assert!(output.out.is_empty() && !output.succeeded());
    }
    let output = run(soucie().arg("-").stdin(Stdio::null()));
    assert_eq!(output.err, "soucie: no game in the archives\n");
    assert_eq!(output.code, Some(1));
}

#[test]
#[cfg(unix)]
fn an_interrupt_prints_and_writes_what_was_found() {
    use std::io::{BufRead, BufReader, Write};
    use std::thread;
    use std::time::Duration;

    let (folder, file) = club("interrupt");
    let out = folder.join("out.pdn");
    let mut child = soucie()
        .args(["-", "--player", "ann", "--out"])
        .arg(&out)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(CLUB.as_bytes()).unwrap();
    // The rows of the games that have arrived are printed at once.
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let rows: Vec<_> = lines.by_ref().take(4).collect();
    assert!(rows[3].starts_with("      3  ANN LEE - Dee Fox"), "{rows:?}");
    programs::signal(&child, "INT");
    // The input goes on until the program ends.
    while child.try_wait().unwrap().is_none() {
        let _ = input.write_all(CLUB.as_bytes());
        thread::sleep(Duration::from_millis(10));
    }
    assert!(lines.last().unwrap().contains(" of "));
    let output = Ran::from(child.wait_with_output().unwrap());
    assert!(output.err.contains("soucie: interrupted after "), "{}", output.err);
    assert_eq!(output.code, Some(1));
    let (written, games) = (records(&out), records(&file));
    let expected = [0, 1, 2].map(|number| &games[number]);
    assert!(written.iter().take(3).eq(expected));
}
