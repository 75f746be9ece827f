/** The client of the engine. Its connection begins while the other modules are still being loaded. */
import { Engine } from "./engine.js";
import { Notice } from "./messages.js";
import { byId } from "./page.js";
import { connect } from "./transport.js";

/**
 * What the engine says of its variants is in the page, so that the board is drawn before the engine answers.
 * @type {Variant[]}
 */
export const variants = JSON.parse(byId("variants").textContent);
export const engine = new Engine(connect, variants);
export const notice = new Notice(engine);
engine.connect();
