//! Win-loss-draw databases: written from own tables and read again, and files that are damaged,
//! missing or large. The published ones are read from the folder that `SOUCIE_CHINOOK` names.

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::OnceLock;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use soucie::game::{Notation, Tablebase, TablebaseValue};
use soucie::games::draughts::Draughts;
use soucie::games::draughts::tables::{
    DatabaseCheck, Databases, EndgameTables, TableError, Tables, Value,
};

use crate::programs::{self, empty_folder, failure_of, output_of, tables as four_pieces};
use crate::tables::{random_setup, read, solved};

/// The positions of up to four pieces in which neither side can capture.
const QUIET: u64 = 4_726_851;

/// Writes a database of up to `pieces` pieces to a folder of its own, and returns the folder.
fn exported(pieces: usize) -> PathBuf {
    static FOLDERS: [OnceLock<PathBuf>; 3] = [const { OnceLock::new() }; 3];
    let folder = FOLDERS[pieces - 2].get_or_init(|| {
        let folder = empty_folder(format!("databases/of {pieces}"));
        export(&folder, pieces);
        folder
    });
    folder.clone()
}

fn export(folder: &Path, pieces: usize) {
    let mut export = programs::soucie();
    export.args(["tables", "export", "--format", "chinook", "--pieces", &pieces.to_string()]);
    export.arg("--dir").arg(four_pieces()).arg("--out").arg(folder.join(format!("DB{pieces}")));
    assert_eq!(output_of(&mut export), "");
}

/// A copy of the database of up to `pieces` pieces.
fn copied(pieces: usize, folder: &str) -> PathBuf {
    let folder = empty_folder(Path::new("databases").join(folder));
    for file in fs::read_dir(exported(pieces)).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), folder.join(file.file_name())).unwrap();
    }
    folder
}

fn own() -> &'static Tables {
    static OWN: OnceLock<Tables> = OnceLock::new();
    OWN.get_or_init(|| Tables::open(four_pieces()).unwrap())
}

/// Verifies the databases of a folder, all of which can be opened.
fn verify(folder: &Path, own: &Tables) -> Result<DatabaseCheck, TableError> {
    let (databases, refused) = Databases::open(&[folder.into()])?;
    match refused.into_iter().next() {
        Some(error) => Err(error),
        None => databases.verify(own, 8, 2, &|_| {}),
    }
}

fn tables_in(path: &Path) -> EndgameTables {
    let (tables, refused) = EndgameTables::open(path).unwrap();
    assert!(refused.is_empty(), "{refused:?}");
    tables
}

/// Compares the values of all positions of up to three pieces and of 20,000 with four.
fn compare_lookups(folder: &Path) {
    let tables = tables_in(folder);
    let mut unknown = 0;
    let mut compare = |setup: &str| {
        let position = read(setup);
        match tables.value(&position) {
            None => unknown += 1,
            value => assert_eq!(value, own().value(&position), "{setup}"),
        }
    };
    for (board, side, _) in solved() {
        compare(&board.setup(*side));
    }
    let mut rng = SmallRng::seed_from_u64(1);
    for _ in 0..20_000 {
        compare(&random_setup(&mut rng, 4));
    }
    // After some moves both sides still threaten to capture.
    assert!(unknown < 100, "{unknown} positions have no value");
}

#[test]
fn published_databases_have_the_values_of_own_tables() {
    let Some(folder) = env::var_os("SOUCIE_CHINOOK").map(PathBuf::from) else {
        eprintln!("skipped: SOUCIE_CHINOOK names no folder of databases");
        return;
    };
    let check = verify(&folder, own()).unwrap();
    assert!(check.faults.is_empty() && check.equal >= QUIET, "{check:?}");
    compare_lookups(&folder);
}

#[test]
fn exported_databases_have_the_values_of_own_tables() {
    let folder = exported(4);
    let check = verify(&folder, own()).unwrap();
    assert_eq!((check.equal, check.unknown, check.faults), (QUIET, 0, vec![]));
    compare_lookups(&folder);
    let tables = |command: &str| {
        let mut tables = programs::soucie();
        tables.args(["tables", command, "--dir"]).arg(&folder);
        tables
    };
    let info = "databases, 2 pieces: all 64 parts\n\
                databases, 3 pieces: all 240 parts\n\
                databases, 4 pieces: all 577 parts\n";
    assert_eq!(output_of(&mut tables("info")), info);
    let verified = |equal, unknown| {
        format!(
            "databases: {equal} positions have the value of own tables, {unknown} are not in own \
             tables\n"
        )
    };
    let mut verify = tables("verify");
    assert_eq!(output_of(verify.arg("--own").arg(four_pieces())), verified(QUIET, 0));
    let mut verify = tables("verify");
    let output = verify.args(["--pieces", "3"]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), verified(0, 3_488 + 196_032));
    for own in [None, Some(empty_folder("databases/no tables"))] {
        let mut verify = tables("verify");
        verify.args(own.iter().flat_map(|own| ["--own".as_ref(), own.as_os_str()]));
        let stderr = failure_of(&mut verify);
        assert!(stderr.starts_with("soucie: nothing was compared: no own tables "), "{stderr}");
    }
}

