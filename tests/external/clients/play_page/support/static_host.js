/** The page with the engine inside, in a folder of a plain static host. */
const { cpSync, mkdtempSync, readFileSync, writeFileSync } = require("node:fs");
const http = require("node:http");
const path = require("node:path");

const { SCRATCH, SITE } = process.env;
const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".tables": "application/octet-stream",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

class StaticHost {
  isAlive = true;
  /** Whether requests fail, as without a network. */
  isDown = false;
  /** The name of a file that is answered with status 404. @type {string | null} */
  missing = null;
  /** The paths of all requests. @type {string[]} */
  requests = [];
  #folder;
  #server;

  /** Serves a copy of the folder at /games/soucie/. */
  static async start() {
    const host = new StaticHost();
    host.#folder = mkdtempSync(path.join(SCRATCH, "site-"));
    cpSync(SITE, host.#folder, { recursive: true });
    host.#server = http.createServer((request, response) => host.#answer(request, response));
    await new Promise((resolve) => host.#server.listen(0, "127.0.0.1", resolve));
    return host;
  }

  get address() {
    return `http://127.0.0.1:${this.#server.address().port}/games/soucie/`;
  }

  async kill() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Changes the text of a file. @param {string} name @param {(text: string) => string} change */
  edit(name, change) {
    const file = path.join(this.#folder, name);
    writeFileSync(file, change(readFileSync(file, "utf8")));
  }

  #answer({ url, socket }, response) {
    this.requests.push(url);
    if (this.isDown) {
      socket.destroy();
      return;
    }
    const name = /^\/games\/soucie\/([\w.-]*)(\?.*)?$/.exec(url)?.[1];
    try {
      if (name === this.missing) throw new Error("no such file");
      const file = path.join(this.#folder, name || "index.html");
      const body = readFileSync(file);
      response.writeHead(200, { "Content-Type": TYPES[path.extname(file)] }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  }
}

module.exports = { StaticHost };
