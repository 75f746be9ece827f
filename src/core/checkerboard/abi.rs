//! The functions that the window calls. What they get is copied or wrapped at once; the rest is in
//! the modules beside this one.

#![allow(
    unsafe_code,
    reason = "the window passes pointers, which Rust cannot check, and finds functions by their names"
)]

use std::ffi::{c_char, c_int, c_void};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex};

use super::board::{self, CbMove, Squares};
use super::player::{Claim, Window};
use super::time::Time;
use super::{Library, lock, system};

/// The one object behind the functions, which have no argument for it.
static LIBRARY: Mutex<Option<Arc<Library>>> = Mutex::new(None);

/// The bytes of a reply and of the status bar, with the zero at the end.
const LONGEST_TEXT: usize = 1024;

/// The bytes of a name, with the zero at the end.
const LONGEST_NAME: usize = 256;

/// The bytes that are read of a command.
const LONGEST_COMMAND: usize = 16 << 10;

/// Searches a move, and writes the board after it to `board`. Returns what is certain: 0 for a draw,
/// 1 for a win, 2 for a loss, else 3.
///
/// # Safety
///
/// Each pointer is null, or that of the type that the interface describes: `text` has 1024 bytes, and
/// `plays_now` may change during the call.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn getmove(
    board: *mut Squares,
    colour: c_int,
    seconds: f64,
    text: *mut c_char,
    plays_now: *const c_int,
    info: c_int,
    more: c_int,
    description: *mut CbMove,
) -> c_int {
    system::begin_search(look);
    let mut window = CallingWindow { plays_now, text };
    // SAFETY: the caller guarantees a board of plain numbers, which no other thread changes.
    let Some(squares) = (unsafe { board.as_ref() }).copied() else {
        return Claim::Unknown as c_int;
    };
    let reply = guarded(|library| {
        library.get_move(&squares, colour, Time::read(seconds, info, more), &mut window)
    });
    let reply = match reply {
        Some(Ok(reply)) => reply,
        Some(Err(error)) => {
            window.show(&error.to_string());
            return Claim::Unknown as c_int;
        }
        None => {
            window.show("a bug in Soucie ended the search");
            return Claim::Unknown as c_int;
        }
    };
    if let Some((mv, after)) = reply.played {
        // SAFETY: as above.
        unsafe { board.write(after) };
        if !description.is_null() {
            // SAFETY: the caller guarantees a place for the description of a move.
            unsafe { description.write(board::describe(&squares, &mv)) };
        }
    }
    reply.claim as c_int
}

/// Executes a command and writes the reply. Returns 1; 0 and `?` if it is not handled.
///
/// # Safety
///
/// `command` is null or ends with a zero byte; `reply` is null or has 1024 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn enginecommand(command: *const c_char, reply: *mut c_char) -> c_int {
    // SAFETY: the caller guarantees the zero byte.
    let command = unsafe { read_text(command) };
    let answer = guarded(|library| {
        let answer = library.answer(&command);
        library.prepare();
        answer
    });
    let answer = answer.flatten();
    // SAFETY: the caller guarantees the place for the reply.
    unsafe { write_text(reply, answer.as_deref().unwrap_or("?"), LONGEST_TEXT) };
    answer.is_some().into()
}

/// Returns 1 if a move between two squares, given by their numbers, is legal, and describes it; else 0.
///
/// # Safety
///
/// Each pointer is null, or that of the type that the interface describes.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn islegal(
    board: *const Squares,
    colour: c_int,
    from: c_int,
    to: c_int,
    description: *mut CbMove,
) -> c_int {
    // SAFETY: the caller guarantees a board of plain numbers, which no other thread changes.
    let Some(squares) = (unsafe { board.as_ref() }).copied() else { return 0 };
    let Some(mv) = guarded(|library| library.legal_move(&squares, colour, from, to)).flatten()
    else {
        return 0;
    };
    if !description.is_null() {
        // SAFETY: the caller guarantees a place for the description of a move.
        unsafe { description.write(mv) };
    }
    1
}

