//! `soucie-lab train`: learning, reproducibility, resuming and errors.

mod model;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{fs, thread};

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use soucie::game::{FeatureBits, Game, Move, Side, legal_moves, oriented, outcome};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;
use soucie::nnue::{
    HIDDEN, INPUTS, InputList, InputWeights, Network, NetworkHeader, PAIRS, active_inputs,
};
use soucie_lab::samples::{Header, Sample, SampledEnd, write_game, write_header};
use soucie_lab::train::export::quantised;
use soucie_lab::train::model::{Buckets, Example, Weights, sigmoid};
use soucie_lab::train::{TrainSettings, run};
use soucie_program::error::CommandError;

use crate::neighbours::Neighbours;
use crate::programs::{self, empty_folder, names};
#[cfg(unix)]
use {crate::programs::waits::wait_until, std::process::Stdio, std::time::Duration};

/// A score that is easy to learn: the difference of the pieces in the centre.
fn centre([own, others]: FeatureBits) -> i16 {
    const MIDDLE: u64 = 0x0000_3c3c_3c3c_0000;
    150 * ((own & MIDDLE).count_ones() as i16 - (others & MIDDLE).count_ones() as i16)
}

/// Writes a sample file with games of random moves.
fn samples<P: Game>(games: u32, path: &Path) {
    let games: Vec<_> = (0..games).map(random_game::<P>).collect();
    write(P::VARIANTS[0].name, &games, path);
}

fn write(variant: &str, games: &[(Vec<Sample>, SampledEnd)], path: &Path) {
    let header = Header {
        variant: variant.into(),
        engine: [0, 1, 0],
        net: [0; 8],
        first_seed: 0,
        seeds: games.len() as u64,
        nodes: 1,
        settings: 0,
    };
    let mut bytes = Vec::new();
    write_header(&header, &mut bytes).unwrap();
    for (samples, end) in games {
        write_game(samples, end, &mut bytes).unwrap();
    }
    fs::write(path, bytes).unwrap();
}

fn random_game<P: Game>(game: u32) -> (Vec<Sample>, SampledEnd) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(game.into());
    let mut position = P::read_setup(P::VARIANTS[0].start, P::Rules::default()).unwrap();
    let mut positions = Vec::new();
    while outcome(&position).is_none() && positions.len() < 120 {
        let mv = *legal_moves(&position).choose(&mut random).unwrap();
        positions.push((position, mv));
        position = position.play(mv);
    }
    let winner = outcome(&position).and_then(|outcome| outcome.winner);
    let points = |side| winner.map_or(1, |winner| if winner == side { 2 } else { 0 });
    let sample = |(ply, (position, mv)): (usize, &(P, P::Move))| Sample {
        inputs: position.features(position.side()),
        score: centre(position.features(position.side())),
        result: points(position.side()),
        noisy: position.is_noisy(*mv),
        ply: ply as u16,
        best: mv.packed(),
        game,
    };
    let samples: Vec<_> = positions.iter().enumerate().map(sample).collect();
    let end = SampledEnd {
        seed: game.into(),
        samples: samples.len() as u32,
        plies: samples.len() as u16,
        result: Some(points(Side::Black)),
    };
    (samples, end)
}

fn settings(data: &Path, out: &Path) -> TrainSettings {
    TrainSettings {
        data: vec![data.into()],
        out: out.into(),
        start: None,
        pairs: false,
        epochs: 4,
        batch: 512,
        rate: 2e-3,
        final_rate: 1e-4,
        threads: 2,
        seed: 7,
        blend: 0.5,
        scale: Some(300),
        skip_noisy: false,
        validation: 0.1,
    }
}

/// Trains and returns the printed output.
fn train(settings: &TrainSettings) -> Result<String, CommandError> {
    let mut output = Vec::new();
    run(settings, &mut output)?;
    Ok(String::from_utf8(output).unwrap())
}

/// The network in a folder that contains only it and its manifest.
fn network(folder: &Path) -> Vec<u8> {
    let names = names(folder);
    let [manifest, network] = &names[..] else { panic!("{names:?}") };
    assert_eq!(manifest.strip_suffix(".json"), network.strip_suffix(".nnue"));
    fs::read(folder.join(network)).unwrap()
}

/// The errors that are printed for each epoch: in training and validation, each against the results
/// and the targets.
fn errors(output: &str) -> Vec<[f64; 4]> {
    let epochs = output.lines().filter(|line| line.starts_with("epoch "));
    let numbers = epochs.map(|line| {
        let words: Vec<&str> = line.split([' ', ',', ';']).collect();
        let numbers = words.windows(2).filter(|pair| matches!(pair[1], "result" | "target"));
        numbers.map(|pair| pair[0].parse().unwrap()).collect::<Vec<f64>>()
    });
    numbers.map(|numbers| numbers.try_into().unwrap()).collect()
}

