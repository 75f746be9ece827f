//! Checks a query and sets up its game.

use std::collections::{HashMap, VecDeque};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::request::{Query, RequestError, unknown_fields};
use crate::analyse::settings::AnalyseSettings;
use crate::analyse::work::open_game;
use crate::arguments;
use crate::error::CommandError;
use soucie::analysis::analyser::{Analyser, search_limits};
use soucie::engine::game_file::Evaluator;
use soucie::engine::session::GameSession;
use soucie::engine::{EngineError, variant_data};
use soucie::game::TablebaseError;
use soucie::games::Tablebases;
use soucie::options::{EVAL_FILE, Options, Scope, TABLE_PATH, UciOption, VARIANT, scope};
use soucie::records::setups::SetupMoves;
use soucie::search::Limits;

pub struct PreparedQuery {
    /// The query without its game.
    pub details: Arc<QueryDetails>,
    pub session: Box<dyn GameSession>,
    /// The positions to search, as numbers of moves played.
    pub turns: VecDeque<usize>,
    /// The length of its line.
    pub bytes: usize,
}

/// What the searches of a query have in common.
#[derive(Debug)]
pub struct QueryDetails {
    pub query: Query,
    /// How each position is searched.
    pub analyser: Analyser,
    /// Fields and options without effect.
    pub warnings: Vec<String>,
}

/// The name of a field of a query, and what is wrong with its value.
type FieldError = (String, String);

/// The maximum number of networks, and of folders of endgame tables, that stay in memory.
const MOST_RESOURCES: usize = 16;

/// Prepares queries. Networks and endgame tables stay in memory.
pub struct Preparer {
    /// The options of a query that sets none, except the variant.
    options: Options,
    /// The variant of a query that names none; `None` to detect it.
    variant: Option<&'static str>,
    limits: Limits,
    evaluators: HashMap<String, Evaluator>,
    tablebases: HashMap<String, Tablebases>,
    default_tables: Option<PathBuf>,
}

impl Preparer {
    /// The preparer with the defaults of the command line, whose networks and tables it reads.
    pub fn new(settings: &AnalyseSettings) -> Result<Self, CommandError> {
        let variant = settings.game.variant.as_deref();
        let mut options = Options::of(variant, &settings.game.options, Scope::Notation)?;
        let analyser = settings.analyser(&options);
        (options.hash, options.search) = (analyser.hash, analyser.options);
        let mut preparer = Self {
            variant: settings.game.variant.as_ref().map(|_| options.variant),
            limits: analyser.limits,
            options,
            evaluators: HashMap::new(),
            tablebases: HashMap::new(),
            default_tables: settings.default_tables.clone(),
        };
        let options = preparer.options.clone();
        let evaluator = arguments::evaluator(&options.eval_file, preparer.variant)?;
        insert(&mut preparer.evaluators, &options.eval_file, &evaluator);
        preparer.tablebases(&options)?;
        Ok(preparer)
    }

    /// Drops all networks and endgame tables.
    pub fn clear(&mut self) {
        self.evaluators.clear();
        self.tablebases.clear();
    }

    /// Prepares a query whose line has so many bytes.
    pub fn prepare(&mut self, query: Query, bytes: usize) -> Result<PreparedQuery, RequestError> {
        let mut warnings = unknown_fields(&query.unknown).collect();
        match self.game(&query, &mut warnings) {
            Ok((session, analyser)) => {
                let turns = query.turns().into();
                let details = Arc::new(QueryDetails { query, analyser, warnings });
                Ok(PreparedQuery { details, session, turns, bytes })
            }
            Err((field, error)) => {
                let (turns, field) = (query.turns(), Some(field));
                Err(RequestError { id: Some(query.id), turns, field, error })
            }
        }
    }

    /// The game of a query, and how to search it.
    fn game(
        &mut self,
        query: &Query,
        warnings: &mut Vec<String>,
    ) -> Result<(Box<dyn GameSession>, Analyser), FieldError> {
        let (field, text) = match &query.start {
            Some(start) => ("start", Some(start)),
            None => ("setup", query.setup.as_ref()),
        };
        let read = SetupMoves::read(text.map_or("startpos", |s| s.as_str()));
        let SetupMoves { setup, moves } =
            read.map_err(|error| (field.to_string(), error.to_string()))?;
        let setup = setup.as_deref();
        if !moves.is_empty() {
            return Err((field.to_string(), "expected a setup without moves".to_string()));
        }
        let options = self.options(query, setup, warnings)?;
        let of_option = |name: &str, error: String| (format!("options.{name}"), error);
        let evaluator = self.evaluator(&options, query);
        let evaluator = evaluator.map_err(|error| of_option(EVAL_FILE, error.to_string()))?;
        let tablebases = self.tablebases(&options);
        let tablebases = tablebases.map_err(|error| of_option(TABLE_PATH, error.to_string()))?;
        let session = open_game(&options, &tablebases, &evaluator);
        let mut session = session.map_err(|error| ("variant".to_string(), error.to_string()))?;
        let set_up = session.set_position(setup, &[]);
        set_up.map_err(|error| (field.to_string(), setup_error(&error)))?;
        for (index, mv) in query.moves.iter().enumerate() {
            let played = session.play(mv);
            played.map_err(|error| (format!("moves[{index}]"), error.to_string()))?;
        }
        let (players, hash) = (options.players(), options.hash);
        let analyser =
            Analyser { limits: self.limits(query), options: options.search, players, hash };
        Ok((session, analyser))
    }

