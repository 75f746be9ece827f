//! `soucie-lab train`: trains an NNUE network on the positions of self-play games.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod checkpoint;
pub mod data;
pub mod export;
pub mod model;
pub mod trainer;

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::HumanDuration;
use serde::Serialize;

use data::{Data, Teacher};
use export::Plan;
use model::Buckets;
use soucie::engine::game_file::GameData;
use soucie::files::hash::hex;
use soucie::files::named;
use soucie::files::printable::plural;
use soucie::game::{Game, Variant};
use soucie::nnue::{HIDDEN, MAX_SCALE, Network};
use soucie::with_game;
use soucie_program::arguments::number;
use soucie_program::error::CommandError;
use soucie_program::interrupt;
use soucie_program::progress::progress_bar;
use trainer::{Errors, State, Trainer};

/// Trains a network with these settings, or resumes an interrupted training.
pub fn run(settings: &TrainSettings, output: &mut dyn Write) -> Result<(), CommandError> {
    if settings.out.exists() && !settings.out.is_dir() {
        let error = format!("{}: expected a directory, found a file", settings.out.display());
        return Err(CommandError::Other(error));
    }
    let name = data::variant(settings)?;
    let unknown = || CommandError::Other(format!("unknown game '{name}'"));
    with_game!(&name, |P, variant| train_game::<P>(settings, output, variant))
        .ok_or_else(unknown)?
}

fn train_game<P: Game>(
    settings: &TrainSettings,
    output: &mut dyn Write,
    variant: &'static Variant,
) -> Result<(), CommandError> {
    if settings.pairs && !P::PAIRS {
        let error = format!("--pairs: networks of {} have no inputs for pairs", variant.title);
        return Err(CommandError::Other(error));
    }
    let start = settings.start.as_deref().map(|path| {
        let network = Network::open(path, Some(variant.name));
        network.map_err(|error| named(path, io::Error::other(error)))
    });
    let start = start.transpose()?;
    let data = Data::read::<P>(settings)?;
    let latest = data.files.last().map(|file| file.scale);
    let scale = settings.scale.or(latest).ok_or_else(data::no_scale)?;
    // One network serves all variants of a game.
    let game = P::VARIANTS.first().unwrap_or(variant).name;
    let plan = plan::<P>(settings, &data, scale, game, start.as_ref());
    let training = plural(data.training.len() as u64, "position", "positions");
    let held_out = data.validation.len();
    writeln!(output, "{game}: {training}, {held_out} held out, scale {scale} units a logit")?;
    train::<P>(settings, &data, &plan, start.as_ref(), output)
}

fn plan<P: Game>(
    settings: &TrainSettings,
    data: &Data,
    scale: i32,
    game: &'static str,
    start: Option<&Network>,
) -> Plan {
    Plan {
        engine: env!("CARGO_PKG_VERSION"),
        game,
        data: data.files.clone(),
        positions: data.training.len(),
        held_out: data.validation.len(),
        settings: settings.clone(),
        hidden: HIDDEN,
        buckets: Buckets::for_game::<P>(
            settings.pairs || start.is_some_and(Network::has_pairs::<P>),
        ),
        scale,
        start: start.map(|network| hex(&network.hash())),
    }
}

fn train<P: Game>(
    settings: &TrainSettings,
    data: &Data,
    plan: &Plan,
    start: Option<&Network>,
    output: &mut dyn Write,
) -> Result<(), CommandError> {
    fs::create_dir_all(&settings.out).map_err(|error| named(&settings.out, error))?;
    let hash = plan.hash()?;
    // The name depends on the settings, so that trainings do not share checkpoints.
    let name =
        format!("{}-{}.training", plan.game, hex(hash.first_chunk::<4>().unwrap_or(&[0; 4])));
    let path = settings.out.join(name);
    interrupt::end_with(interrupt::UNFINISHED);
    let mut state = State::new(start, plan.buckets, settings.seed);
    if checkpoint::read(&mut state, &hash, &path)? {
        writeln!(output, "resuming after epoch {} of {}", state.epochs, settings.epochs)?;
    }
    let teacher = Teacher { blend: settings.blend, pairs: plan.buckets.pairs };
    let mut trainer = Trainer::<P>::new(data, settings, teacher, plan.buckets);
    let bar = progress_bar(Some(trainer.positions() as u64), "{bar:30} {msg}{left}");
    let (begin, before) = (Instant::now(), state.epochs);
    while state.epochs < settings.epochs {
        bar.set_message(format!("epoch {}", state.epochs + 1));
        bar.reset();
        let start = Instant::now();
        trainer.epoch(&mut state, &|positions| bar.inc(positions as u64));
        let speed = trainer.positions() as f64 / start.elapsed().as_secs_f64().max(1e-9);
        checkpoint::write(&state, &hash, &path)?;
        let left = begin.elapsed() / (state.epochs - before) * (settings.epochs - state.epochs);
        let line = describe(&state, settings.epochs, speed, left);
        bar.suspend(|| writeln!(output, "{line}"))?;
    }
    bar.finish_and_clear();
    let net = export::write(&state, plan, &settings.out)?;
    writeln!(output, "{}", net.display())?;
    match fs::remove_file(&path) {
        // Another run of the same training, which has the same network, was faster.
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => Ok(removed.map_err(|error| named(&path, error))?),
    }
}

