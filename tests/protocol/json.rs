//! JSON replies: they describe the same games as the replies to other commands.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use soucie::engine::session::GameSession;
use soucie::game::{Side, Variation};
use soucie::options::Options;
use soucie::protocol::export::{ExportRequest, export};
use soucie::protocol::import::{ImportPart, ImportRequest, ImportedGame, import, import_part};
use soucie::protocol::json;
use soucie::records::{Annotation, MoveData, RecordResult};
use soucie::{engine, games};

use crate::dialogue::run_uci;

/// The JSON value after the command word.
fn reply_value(line: &str, word: &str) -> Value {
    let text = line.strip_prefix(word).unwrap_or_else(|| panic!("no {word}: {line}"));
    serde_json::from_str(text).unwrap()
}

fn state(session: &dyn GameSession) -> Value {
    reply_value(&json::state(session).unwrap(), "state ")
}

/// The strings of an array.
fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// The squares and sides of the pieces, sorted.
fn pieces(state: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_string();
    let pieces = state["pieces"].as_array().unwrap();
    let mut pieces: Vec<_> =
        pieces.iter().map(|piece| (text(&piece["square"]), text(&piece["side"]))).collect();
    pieces.sort();
    pieces
}

/// The pieces after a move, computed from its path and captures alone.
fn pieces_after(before: &Value, mv: &Value) -> Vec<(String, String)> {
    let (path, captures) = (strings(&mv["path"]), strings(&mv["captures"]));
    let mut pieces = pieces(before);
    pieces.retain(|(square, _)| !captures.contains(&&**square));
    if let ([first, ..], [.., last]) = (&*path, &*path) {
        let moved = pieces.iter_mut().find(|(square, _)| square == first).unwrap();
        assert_eq!(moved.1, before["side"]);
        moved.0 = last.to_string();
    }
    pieces.sort();
    pieces
}

#[test]
fn states_follow_from_the_previous_state_and_the_last_move() {
    let mut rng = SmallRng::seed_from_u64(1);
    for variant in games::variants() {
        for _ in 0..20 {
            let mut options = Options::default();
            options.set("UCI_Variant", Some(variant.name)).unwrap();
            let mut session = engine::open(&options).unwrap();
            let mut before = state(&*session);
            assert_eq!(before["start"], variant.start);
            assert!(before["last"].is_null());
            while let Some(mv) = before["legal"].as_array().unwrap().choose(&mut rng) {
                let format = ["coordinate", "standard"][usize::from(rng.random_bool(0.5))];
                session.play(mv[format].as_str().unwrap()).unwrap();
                let after = state(&*session);
                assert_eq!(after["last"], *mv);
                assert_eq!(
                    pieces(&after),
                    pieces_after(&before, mv),
                    "{mv} in {}",
                    before["setup"]
                );
                assert_eq!(after["plies"].as_u64(), before["plies"].as_u64().map(|n| n + 1));
                before = after;
                if before["plies"] == 150 {
                    break;
                }
            }
            assert_eq!(before["result"].is_null(), session.outcome().is_none());
            assert_eq!(before["legal"].as_array().unwrap().len(), session.legal_moves().len());
            assert_eq!(before["setup"], session.setup());
        }
    }
}