fn check_that_the_error_falls<P: Game>(name: &str) {
    let dir = empty_folder(Path::new("train").join(name));
    let (data, out) = (dir.join("data"), dir.join("out"));
    samples::<P>(150, &data);
    let output = train(&TrainSettings { epochs: 12, blend: 0.0, ..settings(&data, &out) }).unwrap();
    let errors = errors(&output);
    assert_eq!(errors.len(), 12, "{output}");
    // Against the targets, in training and validation.
    for error in [1, 3] {
        assert!(errors[11][error] < 0.2 * errors[0][error], "{output}");
    }
    let network = Network::read(&network(&out)).unwrap();
    assert!(network.suits::<P>().is_ok());
}

#[test]
fn training_reduces_the_error_in_both_games() {
    check_that_the_error_falls::<Loa>("loa");
    check_that_the_error_falls::<Draughts>("draughts");
}

#[test]
fn last_trained_network_is_the_newest_file() {
    let dir = empty_folder("train/newest");
    let (data, out) = (dir.join("data"), dir.join("out"));
    samples::<Loa>(20, &data);
    // `ls -t` lists it first, also if the file existed before.
    for seed in [1, 2, 1] {
        let settings = TrainSettings { seed, epochs: 1, ..settings(&data, &out) };
        let output = train(&settings).unwrap();
        let files = fs::read_dir(&out).unwrap().map(|file| file.unwrap().path());
        let networks = files.filter(|path| path.extension().is_some_and(|end| end == "nnue"));
        let newest = networks.max_by_key(|path| fs::metadata(path).unwrap().modified().unwrap());
        assert_eq!(output.lines().last(), newest.unwrap().to_str());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(names(&out).len(), 4);
}

#[test]
fn network_is_reproducible_with_any_number_of_threads() {
    let dir = empty_folder("train/again");
    let data = dir.join("data");
    samples::<Loa>(40, &data);
    let net = |name: &str, change: fn(&mut TrainSettings)| {
        let mut settings = settings(&data, &dir.join(name));
        change(&mut settings);
        train(&settings).unwrap();
        network(&settings.out)
    };
    let first = net("first", |_| {});
    assert_eq!(first, net("again", |_| {}));
    assert_eq!(first, net("one", |settings| settings.threads = 1));
    assert_eq!(first, net("many", |settings| settings.threads = 5));
    assert_ne!(first, net("other", |settings| settings.seed = 8));
}

/// Few games are not enough to learn pairs, so they are inputs only on request. A training that
/// starts from a network with pairs keeps them.
#[test]
fn pairs_are_inputs_on_request() {
    let dir = empty_folder("train/pairs");
    let data = dir.join("data");
    samples::<Loa>(30, &data);
    let inputs = |name: &str, pairs, start: Option<&Path>| {
        let settings = TrainSettings {
            pairs,
            start: start.map(PathBuf::from),
            epochs: 1,
            ..settings(&data, &dir.join(name))
        };
        train(&settings).unwrap();
        let bytes = network(&settings.out);
        fs::write(dir.join(format!("{name}.nnue")), &bytes).unwrap();
        Network::read(&bytes).unwrap().input_weights.len()
    };
    assert_eq!(inputs("without", false, None), INPUTS);
    assert_eq!(inputs("with", true, None), INPUTS + PAIRS);
    assert_eq!(inputs("kept", false, Some(&dir.join("with.nnue"))), INPUTS + PAIRS);
    assert_eq!(inputs("added", true, Some(&dir.join("without.nnue"))), INPUTS + PAIRS);
}

#[test]
fn training_starts_from_a_network() {
    let dir = empty_folder("train/start");
    let (data, first) = (dir.join("data"), dir.join("first"));
    samples::<Draughts>(60, &data);
    train(&TrainSettings { epochs: 12, ..settings(&data, &first) }).unwrap();
    let trained = network(&first);
    let start = dir.join("start.nnue");
    fs::write(&start, &trained).unwrap();
    // Steps this small change nothing: the network that is written equals the one that was read.
    let copy = TrainSettings {
        start: Some(start.clone()),
        epochs: 1,
        rate: 1e-12,
        final_rate: 1e-12,
        ..settings(&data, &dir.join("copy"))
    };
    train(&copy).unwrap();
    let [trained, copied] =
        [trained, network(&copy.out)].map(|bytes| Network::read(&bytes).unwrap());
    assert_eq!(copied, Network { header: copied.header.clone(), ..trained.clone() });
    let [manifest, _] = &names(&copy.out)[..] else { panic!("one network") };
    let manifest = fs::read_to_string(copy.out.join(manifest)).unwrap();
    let hash = trained.hash().map(|byte| format!("{byte:02x}")).concat();
    assert!(manifest.contains(&format!("\"start\": \"{hash}\"")), "{manifest}");

    samples::<Loa>(3, &dir.join("loa"));
    let table = [
        (dir.join("loa"), start, "expected a network for linesofaction, found one for"),
        (data.clone(), data.clone(), "data: not a Soucie network"),
        (data.clone(), dir.join("missing"), "missing: "),
    ];
    for (data, start, wanted) in table {
        let settings = TrainSettings { start: Some(start), ..settings(&data, &dir.join("none")) };
        let error = train(&settings).unwrap_err().to_string();
        assert!(error.contains(wanted) && !error.contains('\n'), "{error}");
        assert!(!settings.out.exists());
    }
}

/// A writer that fails after this number of lines, like a closed pipe.
struct ClosedAfter(usize);

impl Write for ClosedAfter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
        self.0 = self.0.checked_sub(lines).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn interrupted_training_resumes_to_the_same_network() {
    let dir = empty_folder("train/interrupted");
    let data = dir.join("data");
    samples::<Loa>(40, &data);
    let whole = settings(&data, &dir.join("whole"));
    train(&whole).unwrap();
    let interrupted = settings(&data, &dir.join("interrupted"));
    assert!(run(&interrupted, &mut ClosedAfter(2)).is_err());
    let names = names(&interrupted.out);
    assert!(names.len() == 1 && names[0].ends_with(".training"), "{names:?}");
    let checkpoint = interrupted.out.join(&names[0]);

    // A damaged checkpoint is reported and kept.
    let bytes = fs::read(&checkpoint).unwrap();
    for damaged in [&bytes[..bytes.len() - 4], &[&bytes[..9], &[!bytes[9]], &bytes[10..]].concat()]
    {
        fs::write(&checkpoint, damaged).unwrap();
        let error = train(&interrupted).unwrap_err().to_string();
        assert!(error.contains("is damaged: delete it"), "{error}");
        assert_eq!(fs::read(&checkpoint).unwrap(), damaged);
    }

    fs::write(&checkpoint, bytes).unwrap();
    let output = train(&interrupted).unwrap();
    assert!(output.contains("\nresuming after epoch 2 of 4\nepoch 3/4"), "{output}");
    assert_eq!(network(&interrupted.out), network(&whole.out));
}

#[test]
fn files_beside_the_checkpoint_stay() {
    let dir = empty_folder("train/beside");
    let data = dir.join("data");
    samples::<Loa>(5, &data);
    let settings = settings(&data, &dir.join("out"));
    assert!(run(&settings, &mut ClosedAfter(2)).is_err());
    let neighbours = Neighbours::of(&[&names(&settings.out)[0]], &settings.out);
    assert!(train(&settings).unwrap().contains("resuming after epoch 2"));
    neighbours.check("train");
}

#[test]
fn two_runs_of_one_training_end_with_one_network() {
    let dir = empty_folder("train/twice");
    let data = dir.join("data");
    samples::<Loa>(40, &data);
    let settings = settings(&data, &dir.join("out"));
    thread::scope(|scope| {
        for run in [(); 2].map(|()| scope.spawn(|| train(&settings).map(drop))) {
            run.join().unwrap().unwrap();
        }
    });
    network(&settings.out);
    assert_eq!(names(&settings.out).len(), 2);
}

#[test]
fn settings_that_do_not_fit_are_refused() {
    let dir = empty_folder("train/unfit");
    let data = dir.join("data");
    samples::<Draughts>(5, &data);
    let fitting = settings(&data, &dir.join("out"));
    for (settings, expected) in [
        (
            TrainSettings { out: data, ..fitting.clone() },
            "data: expected a directory, found a file",
        ),
        (
            TrainSettings { pairs: true, ..fitting },
            "--pairs: networks of English draughts have no inputs for pairs",
        ),
    ] {
        let error = train(&settings).unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
    }
}

#[test]
fn training_with_other_settings_does_not_resume() {
    let dir = empty_folder("train/other");
    let (data, out) = (dir.join("data"), dir.join("out"));
    samples::<Loa>(20, &data);
    let first = settings(&data, &out);
    assert!(run(&first, &mut ClosedAfter(2)).is_err());
    let output = train(&TrainSettings { rate: 1e-3, ..first.clone() }).unwrap();
    assert!(output.contains("epoch 1/4"), "{output}");
    let output = train(&first).unwrap();
    assert!(output.contains("resuming after epoch 2"), "{output}");
    assert_eq!(names(&out).len(), 4);
}

#[test]
fn invalid_data_writes_no_file() {
    let dir = empty_folder("train/bad");
    let path = |name: &str| dir.join(name);
    samples::<Loa>(3, &path("loa"));
    samples::<Draughts>(3, &path("draughts"));
    samples::<Loa>(0, &path("nothing"));
    fs::write(path("empty"), b"").unwrap();
    let good = fs::read(path("loa")).unwrap();
    fs::write(path("cut"), &good[..good.len() - 10]).unwrap();
    let mut damaged = good.clone();
    damaged[777] ^= 1;
    fs::write(path("damaged"), damaged).unwrap();
    let table: &[(&[&str], &str)] = &[
        (&["missing"], "missing: "),
        (&["empty"], "the file is empty"),
        (&["nothing"], "the data contains no training positions"),
        (&["loa", "cut"], "the file ends within a block"),
        (&["loa", "damaged"], "not a sample file, or damaged"),
        (
            &["loa", "draughts"],
            "draughts: expected samples of linesofaction, found englishdraughts",
        ),
    ];
    for (files, wanted) in table {
        let data = files.iter().map(|file| path(file)).collect();
        let settings = TrainSettings { data, ..settings(&path("loa"), &path("out")) };
        let error = train(&settings).unwrap_err().to_string();
        assert!(error.contains(wanted) && !error.contains('\n'), "{files:?}: {error}");
        assert!(!settings.out.exists(), "{files:?}");
    }
    // Without positions, the error is not a missing scale.
    let settings = TrainSettings { scale: None, ..settings(&path("nothing"), &path("out")) };
    let error = train(&settings).unwrap_err().to_string();
    assert_eq!(error, "the data contains no training positions");
}

#[test]
fn unwritable_paths_are_reported() {
    let dir = empty_folder("train/where");
    let data = dir.join("data");
    samples::<Loa>(5, &data);
    let error = train(&settings(&data, &data)).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}: ", data.display())), "{error}");
    // A folder has the name of the checkpoint.
    let out = dir.join("out");
    let first = settings(&data, &out);
    assert!(run(&first, &mut ClosedAfter(2)).is_err());
    let checkpoint = out.join(&names(&out)[0]);
    fs::remove_file(&checkpoint).unwrap();
    fs::create_dir(&checkpoint).unwrap();
    let error = train(&first).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}: ", checkpoint.display())), "{error}");
}

