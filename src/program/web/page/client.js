/** The client of the engine. Its connection begins while the other modules are still being loaded. */
import { Engine } from "./engine.js";
import { Notice } from "./messages.js";
import { connect } from "./transport.js";

export const engine = new Engine(connect);
export const notice = new Notice(engine);
engine.connect();

export const variants = engine.variants();
