//! The training loop: epochs of shuffled batches.
//!
//! Training is reproducible: the same data, settings and seed give the same network, bit for bit,
//! with any number of threads. Floating-point sums depend on the order of addition, so each batch
//! is always cut into the same slices, and the slices are always summed in the same order.

use std::f64::consts::PI;
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde::Serialize;

use super::TrainSettings;
use super::data::{Data, Teacher, TrainingPosition};
use super::model::{Buckets, Example, Weights, sigmoid};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use soucie::game::{Game, mix};
use soucie::nnue::{HIDDEN, INPUT_LIMIT, Network, OUTPUT_LIMIT, PAIR_LIMIT, QA, QB};

/// The number of slices of a batch, and so the maximum number of threads in use.
const SLICES: usize = 16;
/// The number of validation positions in one task.
const VALIDATION_CHUNK: usize = 4096;

/// Sums or means of squared errors.
#[derive(Clone, Copy, PartialEq, Serialize, Debug, Default)]
pub struct Errors {
    /// The error against the results of the games.
    pub result: f64,
    /// The error against the training targets.
    pub target: f64,
}

impl Errors {
    fn add(&mut self, example: &Example, expected: f32) {
        self.result += f64::from(expected - example.result).powi(2);
        self.target += f64::from(expected - example.target).powi(2);
    }

    fn mean<'a>(sums: impl Iterator<Item = &'a Self>, count: usize) -> Self {
        let sum = sums.fold(Self::default(), |sum, part| Self {
            result: sum.result + part.result,
            target: sum.target + part.target,
        });
        let count = count.max(1) as f64;
        Self { result: sum.result / count, target: sum.target / count }
    }
}

/// The state of a training. With data and settings, it determines the rest of the training.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    pub epochs: u32,
    pub weights: Weights,
    pub adam: Adam,
    /// The mean training errors during the last epoch.
    pub training: Errors,
    /// The mean validation errors after the last epoch; `None` without held-out games.
    pub validation: Option<Errors>,
}

impl State {
    /// The initial state: the weights of a network, or random ones.
    pub fn new(start: Option<&Network>, buckets: Buckets, seed: u64) -> Self {
        let random = || Weights::random(buckets, mix(seed));
        Self {
            epochs: 0,
            weights: start.map_or_else(random, |network| Weights::from_network(network, buckets)),
            adam: Adam::new(buckets),
            training: Errors::default(),
            validation: None,
        }
    }
}

/// Trains a network for the game `P`.
pub struct Trainer<'a, P> {
    data: &'a Data,
    settings: &'a TrainSettings,
    teacher: Teacher,
    slices: Vec<BatchPart>,
    game: PhantomData<P>,
}

/// The gradient and errors of a part of a batch.
struct BatchPart {
    gradient: Weights,
    errors: Errors,
}

impl<'a, P: Game> Trainer<'a, P> {
    /// Creates a trainer and allocates its gradients.
    pub fn new(
        data: &'a Data,
        settings: &'a TrainSettings,
        teacher: Teacher,
        buckets: Buckets,
    ) -> Self {
        let slice = || BatchPart { gradient: Weights::zero(buckets), errors: Errors::default() };
        let slices = (0..SLICES).map(|_| slice()).collect();
        Self { data, settings, teacher, slices, game: PhantomData }
    }

    fn batch(&self) -> usize {
        (self.settings.batch as usize).min(self.data.training.len())
    }

    /// The number of positions in an epoch, a multiple of the batch size. The remainder is left
    /// out; each epoch has its own random order, so that these positions occur in others.
    pub fn positions(&self) -> usize {
        self.data.training.len() / self.batch() * self.batch()
    }

    /// Trains one epoch. `on_batch` is called after each batch with its number of positions.
    pub fn epoch(&mut self, state: &mut State, on_batch: &dyn Fn(usize)) {
        let batch = self.batch();
        let steps = (self.positions() / batch) as u64 * u64::from(self.settings.epochs);
        let seed = mix(self.settings.seed ^ mix(u64::from(state.epochs) + 1));
        let mut sum = Weights::zero(state.weights.buckets());
        self.slices.iter_mut().for_each(|slice| slice.errors = Errors::default());
        for batch in order(self.data.training.len(), seed).chunks_exact(batch) {
            self.differentiate(batch, seed, &state.weights);
            self.sum_up(batch.len(), &mut sum);
            let (first, last) = (self.settings.rate, self.settings.final_rate);
            let rate = cosine(first, last, state.adam.steps, steps);
            state.adam.step(&mut state.weights, &sum, rate);
            on_batch(batch.len());
        }
        state.epochs += 1;
        state.training =
            Errors::mean(self.slices.iter().map(|slice| &slice.errors), self.positions());
        state.validation = self.validate(&state.weights);
    }