/// The hash by which proofs name the only database of a folder.
fn hash_of(folder: &Path) -> String {
    let identity = tables_in(folder).identity().unwrap();
    let (_, hash) = identity.split_once(" pieces sha256 ").unwrap();
    assert_eq!(hash.len(), 64, "{identity}");
    hash.to_string()
}

/// Only the words of an index count, and every byte of the data.
#[test]
fn databases_are_named_by_a_hash_of_their_contents() {
    let folder = copied(2, "hash");
    let (data, index) = (folder.join("DB2"), folder.join("DB2.idx"));
    let (hash, text) = (hash_of(&folder), fs::read_to_string(&index).unwrap());
    for changed in [text.replace('\n', "\r\n"), text.replace(' ', "  "), text.clone() + "\n\n"] {
        fs::write(&index, changed).unwrap();
        assert_eq!(hash_of(&folder), hash);
    }
    let mut hashes = vec![hash];
    let mut bytes = fs::read(&data).unwrap();
    bytes.resize(1024, 0);
    for padding in [0, 1] {
        bytes[1023] = padding;
        fs::write(&data, &bytes).unwrap();
        let hash = hash_of(&folder);
        assert!(!hashes.contains(&hash), "padding {padding}");
        hashes.push(hash);
    }
}

/// A folder whose databases an earlier one has too is no error, nor is a separator at the end.
#[test]
fn the_same_databases_may_be_named_twice() {
    let (one, other) = (exported(2), copied(2, "again"));
    let empty = PathBuf::new();
    let paths = [vec![&one, &one], vec![&one, &other], vec![&other, &empty]];
    for path in paths.map(|paths| env::join_paths(paths).unwrap()) {
        let tables = tables_in(Path::new(&path));
        assert_eq!(tables.value(&read("W:WK32:BK1")), Some(Value::Draw), "{path:?}");
    }
    let nothing = env::join_paths(["", ""]).unwrap();
    assert!(EndgameTables::open(Path::new(&nothing)).is_err());
}

#[test]
fn own_tables_are_asked_before_databases() {
    let both = copied(4, "beside tables");
    for file in fs::read_dir(four_pieces()).unwrap().map(Result::unwrap) {
        let name = file.file_name().into_string().unwrap();
        if name.chars().filter_map(|c| c.to_digit(10)).sum::<u32>() < 4 {
            fs::copy(file.path(), both.join(name)).unwrap();
        }
    }
    let separate = env::join_paths([exported(4), four_pieces().into()]).unwrap();
    use TablebaseValue::{Drawn, Lost, Won};
    let rows = [
        // A setup, and its value with tables of two and three, or of four pieces.
        ("W:WK14,K15:BK6", Won(Some(17)), Won(Some(17))),
        ("W:WK14,K15,K18:BK1", Won(None), Won(Some(11))),
        ("B:WK14,K15,K18:BK1", Lost(None), Lost(Some(8))),
        ("W:WK32:BK1", Drawn, Drawn),
        ("W:WK32,K31:BK1,K2", Drawn, Drawn),
    ];
    for (setup, few, many) in rows {
        let value = |path: &Path| Tablebase::value(&tables_in(path), &read(setup));
        let without_length = match many {
            Won(_) => Won(None),
            Lost(_) => Lost(None),
            Drawn => Drawn,
        };
        assert_eq!(value(&exported(4)), Some(without_length), "{setup}");
        assert_eq!(value(&both), Some(few), "{setup}");
        assert_eq!(value(Path::new(&separate)), Some(many), "{setup}");
    }
}

