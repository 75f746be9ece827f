//! Quantises the trained network and writes it with its manifest.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::TrainSettings;
use super::data::Source;
use super::model::{Buckets, Weights};
use super::trainer::{Errors, State};
use soucie::files::hash::write_with_manifest;
use soucie::nnue::{InputWeights, Network, NetworkHeader, QA, QB};

/// All inputs of a training. The same plan gives the same network.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Plan {
    /// The version of the engine that trains the network.
    pub engine: &'static str,
    /// The name of the game's first variant.
    pub game: &'static str,
    pub data: Vec<Source>,
    pub positions: usize,
    /// The number of validation positions, from held-out games.
    pub held_out: usize,
    #[serde(flatten)]
    pub settings: TrainSettings,
    /// The size of an accumulator.
    pub hidden: usize,
    pub buckets: Buckets,
    /// The evaluation units per logit.
    pub scale: i32,
    /// The hash of the network from which the training starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
}

impl Plan {
    pub fn hash(&self) -> io::Result<[u8; 32]> {
        Ok(Sha256::digest(serde_json::to_vec(self)?).into())
    }
}

/// The manifest: the plan of a network and its final errors.
#[derive(Serialize)]
struct Manifest<'a> {
    #[serde(flatten)]
    plan: &'a Plan,
    training_error: Errors,
    validation_error: Option<Errors>,
}

/// Writes the network and, beside it, its manifest. Returns the path of the network.
pub fn write(state: &State, plan: &Plan, dir: &Path) -> io::Result<PathBuf> {
    let manifest =
        Manifest { plan, training_error: state.training, validation_error: state.validation };
    let mut text = serde_json::to_vec_pretty(&manifest)?;
    text.push(b'\n');
    let header = NetworkHeader {
        game: plan.game.into(),
        scale: plan.scale,
        manifest: Sha256::digest(&text).into(),
    };
    let net = quantised(&state.weights, header).write();
    // An existing file is written again: the network trained last must be the newest file.
    write_with_manifest(dir, plan.game, "nnue", &net, &text)
}

pub fn quantised(weights: &Weights, header: NetworkHeader) -> Network {
    let (inputs, bias) = weights.hidden();
    let input_weights =
        inputs.iter().map(|row| InputWeights(row.map(|weight| rounded(weight, QA)))).collect();
    let outputs = (0..weights.buckets().output).map(|bucket| weights.output(bucket));
    let (rows, biases): (Vec<_>, Vec<f32>) = outputs.unzip();
    Network {
        header,
        input_weights,
        input_bias: bias.map(|weight| rounded(weight, QA)),
        output_weights: rows
            .into_iter()
            .map(|sides| sides.map(|row| row.map(|weight| rounded(weight, QB))))
            .collect(),
        output_bias: biases.iter().map(|bias| (bias * (QA * QB) as f32).round() as i32).collect(),
    }
}

fn rounded(weight: f32, one: i32) -> i16 {
    (weight * one as f32).round() as i16
}
