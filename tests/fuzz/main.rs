//! Runs every fuzz target on the inputs in `tests/fuzz/corpus`. `tests/external/fuzz/run` looks for
//! other inputs, with libFuzzer. `SOUCIE_FUZZ="setup moves"` runs only these targets.

mod round_trips;
mod targets;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::{env, fs};

use targets::TARGETS;

fn corpus() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fuzz/corpus"))
}

/// The names in a folder, in order. A missing folder has none.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(Result::unwrap);
    entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
}

#[test]
fn every_target_has_a_corpus() {
    let targets: BTreeSet<String> = TARGETS.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(names(corpus()), targets);
    for target in targets {
        assert!(!names(&corpus().join(&target)).is_empty(), "{target} has no inputs");
    }
}

#[test]
fn no_input_of_the_corpus_fails() {
    let mut failed = Vec::new();
    let wanted = env::var("SOUCIE_FUZZ").ok();
    let is_wanted = |target| wanted.as_ref().is_none_or(|all| all.split(' ').any(|t| t == target));
    for (target, check) in TARGETS.into_iter().filter(|(target, _)| is_wanted(*target)) {
        let folder = corpus().join(target);
        for name in names(&folder) {
            let bytes = fs::read(folder.join(&name)).unwrap();
            if catch_unwind(AssertUnwindSafe(|| check(&bytes))).is_err() {
                failed.push(format!("{target}/{name}"));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}
