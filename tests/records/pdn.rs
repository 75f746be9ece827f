//! Records in PDN.

use super::*;

#[test]
fn pdn_moves_are_read_in_all_forms() {
    let rows = [
        ("[GameType \"21\"]\n1. 11-15 23-19 2. 9-13 *", "11-15 23-19 9-13"),
        ("1.11-15 23-19 2.9-13 22-18 1-0", "11-15 23-19 9-13 22-18"),
        ("1... 11-15 2. 23-19 9-13 0-1", "11-15 23-19 9-13"),
        ("1. 11-15 1... 23-19 ... 9-13", "11-15 23-19 9-13"),
        ("1 11-15 23-19 2 9-13", "11-15 23-19 9-13"),
        ("1. 22x15x8 22X8 22:15 2-0", "22x15x8 22X8 22:15"),
        ("1. 11 - 15 23- 19 2. 9 -13 22 x 15 x 8", "11-15 23-19 9-13 22x15x8"),
        ("1. f6-e5 c3-d4 e5xc3", "f6-e5 c3-d4 e5xc3"),
        ("1. 11-15! {a} 23-19?? $3 (!) 9-13* 2. 1-5 *", "11-15 23-19 9-13 1-5"),
        ("% 1. 9-13\n1. 11-15 ; 9-13\n23-19\n% 1-5\n", "11-15 23-19"),
        ("1. 11-15 (1. 9-13 22-18 (22-17) {x}) 23-19 *", "11-15 23-19"),
        ("{before} [Event \"x\"] {and} 1. 11-15 1/2-1/2 ", "11-15"),
        ("[Event \"no moves\"]\n[GameType \"21,B,8,8,N1,0\"]", ""),
        ("\u{feff}[Event \"x\"]\r\n\r\n1. 11-15\r\n23-19 1-1\r\n", "11-15 23-19"),
    ];
    for (text, moves) in rows {
        let record = one(text);
        assert_eq!(record.moves().collect::<Vec<_>>().join(" "), moves, "{text}");
        assert_eq!(record.variant(), "englishdraughts");
        round_trip(&record);
    }
}

#[test]
fn pdn_results_are_read() {
    let rows = [
        ("1. 11-15 1-0", RecordResult::Won(Side::Black)),
        ("1. 11-15 0-1", RecordResult::Won(Side::White)),
        ("1. 11-15 2-0", RecordResult::Won(Side::Black)),
        ("1. 11-15 0-2", RecordResult::Won(Side::White)),
        ("1. 11-15 1/2-1/2", RecordResult::Drawn),
        ("1. 11-15 1-1", RecordResult::Drawn),
        ("1. 11-15 *", RecordResult::Unknown),
        ("1. 11-15 0-0", RecordResult::Unknown),
        ("[Result \"0-1\"] 1. 11-15", RecordResult::Won(Side::White)),
        ("[Result \"0-1\"] 1. 11-15 *", RecordResult::Won(Side::White)),
        ("[Result \"0-1\"] 1. 11-15 1-0", RecordResult::Won(Side::Black)),
    ];
    for (text, outcome) in rows {
        let record = one(text);
        assert_eq!(record.outcome(), outcome, "{text}");
        round_trip(&record);
    }
}

#[test]
fn pdn_tags_comments_and_variations_are_preserved() {
    let text = "[Event \"a \\\"b\\\" \\\\ c\"]\n[Odd \"1\"]\n[White \"W\"]\n\
                [FEN \"W:W18,K5:BK1,2\"]\n\n\
                {start} 1. 18-14! {good\nhere} (1. 5-9 {x} 1-5 $9 (1... 2-6) 2. 9-6) ({instead} \
                1. 18-15) 1-6 $11 ; with } brace\n2. 14-10 1-0\n\n";
    let record = one(text);
    assert_eq!(record.info(HeaderField::Event).as_deref(), Some("a \"b\" \\ c"));
    assert_eq!(record.info(HeaderField::White).as_deref(), Some("W"));
    assert_eq!(record.info(HeaderField::Date), None);
    assert_eq!(record.setup(), Some("W:WK5,18:BK1,2"));
    assert_eq!(record.comment(0), "start");
    assert_eq!(record.comment(1), "good\nhere");
    assert_eq!(record.glyphs(1), [1]);
    assert_eq!(record.variations(1), [vec!["5-9", "1-5", "9-6"], vec!["18-15"]]);
    assert_eq!(record.comment(2), "with ) brace");
    assert_eq!(record.glyphs(2), [11]);
    assert_eq!(
        round_trip(&record).replace('\n', " "),
        text.replace("; with } brace", "{with &#41; brace}").replace('\n', " ")
    );
}

