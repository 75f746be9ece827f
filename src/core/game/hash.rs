//! Hash keys.

/// The finalizer of SplitMix64, which spreads a number over 64 bits. Hash keys are made with it.
pub const fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The hash of a position key and of the plies left on two move counters, where these exist.
#[inline]
pub fn key_with_counters(key: u64, [first, second]: [Option<u16>; 2]) -> u64 {
    let hash = |plies: u16, salt| mix(salt + u64::from(plies) + 1);
    let key = first.map_or(key, |plies| key ^ hash(plies, 0));
    second.map_or(key, |plies| key ^ hash(plies, 1 << 32))
}
