//! Games of the engine against itself: they can be made again, continued and replayed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use soucie::game::{
    Features, Game, Move, Position, Side, Tablebase, TablebaseValue, legal_moves, outcome,
};
use soucie::games::draughts::Draughts;
use soucie::games::loa::Loa;
use soucie::search::TranspositionTable;
use soucie::tools::samples::{self, Sample};
use soucie::tools::selfplay::game::{PlayedGame, Player};
use soucie::tools::selfplay::opening::Openings;

// The command.

/// A file of its own for each test.
fn file(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("selfplay");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let _ = fs::remove_file(&path);
    path
}

/// Plays short games of Lines of Action, unless the options say otherwise.
fn command(out: &Path, seeds: &str, options: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_soucie"));
    command.args(["selfplay", "--seeds", seeds]).args(options.split_whitespace());
    if !options.contains("--nodes") {
        command.args(["--nodes", "100"]);
    }
    command.arg("--out").arg(out);
    command
}

fn run(out: &Path, seeds: &str, options: &str) -> Output {
    command(out, seeds, options).output().unwrap()
}

/// The file that a run makes.
fn made(out: &Path, seeds: &str, options: &str) -> Vec<u8> {
    let output = run(out, seeds, options);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read(out).unwrap()
}

/// What a run that fails says.
fn complaint(out: &Path, seeds: &str, options: &str) -> String {
    let output = run(out, seeds, options);
    assert!(!output.status.success());
    let text = String::from_utf8(output.stderr).unwrap();
    text.replace(&out.display().to_string(), "FILE")
}

#[test]
fn the_same_seeds_make_the_same_file_whatever_the_threads() {
    for variant in ["linesofaction", "englishdraughts"] {
        let options = format!("--variant {variant} --threads");
        let one = made(&file(&format!("{variant}-1")), "3..15", &format!("{options} 1"));
        let three = made(&file(&format!("{variant}-3")), "3..15", &format!("{options} 3"));
        assert!(one == three, "{variant}");
        let other = made(&file(&format!("{variant}-o")), "4..16", &format!("{options} 1"));
        assert!(one[96..] != other[96..], "{variant}");
    }
}

#[test]
fn a_file_cut_anywhere_is_continued_to_the_same_bytes() {
    let path = file("cut");
    let whole = made(&path, "0..4", "");
    let half = whole.len() / 2;
    for length in [0, 10, 95, 96, 97, 128, half, half + 1, whole.len() - 32, whole.len()] {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(made(&path, "0..4", "--threads 2") == whole, "cut at {length}");
    }
}

#[test]
fn only_regular_files_are_read_and_not_without_a_bound() {
    let openings = file("openings-zeros");
    fs::File::create(&openings).unwrap().set_len(1 << 40).unwrap();
    let out = file("bounded");
    let read =
        |openings: &Path| complaint(&out, "0..1", &format!("--openings {}", openings.display()));
    assert!(read(&openings).ends_with("openings-zeros: file larger than 16 MiB\n"));
    fs::remove_file(&openings).unwrap();
    fs::write(&openings, "b8b6\n").unwrap();
    let said = complaint(&openings, "0..1", &format!("--openings {}", openings.display()));
    assert_eq!(said, "soucie: FILE is given twice: each option needs its own file\n");
    if cfg!(unix) {
        let wanted = "is a device or a pipe; expected a regular file\n";
        assert!(read(Path::new("/dev/zero")).ends_with(wanted));
        assert!(complaint(Path::new("/dev/full"), "0..1", "").ends_with(wanted));
        assert!(!Path::new("/dev/full.lock").exists());
    }
}

/// Starts a run that takes long, and waits until it has written some games.
fn under_way(path: &Path) -> Child {
    let mut run = command(path, "0..100", "--nodes 1000 --threads 2");
    let run = run.stdout(Stdio::null()).spawn().unwrap();
    let since = Instant::now();
    while fs::metadata(path).map_or(0, |data| data.len()) < 3_000 {
        assert!(since.elapsed() < Duration::from_secs(120), "nothing is written");
        thread::sleep(Duration::from_millis(1));
    }
    run
}

#[test]
fn a_run_that_is_killed_is_continued_to_the_same_bytes() {
    let path = file("killed");
    let mut run = under_way(&path);
    run.kill().unwrap();
    run.wait().unwrap();
    let whole = made(&file("unharmed"), "0..100", "--nodes 1000");
    assert!(fs::metadata(&path).unwrap().len() < whole.len() as u64, "it was not killed in time");
    assert!(made(&path, "0..100", "--nodes 1000") == whole);
}

#[test]
fn two_runs_do_not_write_one_file() {
    let path = file("in-use");
    let mut run = under_way(&path);
    let said = complaint(&path, "0..100", "--nodes 1000");
    run.kill().unwrap();
    run.wait().unwrap();
    assert_eq!(said, "soucie: FILE is in use\n");
}

