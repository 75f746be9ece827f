/** The types of the page, for `tsc`. Browsers do not load this file. */

type BoardPicture = import("./boardpicture.js").BoardPicture;
type Engine = import("./engine.js").Engine;
type Explorer = import("./explorer.js").Explorer;
type Game = import("./game.js").Game;
type Lesson = import("./lesson.js").Lesson;
type Notice = import("./messages.js").Notice;
type Play = import("./play.js").Play;

type Side = "black" | "white";

/** Reads a stored value, or throws. */
type Reader<T> = (value: unknown) => T;

/** A move in the engine's answers. */
interface Move {
  /** The notation that commands use; "0000" is a pass. */
  coordinate: string;
  /** The usual notation of the game. */
  standard: string;
  /** The squares on which the piece stands in turn; empty for a pass. */
  path: string[];
  /** The squares of the captured pieces. */
  captures: string[];
}

interface Piece {
  square: string;
  side: Side;
  kind: string;
}

interface Result {
  winner: Side | null;
  /** The stable name of the reason. Resignation and time, which end a game on the page, have none. */
  code?: string;
  reason: string;
  /** How a game was won on the page, for its record. */
  by?: WinReason | undefined;
}

type WinReason = "resignation" | "time";

/** The answer to `check`. */
interface Check {
  legal: boolean;
  /** The move as `state` lists it; null if it is not legal. */
  move: Move | null;
  /** The stable name of the reason; null for a legal move. */
  code: string | null;
  reason: string | null;
}

/** A line of the board on which pieces are counted. */
interface CountedLine {
  squares: string[];
  stones: number;
}

/** The answer to `hint`. */
interface Hint {
  move: Move;
  score: Score;
  /** The phrase that follows the move. */
  reason: string;
}

/** The answer to `state`. */
interface State {
  variant: string;
  start: string;
  setup: string;
  plies: number;
  /** The name of the opening that the game has reached. */
  opening?: string | null;
  /** The side to move. */
  side: Side;
  pieces: Piece[];
  last: Move | null;
  legal: Move[];
  result: Result | null;
  /** The lines with pieces, in games in which their numbers matter. */
  lines?: CountedLine[];
  /** The groups of both sides, in games whose rules are about them. */
  groups?: Groups | null;
  /** What the side that is not to move could do if it were its turn. */
  threat?: Threat | null;
}

interface Threat {
  side: Side;
  /** A predicate of the side. */
  text: string;
  /** The moves that do it. */
  moves: Move[];
}

/** The squares of each group, the largest group first. */
type Groups = { [S in Side]: string[][] };

/** A rule that can be chosen, as an option of the engine. */
interface RuleOption {
  name: string;
  description: string;
  default: string | number;
  choices?: string[];
  /** What each choice means. */
  labels?: string[];
  min?: number;
  max?: number;
}

/** An opening that tournaments draw by lot. */
interface Ballot {
  moves: string[];
  /** The moves in the usual notation. */
  standard: string;
  name: string | null;
}

/** An entry of the answer to `variants`. */
interface Variant {
  name: string;
  title: string;
  start: string;
  /** The board of the start position, which the engine's answer to `variants` does not have. */
  first: State;
  /** Whether the dark squares have numbers, from 1 at b8. */
  numbered: boolean;
  kinds: { name: string; singular: string; plural: string; black: string; white: string }[];
  record: string;
  /** `UCI_Elo` of each named level. */
  levels: Record<string, number>;
  /** The goal in one sentence. */
  goal: string;
  /** The title, then the rules. */
  rules: string[];
  /** The rules that can be chosen. */
  options?: RuleOption[];
  /** The openings that can be drawn by lot; empty in most games. */
  ballots?: Ballot[];
}

/** A move in the answer to `import`. */
interface PlayedMove extends Move {
  side: Side;
}

/** The headers and the result of a game in a record. */
interface Heads {
  black: string | null;
  white: string | null;
  event: string | null;
  date: string | null;
  /** The names and texts of the other headers; missing if there are none. */
  headers?: [string, string][];
}

