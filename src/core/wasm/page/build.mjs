/**
 * Makes the page of `soucie play` with the engine inside:
 * node src/core/wasm/page/build.mjs [FOLDER] [PATH_TO_SOUCIE]
 *
 * The folder, by default target/wasm/page, has all files for a static host. The native program, by
 * default one built for this, makes the endgame tables. Needs
 * `rustup target add wasm32-unknown-unknown`.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const folder = resolve(process.argv[2] ?? join(root, "target/wasm/page"));
/** @param {string[]} path */
const from = (...path) => join(root, "src", ...path);
/** @param {string} file */
const read = (file) => readFileSync(file, "utf8");

/**
 * Replaces a part of a text that occurs once.
 * @param {string} text
 * @param {string} part
 * @param {string} replacement
 */
const replace = (text, part, replacement) => {
  const parts = text.split(part);
  if (parts.length !== 2) throw new Error(`'${part}' occurs ${parts.length - 1} times`);
  return parts.join(replacement);
};

/** @param {string | Buffer} data */
const hash = (data) => createHash("sha256").update(data).digest("base64");

const engine = join(root, "target/wasm/soucie");
const native = process.argv.slice(3).map((path) => resolve(path));
try {
  execFileSync("bash", [from("core/wasm/build"), engine, ...native], { stdio: "inherit" });
} catch (error) {
  // The script has printed why it failed.
  const { status, message } = /** @type {{ status?: number | null, message: string }} */ (error);
  if (typeof status !== "number") console.error(`src/core/wasm/page/build.mjs: ${message}`);
  process.exit(status || 1);
}

mkdirSync(folder, { recursive: true });
/** The sources of the files, by name. @type {Map<string, string>} */
const sources = new Map();
const notServed = ["build.mjs", "head.html", "types.d.ts"];
// The transport of the second folder replaces that of the first.
for (const source of [from("program/web/page"), from("core/wasm/page")]) {
  for (const name of readdirSync(source).filter((name) => !notServed.includes(name))) {
    sources.set(name, join(source, name));
  }
}
const scripts = ["soucie.js", "transports.js", "queue.js", "worker.js"];
for (const name of [...scripts, "soucie.wasm", "draughts.tables"]) {
  sources.set(name, join(engine, name));
}
sources.set("shared.css", from("core/analysis/html/shared.css"));
sources.set("LICENSE", join(root, "LICENSE"));
for (const [name, source] of sources) cpSync(source, join(folder, name));

/** The answers to `variants` and, at the start of each, to `state`, as `soucie play` has them in its page. */
function variants() {
  /** @param {string} word @param {string[]} commands @returns {any} */
  const answer = (word, ...commands) => {
    const program = native[0] ?? join(root, "target/release/soucie");
    const lines = execFileSync(program, { input: commands.join("\n"), encoding: "utf8" }).split(
      "\n",
    );
    const found = lines.find((line) => line.startsWith(`${word} `));
    return JSON.parse((found ?? "").slice(word.length));
  };
  /** @param {{ name: string }} variant */
  const first = ({ name }) =>
    answer("state", `setoption name UCI_Variant value ${name}`, "position startpos", "state");
  /** @type {{ name: string }[]} */
  const known = answer("variants", "variants");
  return { variants: known, firsts: known.map(first) };
}

const charset = '<meta charset="utf-8">\n';
let index = read(join(folder, "index.html"));
index = replace(index, charset, charset + read(from("core/wasm/page/head.html")));
index = replace(index, "<!-- definitions -->", read(from("core/analysis/html/definitions.svg")));
const modules = readdirSync(from("program/web/page")).filter((name) => name.endsWith(".js"));
const preloads = modules.map((name) => `<link rel="modulepreload" href="${name}">\n`).join("");
const main = ["client.js", "main.js"].map(
  (name) => `<script type="module" src="${name}"></script>`,
);
index = replace(index, "<!-- scripts -->", preloads + main.join("\n"));
index = replace(index, "<!-- variants -->", JSON.stringify(variants()).replaceAll("<", "\\u003c"));
writeFileSync(join(folder, "index.html"), index);

// The browser compares each file with its hash.
const notKept = ["LICENSE", "service-worker.js"];
const kept = [...sources.keys()].filter((name) => !notKept.includes(name));
const files = kept.map((name) => [name, `sha256-${hash(readFileSync(join(folder, name)))}`]);
const worker = join(folder, "service-worker.js");
let script = replace(read(worker), 'VERSION = ""', `VERSION = "${hash(JSON.stringify(files))}"`);
script = replace(script, "FILES = {}", `FILES = ${JSON.stringify(Object.fromEntries(files))}`);
writeFileSync(worker, script);
