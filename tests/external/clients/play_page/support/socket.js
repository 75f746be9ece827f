/** What a page and its engine write to each other. */

/**
 * Notes the lines of a page, over sockets that it opens from now on.
 * @param {import("playwright-core").Page} page
 * @returns {{ sent: string[], received: string[] }} they grow
 */
function notedLines(page) {
  const [sent, received] = [[], []];
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => sent.push(String(payload)));
    socket.on("framereceived", ({ payload }) => received.push(String(payload)));
  });
  return { sent, received };
}

module.exports = { notedLines };
