/** Puzzles of both games: some with a dual, and of more than one grade. */

/** @type {Record<string, object[]>} */
const PUZZLES = {
  englishdraughts: [
    {
      id: "d1",
      setup: "W:W6,16,20,24:B2",
      terms: "win in 3",
      grade: 1,
      themes: ["crowning", "shot"],
      solution: ["6-1", "2-7", "16-11", "7x16", "20x11"],
      duals: [{ ply: 2, move: "1-6" }],
    },
    {
      id: "d2",
      setup: "W:W11,17,24,25:B9,12",
      terms: "win",
      grade: 1,
      themes: [],
      solution: ["24-19", "9-13", "25-22", "12-16", "19x12"],
      duals: [],
    },
    {
      id: "d3",
      setup: "W:W6,16,20,24:B2",
      terms: "win",
      grade: 3,
      themes: ["sacrifice"],
      solution: ["6-1"],
      duals: [],
    },
  ],
  linesofaction: [
    {
      id: "l1",
      setup: "8/5l2/2l1l3/4LL2/3L4/4Lll1/1L6/8 b - - 0 1",
      terms: "win in 2",
      grade: 1,
      themes: ["quiet move"],
      solution: ["c6-e4", "b2-c2", "f7-d5"],
      duals: [{ ply: 2, move: "g3xe5" }],
    },
    {
      id: "l2",
      setup: "8/1l6/2l5/6l1/1lLl4/1L4L1/2L2L2/8 b - - 0 1",
      terms: "win in 2",
      grade: 1,
      themes: ["double threat"],
      solution: ["b4-c5", "c2-e2", "g5-e5"],
      duals: [],
    },
    {
      id: "l3",
      setup: "8/1l1l4/1L1l4/1L1L4/2l1L3/1Lll4/8/8 b - - 0 1",
      terms: "win in 3",
      grade: 3,
      themes: [],
      solution: ["c3-b4"],
      duals: [],
    },
  ],
};

/**
 * Makes the pages of a browser context receive these puzzles in place of those of the engine. This
 * has no effect on an engine inside the page.
 * @param {import("playwright-core").BrowserContext} context
 * @param {Record<string, object[]>} [puzzles]
 */
function usePuzzles(context, puzzles = PUZZLES) {
  return context.addInitScript((problems) => {
    const { send } = WebSocket.prototype;
    let variant = "linesofaction";
    WebSocket.prototype.send = function (line) {
      variant = /^setoption name UCI_Variant value (.*)/.exec(line)?.[1] ?? variant;
      if (line !== "problems") return send.call(this, line);
      const data = `problems ${JSON.stringify(problems[variant] ?? [])}`;
      queueMicrotask(() => this.dispatchEvent(new MessageEvent("message", { data })));
    };
  }, puzzles);
}

/** The problems that the engine has. */
function puzzlesOf(engine, variant) {
  return engine.query([`setoption name UCI_Variant value ${variant}`], "problems");
}

module.exports = { PUZZLES, puzzlesOf, usePuzzles };