    /// Computes the gradients and errors of the slices of a batch.
    fn differentiate(&mut self, batch: &[u32], seed: u64, weights: &Weights) {
        let (data, teacher) = (self.data, self.teacher);
        let parts = batch.chunks(batch.len().div_ceil(SLICES));
        // A batch may have fewer positions than slices.
        let parts = parts.chain(std::iter::repeat(&[][..]));
        in_parallel(self.settings.threads, self.slices.iter_mut().zip(parts), |(slice, part)| {
            slice.gradient.values_mut().fill(0.0);
            for &number in part {
                let symmetry = mix(seed ^ u64::from(number)) % P::SYMMETRIES as u64;
                let position = &data.training[number as usize];
                let example = teacher.example::<P>(position, symmetry as usize);
                let expected = weights.learn(&example, &mut slice.gradient);
                slice.errors.add(&example, expected);
            }
        });
    }

    /// Writes the mean gradient of a batch of `count` positions to `sum`.
    fn sum_up(&self, count: usize, sum: &mut Weights) {
        let share = 1.0 / count as f32;
        sum.values_mut().fill(0.0);
        for slice in &self.slices {
            for (sum, value) in sum.values_mut().iter_mut().zip(slice.gradient.values()) {
                *sum += value * share;
            }
        }
    }

    /// The mean validation errors; `None` without held-out games.
    fn validate(&self, weights: &Weights) -> Option<Errors> {
        let positions = &self.data.validation;
        let mut errors = vec![Errors::default(); positions.len().div_ceil(VALIDATION_CHUNK)];
        let chunks = errors.iter_mut().zip(positions.chunks(VALIDATION_CHUNK));
        in_parallel(
            self.settings.threads,
            chunks,
            |(errors, chunk): (&mut Errors, &[TrainingPosition])| {
                for position in chunk {
                    let example = self.teacher.example::<P>(position, 0);
                    errors.add(&example, sigmoid(weights.logit(&example)));
                }
            },
        );
        (!positions.is_empty()).then(|| Errors::mean(errors.iter(), positions.len()))
    }
}

/// The indices of the positions in the shuffled order of an epoch.
fn order(count: usize, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    order
}

/// Runs the tasks on this number of threads, but on at most [`SLICES`].
fn in_parallel<T: Send>(
    threads: u16,
    tasks: impl Iterator<Item = T> + Send,
    work: impl Fn(T) + Sync,
) {
    let tasks = Mutex::new(tasks);
    let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run_tasks = || {
        while let Some(task) = next() {
            work(task);
        }
    };
    thread::scope(|scope| {
        for _ in 1..usize::from(threads).min(SLICES) {
            scope.spawn(run_tasks);
        }
        run_tasks();
    });
}

/// The decay rates of the first and second moments (beta 1 and beta 2).
const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
/// Keeps the step finite while the second moment is zero.
const EPSILON: f32 = 1e-8;
/// The largest absolute value of a weight that fits in the quantised network.
const LIMIT: f32 = INPUT_LIMIT as f32 / QA as f32;
/// That of the weight of a pair.
const LIMIT_OF_PAIRS: f32 = PAIR_LIMIT as f32 / QA as f32;

const _: () = assert!(LIMIT * QB as f32 <= OUTPUT_LIMIT as f32);

#[derive(Clone, PartialEq, Debug)]
pub struct Adam {
    /// The first moment: the moving average of the gradients.
    pub mean: Weights,
    /// The second moment: the moving average of their squares.
    pub square: Weights,
    pub steps: u64,
}

impl Adam {
    /// The initial state, for a network with these numbers of buckets.
    pub fn new(buckets: Buckets) -> Self {
        Self { mean: Weights::zero(buckets), square: Weights::zero(buckets), steps: 0 }
    }

    /// Updates the weights with a gradient and a learning rate.
    pub fn step(&mut self, weights: &mut Weights, gradient: &Weights, rate: f64) {
        self.steps += 1;
        // Bias correction: both averages start at zero.
        let steps = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let mean_share = 1.0 - f64::from(MEAN_DECAY).powi(steps);
        let square_share = 1.0 - f64::from(SQUARE_DECAY).powi(steps);
        let rate = (rate / mean_share) as f32;
        let spread = (1.0 / square_share.sqrt()) as f32;
        let pairs = weights.pair_rows();
        let pairs = pairs.start * HIDDEN..pairs.end * HIDDEN;
        let averages = self.mean.values_mut().iter_mut().zip(self.square.values_mut());
        let values = weights.values_mut().iter_mut().zip(gradient.values());
        for (number, ((weight, slope), (mean, square))) in values.zip(averages).enumerate() {
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * slope;
            *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * slope * slope;
            let changed = *weight - rate * *mean / (square.sqrt() * spread + EPSILON);
            let limit = if pairs.contains(&number) { LIMIT_OF_PAIRS } else { LIMIT };
            *weight = changed.clamp(-limit, limit);
        }
    }
}

/// The learning rate at `step` of `steps`: cosine annealing from `first` to `last`.
pub fn cosine(first: f64, last: f64, step: u64, steps: u64) -> f64 {
    let way = step as f64 / steps.saturating_sub(1).max(1) as f64;
    last + (first - last) * (1.0 + (PI * way.min(1.0)).cos()) / 2.0
}
