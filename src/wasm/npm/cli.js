#!/usr/bin/env node
/** The protocol on standard input and output. */
import { StringDecoder } from "node:string_decoder";
import { Soucie } from "./soucie.js";

/** More of a line is dropped: the engine refuses it anyway. */
const LONGEST_LINE = 1 << 20;

const engine = await Soucie.create();
engine.onLine = (line) => process.stdout.write(`${line}\n`);
process.stdout.on("error", () => process.exit(1));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => engine.quit());

const decoder = new StringDecoder("utf8");
let partial = "";
process.stdin.on("data", (bytes) => {
  const lines = decoder.write(bytes).split("\n");
  lines[0] = partial + lines[0];
  partial = (lines.pop() ?? "").slice(0, LONGEST_LINE + 1);
  for (const line of lines) engine.send(line);
});
process.stdin.on("end", () => {
  if (partial !== "") engine.send(partial);
  engine.end();
});

try {
  await engine.ended;
} catch (error) {
  process.stderr.write(`soucie: ${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
}
process.stdin.destroy();
