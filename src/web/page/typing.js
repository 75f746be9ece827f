/** Typed moves. */
import { byId } from "./page.js";

/**
 * Returns a function that removes the error once another position is on the board, and the text
 * once another game is.
 * @param {Play} play
 */
export function listenToTyping(play) {
  const field = byId("typed", HTMLInputElement);
  const fault = byId("typed-error");
  /** The position in which a move was refused. @type {TreeNode | null} */
  let refused = null;
  let { game } = play;
  byId("typed-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    fault.textContent = "";
    if (!field.value.trim()) return;
    const played = play.game;
    try {
      await play.playTyped(field.value);
      if (played === play.game) field.value = "";
    } catch (error) {
      if (played !== play.game) return;
      fault.textContent = /** @type {Error} */ (error).message;
      refused = play.game.shown;
    }
  });
  return () => {
    if (game !== play.game) {
      game = play.game;
      field.value = "";
    }
    if (refused && refused !== play.game.shown) {
      refused = null;
      fault.textContent = "";
    }
  };
}
