//! `soucie man` and `soucie completions`: what they add to the pages and scripts of their libraries.

use std::fs;

use crate::programs::{self, Ran, empty_folder, run};

fn soucie(words: &[&str]) -> Ran {
    run(programs::soucie().args(words))
}

#[test]
fn manual_pages_have_the_details_and_examples_of_the_help() {
    let folder = empty_folder("documents/pages");
    fs::write(folder.join("soucie-tables.1"), "an old page").unwrap();
    assert!(soucie(&["man", folder.to_str().unwrap()]).succeeded());
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
    assert_eq!(output.code, Some(1));
    let error = output.err;
    assert!(error.starts_with(&format!("soucie: {}: ", page.display())), "{error}");
}

#[test]
fn completions_have_the_names_of_variants_and_levels() {
    let script = soucie(&["completions", "bash"]).out;
    for names in ["linesofaction loa ", "beginner easy medium hard full"] {
        assert!(script.contains(names), "{names}: {script}");
    }
}