#[test]
fn variants_match_the_option() {
    let line = json::variants().unwrap();
    let described = reply_value(&line, "variants ");
    let names = described.as_array().unwrap().iter().map(|variant| variant["name"].as_str());
    assert!(names.eq(games::variants().map(|variant| Some(variant.name))));
    let mut ballots = 0;
    for variant in described.as_array().unwrap() {
        for level in ["beginner", "easy", "medium", "hard"] {
            let elo = variant["levels"][level].to_string();
            Options::default().set("UCI_Elo", Some(&elo)).unwrap();
        }
        for option in variant["options"].as_array().unwrap() {
            // The value completes it.
            assert!(option["description"].as_str().unwrap().ends_with(':'), "{option}");
            let text = |value: &Value| value.as_str().map_or(value.to_string(), str::to_string);
            let choices = option["choices"].as_array().cloned().unwrap_or_default();
            let labels = option["labels"].as_array().map_or(0, Vec::len);
            assert_eq!(labels, choices.len(), "{option}");
            for value in choices.iter().chain([&option["default"]]) {
                let name = option["name"].as_str().unwrap();
                Options::default().set(name, Some(&text(value))).unwrap();
            }
        }
        for ballot in variant["ballots"].as_array().unwrap() {
            let mut options = Options::default();
            options.set("UCI_Variant", variant["name"].as_str()).unwrap();
            let played = |moves: &[&str]| {
                let session = engine::open(&options).unwrap().with_moves(moves);
                session.unwrap_or_else(|error| panic!("{ballot}: {error}"))
            };
            let standard: Vec<&str> = ballot["standard"].as_str().unwrap().split(' ').collect();
            let session = played(&strings(&ballot["moves"]));
            assert_eq!(session.setup(), played(&standard).setup());
            assert_eq!(session.opening(), ballot["name"].as_str());
            ballots += 1;
        }
        let rules = strings(&variant["rules"]);
        assert!(rules.len() > 2 && rules.iter().skip(1).all(|rule| rule.contains(". ")));
    }
    assert!(ballots > 0);
}

/// Imports a text that contains one game.
fn import_game(text: String, options: &Options) -> ImportedGame {
    let request = ImportRequest { text, variant: None };
    let imported = import(&request, options).unwrap();
    assert_eq!(imported.errors, [""; 0]);
    assert_eq!(imported.games.len(), 1);
    imported.games.into_iter().next().unwrap()
}

/// Texts that are longer than what is read ahead of the end of a part.
fn long_texts() -> Vec<(&'static str, String)> {
    let comment = "x ".repeat(2_000);
    let repeated = |text: &str, count| text.repeat(count);
    let pdn =
        format!("[Black \"Ann\"]\n[GameType \"21\"]\n\n1. 11-15 {{{comment}}} 23-19 2. 8-11 *\n\n");
    let sgf = format!("(;GM[9]PB[Ann];B[d1-b3]C[{comment}];W[h4-f2](;B[b1-b4])(;B[c1-c3]))\n");
    let board = "8  - - - - - - - -\n7  - - b w - - - w\n6  - - - - - - - -\n5  - - - - - - - -\n\
        4  - - - - - - - -\n3  - - w - - - - -\n2  - - b b - - - -\n1  - - b - - - - -\n   a b c d e f g h\n";
    let setups =
        format!("# {comment}\nB:W21:B1\nhello\n{board}# {comment}\nstartpos moves d1b3 a4a4\n");
    let long = format!("[GameType \"21\"]\n\n1. 11-15 {{{}}} 23-19 *\n\n", repeated(&comment, 150));
    let open = long.replace('}', "");
    vec![
        ("games in PDN", repeated(&pdn, 150)),
        ("games in SGF", repeated(&sgf, 150)),
        ("setups", repeated(&setups, 80)),
        ("long games", pdn.clone() + &long + &pdn + &long + &long + &pdn),
        ("a comment that is not closed", repeated(&pdn, 80) + &open + &repeated(&pdn, 80)),
        ("a game that is not closed", repeated(&sgf, 80) + &sgf[..900] + &repeated(&sgf, 80)),
        ("illegal moves", repeated(&pdn.replace("8-11", "8-12"), 150)),
        ("a long line", format!("{}\nB:W21:B1\n", repeated(&comment, 200))),
        ("prose before a game", format!("{}\n{sgf}", repeated("Dear Ann,\n", 60_000))),
        ("another format", format!("<html>{}", repeated(&comment, 200))),
        ("another game", repeated(&pdn.replace("\"21\"", "\"20\""), 150)),
        ("nothing", repeated(" \n", 300_000)),
    ]
}

