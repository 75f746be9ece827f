//! The arithmetic of the network, compiled for the plainest machine and for one with AVX2.
//!
//! Both are the same lines of Rust, so they give the same results. Which one runs is asked for
//! once: a `cargo install` must be fast without flags for the compiler.

#![allow(
    unsafe_code,
    reason = "code for AVX2 may only run where it was found, which the compiler cannot know"
)]

use super::stack::{Slot, slot_for};
use super::{HIDDEN, Inputs, Network, QA};

/// A position as the network sees it.
pub(super) struct Sight {
    /// What each side sees, Black first.
    pub views: [Inputs; 2],
    /// The number of the side to move.
    pub side: usize,
    /// The part of the game.
    pub bucket: usize,
}

/// Which code runs on this machine.
#[derive(Clone, Copy)]
pub(super) struct Path {
    /// Only true where AVX2, POPCNT and BMI were found.
    avx2: bool,
}

impl Path {
    /// The code that runs everywhere.
    pub(super) const PORTABLE: Self = Self { avx2: false };

    /// The fastest code that this machine can run.
    pub(super) fn fastest() -> Self {
        #[cfg(target_arch = "x86_64")]
        let avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1");
        #[cfg(not(target_arch = "x86_64"))]
        let avx2 = false;
        Self { avx2 }
    }

    /// The sum of the weighed accumulators, which are put into `slots` at `ply`.
    #[inline]
    pub(super) fn sum(
        self,
        network: &Network,
        slots: &mut [Slot],
        ply: usize,
        sight: &Sight,
    ) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if self.avx2 {
            // SAFETY: `fastest` has found what the function is compiled for.
            return unsafe { sum_with_avx2(network, slots, ply, sight) };
        }
        sum_anywhere(network, slots, ply, sight)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1")]
fn sum_with_avx2(network: &Network, slots: &mut [Slot], ply: usize, sight: &Sight) -> i32 {
    sum(network, slots, ply, sight)
}

fn sum_anywhere(network: &Network, slots: &mut [Slot], ply: usize, sight: &Sight) -> i32 {
    sum(network, slots, ply, sight)
}

#[inline(always)]
fn sum(network: &Network, slots: &mut [Slot], ply: usize, sight: &Sight) -> i32 {
    let slot = slot_for(network, slots, ply, &sight.views);
    let [own, other] = &network.output_weights[sight.bucket];
    let [black, white] = &slot.accumulators;
    let [ours, theirs] = if sight.side == 0 { [black, white] } else { [white, black] };
    weighed(ours, own) + weighed(theirs, other)
}

/// Adds a row of weights to an accumulator.
#[inline(always)]
pub(super) fn add(sums: &mut [i16; HIDDEN], row: &[i16; HIDDEN]) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

/// Takes a row of weights from an accumulator.
#[inline(always)]
pub(super) fn subtract(sums: &mut [i16; HIDDEN], row: &[i16; HIDDEN]) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(*weight);
    }
}

/// The numbers of an accumulator from 0 to 1, squared and weighed. A number times its weight has
/// 16 bits, so that the compiler finds the instruction that multiplies and adds pairs of those.
#[inline(always)]
fn weighed(sums: &[i16; HIDDEN], weights: &[i16; HIDDEN]) -> i32 {
    let mut total = 0;
    for (sum, weight) in sums.iter().zip(weights) {
        let value = (*sum).clamp(0, QA as i16);
        total += i32::from(value.wrapping_mul(*weight)) * i32::from(value);
    }
    total
}
