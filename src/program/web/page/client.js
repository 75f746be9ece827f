/** The client of the engine. With the engine inside, it connects while other modules are still being loaded. */
import { Engine } from "./engine.js";
import { Notice } from "./messages.js";
import { byId } from "./page.js";
import { connect } from "./transport.js";

/** The answers of the engine that are in the page, so that the board is drawn before it answers. */
const embedded = JSON.parse(byId("variants").textContent);
/** @type {Variant[]} */
export const variants = embedded.variants.map(
  (/** @type {Variant} */ variant, /** @type {number} */ index) => ({
    ...variant,
    first: embedded.firsts[index],
  }),
);
export const engine = new Engine(connect, variants);
export const notice = new Notice(engine);
engine.connect();
