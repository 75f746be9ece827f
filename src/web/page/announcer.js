/** What screen readers announce. */
import { byId, element } from "./page.js";

/** Texts within this time, in milliseconds, are one announcement: a later one would replace them. */
const GATHER_TIME = 60;

/** @type {string[]} */
let texts = [];
let timer = 0;

/** Announces a text, also if it is the same as the last one. @param {string} text */
export function announce(text) {
  texts.push(text);
  timer ||= setTimeout(() => {
    byId("announcer").replaceChildren(element("span", "", texts.join(" ")));
    silence();
  }, GATHER_TIME);
}

/** Announces nothing that is not announced yet. */
export function silence() {
  clearTimeout(timer);
  timer = 0;
  texts = [];
}
