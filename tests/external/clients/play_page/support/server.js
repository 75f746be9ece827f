/** `soucie play` as a process. */
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const { mkdtempSync } = require("node:fs");
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

  async #start(port, choices) {
    this.#process = spawn(ENGINE, ["play", "--no-open", "--port", port, ...choices], {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, HOME: this.#home, XDG_STATE_HOME: this.#home },
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
