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
fn no_line_of_a_written_variation_begins_another_game() {
    for length in 40..80 {
        let comment = "x".repeat(length);
        round_trip(&one(&format!("1. 11-15 ({{{comment}}} 1. 9-13) ({{{comment}}} 1. 9-14) *")));
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
fn errors_have_their_places() {
    for (text, error) in [
        (
            "[Event \"x\"]\n[GameType \"26,W,8,8,A0,0\"]\n\n1. c3-d4 *",
            "line 2, column 1: expected English draughts, GameType 21, found GameType 26",
        ),
        ("[Event \"x]\n1. 9-13 *", "line 1, column 8: the value of a tag is not closed"),
        ("[Event \"x\"\n1. 9-13 *", "line 1, column 11: the tag Event is not closed"),
        ("[Event x]\n1. 9-13 *", "line 1, column 8: expected '\"', found 'x'"),
        (
            "[FEN \"W:W31,99:B1,2\"]\n*",
            "line 1, column 6: FEN: expected a square from 1 to 32 or a range such as 1-12, found '99'",
        ),
        ("1. 11-15 {é}\n {ü} 9_13 *", "line 2, column 6: expected a move, found '9_13'"),
        ("1. 11-15 € 23-19", "line 1, column 10: expected a move, found '€'"),
        // Written without the blanks, they would be results.
        ("1. 11-15 1 - 1", "line 1, column 10: expected a move, found '1'"),
        ("1. 11-15 (1. 9-13 1 –1 6-9) 23-19", "line 1, column 19: expected a move, found '1'"),
        ("1. (11-15) *", "line 1, column 4: a variation before the first move"),
        ("1. 11-15) *", "line 1, column 9: ')' closes no variation"),
        ("1. 11-15 (9-13 23-19", "line 1, column 10: a variation is not closed"),
        ("1. 11-15 {open", "line 1, column 10: a comment is not closed"),
        (
            "[Event \"a\"]\n[Event \"b\"]\n1. 11-15 *",
            "line 2, column 1: a second tag Event with another value",
        ),
        (
            "[White \"a\"] of Rome, \"b\"]\n11-15 *",
            "line 1, column 13: expected the end of the line after the tag White, found 'of Rome, \"b\"]'",
        ),
        ("[Event \"x\"]\njunk\n1. 11-15 *", "line 2, column 1: expected a move, found 'junk'"),
        (
            "1. 11-15 1-0 White sleeps\n",
            "line 1, column 14: expected a comment or the next game after the result, found 'White sleeps'",
        ),
        (
            "[Event \"x\"] 1-0\n\n1. 11-15 *",
            "line 1, column 13: expected the end of the line after",
        ),
        ("3. 11-15 *", "line 1, column 1: expected move 1 or a FEN, found move 3"),
    ] {
        // The next game is found.
        for next in ["", "\n\n[Event \"next\"]\n\n1. 11-15 *\n", "\n1. 11-15 *\n1. 11-15 *"] {
            let found = read(&format!("{text}{next}"));
            let first = fault(&found[0]).unwrap();
            assert!(first.starts_with(error), "{text}: {first}");
            let has_next = found.last().is_some_and(|game| fault(game).is_none());
            assert_eq!(has_next, !next.is_empty(), "{text}{next}");
        }
    }
    let text = "1. 11-15 *\n{a note}";
    assert_eq!(summary(text), ["11-15", "line 2, column 1: a comment that belongs to no game"]);
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
        ("(;GM[9];B[d1-b3]C[copied:\n\\(;GM\\[9];W[h4-f2])", "d1-b3 h4-f2"),
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

#[test]
fn an_unclosed_comment_hides_no_game() {
    for tag in ["Event \"x\"", "White \"x\"", "GameType \"21\"", "Red\t\"x\""] {
        for more in ["", " {yes} ", " {yes} 22-18 {no} "] {
            let next = format!("\n\n[{tag}]\n\n1. 9-13{more} *\n");
            let text = format!("1. 11-15 {{never closed 23-19 *{next}{next}");
            let found = read(&text).into_iter().map(|game| moves(&game.unwrap()));
            let next = summary(&next).remove(0);
            assert!(found.eq(["11-15".to_string(), next.clone(), next]), "{text}");
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
