/** The list of moves: the game in two columns, its branches below the moves they replace. */
import { moveText, resultText } from "./text.js";

export class MoveList {
  /** @type {Notation} */
  notation = "standard";
  /** @type {WeakMap<TreeNode, HTMLElement>} */
  #buttons = new WeakMap();
  /** What is drawn. */
  #drawn = "";

  /** @param {HTMLElement} list @param {(node: TreeNode) => void} onShow a move was chosen */
  constructor(list, onShow) {
    this.list = list;
    this.onShow = onShow;
  }

  /** @param {Play} play */
  render({ game }) {
    const { id, revision, root, shown } = game;
    const result = mainLine(root).at(-1) ?? root;
    const ending = game.result(result);
    const drawn = [id, revision, this.notation, ending?.reason].join();
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      const { activeElement } = document;
      this.#buttons = new WeakMap();
      this.list.replaceChildren(...mainLine(root).flatMap((node) => this.#entries(node)));
      if (ending) this.list.append(element("li", "outcome", resultText(ending)));
      if (activeElement && this.list.contains(activeElement)) this.#buttons.get(shown)?.focus();
    }
    for (const button of this.list.querySelectorAll("[aria-current]")) {
      button.removeAttribute("aria-current");
    }
    const button = this.#buttons.get(shown);
    button?.setAttribute("aria-current", "true");
    this.#scrollTo(button ?? null);
  }

  /** A move of the game, and the branches beside it. @param {TreeNode} node */
  #entries(node) {
    const entry = element("li", node.mover ?? "");
    entry.append(...this.#move(node, true));
    const branches = node.parent?.children[0] === node ? node.parent.children.slice(1) : [];
    return [entry, ...branches.map((branch) => this.#branch(branch))];
  }

  /** @param {TreeNode} node */
  #branch(node) {
    const entry = element("li", "branch");
    entry.append(...this.#branchLine(node));
    return entry;
  }

  /** A branch to its end, with its own branches in brackets. @param {TreeNode} first @returns {HTMLElement[]} */
  #branchLine(first) {
    /** @type {HTMLElement[]} */
    const parts = [];
    for (let node = /** @type {TreeNode | undefined} */ (first); node; node = node.children[0]) {
      parts.push(...this.#move(node, node === first || node.mover === "black"));
      const siblings = node === first ? [] : (node.parent?.children.slice(1) ?? []);
      for (const other of siblings) {
        const bracket = element("span", "bracket");
        bracket.append("(", ...this.#branchLine(other), ")");
        parts.push(bracket);
      }
    }
    return parts;
  }

  /** @param {TreeNode} node @param {boolean} isNumbered */
  #move(node, isNumbered) {
    const button = element("button", "move", node.move ? moveText(node.move, this.notation) : "");
    button.addEventListener("click", () => this.onShow(node));
    this.#buttons.set(node, button);
    return isNumbered ? [element("span", "ply", String(node.ply)), button] : [button];
  }

  /** Scrolls the list alone, not the page. @param {HTMLElement | null} button */
  #scrollTo(button) {
    const frame = /** @type {HTMLElement} */ (this.list.parentElement);
    if (!button) {
      frame.scrollTop = 0;
      return;
    }
    const [inner, outer] = [button.getBoundingClientRect(), frame.getBoundingClientRect()];
    if (inner.top < outer.top) frame.scrollTop -= outer.top - inner.top + inner.height;
    if (inner.bottom > outer.bottom) frame.scrollTop += inner.bottom - outer.bottom + inner.height;
  }
}

/** The moves of the game. @param {TreeNode} root */
function mainLine(root) {
  /** @type {TreeNode[]} */
  const nodes = [];
  for (let node = root.children[0]; node; node = node.children[0]) nodes.push(node);
  return nodes;
}

/** @param {string} name @param {string} className @param {string} [text] */
function element(name, className, text = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  if (made instanceof HTMLButtonElement) made.type = "button";
  return made;
}
