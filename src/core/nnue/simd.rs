//! SIMD kernels of the network: a portable version, one for AVX2 and one for WebAssembly.
//!
//! All do the same integer arithmetic and return the same results. AVX2 is selected at run time, so
//! that a `cargo install` build is fast without compiler flags.

#![allow(
    unsafe_code,
    reason = "code for AVX2 may only run where AVX2 is detected, which is not checked at compile time"
)]

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    _mm256_add_epi32, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16,
    _mm256_set1_epi16, _mm256_setzero_si256,
};

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use std::arch::wasm32::{
    i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_splat,
};

#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
use zerocopy::transmute;

use super::accumulator::Accumulators;
use super::network::{HIDDEN, Network, QA};
use crate::game::{Features, Side};

/// The instruction set to use.
#[derive(Clone, Copy)]
pub(super) struct SimdLevel {
    /// Only true if AVX2, POPCNT and BMI1 were detected.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "always false there"))]
    avx2: bool,
}

impl SimdLevel {
    pub(super) const PORTABLE: Self = Self { avx2: false };

    /// The fastest version that this CPU supports.
    pub(super) fn fastest() -> Self {
        #[cfg(target_arch = "x86_64")]
        let avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1");
        #[cfg(not(target_arch = "x86_64"))]
        let avx2 = false;
        Self { avx2 }
    }

    /// The evaluation of a position. Its accumulators are stored at `ply`.
    #[inline]
    pub(super) fn evaluate<P: Features>(
        self,
        network: &Network,
        accumulators: &mut Accumulators,
        ply: usize,
        position: &P,
    ) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if self.avx2 {
            // SAFETY: `fastest` has detected the features for which the function is compiled.
            return unsafe { evaluate_with_avx2(network, accumulators, ply, position) };
        }
        evaluate_portably(network, accumulators, ply, position)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1")]
fn evaluate_with_avx2<P: Features>(
    network: &Network,
    accumulators: &mut Accumulators,
    ply: usize,
    position: &P,
) -> i32 {
    let ([ours, theirs], [our_weights, their_weights], bucket) =
        output_layer(network, accumulators, ply, position);
    let sum =
        activate_and_sum_avx2(ours, our_weights) + activate_and_sum_avx2(theirs, their_weights);
    network.evaluation(sum, bucket)
}

fn evaluate_portably<P: Features>(
    network: &Network,
    accumulators: &mut Accumulators,
    ply: usize,
    position: &P,
) -> i32 {
    let ([ours, theirs], [our_weights, their_weights], bucket) =
        output_layer(network, accumulators, ply, position);
    let sum = activate_and_sum(ours, our_weights) + activate_and_sum(theirs, their_weights);
    network.evaluation(sum, bucket)
}

/// The accumulators, that of the side to move first, their output weights, and the output bucket.
#[inline(always)]
fn output_layer<'a, P: Features>(
    network: &'a Network,
    accumulators: &'a mut Accumulators,
    ply: usize,
    position: &P,
) -> ([&'a [i16; HIDDEN]; 2], &'a [[i16; HIDDEN]; 2], usize) {
    let bucket = P::output_bucket(position.features(Side::Black));
    let accumulators = accumulators.update(network, ply, position);
    (accumulators, &network.output_weights[bucket], bucket)
}

/// The dot product of the squared clipped ReLU of an accumulator and the output weights.
///
/// A clipped value times its weight fits 16 bits. This lets the compiler use the instruction that
/// multiplies 16-bit pairs and adds the products.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn activate_and_sum(sums: &[i16; HIDDEN], weights: &[i16; HIDDEN]) -> i32 {
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

/// The same, because the compiler does not find the instruction for WebAssembly.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn activate_and_sum(sums: &[i16; HIDDEN], weights: &[i16; HIDDEN]) -> i32 {
    let (sums, _) = sums.as_chunks::<8>();
    let (weights, _) = weights.as_chunks::<8>();
    let (zero, one) = (i16x8_splat(0), i16x8_splat(QA as i16));
    let mut totals = i32x4_splat(0);
    for (sum, weight) in sums.iter().zip(weights) {
        let value = i16x8_min(i16x8_max(transmute!(*sum), zero), one);
        let product = i16x8_mul(value, transmute!(*weight));
        totals = i32x4_add(totals, i32x4_dot_i16x8(product, value));
    }
    let totals: [i32; 4] = transmute!(totals);
    totals.iter().sum()
}

/// [`activate_and_sum`] with sixteen numbers per step, where the compiler would use eight.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn activate_and_sum_avx2(sums: &[i16; HIDDEN], weights: &[i16; HIDDEN]) -> i32 {
    let (sums, _) = sums.as_chunks::<16>();
    let (weights, _) = weights.as_chunks::<16>();
    let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA as i16));
    let mut totals = _mm256_setzero_si256();
    for (sum, weight) in sums.iter().zip(weights) {
        let value = _mm256_min_epi16(_mm256_max_epi16(transmute!(*sum), zero), one);
        let product = _mm256_mullo_epi16(value, transmute!(*weight));
        totals = _mm256_add_epi32(totals, _mm256_madd_epi16(product, value));
    }
    let totals: [i32; 8] = transmute!(totals);
    totals.iter().sum()
}
