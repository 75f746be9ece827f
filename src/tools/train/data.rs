//! The positions to learn from, and those that are held out.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs::File;
use std::io;
use std::path::Path;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::TrainError;
use super::model::{Example, sigmoid};
use super::settings::{MAX_SCALE, Settings};
use crate::files::named;
use crate::game::{FeatureBits, Position, mix, oriented, symmetric};
use crate::tools::samples::{self, Header, Sample};

/// A position as it is kept in memory.
#[derive(Clone, Copy, Debug)]
pub struct TrainingPosition {
    inputs: FeatureBits,
    /// The odds that the score stands for, as a logarithm.
    logit: f32,
    /// Half points, 0 to 2, for the side to move.
    result: u8,
}

/// The positions of all files.
#[derive(Debug, Default)]
pub struct Data {
    /// Those to learn from.
    pub training: Vec<TrainingPosition>,
    /// Those of the games that are held out.
    pub validation: Vec<TrainingPosition>,
    /// Where they come from.
    pub files: Vec<Source>,
}

/// A file of samples.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Source {
    file: String,
    sha256: String,
    games: Vec<Origin>,
    /// The units of the scores that multiply the odds by e: each evaluation has its own.
    pub scale: i32,
}

/// How some games of a file were made.
#[derive(Clone, PartialEq, Serialize, Debug)]
struct Origin {
    variant: String,
    engine: String,
    net: String,
    first_seed: u64,
    seeds: u64,
    nodes: u64,
    settings: String,
}

impl From<&Header> for Origin {
    fn from(header: &Header) -> Self {
        Self {
            variant: header.variant.clone(),
            engine: header.engine.map(|part| part.to_string()).join("."),
            net: hex(&header.net),
            first_seed: header.first_seed,
            seeds: header.seeds,
            nodes: header.nodes,
            settings: format!("{:016x}", header.settings),
        }
    }
}

/// The name of the variant that the first file is of.
pub fn variant(settings: &Settings) -> Result<String, TrainError> {
    let Some(path) = settings.data.first() else { return Err(TrainError::NoPositions) };
    let file = File::open(path).map_err(|error| named(path, error))?;
    for block in samples::Reader::new(file, path) {
        if let samples::Block::Header(header) = block? {
            return Ok(header.variant);
        }
    }
    Err(TrainError::NoPositions)
}

impl Data {
    /// Reads all files.
    pub fn read<P: Position>(settings: &Settings) -> Result<Self, TrainError> {
        let mut data = Self::default();
        for path in &settings.data {
            let (headers, samples) = samples::read(path)?;
            headers.iter().try_for_each(|header| header.expect::<P>(path))?;
            let samples: Vec<Sample> = samples
                .into_iter()
                .filter(|sample| !(settings.skip_noisy && sample.noisy))
                .collect();
            // Which scale fits cannot be told of nothing, and does not matter.
            if samples.is_empty() {
                continue;
            }
            let scale = fit_scale(&samples).or(settings.scale).ok_or(TrainError::NoScale)?;
            for sample in &samples {
                data.add(sample, scale, settings.validation);
            }
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let sha256 = hash(path).map_err(|error| named(path, error))?;
            let games = headers.iter().map(Origin::from).collect();
            data.files.push(Source { file, sha256, games, scale });
        }
        match data.training.len() {
            0 => Err(TrainError::NoPositions),
            n if u32::try_from(n).is_err() => Err(TrainError::TooMany),
            _ => Ok(data),
        }
    }

    fn add(&mut self, sample: &Sample, scale: i32, validation: f64) {
        let &Sample { inputs, score, result, .. } = sample;
        // Games and not positions are held out: those of one game resemble each other.
        let is_held_out = unit(mix(u64::from(sample.game))) < validation;
        let set = if is_held_out { &mut self.validation } else { &mut self.training };
        set.push(TrainingPosition { inputs, logit: f32::from(score) / scale as f32, result });
    }
}

/// The scale at which scores foretell the results best, by maximum likelihood; `None` where they
/// do not foretell them.
fn fit_scale(samples: &[Sample]) -> Option<i32> {
    // Positions and half points for each score.
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
        // Far from the best place a step may lead too far.
        inverse += step.clamp(-0.01, 0.01);
        if step.abs() < 1e-9 {
            break;
        }
    }
    let scale = (1.0 / inverse).round();
    (scale >= 1.0 && scale <= MAX_SCALE as f64).then_some(scale as i32)
}

/// How positions become examples.
#[derive(Clone, Copy, Debug)]
pub struct Teacher {
    /// The share of the result in the target.
    pub blend: f64,
}

impl Teacher {
    /// What a position teaches, looked at in one of its ways.
    pub fn example<P: Position>(&self, position: &TrainingPosition, symmetry: usize) -> Example {
        let inputs = symmetric::<P>(position.inputs, symmetry);
        let result = f32::from(position.result) / 2.0;
        let score = sigmoid(position.logit);
        let blend = self.blend as f32;
        Example {
            views: [inputs, P::flip(inputs)].map(oriented::<P>),
            bucket: P::output_bucket(inputs),
            target: blend * result + (1.0 - blend) * score,
            result,
        }
    }
}

/// A number from 0 up to 1.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// The SHA-256 of a file.
fn hash(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut File::open(path)?, &mut hash)?;
    Ok(hex(&hash.finalize()))
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
