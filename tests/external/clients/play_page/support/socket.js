/** What a page and its engine write to each other. */

/**
 * Notes the lines that a page sends from now on, over sockets that it opens from now on.
 * @param {import("playwright-core").Page} page
 * @returns {string[]} it grows
 */
function sentLines(page) {
  const lines = [];
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => lines.push(String(payload)));
  });
  return lines;
}

module.exports = { sentLines };