/** Moves of a record in place of those of an earlier line, from one ply on. */
interface Variation<M> {
  /** 0 is the main line, N the Nth variation. */
  line: number;
  ply: number;
  moves: M[];
}

/** What a record says about a move. */
interface Annotation {
  line: number;
  /** 0 is before the first move. */
  ply: number;
  comment: string;
  /** Numeric annotation glyphs (NAG). */
  nags: number[];
  recorded?: MoveData | undefined;
}

/** What a record has about a move besides comments: clocks, time and evaluation. */
interface MoveData {
  /** In words. Other fields are for `export`. */
  text: string;
}

/** A game in the answer to `import`. */
interface ImportedGame extends Heads {
  variant: string;
  setup: string | null;
  moves: PlayedMove[];
  variations: Variation<PlayedMove>[];
  annotations: Annotation[];
  /** The rules that the record names; missing if it names none. */
  rules?: Options;
  /** Why no rules are read from its header for them. */
  rules_error?: string;
  result: Side | "draw" | null;
  /** Why the rest of the record could not be replayed. */
  error: string | null;
  /** The moves after the last one of a line that could be played. */
  unplayed?: { line: number; ply: number; text: string }[];
}

/** The games of a text that the explorer has. */
interface Archive {
  text: string;
  variant: string;
  /** That of its file; empty for a pasted text. */
  name: string;
  games: number;
  faults: number;
  /** The first faults. */
  errors: string[];
  /** The share that has been read, from 0 to 1. */
  done: number;
}

/** How often something was played, with the results; numbers that are not known are missing. */
interface GameNumbers {
  games?: number;
  black?: number;
  white?: number;
  draws?: number;
  /** The points of the side to move in a hundred games, and their 95 % interval. */
  percent?: number | null;
  interval?: [number, number] | null;
  year?: number | null;
  /** The score of the engine for the side to move. */
  cp?: number;
}

/** The answer to `archive tree`. */
interface PositionTree extends GameNumbers {
  source: "archive" | "book";
  side: Side;
  moves: ({ move: Move } & GameNumbers)[];
}

/** A game in the answers to `archive find` and `archive games`. */
interface ListedGame extends Heads {
  number: number;
  variant: string;
  opening: string | null;
  result: ImportedGame["result"];
  plies: number;
  /** Where the position occurs, if one was wanted. */
  ply: number | null;
}

/** The answer to `archive find` and `archive games`. */
interface FoundGames {
  total: number;
  games: ListedGame[];
}

/** Wins, draws and losses of a side per thousand. */
type Wdl = [number, number, number];

/** Of a side: centipawns, or moves to the end of the game. */
interface Score {
  cp?: number;
  mate?: number;
}

/** The review of a move in the answers to `analyse`, from the view of the side that made it. */
interface MoveReview {
  side: Side;
  wdl: Wdl;
  /** The expected points per thousand games of players of a level. */
  chances?: number;
  /** The best line before the move, in coordinates. */
  best: string[];
  /** The expected points lost, from 0 to 1. */
  loss: number;
  mark?: "?" | "??";
  /** Moves to the win that was missed. */
  missed_win?: number;
}

/** The analysis of a whole game; the moves have their own reviews. */
interface Report {
  end: TreeNode;
  /** The table, the graph and the turning points; empty until it is complete. */
  html: string;
  /** The engine and its limits, for records; empty until it is complete. */
  annotator: string;
}

/** The value of a move that is tried, for the side that makes it. */
interface Value {
  /** The position after it. */
  state: State;
  /** The expected points, from 0 to 1. */
  expected: number;
  /** What is proved, in words. */
  proof: string;
  /** Whether that is a win. */
  isWin: boolean;
  /** Whether that is a loss. */
  isLoss: boolean;
  /** That it is a draw, which is proved or expected, in words; empty otherwise. */
  drawn: string;
  /** The moves that follow. */
  pv: string[];
}

