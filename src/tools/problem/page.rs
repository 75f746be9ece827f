//! The HTML page of a check: each problem with its board, its moves and the verdict.

use maud::{Markup, PreEscaped, html};

use super::report::{MoveReport, MoveResult, ProblemReport, Verdict};
use super::terms::Terms;
use crate::analysis::html::board::{Arrow, BoardPicture};
use crate::analysis::html::{PageText, beginning, capitalised, end};
use crate::engine::open;
use crate::options::Options;

/// The page.
pub fn page(results: &[Result<ProblemReport, String>]) -> String {
    let entries: Vec<String> = results.iter().flatten().map(entry).collect();
    let sections: String = results.iter().map(|result| section(result).into_string()).collect();
    beginning(&PageText { title: "Problems", note: NOTE }, &entries) + &sections + &end()
}

const NOTE: &str = "A move keeps the result or fails where this is proved; the rest is open. A problem is \
    sound if exactly one move keeps the result, and so on along the solution.";

fn entry(report: &ProblemReport) -> String {
    html! {
        li value=(report.problem) {
            a href={ "#s" (report.problem) } { code { (report.setup) } }
            span.soft { (report.terms_text()) ": " (report.verdict_text()) }
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
                    p { code { (report.setup) } }
                    p.verdict { b { (report.terms_text()) "." } }
                    p.verdict { (capitalised(&report.verdict_text())) "." }
                    ul {
                        @for shown in report.moves.iter().filter(|shown| is_shown(report, shown)) {
                            li { b { (shown.mv) } ": " (shown.text(report.terms)) }
                        }
                    }
                    @let failing = failing(report);
                    @if !failing.is_empty() {
                        p.soft { "All others fail: " (failing.join(", ")) "." }
                    }
                    @for solution in &report.solutions {
                        p {
                            (if solution.is_recorded { "Published: " } else { "Solution: " })
                            (solution.moves.join(" "))
                        }
                        @if let Some(variations) = solution.variations_text() {
                            p.soft { "Variations: " (variations) }
                        }
                    }
                    @let (duals, others) = report.shown_duals();
                    @for dual in duals { p.soft { (dual.place()) } }
                    @if let Some(others) = others { p.soft { (others) } }
                }
            }
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
