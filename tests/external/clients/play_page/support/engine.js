/** The engine on a pipe. The tests compare the page with it, and let it choose moves. */
const { spawn } = require("node:child_process");
const readline = require("node:readline");

const ERROR = "info string error ";

class Engine {
  #process = spawn(process.env.ENGINE, [], { stdio: ["pipe", "pipe", "inherit"] });
  #lines = readline.createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();

  /** Returns the JSON value of the answer to a command. */
  async query(position, command) {
    const [word] = command.split(" ", 1);
    const answer = (await this.#answer([...position, command], word)).at(-1);
    return JSON.parse(answer.slice(word.length + 1));
  }

  variants() {
    return this.query([], "variants");
  }

  /** The board after moves, from a setup or from the start position. */
  state(variant, moves, setup = null) {
    return this.query(positionLines(variant, moves, setup), "state");
  }

  /** The pieces of a state as the page names them: "black stone" by square. */
  async named({ variant, pieces }) {
    const { kinds } = (await this.variants()).find(({ name }) => name === variant);
    const words = Object.fromEntries(kinds.map(({ name, singular }) => [name, singular]));
    return Object.fromEntries(
      pieces.map(({ square, side, kind }) => [square, `${side} ${words[kind]}`]),
    );
  }

  /** Whether a text is a legal move after moves, and why not. */
  check(variant, moves, text, setup = null) {
    return this.query(positionLines(variant, moves, setup), `check ${text}`);
  }

  /** The lines of a search. */
  search(variant, moves, limits, setup = null) {
    return this.#answer([...positionLines(variant, moves, setup), `go ${limits}`], "bestmove");
  }

  /** The best move after a quick search. */
  async best(variant, moves) {
    return (await this.search(variant, moves, "nodes 5000")).at(-1).split(" ")[1];
  }

  quit() {
    this.#process.kill();
  }

  /** Sends lines, and returns the answers up to the first one that begins with a word. */
  async #answer(lines, word) {
    this.#process.stdin.write(`${lines.join("\n")}\n`);
    const answers = [];
    for (;;) {
      const { value: line } = await this.#lines.next();
      if (line === undefined) throw new Error(`the engine ended at ${lines.join("; ")}`);
      if (line.startsWith(ERROR)) throw new Error(`${lines.join("; ")}: ${line}`);
      answers.push(line);
      if (line.split(" ", 1)[0] === word) return answers;
    }
  }
}

function positionLines(variant, moves, setup) {
  const start = setup === null ? "startpos" : `fen ${setup}`;
  const played = moves.length > 0 ? ` moves ${moves.join(" ")}` : "";
  return [`setoption name UCI_Variant value ${variant}`, `position ${start}${played}`];
}

module.exports = { Engine };