    /// The limits of a query; those of the command line if it has none.
    fn limits(&self, query: &Query) -> Limits {
        let Query { nodes, depth, movetime, .. } = *query;
        if nodes.is_none() && depth.is_none() && movetime.is_none() {
            return self.limits.clone();
        }
        let movetime = movetime.map(Duration::from_millis);
        search_limits(nodes.map(NonZeroU64::get), depth.map(NonZeroUsize::get), movetime)
    }

    fn options(
        &self,
        query: &Query,
        setup: Option<&str>,
        warnings: &mut Vec<String>,
    ) -> Result<Options, FieldError> {
        let mut options = self.options.clone();
        for (name, value) in &query.options {
            let of_option = |error: String| (format!("options.{name}"), error);
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Number(_) | Value::Bool(_) => value.to_string(),
                _ => {
                    return Err(of_option("expected a string, a number or a boolean".to_string()));
                }
            };
            let set = options.set(name, Some(&text)).and_then(|_| options.require_level());
            set.map_err(|error| of_option(error.to_string()))?;
            if scope(name) == Some(Scope::Play) {
                warnings.push(format!("option '{name}' has no effect on queries"));
            }
        }
        if let Some(multipv) = query.multipv {
            options.search.multipv = multipv.get();
        }
        if let Some(notation) = query.notation {
            options.move_format = notation;
        }
        match &query.variant {
            Some(variant) => {
                let set = options.set(VARIANT, Some(variant));
                set.map_err(|error| ("variant".to_string(), error.to_string()))?;
            }
            None if self.variant.is_none() && !names(query, VARIANT) => {
                let (setup, moves) = (setup.map(str::to_string), query.moves.clone());
                options.variant = SetupMoves { setup, moves }.variant(None).name;
            }
            None => {}
        }
        let variant = options.variant;
        let game = variant_data().find(|data| data.variant.name == variant).map(|data| data.game);
        let is_unused = |name: &&String| {
            let rule = UciOption::find(name).ok().filter(|option| option.scope == Scope::Rule);
            rule.zip(game).is_some_and(|(rule, game)| !rule.is_rule_of(game))
        };
        let unused = query.options.keys().filter(is_unused);
        warnings.extend(unused.map(|name| format!("option '{name}' has no effect in {variant}")));
        Ok(options)
    }

    /// The evaluator of a query. A network file that the query itself names must be for its game.
    fn evaluator(
        &mut self,
        options: &Options,
        query: &Query,
    ) -> Result<Evaluator, arguments::NoNetwork> {
        let path = &options.eval_file;
        let evaluator = match self.evaluators.get(path) {
            Some(evaluator) => evaluator.clone(),
            None => {
                let evaluator = arguments::evaluator(path, None)?;
                insert(&mut self.evaluators, path, &evaluator);
                evaluator
            }
        };
        if names(query, EVAL_FILE) {
            let of_path = |error| arguments::NoNetwork { path: path.clone(), error };
            evaluator.check(options.variant).map_err(of_path)?;
        }
        Ok(evaluator)
    }

    fn tablebases(&mut self, options: &Options) -> Result<Tablebases, TablebaseError> {
        let path = &options.table_path;
        if let Some(tablebases) = self.tablebases.get(path) {
            return Ok(tablebases.clone());
        }
        let tablebases = arguments::tablebases(options, self.default_tables.as_deref())?;
        insert(&mut self.tablebases, path, &tablebases);
        Ok(tablebases)
    }
}

fn names(query: &Query, option: &str) -> bool {
    query.options.keys().any(|name| name.eq_ignore_ascii_case(option))
}

/// Adds a resource. If there are too many, all others are dropped.
fn insert<T: Clone>(resources: &mut HashMap<String, T>, path: &str, resource: &T) {
    if resources.len() >= MOST_RESOURCES {
        resources.clear();
    }
    resources.insert(path.to_string(), resource.clone());
}

/// The message of an error in a setup, without the name of the field.
fn setup_error(error: &EngineError) -> String {
    match error {
        EngineError::Setup(error) => error.to_string(),
        error => error.to_string(),
    }
}
