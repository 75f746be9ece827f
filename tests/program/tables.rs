//! Endgame tables: their counts, the values of the small ones compared with an independent solver,
//! and files that are missing, damaged or wrong.

mod retrograde;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use soucie::game::{Notation, Side, Tablebase, TablebaseError};
use soucie::games::draughts::Draughts;
use soucie::games::draughts::tablebase::{self, Counts, MemoryTables, OwnTables, Step, Value};

use crate::programs::{self, Ran, copy_tables, empty_folder, names, run, tables as four_pieces};

const MEMORY: usize = 1 << 30;
/// Offsets in a table file: the checksum, the data that it covers, the checksum of the unpacked blocks, and the ends
/// of blocks.
const CHECKSUM: usize = 12;
const BODY: usize = 16;
const CONTENT: usize = 44;
const ENDS: usize = 48;
/// The size of a block in bytes.
const BLOCK: usize = 4096;

fn build(dir: &Path, pieces: usize) -> Result<(), TablebaseError> {
    tablebase::build(dir, pieces, 2, MEMORY, &|_| {})
}

/// A directory with tables of up to three pieces of its own.
fn three_pieces(name: &str) -> PathBuf {
    let dir = empty_folder(Path::new("tables").join(name));
    copy_tables(four_pieces(), &dir, |pieces| pieces < 4);
    dir
}

/// The positions of up to three pieces, solved once.
pub fn solved() -> &'static [(retrograde::Board, Side, Option<u16>)] {
    static SOLVED: OnceLock<Vec<(retrograde::Board, Side, Option<u16>)>> = OnceLock::new();
    SOLVED.get_or_init(|| retrograde::solve(3))
}

/// The names and bytes of all files of a directory.
fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let entry = |path: PathBuf| {
        (path.file_name().unwrap().to_str().unwrap().to_string(), fs::read(&path).unwrap())
    };
    let mut files: Vec<_> =
        fs::read_dir(dir).unwrap().map(|file| entry(file.unwrap().path())).collect();
    files.sort();
    files
}

pub fn read(setup: &str) -> Draughts {
    Draughts::read_setup(setup, Default::default()).unwrap()
}

fn soucie(arguments: &[&str]) -> Ran {
    run(programs::soucie().arg("tables").args(arguments))
}

#[test]
fn counts_are_correct() {
    let tables = OwnTables::open(four_pieces()).unwrap();
    let rows = [
        (2, 3_488, [716, 402, 2_370]),
        (3, 196_032, [100_250, 87_305, 8_477]),
        (4, 6_209_316, [2_574_304, 1_917_090, 1_717_922]),
    ];
    for (pieces, positions, [won, lost, drawn]) in rows {
        let counts = tables.counts(pieces).unwrap();
        assert_eq!(counts, Counts { won, lost, drawn }, "{pieces} pieces");
        assert_eq!(counts.positions(), positions, "{pieces} pieces");
    }
    assert_eq!(tables.pieces(), 4);
    assert_eq!(tables.counts(5), None);
    assert!(tablebase::verify(four_pieces(), None, 2, &|_| {}).unwrap().is_none());
}

#[test]
fn info_prints_the_counts() {
    let info = soucie(&["info", "--dir", four_pieces().to_str().unwrap()]);
    assert!(info.succeeded());
    assert_eq!(
        info.out,
        "2 pieces: 3488 positions, 716 won, 402 lost, 2370 drawn (Black to move)\n\
         3 pieces: 196032 positions, 100250 won, 87305 lost, 8477 drawn (Black to move)\n\
         4 pieces: 6209316 positions, 2574304 won, 1917090 lost, 1717922 drawn (Black to move)\n"
    );
}

#[test]
fn info_without_tables_prints_the_build_command() {
    let dir = empty_folder("tables/no build");
    fs::create_dir_all(&dir).unwrap();
    let dir = dir.to_str().unwrap();
    let info = soucie(&["info", "--dir", dir]);
    let wanted =
        format!("no tables in {dir}: build them with `soucie tables build --dir '{dir}'`\n");
    assert_eq!((&info.out, info.succeeded()), (&wanted, true));
    fs::write(format!("{dir}/other"), "no table").unwrap();
    assert_eq!(soucie(&["info", "--dir", dir]).out, wanted);
    // Without `--dir`, the default directory is used, which does not exist.
    let mut command = programs::soucie();
    let info = run(command.args(["tables", "info"]));
    assert!(info.out.ends_with(": build them with `soucie tables build`\n"));
}

