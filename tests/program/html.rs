//! The HTML page of an analysis: it is self-contained, shows every game, escapes the text of
//! records, and is written completely or not at all.

use std::fs;
use std::path::Path;

use clap::Parser;
use soucie::analysis::analyser::AnalysedLine;
use soucie::analysis::game::AnalysisEvent;
use soucie::analysis::html;
use soucie::analysis::report::{GameHead, GameReport, InputError, InputOrigin};
use soucie::analysis::review::{Mark, MoveReview};
use soucie::engine::open;
use soucie::engine::uci_score::UciScore;
use soucie::game::Side;
use soucie::options::Options;
use soucie_program::analyse::outputs::{Listener, Page};
use soucie_program::analyse::{self, settings::AnalyseSettings};

use crate::programs::{empty_folder, names};

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    settings: AnalyseSettings,
}

/// The page of the analysis of `input`.
fn page(name: &str, input: &str) -> String {
    let folder = empty_folder(Path::new("html").join(name));
    let (games, target) = (folder.join("games.txt"), folder.join("page.html"));
    fs::write(&games, input).unwrap();
    let arguments = ["analyse", "--nodes", "2000", "--jobs", "1", "--html"];
    let arguments = arguments.into_iter().map(Into::into);
    let arguments = arguments.chain([target.clone().into_os_string(), games.into_os_string()]);
    let settings = Arguments::parse_from(arguments).settings;
    analyse::run(&settings, &mut Vec::new()).unwrap();
    assert_eq!(names(&folder), ["games.txt", "page.html"]);
    fs::read_to_string(target).unwrap()
}

const LOA: &str = "startpos moves c8c6 a4c2 d8b6 a6c4 b8b5 h2e2";
const DRAUGHTS: &str = "startpos moves 11-15 23-19 8-11 22-17 11-16 24-20 16-23 27-11";

/// All parts of a text between `from` and `to`.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Vec<&'a str> {
    text.split(from).skip(1).filter_map(|rest| Some(rest.split_once(to)?.0)).collect()
}

/// The page without the script at its end.
fn body(page: &str) -> &str {
    page.split_once("<script>").unwrap().0
}

#[test]
fn page_is_self_contained() {
    let page = page("alone", &format!("{LOA}\n{DRAUGHTS}\n"));
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"), "{page}");
    assert!(page.trim_end().ends_with("</html>"));
    for word in ["://", "src=", "@import", "<link", "<img", "<iframe"] {
        assert!(!page.contains(word), "{word}");
    }
    // Every link leads to an element of the page.
    let body = body(&page);
    let targets = between(body, "href=\"", "\"");
    assert!(targets.len() > 50);
    let urls = between(&page, "url(", ")");
    assert_eq!(urls.len(), 3, "{urls:?}");
    for target in [targets, urls].concat() {
        let id = target.strip_prefix('#').unwrap_or_else(|| panic!("{target} is not on the page"));
        assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
    }
}

#[test]
fn each_game_and_each_position_has_a_section() {
    let setup = "W:WK14,K15,K18:BK1,K6";
    let page = page("sections", &format!("{LOA}\n{setup}\nnonsense\n{DRAUGHTS}\n"));
    assert_eq!(between(&page, "<section id=\"", "\""), ["g1", "s2", "g4"]);
    let index = between(&page, "<ol class=\"index\">", "</ol>").concat();
    assert_eq!(between(&index, "href=\"#", "\""), ["g1", "s2", "g4"]);
    assert!(page.contains("class=\"failure\"><bdi>Line 3: "));
    let body = body(&page);
    let sections: Vec<&str> = body.split("<section id=").skip(1).collect();
    for (section, plies) in [(sections[0], 6), (sections[2], 8)] {
        assert_eq!(section.matches("data-board=").count(), plies);
        assert_eq!(section.matches("<figure class=\"graph\">").count(), 1);
        let boards = section.matches("<svg class=\"board\"").count();
        assert_eq!(boards, section.matches("<figure class=\"point\">").count() + 1);
    }
    assert!(sections[1].contains(setup) && sections[1].contains("White to move."));
}

#[test]
fn boards_show_the_pieces() {
    // Black's stone has moved from b8 to b6; then a king and a man of each side.
    let page = page("boards", &format!("startpos moves b8b6\n{}\n", "B:WK14,22:BK1,6"));
    let loa = "--bbbbb-w------wwb-----ww------ww------ww------ww------w-bbbbbb-";
    assert_eq!(between(&page, "data-board=\"", "\""), [loa]);
    assert_eq!(between(&page, "data-lit=\"", "\""), ["57 41"]);
    assert!(page.contains("Black: king b8 c7. White: king c5 c3."));
    // An element that is not closed would contain the next one.
    let uses = body(&page).matches("<use ").count();
    assert!(uses > 24 && page.matches("</use>").count() == uses);
}

