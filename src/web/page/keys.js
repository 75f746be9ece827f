/** Keys outside the board: stepping through the game, and the list of all keys. */
import { byId, onClick } from "./page.js";

/** Where arrow keys have another meaning. */
const OWN_ARROWS =
  "input:not([type=checkbox]), select, textarea, dialog, [role=tablist], [role=grid]";
/** Where a character is text. */
const FIELDS = "input:not([type=checkbox], [type=radio]), select, textarea, dialog";

/** @param {Play} play */
export function listenToKeys(play) {
  const dialog = byId("keys-dialog", HTMLDialogElement);
  const show = () => dialog.showModal();
  onClick("keys", show);
  addEventListener("keydown", ({ target, key, altKey, ctrlKey, metaKey }) => {
    if (altKey || ctrlKey || metaKey) return;
    /** @param {string} places */
    const isIn = (places) => target instanceof Element && target.closest(places) !== null;
    if (key === "?" && !isIn(FIELDS)) show();
    if (key === "ArrowLeft" && !isIn(OWN_ARROWS)) play.step(-1);
    if (key === "ArrowRight" && !isIn(OWN_ARROWS)) play.step(1);
  });
}
