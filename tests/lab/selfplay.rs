//! `soucie-lab selfplay`: its files are reproducible, interrupted runs are continued, and the games can
//! be replayed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use soucie::engine::SearchedGame;
use soucie::game::{
    Features, Game, Move, Notation, Position, Side, Tablebase, TablebaseValue, legal_moves, outcome,
};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;
use soucie::search::SearchMemory;
use soucie_lab::openings::OpeningSet;
use soucie_lab::samples::{self, Sample};
use soucie_lab::selfplay::game::{Explored, Openings, SelfplayGame, SelfplayPlayer};

use crate::programs::{self, waits::wait_until};

// The command.

/// The path of a file for a test. An older file is removed.
fn file(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("selfplay");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let _ = fs::remove_file(&path);
    path
}

/// Plays with 100 nodes a move unless the options give another number.
fn command(out: &Path, seeds: &str, options: &str) -> Command {
    let mut command = programs::soucie();
    command.args(["selfplay", "--seeds", seeds]).args(options.split_whitespace());
    if !options.contains("--nodes") {
        command.args(["--nodes", "100"]);
    }
    command.arg("--out").arg(out);
    command
}

/// Generates a file and returns its bytes.
fn generate(out: &Path, seeds: &str, options: &str) -> Vec<u8> {
    programs::output_of(&mut command(out, seeds, options));
    fs::read(out).unwrap()
}

/// The stderr of a run that fails, with the path of the file replaced by FILE.
fn failure(out: &Path, seeds: &str, options: &str) -> String {
    let text = programs::failure_of(&mut command(out, seeds, options));
    text.replace(&out.display().to_string(), "FILE")
}

#[test]
fn file_depends_on_the_seeds_and_not_on_the_threads() {
    for variant in ["linesofaction", "englishdraughts"] {
        let options = format!("--variant {variant} --threads");
        let one = generate(&file(&format!("{variant}-1")), "3..9", &format!("{options} 1"));
        let three = generate(&file(&format!("{variant}-3")), "3..9", &format!("{options} 3"));
        assert!(one == three, "{variant}");
        let other = generate(&file(&format!("{variant}-o")), "4..10", &format!("{options} 1"));
        assert!(one[96..] != other[96..], "{variant}");
    }
}

#[test]
fn truncated_file_is_continued_to_the_same_bytes() {
    let path = file("cut");
    let whole = generate(&path, "0..4", "");
    let half = whole.len() / 2;
    for length in [0, 95, 96, 128, half + 1, whole.len() - 32, whole.len()] {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(generate(&path, "0..4", "--threads 2") == whole, "cut at {length}");
    }
}

#[test]
fn files_given_twice_and_devices_are_refused() {
    let openings = file("openings-twice");
    fs::write(&openings, "b8b6\n").unwrap();
    let error = failure(&openings, "0..1", &format!("--openings {}", openings.display()));
    assert_eq!(error, "soucie: FILE is given twice: each option needs its own file\n");
    if cfg!(unix) {
        let error = failure(Path::new("/dev/full"), "0..1", "");
        assert!(error.ends_with("is a device or a pipe; expected a regular file\n"), "{error}");
    }
}

/// Starts a run and waits until it has written a game.
fn start_run(path: &Path, seeds: &str) -> Child {
    let mut run = command(path, seeds, "--nodes 500 --threads 2");
    let run = run.stdout(Stdio::null()).spawn().unwrap();
    let written = || fs::metadata(path).map_or(0, |data| data.len());
    wait_until("a game is written", || written() >= 200);
    run
}

#[test]
fn killed_run_is_continued_to_the_same_bytes() {
    let path = file("killed");
    let mut run = start_run(&path, "0..24");
    run.kill().unwrap();
    run.wait().unwrap();
    let whole = generate(&file("uninterrupted"), "0..24", "--nodes 500");
    assert!(
        fs::metadata(&path).unwrap().len() < whole.len() as u64,
        "the run ended before it was killed"
    );
    assert!(generate(&path, "0..24", "--nodes 500") == whole);
}

#[test]
fn file_in_use_is_refused() {
    let path = file("in-use");
    let mut run = start_run(&path, "0..1000");
    let error = failure(&path, "0..1000", "--nodes 500");
    run.kill().unwrap();
    run.wait().unwrap();
    assert_eq!(error, "soucie: FILE is in use\n");
}

