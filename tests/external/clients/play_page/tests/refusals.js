/** Tests that pages of other origins are refused. tests/program tests this with raw requests. */
const assert = require("node:assert/strict");
const http = require("node:http");
const { test } = require("../support/fixture.js");

/** Runs in a page: returns the results of attempts to reach the server at an address. */
async function attempts(address) {
  const socket = new WebSocket(new URL("ws", address.replace(/^http/, "ws")));
  const opened = new Promise((resolve) => {
    socket.onopen = () => resolve("opened");
    socket.onclose = () => resolve("refused");
  });
  const read = fetch(address).then(
    (answer) => answer.text(),
    () => "refused",
  );
  const module = import(`${address}text.js`).then(
    () => "loaded",
    () => "refused",
  );
  return { socket: await opened, fetch: await read, module: await module };
}
const ALL_REFUSED = { socket: "refused", fetch: "refused", module: "refused" };

/** Serves a page of another origin on this computer, at a port of its own. */
async function withForeignPage(html, body) {
  const other = http.createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(html);
  });
  await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
  try {
    await body(`http://127.0.0.1:${other.address().port}/`);
  } finally {
    other.closeAllConnections();
    other.close();
  }
}

test("another host name of this computer", { expected: /403|Opener-Policy/ }, async ({
  context,
  server,
}) => {
  const page = await context.newPage();
  const answer = await page.goto(server.address.replace("127.0.0.1", "rebound.test"));
  assert.equal(answer.status(), 403);
});

test("a page of another origin that knows the token", { expected: /./ }, async ({
  context,
  server,
}) => {
  await withForeignPage("<!DOCTYPE html>", async (url) => {
    const page = await context.newPage();
    await page.goto(url);
    assert.deepEqual(await page.evaluate(attempts, server.address), ALL_REFUSED);
  });
});

test("a page without an origin that knows the token", { expected: /./ }, async ({
  context,
  server,
}) => {
  const page = await context.newPage();
  await page.goto("data:text/html,<!DOCTYPE html>");
  assert.deepEqual(await page.evaluate(attempts, server.address), ALL_REFUSED);
});

test("a frame in another page", { expected: /./ }, async ({ context, server }) => {
  await withForeignPage(`<!DOCTYPE html><iframe src="${server.address}"></iframe>`, async (url) => {
    const page = await context.newPage();
    await page.goto(url);
    const [, frame] = page.frames();
    assert.equal(await frame.getByRole("grid").count(), 0);
    assert.match(frame.url(), /^chrome-error:/);
  });
});

test("what the page's own policy refuses", { expected: /./ }, async ({ open }) => {
  const page = await open();
  const refused = await page.page.evaluate(async () => {
    const found = [];
    document.addEventListener("securitypolicyviolation", (event) =>
      found.push(event.effectiveDirective),
    );
    const script = document.createElement("script");
    script.textContent = "globalThis.hasRun = true";
    document.body.append(script);
    const image = document.createElement("img");
    image.src = "http://198.51.100.1/image.png";
    document.body.append(image);
    await fetch("http://198.51.100.1/").catch(() => {});
    document.body.setAttribute("onclick", "globalThis.hasRun = true");
    document.body.click();
    await new Promise((resolve) => setTimeout(resolve));
    return { hasRun: globalThis.hasRun ?? false, found: found.sort() };
  });
  assert.deepEqual(refused, {
    hasRun: false,
    found: ["connect-src", "img-src", "script-src-attr", "script-src-elem"],
  });
});
