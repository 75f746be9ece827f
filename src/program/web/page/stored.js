/**
 * Reads stored data. Of what is damaged, or of another version of the page, the valid parts are
 * read; the rest is left out.
 */
import { endOfLine, Game, startClocks, VERSION } from "./game.js";
import { FULL_STRENGTH, SIDES } from "./protocol.js";

let report = () => {};

/** @param {() => void} listener is called when stored data is left out */
export function onDamage(listener) {
  report = listener;
}

/**
 * @template T
 * @param {(value: any) => boolean} isValid
 * @returns {Reader<T>}
 */
function check(isValid) {
  return (value) => {
    if (!isValid(value)) throw new TypeError("stored data is damaged");
    return /** @type {T} */ (value);
  };
}

/**
 * A reader that never throws: a missing value is `fallback`, and so is an invalid one.
 * @template T, F
 * @param {Reader<T>} reader
 * @param {F} fallback
 * @returns {Reader<T | F>}
 */
function or(reader, fallback) {
  return (value) => {
    if (value === undefined) return fallback;
    try {
      return reader(value);
    } catch {
      report();
      return fallback;
    }
  };
}

/** @template T @param {Reader<T>} reader @returns {Reader<T | null>} */
const orNull = (reader) => (value) => (value === null ? null : reader(value));

/** @template T @param {Reader<T>} reader @returns {Reader<T[]>} */
const list = (reader) => (value) => anyList(value).map(reader);

/**
 * An object with these fields; others are left out.
 * @template {Record<string, Reader<any>>} R
 * @param {R} readers
 * @returns {Reader<{ [K in keyof R]: ReturnType<R[K]> }>}
 */
function fields(readers) {
  return (value) => {
    const object = anyObject(value);
    const read = Object.entries(readers).map(([name, reader]) => [name, reader(object[name])]);
    return Object.fromEntries(read);
  };
}

/** @type {Reader<Record<string, unknown>>} */
const anyObject = check((value) => typeof value === "object" && value && !Array.isArray(value));
/** @type {Reader<unknown[]>} */
const anyList = check(Array.isArray);
/** @type {Reader<string>} */
const text = check((value) => typeof value === "string");
/** @type {Reader<boolean>} */
const flag = check((value) => typeof value === "boolean");
/** @param {number} least @param {number} most @returns {Reader<number>} */
const number = (least, most) =>
  check((value) => Number(value) === value && value >= least && value <= most);
/** @param {number} most @returns {Reader<number>} */
const whole = (most) => check((value) => Number.isInteger(value) && value >= 0 && value <= most);
/** @template {string | number} T @param {readonly T[]} values @returns {Reader<T>} */
const oneOf = (values) => check((value) => values.includes(value));

/** @template T @param {Reader<T>} reader */
const bySide = (reader) => fields({ black: reader, white: reader });

/** The latest time of a `Date`. */
const LAST_TIME = 8.64e15;
const TURNINGS = /** @type {const} */ (["own", "rule", "black", "mover"]);
const NOTATIONS = /** @type {const} */ (["standard", "coordinate"]);
const side = oneOf(SIDES);
const player = oneOf(/** @type {const} */ (["human", "engine"]));
// The limits are those of the form for a new game.
const perMove = fields({ seconds: number(0.1, 3600) });
const withClocks = fields({ minutes: number(0.1, 600), increment: number(0, 600) });
/** @type {Reader<TimeControl>} */
const time = (value) => ("seconds" in anyObject(value) ? perMove(value) : withClocks(value));

/** @param {unknown} value */
const isElo = (value) => typeof value === "number" && value >= 200 && value <= 2800;
/** The level of a new game is checked when its variant is chosen. @type {Reader<string | number>} */
const anyLevel = check((value) => isElo(value) || typeof value === "string");

/** @param {unknown} value @param {Variant | undefined} variant */
export function isLevel(value, variant) {
  return (
    isElo(value) || value === FULL_STRENGTH || Object.hasOwn(variant?.levels ?? {}, String(value))
  );
}

const setting = {
  variant: text,
  players: or(bySide(player), undefined),
  level: or(anyLevel, undefined),
  levels: or(bySide(text), undefined),
  time: or(time, undefined),
  pace: or(number(0, 60), undefined),
  rules: or(texts, undefined),
};
const heads = fields({
  black: or(orNull(text), null),
  white: or(orNull(text), null),
  event: or(orNull(text), null),
  date: or(orNull(text), null),
  headers: or(list(pair), []),
});
const named = or(heads, undefined);
const next = fields({ ...setting, variant: or(text, undefined), heads: named });
const settings = fields({
  notation: or(oneOf(NOTATIONS), NOTATIONS[0]),
  hasLetters: or(flag, false),
  turning: or(oneOf(TURNINGS), TURNINGS[0]),
  hasSounds: or(flag, false),
  hasGroups: or(flag, false),
  hasThreats: or(flag, true),
  isAnalysing: or(flag, false),
  lines: or(oneOf([1, 2, 3, 4, 5]), 3),
  next: or(next, next({})),
});