#[test]
fn scale_is_required_if_it_cannot_be_estimated() {
    let dir = empty_folder("train/scale");
    let data = dir.join("data");
    let (mut samples, end) = random_game::<Loa>(1);
    samples.iter_mut().for_each(|sample| sample.score = 0);
    write("linesofaction", &[(samples, end)], &data);
    let settings =
        TrainSettings { scale: None, validation: 0.0, ..settings(&data, &dir.join("out")) };
    let error = train(&settings).unwrap_err().to_string();
    assert!(error.contains("set --scale"), "{error}");
    let output = train(&TrainSettings { scale: Some(300), ..settings }).unwrap();
    assert!(output.contains("held out none"), "{output}");
}

#[test]
fn scale_is_estimated_from_the_odds() {
    // 731 of 1000 positions with this score are won: odds of e to 1, so the scale is the score.
    let dir = empty_folder("train/odds");
    let data = dir.join("data");
    let (samples, end) = random_game::<Loa>(1);
    let sample = |i| Sample { score: 250, result: if i < 731 { 2 } else { 0 }, ..samples[0] };
    let samples = (0..1000).map(sample).collect();
    write("linesofaction", &[(samples, SampledEnd { samples: 1000, ..end })], &data);
    // A file without positions changes nothing.
    let nothing = dir.join("nothing");
    write("linesofaction", &[], &nothing);
    for files in
        [vec![data.clone()], vec![nothing.clone(), data.clone()], vec![data.clone(), nothing]]
    {
        let settings = settings(&data, &dir.join("out"));
        let few =
            TrainSettings { data: files, scale: None, validation: 0.0, epochs: 1, ..settings };
        let output = train(&few).unwrap();
        assert!(output.contains("scale 250 units a logit"), "{output}");
    }
}

/// Starts the program with thousands of checkpoints to write and interrupts it a moment after the first.
#[cfg(unix)]
#[test]
fn interrupts_leave_no_temporary_files() {
    let folder = empty_folder("train/interrupts");
    let data = folder.join("samples");
    samples::<Loa>(20, &data);
    let is_expected = |name: &String| name.ends_with(".training");
    for (signal, millis) in [("INT", 10), ("TERM", 25), ("INT", 45)] {
        let out = folder.join(millis.to_string());
        let mut command = programs::soucie();
        command.args(["train", "--scale", "300", "--batch", "64", "--epochs", "100000"]);
        command.arg("--data").arg(&data).arg("--out").arg(&out);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let is_written = || out.exists() && names(&out).iter().any(is_expected);
        wait_until("a checkpoint is written", is_written);
        thread::sleep(Duration::from_millis(millis));
        programs::signal(&child, signal);
        assert_eq!(child.wait().unwrap().code(), Some(1));
        assert!(names(&out).iter().all(is_expected), "{signal}: {:?}", names(&out));
    }
}
