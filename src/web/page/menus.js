/** The menus, and the stored games in one of them. */
import { button, byId, element } from "./page.js";
import { movesText } from "./text.js";

/** @import { Storage } from "./storage.js" */

/** @param {Play} play @param {Storage} storage */
export function listenToMenus(play, storage) {
  for (const menu of document.querySelectorAll("details.menu")) {
    menu.addEventListener("toggle", () => {
      if (menu.hasAttribute("open")) closeMenus(menu);
    });
  }
  byId("open-menu").addEventListener("toggle", () => {
    const others = storage.games().filter(({ id, isEmpty }) => !isEmpty && id !== play.game.id);
    byId("no-games").hidden = others.length > 0;
    const entries = others.map(({ id, title, plies, saved, result }) => {
      const when = new Date(saved).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
      const note = element("span", "soft", result ? `${when} · ${result}` : when);
      const open = async () => {
        const game = await storage.open(id);
        if (game) await play.open(game);
      };
      const name = `${title}, ${movesText(plies)}`;
      return element("li", "", button("", open, name, note));
    });
    byId("earlier-games").replaceChildren(...entries);
  });
  addEventListener("pointerdown", ({ target }) => closeMenus(target));
  // In advance, so that a dialog which the item opens returns the focus to the menu.
  const chosen = (/** @type {Event} */ { target }) => {
    if (target instanceof Element && target.closest(".menu-body button")) closeMenus(null);
  };
  addEventListener("click", chosen, { capture: true });
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") closeMenus(null);
  });
}

/** Closes the menus, except the one that contains an element. @param {EventTarget | null} inside */
function closeMenus(inside) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (inside instanceof Node && menu.contains(inside)) continue;
    if (menu.contains(document.activeElement)) menu.querySelector("summary")?.focus();
    menu.removeAttribute("open");
  }
}
