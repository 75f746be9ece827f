/** The menu for saving: the record as a file, the moves, the position and a link as text. */
import { gameFragment } from "./address.js";
import { line } from "./game.js";
import { byId, onClick } from "./page.js";
import { recordOf, today } from "./records.js";
import { sheetText } from "./text.js";

/** @import { Notice } from "./messages.js" */
/** @import { Storage } from "./storage.js" */

/** The maximum length of a link. */
const LONGEST_LINK = 30_000;

/** @param {Play} play @param {Storage} storage @param {Notice} notice */
export function listenToSaveMenu(play, storage, notice) {
  const menu = byId("save-menu", HTMLDetailsElement);
  const file = byId("save-record", HTMLAnchorElement);
  let record = "";
  let link = "";

  menu.addEventListener("toggle", async () => {
    if (!menu.open) return;
    const { engine, game, variant } = play;
    byId("setup-text").textContent = game.shown.state?.setup ?? "";
    byId("copy-link").hidden = isLocal();
    byId("no-link").hidden = !isLocal();
    URL.revokeObjectURL(file.href);
    file.removeAttribute("href");
    try {
      const { format, text } = await recordOf(engine, game, variant);
      record = text;
      const at = line(game.end).indexOf(game.shown);
      link = location.origin + location.pathname + (await gameFragment(text, at));
      file.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
      file.download = `${variant.name}-${today("-")}.${format}`;
    } catch (error) {
      notice.show(`The record cannot be saved: ${/** @type {Error} */ (error).message}`);
    }
  });
  file.addEventListener("dragstart", ({ dataTransfer }) => {
    dataTransfer?.setData("DownloadURL", `text/plain:${file.download}:${file.href}`);
    dataTransfer?.setData("text/plain", record);
  });

  /** @param {string} text */
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      notice.show("Copied.");
    } catch {
      notice.show(`Copy this: ${text}`);
    }
  };
  onClick("copy-moves", () => {
    const { game } = play;
    copy(sheetText(line(game.end).slice(1), storage.settings.notation, game.setting.setup));
  });
  onClick("copy-setup", () => copy(byId("setup-text").textContent ?? ""));
  onClick("copy-link", () => {
    if (link.length <= LONGEST_LINK) copy(link);
    else notice.show("The game is too long for a link. Save its record instead.");
  });
  onClick("print", () => print());
}

/** Whether the address of the page is useless elsewhere; it then also has a secret. */
function isLocal() {
  return ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
}
