// Checks the installed package: node check.mjs PATH_TO_SOUCIE TABLES SESSIONS GAMES
// TABLES is the folder with the tables of the package, SESSIONS the number of random sessions.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { Soucie } from "soucie";

const [native, tables, sessions, games] = process.argv.slice(2);

/** Starts an engine. `until` waits for a line that matches a pattern, from an index on. */
const start = async (shared) => {
  const engine = await Soucie.create({ shared });
  const lines = [];
  let wake = () => {};
  engine.onLine = (line) => {
    lines.push(line);
    wake();
  };
  const until = async (pattern, from = 0) => {
    for (let at = from; ; at++) {
      while (at >= lines.length) {
        let timer;
        await new Promise((resolve, reject) => {
          wake = resolve;
          timer = setTimeout(
            () => reject(new Error(`no ${pattern} in ${lines.slice(from)}`)),
            60_000,
          );
        });
        clearTimeout(timer);
      }
      if (pattern.test(lines[at])) return lines[at];
    }
  };
  return { engine, lines, until, count: (pattern) => lines.filter((l) => pattern.test(l)).length };
};

// The same nodes and moves as the native program: this covers rules, evaluation and search.
const searches = ["linesofaction", "scrambledeggs", "englishdraughts"].flatMap((variant) => [
  `setoption name UCI_Variant value ${variant}`,
  "ucinewgame",
  "go depth 12",
]);
/** Removes what may differ from the lines of searches: times and notes on variants. */
const plain = (text) =>
  text
    .split("\n")
    .filter((line) => !line.startsWith("info string variant "))
    .map((line) => line.replace(/ (nps|time) \d+/g, "").replace(/\d+ nps/, ""))
    .join("\n")
    .trim();
const expected = execFileSync(native, { input: [...searches, "bench", ""].join("\n") }).toString();
{
  const { engine, lines } = await start();
  for (const line of [...searches, "bench"]) engine.send(line);
  engine.end();
  await engine.ended;
  assert.equal(plain(lines.join("\n")), plain(expected));
  console.log(`the same as native: ${lines.at(-1)}; native: ${expected.trim().split("\n").at(-1)}`);
}

// Endgame tables: the same results as native, whenever they are loaded; damaged ones are refused.
const ending = ["setoption name UCI_Variant value draughts", "position fen W:WK14,K15,18:BK1"];
const more = ["position fen W:WK14,K15,18,25:BK1,2,K6", "go depth 10"];
const endings = [...ending, "ucinewgame", "go depth 1", ...more];
const native4 = { input: [`setoption name TablePath value ${tables}`, ...endings, ""].join("\n") };
const expectedEndings = plain(execFileSync(native, native4).toString());
for (const shared of [true, false]) {
  const { engine, lines, until } = await start(shared);
  const packed = await readFile(fileURLToPath(import.meta.resolve("soucie/draughts.tables")));
  const unpacked = new Uint8Array(gunzipSync(packed));
  const refusals = [
    [packed.subarray(0, 100_000), /^tables: the file cannot be unpacked$/],
    [unpacked.with(1_000_000, 77), /^tables: the tables are damaged$/],
    [unpacked.subarray(1), /^tables: these are no endgame tables$/],
    [new Uint8Array(0), /^tables: the file has 0 bytes$/],
    ["no-such-file", /no-such-file/],
  ];
  for (const [source, message] of refusals) {
    await assert.rejects(engine.loadTables(source), (error) => message.test(error.message));
  }
  for (const line of [...ending, "go depth 1"]) engine.send(line);
  assert.doesNotMatch(await until(/ score /), / tbhits /);
  await until(/^bestmove/);

  // During a search, and for the worker that replaces a stopped one.
  for (const source of [packed, unpacked, undefined]) {
    const from = lines.length;
    engine.send("go infinite");
    await until(/ pv /, from);
    const loaded = engine.loadTables(source);
    await sleep(100);
    engine.send("stop");
    await until(/^bestmove/, from);
    await loaded;
    await until(/^info string tables of up to 4 pieces$/, from);
  }
  // Without shared memory they are loaded before queued lines, and an infinite search is restarted,
  // with a single answer.
  for (const hasBegun of shared ? [] : [false, true]) {
    const from = lines.length;
    for (const line of [...ending, "go infinite"]) engine.send(line);
    if (hasBegun) await until(/ pv /, from);
    const { length } = lines;
    await engine.loadTables();
    await until(/^info depth 1 /, length);
    engine.send("stop");
    await until(/^bestmove/, from);
    assert.equal(lines.slice(from).filter((line) => line.startsWith("bestmove")).length, 1);
  }
  const from = lines.length;
  engine.send("go infinite");
  await until(/ score mate 6 .* tbhits /, from);
  engine.send("stop");
  await until(/^bestmove/, from);
  const end = lines.length;
  for (const line of endings) engine.send(line);
  engine.end();
  await engine.ended;
  assert.equal(plain(lines.slice(end).join("\n")), expectedEndings);
  const errors = lines.filter((line) => line.includes(" error "));
  assert.deepEqual(errors, [
    "info string error tables: the tables are damaged",
    "info string error tables: these are no endgame tables",
  ]);
  console.log(`endgame tables, shared memory ${shared}: passed`);
}

