/**
 * Plays whole games against level easy; the result must be that of the engine. With the argument
 * `all` of `run`, each game is played in every way of input for itself as well.
 */
const assert = require("node:assert/strict");
const { test, DESKTOP, PHONE, IS_ALL } = require("../support/fixture.js");
const { WAYS, resultText } = require("../support/play_page.js");

const GAMES = [
  ["linesofaction", "black", "click, drag, touch and keyboard", PHONE],
  ["englishdraughts", "white", "click, drag, touch and keyboard", PHONE],
];
const GAMES_OF_ALL = [
  ["linesofaction", "black", "click", DESKTOP],
  ["linesofaction", "white", "drag", DESKTOP],
  ["linesofaction", "black", "touch", PHONE],
  ["linesofaction", "white", "keyboard", DESKTOP],
  ["englishdraughts", "white", "click", DESKTOP],
  ["englishdraughts", "black", "drag", DESKTOP],
  ["englishdraughts", "white", "touch", PHONE],
  ["englishdraughts", "black", "keyboard", DESKTOP],
];

for (const [variant, side, names, context] of IS_ALL ? [...GAMES, ...GAMES_OF_ALL] : GAMES) {
  test(`${variant} as ${side} by ${names}`, { context }, async ({ t, open, engine }) => {
    const page = await open(`?variant=${variant}&side=${side}&level=easy`);
    await page.notation("coordinate");
    const ways = names.split(/, | and /).map((name) => WAYS[name]);
    let moves = [];
    let state;
    for (;;) {
      await page.ready();
      moves = await page.coordinates();
      state = await engine.state(variant, moves);
      if (state.result) break;
      assert.equal(state.side, side);
      const best = await engine.best(variant, moves);
      await page.play(
        state.legal.find(({ coordinate }) => coordinate === best),
        ways[Math.floor(moves.length / 2) % ways.length],
      );
      await page.waitForMoves(moves.length + 1);
    }
    const text = resultText(state.result, side);
    assert.equal(await page.result(), text);
    await page.announcer.filter({ hasText: text }).waitFor();
    assert.deepEqual(await page.pieces(), await engine.named(state));
    t.diagnostic(`${moves.length} plies: ${text}`);
  });
}
