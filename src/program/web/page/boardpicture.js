/**
 * The picture of the board: pieces, marks, arrows and animation. Over it lies a grid of 64 cells for
 * the keyboard and for screen readers. The shapes are symbols in the document.
 */

import { countMarks, groupMarks, groupNumber } from "./boardmarks.js";
import { element, svg, wait } from "./page.js";
import { FILES, linesThrough, lineText, squareNumber, wordOf } from "./text.js";

/** A pointer that moves less than this, in pixels, clicks. */
const DRAG_DISTANCE = 5;
/** The view boxes, with the same proportions. */
const LABELLED = "-0.55 -0.08 8.63 8.68";
const BARE = "-0.08 -0.08 8.16 8.207";
/** Milliseconds for the steps of a move. */
const STEP_TIME = 150;
const FURTHER_STEP_TIME = 90;
const PULSE_TIME = 700;

export class BoardPicture {
  isFlipped = false;
  /** The cells in the order of the picture, from its top left. @type {HTMLElement[]} */
  cells = [];

  #layers;
  /** @type {Variant | null} */
  #variant = null;
  #hasLetters = false;
  #hasGroups = false;
  /** @type {Map<string, Man>} */
  #men = new Map();
  /** @type {Picture} */
  #picture = { pieces: [], last: null, lines: [] };
  /** @type {Marks} */
  #marks = { chosen: [], targets: new Set(), movable: new Set(), compelled: new Set() };
  /** The current square of the piece of an incomplete move. */
  #placed = { from: "", at: "" };

