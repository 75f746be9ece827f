/** Records the lines between a page and its engine. */

/**
 * Records the lines of a page on sockets that it opens after this call.
 * @param {import("playwright-core").Page} page
 * @returns {{ sent: string[], received: string[] }} to which new lines are appended
 */
function recordLines(page) {
  const [sent, received] = [[], []];
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => sent.push(String(payload)));
    socket.on("framereceived", ({ payload }) => received.push(String(payload)));
  });
  return { sent, received };
}

module.exports = { recordLines };