#[test]
fn positions_have_the_expected_values() {
    let tables = OwnTables::open(four_pieces()).unwrap();
    let rows = [
        ("W:WK32:BK1", Some(Value::Draw), None),
        // Two kings against one.
        ("W:WK14,K15:BK6", Some(Value::Win), None),
        // White cannot move.
        ("W:W13:BK9,K6", Some(Value::Loss), Some(0)),
        ("B:W13:BK9,K6", Some(Value::Win), None),
        // Too many pieces.
        ("W:W25,26,27:B1,2", None, None),
    ];
    for (setup, value, distance) in rows {
        let position = read(setup);
        assert_eq!(tables.value(&position), value, "{setup}");
        if distance.is_some() {
            assert_eq!(tables.distance(&position), distance, "{setup}");
        }
    }
}

#[test]
fn values_up_to_three_pieces_match_an_independent_solver() {
    let tables = OwnTables::open(&three_pieces("plain")).unwrap();
    let mut counts = [0; 3];
    for &(board, side, ending) in solved() {
        let position = read(&board.setup(side));
        let value = match ending {
            None => Value::Draw,
            Some(plies) if plies % 2 == 1 => Value::Win,
            Some(_) => Value::Loss,
        };
        assert_eq!(tables.value(&position), Some(value), "{}", board.setup(side));
        assert_eq!(tables.distance(&position), ending, "{}", board.setup(side));
        counts[value as usize] += u64::from(side == Side::Black);
    }
    assert_eq!(counts, [402 + 87_305, 2_370 + 8_477, 716 + 100_250]);
}

/// Exports the tables of a directory and returns the bytes of the file.
fn exported(dir: &Path) -> Vec<u8> {
    let file = empty_folder("tables/exported").join("tables");
    let [dir, out] = [dir, &file].map(|path| path.to_str().unwrap());
    let export = soucie(&["export", "--dir", dir, "--out", out]);
    assert!(export.succeeded() && export.out.is_empty(), "{export:?}");
    fs::read(&file).unwrap()
}

/// Compares 20,000 random positions with four pieces and all positions with fewer.
#[test]
fn tables_in_memory_have_the_same_values() {
    let files = OwnTables::open(four_pieces()).unwrap();
    let bytes = exported(four_pieces());
    let memory = MemoryTables::read(bytes.clone()).unwrap();
    let compare = |setup: &str| {
        let position = read(setup);
        let value = files.value(&position).unwrap();
        assert_eq!(memory.value(&position), Tablebase::value(&files, &position), "{setup}");
        value
    };
    for (board, side, _) in solved() {
        compare(&board.setup(*side));
    }
    let mut rng = SmallRng::seed_from_u64(1);
    let mut counts = [0; 3];
    for _ in 0..20_000 {
        counts[compare(&random_setup(&mut rng, 4)) as usize] += 1;
    }
    assert!(counts.iter().all(|&count| count > 4_000), "{counts:?}");
    assert_eq!(memory.value(&read("W:WK14,K15,K18:BK1,2")), None, "too many pieces");

    let damaged: [(&str, Vec<u8>); 6] = [
        ("these are no endgame tables", vec![]),
        ("these are no endgame tables", bytes[1..].to_vec()),
        ("found table version 2, expected version 1", [&bytes[..8], &[2], &bytes[9..]].concat()),
        ("the tables are damaged", bytes[..8].to_vec()),
        ("the tables are damaged", bytes[..bytes.len() - 1].to_vec()),
        ("the tables are damaged", [&bytes[..], &[0]].concat()),
    ];
    for (error, bytes) in damaged {
        assert_eq!(MemoryTables::read(bytes).err().unwrap().to_string(), error);
    }
    for at in [9, 12, 15, 16, 1_000_000, bytes.len() - 1] {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        assert!(MemoryTables::read(bytes).is_err(), "byte {at}");
    }
}