#[test]
fn labels_are_drawn_for_both_views_of_a_board() {
    let page = page("labels", DRAUGHTS);
    let table = [
        ("labels", 16, "x=\"0.5\" y=\"8.44\">a", "x=\"-0.3\" y=\"0.63\">8"),
        ("labels-flipped", 16, "x=\"0.5\" y=\"8.44\">h", "x=\"-0.3\" y=\"0.63\">1"),
        ("numbers", 32, "x=\"1.05\" y=\"0.25\">1", "x=\"6.05\" y=\"7.25\">32"),
        ("numbers-flipped", 32, "x=\"1.05\" y=\"0.25\">32", "x=\"6.05\" y=\"7.25\">1"),
    ];
    for (id, count, first, second) in table {
        let texts = between(&page, &format!("<g id=\"{id}\">"), "</g>").concat();
        let texts = between(&texts, "<text ", "</text>");
        assert_eq!(texts.len(), count, "{id}");
        assert!(texts.contains(&first) && texts.contains(&second), "{id}: {texts:?}");
    }
}

/// The position after the first turning point is drawn, and its move is marked as shown.
#[test]
fn game_is_shown_at_its_first_turning_point() {
    // The last move but one, White's, loses at once.
    let game = "startpos moves d1b3 h5g4 b1b4 g4g1 b4e7 a3c1 b3e6 h3f1 e1e5";
    let page = page("opens", game);
    let body = body(&page);
    let marked = between(body, "<li class=\"", "\"");
    let first = marked.iter().position(|class| !class.contains("good")).unwrap();
    assert!(first + 1 < marked.len(), "{marked:?}");
    for (i, class) in marked.iter().enumerate() {
        assert_eq!(class.contains(" now"), i == first, "{marked:?}");
    }
    assert_eq!(between(body, "data-at=\"", "\""), [first.to_string()]);
    let shown = between(body, "<p class=\"shown\" aria-live=\"polite\">", "</p>");
    assert!(shown[0].starts_with(&format!("Move {}: ", first / 2 + 1)), "{shown:?}");
    let code = between(body, "data-board=\"", "\"")[first];
    let viewer = between(body, "<figure class=\"viewer\">", "</figure>")[0];
    let drawn = viewer.matches("<use href=\"#b\"").count();
    assert_eq!(drawn, code.matches('b').count());
}

#[test]
fn scores_are_from_the_side_of_black() {
    let page = page("view", &format!("{LOA}\n{DRAUGHTS}\n"));
    assert!(page.contains("All scores and expected points are from Black's side"));
    let note = "Black moves first, and the result 1-0 is a win for Black";
    assert_eq!(page.matches(note).count(), 1, "only for English draughts");
}

#[test]
fn square_numbers_are_drawn_after_the_men() {
    let page = page("covered", DRAUGHTS);
    for board in between(body(&page), "<svg class=\"board\"", "</svg>") {
        assert!(board.find("#numbers").unwrap() > board.find("class=\"men\"").unwrap());
    }
}

#[test]
fn names_cannot_change_the_direction_of_other_text() {
    let folder = empty_folder("html/turned");
    let target = folder.join("page.html");
    let mut page = Page::begin(&target, "Soucie".into()).unwrap();
    page.on(&AnalysisEvent::Game(&game_with_text("\u{202e}eman"))).unwrap();
    page.end().unwrap();
    let page = fs::read_to_string(&target).unwrap();
    let quoted = between(&page, "<bdi>", "</bdi>");
    assert_eq!(page.matches('\u{202e}').count(), quoted.join("").matches('\u{202e}').count());
}

#[test]
fn page_with_one_game_has_no_index() {
    assert!(!page("one", LOA).contains("<nav"));
}

/// A game without moves, with `text` in every field of its record.
fn game_with_text(text: &str) -> GameReport {
    let field = || Some(text.to_string());
    let head = GameHead {
        number: 1,
        origin: InputOrigin::default(),
        variant: "linesofaction",
        variant_is_assumed: false,
        rules_fault: None,
        note: None,
        setup: field(),
        black: field(),
        white: field(),
        event: field(),
        date: field(),
        result: field(),
    };
    GameReport { error: field(), boards: vec![[[None; 8]; 8]], ..GameReport::new(head, None) }
}

/// The reviews of a game from the percentages that the players expect after their moves, and lost.
fn reviews(rows: &[(u32, u32)]) -> Vec<MoveReview> {
    let mv = open(&Options::default()).unwrap().check_move("b8b6").unwrap();
    let review = |(i, &(after, lost)): (usize, &(u32, u32))| MoveReview {
        ply: i + 1,
        side: if i % 2 == 0 { Side::Black } else { Side::White },
        mv: mv.clone(),
        score: UciScore::Centipawns(0),
        chances: None,
        wdl: [10 * after, 0, 1000 - 10 * after],
        best_score: UciScore::Centipawns(0),
        table: None,
        best_table: None,
        best: vec![mv.clone()],
        loss: f64::from(lost) / 100.0,
        mark: (lost >= 12).then_some(if lost >= 30 { Mark::Blunder } else { Mark::Mistake }),
        missed_win: None,
        expectation: f64::from(after) / 100.0,
        continuation: AnalysedLine {
            score: UciScore::Centipawns(0),
            wdl: [0; 3],
            chances: None,
            pv: Vec::new(),
        },
    };
    rows.iter().enumerate().map(review).collect()
}

