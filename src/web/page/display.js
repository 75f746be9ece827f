/** The menu "Display": settings of what is seen and heard, each a named field. */
import { byId } from "./page.js";

/** @import { Storage } from "./storage.js" */

/** @param {Play} play @param {Storage} storage */
export function listenToDisplayMenu(play, storage) {
  const menu = byId("display-items");
  const settings = /** @type {Record<string, any>} */ (storage.settings);
  /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */
  const fields = menu.querySelectorAll("[name]");
  for (const field of fields) {
    if (isSwitch(field)) field.checked = settings[field.name];
    else field.value = settings[field.name];
    field.addEventListener("change", () => {
      storage.change({ [field.name]: isSwitch(field) ? field.checked : field.value });
      play.onChange();
    });
  }
  byId("display-menu").addEventListener("toggle", () => {
    byId("letters-field").hidden = !play.variant.numbered;
  });
}

/** @param {Element} field @returns {field is HTMLInputElement} */
function isSwitch(field) {
  return field instanceof HTMLInputElement && field.type === "checkbox";
}
