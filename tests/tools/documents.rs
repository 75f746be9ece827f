//! `soucie man` and `soucie completions`: manual pages and shell completions.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::programs;

fn soucie(words: &[&str]) -> Output {
    programs::soucie().args(words).output().unwrap()
}

fn printed(words: &[&str]) -> String {
    let output = soucie(words);
    assert!(output.status.success(), "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The command of these words and those below it, from their help: the words joined by `-`, and a
/// description.
fn commands(words: &[&str]) -> Vec<(String, String)> {
    let help = printed(&[words, &["--help"]].concat());
    let about = help.lines().next().unwrap().to_string();
    let mut found = vec![([&["soucie"], words].concat().join("-"), about)];
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    for line in list.take_while(|line| !line.is_empty()) {
        let name = line.split_whitespace().next().unwrap();
        if name != "help" {
            found.extend(commands(&[words, &[name]].concat()));
        }
    }
    found
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = empty_folder("pages");
    for (name, text) in [("soucie-analyse.1", "an old page"), ("chess.1", "another page")] {
        fs::write(folder.join(name), text).unwrap();
    }
    assert_eq!(printed(&["man", folder.to_str().unwrap()]), "");

    let mut pages: BTreeMap<String, String> = fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            (name.to_string(), fs::read_to_string(&path).unwrap())
        })
        .collect();
    assert_eq!(pages.remove("chess.1").unwrap(), "another page");

    let commands = commands(&[]);
    for name in ["soucie", "soucie-analyse", "soucie-match-merge", "soucie-tables-build"] {
        assert!(commands.iter().any(|(command, _)| command == name), "{name}");
    }
    for (command, about) in commands {
        let page = pages.remove(&format!("{command}.1")).expect(&command).replace("\\-", "-");
        assert!(page.contains(&format!("\n.SH NAME\n{command} - {about}\n")), "{page}");
        let version = env!("CARGO_PKG_VERSION");
        let title = format!(".TH {} 1 \" \" \"Soucie {version}\"", command.to_uppercase());
        assert!(page.contains(&title), "{page}");
    }
    assert_eq!(pages, BTreeMap::new());
}

#[test]
fn manual_page_has_the_options_and_details_of_the_help() {
    let folder = empty_folder("options");
    printed(&["man", folder.to_str().unwrap()]);
    let page = fs::read_to_string(folder.join("soucie-tables.1")).unwrap();
    let prose = "\n.SH DETAILS\nTables are exact: ";
    let table = "\n.nf\n  2 pieces: 3488 positions, ";
    let examples = "\n.SH EXAMPLES\n.nf\n  soucie tables build\n";
    for text in [prose, table, examples] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let page = fs::read_to_string(folder.join("soucie-tables-build.1")).unwrap();
    assert!(page.contains("\\fB\\-\\-memory\\fR \\fI<MIB>\\fR [default: 6144]"), "{page}");
}

#[test]
fn unwritable_manual_pages_are_reported() {
    let folder = empty_folder("no folder");
    let file = folder.join("file");
    fs::write(&file, "text").unwrap();
    fs::create_dir_all(folder.join("taken/soucie.1")).unwrap();
    for (dir, reported) in [(file.clone(), file.clone()), (file.join("below"), file.join("below"))]
        .into_iter()
        .chain([(folder.join("taken"), folder.join("taken/soucie.1"))])
    {
        let output = soucie(&["man", dir.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.starts_with(&format!("soucie: {}: ", reported.display())), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    assert_eq!(fs::read_to_string(file).unwrap(), "text");
}

#[test]
fn every_shell_has_completions() {
    for (shell, start) in [
        ("bash", "_soucie() {"),
        ("elvish", "\nuse builtin;"),
        ("fish", "# Print an optspec"),
        ("powershell", "\nusing namespace System.Management.Automation"),
        ("zsh", "#compdef soucie\n"),
    ] {
        let script = printed(&["completions", shell]);
        assert!(script.starts_with(start), "{script}");
        assert!(script.contains("analyse") && script.contains("annotate"), "{script}");
    }
    let refused = soucie(&["completions", "tcsh"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(refused.stdout.is_empty());
}

/// Needs a newer bash than that of macOS.
#[cfg(target_os = "linux")]
#[test]
fn bash_completes_commands_options_and_values() {
    let script = empty_folder("bash").join("soucie.bash");
    fs::write(&script, printed(&["completions", "bash"])).unwrap();
    for (line, wanted) in [
        ("soucie ana", "analyse"),
        ("soucie tables ver", "verify"),
        ("soucie match mer", "merge"),
        ("soucie selfplay --see", "--seeds"),
        ("soucie match --order ", "sequential random"),
        ("soucie console --level ", "easy medium hard full"),
        ("soucie play --variant dr", "draughts"),
        ("soucie rules --variant scr", "scrambledeggs"),
        ("soucie completions z", "zsh"),
        ("soucie ana-no-such-command", ""),
    ] {
        let complete = "source \"$1\"; read -ra COMP_WORDS <<<\"$2\"; \
             [[ $2 = *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); \
             _soucie soucie \"${COMP_WORDS[-1]}\" \"${COMP_WORDS[-2]}\"; echo \"${COMPREPLY[*]}\"";
        let mut bash = programs::command("bash");
        let bash = bash.args(["-c", complete, "bash"]).arg(&script).arg(line);
        let output = bash.output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), wanted, "{line}");
    }
}
