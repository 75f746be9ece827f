//! Parses a line of input to a query or an action.

use std::collections::{BTreeMap, BTreeSet};
use std::num::{NonZeroU64, NonZeroUsize};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use soucie::files::json;
use soucie::game::MoveFormat;

pub const MOST_MOVES: usize = 10_000;

#[derive(Clone, PartialEq, Debug)]
pub enum Request {
    Query(Box<Query>),
    Action(Action),
}

/// A query: positions of one game, and how to search them.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Query {
    /// The name by which the replies refer to this query.
    pub id: String,
    /// The name of the variant; without it, it is detected.
    pub variant: Option<String>,
    /// The setup before the first move; without it, the start position of the variant.
    pub setup: Option<String>,
    /// The same as `setup`: the name of this value in the answer to the command `state`.
    pub start: Option<String>,
    /// The moves, in any notation.
    #[serde(default)]
    pub moves: Vec<String>,
    /// The positions to search, as numbers of moves played; without it, the last one.
    pub turns: Option<Vec<usize>>,
    /// The maximum number of nodes of each search.
    pub nodes: Option<NonZeroU64>,
    /// The maximum depth of each search, in plies.
    pub depth: Option<NonZeroUsize>,
    /// The time for each search, in milliseconds.
    pub movetime: Option<u64>,
    /// Ends a search when its best move has not changed while the number of nodes grew by this
    /// factor.
    pub until: Option<f64>,
    pub multipv: Option<NonZeroUsize>,
    /// The root moves to search; without any, all legal moves.
    #[serde(default)]
    pub searchmoves: Vec<String>,
    /// The values of protocol options by name.
    #[serde(default)]
    pub options: BTreeMap<String, Value>,
    /// Queries of higher priority are searched first.
    #[serde(default)]
    pub priority: i64,
    /// The interval between partial replies, in seconds.
    pub report_every: Option<f64>,
    /// The maximum number of expansions of an attempt to prove a win.
    pub proof: Option<NonZeroU64>,
    /// The notation of the moves in the replies.
    pub notation: Option<MoveFormat>,
    /// Whether the replies have the time of the search.
    #[serde(default)]
    pub timing: bool,
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Action {
    /// The name by which the reply refers to this action.
    pub id: String,
    pub action: ActionName,
    /// The id of the query to end, of `terminate`.
    pub query: Option<String>,
    /// The turns to end, of `terminate` and `terminate_all`; without it, all turns.
    pub turns: Option<Vec<usize>>,
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionName {
    /// Ends the searches of one query.
    Terminate,
    /// Ends the searches of all queries.
    TerminateAll,
    /// Drops the networks and endgame tables in memory, so that their files are read again.
    Clear,
    Version,
    /// Replies counts of queries and searches.
    Stats,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RequestError {
    pub id: Option<String>,
    /// The turns to which the error replies; empty if they cannot be read, and for an action.
    pub turns: Vec<usize>,
    /// The field with the error; none if the line is no JSON object.
    pub field: Option<String>,
    pub error: String,
}

impl RequestError {
    fn new(field: &str, error: impl Into<String>) -> Self {
        let field = Some(field.to_string());
        Self { id: None, turns: Vec::new(), field, error: error.into() }
    }

    /// The error of a line that is no JSON object.
    pub fn of_line(error: String) -> Self {
        Self { id: None, turns: Vec::new(), field: None, error }
    }
}

pub fn read(line: &[u8]) -> Result<Request, RequestError> {
    let line = json::with_whole_numbers(line);
    let object: Map<String, Value> = serde_json::from_slice(&line).map_err(|error| {
        let error = json::describe(&error).replace(" at line 1 column", ", column");
        RequestError::of_line(format!("expected a JSON object: {error}"))
    })?;
    let id = match object.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(_) => return Err(RequestError::new("id", "expected a string")),
        None => return Err(RequestError::new("id", "missing field `id`")),
    };
    if object.contains_key("action") {
        return read_action(object).map_err(|error| RequestError { id: Some(id), ..error });
    }
    let turns = readable_turns(&object);
    read_query(object).map_err(|error| RequestError { id: Some(id), turns, ..error })
}

fn read_query(object: Map<String, Value>) -> Result<Request, RequestError> {
    let query: Query = fields(object)?;
    if query.moves.len() > MOST_MOVES {
        return Err(RequestError::new("moves", format!("more than {MOST_MOVES} moves")));
    }
    if query.turns.as_ref().is_some_and(Vec::is_empty) {
        return Err(RequestError::new("turns", "expected at least one number"));
    }
    let last = query.moves.len();
    if let Some(turn) = query.turns.iter().flatten().find(|&&turn| turn > last) {
        let error = format!("expected numbers from 0 to {last}, the number of moves, found {turn}");
        return Err(RequestError::new("turns", error));
    }
    if query.setup.is_some() && query.start.is_some() {
        return Err(RequestError::new("start", "expected only one of `setup` and `start`"));
    }
    if query.until.is_some_and(|factor| factor.is_nan() || factor <= 1.0) {
        return Err(RequestError::new("until", "expected a number above 1"));
    }
    if query.report_every.is_some_and(|seconds| !(0.01..=1e6).contains(&seconds)) {
        return Err(RequestError::new("report_every", "expected seconds from 0.01 to 1000000"));
    }
    Ok(Request::Query(Box::new(query)))
}

fn read_action(object: Map<String, Value>) -> Result<Request, RequestError> {
    let action: Action = fields(object)?;
    if action.action == ActionName::Terminate && action.query.is_none() {
        return Err(RequestError::new("query", "missing field `query`: the id of a query"));
    }
    Ok(Request::Action(action))
}

/// Reads an object; the error names the field.
fn fields<T: DeserializeOwned>(object: Map<String, Value>) -> Result<T, RequestError> {
    serde_path_to_error::deserialize(Value::Object(object)).map_err(|error| {
        let field = error.path().to_string();
        RequestError::new(&field, json::describe(&error.into_inner()))
    })
}

/// The turns of a query that may have errors in other fields.
fn readable_turns(object: &Map<String, Value>) -> Vec<usize> {
    let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
    match (object.get("turns"), object.get("moves")) {
        (Some(Value::Array(turns)), _) if turns.len() <= MOST_MOVES + 1 => {
            distinct(turns.iter().map(number).collect::<Option<_>>().unwrap_or_default())
        }
        (None | Some(Value::Null), Some(Value::Array(moves))) => vec![moves.len()],
        (None | Some(Value::Null), None) => vec![0],
        _ => Vec::new(),
    }
}

impl Query {
    /// The positions to search, without duplicates.
    pub fn turns(&self) -> Vec<usize> {
        distinct(self.turns.clone().unwrap_or_else(|| vec![self.moves.len()]))
    }
}

/// The numbers without duplicates, in their order.
fn distinct(mut numbers: Vec<usize>) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    numbers.retain(|&number| seen.insert(number));
    numbers
}

