/** Keyboard input outside the board: typed moves, and stepping through the game. */
import { byId } from "./page.js";

/** Where arrow keys have another meaning. */
const OWN_ARROWS =
  "input:not([type=checkbox]), select, textarea, dialog, [role=tablist], [role=grid]";

/**
 * Returns a function that removes the error once another position is on the board.
 * @param {Play} play
 */
export function listenToTyping(play) {
  const field = byId("typed", HTMLInputElement);
  const fault = byId("typed-error");
  /** The position in which a move was refused. @type {TreeNode | null} */
  let refused = null;
  byId("typed-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    fault.textContent = "";
    if (!field.value.trim()) return;
    try {
      await play.playTyped(field.value);
      field.value = "";
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      // Removes the position from the message, because the board shows it.
      const { setup = "" } = play.game.shown.state ?? {};
      fault.textContent = message.replace(` in ${setup}`, "");
      refused = play.game.shown;
    }
  });
  addEventListener("keydown", (event) => {
    const { target, key, altKey, ctrlKey, metaKey } = event;
    const isElsewhere = target instanceof Element && target.closest(OWN_ARROWS);
    if (isElsewhere || altKey || ctrlKey || metaKey) return;
    if (key === "ArrowLeft") play.step(-1);
    if (key === "ArrowRight") play.step(1);
  });
  return () => {
    if (refused && refused !== play.game.shown) {
      refused = null;
      fault.textContent = "";
    }
  };
}
