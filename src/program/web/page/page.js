/** The elements of the page, and whether it is idle. */

let pending = 0;

/**
 * Waits for a result. When it waits for none, the root of the page has the attribute `data-idle`.
 * @template T
 * @param {Promise<T>} result
 */
export function wait(result) {
  const { dataset } = document.documentElement;
  pending += 1;
  delete dataset.idle;
  return result.finally(() => {
    // What follows may wait again.
    setTimeout(() => {
      pending -= 1;
      if (!pending) dataset.idle = "";
    });
  });
}

/** @param {number} time in milliseconds */
export function pause(time) {
  return wait(new Promise((done) => setTimeout(done, time)));
}

// The scripts start before this event.
wait(new Promise((done) => addEventListener("DOMContentLoaded", done)));

/**
 * The element with an id. Throws if the page has none of this kind.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [kind]
 * @returns {T}
 */
export function byId(id, kind) {
  const element = document.getElementById(id);
  if (!element || (kind && !(element instanceof kind))) throw new Error(`no element '${id}'`);
  return /** @type {T} */ (element);
}

/** @param {string} id @param {() => void} act */
export function onClick(id, act) {
  byId(id).addEventListener("click", act);
}

/** @param {string} id of a button @param {boolean} isDisabled */
export function setDisabled(id, isDisabled) {
  const button = byId(id, HTMLButtonElement);
  // A button that had the focus would lose it, and the keyboard its place.
  button.setAttribute("aria-disabled", String(isDisabled));
  button.disabled = isDisabled && document.activeElement !== button;
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {string} className
 * @param {(Node | string)[]} content
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(name, className, ...content) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

const MOVE = /\b([a-h]?\d+(?:[-x][a-h]?\d+)+)/;

/** Shows a text, in which no move is broken at its hyphen. @param {Element} place @param {string} text */
export function showText(place, text) {
  const parts = text.split(MOVE);
  place.replaceChildren(
    ...parts.map((part, index) => (index % 2 ? element("span", "whole", part) : part)),
  );
}

/** @param {string} className @param {() => void} act @param {(Node | string)[]} content */
export function button(className, act, ...content) {
  const made = element("button", className, ...content);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string | number>} [attributes]
 * @param {(Node | string)[]} content
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(name, attributes = {}, ...content) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...content);
  return made;
}

/** @param {SVGUseElement} use */
export function disc(use) {
  return svg("svg", { class: "disc", viewBox: "0 0 1 1", "aria-hidden": "true" }, use);
}

/** @param {string} name @param {string} type @param {string} text */
export function download(name, type, text) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