// The promise API.
{
  const { engine } = await start();
  const { bestmove, ponder, info } = await engine.search({
    position: { moves: ["d1b3", "h4f2"] },
    limits: { depth: 6 },
  });
  assert.match(`${bestmove} ${ponder}`, /^[a-h]\d[a-h]\d [a-h]\d[a-h]\d$/);
  assert.equal(info.at(-1).depth, 6);
  assert.ok(info.at(-1).pv.startsWith(bestmove));
  const hint = await engine.hint({ limits: { nodes: 2000 } });
  assert.ok(hint.facts.length > 0 && hint.reason.includes(hint.facts[0].text), hint.reason);
  await assert.rejects(engine.hint({ position: "nonsense" }), /the last position was refused/);
  await assert.rejects(engine.search({ position: "nonsense" }), /the last position was refused/);
  await assert.rejects(engine.search({ position: { moves: ["d1d4"] } }), /illegal move d1d4/);
  await assert.rejects(engine.search({ position: { moves: ["d1b3\nquit"] } }), /a line break/);
  // A search that waits keeps its reason.
  const running = engine.search({ limits: { movetime: 300 } });
  const refused = engine.search({ position: { moves: ["d1d4"] }, limits: { depth: 1 } });
  refused.catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 100));
  const last = engine.search({ limits: { depth: 1 } });
  await assert.rejects(refused, /illegal move d1d4/);
  assert.ok((await running).bestmove && (await last).bestmove);
  const both = await Promise.all([1, 2].map((depth) => engine.search({ limits: { depth } })));
  assert.deepEqual(
    both.map(({ info }) => info.at(-1).depth),
    [1, 2],
  );
  await engine.quit();
  assert.throws(() => engine.send("uci"), /has ended/);
  console.log("the promise API: passed");
}

// `stop`, commands during a search, and pondering, with and without shared memory.
for (const shared of [true, false]) {
  const { engine, lines, until, count } = await start(shared);
  const times = [];
  for (let round = 0; round < 20; round++) {
    engine.send(`setoption name UCI_Variant value ${round % 2 ? "loa" : "draughts"}`);
    engine.send("position startpos");
    const from = lines.length;
    engine.send("go infinite");
    await until(/^info depth \d+ .* pv /, from);
    await sleep(20 + round * 5);
    engine.send("isready");
    await until(/^readyok/, from);
    const stopped = performance.now();
    engine.send("stop");
    await until(/^bestmove \w/, from);
    times.push(performance.now() - stopped);
  }
  const from = lines.length;
  engine.send("go ponder movetime 50");
  await sleep(100);
  assert.equal(lines.slice(from).filter((line) => line.startsWith("bestmove")).length, 0);
  engine.send("ponderhit");
  await until(/^bestmove/, from);
  // A proved result: the search ends, but `bestmove` waits for `stop`.
  engine.send("position fen 8/8/8/3L4/3L4/8/l7/L1l5 b");
  engine.send("go infinite");
  engine.send("go infinite");
  await sleep(300);
  assert.equal(count(/^bestmove/), 22, "the second search stops the first");
  engine.send("go depth 3");
  await until(/^bestmove/, lines.findLastIndex((line) => line.startsWith("bestmove")) + 1);
  await sleep(200);
  assert.equal(count(/^bestmove/), 24);
  assert.equal(count(/^info string error/), 0);
  // A stopped search keeps the position and the options.
  engine.send("setoption name UCI_Variant value draughts");
  engine.send("position startpos moves 11-15");
  engine.send("go infinite");
  await sleep(100);
  engine.send("stop");
  engine.send("state");
  assert.match(await until(/^state/), /"variant":"englishdraughts".*"plies":1/);
  // The median, because a busy machine may delay any thread.
  times.sort((a, b) => a - b);
  assert.ok(times[times.length >> 1] <= 50, `stop took ${times} ms`);
  console.log(`stop, shared memory ${shared}: at most ${times.at(-1).toFixed(1)} ms`);
  await engine.quit();
}