/// The warnings about fields that do not exist.
pub fn unknown_fields(unknown: &Map<String, Value>) -> impl Iterator<Item = String> {
    unknown.keys().map(|name| format!("unknown field `{name}`"))
}

#[cfg(test)]
#[allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_the_field_and_the_turns() {
        type Row = (&'static str, Option<&'static str>, &'static [usize], Option<&'static str>);
        let table: [Row; 17] = [
            ("hello", None, &[], None),
            ("[1]", None, &[], None),
            (r#"{"moves":[]}"#, None, &[], Some("id")),
            (r#"{"id":3}"#, None, &[], Some("id")),
            (r#"{"id":"a","moves":["b8b6",5]}"#, Some("a"), &[2], Some("moves[1]")),
            (r#"{"id":"a","nodes":0}"#, Some("a"), &[0], Some("nodes")),
            (r#"{"id":"a","nodes":"x","turns":[0,0]}"#, Some("a"), &[0], Some("nodes")),
            (r#"{"id":"a","turns":[]}"#, Some("a"), &[], Some("turns")),
            (r#"{"id":"a","turns":[2],"moves":["b8b6"]}"#, Some("a"), &[2], Some("turns")),
            (r#"{"id":"a","turns":["x"]}"#, Some("a"), &[], Some("turns[0]")),
            (r#"{"id":"a","until":1}"#, Some("a"), &[0], Some("until")),
            (r#"{"id":"a","report_every":0}"#, Some("a"), &[0], Some("report_every")),
            (r#"{"id":"a","setup":"x","start":"y"}"#, Some("a"), &[0], Some("start")),
            (r#"{"id":"a","notation":"long"}"#, Some("a"), &[0], Some("notation")),
            (r#"{"id":"a","options":5}"#, Some("a"), &[0], Some("options")),
            (r#"{"id":"a","action":"dance"}"#, Some("a"), &[], Some("action")),
            (r#"{"id":"a","action":"terminate"}"#, Some("a"), &[], Some("query")),
        ];
        for (line, id, turns, field) in table {
            let error = read(line.as_bytes()).expect_err(line);
            assert_eq!((error.id.as_deref(), &error.turns[..]), (id, turns), "{line}");
            assert_eq!(error.field.as_deref(), field, "{line}: {}", error.error);
        }
    }

    #[test]
    fn unknown_fields_are_kept_for_warnings() {
        let line = br#"{"id":"a","node":5,"priority":-3,"moves":["b8b6"],"turns":[1,0,1]}"#;
        let Ok(Request::Query(query)) = read(line) else { panic!("no query") };
        assert_eq!(unknown_fields(&query.unknown).collect::<Vec<_>>(), ["unknown field `node`"]);
        assert_eq!((query.priority, query.turns()), (-3, vec![1, 0]));
    }
}
