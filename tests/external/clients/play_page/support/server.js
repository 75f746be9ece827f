/** `soucie play` as a process. */
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const { mkdtempSync, readFileSync, writeFileSync } = require("node:fs");
const path = require("node:path");
const readline = require("node:readline");

const { ENGINE, SCRATCH } = process.env;

class Server {
  /** The home directory of the process, so that its token is separate from the user's. */
  #home = mkdtempSync(path.join(SCRATCH, "home-"));
  #process;
  /** The address that the process prints. */
  address = "";

  /** @param {string[]} choices further options of the command line */
  static async start(...choices) {
    const server = new Server();
    await server.#start(0, choices);
    return server;
  }

  /**
   * A server that opens a browser, which only writes down the path of its page: the first value of the
   * pair is the server, the second one a function that returns the path.
   * @param {string[]} choices further options of the command line
   */
  static async withBrowser(...choices) {
    const server = new Server();
    const opened = path.join(server.#home, "opened");
    const script = `#!/bin/sh\nprintf %s "$1" >'${opened}'\n`;
    writeFileSync(path.join(server.#home, "xdg-open"), script, { mode: 0o755 });
    await server.#start(0, choices, false);
    return [server, () => readFileSync(opened, "utf8")];
  }

  get port() {
    return new URL(this.address).port;
  }

  get isAlive() {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Ends the process at once, as a crash does. */
  async kill() {
    if (!this.isAlive) return;
    this.#process.kill("SIGKILL");
    await once(this.#process, "exit");
  }

  /** Starts the process again at the same port. */
  async restart() {
    const { address } = this;
    await this.#start(this.port, []);
    if (new URL(this.address).pathname !== new URL(address).pathname) {
      throw new Error("the token has changed");
    }
  }

  async #start(port, choices, isAlone = true) {
    const options = [...(isAlone ? ["--no-open"] : []), "--port", port, ...choices];
    this.#process = spawn(ENGINE, ["play", ...options], {
      stdio: ["ignore", "pipe", "ignore"],
      env: {
        ...process.env,
        HOME: this.#home,
        XDG_STATE_HOME: this.#home,
        PATH: `${this.#home}:${process.env.PATH}`,
      },
    });
    const [line] = await Promise.race([
      once(readline.createInterface({ input: this.#process.stdout }), "line"),
      once(this.#process, "exit").then(([code]) => {
        throw new Error(`soucie play has ended with ${code}`);
      }),
    ]);
    this.address = line;
  }
}

module.exports = { Server };