#[test]
fn comments_on_the_line_of_the_result_belong_to_its_game() {
    let text = "[Event \"A\"]\n\n1. 11-15 23-19 1-0 {on time} ; in\n\n[Event \"B\"]\n\n\
                1. 9-14 9_9 0-1 {of B}\n\n{before} [Event \"C\"]\n\n1. 9-14 * {end}\n";
    let games: Vec<Record> = read(text).into_iter().map(Result::unwrap).collect();
    let comments: Vec<[String; 3]> =
        games.iter().map(|game| [0, 1, 2].map(|ply| game.comment(ply))).collect();
    assert_eq!(comments, [["", "", "on time\nin"], ["", "", ""], ["before", "end", ""]]);
}

#[test]
fn a_game_with_a_syntax_error_keeps_its_result() {
    let text = "[Result \"1-0\"]\n\n1. 11-15 23-19 2. 8-11 Resigns 1-0\n";
    let game = read(text).remove(0).unwrap();
    assert!(game.fault().is_some());
    assert!(game.to_string().ends_with("1. 11-15 23-19 2. 8-11 1-0\n\n"), "{game}");
}

#[test]
fn pdn_errors_have_positions_and_reading_continues() {
    let next = "\n\n[Event \"next\"]\n\n1. 11-15 *\n";
    let rows = [
        (
            "[GameType \"20\"]\n\n1. 32-28 *",
            "line 1, column 1: expected English draughts, GameType 21, found GameType 20",
        ),
        (
            "[Event \"x\"]\n[GameType \"26,W,8,8,A0,0\"]\n[Site \"y\"]\n\n1. c3-d4 *",
            "line 2, column 1: expected English draughts, GameType 21, found GameType 26",
        ),
        (
            "[Event \"x]\n[Site \"y\"]\n1. 9-13 *",
            "line 1, column 8: the value of a tag is not closed",
        ),
        ("[Event x]\n1. 9-13 *", "line 1, column 8: expected '\"', found 'x'"),
        ("[FEN \"rubbish\"]\n*", "line 1, column 6: FEN: expected 8 ranks, found 1"),
        (
            "[FEN \"W:W31,99:B1,2\"]\n*",
            "line 1, column 6: FEN: expected a square from 1 to 32 or a range such as 1-12, found '99'",
        ),
        ("1. 11-15 23-19\n2. 9_13 *", "line 2, column 5: expected a move, found '_'"),
        ("1. 11-15 23-19\n2. 9 castles *", "line 2, column 6: expected a move, found 'castles'"),
        ("1. 11-15 23-19\n2. 1118 *", "line 2, column 4: expected a move, found '1118'"),
        ("1. 11-15 23-19\n2. 22", "line 2, column 4: expected a move, found '22'"),
        ("1. (11-15) 23-19 *", "line 1, column 4: a variation before the first move"),
        ("1. 11-15) 23-19 *", "line 1, column 9: ')' closes no variation"),
        (
            "1. 11-15 (9-13 23-19 *",
            "line 1, column 22: a variation before the end of the game is not closed",
        ),
        ("1. 11-15 (!? 23-19 *", "line 1, column 10: '(' is not closed"),
    ];
    for (text, error) in rows {
        let text = format!("{text}{next}");
        let found = read(&text);
        assert_eq!(found.iter().find_map(fault).unwrap(), error, "{text}");
        let last = found.last().unwrap().as_ref().unwrap();
        assert_eq!(last.info(HeaderField::Event).as_deref(), Some("next"), "{text}");
        assert_eq!(found.len(), 2, "{text}\n{found:?}");
    }
    let text = "1. 11-15 {never closed";
    assert_eq!(summary(text), ["line 1, column 10: a comment is not closed"]);
}

