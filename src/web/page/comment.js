/** The field for the comment at a move, or at the start of the game. */
import { byId } from "./page.js";
import { placeText } from "./text.js";

/** Returns a function that shows the comment on the position on the board. @param {Play} play */
export function listenToComment(play) {
  const field = byId("comment", HTMLTextAreaElement);
  field.addEventListener("input", () => {
    const { game } = play;
    game.shown.comment = field.value;
    game.revision += 1;
    play.onStore();
    play.onChange();
  });
  return () => {
    const { comment, ply, mover } = play.game.shown;
    byId("comment-label").textContent = mover
      ? `Comment on ${placeText({ ply, mover })}`
      : "Comment at the start";
    if (field.value !== comment) field.value = comment;
  };
}
