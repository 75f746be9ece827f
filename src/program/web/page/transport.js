/**
 * The transport to the engine: a WebSocket of the local server, where a message is a line. This is
 * the only part of the page that depends on the place of the engine: `src/core/wasm/page` replaces it.
 */

/** The message while there is no engine. */
export const NO_ENGINE = "No connection to the engine";

/** The close code of a WebSocket if the server has no free engine. */
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