#[test]
fn the_moves_before_an_error_and_the_games_after_it_are_read() {
    let next = "[Event \"x\"]\n1. 9-13 22-18 *\n";
    for (text, before, after) in [
        ("1. 11-15 23-19 2. 8-l1 22-18 *\n", "11-15 23-19", next),
        ("1. 11-15 23-19 (23-18 15x22x *\n", "11-15 23-19", next),
        ("1. 11-15 {never closed 23-19 *\n\n", "11-15", next),
        ("(;GM[9]PB[a];B[d1-b3];W[h4-z2];B[b1-b4])", "d1-b3", "(;GM[9];B[c1-c3])"),
        ("(;GM[9]PB[a];B[d1-b3];W[h4-f2]C[never closed)\n", "d1-b3 h4-f2", "(;GM[9];B[c1-c3])"),
        ("(;GM[9]PB[a];B[d1-b3];W[h4-f2]", "d1-b3 h4-f2", ""),
    ] {
        let found = read(&format!("{text}{after}"));
        let broken = found[0].as_ref().unwrap();
        assert_eq!((moves(broken).as_str(), broken.fault().is_some()), (before, true), "{text}");
        let others: Vec<_> = found[1..].iter().map(|game| moves(game.as_ref().unwrap())).collect();
        assert_eq!(others, summary(after), "{text}");
    }
    // A game that is quoted in a comment is none.
    for (text, moves) in [
        ("1. 11-15 {copied:\n[Event \"y\"]\n} 23-19 *", "11-15 23-19"),
        ("(;GM[9];B[d1-b3]C[copied:\n(;GM[9\\]PB[x\\])\nend];W[h4-f2])", "d1-b3 h4-f2"),
        ("(;GM[9];B[d1-b3]C[copied:\n\\(;GM[9];W[h4-f2])", "d1-b3 h4-f2"),
    ] {
        assert_eq!(summary(text), [moves]);
        round_trip(read(text)[0].as_ref().unwrap());
    }
}

#[test]
fn games_without_tags_are_separated_by_results() {
    let text = "1. 11-15 1-0\n1. 9-13 (9-14) *\n1. 10-15 bad 1-0\n1. 12-16 22-18 1-1 1. 9-14 ";
    let bad = "line 3, column 10: expected a move, found 'bad'";
    assert_eq!(summary(text), ["11-15", "9-13", bad, "12-16 22-18", "9-14"]);
    assert_eq!(summary("11-15 23-19\n\n# second\n\n9-14 22-18"), ["11-15 23-19", "9-14 22-18"]);
    // The first game is complete, but it is none of Lines of Action.
    let text = "1. c3xe5xg7 * 1. d1-b3 h4-f2 * 1. b1-b3 *";
    let games = RecordReader::new(text.as_bytes()).default_variant("linesofaction");
    let games: Vec<_> =
        games.map(|game| game.as_ref().map_or_else(ToString::to_string, moves)).collect();
    let no_move = "line 1, column 4: expected a move, found 'c3xe5xg7'";
    assert_eq!(games, [no_move, "d1-b3 h4-f2", "b1-b3"]);
}

#[test]
fn tags_without_moves_are_a_game_of_their_own() {
    let text =
        "[Event \"A\"]\n[White \"Ann\"]\n\n[Event \"B\"]\n\n[Site \"C\"]\n1. 11-15 23-19 0-1\n";
    assert_eq!(summary(text), ["", "11-15 23-19"]);
    let text = "[Event \"A\"]\n1. 11-15 *\n\n[Event \"B\"]\n\n[Event \"C\"]\n";
    assert_eq!(summary(text), ["11-15", "", ""]);
}

/// The moves as a replay plays them, then the error.
pub fn played(text: &str) -> Vec<(String, String)> {
    let game = |game: Result<Record, RecordError>| {
        let error = fault(&game).unwrap_or_default();
        (game.map_or(String::new(), |record| moves(&record)), error)
    };
    read(text).into_iter().map(game).collect()
}