/// A random position with `pieces` pieces.
pub fn random_setup(rng: &mut SmallRng, pieces: usize) -> String {
    let mut squares: Vec<usize> = (1..=32).collect();
    let mut sides = [vec![], vec![]];
    for i in 0..pieces {
        let square = squares.swap_remove(rng.random_range(0..squares.len()));
        let side = if i < 2 { i } else { rng.random_range(0..2) };
        let is_crowned = if side == 0 { square > 28 } else { square < 5 };
        let king = if is_crowned || rng.random() { "K" } else { "" };
        sides[side].push(format!("{king}{square}"));
    }
    let [black, white] = sides.map(|side| side.join(","));
    format!("{}:W{white}:B{black}", if rng.random() { "W" } else { "B" })
}

#[test]
fn export_does_not_overwrite_a_table() {
    let dir = empty_folder("tables/overwritten");
    copy_tables(four_pieces(), &dir, |_| true);
    let before = files(&dir);
    let path = dir.to_str().unwrap();
    let table = dir.join("0m1k-0m1k.table");
    let export = soucie(&["export", "--dir", path, "--out", table.to_str().unwrap()]);
    assert_eq!(export.code, Some(1));
    let stderr = export.err;
    assert!(stderr.starts_with("soucie: ") && stderr.contains("0m1k-0m1k.table"), "{stderr}");
    assert!(files(&dir) == before, "a table was overwritten");
    // An incomplete set of tables is not exported.
    fs::remove_file(&table).unwrap();
    let out = dir.join("out");
    let export = soucie(&["export", "--dir", path, "--out", out.to_str().unwrap()]);
    assert_eq!(export.err.lines().count(), 1, "{export:?}");
    assert!(export.err.contains("missing table: 0m1k-0m1k"), "{export:?}");
    assert!(!export.succeeded() && !out.exists());
}

#[test]
fn build_completes_an_incomplete_set() {
    let dir = three_pieces("resumed");
    let before = files(&dir);
    let time = |name: &str| fs::metadata(dir.join(name)).unwrap().modified().unwrap();
    // A slice is solved together with its turned slice.
    let rebuilt = ["0m1k-0m1k.table", "0m1k-1m1k.table", "1m1k-0m1k.table"];
    for name in &rebuilt[..2] {
        fs::remove_file(dir.join(name)).unwrap();
    }
    let kept: Vec<_> =
        before.iter().filter(|(name, _)| !rebuilt.contains(&name.as_str())).collect();
    let times: Vec<_> = kept.iter().map(|(name, _)| time(name)).collect();
    build(&dir, 3).unwrap();
    assert!(files(&dir) == before, "the files differ");
    assert_eq!(kept.iter().map(|(name, _)| time(name)).collect::<Vec<_>>(), times);
}

#[test]
fn invalid_files_are_refused_by_name() {
    let dir = three_pieces("bad");
    let name = |name: &str| dir.join(name);
    let mut bytes = fs::read(name("0m2k-0m1k.table")).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(name("0m2k-0m1k.table"), &bytes).unwrap();
    let mut bytes = fs::read(name("1m1k-0m1k.table")).unwrap();
    bytes[8] = 99;
    fs::write(name("1m1k-0m1k.table"), &bytes).unwrap();
    fs::write(name("0m1k-2m0k.table"), "what is this?").unwrap();
    fs::write(name("0m1k-0m2k.table"), "").unwrap();
    // A table under the name of another one.
    fs::copy(name("2m0k-1m0k.table"), name("2m0k-0m1k.table")).unwrap();

    let mut tables = OwnTables::open(&dir).unwrap();
    let mut refused: Vec<_> = tables.take_refused().iter().map(|error| error.to_string()).collect();
    refused.sort();
    let errors = [
        ("0m1k-0m2k.table", "is not an endgame table"),
        ("0m1k-2m0k.table", "is not an endgame table"),
        ("0m2k-0m1k.table", "is damaged"),
        ("1m1k-0m1k.table", "has table version 99, expected version 3"),
        ("2m0k-0m1k.table", "is damaged"),
    ];
    let errors = errors.map(|(file, message)| format!("{} {message}", name(file).display()));
    assert_eq!(refused, errors);
    assert_eq!(tables.pieces(), 2);
    // The other tables are used, and the refused ones give no value.
    assert_eq!(tables.value(&read("W:WK32:BK1")), Some(Value::Draw));
    assert!(tables.value(&read("W:W25:BK1,K2")).is_some());
    assert_eq!(tables.value(&read("W:WK14,K15:BK1")), None);

    let info = soucie(&["info", "--dir", dir.to_str().unwrap()]);
    assert_eq!(info.code, Some(1));
    assert!(info.out.ends_with("3 pieces: 7 of 12 tables\n"), "{info:?}");
    assert!(errors.iter().all(|line| info.err.contains(line)), "{info:?}");

    build(&dir, 3).unwrap();
    assert!(OwnTables::open(&dir).unwrap().take_refused().is_empty());
}