/// A text in parts has the games and errors of the whole text, wherever it is cut.
#[test]
fn a_text_in_parts_is_read_as_the_whole() {
    let options = Options::default();
    let mut early = 0;
    for (name, text) in long_texts() {
        assert!(text.is_ascii() && text.len() > 500_000, "{name}: {}", text.len());
        let whole = import(&ImportRequest { text: text.clone(), variant: None }, &options);
        for size in [70_001, 300_000] {
            let (mut pending, mut games, mut errors) = (None, Vec::new(), Vec::new());
            let mut end = None;
            let parts = text.len().div_ceil(size);
            for (number, part) in (1..).zip(text.as_bytes().chunks(size)) {
                let text = String::from_utf8(part.to_vec()).unwrap();
                let part = ImportPart { text, variant: None, more: number < parts, part: None };
                match import_part(&mut pending, &part, &options) {
                    Ok(found) => {
                        early += if number < parts { found.games.len() } else { 0 };
                        games.extend(found.games);
                        errors.extend(found.errors);
                    }
                    Err(error) => end = Some((number == parts, error.to_string())),
                }
            }
            assert!(pending.is_none(), "{name}");
            match &whole {
                Ok(whole) => {
                    assert_eq!(end, None, "{name}");
                    assert!(games == whole.games, "{name}: {} games", games.len());
                    assert_eq!(errors, whole.errors, "{name}");
                }
                Err(error) => assert_eq!(end, Some((true, error.to_string())), "{name}"),
            }
        }
    }
    assert!(early > 300, "{early} games before the last part");
}

/// The moves of the game of a session.
fn moves(session: &dyn GameSession) -> Vec<String> {
    session.history().into_iter().map(|played| played.mv.coordinate).collect()
}

/// Clocks, time and evaluation of a move.
fn random_data(rng: &mut SmallRng) -> MoveData {
    let mut data = MoveData::default();
    if rng.random() {
        data.clock.black = Some(rng.random_range(0..10_000_000));
        data.clock.white = rng.random::<bool>().then(|| rng.random_range(0..10_000_000));
        data.time = rng.random::<bool>().then(|| rng.random_range(0..100_000));
        data.eval = rng.random::<bool>().then(|| "#-3".to_string());
    }
    data
}

/// Variations and annotations of the game of a session.
fn random_lines(session: &dyn GameSession, rng: &mut SmallRng) -> ExportRequest {
    const COMMENTS: [&str; 5] = ["", "a } b; c", "x] \\ (;GM[9]", "one\ntwo", "Ä {1. b1-b3}"];
    let (mut lines, mut request) = (vec![moves(session)], ExportRequest::default());
    for _ in 0..8 {
        let line = rng.random_range(0..lines.len());
        let ply = rng.random_range(0..=lines[line].len());
        let glyphs = if rng.random() { vec![] } else { vec![rng.random_range(1..=6)] };
        let comment = COMMENTS.choose(rng).unwrap().to_string();
        let recorded = random_data(rng);
        request.annotations.push(Annotation { line, ply, comment, glyphs, recorded });
        let Some((replaced, before)) = lines[line][..ply].split_last() else { continue };
        let before: Vec<&str> = before.iter().map(String::as_str).collect();
        let mut variation = session.copy();
        variation.set_position(Some(&session.start()), &before).unwrap();
        for _ in 0..rng.random_range(1..5) {
            let mut legal = variation.legal_moves();
            legal.retain(|mv| variation.plies() >= ply || mv != replaced);
            let Some(mv) = legal.choose(rng) else { break };
            variation.play(mv).unwrap();
        }
        let mut played = moves(&*variation);
        let moves = played.split_off(ply - 1);
        if !moves.is_empty() {
            lines.push([&played[..], &moves].concat());
            request.variations.push(Variation { line, ply, moves });
        }
    }
    request
}

