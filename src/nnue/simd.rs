//! The arithmetic of the network, compiled for the plainest machine and for one with AVX2.
//!
//! Both do the same sums of whole numbers, so they give the same results. Which one runs is asked
//! for once: a `cargo install` must be fast without flags for the compiler.

#![allow(
    unsafe_code,
    reason = "code for AVX2 may only run where it was found, which the compiler cannot know"
)]

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    _mm256_add_epi32, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16,
    _mm256_set1_epi16, _mm256_setzero_si256,
};

#[cfg(target_arch = "x86_64")]
use zerocopy::transmute;

use super::accumulators::{Accumulator, accumulators_for};
use super::{HIDDEN, Network, QA};
use crate::game::{Position, Side};

/// Which code runs on this machine.
#[derive(Clone, Copy)]
pub(super) struct SimdLevel {
    /// Only true where AVX2, POPCNT and BMI were found.
    avx2: bool,
}

impl SimdLevel {
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

    /// The evaluation of a position. Its accumulators are put into `slots` at `ply`.
    #[inline]
    pub(super) fn evaluate<P: Position>(
        self,
        network: &Network,
        slots: &mut [Accumulator],
        ply: usize,
        position: &P,
    ) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if self.avx2 {
            // SAFETY: `fastest` has found what the function is compiled for.
            return unsafe { evaluate_with_avx2(network, slots, ply, position) };
        }
        evaluate_anywhere(network, slots, ply, position)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1")]
fn evaluate_with_avx2<P: Position>(
    network: &Network,
    slots: &mut [Accumulator],
    ply: usize,
    position: &P,
) -> i32 {
    let ([ours, theirs], [own, other], bucket) = halves(network, slots, ply, position);
    network.scaled(weighed_with_avx2(ours, own) + weighed_with_avx2(theirs, other), bucket)
}

fn evaluate_anywhere<P: Position>(
    network: &Network,
    slots: &mut [Accumulator],
    ply: usize,
    position: &P,
) -> i32 {
    let ([ours, theirs], [own, other], bucket) = halves(network, slots, ply, position);
    network.scaled(weighed(ours, own) + weighed(theirs, other), bucket)
}

/// The accumulators, that of the side to move first, what each is weighed with, and the part of
/// the game.
#[inline(always)]
fn halves<'a, P: Position>(
    network: &'a Network,
    slots: &'a mut [Accumulator],
    ply: usize,
    position: &P,
) -> ([&'a [i16; HIDDEN]; 2], &'a [[i16; HIDDEN]; 2], usize) {
    let bucket = P::output_bucket(position.features(Side::Black));
    let accumulators = accumulators_for(network, slots, ply, position);
    (accumulators, &network.output_weights[bucket], bucket)
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
fn weighed(sums: &[i16; HIDDEN], weights: &[i16; HIDDEN]) -> i32 {
    let values = sums.map(|sum| sum.clamp(0, QA as i16));
    let mut products = values;
    for (product, weight) in products.iter_mut().zip(weights) {
        *product = product.wrapping_mul(*weight);
    }
    values
        .iter()
        .zip(&products)
        .map(|(value, product)| i32::from(*value) * i32::from(*product))
        .sum()
}

/// The same, sixteen numbers at a time: the compiler would take eight.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn weighed_with_avx2(sums: &[i16; HIDDEN], weights: &[i16; HIDDEN]) -> i32 {
    let (sums, _) = sums.as_chunks::<16>();
    let (weights, _) = weights.as_chunks::<16>();
    let (least, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA as i16));
    let mut totals = _mm256_setzero_si256();
    for (sum, weight) in sums.iter().zip(weights) {
        let value = _mm256_min_epi16(_mm256_max_epi16(transmute!(*sum), least), most);
        let product = _mm256_mullo_epi16(value, transmute!(*weight));
        totals = _mm256_add_epi32(totals, _mm256_madd_epi16(product, value));
    }
    let totals: [i32; 8] = transmute!(totals);
    totals.iter().sum()
}