/** An entry of the answer to `problems`, or a position of a game that was played on the page. */
interface Puzzle {
  id: string;
  setup: string;
  rules?: Options | undefined;
  /** What the side to move is to reach: `win`, or `win in 3` of its moves. */
  terms: string;
  /** From 1, easy, to 5; 0 in a game that was played on the page. */
  grade: number;
  themes: string[];
  /** The moves of both sides in the usual notation, with the best defence. */
  solution: string[];
  /** Moves that are right too, in place of one of the solution. */
  duals: { ply: number; move: string }[];
}

/** An entry of the answer to `lessons`. */
interface RuleLesson {
  id: string;
  title: string;
  setup: string;
  /** The rule and the task. */
  text: string;
  /** The moves that solve it, in the usual notation. */
  solution: string[];
  right: string;
  /** What to say to some other legal moves. */
  wrong: { move: string; text: string }[];
  /** What to say to the others. */
  other: string;
  hint: string;
}

/** What was reached with the puzzles and the lessons of a variant. */
interface Progress {
  /** The last grade. */
  grade: number;
  /** The ids of the solved puzzles. */
  solved: string[];
  /** The ids of those that were not solved at the first try. */
  missed: string[];
  /** The ids of the lessons of the rules that were solved. */
  lessons: string[];
}

/** A position to solve. */
interface Exercise {
  node: TreeNode;
  take: (move: Move) => void;
}

/** An arrow on the board, or a ring on one square. Its kind is a CSS class. */
interface Arrow {
  path: readonly string[];
  kind: string;
}

/** A game up to some move. */
interface Position {
  variant: string;
  /** Null is the start position. */
  setup: string | null;
  moves: string[];
  /** The options of the rules that are not the usual ones. */
  rules?: Options | undefined;
}

/** The engine's options by name. */
type Options = Record<string, string>;

/** The keywords of `go`; `true` stands for a keyword without a number. */
type Limits = Record<string, number | true>;

/** The report of a search, from an `info` line. */
interface Info {
  depth: number;
  multipv: number;
  /** Of the side to move. */
  score: Score;
  /** Whether the score is only a bound. */
  isBound: boolean;
  wdl: Wdl | null;
  /** The expected points of the side to move, from 0 to 1. */
  expected: number | null;
  nps: number;
  pv: string[];
}

/** The callbacks of a transport. */
interface TransportEvents {
  /** Lines can be sent now. */
  onOpen: () => void;
  onLine: (line: string) => void;
  /** It has ended, or could not start, perhaps because there is no free engine. Called once. */
  onClose: (reason: string, isRefused: boolean) => void;
}

interface Transport {
  send: (line: string) => void;
}

/** Starts a new transport to an engine, which has no searches if it is told so. */
type Connect = (events: TransportEvents, hasSearches?: boolean) => Transport;

/** Whether there is a connection, and if not, why. */
interface Connection {
  isOpen: boolean;
  reason: string;
}

/** A command of the engine that is answered at once. */
interface EngineRequest {
  position: Position | null;
  options: Options;
  command: string;
  /** The first word of the answer. */
  answer: string;
  resolve: (json: unknown) => void;
  fail: (error: Error) => void;
  error: string | null;
  /** The number of connections lost while it was in progress. */
  losses: number;
}

/** A command of the engine that takes long, and ends with a line. */
interface Job {
  position: Position;
  options: Options;
  command: string;
  /** Returns whether the line ends the job. */
  receive: (line: string) => boolean;
  fail: (error: Error) => void;
  /** Whether the engine has confirmed its start. */
  isRunning: boolean;
  isStopped: boolean;
  error: string | null;
  /** The number of connections lost while it was running. */
  losses: number;
  end: () => void;
}

interface Search {
  /** The best move; null without one. */
  best: Promise<string | null>;
  stop: () => void;
}

/** Milliseconds left. */
type Clocks = Record<Side, number>;

/** Seconds for each move of the engine, or a clock for both sides. */
type TimeControl = { seconds: number } | { minutes: number; increment: number };

