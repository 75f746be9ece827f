/** The menus in the header, "Display" and "Save" among them, and the tabs. */
import { line } from "./game.js";
import { byId, onClick, setDisabled, wait } from "./page.js";
import { gameFragment, headers, outcomeOf, recordOf, today } from "./records.js";
import { messageOf, outcomeText, sheetText } from "./text.js";

const CHOICES = ".menu-body :is(button, a):not(.stay)";

/** A menu is open until something in it is chosen. */
export function listenToMenus() {
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

/** @param {EventTarget | null} inside */
function closeMenus(inside) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (inside instanceof Node && menu.contains(inside)) continue;
    if (menu.contains(document.activeElement)) menu.querySelector("summary")?.focus();
    menu.removeAttribute("open");
  }
}

/** Each field has the name of its setting. @param {Play} play */
export function listenToDisplayMenu(play) {
  const { storage } = play;
  /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */
  const fields = byId("display-items").querySelectorAll("[name]");
  for (const field of fields) {
    field.addEventListener("change", () => {
      storage.change({ [field.name]: isSwitch(field) ? field.checked : field.value });
      if (field.name === "turning") play.turnBoard();
      play.changed();
    });
  }
  byId("display-menu").addEventListener("toggle", () => {
    const settings = /** @type {Record<string, any>} */ (storage.settings);
    for (const field of fields) {
      if (isSwitch(field)) field.checked = settings[field.name];
      else field.value = settings[field.name];
    }
    byId("letters-field").hidden = !play.variant.numbered;
    byId("groups-field").hidden = !play.variant.first.groups;
  });
}

/** @param {Element} field @returns {field is HTMLInputElement} */
function isSwitch(field) {
  return field instanceof HTMLInputElement && field.type === "checkbox";
}

const LONGEST_LINK = 30_000;

/** @param {Play} play @param {Notice} notice */
export function listenToSaveMenu(play, notice) {
  const menu = byId("save-menu", HTMLDetailsElement);
  const file = byId("save-record", HTMLAnchorElement);
  let record = "";
  let link = "";

  menu.addEventListener("toggle", async () => {
    if (!menu.open) return;
    const { engine, game } = play;
    byId("setup-text").textContent = game.shown.state?.setup ?? "";
    byId("copy-link").hidden = isLocal();
    byId("no-link").hidden = !isLocal();
    URL.revokeObjectURL(file.href);
    file.removeAttribute("href");
    setDisabled("copy-link", true);
    try {
      const { format, text } = await recordOf(engine, game);
      const at = line(game.end).indexOf(game.shown);
      const fragment = await wait(gameFragment(text, at));
      if (!menu.open || play.game !== game) return;
      record = text;
      link = location.origin + location.pathname + fragment;
      setDisabled("copy-link", false);
      file.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
      file.download = `${fileName(play)}.${format}`;
    } catch (error) {
      notice.show(`The record cannot be saved: ${messageOf(error)}`);
    }
  });
  file.addEventListener("dragstart", ({ dataTransfer }) => {
    dataTransfer?.setData("DownloadURL", `text/plain:${file.download}:${file.href}`);
    dataTransfer?.setData("text/plain", record);
  });

  /** @param {string} text */
  const copy = async (text) => {
    try {
      await wait(navigator.clipboard.writeText(text));
      notice.show("Copied.");
    } catch {
      notice.show(`Copy this: ${text}`);
    }
  };
  onClick("copy-moves", () => {
    const { game } = play;
    const { setup } = game.setting;
    const moves = sheetText(line(game.end).slice(1), play.notation, setup);
    // The engine reads no result after a setup.
    const outcome = setup === null ? outcomeText(outcomeOf(game)) : null;
    copy([moves, outcome].filter(Boolean).join(" "));
  });
  onClick("copy-setup", () => copy(byId("setup-text").textContent ?? ""));
  onClick("copy-link", () => {
    if (link.length <= LONGEST_LINK) copy(link);
    else notice.show("The game is too long for a link. Save its record instead.");
  });
  onClick("print", () => print());
}

/** @param {Play} play */
function fileName({ game, variant }) {
  const { black, white, date = today() } = headers(game);
  const players = black && white ? `${black} ${white}` : variant.name;
  return `${players} ${date}`.replace(/[^\p{L}\d]+/gu, "-");
}

/** Whether the address of the page is useless elsewhere; it then also has a secret. */
function isLocal() {
  return ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
}

/**
 * A row of tabs, each with its panel; see the ARIA pattern "Tabs". Returns a function that chooses one.
 * @param {HTMLElement} list the element with the role `tablist`
 * @param {() => void} onChosen
 */
export function makeTabs(list, onChosen) {
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=tab]")]);
  /** @param {HTMLElement} tab */
  const panelOf = (tab) => byId(tab.getAttribute("aria-controls") ?? "");
  /** @param {HTMLElement} chosen */
  const choose = (chosen) => {
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      panelOf(tab).hidden = !isChosen;
    }
    onChosen();
  };
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener("click", () => {
      choose(tab);
      // On a phone they may be outside the screen.
      for (const part of [panelOf(tab), list]) part.scrollIntoView({ block: "nearest" });
    });
    tab.addEventListener("keydown", (event) => {
      const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: -1 }[event.key];
      const next = to === undefined ? to : tabs.at(to % tabs.length);
      if (!next) return;
      event.preventDefault();
      choose(next);
      next.focus();
    });
  }
  return choose;
}