#[test]
fn concatenated_files_are_read_as_one() {
    let (first, second, both) = (file("first"), file("second"), file("both"));
    let bytes = [generate(&first, "0..3", ""), generate(&second, "3..6", "")].concat();
    fs::write(&both, bytes).unwrap();
    let (headers, samples) = samples::read(&both).unwrap();
    assert_eq!(headers.iter().map(|header| header.first_seed).collect::<Vec<_>>(), [0, 3]);
    let separate = [samples::read(&first).unwrap().1, samples::read(&second).unwrap().1];
    assert_eq!(samples, separate.concat());
    let mut games: Vec<u32> = samples.iter().map(|sample| sample.game).collect();
    games.dedup();
    assert_eq!(games, [0, 1, 2, 3, 4, 5]);
    let wanted = "soucie: FILE: made with other settings; name another file\n";
    assert_eq!(failure(&both, "0..3", ""), wanted);
}

#[test]
fn file_with_other_settings_is_refused_and_kept() {
    let path = file("refused");
    let whole = generate(&path, "0..3", "");
    let openings = file("openings");
    fs::write(&openings, "b8b6 a4c4 # one\n").unwrap();
    let listed = format!("--openings {}", openings.display());
    let table = [
        ("0..4", ""),
        ("1..4", ""),
        ("0..3", "--nodes 101"),
        ("0..3", "--variant englishdraughts"),
        ("0..3", "--balance 100"),
        ("0..3", "--longest 100"),
        ("0..3", &listed),
    ];
    for (seeds, options) in table {
        let error = failure(&path, seeds, options);
        assert_eq!(error, "soucie: FILE: made with other settings; name another file\n");
        assert!(fs::read(&path).unwrap() == whole);
    }
    fs::write(&path, "my diary, which is longer than a header of a file of samples would be: it says a lot of things").unwrap();
    let error = failure(&path, "0..3", "");
    assert_eq!(error, "soucie: FILE, byte 0: not a sample file, or damaged\n");
    assert!(fs::read(&path).unwrap().starts_with(b"my diary"));
}

#[test]
fn games_start_from_the_openings_of_a_file() {
    let openings = file("setups");
    let table = [
        ("linesofaction", "1ll1ll2/8/L6L/8/8/L6L/8/8 b", 8),
        ("englishdraughts", "W:W25,26,27,29,30:B1,2,3,5,6", 10),
        ("englishdraughts", "W:W25,26,27,29,30:B1,2,3,5,6 25-22", 10),
        ("englishdraughts", "[FEN \"W:W25,26,27,29,30:B1,2,3,5,6\"]\n1. 25-22 *", 10),
        ("englishdraughts", "eleven-man", 22),
    ];
    for (variant, text, pieces) in table {
        fs::write(&openings, text).unwrap();
        let path = file("from-setups");
        let is_set = OpeningSet::find(text.as_ref()).is_some();
        let name = if is_set { text.into() } else { openings.display().to_string() };
        let listed = format!("--variant {variant} --openings {name}");
        generate(&path, "0..4", &listed);
        let samples = samples::read(&path).unwrap().1;
        let count = |sample: &Sample| sample.inputs.iter().map(|bits| bits.count_ones()).sum();
        let counts: Vec<u32> = samples.iter().map(count).collect();
        assert!(!counts.is_empty() && counts.iter().all(|&count| count <= pieces), "{text}");
    }
}

#[test]
fn damage_within_a_file_is_reported_and_kept() {
    let path = file("damaged");
    let mut bytes = generate(&path, "0..12", "--longest 20");
    bytes[200] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let error = failure(&path, "0..12", "--longest 20");
    assert_eq!(error, "soucie: FILE, byte 192: not a sample file, or damaged\n");
    assert!(fs::read(&path).unwrap() == bytes);
}

