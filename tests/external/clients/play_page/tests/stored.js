/** Tests that the page starts with any stored data, and reads of it what is valid. */
const assert = require("node:assert/strict");
const { test, IS_ALL } = require("../support/fixture.js");

const SETTINGS = "soucie.settings";
const TAB = "soucie.tab";
const GAME = "soucie.game.damaged";
/** Values of every kind, in place of any other. */
const BAD = [null, 0, -1, 1.5, 1e300, "", "x", "constructor", true, [], [null], {}, { next: null }];

const MOVE = { coordinate: "b1b3", standard: "b1-b3", path: ["b1", "b3"], captures: [] };
const REVIEW = { side: "black", wdl: [300, 400, 300], best: ["d1b3"], loss: 0.2, mark: "?" };
const NODES = [
  { parent: -1, move: null, mover: null, clocks: null, ending: null, review: null },
  { parent: 0, move: MOVE, mover: "black", comment: "Good.", nags: [1], review: REVIEW },
  {
    parent: 1,
    move: { coordinate: "h4f2", standard: "h4-f2", path: ["h4", "f2"], captures: [] },
    mover: "white",
    ending: { winner: "black", reason: "White has resigned" },
  },
];
const STORED_GAME = {
  version: 1,
  id: "damaged",
  setting: {
    variant: "linesofaction",
    setup: null,
    players: { black: "human", white: "human" },
    level: "easy",
    time: { seconds: 1 },
    heads: { black: "Anna", white: null, event: null, date: null, headers: [["PC", "Oslo"]] },
  },
  isPaused: false,
  isFlipped: false,
  live: 2,
  shown: 2,
  report: { end: 2, html: "<p>A report</p>" },
  nodes: NODES,
};
const ENTRY = {
  saved: 1,
  result: "",
  game: STORED_GAME,
};
const STORED_SETTINGS = {
  notation: "coordinate",
  isAnalysing: true,
  lines: 2,
  next: {
    variant: "englishdraughts",
    setup: null,
    players: { black: "engine", white: "human" },
    level: 900,
    time: { minutes: 5, increment: 3 },
  },
};
const STORED_PROGRESS = { grade: 2, solved: ["3fa19c02"] };
/** Without these a game cannot be read. */
const NEEDED = /^game(\.version|\.setting|\.setting\.(variant|setup)|\.nodes)?$/;

/** Runs in the page: reads the data with each of its values replaced, and returns the faults. */
async function faultsOfReading({ entry, settings, progress, bad, needed }) {
  const stored = await import(new URL("stored.js", location.href));
  const { readEntry, readGame, readProgress, readSettings } = stored;
  const levels = { easy: 700 };
  const variants = [{ name: "linesofaction", title: "Lines of Action", levels }];
  const faults = [];
  const paths = (value, path = []) => [
    path,
    ...(value && typeof value === "object"
      ? Object.keys(value).flatMap((key) => paths(value[key], [...path, key]))
      : []),
  ];
  const replaced = (value, [key, ...rest], other) => {
    if (key === undefined) return other;
    const copy = structuredClone(value);
    copy[key] = replaced(value[key], rest, other);
    return copy;
  };
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  for (const [whole, read] of [
    [settings, (value) => readSettings(value)],
    [progress, (value) => readProgress(value)],
    [
      entry,
      (value, path) => {
        const found = readEntry(value);
        const game = found && readGame(found.game, "damaged", variants);
        if (!game && path.length > 0 && !new RegExp(needed).test(path.join("."))) {
          throw new Error("the game is lost");
        }
        return game && { ...found, game: game.toJSON() };
      },
    ],
  ]) {
    for (const path of paths(whole)) {
      for (const other of [...bad, undefined]) {
        try {
          const value = read(replaced(whole, path, other), path);
          // What was read is valid: it is read again unchanged.
          if (value && !same(read(structuredClone(value), []), value)) throw new Error("changes");
        } catch (error) {
          faults.push(`${path.join(".")} ${JSON.stringify(other)}: ${error}`);
        }
      }
    }
  }
  return faults;
}