#[test]
fn numbers_without_signs_are_moves_and_move_numbers() {
    let rows = [
        ("[Event \"x\"]\n1. 11 15 22 18 2. 15 22 25 18 *", "11-15 22-18 15x22 25x18"),
        ("[Event \"x\"]\n11 15 22 18 15 22 25 18", "11-15 22-18 15x22 25x18"),
        ("1 11 15 22 18 2 15 22 25 18 3 8 11", "11-15 22-18 15x22 25x18 8-11"),
        ("1 11 15 {c} 22 18 2 {d} 15 22", "11-15 22-18 15x22"),
        ("1.11 15 22 18 2.15 22 25-18!", "11-15 22-18 15x22 25-18"),
        ("1 . 11 15 1 ... 22 18 2 . 15 22", "11-15 22-18 15x22"),
        ("1. 11 15 (9 13 22 18) 22 18 1-0", "11-15 22-18"),
        ("11 15 22 18\n15 22", "11-15 22-18 15x22"),
        ("5. 11 15 22 18 6. 15 22 *", "11-15 22-18 15x22"),
        ("[FEN \"B:W21-32:B1-12\"]\n7 11-15 22-18 8 15x22 25x18", "11-15 22-18 15x22 25x18"),
    ];
    for (text, moves) in rows {
        assert_eq!(played(text), [(moves.to_string(), String::new())], "{text}");
        round_trip(&one(text));
    }
    assert_eq!(one(rows[6].0).variations(1), [["9-13", "22-18"]]);
}

/// Each text has something that is neither a move nor a comment, a tag or a result.
#[test]
fn nothing_of_a_game_is_lost_without_an_error() {
    let rows = [
        ("1. 11-15 22 23-19 *", "11-15", "line 1, column 10: expected a move, found '22'"),
        ("1. 11-15 99 23-19 *", "11-15", "line 1, column 10: expected a move, found '99'"),
        (
            "1. 11-15 23-19 2. 7 8-11 *",
            "11-15 23-19",
            "line 1, column 19: expected a move, found '7'",
        ),
        (
            "1. 11-15 22 18 2. 15 22 25 *",
            "11-15 22-18",
            "line 1, column 19: expected a move, found '15'",
        ),
        ("1. 11-15 22 (9-13) 23-19 *", "11-15", "line 1, column 10: expected a move, found '22'"),
        (
            "1. 11-15 23-19, 2. 8-11 *",
            "11-15 23-19",
            "line 1, column 15: expected a move, found ','",
        ),
        ("1. 11-15 [good] 23-19 *", "11-15", "line 1, column 10: expected a move, found '['"),
        ("1. 11-15 23-19 2. *", "11-15 23-19", "line 1, column 16: no move follows the number 2"),
        (
            "1. 11-15 (1. 9-13 1...) 23-19 *",
            "11-15 23-19",
            "line 1, column 19: no move follows the number 1",
        ),
        (
            "1. 11-15 23-19 2. 3. 8-11 *",
            "11-15 23-19 8-11",
            "line 1, column 16: no move follows the number 2",
        ),
        (
            "1. 11-15 23-19 1-0 White sleeps\n",
            "11-15 23-19",
            "line 1, column 20: expected a comment or the next game after the result, found 'White sleeps'",
        ),
        (
            "[Event \"a\"]\n[Event \"b\"]\n1. 11-15 *",
            "11-15",
            "line 2, column 1: a second tag Event with another value",
        ),
        (
            "[Event \"a\" [Black \"b\"]\n1. 11-15 *",
            "11-15",
            "line 1, column 12: expected ']', found '['",
        ),
        ("[Event \"x]\n1. 11-15 *", "11-15", "line 1, column 8: the value of a tag is not closed"),
        ("[Event x] 1. 11-15 *", "11-15", "line 1, column 8: expected '\"', found 'x'"),
        ("[Event \"x\"]\n1. 11-15 23-19 1. 8-11 *", "11-15 23-19 8-11", ""),
        (
            "1. 11-15 {open 23-19 2. {c} *",
            "11-15",
            "line 1, column 10: a comment before the next one is not closed",
        ),
        (
            "1. 11-15 23-19 [Event \"x\"]\n1. 9-13 *",
            "11-15 23-19",
            "line 1, column 16: expected a result before the next game",
        ),
        (
            "1. 11-15 23-19 1-0 2. 8-11 *",
            "11-15 23-19",
            "line 1, column 20: expected a comment or the next game after the result, found '2. 8-11 *'",
        ),
        ("[Event \"x\"]\n* 1. 11-15 *", "11-15", "line 2, column 1: expected a move, found '*'"),
        // Rubbish after a tag.
        (
            "[Event \"x\"]\\r\n[White \"a\"]\\r\n\\r\n1. 11-15 23-19 *",
            "11-15 23-19",
            "line 1, column 12: expected the end of the line after the tag Event, found '\\r'",
        ),
        (
            "[Event \"x\"] [White \"a\"] of Rome, \"b\"]\n11-15 23-19",
            "11-15 23-19",
            "line 1, column 25: expected the end of the line after the tag White, found 'of Rome, \"b\"]'",
        ),
        (
            "[FEN \"B:W21,22:B1,2\"]]\n1. 1-6 *",
            "1-6",
            "line 1, column 22: expected the end of the line after the tag FEN, found ']'",
        ),
        (
            "[Event \"x\"]\njunk\n1. 11-15 *",
            "11-15",
            "line 2, column 1: expected a move, found 'junk'",
        ),
        (
            "[Event \"x\"]\n1. castles 23-19",
            "",
            "line 2, column 4: expected a move, found 'castles'",
        ),
        ("[Event \"x\"]\ncastles 23-19", "", "line 2, column 1: expected a move, found 'castles'"),
        ("* *", "", "line 1, column 1: expected a move, found '*'"),
        ("{a note}\n", "", "line 1, column 1: a comment that belongs to no game"),
    ];
    for (text, moves, error) in rows {
        let found = played(text);
        assert_eq!(found[0], (moves.to_string(), error.to_string()), "{text}");
    }
    assert_eq!(played("1. 11-15 *\n{the end}").len(), 2);
    // A result after another one belongs to no game.
    assert_eq!(played("1. 11-15 1-0 1-0")[1].1, "line 1, column 14: expected a move, found '1-0'");
}