type Player = "human" | "engine";

/** The setting of a new game. */
interface Setting {
  variant: string;
  /** Null is the start position. */
  setup: string | null;
  players: Record<Side, Player>;
  /** The name of a level, "full", or an Elo number. */
  level: string | number;
  /** The levels of both sides where the engine plays both. */
  levels?: Record<Side, string | number> | undefined;
  time: TimeControl;
  /** Seconds for which a position is shown at least where the engine plays both sides. */
  pace?: number | undefined;
  /** Whether it is a study: a game for viewing. */
  isStudy?: boolean;
  /** The options of the rules that are not the usual ones. */
  rules?: Options | undefined;
  /** The number of the first moves that were given, as an opening. */
  opening?: number | undefined;
  /** The opening if it was drawn by lot. */
  lot?: string | undefined;
  /** What of the record could not be read. */
  fault?: string | undefined;
  /** The names of two players, or the headers of the record. */
  heads?: Heads | undefined;
}

/** A position in the tree of a game. */
interface TreeNode {
  /** Null at the start of the game. */
  parent: TreeNode | null;
  /** The move that led here. */
  move: Move | null;
  mover: Side | null;
  /** The first one continues the game, the others are branches. */
  children: TreeNode[];
  /** Whether the move was tried in a lesson. */
  isTried: boolean;
  ply: number;
  /** The remaining time of both sides when the position was reached. */
  clocks: Clocks | null;
  /** An end that is not by the rules: resignation or time. */
  ending: Result | null;
  /** The state of the position, once the engine has sent it. */
  state: State | null;
  /** The review of the move that led here. */
  review: MoveReview | null;
  /** The comment of the record on the move. */
  comment: string;
  /** The numeric annotation glyphs (NAG) of the move. */
  nags: number[];
  recorded: MoveData | undefined;
}

/** What is at the bottom of the board: the human's side, White as in diagrams, Black, or the player to move. */
type Turning = "own" | "rule" | "black" | "mover";

type Notation = "standard" | "coordinate";

interface Settings {
  notation: Notation;
  turning: Turning;
  /** Whether files and ranks have their letters and numbers although the squares have numbers. */
  hasLetters: boolean;
  hasSounds: boolean;
  /** Whether the groups have colours and numbers. */
  hasGroups: boolean;
  /** Whether the page names what the engine threatens at the levels for learners. */
  hasThreats: boolean;
  /** Whether positions are analysed, and in how many lines. */
  isAnalysing: boolean;
  lines: number;
  /** The setting of the last new game. */
  next: { [K in keyof Setting]?: Setting[K] | undefined };
}

/** An entry in the list of stored games. */
interface StoredGame {
  saved: number;
  result: string;
  game: Game;
}

/** The choices for a new game in the address. */
interface Choices {
  variant: string | null;
  level: string | number | null;
  /** The side of the human. */
  side: Side | null;
}

/** The content of the board. */
interface Picture {
  pieces: Piece[];
  last: Move | null;
  lines?: CountedLine[];
  groups?: Groups | null;
}

/** The move between the previous and the current position of the board. */
interface Motion {
  move: Move;
  isBackward: boolean;
}

/** The marked squares of the board. */
interface Marks {
  /** The squares chosen for the next move. */
  chosen: readonly string[];
  /** Where the chosen piece can go. */
  targets: ReadonlySet<string>;
  /** The pieces that can be chosen. */
  movable: ReadonlySet<string>;
  /** The pieces that must move. */
  compelled: ReadonlySet<string>;
}

/** A pointer that is down on the board. */
interface Pointer {
  id: number;
  /** Where it went down. */
  x: number;
  y: number;
  square: string;
  /** Whether the press has chosen the first square of a move. */
  hasBegun: boolean;
  isDragging: boolean;
}

/** The place of a pointer. */
interface Point {
  clientX: number;
  clientY: number;
}

/** A piece on the board and its picture. */
interface Man {
  piece: Piece;
  element: SVGUseElement;
}
