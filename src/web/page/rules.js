/** The fields for the rules that a player can choose; the engine lists them for each variant. */
import { element } from "./page.js";

export class RuleFields {
  /** @type {{ name: string, usual: string, field: HTMLInputElement | HTMLSelectElement }[]} */
  #fields = [];

  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
  }

  /** Offers the rules of a variant. @param {Variant} variant @param {Options} chosen the unusual ones */
  show({ options = [] }, chosen) {
    this.#fields = [];
    this.place.replaceChildren(
      ...options.map((option) => {
        const { name, description } = option;
        const usual = String(option.default);
        const field = makeField(option);
        field.value = chosen[name] ?? usual;
        this.#fields.push({ name, usual, field });
        return element("label", "rule", element("span", "", description), field);
      }),
    );
  }

  /** The rules that are not the usual ones. @returns {Options} */
  get chosen() {
    const unusual = this.#fields.filter(({ field, usual }) => field.value !== usual);
    return Object.fromEntries(unusual.map(({ name, field }) => [name, field.value]));
  }
}

/** @param {RuleOption} option */
function makeField({ choices, min, max }) {
  if (!choices) {
    const [least, most] = [String(min), String(max)];
    const field = { type: "number", min: least, max: most, required: true };
    return Object.assign(document.createElement("input"), field);
  }
  const field = document.createElement("select");
  for (const choice of choices) field.add(new Option(choice));
  return field;
}
