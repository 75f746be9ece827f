// Serves Jocly and the page with the game, on loopback only, and passes commands to the engine.
"use strict";
const { spawn } = require("child_process");
const fs = require("fs");
const http = require("http");
const path = require("path");
const readline = require("readline");

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** Starts `engine` and the server; resolves to the page's address and a function that ends both. */
module.exports = function bridge(engine, jocly) {
  const child = spawn(engine, { stdio: ["pipe", "pipe", "inherit"] });
  child.on("error", (error) => console.error(`engine: ${error.message}`));
  child.stdin.on("error", () => {}); // the end of its output, below, shows that it has ended
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  /** Sends the commands; resolves to the output up to the line that begins with `last`. */
  async function send(commands, last) {
    child.stdin.write(commands + "\n");
    for (let output = []; ; ) {
      const { value, done } = await lines.next();
      if (done) throw new Error("the engine has ended");
      output.push(value);
      if (value.startsWith(last)) return output.join("\n");
    }
  }

  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url, "http://localhost");
    const folder = url.pathname.startsWith("/page.") ? __dirname : jocly;
    try {
      if (request.method === "POST") {
        const commands = (await request.toArray()).join("");
        return response.end(await send(commands, url.searchParams.get("until")));
      }
      const type = TYPES[path.extname(url.pathname)] || "application/octet-stream";
      const body = await fs.promises.readFile(path.join(folder, url.pathname));
      response.writeHead(200, { "content-type": type }).end(body);
    } catch (error) {
      response.writeHead(error.code === "ENOENT" ? 404 : 500).end(error.message);
    }
  });
  const close = () => (server.close(), child.stdin.end("quit\n"));
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () =>
      resolve({ address: `http://127.0.0.1:${server.address().port}/page.html`, close }),
    ),
  );
};
