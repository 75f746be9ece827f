// Plays whole games of English draughts against the engine by clicking on Jocly's board in headless
// Chromium, one for each side. Usage: click.js ENGINE SCRATCH; SEED=N clicks other moves.
"use strict";
const fs = require("fs");
const path = require("path");
const { chromium } = require("playwright-core");
const bridge = require("./bridge.js");

const [engine, scratch] = process.argv.slice(2);
// The side that is clicked, and a seed with which it makes a double jump, or moves a king.
const GAMES = [["black", 4], ["white", 9]];
const JOCLY = path.join(scratch, "node_modules/jocly/dist/browser");
const GO = "go nodes 20000"; // with nodes, not time, the same seed gives the same game
const MAX_PLIES = 400; // by the rules, a game ends long before
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), seed | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the screen coordinates of a square. The clicking side is at the bottom of the board. */
function centre(square, side, board) {
  const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
  const [column, row] = side === "white" ? [file, 7 - rank] : [7 - file, rank];
  const cell = board.width / 8;
  return [board.x + (column + 0.5) * cell, board.y + (row + 0.5) * cell];
}

/** Clicks on the squares of a move, each as soon as the board highlights it as a choice. */
async function click(page, move, side) {
  const frame = page.frames()[1];
  const board = await frame.locator("div.jocly-gadget").first().boundingBox();
  for (const square of move.match(/../g)) {
    const [x, y] = centre(square, side, board);
    const framed = ([x, y]) =>
      [...document.querySelectorAll(".xd-choice-view")].some((choice) => {
        const { left, right, top, bottom } = choice.getBoundingClientRect();
        return left < x && x < right && top < y && y < bottom;
      });
    await frame.waitForFunction(framed, [x, y]);
    await page.mouse.click(x, y);
  }
}

/** Returns the state of the game in the page once `ready` holds; throws an error of the page. */
async function gameState(page, ready, argument) {
  await page.waitForFunction(`game.error || game.result || (${ready})(${argument})`);
  const game = await page.evaluate("game");
  if (game.error) throw new Error(game.error);
  return game;
}

/** Plays a game with random clicked moves; returns its final state. */
async function play(context, side, seed) {
  const { address, close } = await bridge(engine, JOCLY);
  const page = await context.newPage();
  const next = random(seed);
  try {
    await page.goto(address);
    await page.evaluate(`void begin("${side}", "${GO}")`);
    for (let turn = 1; ; turn++) {
      const game = await gameState(page, (turn) => game.turn === turn, turn);
      if (game.result) return game;
      if (game.moves.length > MAX_PLIES) throw new Error("the game does not end");
      if (turn === 8) await page.screenshot({ path: path.join(scratch, `${side}.png`) });
      const move = game.legal[Math.floor(next() * game.legal.length)];
      await click(page, move, side);
      const ply = game.moves.length;
      const played = (await gameState(page, (ply) => game.moves.length > ply, ply)).moves[ply];
      if (played !== move) throw new Error(`${move} was clicked, ${played} was played`);
    }
  } catch (error) {
    const moves = await page.evaluate("game.moves.join(' ')").catch(() => "");
    throw new Error(`${error.message}\n${side} clicked: ${moves}`);
  } finally {
    await page.close();
    close();
  }
}

async function main() {
  const profile = path.join(scratch, `profile-${Date.now()}`);
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: "/usr/bin/chromium",
    headless: true,
    viewport: { width: 800, height: 800 },
    args: FLAGS,
  });
  context.setDefaultTimeout(30000);
  try {
    for (const [side, seed] of GAMES) {
      const { moves, result } = await play(context, side, Number(process.env.SEED || seed));
      console.log(`${side} clicked, ${moves.length} plies, ${result}: ${moves.join(" ")}`);
    }
  } finally {
    await context.close();
    fs.rmSync(profile, { recursive: true, force: true });
  }
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
