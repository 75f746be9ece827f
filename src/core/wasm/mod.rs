//! The entry of the WebAssembly module: the protocol on one thread, for `npm/worker.js`.
//!
//! The interface to the host is four imported and two exported functions; there is no generated
//! glue. Text in UTF-8 and endgame tables pass through the memory of the module.

#![allow(
    unsafe_code,
    reason = "Rust declares imported functions and exported names unsafe, as it cannot check them"
)]

use std::cell::RefCell;
use std::io::{self, Write};
use std::panic;
use std::time::Duration;

use crate::platform::{self, Platform};
use crate::protocol::{Received, SingleThreadLoop};

#[link(wasm_import_module = "soucie")]
unsafe extern "C" {
    /// The milliseconds since a fixed moment.
    safe fn now() -> f64;

    safe fn random() -> u64;

    /// Writes the next line to the memory that [`reserve`] returns. Returns its length, [`NOTHING`]
    /// or [`END`], or [`TABLES`] if the memory has a file of endgame tables instead.
    safe fn receive(waits: bool) -> i32;

    /// Sends lines to the client.
    fn write(text: *const u8, length: usize);
}

const NOTHING: i32 = -1;

const END: i32 = -2;

/// Endgame tables in place of a line.
const TABLES: i32 = -3;

thread_local! {
    /// The line or the file that is being received.
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static PROTOCOL: RefCell<Option<SingleThreadLoop>> = const { RefCell::new(None) };
}

/// Returns memory for a line or a file of `length` bytes, valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Runs the protocol until no line arrives, and returns whether it has ended. The host calls it
/// again when there are more lines. It does not call it while it runs.
#[unsafe(no_mangle)]
pub extern "C" fn run() -> bool {
    PROTOCOL.with_borrow_mut(|protocol| {
        let result = match protocol {
            Some(protocol) => protocol.run(),
            None => start().and_then(|started| protocol.insert(started).run()),
        };
        result.unwrap_or_else(|error| {
            send(&format!("info string error {error}\n"));
            true
        })
    })
}

fn start() -> io::Result<SingleThreadLoop> {
    platform::install(Platform {
        now: || Duration::from_secs_f64(now().max(0.0) / 1e3),
        random: || random(),
    });
    panic::set_hook(Box::new(|panic| {
        let text = panic.to_string().replace('\n', " ");
        send(&format!("info string error a bug in Soucie: {text}\n"));
    }));
    SingleThreadLoop::new(next_input, HostOutput).map_err(io::Error::other)
}

fn next_input(waits: bool) -> Received {
    match receive(waits) {
        NOTHING => Received::Nothing,
        END => Received::End,
        TABLES => Received::Tables(INPUT.take()),
        _ => Received::Text(INPUT.take()),
    }
}

fn send(text: &str) {
    // SAFETY: the host only reads the text, before it returns.
    unsafe { write(text.as_ptr(), text.len()) }
}

/// Sends each write to the client.
struct HostOutput;

impl Write for HostOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        send(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
