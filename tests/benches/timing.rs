//! The time of a piece of work.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Prints the time of the work for one of its elements: the median of the samples, and the range
/// of the half of them around it.
pub fn measure<T>(name: &str, elements: usize, mut work: impl FnMut() -> T) {
    const SAMPLES: usize = 60;
    const SAMPLE: Duration = Duration::from_millis(50);
    let mut time = |count: u32| {
        let started = Instant::now();
        (0..count).for_each(|_| drop(black_box(work())));
        started.elapsed()
    };
    let mut count = 1;
    while time(count) < SAMPLE {
        count *= 2;
    }
    let samples = (0..SAMPLES).map(|_| time(count).as_secs_f64() / f64::from(count));
    let mut samples: Vec<f64> = samples.map(|time| 1e9 * time / elements as f64).collect();
    samples.sort_by(f64::total_cmp);
    let [low, median, high] = [1, 2, 3].map(|quarter| samples[quarter * SAMPLES / 4]);
    let rate = 1e3 / median;
    println!("{name}: {median:.2} ns ({low:.2} to {high:.2}), {rate:.2} M a second");
}
