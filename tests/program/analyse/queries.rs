//! The query service: a line of JSON for each position of a query.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Child, ChildStdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde_json::json;

use super::*;
use crate::dialogue::{Dialogue, matches_pattern};

/// The command that starts a service.
fn service(arguments: &[&str]) -> Command {
    let mut command = soucie();
    command.args(["-", "--queries"]).args(arguments);
    command
}

/// A running service.
struct Service {
    dialogue: Dialogue,
    /// The replies that were read while waiting for another one.
    earlier: Vec<String>,
}

impl Service {
    fn start(arguments: &[&str]) -> Self {
        Self { dialogue: Dialogue::of(service(arguments)), earlier: Vec::new() }
    }

    fn send(&mut self, line: impl ToString) {
        self.dialogue.send(&line.to_string());
    }

    fn reply(&mut self) -> Value {
        parsed(&self.dialogue.read_line().unwrap())
    }

    /// Waits until a search is in progress.
    fn wait_until_running(&mut self) {
        loop {
            self.send(json!({ "id": "stats", "action": "stats" }));
            let line = self.dialogue.read_line().unwrap();
            match parsed(&line)["running"].as_u64() {
                Some(0) => {}
                Some(_) => return,
                None => self.earlier.push(line),
            }
        }
    }

    /// Closes the input and returns the remaining lines.
    fn end(mut self) -> Vec<String> {
        self.earlier.extend(self.dialogue.close_input());
        assert!(self.dialogue.finish());
        self.earlier
    }
}

/// The replies to these lines.
fn replies_to(lines: &[Value], arguments: &[&str]) -> Vec<String> {
    let mut service = Service::start(arguments);
    lines.iter().for_each(|line| service.send(line));
    service.end()
}

fn parsed(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

/// The replies to these queries, which get their numbers as ids.
fn replies_in_order(mut queries: Vec<Value>) -> Vec<Value> {
    for (number, query) in queries.iter_mut().enumerate() {
        query["id"] = number.to_string().into();
    }
    let mut replies: Vec<_> = replies_to(&queries, &[]).iter().map(|line| parsed(line)).collect();
    replies.sort_by_key(|reply| reply["id"].as_str().unwrap().parse::<usize>().unwrap());
    assert_eq!(replies.len(), queries.len(), "{replies:?}");
    replies
}

#[test]
fn documented_replies_are_correct() {
    let page = fs::read_to_string("src/program/analyse/queries.md").unwrap();
    let blocks: Vec<&str> = page.split("```\n").skip(1).step_by(2).collect();
    assert_eq!(blocks.len(), 4);
    for block in blocks {
        let mut service = Service::start(&["--jobs", "1"]);
        for line in block.lines().filter_map(|line| line.strip_prefix("> ")) {
            service.send(line);
            // The long search begins before the queries after it arrive.
            if line.contains("movetime") {
                service.wait_until_running();
            }
        }
        let mut replies = service.end();
        let mut expected: Vec<&str> = block.lines().filter(|line| !line.starts_with('>')).collect();
        // The order in which the searches end does not matter.
        replies.retain(|reply| !reply.contains("\"action\":\"stats\""));
        replies.sort();
        expected.sort();
        assert_eq!(replies.len(), expected.len(), "{replies:#?}");
        for (reply, expected) in replies.iter().zip(expected) {
            assert!(matches_pattern(expected, reply), "{reply}\n{expected}");
        }
    }
}

#[test]
fn every_turn_of_a_thousand_queries_gets_one_final_reply() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(19);
    let openings = [vec![], vec!["d1-b3", "h4f2", "b1b4"], vec!["11-15", "23-19", "8-11", "22-17"]];
    let mut expected = BTreeMap::new();
    let mut lines = Vec::new();
    for number in 0..1_000 {
        let id = format!("q{number}");
        let mut moves = openings[random.random_range(0..3)].clone();
        let mut query = json!({ "id": id, "nodes": random.random_range(1..300) });
        query["priority"] = random.random_range(-3..3).into();
        let mut turns = vec![moves.len()];
        if random.random_bool(0.3) {
            turns = (0..=moves.len()).rev().collect();
            query["turns"] = turns.clone().into();
        }
        match random.random_range(0..12) {
            0 => moves.push("a1a1"),
            1 => query["setup"] = "nonsense".into(),
            2 => query["depth"] = "deep".into(),
            3 => query["options"] = json!({ "Hash": 0 }),
            4 => query["searchmoves"] = json!(["h8a1"]),
            5 => query["movetime"] = 60_000.into(),
            _ => {}
        }
        if query["turns"].is_null() {
            turns = vec![moves.len()];
        }
        // A long search must be terminated.
        let is_long = !query["movetime"].is_null();
        if is_long {
            query.as_object_mut().unwrap().remove("nodes");
        }
        query["moves"] = moves.into();
        lines.push(query.to_string());
        expected.insert(id.clone(), turns.into_iter().map(Some).collect::<BTreeSet<_>>());
        if is_long || random.random_bool(0.1) {
            let mut action = json!({ "id": format!("t{number}"), "action": "terminate" });
            action["query"] = id.into();
            lines.push(action.to_string());
        }
        if random.random_bool(0.02) {
            let action = if random.random_bool(0.5) { "terminate_all" } else { "stats" };
            lines.push(json!({ "id": format!("a{number}"), "action": action }).to_string());
            lines.push("{\"id\":".to_string());
        }
    }
    let actions: BTreeSet<String> = lines
        .iter()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|line| !line["action"].is_null())
        .map(|line| line["id"].as_str().unwrap().to_string())
        .collect();
    expected.extend(actions.into_iter().map(|id| (id, BTreeSet::from([None]))));
    let mut service = Service::start(&["--jobs", "3", "--hash", "1"]);
    let unreadable = lines.iter().filter(|line| *line == "{\"id\":").count();
    lines.iter().for_each(|line| service.send(line));
    let replies = service.end();
    let mut found: BTreeMap<String, BTreeSet<Option<usize>>> = BTreeMap::new();
    let mut without_id = 0;
    for reply in replies.iter().map(|line| parsed(line)) {
        assert_eq!(reply["final"], true, "{reply}");
        let Some(id) = reply["id"].as_str() else {
            without_id += 1;
            continue;
        };
        let turn = reply["turn"].as_u64().map(|turn| turn as usize);
        assert!(found.entry(id.to_string()).or_default().insert(turn), "twice: {reply}");
    }
    let wrong: Vec<_> =
        expected.iter().filter(|(id, turns)| found.get(*id) != Some(turns)).collect();
    assert!(wrong.is_empty() && found.len() == expected.len(), "{wrong:?}");
    assert_eq!(without_id, unreadable);
}