/// Writes the name of the engine. Returns 1.
///
/// # Safety
///
/// `name` is null or has 256 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn enginename(name: *mut c_char) -> c_int {
    let own = guarded(|library| library.answer("name")).flatten().unwrap_or_default();
    // SAFETY: the caller guarantees the place for the name.
    unsafe { write_text(name, &own, LONGEST_NAME) };
    1
}

/// Runs a function of the library. `None` if it panics: no panic may reach the caller.
fn guarded<T>(run: impl FnOnce(&Library) -> T) -> Option<T> {
    let run = || {
        let library = Arc::clone(lock(&LIBRARY).get_or_insert_with(|| {
            // The window has no output.
            panic::set_hook(Box::new(|_| ()));
            Arc::new(Library::new(system::own_file(), Arc::new(|_| system::take_priority())))
        }));
        run(&library)
    };
    panic::catch_unwind(AssertUnwindSafe(run)).ok()
}

/// Called by a timer: frees memory when no move has been asked for in a while.
unsafe extern "system" fn look(_: *mut c_void, _: bool) {
    guarded(Library::rest);
}

/// Frees the memory, before the library is unloaded.
#[cfg(any(windows, target_os = "linux"))]
fn release() {
    let _ = panic::catch_unwind(|| LIBRARY.try_lock().map(|mut library| drop(library.take())));
}

/// Called by Windows for each thread, and when the library is loaded and unloaded. It is no `DllMain`,
/// because that would be an exported name.
#[cfg(windows)]
#[used]
#[unsafe(link_section = ".CRT$XLB")]
static UNLOADED: extern "system" fn(*mut (), u32, *mut ()) = {
    extern "system" fn called(_: *mut (), reason: u32, process_ends: *mut ()) {
        const UNLOADED: u32 = 0;
        // At the end of a process its other threads have been ended, whatever they held.
        if reason == UNLOADED && process_ends.is_null() {
            release();
        }
    }
    called
};

/// Called by Linux when the library is unloaded.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".fini_array")]
static UNLOADED: extern "C" fn() = {
    extern "C" fn called() {
        release();
    }
    called
};

/// The window that waits for a move, by the pointers that it passes.
struct CallingWindow {
    plays_now: *const c_int,
    text: *mut c_char,
}

impl Window for CallingWindow {
    fn plays_now(&self) -> bool {
        // SAFETY: the caller of `getmove` guarantees the pointer during the call. Another thread of the
        // window may write the number, so it is read anew each time.
        !self.plays_now.is_null() && unsafe { self.plays_now.read_volatile() } != 0
    }

    fn show(&mut self, text: &str) {
        // SAFETY: the caller of `getmove` guarantees the place during the call.
        unsafe { write_text(self.text, text, LONGEST_TEXT) };
    }
}

/// Reads a text up to the zero byte, at most [`LONGEST_COMMAND`] bytes.
///
/// # Safety
///
/// `text` is null or ends with a zero byte.
unsafe fn read_text(text: *const c_char) -> String {
    let mut bytes = Vec::new();
    while !text.is_null() && bytes.len() < LONGEST_COMMAND {
        // SAFETY: no byte before this one is the zero at the end.
        let byte = unsafe { text.add(bytes.len()).read() } as u8;
        if byte == 0 {
            break;
        }
        bytes.push(byte);
    }
    system::decode(&bytes)
}

/// Writes a text with a zero byte at the end, cut to the size of the place.
///
/// # Safety
///
/// `place` is null or has `size` bytes.
unsafe fn write_text(place: *mut c_char, text: &str, size: usize) {
    if place.is_null() {
        return;
    }
    // A character is at least a byte. It is written as a whole, or not.
    let mut text: String = text.replace('\0', "?").chars().take(size - 1).collect();
    let mut bytes = system::encode(&text);
    while bytes.len() >= size {
        text.pop();
        bytes = system::encode(&text);
    }
    for (at, byte) in bytes.into_iter().chain([0]).enumerate() {
        // SAFETY: at most `size` bytes are written.
        unsafe { place.add(at).write(byte as c_char) };
    }
}
