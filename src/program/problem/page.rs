//! The HTML page of a check: each problem with its board, its moves and the verdict.

use maud::{Markup, PreEscaped, html};

use soucie::analysis::html::board::{Arrow, BoardPicture};
use soucie::analysis::html::{PageText, beginning, capitalised, end};
use soucie::engine::{NAME, open};
use soucie::options::Options;
use soucie::problems::problem::Terms;
use soucie::problems::report::{MoveReport, MoveResult, ProblemReport, Verdict};

/// The page, with the lines of a summary before the problems.
pub fn page(results: &[Result<ProblemReport, String>], summary: &[String], nodes: u64) -> String {
    let by = format!("{NAME}, {nodes} positions a proof");
    let entries: Vec<String> = results.iter().flatten().map(entry).collect();
    let sections: String = results.iter().map(|result| section(result).into_string()).collect();
    let summary = html! { @for line in summary { p { (capitalised(line)) "." } } }.into_string();
    beginning(&PageText { title: "Problems", note: NOTE }, &by, &entries)
        + &summary
        + &sections
        + &end()
}

const NOTE: &str = "A move keeps the result or fails where this is proved; the rest is open. A problem is \
    sound if exactly one move keeps the result, and so on along the solution.";

fn entry(report: &ProblemReport) -> String {
    html! {
        li value=(report.problem) {
            a href={ "#s" (report.problem) } {
                @if report.name.is_empty() { code { (setup(&report.setup)) } }
                @else { (report.name) }
            }
            span.soft { (report.terms_text()) ": " (moves(&report.verdict_text())) }
        }
    }
    .into_string()
}

fn section(result: &Result<ProblemReport, String>) -> Markup {
    let report = match result {
        Ok(report) => report,
        Err(error) => return html! { p.failure { (error) } },
    };
    html! {
        section #{ "s" (report.problem) } {
            h2 { "Problem " (report.problem) }
            @if !report.name.is_empty() { p.meta { (report.name) } }
            div.position {
                figure { (picture(report).unwrap_or_else(|| PreEscaped(String::new()))) }
                div {
                    p { code { (setup(&report.setup)) } }
                    p.verdict { b { (report.terms_text()) "." } }
                    p.verdict { (moves(&(capitalised(&report.verdict_text()) + "."))) }
                    ul {
                        @for shown in report.moves.iter().filter(|shown| is_shown(report, shown)) {
                            li { b { (moves(&shown.mv)) } ": " (moves(&shown.text(report.terms))) }
                        }
                    }
                    @let failing = failing(report);
                    @if !failing.is_empty() {
                        p.soft { "All others fail: " (moves(&failing.join(", "))) "." }
                    }
                    @for solution in &report.solutions {
                        p {
                            (if solution.is_recorded { "Published: " } else { "Solution: " })
                            (moves(&solution.moves.join(" ")))
                        }
                        @if let Some(variations) = solution.variations_text() {
                            p.soft { "Variations: " (moves(&variations)) }
                        }
                    }
                    @let (duals, others) = report.shown_duals();
                    @for dual in duals { p.soft { (moves(&dual.place())) } }
                    @if let Some(others) = others { p.soft { (others) } }
                }
            }
        }
    }
}

/// A setup that a line of the page may end only after one of its parts.
fn setup(text: &str) -> Markup {
    html! {
        @for part in text.split_inclusive([',', ':', '/']) { (part) wbr; }
    }
}

/// A text in which no line of the page ends within a move: browsers break `d2-f4` after the hyphen.
fn moves(text: &str) -> Markup {
    let is_breakable =
        |word: &str| word.contains('-') && word.contains(|c: char| c.is_alphabetic());
    html! {
        @for part in text.split_inclusive(' ') {
            @if is_breakable(part) { span.whole { (part.trim_end()) } @if part.ends_with(' ') { " " } }
            @else { (part) }
        }
    }
}

/// Whether a move has a line of its own: all but those that simply fail.
fn is_shown(report: &ProblemReport, shown: &MoveReport) -> bool {
    shown.result != MoveResult::Fails || shown.is_try || report.terms == Terms::Loss
}

fn failing(report: &ProblemReport) -> Vec<String> {
    let rest = report.moves.iter().filter(|shown| !is_shown(report, shown));
    let with_reply = |shown: &MoveReport| match &shown.refutation {
        Some(reply) => format!("{} ({reply})", shown.mv),
        None => shown.mv.clone(),
    };
    rest.map(with_reply).collect()
}

/// The board, with an arrow for the key of a sound problem.
fn picture(report: &ProblemReport) -> Option<Markup> {
    let options = Options::of_variant(Some(&report.variant)).ok()?;
    let mut session = open(&options).ok()?;
    session.set_position(Some(&report.setup), &[]).ok()?;
    let key = report.keys.first().filter(|_| report.verdict == Verdict::Sound);
    let view = key.and_then(|key| session.check_move(key).ok());
    let arrows: Vec<Arrow> = view.as_ref().map(Arrow::Better).into_iter().collect();
    Some(BoardPicture::new(session.board(), &report.variant).picture(None, &arrows))
}
