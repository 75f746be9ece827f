/** The menus: one is open at a time, until something in it is chosen. */

/** What closes a menu. */
const CHOICES = ".menu-body :is(button, a):not(.stay)";

export function listenToMenus() {
  for (const menu of document.querySelectorAll("details.menu")) {
    menu.addEventListener("toggle", () => {
      if (menu.hasAttribute("open")) closeMenus(menu);
    });
  }
  addEventListener("pointerdown", ({ target }) => closeMenus(target));
  // In advance, so that a dialog which the item opens returns the focus to the menu.
  const chosen = (/** @type {Event} */ { target }) => {
    if (target instanceof Element && target.closest(CHOICES)) closeMenus(null);
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
