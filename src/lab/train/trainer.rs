//! The training loop: epochs of shuffled batches.
//!
//! Training is reproducible: the same data, settings and seed give the same network, bit for bit,
//! with any number of threads. Floating-point sums depend on the order of addition, so each batch
//! is always cut into the same slices, and the slices are always summed in the same order.

use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};
use std::thread;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use serde::Serialize;

use super::data::{Data, Teacher, TrainingPosition};
use super::model::{Buckets, Example, Weights, sigmoid};
use super::optimiser::{Adam, cosine};
use super::settings::TrainSettings;
use soucie::game::{Game, mix};
use soucie::nnue::Network;

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
