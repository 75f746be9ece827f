//! Journals: what was interrupted goes on, alone and with nothing else.

use super::*;

/// The games and the journal of an analysis that was undisturbed.
fn undisturbed(folder: &Path) -> (String, Vec<u8>) {
    let journal = folder.join("whole");
    let output = resume(&journal).output().unwrap();
    (text(&output), fs::read(journal).unwrap())
}

fn resume(journal: &Path) -> Command {
    let mut command = soucie();
    command.args([GAMES, "--json", "--nodes", "1000", "--resume"]).arg(journal);
    command
}

#[test]
fn an_interrupted_analysis_goes_on_where_it_was() {
    let folder = folder("resumed");
    let (whole, journal) = undisturbed(&folder);
    // Wherever it was cut off, in the middle of a line too.
    for part in [0, 10, 700, journal.len() / 2, journal.len() - 1, journal.len()] {
        let path = folder.join("part");
        fs::write(&path, &journal[..part]).unwrap();
        assert_eq!(text(&resume(&path).output().unwrap()), whole, "{part}");
        assert_eq!(fs::read(&path).unwrap(), journal, "{part}");
    }
    // Killed, and killed again.
    let path = folder.join("killed");
    let written = || fs::metadata(&path).map_or(0, |data| data.len());
    for part in 1..4 {
        let mut child = resume(&path).stdout(Stdio::null()).spawn().unwrap();
        let since = Instant::now();
        while written() < part * journal.len() as u64 / 8 {
            assert!(since.elapsed() < Duration::from_secs(120), "nothing is written");
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(written() < journal.len() as u64, "it was not interrupted");
    assert_eq!(text(&resume(&path).output().unwrap()), whole);
}

#[test]
fn two_runs_with_one_journal_keep_out_of_each_others_way() {
    let journal = folder("in-use").join("journal");
    let mut command = soucie();
    command.args(["-", "--json", "--nodes", "100", "--resume"]).arg(&journal);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut first = command.spawn().unwrap();
    let mut answers = BufReader::new(first.stdout.take().unwrap());
    let mut answer = || {
        let input = first.stdin.as_mut().unwrap();
        input.write_all(b"8/8/3l4/8/8/3L4/8/8 b\n").unwrap();
        answers.read_line(&mut String::new()).unwrap()
    };
    answer();
    let before = fs::read(&journal).unwrap();
    let second = resume(&journal).output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    let said = String::from_utf8(second.stderr).unwrap();
    assert_eq!(said, format!("soucie: {} is in use\n", journal.display()));
    assert_eq!(fs::read(&journal).unwrap(), before);
    answer();
    drop(first.stdin.take());
    assert!(first.wait().unwrap().success());
    // Nothing is left behind, and the next run goes on.
    assert_eq!(fs::read_dir(journal.parent().unwrap()).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(&journal).unwrap().lines().count(), 3);
}

#[test]
fn a_journal_of_something_else_is_refused() {
    let folder = folder("journals");
    let path = folder.join("journal");
    let run = |input: &str, arguments: &[&str]| {
        let file = folder.join("input");
        fs::write(&file, input).unwrap();
        let output =
            soucie().arg(file).args(arguments).arg("--resume").arg(&path).output().unwrap();
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_eq!(run(SHORT, &["--nodes", "500"]), "");
    assert!(run(SHORT, &["--nodes", "600"]).contains("with other settings"));
    assert!(run("startpos moves c1c3\n", &["--nodes", "500"]).contains("its line 2 is of another"));
    assert_eq!(run(SHORT, &["--nodes", "500"]), "");
}