/// The report of an epoch on one line.
fn describe(state: &State, epochs: u32, speed: f64, left: Duration) -> String {
    let format_errors =
        |Errors { result, target }| format!("{result:.5} result {target:.5} target");
    let held_out = state.validation.map_or("none".to_string(), format_errors);
    format!(
        "epoch {}/{epochs}: error {}, held out {held_out}; {speed:.0} positions/s, {} left",
        state.epochs,
        format_errors(state.training),
        HumanDuration(left)
    )
}

/// The settings of a training run. Those that are serialized determine the network, together with
/// the data.
#[derive(Args, Clone, PartialEq, Serialize, Debug)]
#[command(after_help = include_str!("help.txt"))]
pub struct TrainSettings {
    /// Sample files, all of the same game
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    #[serde(skip)]
    pub data: Vec<PathBuf>,
    /// Directory for the network, its manifest and the checkpoint
    #[arg(long, value_name = "DIR")]
    #[serde(skip)]
    pub out: PathBuf,
    /// Network file from whose weights the training starts [default: random weights]
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub start: Option<PathBuf>,
    /// Add inputs for pairs of neighbouring stones (Lines of Action); they need millions of
    /// positions. A network to start from keeps its pairs
    #[arg(long)]
    #[serde(skip)]
    pub pairs: bool,
    /// Number of passes over all positions
    #[arg(long, default_value_t = 30, value_parser = number::<u32>(1..=100_000))]
    pub epochs: u32,
    /// Positions per weight update
    #[arg(long, default_value_t = 16_384, value_parser = number::<u32>(1..=1 << 24))]
    pub batch: u32,
    /// Learning rate at the start; it falls along a cosine
    #[arg(long, default_value_t = 4e-3, value_parser = positive)]
    pub rate: f64,
    /// Learning rate at the end
    #[arg(long, default_value_t = 1e-5, value_parser = positive)]
    pub final_rate: f64,
    /// Number of threads; the network does not depend on it
    #[arg(long, default_value_t = 2, value_parser = number::<u16>(1..=1024))]
    #[serde(skip)]
    pub threads: u16,
    /// Seed of the initial weights, of the order of the positions and of their symmetries
    #[arg(long, default_value_t = 0, value_parser = number::<u64>(0..))]
    pub seed: u64,
    /// Weight of the game result in the target, from 0 to 1; the rest is the search score
    #[arg(long, default_value_t = 0.5, value_parser = share)]
    pub blend: f64,
    /// Evaluation units per logit [default: fitted to the results in the last file]
    #[arg(long, value_name = "UNITS", value_parser = number::<i32>(1..=MAX_SCALE))]
    #[serde(skip)]
    pub scale: Option<i32>,
    /// Leave out positions whose best move is noisy
    #[arg(long)]
    pub skip_noisy: bool,
    /// Share of the games held out for validation, from 0, less than 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = part)]
    pub validation: f64,
}

fn positive(text: &str) -> Result<f64, String> {
    read_decimal(text, "above 0, at most 1", |number| number > 0.0 && number <= 1.0)
}

fn share(text: &str) -> Result<f64, String> {
    read_decimal(text, "from 0 to 1", |number| (0.0..=1.0).contains(&number))
}

fn part(text: &str) -> Result<f64, String> {
    read_decimal(text, "from 0, less than 1", |number| (0.0..1.0).contains(&number))
}

fn read_decimal(text: &str, expected: &str, is_good: fn(f64) -> bool) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number| is_good(number));
    number.ok_or_else(|| format!("expected a number {expected}"))
}