#[test]
fn queries_are_searched_by_priority_and_then_by_age() {
    let mut service = Service::start(&["--jobs", "1"]);
    service.send(json!({ "id": "first", "movetime": 600_000 }));
    service.wait_until_running();
    for (id, priority) in [("a", 0), ("b", 2), ("c", -1), ("d", 2), ("e", 7)] {
        let query = json!({ "id": id, "priority": priority, "nodes": 50, "turns": [1, 0],
            "moves": ["d1b3"] });
        service.send(query);
    }
    service.send(json!({ "id": "x", "action": "terminate", "query": "a", "turns": [0] }));
    service.send(json!({ "id": "y", "action": "terminate", "query": "first" }));
    let replies: Vec<Value> = service.end().iter().map(|line| parsed(line)).collect();
    let searched = replies.iter().filter(|reply| !reply["lines"].is_null());
    let order: Vec<_> =
        searched.map(|reply| (reply["id"].as_str().unwrap(), &reply["turn"])).collect();
    let turns = |id| [(id, 1), (id, 0)];
    let expected = [turns("e"), turns("b"), turns("d"), turns("a"), turns("c")].concat();
    let expected = expected.into_iter().filter(|&turn| turn != ("a", 0));
    let expected: Vec<_> = [("first", 0)].into_iter().chain(expected).collect();
    assert_eq!(order.len(), expected.len());
    for ((id, turn), expected) in order.into_iter().zip(expected) {
        assert_eq!((id, turn.as_u64().unwrap()), expected);
    }
    let ended: Vec<_> = replies.iter().filter(|reply| reply["terminated"] == true).collect();
    assert_eq!(ended.len(), 2, "{ended:?}");
    assert!(ended.iter().any(|reply| reply["id"] == "a" && reply["lines"].is_null()));
    assert!(ended.iter().any(|reply| reply["id"] == "first" && !reply["lines"].is_null()));
}

#[test]
fn reply_depends_only_on_its_query() {
    let moves = ["d1b3", "h5g4", "b1b4", "g4g1", "b4e7"];
    let query = |id: &str, plies: usize, nodes: u64| json!({ "id": id, "moves": moves[..plies], "nodes": nodes, "multipv": 2 });
    let all = json!({ "id": "x", "moves": moves, "turns": [3, 5, 0, 1, 4, 2], "nodes": 3_000,
        "multipv": 2 });
    let alone: Vec<String> =
        (0..=5).map(|plies| replies_to(&[query("x", plies, 3_000)], &[]).remove(0)).collect();
    for jobs in ["1", "3"] {
        let other = |id: &str| query(id, 4, 20_000);
        let mut replies = replies_to(&[other("a"), all.clone(), other("b")], &["--jobs", jobs]);
        replies.retain(|reply| reply.starts_with("{\"id\":\"x\""));
        replies.sort();
        assert_eq!(replies, alone);
    }
}

