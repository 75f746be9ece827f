/** A question in a dialog of the page. */
import { byId } from "./page.js";

/**
 * Resolves with whether the answer is yes; Escape is no.
 * @param {string} question
 * @param {string} yes
 * @param {string} no
 * @returns {Promise<boolean>}
 */
export function ask(question, yes, no) {
  const dialog = byId("ask-dialog", HTMLDialogElement);
  const texts = { "ask-question": question, "ask-yes": yes, "ask-no": no };
  for (const [id, text] of Object.entries(texts)) byId(id).textContent = text;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
