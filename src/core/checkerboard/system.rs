//! What the library asks of the system. Only on Windows there are windows that load it: they have a code
//! page, and may unload a library while it searches.

#![allow(unsafe_code, reason = "the functions of Windows take pointers, which Rust cannot check")]

use std::ffi::c_void;

#[cfg(not(windows))]
pub use portable::*;
#[cfg(windows)]
pub use windows::*;

/// A function that a timer calls.
pub type Timer = unsafe extern "system" fn(*mut c_void, bool);

#[cfg(not(windows))]
mod portable {
    use std::path::PathBuf;

    use super::Timer;

    /// The text of these bytes.
    pub fn decode(bytes: &[u8]) -> String {
        String::from_utf8_lossy(bytes).into_owned()
    }

    pub fn encode(text: &str) -> Vec<u8> {
        text.as_bytes().to_vec()
    }

    /// The file of the library, which is not asked for here.
    pub fn own_file() -> Option<PathBuf> {
        None
    }

    /// Prepares a search by this thread.
    pub fn begin_search(_: Timer) {}

    /// Gives this thread the priority of the one that began the search. Linux does so by itself.
    pub fn take_priority() {}
}

#[cfg(windows)]
mod windows {
    use std::cell::Cell;
    use std::ffi::OsString;
    use std::os::windows::ffi::OsStringExt;
    use std::path::PathBuf;
    use std::ptr;
    use std::sync::Once;
    use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

    use windows_sys::Win32::Foundation::HMODULE;
    use windows_sys::Win32::Globalization::*;
    use windows_sys::Win32::System::LibraryLoader::*;
    use windows_sys::Win32::System::Threading::*;

    use super::Timer;

    const LONGEST_PATH: usize = 1 << 15;

    const MINUTE: u32 = 60_000;

    /// The priority of the thread that began the last search.
    static PRIORITY: AtomicI32 = AtomicI32::new(THREAD_PRIORITY_NORMAL);

    thread_local! {
        static TAKEN: Cell<i32> = const { Cell::new(THREAD_PRIORITY_NORMAL) };
    }

    /// The text of these bytes in the code page of Windows.
    pub fn decode(bytes: &[u8]) -> String {
        let mut units = vec![0; bytes.len()];
        let (from, length) = (bytes.as_ptr(), bytes.len() as i32);
        // SAFETY: both lengths are those of the slices. No character has more code units than bytes.
        let written =
            unsafe { MultiByteToWideChar(CP_ACP, 0, from, length, units.as_mut_ptr(), length) };
        units.truncate(written.max(0) as usize);
        String::from_utf16_lossy(&units)
    }

    /// The bytes of a text in the code page of Windows, with question marks for what it lacks.
    pub fn encode(text: &str) -> Vec<u8> {
        /// The most bytes of a code unit in any code page.
        const MOST: usize = 4;
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut bytes = vec![0; MOST * units.len()];
        let [from, to] = [units.len() as i32, bytes.len() as i32];
        // SAFETY: both lengths are those of the slices.
        let written = unsafe {
            let flags = if GetACP() == CP_UTF8 { 0 } else { WC_NO_BEST_FIT_CHARS };
            let place = bytes.as_mut_ptr();
            let (default, used) = (ptr::null(), ptr::null_mut());
            WideCharToMultiByte(CP_ACP, flags, units.as_ptr(), from, place, to, default, used)
        };
        bytes.truncate(written.max(0) as usize);
        bytes
    }

    pub fn own_file() -> Option<PathBuf> {
        let module = own_module(GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT)?;
        let mut units = vec![0; LONGEST_PATH];
        // SAFETY: the length is that of the slice.
        let length = unsafe { GetModuleFileNameW(module, units.as_mut_ptr(), LONGEST_PATH as u32) };
        let path = units.get(..length as usize).filter(|path| !path.is_empty())?;
        Some(OsString::from_wide(path).into())
    }

    /// Prepares a search by this thread: its priority counts, and the library stays loaded from now on,
    /// because the window may free it during the search, and nothing tells when this thread has left it.
    /// `look` is called every minute from then on.
    pub fn begin_search(look: Timer) {
        static STAYS: Once = Once::new();
        STAYS.call_once(|| {
            own_module(GET_MODULE_HANDLE_EX_FLAG_PIN);
            let (mut timer, queue, nothing) = (ptr::null_mut(), ptr::null_mut(), ptr::null());
            let (look, kind) = (Some(look), WT_EXECUTEDEFAULT);
            // SAFETY: the function stays loaded. The timer runs until the process ends.
            unsafe {
                CreateTimerQueueTimer(&mut timer, queue, look, nothing, MINUTE, MINUTE, kind);
            }
        });
        // SAFETY: every thread has a priority.
        PRIORITY.store(unsafe { GetThreadPriority(GetCurrentThread()) }, Relaxed);
    }

    /// Gives this thread the priority of the one that began the search.
    pub fn take_priority() {
        let priority = PRIORITY.load(Relaxed);
        if TAKEN.replace(priority) != priority {
            // SAFETY: the handle is that of this thread.
            unsafe { SetThreadPriority(GetCurrentThread(), priority) };
        }
    }

    fn own_module(flags: u32) -> Option<HMODULE> {
        let mut module = ptr::null_mut();
        let flags = flags | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS;
        // SAFETY: the address is that of a function of the module, in place of a name.
        let found = unsafe { GetModuleHandleExW(flags, own_module as *const u16, &mut module) };
        (found != 0).then_some(module)
    }
}
