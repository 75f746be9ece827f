//! `soucie openings`: the explored openings as text and as a page.

use std::fs;

use crate::programs::{empty_folder, failure_of, output_of, soucie};

#[test]
fn openings_are_listed_with_their_replies() {
    let text = output_of(soucie().arg("openings"));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() > 30, "{text}");
    let plies = |line: &&str| (line.len() - line.trim_start().len()) / 2;
    assert_eq!(lines.iter().map(plies).max(), Some(3));
    let games = |line: &&str| line.split_whitespace().nth(1).unwrap().parse::<u32>().unwrap();
    let first: Vec<u32> = lines.iter().filter(|line| plies(line) == 0).map(games).collect();
    assert!(first.iter().sum::<u32>() > 49_000 && first.is_sorted_by(|a, b| a >= b), "{first:?}");
}

#[test]
fn the_page_of_openings_is_self_contained() {
    let folder = empty_folder("openings");
    let page = folder.join("openings.html");
    output_of(soucie().args(["openings", "--html"]).arg(&page));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    assert!(page.matches("<summary>").count() > 100);
    for word in ["://", "src=", "@import", "<link"] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn games_without_explored_openings_are_named() {
    for variant in ["scrambledeggs", "englishdraughts"] {
        let error = failure_of(soucie().args(["openings", "--variant", variant]));
        assert_eq!(error, format!("soucie: no openings of {variant} are explored\n"));
    }
}
