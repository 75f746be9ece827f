/**
 * The way to the engine: a WebSocket of the local server, where a message is a line. This is the
 * only part of the page that knows where the engine is: `src/wasm/page` has another one in its place.
 */

/** What the page shows while there is no engine. */
export const NO_ENGINE = "No connection to the engine";

/** The code of a WebSocket that the server closes because it has no engine to spare. */
const TRY_AGAIN_LATER = 1013;

/** @type {Connect} */
export function connect({ onOpen, onLine, onClose }) {
  const url = new URL("ws", location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(url);
  socket.addEventListener("open", onOpen);
  socket.addEventListener("message", ({ data }) => onLine(String(data).trimEnd()));
  socket.addEventListener("close", ({ code, reason }) => onClose(reason, code === TRY_AGAIN_LATER));
  return { send: (line) => socket.send(line) };
}
