//! `soucie man` and `soucie completions`: what they add to the pages and scripts of their libraries.

use std::fs;
use std::process::Output;

use crate::programs::{self, empty_folder};

fn soucie(words: &[&str]) -> Output {
    programs::soucie().args(words).output().unwrap()
}

#[test]
fn manual_pages_have_the_details_and_examples_of_the_help() {
    let folder = empty_folder("documents/pages");
    fs::write(folder.join("soucie-tables.1"), "an old page").unwrap();
    assert!(soucie(&["man", folder.to_str().unwrap()]).status.success());
    let page = fs::read_to_string(folder.join("soucie-tables.1")).unwrap();
    let title = concat!(".TH SOUCIE-TABLES 1 \" \" \"Soucie ", env!("CARGO_PKG_VERSION"), "\"");
    let prose = "\n.SH DETAILS\nTables are exact: ";
    let table = "\n.nf\n  2 pieces: 3488 positions, ";
    let examples = "\n.SH EXAMPLES\n.nf\n  soucie tables build\n";
    for text in [title, prose, table, examples] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(folder.join("soucie-tables-build.1").exists());
}

#[test]
fn unwritable_manual_pages_are_reported() {
    let folder = empty_folder("documents/taken");
    let page = folder.join("soucie.1");
    fs::create_dir(&page).unwrap();
    let output = soucie(&["man", folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with(&format!("soucie: {}: ", page.display())), "{error}");
}

#[test]
fn completions_have_the_names_of_variants_and_levels() {
    let output = soucie(&["completions", "bash"]);
    let script = String::from_utf8(output.stdout).unwrap();
    for names in ["linesofaction loa ", "beginner easy medium hard full"] {
        assert!(script.contains(names), "{names}: {script}");
    }
}