/// The request that exports an imported game.
fn given(game: &ImportedGame) -> ExportRequest {
    let variations = game.variations.iter().map(|&Variation { line, ply, ref moves }| {
        let moves = moves.iter().map(|played| played.mv.coordinate.clone()).collect();
        Variation { line, ply, moves }
    });
    ExportRequest {
        black: game.black.clone(),
        white: game.white.clone(),
        event: game.event.clone(),
        date: game.date.clone(),
        headers: game.headers.clone(),
        result: game.result,
        variations: variations.collect(),
        annotations: game.annotations.clone(),
        ..Default::default()
    }
}

#[test]
fn exported_games_name_who_analysed_them_and_how_they_were_won() {
    // The variant, the fields of the command, and what the record has.
    let own = concat!("AP[Soucie:", env!("CARGO_PKG_VERSION"), "]");
    let rows = [
        ("linesofaction", "{}", own),
        ("linesofaction", r#"{"headers":[["AP","A:1"]]}"#, "AP[A:1]"),
        ("linesofaction", r#"{"result":"black","reason":"resignation"}"#, "RE[B+R]"),
        ("linesofaction", r#"{"result":"white","reason":"time"}"#, "RE[W+T]"),
        ("linesofaction", r#"{"result":"white","reason":"forfeit"}"#, "RE[W+F]"),
        ("linesofaction", r#"{"result":"draw","reason":"time"}"#, "RE[Draw]"),
        ("linesofaction", r#"{"reason":"time"}"#, own),
        ("linesofaction", r#"{"annotator":"Soucie 1, depth 9"}"#, "AN[Soucie 1, depth 9]"),
        ("linesofaction", r#"{"annotator":"B","headers":[["AN","A"],["AP","A:1"]]}"#, "AN[A; B]"),
        ("englishdraughts", r#"{"result":"white","reason":"time"}"#, "[Result \"0-1\"]"),
        ("englishdraughts", r#"{"annotator":"B"}"#, "[Annotator \"B\"]"),
        (
            "englishdraughts",
            r#"{"annotator":"B","headers":[["Annotator","A; B"]]}"#,
            "[Annotator \"A; B\"]",
        ),
    ];
    for (variant, request, expected) in rows {
        let options = Options::of_variant(Some(variant)).unwrap();
        let session = engine::open(&options).unwrap();
        let request: ExportRequest = serde_json::from_str(request).unwrap();
        let text = export(&request, &*session, &options).unwrap().to_string();
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn exported_games_are_imported_unchanged() {
    let mut rng = SmallRng::seed_from_u64(2);
    for variant in games::variants() {
        let mut options = Options::default();
        options.set("UCI_Variant", Some(variant.name)).unwrap();
        let mut session = engine::open(&options).unwrap();
        for plies in [0, 1, 2, 10, 40, 150, 150] {
            // Most games start where the last one ended.
            let setup = (plies % 4 != 0).then(|| session.setup());
            session.set_position(setup.as_deref(), &[]).unwrap();
            for _ in 0..plies {
                let moves = session.legal_moves();
                let Some(mv) = moves.choose(&mut rng) else { break };
                session.play(mv).unwrap();
            }
            let text = |text: &str| Some(text.to_string());
            let request = ExportRequest {
                black: text("Anna (1]"),
                white: text("Ben \\ B"),
                event: text("Ä: {x} \"y\""),
                date: text("2026-01-31"),
                result: RecordResult::Won(Side::White),
                ..random_lines(&*session, &mut rng)
            };
            let record = export(&request, &*session, &options).unwrap();
            let game = import_game(record.to_string(), &options);
            let lengths = |lengths: Vec<usize>| (lengths.len(), lengths.iter().sum::<usize>());
            let exported = request.variations.iter().map(|line| line.moves.len()).collect();
            let imported = game.variations.iter().map(|line| line.moves.len()).collect();
            assert_eq!(lengths(imported), lengths(exported), "{record}");
            let again = export(&given(&game), &*session, &options).unwrap();
            let again = import_game(again.to_string(), &options);
            let lines = |game: ImportedGame| (game.variations, game.annotations);
            assert_eq!(lines(again), lines(game.clone()), "{record}");
            assert_eq!(game.moves, session.history(), "{record}");
            let start = game.setup.as_deref().unwrap_or(variant.start);
            assert_eq!(start, session.start(), "{record}");
            // Each format has a form of its own for dates.
            let date = game.date.map(|date| date.replace('.', "-"));
            let headers = [game.black, game.white, game.event, date];
            assert_eq!(headers, [request.black, request.white, request.event, request.date]);
            let won = |winner: Option<_>| winner.map_or(RecordResult::Drawn, RecordResult::Won);
            let outcome = session.outcome().map(|outcome| won(outcome.winner));
            assert_eq!(game.result, outcome.unwrap_or(RecordResult::Won(Side::White)));
            assert_eq!(game.error, None);
        }
    }
}

#[test]
fn every_header_is_exported_again() {
    // The text of a record, and the headers that no field of their own has.
    let rows: [(&str, &[(&str, &str)]); 12] = [
        ("(;FF[4]GM[9]RE[B+];B[d1-b3])", &[]),
        ("(;FF[4]GM[9]PC[Oslo]RO[3 (final)];B[d1-b3])", &[("PC", "Oslo"), ("RO", "3 (final)")]),
        (
            "(;GM[9]RE[W+Resign]AN[x \\] y\n\n(;z];B[d1-b3])",
            &[("RE", "W+Resign"), ("AN", "x ] y\n\n(;z")],
        ),
        ("(;GM[9]RE[Void]XY[one][two]PB[Anna])", &[("RE", "Void"), ("XY", "one"), ("XY", "two")]),
        ("(;GM[9]AP[A:1]ST[2]AB[b1][d4]AW[a2][e5]PL[W]SU[Custom])", &[("AP", "A:1"), ("ST", "2")]),
        (
            "[Site \"Oslo\"]\n[Round \"3\"]\n[Black \"Anna\"]\n1. 11-15 *",
            &[("Site", "Oslo"), ("Round", "3")],
        ),
        (
            "[Opening \"a \\\"b\\\" \\\\ c\"]\n[SetUp \"1\"]\n[FEN \"W:W14:B1\"]\n\n1. 14-10 1-0",
            &[("Opening", "a \"b\" \\ c")],
        ),
        (
            "[Event \"x\"]\n[Site \"Rio\"]\n[Round \"1\"]\n[Variant \"linesofaction\"]\n\n1. d1b3 0-1",
            &[("PC", "Rio"), ("RO", "1")],
        ),
        ("(;GM[9]RU[LOA];B[d1-b3])", &[("RU", "LOA")]),
        ("[Rules \"Move Limit: 50\"]\n1. 11-15 *", &[("Rules", "Move Limit: 50")]),
        // Rules of the game have a field of their own.
        ("(;GM[9]RU[Move Limit: 50];B[d1-b3])", &[]),
        ("[Rules \"Captures: optional; Draw Move Count: 7\"]\n1. 11-15 22-18 8-11 *", &[]),
    ];
    for (text, headers) in rows {
        let mut options = Options::default();
        let game = import_game(text.to_string(), &options);
        let own = |(name, text): &(&str, &str)| (name.to_string(), text.to_string());
        assert_eq!(game.headers, headers.iter().map(own).collect::<Vec<_>>(), "{text}");
        options.set("UCI_Variant", Some(game.variant)).unwrap();
        for (name, value) in &game.rules {
            options.set(name, Some(value)).unwrap();
        }
        let mut session = engine::open(&options).unwrap();
        let moves: Vec<&str> =
            game.moves.iter().map(|played| played.mv.coordinate.as_str()).collect();
        session.set_position(game.setup.as_deref(), &moves).unwrap();
        let record = export(&given(&game), &*session, &options).unwrap();
        assert_eq!(import_game(record.to_string(), &Options::default()), game, "{record}");
    }
    let session = engine::open(&Options::default()).unwrap();
    let header = |name: &str, text: &str| {
        let headers = vec![(name.to_string(), text.to_string())];
        let request = ExportRequest { headers, ..Default::default() };
        export(&request, &*session, &Options::default())
    };
    // What the record uses, and a result or rules that contradict it, have no effect.
    for (name, text) in [
        ("GM", "1"),
        ("SZ", "9"),
        ("AB", "a1"),
        ("PB", "Anna"),
        ("RE", "B+"),
        ("RU", "Move Limit: 9"),
    ] {
        let plain = export(&ExportRequest::default(), &*session, &Options::default()).unwrap();
        assert_eq!(header(name, text).unwrap().to_string(), plain.to_string(), "{name}");
    }
    for name in ["", "Site", "P C", "PC[x]", "é"] {
        assert!(header(name, "x").is_err(), "{name}");
    }
}

#[test]
fn another_move_in_place_of_an_illegal_one_is_a_variation() {
    let text = "(;GM[9];B[b8b6];W[a3c3](;B[c8c7];W[a2b2])(;B[b6e6]C[try];W[a4c4]))";
    let game = import_game(text.to_string(), &Options::default());
    assert_eq!(game.moves.len(), 2);
    assert!(game.error.unwrap().contains("illegal move c8c7"));
    let Variation { line, ply, moves } = &game.variations[0];
    assert_eq!((*line, *ply, moves.len()), (0, 3, 2));
    assert_eq!(moves[0].mv.coordinate, "b6e6");
    let comment = &game.annotations[0];
    assert_eq!((comment.line, comment.ply, comment.comment.as_str()), (1, 3, "try"));
}

#[test]
fn the_variant_in_which_more_moves_are_legal_is_imported() {
    for (moves, plies) in [("B[d1-b3];W[h4-f2];B[b3-d1];W[a2-b2]", 3), ("B[c8-c6]", 1)] {
        let variant = Some("scrambledeggs".to_string());
        let request = ImportRequest { text: format!("(;GM[9];{moves})"), variant };
        let game = import(&request, &Options::default()).unwrap().games.remove(0);
        assert_eq!(game.moves.len(), plies, "{moves}");
    }
}

/// Whole numbers with a fraction or an exponent, as other programs write them, are those in digits.
#[test]
fn whole_numbers_are_read_in_every_notation() {
    for (command, wanted) in [
        (r#"analyse {"nodes":1e+02,"multipv":2.0}"#, r#"analyse {"nodes":100,"multipv":2}"#),
        (
            r#"analyse {"depth":20e-1,"movetime":1.0E6}"#,
            r#"analyse {"depth":2,"movetime":1000000}"#,
        ),
        (
            r#"export {"variations":[{"line":0.0,"ply":1e0,"moves":["b1b3"]}]}"#,
            r#"export {"variations":[{"line":0,"ply":1,"moves":["b1b3"]}]}"#,
        ),
        (
            r#"export {"annotations":[{"line":0,"ply":2.0,"comment":"1e3","nags":[1.0,5]}]}"#,
            r#"export {"annotations":[{"line":0,"ply":2,"comment":"1e3","nags":[1,5]}]}"#,
        ),
    ] {
        let answer = |command| run_uci(format!("position startpos moves d1b3 h4f2\n{command}\n"));
        let expected = answer(wanted);
        assert!(!expected.contains("error"), "{expected}");
        assert_eq!(answer(command), expected, "{command}");
    }
    let text = run_uci("position startpos moves d1b3\nanalyse {\"nodes\":1.5}\n");
    let error = "info string error analyse: nodes: invalid type: floating point `1.5`, expected a \
                 whole number of at least 1 at line 1 column 12\nanalyse null\n";
    assert_eq!(text, error);
}
