//! Runs the fuzz target that `SOUCIE_FUZZ` names with libFuzzer: see `run`.

#![no_main]

#[path = "../../fuzz/targets/mod.rs"]
mod targets;

use std::env;
use std::sync::OnceLock;

use targets::{Check, TARGETS};

fn selected() -> Check {
    let name = env::var("SOUCIE_FUZZ").unwrap_or_default();
    let found = TARGETS.iter().find(|(known, _)| *known == name);
    let names = TARGETS.map(|(name, _)| name).join(" ");
    found.unwrap_or_else(|| panic!("SOUCIE_FUZZ is '{name}', expected one of {names}")).1
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    static CHECK: OnceLock<Check> = OnceLock::new();
    CHECK.get_or_init(selected)(bytes);
});