/// Changes one entry of a table with distances, and the ends of blocks and the checksum with it.
fn change_entry(path: &Path, entry: usize, change: impl Fn(u8) -> u8) {
    let file = fs::read(path).unwrap();
    let counts = file[BODY + 4..CONTENT].chunks(8);
    let size: u64 = counts.map(|count| u64::from_le_bytes(count.try_into().unwrap())).sum();
    let count = (size as usize).div_ceil(BLOCK);
    let first = ENDS + 4 * count;
    let end = |i: usize| u32::from_le_bytes(file[ENDS + 4 * i..][..4].try_into().unwrap());
    let (mut ends, mut blocks, mut content) = (Vec::new(), Vec::new(), crc32fast::Hasher::new());
    for i in 0..count {
        let begin = if i == 0 { 0 } else { end(i - 1) as usize };
        let packed = &file[first + begin..first + end(i) as usize];
        let mut block = miniz_oxide::inflate::decompress_to_vec(packed).unwrap();
        if entry / BLOCK == i {
            block[entry % BLOCK] = change(block[entry % BLOCK]);
        }
        content.update(&block);
        blocks.extend(miniz_oxide::deflate::compress_to_vec(&block, 3));
        ends.extend((blocks.len() as u32).to_le_bytes());
    }
    let content = content.finalize().to_le_bytes();
    let body = [&file[BODY..CONTENT], &content, &ends, &blocks].concat();
    let checksum = crc32fast::hash(&body).to_le_bytes();
    fs::write(path, [&file[..CHECKSUM], &checksum, &body].concat()).unwrap();
}

#[test]
fn verify_finds_a_wrong_entry() {
    let dir = three_pieces("wrong");
    let path = dir.join("0m2k-0m1k.table");
    // The last entry of the table and some others, of quiet positions and of captures.
    for entry in [0, 77, 14_879] {
        for change in [|code: u8| code + 1, |code: u8| if code == 0 { 3 } else { 0 }] {
            let whole = fs::read(&path).unwrap();
            change_entry(&path, entry, |code| code);
            assert_eq!(tablebase::verify(&dir, None, 2, &|_| {}).unwrap(), None, "rewritten");
            change_entry(&path, entry, change);
            assert!(OwnTables::open(&dir).unwrap().take_refused().is_empty());
            let fault = tablebase::verify(&dir, None, 2, &|_| {}).unwrap();
            assert!(fault.is_some(), "wrong entry {entry} not found");
            fs::write(&path, whole).unwrap();
        }
    }
    change_entry(&path, 5_000, |code| code + 2);
    let verify = soucie(&["verify", "--dir", dir.to_str().unwrap()]);
    assert_eq!(verify.code, Some(1));
    let stdout = verify.out;
    assert!(stdout.starts_with("wrong: 0m"), "{stdout}");
    assert!(stdout.contains(": expected "), "{stdout}");
}

#[test]
fn invalid_commands_report_errors() {
    let dir = empty_folder("tables/errors");
    let file = dir.join("file");
    fs::write(&file, "").unwrap();
    let missing = dir.join("missing");
    let [dir, file, missing] = [&dir, &file, &missing].map(|path| path.to_str().unwrap());
    let rows: &[(&[&str], &str)] = &[
        (&["build", "--pieces", "1", "--dir", dir], "expected a whole number from 2 to 6"),
        (&["build", "--pieces", "7", "--dir", dir], "expected a whole number from 2 to 6"),
        (
            &["build", "--pieces", "6", "--memory", "100", "--dir", dir],
            "MiB of memory; the limit is 100 MiB",
        ),
        (&["build", "--pieces", "2", "--dir", file], file),
        (&["info", "--dir", missing], missing),
        (
            &["verify", "--dir", missing],
            "missing table: 0m1k-0m1k or one that it depends on; `soucie",
        ),
    ];
    for (arguments, error) in rows {
        let output = soucie(arguments);
        assert!(!output.succeeded(), "{arguments:?}");
        assert!(output.err.contains(error), "{arguments:?}: {output:?}");
        assert!(output.out.is_empty(), "{output:?}");
    }
    assert_eq!(files(Path::new(dir)).len(), 1, "a file was left behind");
}