#[test]
fn unreadable_inputs_are_reported() {
    let (path, openings) = (file("never"), file("bad-openings"));
    let listed = format!("--openings {}", openings.display());
    for (text, wanted) in [
        ("# one\n\nb8b6 a1a2\n", "opening in line 3: illegal move a1a2"),
        ("# none\n", "no opening to play"),
        ("d1b3 h5g4 b1b4 g4g1 b4e7 a3c1 b3e6 h3f1 e1e5", "opening in line 1: Black has won"),
    ] {
        fs::write(&openings, text).unwrap();
        let error = failure(&path, "0..1", &listed);
        assert!(error.starts_with(&format!("soucie: {}: {wanted}", openings.display())), "{error}");
    }
    let empty_folder = file("nowhere");
    fs::create_dir_all(&empty_folder).unwrap();
    let tables = format!("--variant englishdraughts --tables {}", empty_folder.display());
    let error = failure(&path, "0..1", &tables);
    let wanted = format!(
        "soucie: tables: no complete set of endgame tables and no database in {}: ",
        empty_folder.display()
    );
    assert!(error.starts_with(&wanted), "{error}");
    let error = failure(&path, "0..1", "--eval-file no-such-file");
    assert!(error.starts_with("soucie: network no-such-file: "), "{error}");
    let error = failure(&path, "0..1", "--evaluation handcrafted --eval-file no-such-file");
    assert_eq!(error, "soucie: --eval-file: the handcrafted evaluation uses no network\n");
    assert!(!path.exists());
    fs::remove_dir(empty_folder).unwrap();
}

// The games.

fn player<P: Game>(start: &str) -> SelfplayPlayer<P> {
    let start = P::read_setup(start, P::Rules::default()).unwrap();
    SelfplayPlayer {
        openings: Openings::random(start),
        explored: None,
        balance: 600,
        nodes: 200,
        longest: 160,
        network: None,
        tablebase: None,
    }
}

fn variant_start<P: Game>() -> &'static str {
    P::VARIANTS[0].start
}

/// The position after the opening of a game, and its ply.
fn opening_position<P: Game>(player: &SelfplayPlayer<P>, seed: u64) -> (P, u16) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let game = player.openings.draw(&mut random);
    (*game.position(), game.plies() as u16)
}

/// The positions of a line of play through all samples in order, or `None`. A position without a
/// sample has a single legal move or a forced capture.
fn replay<P: Game>(position: P, ply: u16, samples: &[Sample]) -> Option<Vec<P>> {
    let [sample, rest @ ..] = samples else { return Some(vec![position]) };
    let moves = legal_moves(&position);
    let continuation = if sample.ply == ply {
        if position.features(position.side()) != sample.inputs {
            return None;
        }
        let best = moves.iter().find(|mv| mv.packed() == sample.best)?;
        assert_eq!(position.is_noisy(*best), sample.noisy);
        replay(position.play(*best), ply + 1, rest)
    } else if moves.len() == 1 || position.is_forced() {
        return moves.iter().find_map(|&mv| replay(position.play(mv), ply + 1, samples));
    } else {
        return None;
    };
    continuation.map(|line| [vec![position], line].concat())
}

/// Plays a game, replays it and checks the results of its samples. Returns it with the positions
/// of its line, up to the one after the last sample.
fn play_and_replay<P: SearchedGame>(
    player: &SelfplayPlayer<P>,
    seed: u64,
) -> (SelfplayGame, Vec<P>) {
    let played = player.play(seed).unwrap();
    let (position, ply) = opening_position(player, seed);
    let line = replay(position, ply, &played.samples);
    let line = line.unwrap_or_else(|| panic!("game {seed} cannot be replayed"));
    for (position, sample) in line.iter().zip(&played.samples) {
        let black = played.end.result.unwrap();
        let own = if position.side() == Side::Black { black } else { 2 - black };
        assert_eq!(sample.result, own, "game {seed}, ply {}", sample.ply);
        assert_eq!(sample.game, seed as u32);
    }
    (played, line)
}

/// The moves of an explored opening are drawn, and each is about as good as the best one.
#[test]
fn explored_openings_differ() {
    let start = Loa::read_setup(variant_start::<Loa>(), Default::default()).unwrap();
    let openings = || Openings::none(start);
    let explorer = |most| SelfplayPlayer {
        openings: openings(),
        explored: Some(Explored::new(most)),
        ..player::<Loa>(variant_start::<Loa>())
    };
    let games = |most| -> Vec<Vec<u16>> {
        let play = |seed| explorer(most).play(seed).unwrap().samples;
        let moves =
            |samples: Vec<Sample>| samples.iter().take(8).map(|sample| sample.best).collect();
        (0..8).map(play).map(moves).collect()
    };
    let distinct = |most| games(most).into_iter().collect::<BTreeSet<_>>().len();
    assert_eq!(distinct(0), 1, "only the best move");
    assert!(distinct(100) > 4, "{:?}", games(100));
    play_and_replay(&explorer(100), 5);
}

