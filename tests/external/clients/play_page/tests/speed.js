/** Measures the speed of the page, and prints the figures. */
const assert = require("node:assert/strict");
const { test } = require("../support/fixture.js");
const { PlayPage, WAYS } = require("../support/play_page.js");
const { recordLines } = require("../support/socket.js");

const REPLIES = 6;
const LOADS = 5;

/** The median of times in milliseconds, and all of them. @param {number[]} times */
function summary(times) {
  const sorted = times.map(Math.round).sort((a, b) => a - b);
  return `median ${sorted[Math.floor(sorted.length / 2)]} ms of ${sorted.join(", ")}`;
}

/** Runs in the page: records the time from a pointer release to the next turn of a human. */
function measureReplies() {
  globalThis.replies = [];
  let observer = null;
  const measure = () => {
    // The release that plays a move is the last one before the reply.
    observer?.disconnect();
    const from = performance.now();
    const moves = document.querySelectorAll("#moves .move").length;
    observer = new MutationObserver(() => {
      const status = document.getElementById("status").textContent;
      const played = document.querySelectorAll("#moves .move").length - moves;
      if (played < 2 || !/^Your turn|^You have|Drawn/.test(status)) return;
      observer.disconnect();
      // Measures up to the frame that shows the reply.
      requestAnimationFrame(() =>
        setTimeout(() => globalThis.replies.push(performance.now() - from)),
      );
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  };
  // In the capture phase, before the page handles the event.
  addEventListener("pointerup", measure, { capture: true });
}

for (const variant of ["linesofaction", "englishdraughts"]) {
  test(`${variant}: from a click to the drawn reply at level easy`, async ({ t, open, engine }) => {
    const page = await open(`?variant=${variant}&side=black&level=easy`);
    await page.page.evaluate(measureReplies);
    await page.notation("coordinate");
    for (let count = 1; count <= REPLIES; count++) {
      const { legal } = await engine.state(variant, await page.coordinates());
      await page.play(legal[0], WAYS.click);
      await page.page.waitForFunction((n) => globalThis.replies.length >= n, count);
    }
    const times = await page.page.evaluate(() => globalThis.replies);
    assert.equal(times.length, REPLIES);
    t.diagnostic(`reply drawn: ${summary(times)}, target 300 ms`);
  });
}

test("the first drawing after loading", async ({ t, context, server }) => {
  await context.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector("#board .men use")) return;
      observer.disconnect();
      requestAnimationFrame(() =>
        setTimeout(() => {
          globalThis.boardDrawn = performance.now();
        }),
      );
    }).observe(document, { subtree: true, childList: true });
    globalThis.shifts = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) globalThis.shifts += value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  const page = new PlayPage(await context.newPage(), server);
  const times = { "first contentful paint": [], loaded: [], "board drawn": [] };
  // The first load fills the cache of the browser.
  for (let load = 0; load <= LOADS; load++) {
    await page.open();
    await page.page.waitForFunction(() => globalThis.boardDrawn);
    const { shifts, ...found } = await page.page.evaluate(() => ({
      "first contentful paint": performance.getEntriesByName("first-contentful-paint")[0].startTime,
      loaded: performance.getEntriesByType("navigation")[0].loadEventEnd,
      "board drawn": globalThis.boardDrawn,
      shifts: globalThis.shifts,
    }));
    for (const [name, time] of Object.entries(found)) {
      if (load === 0) t.diagnostic(`empty cache: ${name} at ${time.toFixed()} ms`);
      else times[name].push(time);
    }
    // Chromium rates a layout shift of up to 0.1 as good.
    assert.ok(shifts < 0.05, `the layout shifts by ${shifts}`);
  }
  for (const [name, all] of Object.entries(times)) t.diagnostic(`cached: ${name} ${summary(all)}`);
});

/** The nodes a second in the last report of a search. */
function nodesASecond(lines) {
  const last = lines.findLast((line) => / nps \d+/.test(line));
  return Number(/ nps (\d+)/.exec(last)[1]);
}

test("nodes a second at full strength, in the page and on a pipe", {
  isLong: true,
}, async (tools) => {
  const { t, context, server, engine } = tools;
  const page = new PlayPage(await context.newPage(), server);
  const { received } = recordLines(page.page);
  await page.open();
  const [{ title, name }] = await engine.variants();
  const level = "Full strength";
  await page.newGame({ title, side: "White", level, time: "Without clocks", seconds: "2" });
  await page.waitForMoves(1);
  const inPage = nodesASecond(received);
  const onPipe = nodesASecond(await engine.search(name, [], "movetime 2000"));
  const part = ((100 * inPage) / onPipe).toFixed();
  t.diagnostic(`${inPage} in the page, ${onPipe} on a pipe: ${part} %`);
  // The target is 95 %, which only an idle machine can reach.
  assert.ok(inPage > onPipe / 10);
});
