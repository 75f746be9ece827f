/** Tests the files of the page: all are loaded unchanged. */
const assert = require("node:assert/strict");
const { readdirSync, readFileSync } = require("node:fs");
const path = require("node:path");
const { gzipSync } = require("node:zlib");
const { test } = require("../support/fixture.js");

const FOLDER = path.join(__dirname, "../../../../../src/program/web/page");
/** The most bytes of the page, all its code compressed together. */
const MOST_BYTES = 94_000;

const files = readdirSync(FOLDER).map((name) => ({
  name,
  text: readFileSync(path.join(FOLDER, name), "utf8"),
}));

/** The server sends all scripts as one. */
const ALL = "all.js";

/** What a module has behind its imports. */
function declarations(text) {
  const [rest] = text.split(/^import \{[^}]*\} from .*;\n/m).slice(-1);
  return rest.replace(/^export /gm, "");
}

test("all code of the page is loaded, unchanged", async ({ t, open, context }) => {
  const sent = [];
  context.on("response", async (response) => {
    const name = path.basename(new URL(response.url()).pathname);
    if (files.some((file) => file.name === name) || name === ALL)
      sent.push({ name, body: await response.body() });
  });
  await open();
  // Browsers do not load the types, and the icon is a picture.
  const code = files.filter(({ name }) => !/\.d\.ts$|\.svg$/.test(name));
  const all = sent.find(({ name }) => name === ALL)?.body.toString();
  for (const { name, text } of code) {
    const body = sent.find((file) => file.name === name)?.body.toString();
    if (name === "index.html") continue;
    if (all && name.endsWith(".js")) assert.ok(all.includes(declarations(text)), name);
    else assert.equal(body, text, `${name} is sent as it is`);
  }
  const bytes = code.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const packed = gzipSync(code.map(({ text }) => text).join("")).length;
  t.diagnostic(`${code.length} files, ${bytes} bytes, ${packed} gzipped`);
  assert.ok(packed <= MOST_BYTES, `${packed} bytes, of at most ${MOST_BYTES}`);
});

test("a second visit transfers nearly nothing", { needsServer: true }, async ({
  open,
  context,
}) => {
  const bytes = (page) =>
    page.page.evaluate(() =>
      performance
        .getEntries()
        .filter(({ entryType }) => ["navigation", "resource"].includes(entryType))
        .reduce((sum, { transferSize }) => sum + transferSize, 0),
    );
  const first = await bytes(await open());
  assert.equal(context.pages().length, 1);
  const second = await bytes(await open());
  assert.ok(first > 150_000, `first ${first}`);
  // Only the head of the answer for the page itself.
  assert.ok(second < 1000, `${second} of ${first} bytes`);
});
