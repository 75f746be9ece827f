//! The training and validation positions.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use serde::Serialize;

use super::TrainSettings;
use super::model::{Example, sigmoid};
use crate::samples::{self, Header, Sample};
use soucie::files::hash::{hex, sha256};
use soucie::files::{named, regular};
use soucie::game::{FeatureBits, Game, mix, oriented};
use soucie::nnue::{MAX_SCALE, active_inputs};
use soucie_program::error::CommandError;

/// A position in the compact form that is held in memory.
#[derive(Clone, Copy, Debug)]
pub struct TrainingPosition {
    inputs: FeatureBits,
    /// The score divided by the scale: the log-odds of the expected result.
    logit: f32,
    /// The result of the game for the side to move in half points, 0 to 2.
    result: u8,
}

#[derive(Debug, Default)]
pub struct Data {
    pub training: Vec<TrainingPosition>,
    /// The positions of the held-out games, for validation.
    pub validation: Vec<TrainingPosition>,
    pub files: Vec<Source>,
}

#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Source {
    file: String,
    sha256: String,
    games: Vec<Header>,
    /// The score units per logit. Each evaluation has its own scale.
    pub scale: i32,
}

/// The name of the variant of the first file.
pub fn variant(settings: &TrainSettings) -> Result<String, CommandError> {
    let Some(path) = settings.data.first() else { return Err(no_positions()) };
    let file = regular::open(path).map_err(|error| named(path, error))?;
    for block in samples::Reader::new(file, path) {
        if let samples::Block::Header(header) = block? {
            return Ok(header.variant);
        }
    }
    Err(no_positions())
}

fn no_positions() -> CommandError {
    CommandError::Other("the data contains no training positions".to_string())
}

/// The error that no scale can be fitted, and none is given.
pub fn no_scale() -> CommandError {
    let error = "the scores do not predict the results: set --scale or train on more games";
    CommandError::Other(error.to_string())
}

impl Data {
    pub fn read<P: Game>(settings: &TrainSettings) -> Result<Self, CommandError> {
        let mut data = Self::default();
        for path in &settings.data {
            let (headers, samples) = samples::read(path)?;
            headers.iter().try_for_each(|header| header.expect::<P>(path))?;
            let samples: Vec<Sample> = samples
                .into_iter()
                .filter(|sample| !(settings.skip_noisy && sample.noisy))
                .collect();
            // A file without samples has no fitted scale and needs none.
            if samples.is_empty() {
                continue;
            }
            let scale = fit_scale(&samples).or(settings.scale).ok_or_else(no_scale)?;
            for sample in &samples {
                data.add(sample, scale, settings.validation);
            }
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let sha256 = hex(&sha256(path).map_err(|error| named(path, error))?);
            data.files.push(Source { file, sha256, games: headers, scale });
        }
        match data.training.len() {
            0 => Err(no_positions()),
            n if u32::try_from(n).is_err() => {
                let error = format!("the data contains more than {} positions", u32::MAX);
                Err(CommandError::Other(error))
            }
            _ => Ok(data),
        }
    }

    fn add(&mut self, sample: &Sample, scale: i32, validation: f64) {
        let &Sample { inputs, score, result, .. } = sample;
        // Whole games are held out, because the positions of one game resemble each other.
        let is_held_out = unit(mix(u64::from(sample.game))) < validation;
        let set = if is_held_out { &mut self.validation } else { &mut self.training };
        set.push(TrainingPosition { inputs, logit: f32::from(score) / scale as f32, result });
    }
}

/// The scale at which the scores best predict the results, by maximum likelihood; `None` if they
/// do not predict them.
fn fit_scale(samples: &[Sample]) -> Option<i32> {
    // The number of positions and the sum of half points for each score.
    let mut counts = vec![(0_u64, 0_u64); 1 << 16];
    for sample in samples {
        if let Some(count) = counts.get_mut(usize::from(sample.score as u16)) {
            *count = (count.0 + 1, count.1 + u64::from(sample.result));
        }
    }
    // Newton's method for the inverse of the scale.
    let mut inverse = 0.0;
    for _ in 0..100 {
        let (mut slope, mut bend) = (0.0, 0.0);
        for (score, &(positions, points)) in counts.iter().enumerate() {
            let score = f64::from(score as u16 as i16);
            let expected = 1.0 / (1.0 + (-score * inverse).exp());
            slope += score * (points as f64 / 2.0 - positions as f64 * expected);
            bend += positions as f64 * score * score * expected * (1.0 - expected);
        }
        let step: f64 = slope / bend;
        // Bounded, because a step far from the optimum can overshoot.
        inverse += step.clamp(-0.01, 0.01);
        if step.abs() < 1e-9 {
            break;
        }
    }
    let scale = (1.0 / inverse).round();
    (scale >= 1.0 && scale <= f64::from(MAX_SCALE)).then_some(scale as i32)
}

/// Makes training examples from positions.
#[derive(Clone, Copy, Debug)]
pub struct Teacher {
    /// The weight of the game's result in the target; the score has the rest.
    pub blend: f64,
    /// Whether pairs are inputs too.
    pub pairs: bool,
}

impl Teacher {
    /// The training example of a position under one of the game's symmetries.
    pub fn example<P: Game>(&self, position: &TrainingPosition, symmetry: usize) -> Example {
        let inputs = P::transformed(position.inputs, symmetry);
        let result = f32::from(position.result) / 2.0;
        let score = sigmoid(position.logit);
        let blend = self.blend as f32;
        let views = [inputs, P::flip(inputs)];
        Example {
            inputs: views.map(|view| {
                active_inputs::<P>(oriented::<P>(view), P::input_bucket(view), self.pairs)
            }),
            output_bucket: P::output_bucket(inputs),
            target: blend * result + (1.0 - blend) * score,
            result,
        }
    }
}

/// Maps random bits to a number from 0 up to, but excluding, 1.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}