  /** @param {HTMLElement} frame holds the picture and the grid */
  constructor(frame) {
    this.frame = frame;
    this.grid = /** @type {HTMLElement} */ (frame.querySelector("[role=grid]"));
    const picture = /** @type {SVGSVGElement} */ (frame.querySelector("svg"));
    /** @param {string} name */
    const layer = (name) => picture.appendChild(svg("g", { class: name }));
    this.#layers = {
      root: picture,
      squares: layer("squares-layer"),
      groups: layer("groups"),
      lit: layer("lit"),
      below: layer("marks"),
      men: layer("men"),
      groupNumbers: layer("group-numbers"),
      above: layer("marks"),
      numbers: layer("numbers-layer"),
      arrows: layer("arrows"),
    };
    for (let row = 0; row < 8; row++) {
      const cells = Array.from({ length: 8 }, () => element("div", ""));
      for (const cell of cells) cell.role = "gridcell";
      this.cells.push(...cells);
      const line = element("div", "", ...cells);
      line.role = "row";
      this.grid.append(line);
    }
  }

  /**
   * Draws the empty board.
   * @param {Variant} variant
   * @param {boolean} [hasLetters]
   */
  setVariant(variant, hasLetters = !variant.numbered) {
    if (this.#variant === variant && this.#hasLetters === hasLetters) return;
    if (this.#variant !== variant) {
      this.#men.clear();
      this.#layers.men.replaceChildren();
    }
    this.#variant = variant;
    this.#hasLetters = hasLetters;
    // The frame keeps its size, so that nothing else on the page moves.
    this.frame.classList.toggle("bare", !hasLetters);
    this.#layers.root.setAttribute("viewBox", hasLetters ? LABELLED : BARE);
    this.#drawSquares();
    this.#describeCells();
  }

  /** Whether the dark squares alone are used, which have numbers. */
  get isNumbered() {
    return Boolean(this.#variant?.numbered);
  }

  /** Whether each group of pieces has a colour and a number. @param {boolean} isShown */
  showGroups(isShown) {
    if (this.#hasGroups === isShown) return;
    this.#hasGroups = isShown;
    this.#drawMarks();
  }

  /** @param {boolean} isFlipped */
  flip(isFlipped) {
    if (this.isFlipped === isFlipped) return;
    this.isFlipped = isFlipped;
    this.#drawSquares();
    for (const [square, { element }] of this.#men) this.#put(element, square);
    this.#drawMarks();
  }

  /**
   * Shows a position, with a movement if a single move leads to it.
   * @param {Picture} picture
   * @param {Motion | null} motion
   */
  draw(picture, motion) {
    this.#picture = picture;
    const path = motion ? motion.move.path : [];
    const steps = motion?.isBackward ? path.toReversed() : [...path];
    const origin = steps[0] ?? "";
    if (this.#placed.at && this.#placed.from === origin) {
      // The player has already moved the piece to this square.
      steps.splice(0, steps.indexOf(this.#placed.at));
    }
    this.#placed = { from: "", at: "" };
    const last = steps.at(-1) ?? "";
    const old = this.#men;
    const mover = old.get(origin);
    old.delete(origin);
    this.#men = new Map();
    for (const piece of picture.pieces) {
      const reused = piece.square === last ? mover : old.get(piece.square);
      const isSame = reused?.piece.side === piece.side;
      const element = isSame ? reused.element : svg("use");
      if (isSame && reused !== mover) old.delete(piece.square);
      element.setAttribute("href", `#${symbolOf(piece, this.#variant)}`);
      element.classList.remove("taken");
      element.style.transform = "";
      this.#put(element, piece.square);
      if (!element.parentNode) this.#layers.men.append(element);
      this.#men.set(piece.square, { piece, element });
    }
    for (const { element } of old.values()) this.#remove(element, motion !== null);
    if (mover && this.#men.get(last)?.element !== mover.element) mover.element.remove();
    else if (mover) this.#animate(mover.element, steps);
    this.#drawMarks();
  }

  /** @param {string} square */
  sideAt(square) {
    return this.#picture.pieces.find((piece) => piece.square === square)?.side;
  }

  /** Draws attention to the pieces that must move. */
  pulse() {
    if (isStill()) return;
    for (const mark of this.#layers.below.querySelectorAll(".must")) {
      wait(mark.animate({ strokeWidth: [0.05, 0.22, 0.05] }, PULSE_TIME).finished);
    }
  }

  /** @param {Marks} marks */
  mark(marks) {
    this.#marks = marks;
    this.#drawMarks();
  }

  /** An arrow along a path of one square is a ring. @param {Arrow[]} arrows */
  arrows(arrows) {
    this.#layers.arrows.replaceChildren(
      ...arrows.map(({ path, kind }) => {
        const arrow = svg("g", { class: `arrow ${kind}` });
        const [square = ""] = path;
        if (path.length === 1) {
          arrow.append(this.#circle(square, "ring", 0.44));
          return arrow;
        }
        const points = path.map((square) => this.#centre(square)).join(" ");
        arrow.append(svg("polyline", { class: "halo", points }));
        arrow.append(svg("polyline", { class: "shaft", points }));
        return arrow;
      }),
    );
  }

  /**
   * Puts the piece of an incomplete move on a square on its way.
   * @param {readonly string[]} chosen
   * @param {readonly string[]} captures what it has captured so far
   * @param {boolean} isDragged whether the player has moved it there by hand
   */
  place(chosen, captures, isDragged) {
    const [from = "", at = ""] = [chosen[0], chosen.at(-1)];
    const man = this.#men.get(from);
    if (!man) return;
    const before = this.#placed.from === from ? this.#placed.at : from;
    this.#placed = { from, at };
    this.drag(from, null);
    this.#put(man.element, at);
    this.#layers.men.append(man.element);
    if (!isDragged) this.#animate(man.element, [before, at]);
    for (const square of captures) this.#men.get(square)?.element.classList.add("taken");
  }

  /** Undoes `place`. */
  unplace() {
    if (this.#placed.at) this.draw(this.#picture, null);
  }

  /**
   * Moves a piece with the pointer; null puts it back.
   * @param {string} from the square where its move begins
   * @param {Point | null} pointer
   */
  drag(from, pointer) {
    const element = this.#men.get(from)?.element;
    if (!element) return;
    if (!pointer) {
      element.style.transform = "";
      return;
    }
    const [left, top] = this.#centre(this.#placed.from === from ? this.#placed.at : from);
    const [x, y] = this.#point(pointer);
    if (element.nextSibling) this.#layers.men.append(element);
    element.style.transform = `translate(${x - left}px, ${y - top}px)`;
  }

  /** The place of a pointer in the picture. @param {Point} pointer @returns {[number, number]} */
  #point({ clientX, clientY }) {
    const { left, top, width, height } = this.grid.getBoundingClientRect();
    return [((clientX - left) / width) * 8, ((clientY - top) / height) * 8];
  }

  /** @param {Point} pointer @returns {string | null} */
  squareAt(pointer) {
    const [column = 0, row = 0] = this.#point(pointer).map(Math.floor);
    const isInside = Math.min(column, row) >= 0 && Math.max(column, row) < 8;
    return isInside ? this.squareOf(row * 8 + column) : null;
  }

  /** @param {number} index */
  squareOf(index) {
    const turned = this.isFlipped ? 63 - index : index;
    return `${FILES[turned % 8]}${8 - Math.floor(turned / 8)}`;
  }

  /** The top left corner of a square in the picture. @param {string} square @returns {[number, number]} */
  #corner(square) {
    const [left, top] = [FILES.indexOf(square[0] ?? ""), 8 - Number(square[1])];
    return this.isFlipped ? [7 - left, 7 - top] : [left, top];
  }

  /** @param {string} square @returns {[number, number]} */
  #centre(square) {
    const [x, y] = this.#corner(square);
    return [x + 0.5, y + 0.5];
  }

  /** @param {SVGElement} element @param {string} square */
  #put(element, square) {
    const [x, y] = this.#corner(square);
    element.setAttribute("x", String(x));
    element.setAttribute("y", String(y));
  }

  #drawSquares() {
    const { isNumbered } = this;
    const view = this.isFlipped ? "-flipped" : "";
    const { squares, numbers } = this.#layers;
    squares.replaceChildren(
      svg("use", { href: isNumbered ? "#grid-numbered" : "#grid" }),
      ...(this.#hasLetters ? [svg("use", { href: `#labels${view}` })] : []),
    );
    numbers.replaceChildren(...(isNumbered ? [svg("use", { href: `#numbers${view}` })] : []));
  }

  #drawMarks() {
    const { chosen, targets, compelled } = this.#marks;
    const { path = [] } = this.#picture.last ?? {};
    const ends = path.length > 0 ? [path[0] ?? "", path.at(-1) ?? ""] : [];
    const groups = groupMarks(this.#groups, (square) => this.#corner(square));
    this.#layers.groups.replaceChildren(...groups.map(({ field }) => field));
    this.#layers.groupNumbers.replaceChildren(...groups.map(({ text }) => text));
    this.#layers.lit.replaceChildren(...ends.map((square) => this.#square(square, "last")));
    this.#layers.below.replaceChildren(
      ...chosen.map((square) => this.#square(square, "chosen")),
      ...(chosen.length > 0
        ? []
        : [...compelled].map((square) => this.#circle(square, "must", 0.455))),
    );
    this.#layers.above.replaceChildren(
      ...[...targets].map((square) =>
        this.#men.has(square) && square !== chosen[0]
          ? this.#circle(square, "target capture", 0.43)
          : this.#circle(square, "target", 0.15),
      ),
      ...countMarks(this.#lines, chosen[0] ?? "", (square) => this.#centre(square)),
    );
    this.#describeCells();
  }

  get #groups() {
    return this.#hasGroups ? this.#picture.groups : null;
  }

  get #lines() {
    const { chosen } = this.#marks;
    const [square = ""] = chosen.length === 1 ? chosen : [];
    return linesThrough(this.#picture.lines, square);
  }

  #describeCells() {
    const { chosen, targets, movable, compelled } = this.#marks;
    for (const [index, cell] of this.cells.entries()) {
      const square = this.squareOf(index);
      const { from, at } = this.#placed;
      const man = square === from && at ? null : this.#men.get(square === at ? from : square);
      const number = this.isNumbered && squareNumber(square);
      const isLight = this.isNumbered && !number;
      const words = [
        this.#hasLetters && square,
        number,
        man
          ? `${man.piece.side} ${wordOf(man.piece.kind, this.#variant)}`
          : isLight
            ? "light square"
            : "empty",
        groupNumber(this.#groups, square) && `group ${groupNumber(this.#groups, square)}`,
        compelled.has(square) && "must capture",
        chosen.includes(square) && "chosen",
        ...(chosen[0] === square ? this.#lines.map(lineText) : []),
        targets.has(square) && "target",
      ];
      cell.dataset.square = square;
      cell.setAttribute("aria-label", words.filter(Boolean).join(", "));
      // What cannot be chosen is not announced as "not selected".
      if (chosen.includes(square)) cell.ariaSelected = "true";
      else cell.removeAttribute("aria-selected");
      cell.classList.toggle("movable", movable.has(square) || chosen.at(-1) === square);
      cell.classList.toggle("reachable", targets.has(square));
      cell.classList.toggle("occupied", Boolean(man));
    }
  }

  /** @param {string} square @param {string} name */
  #square(square, name) {
    const element = svg("rect", { class: name, width: 1, height: 1 });
    this.#put(element, square);
    return element;
  }

  /** @param {string} square @param {string} name @param {number} radius */
  #circle(square, name, radius) {
    const [cx, cy] = this.#centre(square);
    return svg("circle", { class: name, cx, cy, r: radius });
  }

  /** @param {Element} element @param {string[]} steps */
  #animate(element, steps) {
    const [toX, toY] = this.#corner(steps.at(-1) ?? "");
    const frames = steps.map((square) => {
      const [x, y] = this.#corner(square);
      return { transform: `translate(${x - toX}px, ${y - toY}px)` };
    });
    if (frames.length < 2 || isStill()) return;
    // Later pieces are drawn above earlier ones.
    element.parentNode?.append(element);
    const duration = STEP_TIME + (frames.length - 2) * FURTHER_STEP_TIME;
    wait(element.animate(frames, { duration, easing: "ease-out" }).finished);
  }

  /** @param {Element} element @param {boolean} isSlow */
  #remove(element, isSlow) {
    if (!isSlow || isStill()) {
      element.remove();
      return;
    }
    wait(element.animate({ opacity: [1, 0] }, STEP_TIME).finished).then(() => element.remove());
  }
}

/** @param {{ x: number, y: number }} from @param {Point} to */
export function isDrag({ x, y }, { clientX, clientY }) {
  return Math.hypot(clientX - x, clientY - y) >= DRAG_DISTANCE;
}

/** The picture of a piece. @param {Omit<Piece, "square">} piece @param {Variant | null} variant */
export function symbolOf({ side, kind }, variant) {
  const letter = side === "black" ? "b" : "w";
  return variant?.kinds[0]?.name === kind ? letter : letter.toUpperCase();
}

function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
