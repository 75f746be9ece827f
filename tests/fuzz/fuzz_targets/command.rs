//! Lines of any text: each is a command, or an error that is printed on one line.
// cargo install cargo-fuzz
// cargo +nightly fuzz run --fuzz-dir tests/fuzz command -- -max_total_time=300 (stable: RUSTC_BOOTSTRAP=1 cargo fuzz ...)

#![no_main]

use libfuzzer_sys::fuzz_target;
use soucie::files::printable::one_line;
use soucie::protocol::command;

fuzz_target!(|line: &str| {
    if let Err(error) = command::read(line) {
        assert!(!one_line(&error.to_string()).contains('\n'), "{error}");
    }
});