#[test]
fn several_databases_complement_each_other() {
    let folder = copied(2, "several");
    export(&folder, 3);
    // Programs for Windows write names in capital letters.
    fs::rename(folder.join("DB2.idx"), folder.join("db2.IDX")).unwrap();
    let index = fs::read_to_string(folder.join("DB3.idx")).unwrap();
    let three = index.find("BASE1110").unwrap();
    fs::write(folder.join("DB3.idx"), &index[three..]).unwrap();
    let (databases, refused) = Databases::open(slice::from_ref(&folder)).unwrap();
    assert!(refused.is_empty(), "{refused:?}");
    assert_eq!(databases.slices_of(2), (64, 64, None));
    let (there, all, missing) = databases.slices_of(3);
    assert!(0 < there && there < all && missing.is_some(), "{there} {all} {missing:?}");
    let tables = tables_in(&folder);
    assert_eq!(tables.value(&read("W:WK32:BK1")), Some(Value::Draw));
    assert!(verify(&folder, own()).unwrap().faults.is_empty());
}

#[test]
fn unusable_files_are_refused_by_name() {
    let index = |text: &'static str| ("DB2.idx", Some(text));
    let data = |text: &'static str| ("DB2", Some(text));
    let rows = [
        (("DB2", None), "DB2: "),
        (("DB2.idx", None), "DB2.idx: "),
        (index(""), "DB2.idx, line 1: expected 'BASEabcd.rs' and "),
        (index("\u{7f}ELF\u{0}\u{0}"), "DB2.idx, line 1: expected 'BASEabcd.rs' and "),
        (index("BASE1100.00 =\nS 0 0/0\n"), "DB2.idx, line 3: expected '. position block' or "),
        (data(""), "DB2 has 0 bytes, expected "),
        (data("what is this?"), "DB2 has 13 bytes, expected "),
    ];
    for ((name, text), error) in rows {
        let folder = copied(2, "refused");
        let file = folder.join(name);
        match text {
            Some(text) => fs::write(&file, text).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
        let expected = folder.join(error).display().to_string();
        let refused = verify(&folder, own()).unwrap_err().to_string();
        assert!(refused.starts_with(&expected), "{refused}");
        let refused = EndgameTables::open(&folder).err().unwrap().to_string();
        assert!(refused.starts_with(&expected), "{refused}");
        let mut info = programs::soucie();
        let output = info.args(["tables", "info", "--dir"]).arg(&folder).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.starts_with(&format!("soucie: {expected}")), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        // The advice to build tables would be misleading.
        assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
    }
    // Bytes after the end belong to other data.
    let folder = copied(2, "longer");
    let length = fs::metadata(folder.join("DB2")).unwrap().len();
    let file = File::options().write(true).open(folder.join("DB2")).unwrap();
    file.set_len(length.next_multiple_of(1024)).unwrap();
    assert!(verify(&folder, own()).is_ok());
    file.set_len(length.next_multiple_of(1024) + 1).unwrap();
    let refused = verify(&folder, own()).unwrap_err().to_string();
    let text = format!("has 1025 bytes, expected {length} as in its index");
    assert!(refused.ends_with(&text), "{refused}");
}

/// The number of positions in a byte of data.
fn positions_in(byte: u8) -> u16 {
    let runs = [10, 15, 20, 25, 30, 40, 50, 60, 100, 200, 400, 800, 1600];
    byte.checked_sub(243).map_or(5, |run| runs[usize::from(run)])
}

/// The lines of an index as words.
fn words(index: &[u8]) -> Vec<Vec<&str>> {
    let text = std::str::from_utf8(index).unwrap_or_default();
    text.lines().map(|line| line.split_whitespace().collect()).collect()
}

/// Values may be wrong only where a damage leaves the number of positions as it was: in a byte of
/// data with as many positions, and in the lines that name a subslice and its value.
#[test]
fn damaged_databases_give_no_wrong_values() {
    let folder = copied(3, "damaged");
    let (data_path, index_path) = (folder.join("DB3"), folder.join("DB3.idx"));
    let (data, index) = (fs::read(&data_path).unwrap(), fs::read(&index_path).unwrap());
    let nothing = Tables::open_all(&[]).unwrap();
    let mut rng = SmallRng::seed_from_u64(3);
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for i in 0..1_000 {
        let is_index = i % 2 == 0;
        let (path, whole) = if is_index { (&index_path, &index) } else { (&data_path, &data) };
        let mut bytes = whole.clone();
        let at = rng.random_range(0..bytes.len());
        let byte =
            if is_index { b" 0123456789=+-.SE/\n"[rng.random_range(0..19)] } else { rng.random() };
        match rng.random_range(0..10) {
            0 => drop(bytes.drain(at..)),
            1 => bytes.insert(at, byte),
            2 => drop(bytes.remove(at)),
            _ => bytes[at] = byte,
        }
        let line = whole[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let may_be_wrong = if is_index {
            whole[line..].starts_with(b"BASE") || whole[at] == b'\n'
        } else {
            bytes.len() == data.len() && positions_in(bytes[at]) == positions_in(data[at])
        };
        fs::write(path, &bytes).unwrap();
        // Lookups are as safe as the verification.
        if let Ok((tables, _)) = EndgameTables::open(&folder) {
            let _ = tables.value(&read(&random_setup(&mut rng, 3)));
        }
        let result = match verify(&folder, &nothing) {
            Err(error) => {
                let name = folder.join("DB3").display().to_string();
                assert!(error.to_string().starts_with(&name), "{error}");
                "refused"
            }
            Ok(_) if bytes == *whole || is_index && words(&bytes) == words(whole) => "same",
            Ok(_) if may_be_wrong => "not found",
            Ok(_) => {
                let check = verify(&folder, own()).unwrap();
                assert!(check.faults.is_empty(), "{path:?}, byte {at}: {check:?}");
                "harmless"
            }
        };
        *found.entry(result).or_default() += 1;
        fs::write(path, whole).unwrap();
    }
    assert!(found["refused"] > 500, "{found:?}");
}

/// Each command names what it does not use. Proofs may rest only on folders all of whose tables are right.
#[test]
fn every_command_names_unusable_databases_and_folders() {
    let cut = copied(2, "cut off");
    let length = fs::metadata(cut.join("DB2")).unwrap().len();
    File::options().write(true).open(cut.join("DB2")).unwrap().set_len(100).unwrap();
    let (missing, empty) = (cut.join("missing"), empty_folder("databases/empty"));
    let mut rows = vec![
        (&cut, format!("{}/DB2 has 100 bytes, expected {length} as in its index", cut.display())),
        (&missing, format!("{}: ", missing.display())),
        (
            &empty,
            format!("no complete set of endgame tables and no database in {}", empty.display()),
        ),
    ];
    let game = empty.with_extension("txt");
    fs::write(&game, "startpos").unwrap();
    let game = game.to_str().unwrap();
    let twice = copied(2, "twice");
    // On Windows and macOS it is the same file.
    if cfg!(target_os = "linux") {
        fs::copy(twice.join("DB2"), twice.join("db2")).unwrap();
        let names = ["DB2", "db2"].map(|name| twice.join(name).display().to_string());
        rows.push((&twice, format!("{} and {} are the same file", names[0], names[1])));
    }
    for (folder, expected) in rows {
        let paths = env::join_paths([exported(3), folder.into(), four_pieces().into()]).unwrap();
        let (_, refused) = EndgameTables::open(Path::new(&paths)).unwrap();
        let [error] = &refused[..] else { panic!("{folder:?}: {refused:?}") };
        assert!(error.to_string().starts_with(&expected), "{error}");
        let error = EndgameTables::open(folder).err().unwrap().to_string();
        assert!(error.starts_with(&expected), "{error}");
        let paths = paths.to_str().unwrap();
        let option = format!("TablePath={paths}");
        let setup = ["--fen", "W:WK14,K15,K18:BK1", "--tables", paths];
        let analyse =
            ["analyse", "--variant", "draughts", game, "--nodes", "9", "--option", &option];
        for (arguments, is_refused) in [
            ([&["prove"][..], &setup].concat(), true),
            ([&["problem", "check", "--nodes", "100"][..], &setup].concat(), true),
            (analyse.to_vec(), false),
        ] {
            let output = programs::soucie().args(&arguments).output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert!(stderr.contains(&expected), "{arguments:?}: {stderr}");
            assert_eq!(output.status.success(), !is_refused, "{arguments:?}: {stderr}");
        }
    }
}

/// A block that is damaged later, while the program uses the database, ends its use.
#[test]
fn damage_after_opening_leaves_positions_without_values() {
    let folder = copied(2, "cut");
    let tables = tables_in(&folder);
    fs::write(folder.join("DB2"), "").unwrap();
    assert_eq!(tables.value(&read("W:WK32:BK1")), None);
    fs::copy(exported(2).join("DB2"), folder.join("DB2")).unwrap();
    assert_eq!(tables.value(&read("W:WK32:BK1")), None, "not used any more");
    assert_eq!(tables_in(&folder).value(&read("W:WK32:BK1")), Some(Value::Draw));
}

/// The data begin after 5 GiB of nothing, which takes up no space.
#[cfg(target_os = "linux")]
#[test]
fn offsets_have_64_bits() {
    const BLOCKS: u64 = 5 << 20;
    let folder = copied(3, "large");
    let data = fs::read(folder.join("DB3")).unwrap();
    let mut file = File::create(folder.join("DB3")).unwrap();
    file.seek(SeekFrom::Start(BLOCKS << 10)).unwrap();
    file.write_all(&data).unwrap();
    let index = fs::read_to_string(folder.join("DB3.idx")).unwrap();
    let moved = index.lines().map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let later = |block: &str| block.parse::<u64>().unwrap() + BLOCKS;
        match *words.as_slice() {
            [".", position, block] => format!(". {position} {}\n", later(block)),
            [sign, position, place] => {
                let (block, byte) = place.split_once('/').unwrap();
                format!("{sign} {position} {}/{byte}\n", later(block))
            }
            _ => format!("{line}\n"),
        }
    });
    let moved: String = moved.collect();
    assert_ne!(moved, index);
    fs::write(folder.join("DB3.idx"), moved).unwrap();
    let check = verify(&folder, own()).unwrap();
    assert!(check.faults.is_empty() && check.equal > 100_000, "{check:?}");
    let tables = tables_in(&folder);
    let mut rng = SmallRng::seed_from_u64(4);
    for _ in 0..1_000 {
        let setup = random_setup(&mut rng, 3);
        let position = Draughts::read_setup(&setup, Default::default()).unwrap();
        let value = tables.value(&position);
        assert!(value.is_none() || value == own().value(&position), "{setup}");
    }
    fs::remove_file(folder.join("DB3")).unwrap();
}