#[test]
fn the_move_before_a_glued_remark_is_read() {
    let rows = [
        ("1. 11-15 23-19 2. 8-11Red overstepped", "11-15 23-19 8-11", 'R'),
        ("1. 11-15 23-19 2. 8-11.Red", "11-15 23-19 8-11", 'R'),
        ("1. 16x23 27x11x4note 1-0", "16x23 27x11x4", 'n'),
        ("1. 22x15x8Xmas *", "22x15x8", 'X'),
        ("1. f6-e5 c3-d4wins *", "f6-e5 c3-d4", 'w'),
        ("1. 11-15 8-11x", "11-15", '8'),
        ("1. 11-15 8-111", "11-15", '8'),
        ("1. 11-15 8-11-", "11-15", '8'),
    ];
    let next = "\n\n[Event \"next\"]\n1. 9-13 *";
    for (text, moves, found) in rows {
        let games = played(&format!("{text}{next}"));
        assert_eq!(games[0].0, moves, "{text}");
        assert!(games[0].1.contains(&format!("found '{found}")), "{text}: {}", games[0].1);
        assert_eq!(games[1], ("9-13".to_string(), String::new()), "{text}");
    }
    assert_eq!(played("1. 11-15 1-0Red won\n")[0], ("11-15".to_string(), String::new()));
}

#[test]
fn the_result_of_a_variation_does_not_end_the_game() {
    for (result, comment) in [("1-0", "1-0"), ("1/2-1/2 {agreed}", "agreed\n1/2-1/2"), ("*", "")] {
        let record = one(&format!("1. 11-15 (9-13 22-18 {result}) 23-19 0-1"));
        assert_eq!(moves(&record), "11-15 23-19");
        assert_eq!(record.outcome(), RecordResult::Won(Side::White));
        let lines = record.lines();
        assert_eq!((lines[1].moves.len(), lines[1].moves[1].comment.as_str()), (2, comment));
        round_trip(&record);
    }
}

