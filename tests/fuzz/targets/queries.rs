//! Queries of `soucie analyse --queries`.

use std::io::Cursor;

use serde_json::Value;
use soucie_program::analyse::queries;
use soucie_program::analyse::settings::AnalyseSettings;

use super::settings;

/// Whether a query takes little time, and names no file.
fn is_short(line: &[u8]) -> bool {
    let Ok(Value::Object(query)) = serde_json::from_slice(line) else { return true };
    let at_most = |name, most| query.get(name).and_then(Value::as_u64).is_none_or(|n| n <= most);
    let options = query.get("options").and_then(Value::as_object);
    let is_large = |name: &String| {
        let name = name.to_ascii_lowercase();
        ["file", "path", "hash", "cache", "threads"].iter().any(|word| name.contains(word))
    };
    let turns = query.get("turns").and_then(Value::as_array);
    at_most("nodes", 200)
        && at_most("depth", 2)
        && at_most("movetime", 1)
        && at_most("proof", 50)
        && query.get("report_every").is_none()
        && turns.is_none_or(|turns| turns.len() <= 8)
        && !options.is_some_and(|options| options.keys().any(is_large))
}

/// Lines of queries and actions: each gets a reply, and each reply is a JSON object on a line.
pub fn queries(bytes: &[u8]) {
    let lines = bytes.split(|&byte| byte == b'\n').filter(|line| is_short(line));
    let lines: Vec<&[u8]> = lines.take(16).collect();
    let arguments = ["-", "--queries", "--nodes", "100", "--hash", "1", "--jobs", "1"];
    let settings: AnalyseSettings = settings(&arguments).unwrap();
    let mut output = Vec::new();
    queries::run(&settings, Cursor::new(lines.join(&b'\n')), &mut output).unwrap();
    let text = str::from_utf8(&output).unwrap();
    let is_object = |line: &str| serde_json::from_str::<Value>(line).is_ok_and(|v| v.is_object());
    assert!(text.lines().all(is_object), "{text}");
    let is_empty = |line: &&&[u8]| line.iter().all(u8::is_ascii_whitespace);
    let sent = lines.iter().filter(|line| !is_empty(line)).count();
    assert!(text.lines().count() >= sent, "{sent} lines\n{text}");
}