#[test]
fn files_put_together_are_one() {
    let (first, second, both) = (file("first"), file("second"), file("both"));
    let bytes = [made(&first, "0..3", ""), made(&second, "3..6", "")].concat();
    fs::write(&both, bytes).unwrap();
    let (headers, samples) = samples::read(&both).unwrap();
    assert_eq!(headers.iter().map(|header| header.first_seed).collect::<Vec<_>>(), [0, 3]);
    let apart = [samples::read(&first).unwrap().1, samples::read(&second).unwrap().1];
    assert_eq!(samples, apart.concat());
    let mut games: Vec<u32> = samples.iter().map(|sample| sample.game).collect();
    games.dedup();
    assert_eq!(games, [0, 1, 2, 3, 4, 5]);
    let several = "soucie: FILE cannot be continued, it has several parts: name another file\n";
    assert_eq!(complaint(&both, "0..3", ""), several);
}

#[test]
fn a_file_made_in_another_way_is_refused_and_kept() {
    let path = file("refused");
    let whole = made(&path, "0..3", "");
    let openings = file("openings");
    fs::write(&openings, "b8b6 a4c4 # one\n").unwrap();
    let listed = format!("--openings {}", openings.display());
    let table = [
        ("0..4", "", "it was made with other seeds"),
        ("1..4", "", "it was made with other seeds"),
        ("0..3", "--nodes 101", "it was made with other nodes"),
        ("0..3", "--variant englishdraughts", "its games are of another variant"),
        ("0..3", "--balance 100", "it was made with other openings, tables or limits"),
        ("0..3", "--longest 100", "it was made with other openings, tables or limits"),
        ("0..3", &listed, "it was made with other openings, tables or limits"),
    ];
    for (seeds, options, what) in table {
        let said = complaint(&path, seeds, options);
        let wanted = format!("soucie: FILE cannot be continued, {what}");
        assert!(said.starts_with(&wanted) && said.lines().count() == 1, "{said}");
        assert!(fs::read(&path).unwrap() == whole);
    }
    fs::write(&path, "my diary, which is longer than a header of a file of samples would be: it says a lot of things").unwrap();
    let said = complaint(&path, "0..3", "");
    assert_eq!(said, "soucie: FILE, byte 0: not a sample file, or damaged\n");
    assert!(fs::read(&path).unwrap().starts_with(b"my diary"));
}

#[test]
fn games_begin_with_the_openings_of_a_file() {
    let openings = file("setups");
    let table = [
        ("linesofaction", "1ll1ll2/8/L6L/8/8/L6L/8/8 b", 8),
        ("englishdraughts", "W:W25,26,27,29,30:B1,2,3,5,6", 10),
        ("englishdraughts", "W:W25,26,27,29,30:B1,2,3,5,6 25-22", 10),
        ("englishdraughts", "[FEN \"W:W25,26,27,29,30:B1,2,3,5,6\"]\n1. 25-22 *", 10),
    ];
    for (variant, text, pieces) in table {
        fs::write(&openings, text).unwrap();
        let path = file("from-setups");
        let listed = format!("--variant {variant} --openings {}", openings.display());
        made(&path, "0..4", &listed);
        let samples = samples::read(&path).unwrap().1;
        let count = |sample: &Sample| sample.inputs.iter().map(|bits| bits.count_ones()).sum();
        let counts: Vec<u32> = samples.iter().map(count).collect();
        assert!(!counts.is_empty() && counts.iter().all(|&count| count <= pieces), "{text}");
    }
}

#[test]
fn damage_that_no_interrupt_makes_is_not_cut_off() {
    let path = file("damaged");
    let mut bytes = made(&path, "0..12", "--longest 20");
    bytes[200] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let said = complaint(&path, "0..12", "--longest 20");
    assert_eq!(said, "soucie: FILE, byte 192: not a sample file, or damaged\n");
    assert!(fs::read(&path).unwrap() == bytes);
}

#[test]
fn what_cannot_be_read_is_told() {
    let (path, openings) = (file("never"), file("bad-openings"));
    let listed = format!("--openings {}", openings.display());
    for (text, wanted) in [
        ("# one\n\nb8b6 a1a2\n", "opening in line 3: illegal move a1a2"),
        ("# none\n", "no opening to play"),
        ("d1b3 h5g4 b1b4 g4g1 b4e7 a3c1 b3e6 h3f1 e1e5", "opening in line 1: Black has won"),
    ] {
        fs::write(&openings, text).unwrap();
        let said = complaint(&path, "0..1", &listed);
        assert!(said.starts_with(&format!("soucie: {}: {wanted}", openings.display())), "{said}");
    }
    let nowhere = file("nowhere");
    fs::create_dir_all(&nowhere).unwrap();
    let tables = format!("--variant englishdraughts --tables {}", nowhere.display());
    let said = complaint(&path, "0..1", &tables);
    let wanted = format!("soucie: no complete set of endgame tables in {}: ", nowhere.display());
    assert!(said.starts_with(&wanted), "{said}");
    let said = complaint(&path, "0..1", "--eval-file no-such-file");
    assert!(said.starts_with("soucie: network no-such-file: "), "{said}");
    assert!(!path.exists());
    fs::remove_dir(nowhere).unwrap();
}

