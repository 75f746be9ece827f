//! Journals: interrupted runs are resumed, and the journals of other runs are refused.

use super::*;

/// An analysis of five games.
fn resume(journal: &Path) -> Command {
    let mut command = soucie();
    command.arg(five_games(journal.parent().unwrap()));
    command.args(["--json", "--nodes", "300", "--hash", "1", "--resume"]).arg(journal);
    command
}

#[test]
fn interrupted_analysis_is_resumed() {
    let folder = folder("resumed");
    let whole = run(&mut resume(&folder.join("whole"))).out;
    let journal = fs::read(folder.join("whole")).unwrap();
    // The journal may end anywhere, also within a line.
    for part in [0, 10, 700, journal.len() / 2, journal.len() - 1, journal.len()] {
        let path = folder.join("part");
        fs::write(&path, &journal[..part]).unwrap();
        assert_eq!(run(&mut resume(&path)).out, whole, "{part}");
        assert_eq!(fs::read(&path).unwrap(), journal, "{part}");
    }
    // Killed several times.
    let path = folder.join("killed");
    let written = || fs::metadata(&path).map_or(0, |data| data.len());
    for part in 1..4 {
        let mut child = resume(&path).stdout(Stdio::null()).spawn().unwrap();
        wait_until("the journal grows", || written() >= part * journal.len() as u64 / 8);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(written() < journal.len() as u64, "the run ended before it was killed");
    assert_eq!(run(&mut resume(&path)).out, whole);
}

#[test]
fn journal_in_use_is_refused() {
    let journal = folder("in-use").join("journal");
    let mut command = soucie();
    command.args(["-", "--json", "--nodes", "100", "--resume"]).arg(&journal);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut first = command.spawn().unwrap();
    let mut replies = BufReader::new(first.stdout.take().unwrap());
    let mut analyse_position = || {
        let input = first.stdin.as_mut().unwrap();
        input.write_all(b"8/8/3l4/8/8/3L4/8/8 b\n").unwrap();
        replies.read_line(&mut String::new()).unwrap()
    };
    analyse_position();
    let before = fs::read(&journal).unwrap();
    let second = run(&mut resume(&journal));
    assert_eq!(second.code, Some(1));
    assert_eq!(second.err, format!("soucie: {}: in use by another process\n", journal.display()));
    assert_eq!(fs::read(&journal).unwrap(), before);
    analyse_position();
    drop(first.stdin.take());
    assert!(first.wait().unwrap().success());
    // Besides the journal there is only the record of the second run, and the first run has continued.
    assert_eq!(fs::read_dir(journal.parent().unwrap()).unwrap().count(), 2);
    assert_eq!(fs::read_to_string(&journal).unwrap().lines().count(), 3);
}

#[test]
fn journal_of_another_analysis_is_refused() {
    let folder = folder("journals");
    let path = folder.join("journal");
    let run = |input: &str, arguments: &[&str]| {
        let file = folder.join("input");
        fs::write(&file, input).unwrap();
        run(soucie().arg(file).args(arguments).arg("--resume").arg(&path)).err
    };
    assert_eq!(run(SHORT, &["--nodes", "500"]), "");
    assert!(run(SHORT, &["--nodes", "600"]).contains("with other settings"));
    let engine = ["--nodes", "500", "--option", "Chances=engine"];
    assert!(run(SHORT, &engine).contains("with other settings"));
    assert!(run("startpos moves c1c3\n", &["--nodes", "500"]).contains(": line 2 is of another"));
    assert_eq!(run(SHORT, &["--nodes", "500"]), "");
}

#[test]
fn journal_with_other_networks_is_refused() {
    let folder = folder("networks");
    let path = built_in_network("linesofaction");
    let mut network = soucie::nnue::Network::read(&fs::read(&path).unwrap()).unwrap();
    fs::write(folder.join("input"), SHORT).unwrap();
    let run = |journal: &str, options: &[&str]| {
        let mut command = soucie();
        command.current_dir(&folder).args(["input", "--nodes", "100", "--resume", journal]);
        run(command.args(options))
    };
    assert!(run("journal", &[]).succeeded());
    let journal = fs::read_to_string(folder.join("journal")).unwrap();
    let header: Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
    assert_eq!((&header["journal"], &header["format"]), (&"analysis".into(), &4.into()));
    let settings = &header["settings"];
    assert_eq!((&settings["nodes"], &settings["tables"]["pieces"]), (&100.into(), &0.into()));
    assert!(settings["bench"].as_u64().unwrap() > 1000, "{settings}");
    assert_eq!(settings["chances"], "level medium");
    // A network from a file is known by its contents.
    fs::copy(&path, folder.join("net")).unwrap();
    let with_network = || run("other", &["--option", "EvalFile=net"]);
    assert!(with_network().succeeded());
    assert!(with_network().succeeded());
    network.input_bias[0] ^= 1;
    fs::write(folder.join("net"), network.write()).unwrap();
    let stderr = with_network().err;
    let wanted = "soucie: other: made with other settings: options is [[\"EvalFile\",\"";
    assert!(stderr.starts_with(wanted), "{stderr}");
    // A journal of format 1, and one with a line that is no result.
    let old = "soucie 0.1.0 analysis: Judge { limits }, 1 moves\n{}\n";
    let damaged = "soucie: journal: line 2 cannot be read; delete it and all lines after it to continue from there\n";
    let other_file = "soucie: journal: not a Soucie journal; name another file\n";
    let (head, tail) = journal.split_once('\n').unwrap();
    let changed = format!("{head}\n{}", tail.replacen("\"depth\":", "\"death\":", 1));
    for (text, wanted) in [(old, other_file), (&*changed, damaged)] {
        fs::write(folder.join("journal"), text).unwrap();
        let refused = run("journal", &[]);
        assert_eq!((&*refused.err, refused.code), (wanted, Some(1)));
        assert_eq!(fs::read_to_string(folder.join("journal")).unwrap(), text);
    }
}

#[test]
#[cfg(unix)]
fn device_as_journal_is_refused() {
    for device in ["/dev/full", "/dev/zero", "/dev/null"] {
        let output = run(&mut resume(Path::new(device)));
        let wanted = format!("soucie: {device}: is a device or a pipe; expected a regular file\n");
        assert_eq!(output.err, wanted);
    }
}