/** @param {unknown} value @returns {Settings} */
export function readSettings(value) {
  return or(settings, settings({}))(value ?? undefined);
}

const progress = fields({
  grade: or(whole(5), 1),
  solved: or(list(text), []),
  missed: or(list(text), []),
  lessons: or(list(text), []),
});

/** @param {unknown} value @returns {Progress} */
export function readProgress(value) {
  return or(progress, progress({}))(value ?? undefined);
}

/** @type {Reader<Record<string, string>>} */
function texts(value) {
  return Object.fromEntries(Object.entries(anyObject(value)).map(pair));
}

/** @type {Reader<[string, string]>} */
function pair(value) {
  const [name, content] = list(text)(value);
  return [text(name), text(content)];
}

const move = fields({ coordinate: text, standard: text, path: list(text), captures: list(text) });
const ways = /** @type {const} */ (["resignation", "time"]);
const ending = fields({ winner: orNull(side), reason: text, by: or(oneOf(ways), undefined) });
/** The engine reads the other fields when it writes a record. @type {Reader<MoveData>} */
const recorded = check((value) => typeof value?.text === "string");
const review = fields({
  side,
  wdl: /** @type {Reader<Wdl>} */ (list(number(0, 1000))),
  best: list(text),
  loss: number(0, 1),
  mark: or(oneOf(/** @type {const} */ (["?", "??"])), undefined),
  missed_win: or(whole(1e6), undefined),
});
/** What belongs to a position, and may be left out. */
const details = fields({
  clocks: or(orNull(bySide(number(0, 1e9))), undefined),
  ending: or(orNull(ending), null),
  review: or(orNull(review), null),
  comment: or(text, ""),
  nags: or(list(whole(255)), []),
  recorded: or(recorded, undefined),
});
const child = fields({ parent: whole(1e6), move, mover: side });

const stored = fields({
  version: oneOf([VERSION]),
  setting: fields({
    ...setting,
    setup: orNull(text),
    isStudy: or(flag, false),
    opening: or(whole(1e6), undefined),
    lot: or(text, undefined),
    fault: or(text, undefined),
    heads: named,
  }),
  nodes: anyList,
  live: or(whole(1e6), -1),
  shown: or(whole(1e6), -1),
  report: or(orNull(fields({ end: whole(1e6), html: text, annotator: or(text, "") })), null),
  isPaused: or(flag, false),
  isFlipped: or(flag, false),
});

/**
 * The game that `Game.toJSON` wrote; null if its variant or its start cannot be read. A move that
 * cannot be read is left out with those after it.
 * @param {unknown} value
 * @param {string} id
 * @param {Variant[]} variants
 * @returns {Game | null}
 */
export function readGame(value, id, variants) {
  const json = or(stored, null)(value);
  const variant = variants.find(({ name }) => name === json?.setting.variant);
  if (!json || !variant) return null;
  const { level, players = { black: "human", white: "human" } } = json.setting;
  const game = new Game(
    {
      ...json.setting,
      players,
      level: level !== undefined && isLevel(level, variant) ? level : "easy",
      time: json.setting.time ?? { seconds: 1 },
    },
    id,
  );
  /** @type {(TreeNode | undefined)[]} */
  const nodes = [];
  for (const item of json.nodes) {
    const at = nodes.length === 0 ? null : or(child, undefined)(item);
    const parent = at ? nodes[at.parent] : undefined;
    const node =
      at && parent ? game.play(parent, at.move, at.mover) : at === null ? game.root : undefined;
    nodes.push(node);
    if (!node) continue;
    const { clocks, ...rest } = or(details, details({}))(item ?? {});
    Object.assign(node, rest);
    node.clocks = startClocks(game.setting.time) && (clocks ?? parent?.clocks ?? node.clocks);
  }
  game.live = nodes[json.live] ?? endOfLine(game.root);
  game.shown = nodes[json.shown] ?? game.live;
  const end = nodes[json.report?.end ?? -1];
  if (json.report && end) game.report = { ...json.report, end };
  game.isPaused = json.isPaused;
  game.isFlipped = json.isFlipped;
  return game;
}

const label = fields({
  saved: or(number(0, LAST_TIME), 0),
  result: or(text, ""),
  game: anyObject,
});

/** The entry of a game in the list of stored games; null if there is none. @param {unknown} value */
export function readEntry(value) {
  return or(orNull(label), null)(value);
}