// The games.

fn player<P: Game>(start: &str) -> Player<P> {
    let start = P::read_setup(start, P::Rules::default()).unwrap();
    Player {
        openings: Openings::random(start),
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

/// The position after the opening of a game, and the plies until there.
fn opened<P: Game>(player: &Player<P>, seed: u64) -> (P, u16) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let game = player.openings.draw(&mut random);
    (*game.position(), game.plies() as u16)
}

/// Every line of play that goes through all samples in turn, each with the position of its
/// sample: moves are missing only where there was no choice or a capture was forced.
fn replay<P: Game>(position: P, ply: u16, samples: &[Sample]) -> Option<Vec<P>> {
    let [sample, rest @ ..] = samples else { return Some(vec![position]) };
    let moves = legal_moves(&position);
    let went_on = if sample.ply == ply {
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
    went_on.map(|line| [vec![position], line].concat())
}

/// Plays a game and replays it: the positions of its samples, and the one behind the last.
fn replayed<P: Game>(player: &Player<P>, seed: u64) -> (PlayedGame, Vec<P>) {
    let played = player.play(seed).unwrap();
    let (position, ply) = opened(player, seed);
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

#[test]
fn labels_are_those_of_the_side_to_move() {
    let player = player::<Loa>(variant_start::<Loa>());
    let judge = Player { nodes: 200_000, ..self::player::<Loa>(variant_start::<Loa>()) };
    let mut seen = [0; 3];
    for seed in 0..12 {
        let (played, line) = replayed(&player, seed);
        let Some(black) = played.end.result else { continue };
        assert!(played.samples.len() > 5);
        seen[usize::from(black)] += 1;
        // What the game was decided by, found out once more by a longer search.
        let last = line.last().unwrap();
        let winner = match outcome(last) {
            Some(outcome) => outcome.winner,
            None if black == 1 => None,
            None => {
                let found = judge.search(last, &[], &TranspositionTable::new(16).unwrap()).unwrap();
                assert!(found.score.is_certain(), "game {seed} is not decided");
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
fn no_sample_of_draughts_has_a_capture() {
    let player = player::<Draughts>(variant_start::<Draughts>());
    let mut samples = 0;
    for seed in 0..8 {
        let (played, line) = replayed(&player, seed);
        for position in &line[..played.samples.len()] {
            for &mv in &legal_moves(position) {
                assert_eq!(pieces(&position.play(mv)), pieces(position), "{position:?}");
            }
            samples += 1;
        }
    }
    assert!(samples > 100);
}

/// Somebody who knows that a position with at most so many pieces is lost for its side to move.
struct Pessimist(u32);

fn pieces(position: &Draughts) -> u32 {
    position.features(Side::Black).iter().map(|own| own.count_ones()).sum()
}

impl Tablebase<Draughts> for Pessimist {
    fn value(&self, position: &Draughts) -> Option<TablebaseValue> {
        (pieces(position) <= self.0).then_some(TablebaseValue::Lost(None))
    }
}

#[test]
fn what_is_known_for_certain_ends_a_game_at_once() {
    let start = "W:W21,22,25,26,29,30:B1,2,5,6,9,10";
    let alone = player::<Draughts>(start);
    let informed = Player { tablebase: Some(std::sync::Arc::new(Pessimist(8))), ..player(start) };
    let known = |player: &Player<Draughts>| -> usize {
        let games = (0..6).map(|seed| replayed(player, seed));
        let known = |position: &&Draughts| pieces(position) <= 8;
        games.map(|(game, line)| line.iter().take(game.samples.len()).filter(known).count()).sum()
    };
    assert!(known(&alone) > 0);
    assert_eq!(known(&informed), 0);
    let decided = (0..6).filter(|&seed| {
        let (played, _) = replayed(&informed, seed);
        matches!(played.end.result, Some(0 | 2)) && played.end.plies < 160
    });
    assert!(decided.count() > 0);
}

#[test]
fn a_long_game_is_drawn_and_a_decided_opening_dropped() {
    let short = Player { longest: 14, ..player::<Loa>(variant_start::<Loa>()) };
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
        let player = Player { balance, ..player::<Draughts>(variant_start::<Draughts>()) };
        (0..8).filter(|&seed| player.play(seed).unwrap().end.result.is_none()).count()
    };
    assert!(dropped(1) > dropped(600));
}
