/** The menu "Display": settings of what is seen and heard, each a named field. */
import { byId } from "./page.js";

/** @import { Storage } from "./storage.js" */

/** @param {Play} play @param {Storage} storage */
export function listenToDisplayMenu(play, storage) {
  /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */
  const fields = byId("display-items").querySelectorAll("[name]");
  for (const field of fields) {
    field.addEventListener("change", () => {
      storage.change({ [field.name]: isSwitch(field) ? field.checked : field.value });
      if (field.name === "turning") play.turn();
      play.onChange();
    });
  }
  byId("display-menu").addEventListener("toggle", () => {
    const settings = /** @type {Record<string, any>} */ (storage.settings);
    for (const field of fields) {
      if (isSwitch(field)) field.checked = settings[field.name];
      else field.value = settings[field.name];
    }
    byId("letters-field").hidden = !play.variant.numbered;
  });
}

/** @param {Element} field @returns {field is HTMLInputElement} */
function isSwitch(field) {
  return field instanceof HTMLInputElement && field.type === "checkbox";
}
