/** The first visit: a choice of the game. */
import { button, byId, element } from "./page.js";

/**
 * Offers the games, each with its goal. Without a choice, the game on the board stays.
 * @param {Variant[]} variants
 * @param {(variant: Variant) => Promise<void>} begin
 */
export function welcome(variants, begin) {
  const dialog = byId("welcome-dialog", HTMLDialogElement);
  const choices = variants.map((variant) => {
    const choose = async () => {
      await begin(variant);
      dialog.close();
    };
    const goal = element("span", "", variant.goal);
    return button("", choose, element("b", "", variant.title), goal);
  });
  byId("welcome-games").replaceChildren(...choices);
  dialog.showModal();
}
