//! The lessons of the rules: what they say is true, and the console teaches them.

use std::collections::BTreeSet;

use crate::{ConsoleResult, fast_settings, run_console};
use soucie::engine::lesson::{Lesson, Verdict};
use soucie::engine::open;
use soucie::game::Outcome;
use soucie::options::Options;
use soucie_program::arguments::VariantArgument;
use soucie_program::console::ConsoleSettings;

/// A lesson, and the code of the result that its solution leads to.
type Row = (&'static str, Option<&'static str>);

/// The lessons of each game.
const ROWS: &[(&str, &[Row])] = &[
    (
        "linesofaction",
        &[
            ("distance", None),
            ("lines", None),
            ("over", None),
            ("blocked", None),
            ("capture", None),
            ("connect", Some("connected")),
            ("defend", None),
            ("both", Some("both-connected")),
        ],
    ),
    (
        "englishdraughts",
        &[
            ("move", None),
            ("jump", None),
            ("double", None),
            ("choice", None),
            ("crown", None),
            ("king", None),
            ("take", Some("no-pieces")),
            ("block", Some("no-moves")),
        ],
    ),
];

#[test]
fn lessons_are_true() {
    for (game, rows) in ROWS {
        let mut options = Options::default();
        options.variant = game;
        let mut session = open(&options).unwrap();
        let lessons = Lesson::of(game).unwrap();
        let ids: Vec<&str> = lessons.iter().map(|lesson| lesson.id.as_str()).collect();
        let expected: Vec<&str> = rows.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, expected);
        for (lesson, (_, end)) in lessons.iter().zip(*rows) {
            let name = format!("{game} {}", lesson.id);
            session.set_position(Some(&lesson.setup), &[]).unwrap();
            assert_eq!(session.outcome(), None, "{name}");
            assert!(!lesson.title.is_empty() && lesson.text.ends_with(['.', '?']), "{name}");
            assert!(lesson.text.len() < 200 && lesson.right.ends_with('.'), "{name}");
            assert!(lesson.hint.ends_with(['.', '?']), "{name}");
            // The console marks prompts, moves and boards with these.
            let all = format!("{lesson:?}");
            assert!(!all.contains(['>', '*']) && !all.contains("==="), "{name}");
            let view =
                |text: &str| session.check_move(text).unwrap_or_else(|e| panic!("{name}: {e}"));
            let solutions: Vec<_> = lesson.solution.iter().map(|text| view(text)).collect();
            assert!(!solutions.is_empty(), "{name}");
            for (text, mv) in lesson.solution.iter().zip(&solutions) {
                assert_eq!(*text, mv.standard, "{name}");
                let outcome = session.with_moves(&[text]).unwrap().outcome();
                let won = outcome.map(|outcome| (outcome.reason.code, outcome.winner));
                assert_eq!(won, end.map(|code| (code, Some(session.side()))), "{name}: {text}");
            }
            let wrong: Vec<_> = lesson.wrong.iter().map(|wrong| view(&wrong.mv)).collect();
            let mut others = 0;
            for mv in session.legal_views() {
                let verdict = lesson.judge(&*session, &mv.coordinate).unwrap();
                let text = match verdict {
                    Verdict::Right(text) => {
                        assert!(solutions.contains(&mv), "{name}: {}", mv.standard);
                        text
                    }
                    Verdict::Wrong(text) => {
                        assert!(!solutions.contains(&mv), "{name}: {}", mv.standard);
                        // A win would be called wrong, and a loss needs its reason.
                        let end = session.with_moves(&[&mv.coordinate]).unwrap().outcome();
                        let winner = end.map(|end| end.winner);
                        let is_lost = winner == Some(Some(!session.side())) && wrong.contains(&mv);
                        assert!(winner.is_none() || is_lost, "{name}: {}", mv.standard);
                        others += usize::from(!wrong.contains(&mv));
                        text
                    }
                };
                assert!(text.ends_with(['.', '?']), "{name}: {}: {text}", mv.standard);
            }
            assert_eq!(lesson.other.is_empty(), others == 0, "{name}");
            assert!(wrong.iter().all(|mv| !solutions.contains(mv)), "{name}");
        }
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    }
}

/// What White threatens in the lesson about it, and that its solutions are all that prevent it.
#[test]
fn the_threat_of_a_lesson_is_there() {
    let lessons = Lesson::of("linesofaction").unwrap();
    let lesson = lessons.iter().find(|lesson| lesson.id == "defend").unwrap();
    let mut session = open(&Options::default()).unwrap();
    session.set_position(Some(&lesson.setup), &[]).unwrap();
    assert_eq!(session.threat().unwrap().fact.code, "connect");
    let wins = |mv: &str| {
        let next = session.with_moves(&[mv]).unwrap();
        let is_won = |end: Option<Outcome>| end.is_some_and(|end| end.winner == Some(next.side()));
        let replies = next.legal_moves();
        let wins = |reply: &String| is_won(next.with_moves(&[reply]).unwrap().outcome());
        is_won(next.outcome()) || replies.iter().any(wins)
    };
    let views = session.legal_views();
    let saving: BTreeSet<&str> =
        views.iter().filter(|mv| !wins(&mv.coordinate)).map(|mv| mv.standard.as_str()).collect();
    assert_eq!(saving, lesson.solution.iter().map(String::as_str).collect());
}

fn learn(variant: &str, script: &str) -> ConsoleResult {
    let settings = ConsoleSettings {
        game: VariantArgument { variant: variant.to_string() },
        learn: true,
        ..fast_settings()
    };
    run_console(&settings, script)
}

#[test]
fn the_console_teaches_the_rules() {
    for (game, rows) in ROWS {
        let lessons = Lesson::of(game).unwrap();
        let script: String =
            lessons.iter().map(|lesson| format!("{}\n", lesson.solution[0])).collect();
        let console = learn(game, &script);
        assert_eq!(console.errors, "");
        for (index, lesson) in lessons.iter().enumerate() {
            let title = format!("Rule {} of {}: {}.\n", index + 1, rows.len(), lesson.title);
            assert!(console.output.contains(&title), "{title}{}", console.output);
            let end = rows[index].1.map_or("Right. ", |_| "Right: you have won. ");
            assert!(console.output.contains(&format!("{end}{}\n", lesson.right)), "{game}");
        }
        let (_, after) = console.output.split_once("a game begins.\n").unwrap();
        assert!(after.contains("8 ") && after.ends_with("Black> \n"), "{after}");
    }
}

#[test]
fn wrong_moves_in_lessons_are_explained() {
    let script = "c2-c3\nc6-c4\nhint\nskip\nb4-d4\nresign\nnew\nskip\n";
    let console = learn("loa", script);
    let errors = [
        "error: illegal move c2-c3: c2 to c3: the line holds 2 stones, so it moves 2",
        "error: illegal move b4-d4: b4 to d4: the line holds 3 stones, so it moves 3",
        "error: this is a lesson; 'new' begins a game",
        "error: skip: there is no lesson; soucie console --learn begins with lessons",
    ];
    assert_eq!(console.errors.lines().collect::<Vec<_>>(), errors);
    for text in [
        "Not yet. Right distance, other stone",
        "Hint: From c2, count two squares up the column. The move is c2-c4.\n",
        "Rule 2 of 8: ",
    ] {
        assert!(console.output.contains(text), "{text}: {}", console.output);
    }
}