/// A problem has the same verdict by databases as by own tables, and its proofs name the databases by a
/// checksum, with which they are verified.
#[test]
fn proofs_rest_on_databases() {
    let both = env::join_paths([exported(4), four_pieces().into()]).unwrap();
    let folder = exported(4);
    let check = |tables: &Path, out: &Path| {
        let mut check = programs::soucie();
        check.args(["problem", "check", "--fen", "W:W10,12,24,K27:B3,7,26,K30", "--json"]);
        check.args(["--nodes", "3000", "--tables"]).arg(tables).arg("--out").arg(out);
        serde_json::from_str::<serde_json::Value>(&output_of(&mut check)).unwrap()
    };
    let verify = |proof: &Path, tables: &Path| {
        let mut verify = programs::soucie();
        verify.arg("verify").arg(proof).arg("--tables").arg(tables);
        verify
    };
    let key = |report: &serde_json::Value| {
        let moves = report["moves"].as_array().unwrap();
        moves.iter().find(|report| report["move"] == "24-20").unwrap().clone()
    };
    for (tables, named) in [
        (folder.as_path(), "tables databases 4 pieces sha256 "),
        (Path::new(&both), ", databases 4 pieces sha256 "),
    ] {
        let out =
            programs::empty_folder(Path::new(env!("CARGO_TARGET_TMPDIR")).join("database-proofs"));
        let found = key(&check(tables, &out));
        assert_eq!((&found["result"], &found["uses_tables"]), (&"keeps".into(), &true.into()));
        let proof = out.join(found["proof"].as_str().unwrap());
        let text = fs::read_to_string(&proof).unwrap();
        assert!(text.contains(named), "{named}");
        assert!(output_of(&mut verify(&proof, tables)).starts_with("verified: "));
        // Other tables, even with the same values, are not those that are named.
        let error = failure_of(&mut verify(&proof, four_pieces()));
        assert!(error.contains("the proof needs the endgame tables "), "{error}");
        // A checksum that other contents can have is no name.
        let hash = hash_of(&folder);
        fs::write(&proof, text.replace(&format!("sha256 {hash}"), "crc32 1a2b3c4d")).unwrap();
        let error = failure_of(&mut verify(&proof, tables));
        assert!(error.contains("expected a SHA-256 hash: make it again"), "{error}");
    }
}

#[test]
fn export_overwrites_no_table() {
    let folder = copied(2, "overwritten");
    for file in fs::read_dir(four_pieces()).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), folder.join(file.file_name())).unwrap();
    }
    let before = fs::read(folder.join("2m0k-2m0k.table")).unwrap();
    let mut export = programs::soucie();
    export.args(["tables", "export", "--format", "chinook", "--dir"]).arg(&folder);
    let stderr = failure_of(export.arg("--out").arg(folder.join("2m0k-2m0k.table")));
    assert!(stderr.contains("2m0k-2m0k.table"), "{stderr}");
    assert_eq!(fs::read(folder.join("2m0k-2m0k.table")).unwrap(), before);
}