#[test]
fn a_position_has_one_percentage() {
    // What the players of the moves expect after them and lost, and Black's percentages: before the
    // first move and after each.
    for (rows, shown) in [
        // The search of a position replaces the one before it.
        (&[(60, 0), (45, 5), (55, 0)][..], [60, 50, 55, 55].as_slice()),
        // The search of a bad move counts where its player is worse off, and then for both moves.
        (&[(55, 0), (45, 0), (20, 35), (70, 20)], &[55, 55, 55, 10, 30]),
        (&[(55, 0), (45, 0), (20, 35), (60, 15)], &[55, 55, 55, 20, 40]),
        (&[(50, 0), (30, 20), (80, 0)], &[50, 50, 80, 80]),
    ] {
        let empty = GameReport::new(game_with_text("x").head, None);
        let boards = vec![[[None; 8]; 8]; rows.len() + 1];
        let report = GameReport { moves: reviews(rows), boards, ..empty };
        let page = html::page(&report, "Soucie");
        let listed = between(&page, "class=\"score\" title=\"", "\u{a0}% for Black");
        let text: Vec<String> = shown.iter().map(u32::to_string).collect();
        assert_eq!(listed, text[1..], "{rows:?}");
        let marked: Vec<usize> = (0..rows.len()).filter(|&i| rows[i].1 >= 12).collect();
        let points: Vec<String> = marked
            .iter()
            .map(|&i| format!("{}\u{a0}% before, {}\u{a0}% after.", text[i], text[i + 1]))
            .collect();
        assert_eq!(between(&page, "<p class=\"soft\">For Black ", "</p>"), points, "{rows:?}");
        let moves: Vec<String> = marked.iter().map(|i| format!("Move {}", i / 2 + 1)).collect();
        assert_eq!(
            between(&page, "<figcaption><p><a href=\"#g1p", "</a>")
                .iter()
                .map(|link| link.split_once('>').unwrap().1)
                .collect::<Vec<_>>(),
            moves
        );
    }
}

#[test]
fn text_of_records_is_escaped() {
    let folder = empty_folder("html/escaped");
    let target = folder.join("page.html");
    let evil = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>&lt;";
    let mut page = Page::begin(&target, "Soucie".into()).unwrap();
    page.on(&AnalysisEvent::Game(&game_with_text(evil))).unwrap();
    let failure = InputError {
        origin: InputOrigin { file: Some(evil.to_string()), line: 9, ..Default::default() },
        error: evil.to_string(),
    };
    page.on(&AnalysisEvent::Failure(&failure)).unwrap();
    page.end().unwrap();
    let page = fs::read_to_string(&target).unwrap();
    assert_eq!(page.matches("<script>").count(), 1, "the script of the page itself");
    assert!(!page.contains("<img") && !page.contains("\"'>"));
    let escaped =
        "&quot;'&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;";
    assert!(page.matches(&format!("{escaped}&amp;lt;")).count() >= 7);
}

#[test]
fn unfinished_page_does_not_replace_the_old_one() {
    let folder = empty_folder("html/unfinished");
    let target = folder.join("page.html");
    fs::write(&target, "old").unwrap();
    let mut page = Page::begin(&target, "Soucie".into()).unwrap();
    page.on(&AnalysisEvent::Game(&game_with_text("new"))).unwrap();
    assert_eq!(fs::read_to_string(&target).unwrap(), "old");
    drop(page);
    assert_eq!(names(&folder), ["page.html"]);
    assert_eq!(fs::read_to_string(&target).unwrap(), "old");

    let mut page = Page::begin(&target, "Soucie".into()).unwrap();
    page.on(&AnalysisEvent::Game(&game_with_text("new"))).unwrap();
    page.end().unwrap();
    assert!(fs::read_to_string(&target).unwrap().ends_with("</html>\n"));
    drop(page);
    assert_eq!(names(&folder), ["page.html"]);
}

#[test]
fn unwritable_page_is_reported_at_once() {
    let folder = empty_folder("html/nowhere");
    for (target, name) in
        [(folder.join("missing").join("page.html"), "page.html"), (folder, "nowhere")]
    {
        let error = Page::begin(&target, "Soucie".into()).err().unwrap().to_string();
        assert!(error.contains(name), "{error}");
    }
}

#[test]
fn the_page_shows_clocks_times_and_evaluations_of_the_record() {
    let pdn = "1. 11-15 {[%clock w0:05:00 B0:04:58]} 23-19 {[%eval 0.12] a remark} 8-11 *\n";
    let sgf = "(;GM[9];B[d1-b3]BL[298];W[h4-f2]C[[%emt 1.5\\]])\n";
    for (input, expected) in [
        (pdn, ["White 0:05:00, Black 0:04:58", "Recorded evaluation 0.12"].as_slice()),
        (sgf, &["Black 0:04:58", "Took 1.5 s"]),
    ] {
        let page = page("recorded", input);
        let shown = between(body(&page), "<p class=\"exact\"><bdi>", "</bdi></p>");
        assert_eq!(shown, expected, "{page}");
    }
}