#[test]
fn every_query_field_has_an_effect() {
    // Draughts with a capture, and a position of Lines of Action with a win in two.
    let draughts = json!({ "moves": ["11-15", "22-18"], "nodes": 2000 });
    let win = json!({ "setup": "8/6L1/3lLLl1/1L2Ll2/2llL3/3llLl1/3l2L1/8 b",
        "nodes": 5000 });
    let start = json!({ "nodes": 20000 });
    let table: [(&Value, Value, &str, Value); 17] = [
        (&draughts, json!({}), "/lines/0/pv/0", json!("e5c3")),
        (&draughts, json!({ "notation": "standard" }), "/lines/0/pv/0", json!("15x22")),
        (&draughts, json!({ "variant": "checkers" }), "/variant", json!("englishdraughts")),
        (
            &draughts,
            json!({ "turns": [0] }),
            "/setup",
            json!("B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"),
        ),
        (
            &draughts,
            json!({ "options": { "Move Format": "standard" } }),
            "/lines/0/pv/0",
            json!("15x22"),
        ),
        (&win, json!({}), "/score", json!({ "mate": 2 })),
        (&win, json!({ "searchmoves": ["c4c5"] }), "/lines/0/pv/0", json!("c4c5")),
        (&win, json!({ "proof": 1000 }), "/proof/result", json!("proved")),
        (
            &win,
            json!({ "proof": 1000, "searchmoves": ["c4c5"], "depth": 1 }),
            "/proof/plies",
            json!(null),
        ),
        (&win, json!({ "searchmoves": ["a1a2"] }), "/field", json!("searchmoves")),
        (
            &win,
            json!({ "setup": null, "start": "8/8/3l4/8/8/3L4/8/8 b" }),
            "/ending",
            json!("White has won: its move has connected both sides"),
        ),
        (&start, json!({ "depth": 3 }), "/depth", json!(3)),
        (
            &start,
            json!({ "variant": "scrambled eggs" }),
            "/setup",
            json!("1LlLlLl1/l6L/L6l/l6L/L6l/l6L/L6l/1lLlLlL1 b - - 0 1"),
        ),
        (&start, json!({ "options": { "Hash": "much" } }), "/field", json!("options.Hash")),
        (
            &start,
            json!({ "options": { "UCI_Elo": 900 } }),
            "/warnings/0",
            json!("option 'UCI_Elo' has no effect on queries"),
        ),
        (&start, json!({ "moves": ["d1b3"], "depth": 2 }), "/side", json!("white")),
        // `until` ends the search, not the proof after it.
        (
            &start,
            json!({ "until": 2, "proof": 300 }),
            "/proof",
            json!({ "result": "open", "expansions": 300 }),
        ),
    ];
    let with_fields = table.iter().map(|(query, fields, ..)| {
        let mut query = (*query).clone();
        query.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        query
    });
    for (reply, (query, fields, pointer, expected)) in
        replies_in_order(with_fields.collect()).iter().zip(&table)
    {
        let found = reply.pointer(pointer).unwrap_or(&Value::Null);
        assert_eq!(found, expected, "{query} {fields}\n{reply}");
    }
    let replies = replies_in_order(vec![
        json!({ "moves": ["b1b3"], "nodes": 40_000 }),
        json!({ "moves": ["b1b3"], "nodes": 40_000, "until": 2 }),
        json!({ "nodes": 40_000, "until": 2, "multipv": 3 }),
        json!({ "depth": 4 }),
        json!({ "depth": 4, "options": { "Evaluation": "handcrafted" } }),
    ]);
    let [without_until, with_until] = [0, 1].map(|i| replies[i]["nodes"].as_u64().unwrap());
    assert!(with_until < without_until / 2, "{with_until} of {without_until}");
    assert_eq!(replies[2]["lines"].as_array().unwrap().len(), 3);
    assert_ne!(replies[3]["lines"], replies[4]["lines"]);
}