test("every value replaced by every other kind", async ({ open }) => {
  const page = await open();
  const given = {
    entry: ENTRY,
    settings: STORED_SETTINGS,
    progress: STORED_PROGRESS,
    bad: BAD,
    needed: NEEDED.source,
  };
  assert.deepEqual(await page.page.evaluate(faultsOfReading, given), []);
});

/** Opens the page with nothing but this data in the storage of the browser. */
async function openWith(page, address, stored) {
  // A file of the page without its scripts.
  await page.goto(new URL("icon.svg", address).href);
  await page.evaluate((entries) => {
    localStorage.clear();
    sessionStorage.clear();
    for (const [key, value] of entries) {
      (key === "soucie.tab" ? sessionStorage : localStorage).setItem(key, value);
    }
  }, stored);
  await page.goto(address);
}

const text = (value) => JSON.stringify(value);
const withNode = (changes) =>
  text({ ...ENTRY, game: { ...STORED_GAME, nodes: [NODES[0], { ...NODES[1], ...changes }] } });
const withGame = (changes) => text({ ...ENTRY, game: { ...STORED_GAME, ...changes } });
// The stored texts, and the number of moves that the page then shows.
const LOADED = [
  [
    "intact data",
    [
      [SETTINGS, text(STORED_SETTINGS)],
      [GAME, text(ENTRY)],
    ],
    2,
  ],
  ["settings without the last game", [[SETTINGS, '{"next":null}']], 0],
  ["settings that are not JSON", [[SETTINGS, "{"]], 0],
  ["a list of settings", [[SETTINGS, "[1]"]], 0],
  ["settings of other kinds", [[SETTINGS, '{"notation":5,"lines":"9","isAnalysing":"x"}']], 0],
  [
    "a last game of other kinds",
    [[SETTINGS, '{"next":{"variant":3,"players":null,"level":{},"time":{"seconds":"1"}}}']],
    0,
  ],
  ["an Elo out of range", [[SETTINGS, '{"next":{"level":99999,"time":{"seconds":1e300}}}']], 0],
  ["glyphs that are null", [[GAME, withNode({ nags: null })]], 1],
  ["a comment that is a list", [[GAME, withNode({ comment: ["x"] })]], 1],
  ["a review without a line", [[GAME, withNode({ review: { mark: "?" } })]], 1],
  ["a move without a path", [[GAME, withNode({ move: { coordinate: "b1b3" } })]], 0],
  ["a move without a side", [[GAME, withNode({ mover: "red" })]], 0],
  ["a parent that is missing", [[GAME, withNode({ parent: 7 })]], 0],
  ["no players", [[GAME, withGame({ setting: { variant: "linesofaction", setup: null } })]], 2],
  ["a position that is missing", [[GAME, withGame({ live: 99, shown: null })]], 2],
  ["a report without an end", [[GAME, withGame({ report: { html: "x" } })]], 2],
  ["an unknown variant", [[GAME, withGame({ setting: { variant: "chess" } })]], 0],
  ["no nodes", [[GAME, withGame({ nodes: null })]], 0],
  ["an entry that is null", [[GAME, "null"]], 0],
  ["a time that is no date", [[GAME, text({ ...ENTRY, saved: 1e300, result: 1 })]], 2],
  [
    "a tab with an object",
    [
      [TAB, "{}"],
      [GAME, text(ENTRY)],
    ],
    2,
  ],
];
test("pages with damaged data can be used", async ({ open, server }) => {
  const page = await open();
  // Browsers look for it beside a picture.
  await page.page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
  // Without a last game the page asks for one.
  const question = page.page.getByRole("dialog", { name: "Which game?" });
  await page.page.addLocatorHandler(question, () => page.page.keyboard.press("Escape"));
  // Each takes a second.
  const some = LOADED.filter((_, index) => IS_ALL || index % 4 === 0);
  for (const [name, stored, plies] of some) {
    await openWith(page.page, server.address, stored);
    await page.idle();
    assert.equal((await page.moves()).length, plies, name);
    await page.newGame({ variant: "Lines of Action", side: "Black" });
    assert.match(await page.ready(), /Your turn/, name);
    await page.typeMove("b1b3");
    await page.idle();
    assert.ok((await page.moves()).length > 0, name);
  }
});
