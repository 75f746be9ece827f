/** The choice of an opening in the dialog for a new game: none, one by lot, or one of the list. */
import { byId } from "./page.js";

/** The value of the choice "by lot". */
const LOT = "lot";

export class BallotField {
  #place = byId("ballot-field");
  #field = byId("ballot", HTMLSelectElement);
  /** @type {Ballot[]} */
  #ballots = [];

  /** Offers the openings of a variant. @param {Variant} variant @param {boolean} isOffered */
  show({ ballots = [] }, isOffered) {
    this.#place.hidden = !isOffered || ballots.length === 0;
    if (ballots === this.#ballots || ballots.length === 0) return;
    this.#ballots = ballots;
    this.#field.replaceChildren(
      new Option("Free", ""),
      new Option(`By lot, one of ${ballots.length}`, LOT),
      ...ballots.map(
        ({ standard, name }, index) =>
          new Option(name ? `${standard} ${name}` : standard, String(index)),
      ),
    );
  }

  /** The moves of the chosen opening, drawn now if it is by lot; none if the game begins freely. */
  get moves() {
    const { value } = this.#field;
    if (this.#place.hidden || !value) return [];
    const lot = Math.floor(Math.random() * this.#ballots.length);
    return this.#ballots[value === LOT ? lot : Number(value)]?.moves ?? [];
  }
}
