/** The menus: stored games to open, a position to copy. */
import { addressOf } from "./address.js";
import { byId } from "./page.js";

/** @import { Notice } from "./notice.js" */
/** @import { Storage } from "./storage.js" */

/** @param {Play} play @param {Storage} storage @param {Notice} notice */
export function listenToMenus(play, storage, notice) {
  /** @param {string} id @param {() => string | undefined} text */
  const copies = (id, text) => {
    byId(id).addEventListener("click", async () => {
      closeMenus(null);
      try {
        await navigator.clipboard.writeText(text() ?? "");
        notice.show("Copied.");
      } catch {
        notice.show(`Copy this: ${text()}`);
      }
    });
  };
  copies("copy-link", () => addressOf(play.game.position(play.game.shown)));
  copies("copy-setup", () => play.game.shown.state?.setup);

  byId("open-menu").addEventListener("toggle", () => {
    const others = storage.games().filter(({ id, plies }) => plies > 0 && id !== play.game.id);
    byId("no-games").hidden = others.length > 0;
    const entries = others.map((stored) => {
      const entry = document.createElement("li");
      entry.append(
        gameButton(stored, async () => {
          closeMenus(null);
          const game = await storage.open(stored.id);
          if (game) await play.open(game);
        }),
      );
      return entry;
    });
    byId("earlier-games").replaceChildren(...entries);
  });
  addEventListener("pointerdown", ({ target }) => closeMenus(target));
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") closeMenus(null);
  });
}

/** @param {StoredGame} game @param {() => void} onOpen */
function gameButton({ title, plies, saved, result }, onOpen) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = `${title}, ${plies} ${plies === 1 ? "move" : "moves"}`;
  const note = button.appendChild(document.createElement("span"));
  note.className = "soft";
  const when = new Date(saved).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  note.textContent = result ? `${when} · ${result}` : when;
  button.addEventListener("click", onOpen);
  return button;
}

/** Closes the menus, except the one that contains an element. @param {EventTarget | null} inside */
export function closeMenus(inside) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!(inside instanceof Node && menu.contains(inside))) menu.removeAttribute("open");
  }
}
