//! The hint to the CPU to load memory that is read soon.

#![allow(unsafe_code, reason = "the instruction takes a raw pointer, here that of a reference")]

/// Whether Rust has the instruction for this CPU.
pub const HAS_PREFETCH: bool = cfg!(target_arch = "x86_64");

/// Starts to load a value into the cache, without waiting for it. Does nothing without
/// [`HAS_PREFETCH`].
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect but on the cache, and the pointer is valid.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
