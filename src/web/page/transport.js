/** The ways to reach an engine. Lines go both ways; the engine behind a transport is its own. */

/** The code of a WebSocket that the server closes because it has no engine to spare. */
const TRY_AGAIN_LATER = 1013;

/**
 * Connects to an engine behind a WebSocket, where a message is a line.
 * @param {string} url
 * @returns {Connect}
 */
export function webSocket(url) {
  return ({ onOpen, onLine, onClose }) => {
    const socket = new WebSocket(url);
    socket.addEventListener("open", onOpen);
    socket.addEventListener("message", ({ data }) => onLine(String(data).trimEnd()));
    socket.addEventListener("close", ({ code, reason }) =>
      onClose(reason, code === TRY_AGAIN_LATER),
    );
    return { send: (line) => socket.send(line), close: () => socket.close() };
  };
}