#[test]
fn failed_build_leaves_no_partial_file() {
    let dir = empty_folder("tables/unwritable");
    // A directory has the name of the table.
    fs::create_dir(dir.join("0m1k-0m1k.table")).unwrap();
    let error = build(&dir, 2).unwrap_err().to_string();
    assert!(error.contains("0m1k-0m1k.table"), "{error}");
    fs::remove_dir(dir.join("0m1k-0m1k.table")).unwrap();
    assert_eq!(names(&dir), [""; 0]);
}

/// A limit of a few hundred bytes for each file simulates a full disk.
#[test]
#[cfg(unix)]
fn full_disk_leaves_only_complete_tables() {
    let dir = empty_folder("tables/full");
    let build = |limit: &str| {
        let script =
            format!("trap '' XFSZ; {limit} exec \"$0\" tables build --pieces 3 --dir \"$1\"");
        let mut shell = programs::command("sh");
        run(shell.args(["-c", &script, programs::SOUCIE]).arg(&dir))
    };
    let full = build("ulimit -f 1;");
    assert_eq!(full.code, Some(1), "{full:?}");
    let stderr = full.err;
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.starts_with(&format!("soucie: {}", dir.display())), "{stderr}");
    assert!(stderr.contains(".table: "), "{stderr}");
    let names = names(&dir);
    assert!(names.len() > 1 && names.iter().all(|n| n.ends_with(".table")), "{names:?}");
    // The files are complete, and the other tables are built when there is space.
    assert!(OwnTables::open(&dir).unwrap().take_refused().is_empty());
    assert!(build("").succeeded());
    assert_eq!(tablebase::verify(&dir, Some(3), 2, &|_| {}).unwrap(), None);
}

#[test]
fn concurrent_build_in_one_directory_is_refused() {
    let dir = empty_folder("tables/busy");
    let outputs = Mutex::new(Vec::new());
    // During the build, a second process starts a build in the same directory.
    let start_second_build = |step: Step| {
        if matches!(step, Step::Total(_)) {
            outputs.lock().unwrap().push(soucie(&[
                "build",
                "--pieces",
                "2",
                "--dir",
                dir.to_str().unwrap(),
            ]));
        }
    };
    tablebase::build(&dir, 2, 1, MEMORY, &start_second_build).unwrap();
    let outputs = outputs.into_inner().unwrap();
    assert_eq!(outputs.len(), 1);
    assert_eq!(outputs[0].code, Some(1));
    let busy = format!("soucie: another build is running in {}\n", dir.display());
    assert_eq!(outputs[0].err, busy);
    assert_eq!(OwnTables::open(&dir).unwrap().pieces(), 2);
    build(&dir, 2).unwrap();
}

/// An interrupt leaves the tables that are finished, and prints how to continue.
#[cfg(unix)]
#[test]
fn interrupted_build_prints_how_to_continue() {
    use std::process::Stdio;

    let dir = empty_folder("tables/interrupted");
    let mut build = programs::soucie();
    build.args(["tables", "build", "--pieces", "6", "--dir"]).arg(&dir).stderr(Stdio::piped());
    let build = build.spawn().unwrap();
    let is_begun = || names(&dir).iter().any(|name| name.ends_with(".table"));
    programs::waits::wait_until("a table is built", is_begun);
    programs::signal(&build, "INT");
    let Ran { code, err, .. } = build.wait_with_output().unwrap().into();
    assert_eq!(code, Some(1));
    let line = "not finished: run the same command again to continue\n";
    assert_eq!(err, line);
    self::build(&dir, 3).unwrap();
}