#[test]
fn an_unclosed_comment_hides_no_game() {
    for tag in ["Event \"x\"", "White \"x\"", "GameType \"21\"", "Red\t\"x\""] {
        for more in ["", " {yes} ", " {yes} 22-18 {no} "] {
            let next = format!("\n\n[{tag}]\n\n1. 9-13{more} *\n");
            let text = format!("1. 11-15 {{never closed 23-19 *{next}{next}");
            let found: Vec<_> = played(&text).into_iter().map(|(moves, _)| moves).collect();
            let next = summary(&next).remove(0);
            assert_eq!(found, ["11-15".to_string(), next.clone(), next], "{text}");
        }
    }
    // A comment that is closed may quote a game or a bracket.
    for quoted in ["[Event of the year", "[Event \"x\"]\n\n1. 9-13 *", "[good]"] {
        let record = one(&format!("1. 11-15 {{first\n\n{quoted}\n}} 23-19 *"));
        assert_eq!(record.comment(1), format!("first\n\n{quoted}"));
        round_trip(&record);
    }
}

#[test]
fn the_next_moves_decide_between_the_paths_of_a_capture() {
    let setup = "[SetUp \"1\"]\n[FEN \"B:W14,15,18,21,22,23,30:B6,7,8,10,12,13\"]\n";
    let rows = [
        ("1. 10x26 18-14 2. 26-31 *", "10x17x26 18-14 26-31", true),
        ("1. 10x26 (1. 10x26 18-14) 18-14 *", "10x17x26 18-14", true),
        ("1. 10x26 30x23 *", "10x19x26 30x23", true),
        ("1. 10x26 *", "10x26", false),
        ("1. 10x26 1-2 *", "10x26 1-2", false),
    ];
    for (text, moves, is_legal) in rows {
        let record = one(&format!("{setup}{text}"));
        if is_legal {
            assert_eq!(super::moves(&record), moves, "{text}");
            assert!(record.variations(1).iter().all(|line| moves.starts_with(line[0])), "{text}");
        }
        assert_eq!(check(&record).is_ok(), is_legal, "{text}: {:?}", check(&record));
        assert!(round_trip(&record).contains("1. 10x26"), "{text}");
    }
}

#[test]
fn captures_of_the_same_pieces_are_one_move() {
    let rows = [
        ("B:W6,7,14,15,32:BK2", "2x2 32-28"),
        ("B:W6,7,14,15,32:BK2", "2x11x18x9x2 32-28"),
        ("B:W6,7,14,15,32:BK2", "2x9x2 32-28"),
    ];
    for (setup, moves) in rows {
        let record = one(&format!("[SetUp \"1\"]\n[FEN \"{setup}\"]\n1. {moves} *"));
        assert_eq!(check(&record), Ok(2), "{moves}");
        round_trip(&record);
    }
}

#[test]
fn foreign_names_and_spaces_are_read() {
    for (tags, name) in [
        ("[Red \"Ann\"]\n[White \"Bob\"]", "Ann"),
        ("[White \"Bob\"]\n[Black \"?\"]\n[Red \"Ann\"]", "Ann"),
        ("[Black \"Ann\"]\n[White \"Bob\"]\n[Red \"Eve\"]", "Ann"),
    ] {
        let record = one(&format!("{tags}\n1. 11-15 *"));
        assert_eq!(record.info(HeaderField::Black).as_deref(), Some(name), "{tags}");
        assert_eq!(record.info(HeaderField::White).as_deref(), Some("Bob"), "{tags}");
        round_trip(&record);
    }
    for space in ["\u{a0}", "\u{a0} ", " \u{200b}", "\u{feff}", "\u{202f}", "\u{3000}", "\u{2060}"]
    {
        for text in ["1._11-15_23-19_2._8-11!_*", "_1. 11_-_15 23-19_8-11", "11_15 23_19 8_11 *_"] {
            let text = text.replace('_', space);
            assert_eq!(summary(&text), ["11-15 23-19 8-11"], "{text:?}");
        }
    }
    // Windows-1252, and the end of a file in DOS.
    let text = b"1.\xa011\x9615\xa023\x9719 {caf\xe9 \x93x\x94} *\r\n\x1a";
    let games: Vec<_> = RecordReader::new(&text[..]).map(Result::unwrap).collect();
    assert_eq!((games.len(), moves(&games[0]).as_str()), (1, "11-15 23-19"));
    assert_eq!(games[0].comment(2), "caf\u{e9} \u{201c}x\u{201d}");
}