#[test]
fn results_match_a_longer_search() {
    let player = player::<Loa>(variant_start::<Loa>());
    let verifier = SelfplayPlayer { nodes: 200_000, ..self::player::<Loa>(variant_start::<Loa>()) };
    let mut seen = [0; 3];
    for seed in 0..12 {
        let (played, line) = play_and_replay(&player, seed);
        let Some(black) = played.end.result else { continue };
        assert!(played.samples.len() > 5);
        seen[usize::from(black)] += 1;
        // A longer search of the last position confirms the result.
        let last = line.last().unwrap();
        let winner = match outcome(last) {
            Some(outcome) => outcome.winner,
            None if black == 1 => None,
            None => {
                let found = verifier.search(last, &[], &SearchMemory::new(16).unwrap()).unwrap();
                assert!(found.score.is_decided(), "game {seed} is not decided");
                Some(if found.score.is_won() { last.side() } else { !last.side() })
            }
        };
        let wanted = match winner {
            None => 1,
            Some(Side::Black) => 2,
            Some(Side::White) => 0,
        };
        assert_eq!(black, wanted, "game {seed}");
    }
    assert!(seen[0] > 0 && seen[2] > 0, "{seen:?}");
}

#[test]
fn draughts_samples_have_no_captures() {
    let player = player::<Draughts>(variant_start::<Draughts>());
    let mut samples = 0;
    for seed in 0..8 {
        let (played, line) = play_and_replay(&player, seed);
        for position in &line[..played.samples.len()] {
            for &mv in &legal_moves(position) {
                assert_eq!(pieces(&position.play(mv)), pieces(position), "{position:?}");
            }
            samples += 1;
        }
    }
    assert!(samples > 100);
}

/// A tablebase in which the side to move loses every position with at most this many pieces.
struct LossTablebase(u32);

fn pieces(position: &Draughts) -> u32 {
    position.features(Side::Black).iter().map(|own| own.count_ones()).sum()
}

impl Tablebase<Draughts> for LossTablebase {
    fn value(&self, position: &Draughts) -> Option<TablebaseValue> {
        (pieces(position) <= self.0).then_some(TablebaseValue::Lost(None))
    }
}

#[test]
fn tablebase_hit_ends_a_game_at_once() {
    let start = "W:W21,22,25,26,29,30:B1,2,5,6,9,10";
    let without_tablebase = player::<Draughts>(start);
    let with_tablebase =
        SelfplayPlayer { tablebase: Some(std::sync::Arc::new(LossTablebase(8))), ..player(start) };
    let count_hits = |player: &SelfplayPlayer<Draughts>| -> usize {
        let games = (0..6).map(|seed| play_and_replay(player, seed));
        let is_hit = |position: &&Draughts| pieces(position) <= 8;
        games.map(|(game, line)| line.iter().take(game.samples.len()).filter(is_hit).count()).sum()
    };
    assert!(count_hits(&without_tablebase) > 0);
    assert_eq!(count_hits(&with_tablebase), 0);
    let decided = (0..6).filter(|&seed| {
        let (played, _) = play_and_replay(&with_tablebase, seed);
        matches!(played.end.result, Some(0 | 2)) && played.end.plies < 160
    });
    assert!(decided.count() > 0);
}

#[test]
fn long_games_are_drawn_and_decided_openings_dropped() {
    let short = SelfplayPlayer { longest: 14, ..player::<Loa>(variant_start::<Loa>()) };
    let drawn = (0..6).map(|seed| short.play(seed).unwrap()).filter(|game| game.end.plies == 14);
    let results: Vec<_> = drawn.map(|game| game.end.result).collect();
    assert!(!results.is_empty() && results.iter().all(|&result| result == Some(1)), "{results:?}");
    // Black is a king and eleven men up.
    let won = player::<Draughts>("B:W32:B1,2,3,4,5,6,7,8,9,10,11,K12");
    for seed in 0..6 {
        let game = won.play(seed).unwrap();
        assert_eq!((game.end.result, game.samples.len(), game.end.samples), (None, 0, 0));
    }
    let dropped = |balance| {
        let player = SelfplayPlayer { balance, ..player::<Draughts>(variant_start::<Draughts>()) };
        (0..8).filter(|&seed| player.play(seed).unwrap().end.result.is_none()).count()
    };
    assert!(dropped(1) > dropped(600));
}