// `isready` queued after a search that has not begun, and a client that sends lines from `onLine`.
for (const shared of [true, false]) {
  const { engine, lines, until, count } = await start(shared);
  const { onLine } = engine;
  engine.onLine = (line) => {
    onLine(line);
    if (line.startsWith("bestmove")) for (const next of ["stop", "isready"]) engine.send(next);
  };
  for (const go of ["go infinite", "go depth 2"]) {
    const from = lines.length;
    for (const line of ["setoption name MultiPV value 2", "position startpos", go, "isready"]) {
      engine.send(line);
    }
    await until(/^readyok/, from);
    await until(/ pv /, from);
    engine.send("stop");
    await until(/^bestmove/, from);
    await until(
      /^readyok/,
      lines.findLastIndex((line) => line.startsWith("bestmove")),
    );
  }
  await sleep(200);
  assert.equal(count(/^bestmove/), 2, "one answer each");
  await engine.quit();
}

// Random sessions: every `go` has exactly one `bestmove`.
for (const shared of [true, false]) {
  let seed = 1;
  const random = (n) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % n;
  };
  const pick = (list) => list[random(list.length)];
  const { engine, count, until, lines } = await start(shared);
  let searches = 0;
  for (let session = 0; session < Number(sessions); session++) {
    const sent = [];
    for (let step = random(12); step >= 0; step--) {
      const line = pick([
        "go depth 3",
        "go nodes 500",
        "go movetime 5",
        "go infinite",
        "go",
        "go ponder wtime 50",
        "go depth",
        "go mate 2",
        "go searchmoves d1b3 depth 2",
        "go movetime 3 searchmoves zz",
        "stop",
        "ponderhit",
        "isready",
        "position startpos",
        "position startpos moves d1d4",
        "position fen nonsense",
        "position startpos moves d1b3 h4f2",
        "ucinewgame",
        "moves",
        "d",
        "setoption name UCI_Variant value draughts",
        "setoption name UCI_Variant value loa",
        "setoption name Hash value 1",
        "setoption name MultiPV value 3",
        "nonsense",
        "eval",
        "",
        "setoption name MultiPV value 1",
        "go perft 2",
        "state",
        "setoption name Threads value 2",
      ]);
      sent.push(line);
      if (line.startsWith("go") && !line.includes("perft")) searches++;
      engine.send(line);
      if (random(4) === 0) await sleep(random(8));
    }
    const from = lines.length;
    engine.send("stop");
    engine.send(`stopped ${session}`);
    await until(/unknown command 'stopped'/, from);
    for (let left = 500; count(/^bestmove/) < searches && left > 0; left--) await sleep(10);
    assert.equal(count(/^bestmove/), searches, `session ${session}: ${sent.join("; ")}`);
    lines.length = searches = 0;
  }
  await engine.quit();
  console.log(`${sessions} random sessions, shared memory ${shared}: passed`);
}

// Whole games, without growth of memory.
{
  const engine = await Soucie.create();
  const memory = [];
  let plies = 0;
  for (let game = 0; game < Number(games); game++) {
    engine.send(`setoption name UCI_Variant value ${game % 2 ? "loa" : "draughts"}`);
    engine.send("ucinewgame");
    const moves = [];
    for (;;) {
      const { bestmove } = await engine.search({
        position: { moves },
        limits: { nodes: 300 + game },
      });
      if (bestmove === "(none)") break;
      moves.push(bestmove);
    }
    plies += moves.length;
    memory.push(process.memoryUsage().rss / 2 ** 20);
  }
  await engine.quit();
  const [middle, last] = [memory[Math.floor(memory.length / 2)], memory.at(-1)];
  assert.ok(last < middle + 20, `memory grew from ${middle} to ${last} MiB`);
  console.log(
    `${games} games, ${plies} moves: ${middle.toFixed(0)} MiB, then ${last.toFixed(0)} MiB`,
  );
}
