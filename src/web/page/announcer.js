/** What screen readers announce. */
import { byId, element } from "./page.js";

/** Texts within this time, in milliseconds, are one announcement: a later one would replace them. */
const GATHER_TIME = 60;

/** @type {string[]} */
let texts = [];

/** Announces a text, also if it is the same as the last one. @param {string} text */
export function announce(text) {
  if (texts.push(text) > 1) return;
  setTimeout(() => {
    byId("announcer").replaceChildren(element("span", "", texts.join(" ")));
    texts = [];
  }, GATHER_TIME);
}
