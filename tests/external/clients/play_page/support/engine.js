/** The engine on a pipe: it confirms what the page shows, and picks moves. */
const { spawn } = require("node:child_process");
const readline = require("node:readline");

const ERROR = "info string error ";

class Engine {
  #process = spawn(process.env.ENGINE, [], { stdio: ["pipe", "pipe", "inherit"] });
  #lines = readline.createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();

  /** The JSON of an answer. */
  async ask(position, command) {
    const [word] = command.split(" ", 1);
    return JSON.parse((await this.#line([...position, command], word)).slice(word.length + 1));
  }

  variants() {
    return this.ask([], "variants");
  }

  /** The board after moves, from a setup or from the start position. */
  state(variant, moves, setup = null) {
    return this.ask(positionLines(variant, moves, setup), "state");
  }

  /** The best move after a quick search. */
  async best(variant, moves, setup = null) {
    const lines = [...positionLines(variant, moves, setup), "go nodes 5000"];
    return (await this.#line(lines, "bestmove")).split(" ")[1];
  }

  quit() {
    this.#process.kill();
  }

  /** Sends lines, and returns the first answer that begins with a word. */
  async #line(lines, word) {
    this.#process.stdin.write(`${lines.join("\n")}\n`);
    for (;;) {
      const { value: line } = await this.#lines.next();
      if (line === undefined) throw new Error(`the engine ended at ${lines.join("; ")}`);
      if (line.startsWith(ERROR)) throw new Error(`${lines.join("; ")}: ${line}`);
      if (line.split(" ", 1)[0] === word) return line;
    }
  }
}

function positionLines(variant, moves, setup) {
  const start = setup === null ? "startpos" : `fen ${setup}`;
  const played = moves.length > 0 ? ` moves ${moves.join(" ")}` : "";
  return [`setoption name UCI_Variant value ${variant}`, `position ${start}${played}`];
}

module.exports = { Engine };
