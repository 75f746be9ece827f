//! `soucie-lab train`: trains an NNUE network on the positions of self-play games.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod checkpoint;
pub mod data;
pub mod export;
pub mod model;
pub mod optimiser;
pub mod settings;
pub mod trainer;

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::time::{Duration, Instant};

use indicatif::HumanDuration;

use data::{Data, Teacher};
use export::Plan;
use model::Buckets;
use settings::TrainSettings;
use soucie::engine::game_file::GameData;
use soucie::files::hash::hex;
use soucie::files::named;
use soucie::files::printable::plural;
use soucie::game::{Game, Variant};
use soucie::nnue::{HIDDEN, Network};
use soucie::with_game;
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
