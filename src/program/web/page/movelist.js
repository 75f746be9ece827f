/** The list of moves: the game in two columns, and its branches. */
import { line, moveNumber } from "./game.js";
import { button, byId, element } from "./page.js";
import { capitalised, moveText, numberText, outcomeText, sideName, sign } from "./text.js";

/** The first numeric annotation glyphs (NAG). */
const MARKS = ["", "!", "?", "!!", "??", "!?", "?!"];

export class MoveList {
  /** @type {WeakMap<TreeNode, HTMLElement>} */
  #buttons = new WeakMap();
  #drawn = "";
  /** @type {Notation} */
  #notation = "standard";
  /** @type {HTMLElement | null} */
  #outcome = null;
  #frame;

  /** @param {HTMLElement} list @param {Play} play */
  constructor(list, play) {
    this.list = list;
    this.play = play;
    this.#frame = /** @type {HTMLElement} */ (list.parentElement);
    new ResizeObserver(() => this.#scroll()).observe(this.#frame);
  }

  render() {
    const { game } = this.play;
    const { id, revision, root, shown, end } = game;
    const ending = game.result(end);
    this.#notation = this.play.notation;
    const drawn = [id, revision, this.#notation, ending?.reason].join();
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      const hasFocus = this.list.contains(document.activeElement);
      this.#buttons = new WeakMap();
      const moves = line(end).slice(1);
      this.list.replaceChildren(...comment("li", root));
      // After something between the moves, White's move has a number of its own.
      let isNumbered = true;
      for (const node of moves) {
        const entries = this.#entries(node, isNumbered);
        this.list.append(...entries);
        isNumbered = node.mover === "white" || entries.length > 1;
      }
      // The status line has the reason.
      const outcome = ending && outcomeText(ending.winner ?? "draw");
      this.#outcome = outcome ? element("li", "outcome", `${capitalised(outcome)}.`) : null;
      this.list.append(this.#outcome ?? "");
      this.list.append(...end.children.map((branch) => this.#branch(branch)));
      byId("no-moves").hidden = root.children.length > 0 || ending !== null;
      if (hasFocus) this.#buttons.get(shown)?.focus();
    }
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.#buttons.get(shown)?.setAttribute("aria-current", "true");
    // Reading its place now would make the browser lay out the page twice.
    requestAnimationFrame(() => this.#scroll());
  }

  /** Shows the current move in the list, and at the end of the game also the outcome. */
  #scroll() {
    const { shown, end } = this.play.game;
    const button = this.#buttons.get(shown);
    if (!button) this.#frame.scrollTop = 0;
    for (const entry of [button, shown === end && this.#outcome]) if (entry) this.#scrollTo(entry);
  }

  /** A move and the branches beside it. @param {TreeNode} node @param {boolean} isNumbered */
  #entries(node, isNumbered) {
    const entry = element("li", node.mover ?? "", ...this.#move(node, isNumbered));
    const branches = node.parent?.children.filter((other) => other !== node) ?? [];
    return [entry, ...comment("li", node), ...branches.map((branch) => this.#branch(branch))];
  }

  /** @param {TreeNode} node */
  #branch(node) {
    return element("li", "branch", ...this.#branchLine(node));
  }

  /** @param {TreeNode} first */
  #branchLine(first) {
    /** @type {(HTMLElement | string)[]} */
    const parts = [];
    for (let node = /** @type {TreeNode | undefined} */ (first); node; node = node.children[0]) {
      parts.push(...this.#move(node, node === first || node.mover === "black"), " ");
      parts.push(...comment("span", node));
      const siblings = node === first ? [] : (node.parent?.children.slice(1) ?? []);
      for (const other of siblings)
        parts.push(element("span", "bracket", "(", ...this.#branchLine(other), ")"), " ");
    }
    return parts;
  }

  /** @param {TreeNode} node @param {boolean} isNumbered */
  #move(node, isNumbered) {
    const text = node.move ? moveText(node.move, this.#notation) : "";
    const own = node.nags.map((nag) => MARKS[nag] ?? "").join("");
    // A record that was saved with the marks of its analysis can be analysed again.
    const marks = own === node.review?.mark ? "" : own;
    const signed = sign(node.review);
    const made = button("move", () => this.play.show(node), text + marks, signed);
    const name = `${moveNumber(node)}, ${sideName(node.mover ?? "black")}: ${text}${marks}`;
    made.ariaLabel = signed ? `${name}, ${signed.title}` : name;
    const { lot, opening = 0 } = this.play.game.setting;
    if (lot && node.ply <= opening && !node.parent?.children.indexOf(node)) {
      made.classList.add("given");
      made.title = "drawn by lot";
    }
    this.#buttons.set(node, made);
    return isNumbered ? [element("span", "number", numberText(node)), " ", made] : [made];
  }

  /** Scrolls the list alone, not the page. @param {HTMLElement} entry */
  #scrollTo(entry) {
    const frame = this.#frame;
    const [inner, outer] = [entry.getBoundingClientRect(), frame.getBoundingClientRect()];
    if (inner.top < outer.top) frame.scrollTop -= outer.top - inner.top + inner.height;
    if (inner.bottom > outer.bottom) frame.scrollTop += inner.bottom - outer.bottom + inner.height;
  }
}

/** What a record has about a move. @param {"li" | "span"} tag @param {TreeNode} node */
function comment(tag, node) {
  const texts = [node.recorded?.text ?? "", node.comment].filter(Boolean);
  return texts.map((text) => element(tag, "comment", text));
}
