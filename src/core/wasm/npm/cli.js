#!/usr/bin/env node
/** The protocol on standard input and output. */
import { StringDecoder } from "node:string_decoder";
import { Soucie } from "./soucie.js";

/** The rest of a longer line is dropped: the engine refuses the line in any case. */
const LONGEST_LINE = 1 << 20;

const engine = await Soucie.create();
engine.onLine = (line) => process.stdout.write(`${line}\n`);
process.stdout.on("error", () => process.exit(1));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => engine.quit());

/**
 * Loads the endgame tables before the first line that may choose their game. Games without tables
 * start sooner.
 * @type {Promise<void> | undefined}
 */
let tables;
const CHOOSES_VARIANT = /^\s*setoption\s+name\s+uci_variant\s+value\s+(.*)/i;
/** The beginnings of the names of English draughts, without the signs that names may contain. */
const DRAUGHTS = /^(draughts|checkers|english)/i;
/** @param {string} line */
const pass = async (line) => {
  const [, variant = ""] = CHOOSES_VARIANT.exec(line) ?? [];
  if (DRAUGHTS.test(variant.replace(/[-_\s]/g, ""))) {
    tables ??= engine
      .loadTables()
      .catch((error) => void process.stderr.write(`soucie: ${error.message}\n`));
    await tables;
  }
  engine.send(line);
};

/** The input is processed in order. Lines after the end of the engine are dropped. */
let passed = Promise.resolve();
/** @param {() => unknown} action */
const next = (action) => {
  passed = passed.then(action).then(
    () => {},
    () => {},
  );
};

const decoder = new StringDecoder("utf8");
let partial = "";
process.stdin.on("data", (bytes) => {
  const lines = decoder.write(bytes).split("\n");
  lines[0] = partial + lines[0];
  partial = (lines.pop() ?? "").slice(0, LONGEST_LINE + 1);
  for (const line of lines) next(() => pass(line));
});
process.stdin.on("end", () => {
  if (partial !== "") next(() => pass(partial));
  next(() => engine.end());
});

try {
  await engine.ended;
} catch (error) {
  process.stderr.write(`soucie: ${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
}
process.stdin.destroy();
