/** The menu for saving: the record, the setup, a link. */
import { fragmentOf } from "./address.js";
import { byId, download, onClick } from "./page.js";
import { headers, today } from "./records.js";

/** @import { Notice } from "./notice.js" */

/** @param {Play} play @param {Notice} notice */
export function listenToSaveMenu(play, notice) {
  byId("save-menu").addEventListener("toggle", () => {
    byId("setup-text").textContent = play.game.shown.state?.setup ?? "";
    byId("link-text").textContent = link(play);
  });
  for (const what of ["setup", "link"]) {
    onClick(`copy-${what}`, async () => {
      const { textContent: text } = byId(`${what}-text`);
      try {
        await navigator.clipboard.writeText(text ?? "");
        notice.show("Copied.");
      } catch {
        notice.show(`Copy this: ${text}`);
      }
    });
  }
  onClick("save-record", async () => {
    const { engine, game, variant } = play;
    try {
      // The headers of a record that is saved again.
      const others = { headers: game.setting.heads?.headers ?? [] };
      const command = `export ${JSON.stringify({ ...headers(play), ...others, ...game.lines })}`;
      const answer = await engine.query(game.position(game.end), command);
      const { format, text } = /** @type {{ format: string, text: string }} */ (answer);
      download(`${variant.name}-${today("-")}.${format}`, "text/plain", text);
    } catch (error) {
      notice.show(`The record cannot be saved: ${/** @type {Error} */ (error).message}`);
    }
  });
}

/**
 * The position to share. The address of a page on this computer is useless elsewhere and has a
 * secret: in this case the link is only the fragment of an address.
 * @param {Play} play
 */
function link({ game }) {
  const fragment = fragmentOf(game.position(game.shown));
  const isLocal = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  return isLocal ? fragment : location.origin + location.pathname + fragment;
}