#[test]
fn scores_are_those_of_the_side_to_move_and_of_black() {
    let query = json!({ "id": "q", "variant": "loa", "moves": ["d1b3"], "nodes": 500 });
    let reply = parsed(&replies_to(&[query], &[])[0]);
    assert_eq!(reply["score"]["cp"].as_i64(), reply["black"]["score"]["cp"].as_i64().map(|s| -s));
    let points = |view: &Value| view["expectation"].as_f64().unwrap();
    assert!((points(&reply) + points(&reply["black"]) - 1.0).abs() < 1e-9, "{reply}");
    assert_eq!(reply["wdl"][0], reply["black"]["wdl"][2]);
    assert_eq!(reply["score"], reply["lines"][0]["score"]);
    assert!(reply["time"].is_null());
}

#[test]
fn partial_replies_come_before_the_final_one() {
    let mut service = Service::start(&[]);
    let query = json!({ "id": "q", "movetime": 600_000, "report_every": 0.05, "timing": true,
        "multipv": 9 });
    service.send(query);
    let mut replies = vec![service.reply(), service.reply()];
    service.send(json!({ "id": "t", "action": "terminate", "query": "q" }));
    replies.extend(service.end().iter().map(|line| parsed(line)));
    replies.retain(|reply| reply["id"] == "q");
    let (last, partial) = replies.split_last().unwrap();
    assert!(last["final"] == true && partial.len() >= 2);
    assert!(partial.iter().all(|reply| reply["final"] == false));
    assert!(replies.iter().all(|reply| reply["lines"].as_array().unwrap().len() == 9));
    let times: Vec<_> = replies.iter().map(|reply| reply["time"].as_u64().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
}

#[test]
fn actions_reply_with_their_result() {
    let mut service = Service::start(&["--jobs", "1"]);
    service.send(json!({ "id": "v", "action": "version", "extra": 1 }));
    let version = service.reply();
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(version["warnings"], json!(["unknown field `extra`"]));
    service.send(json!({ "id": "c", "action": "clear" }));
    assert_eq!(service.reply(), json!({ "id": "c", "action": "clear", "final": true }));
    for id in ["a", "b", "c"] {
        service.send(json!({ "id": id, "movetime": 600_000 }));
    }
    service.wait_until_running();
    service.send(json!({ "id": "none", "action": "terminate", "query": "z" }));
    assert_eq!(service.reply()["terminated"], 0);
    service.send(json!({ "id": "s", "action": "stats" }));
    let stats = service.reply();
    assert_eq!((&stats["waiting"], &stats["running"]), (&json!(2), &json!(1)), "{stats}");
    service.send(json!({ "id": "all", "action": "terminate_all" }));
    let replies: Vec<Value> = service.end().iter().map(|line| parsed(line)).collect();
    assert_eq!(replies.len(), 4, "{replies:?}");
    let all = replies.iter().find(|reply| reply["id"] == "all").unwrap();
    assert_eq!(all["terminated"], 3);
}

#[test]
fn queries_are_read_from_standard_input_only() {
    let output = analyse("queries", "", &["--queries"]);
    assert_eq!(output.code, Some(1));
    assert!(output.err.contains("reads standard input: give '-'"), "{}", output.err);
}

#[test]
fn options_without_effect_on_queries_are_refused() {
    for option in ["Threads=2", "Ponder=true", "UCI_Elo=900"] {
        let arguments = ["analyse", "-", "--queries", "--option", option];
        let error = run(programs::soucie().args(arguments)).err;
        assert!(
            error.contains("has no effect here: expected a rule or Solve or Chances or TablePath"),
            "{error}"
        );
    }
    // Players of a strength need `UCI_Elo`.
    let no_level = "option 'Chances': expected one of engine, beginner, easy, medium, hard here";
    let arguments = ["analyse", "-", "--option", "Chances=elo"];
    assert!(run(programs::soucie().args(arguments)).err.contains(no_level));
    let query = json!({ "id": "1", "variant": "draughts", "moves": ["11-15"], "nodes": 100 });
    let of_strength = json!({ "id": "2", "options": { "Chances": "elo" }, "moves": ["11-15"] });
    let reply = parsed(&replies_to(&[of_strength], &[])[0]);
    assert!(reply["error"].as_str().unwrap().contains(no_level), "{reply}");
    let replies = replies_to(&[query], &["--option", "Move Format=standard"]);
    assert!(parsed(&replies[0])["lines"][0]["pv"][0].as_str().unwrap().contains('-'));
}

#[test]
fn a_network_of_another_game_is_an_error() {
    let network = built_in_network("linesofaction");
    let queries = ["linesofaction", "draughts"].map(
        |variant| json!({ "variant": variant, "nodes": 100, "options": { "evalfile": network } }),
    );
    let [first, second] = &replies_in_order(queries.into())[..] else { panic!() };
    assert_eq!((&first["error"], &second["field"]), (&Value::Null, &json!("options.EvalFile")));
    let found = "expected a network for englishdraughts, found one for linesofaction";
    assert!(second["error"].as_str().unwrap().ends_with(found), "{second}");
    // The network of the command line serves the queries of its game.
    let option = format!("EvalFile={}", network.display());
    let query = json!({ "id": "3", "variant": "draughts", "nodes": 100 });
    let replies = replies_to(&[query], &["--option", &option]);
    assert_eq!(parsed(&replies[0])["error"], Value::Null, "{replies:?}");
}

#[test]
fn rules_of_another_game_are_warnings() {
    let options = json!({ "move limit": 9, "Draw Move Count": 9, "Repetition Draw": 3 });
    let rows = [("linesofaction", "Draw Move Count"), ("englishdraughts", "move limit")];
    let queries =
        rows.map(|(variant, _)| json!({ "variant": variant, "nodes": 10, "options": options }));
    for (reply, (variant, name)) in replies_in_order(queries.into()).iter().zip(rows) {
        let warning = format!("option '{name}' has no effect in {variant}");
        assert_eq!(reply["warnings"], json!([warning]), "{reply}");
    }
}

/// Whole numbers may have a fraction or an exponent.
#[test]
fn whole_numbers_are_read_in_every_notation() {
    let query = json!({ "id": "1", "variant": "loa", "moves": ["d1b3"] });
    let mut replies = [
        json!({ "turns": [0, 1], "nodes": 1000, "multipv": 2, "options": { "Hash": 16 } }),
        json!({ "turns": [0.0, 1.0], "nodes": 1e3, "multipv": 2.0, "options": { "Hash": 16.0 } }),
    ]
    .map(|numbers| {
        let fields = [&query, &numbers].into_iter().flat_map(|value| value.as_object().unwrap());
        let query = fields.map(|(name, value)| (name.clone(), value.clone())).collect();
        replies_to(&[Value::Object(query)], &["--jobs", "1"])
    });
    replies.iter_mut().for_each(|replies| replies.sort());
    assert_eq!(replies[0], replies[1]);
    assert!(replies[1].iter().all(|reply| parsed(reply)["error"].is_null()), "{replies:?}");
}

/// A service with pipes that the test itself reads and writes.
fn with_pipes(arguments: &[&str]) -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let mut child =
        service(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    (child, input, BufReader::new(output))
}

#[test]
fn closed_output_ends_the_service() {
    let (mut child, mut input, mut output) = with_pipes(&["--jobs", "2"]);
    let long = json!({ "id": "long", "movetime": 600_000, "report_every": 0.05 });
    writeln!(input, "{long}").unwrap();
    output.read_line(&mut String::new()).unwrap();
    drop(output);
    writeln!(input, "{}", json!({ "id": "short", "nodes": 1 })).unwrap();
    drop(input);
    assert_eq!(wait_for_exit(&mut child).code(), Some(1));
}

#[test]
#[cfg(target_os = "linux")]
fn service_stops_reading_while_its_output_is_full() {
    let (mut child, mut input, output) = with_pipes(&["--jobs", "2", "--hash", "1"]);
    let written = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&written);
    let writer = thread::spawn(move || {
        let line = json!({ "id": "a", "nodes": 1, "variant": "loa" }).to_string();
        while count.fetch_add(1, Relaxed) < 1_000_000 && writeln!(input, "{line}").is_ok() {}
    });
    wait_until("lines are read", || written.load(Relaxed) > 1_000);
    wait_for_rest(child.id());
    let memory = programs::status(child.id(), "VmHWM").unwrap();
    assert!(memory < 64 << 10, "{memory} KiB");
    drop(output);
    assert_eq!(wait_for_exit(&mut child).code(), Some(1));
    writer.join().unwrap();
    let written = written.load(Relaxed);
    assert!(written < 10_000, "{written} lines were read");
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_number_of_queries() {
    let peak = |count: usize| {
        let mut service = Service::start(&["--jobs", "2", "--depth", "1", "--hash", "1"]);
        for number in 0..count {
            service.send(json!({ "id": number.to_string(), "variant": "loa" }));
        }
        (0..count).for_each(|_| drop(service.reply()));
        let memory = programs::status(service.dialogue.process().unwrap().id(), "VmHWM").unwrap();
        assert!(service.end().is_empty());
        memory
    };
    let (few, many) = (peak(1_000), peak(6_000));
    assert!(many < few + 2 * 1024, "{few} KiB for 1,000 queries, {many} KiB for 6,000");
}
