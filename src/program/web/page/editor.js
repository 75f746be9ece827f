/** The board editor: pieces are placed on a separate board; the engine validates the position. */
import { BoardPicture, isDrag, symbolOf } from "./boardpicture.js";
import { Cursor } from "./keyboard.js";
import { button, byId, disc, onClick, svg } from "./page.js";
import { SIDES } from "./protocol.js";
import { createStudy } from "./records.js";
import { capitalised, messageOf, sideName, squareNumber, wordOf } from "./text.js";

export class Editor {
  #dialog = byId("editor-dialog", HTMLDialogElement);
  #board = new BoardPicture(byId("editor-board"));
  #palette = byId("palette");
  #side = byId("editor-side", HTMLSelectElement);
  #variantChoice = byId("editor-variant", HTMLSelectElement);
  /** @type {Map<string, Piece>} */
  #pieces = new Map();
  /** The piece to place by a click; null removes one. @type {Omit<Piece, "square"> | null} */
  #brush = null;
  #fault = "";
  /** The pointer, and the square of the piece that it holds; empty for a new one. */
  #pointer = { id: -1, from: "", x: 0, y: 0 };

  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    for (const { name, title } of play.variants) this.#variantChoice.add(new Option(title, name));
    onClick("editor-item", () => this.#open());
    onClick("editor-done", () => this.#finish());
    onClick("editor-clear", () => this.#set([]));
    onClick("editor-start", () => this.#setStart());
    this.#variantChoice.addEventListener("change", () => {
      this.#makePalette();
      this.#setStart();
    });
    const { grid } = this.#board;
    grid.addEventListener("pointerdown", (event) => this.#down(event));
    addEventListener("pointermove", (event) => {
      const { id, from } = this.#pointer;
      if (id === event.pointerId && from && isDrag(this.#pointer, event))
        this.#board.drag(from, event);
    });
    addEventListener("pointerup", (event) => this.#up(event));
    addEventListener("pointercancel", () => {
      this.#pointer.id = -1;
      this.#draw();
    });
    new Cursor(this.#board, (key, square) => {
      if (key === "Enter" || key === " ") this.#paint(square);
      else if (key === "Delete" || key === "Backspace") this.#pieces.delete(square);
      else return false;
      this.#draw();
      return true;
    });
  }

  get #variant() {
    return this.play.variantNamed(this.#variantChoice.value);
  }

  #open() {
    const { game, variant } = this.play;
    const { state } = game.shown;
    this.#variantChoice.value = variant.name;
    this.#side.value = state?.side ?? "black";
    this.#board.flip(game.isFlipped);
    this.#makePalette();
    this.#set(state?.pieces ?? []);
    this.#dialog.showModal();
  }

  /** @param {readonly Piece[]} pieces */
  #set(pieces) {
    this.#pieces = new Map(pieces.map((piece) => [piece.square, piece]));
    this.#draw();
  }

  #setStart() {
    const { side, pieces } = this.#variant.first;
    this.#side.value = side;
    this.#set(pieces);
  }

  #draw() {
    this.#board.setVariant(this.#variant);
    this.#board.draw({ pieces: [...this.#pieces.values()], last: null }, null);
    byId("editor-error").textContent = this.#fault;
    this.#fault = "";
  }

  #makePalette() {
    const { kinds } = this.#variant;
    const brushes = SIDES.flatMap((side) => kinds.map(({ name }) => ({ side, kind: name })));
    const choices = [...brushes, null].map((brush) => {
      const choose = () => {
        this.#brush = brush;
        for (const choice of choices) choice.ariaPressed = String(choice === made);
      };
      const made = button(
        "",
        choose,
        brush ? disc(svg("use", { href: `#${symbolOf(brush, this.#variant)}` })) : "Remove",
      );
      made.title = brush
        ? `${sideName(brush.side)} ${wordOf(brush.kind, this.#variant)}`
        : "Remove";
      // A piece can be dragged from here to the board.
      made.addEventListener("pointerdown", ({ pointerId, clientX, clientY }) => {
        made.releasePointerCapture(pointerId);
        choose();
        this.#pointer = { id: pointerId, from: "", x: clientX, y: clientY };
      });
      return made;
    });
    this.#palette.replaceChildren(...choices);
    choices[0]?.click();
  }

  /** Puts the chosen piece on a square, or removes it. @param {string} square */
  #paint(square) {
    const old = this.#pieces.get(square);
    const brush = this.#brush;
    if (!brush || (old?.side === brush.side && old.kind === brush.kind))
      this.#pieces.delete(square);
    else this.#place(square, brush);
  }

  /** Returns whether a piece can stand there. @param {string} square @param {Omit<Piece, "square">} piece */
  #place(square, piece) {
    const isPossible = !this.#variant.numbered || squareNumber(square) !== null;
    if (isPossible) this.#pieces.set(square, { ...piece, square });
    else this.#fault = "Pieces stand on the dark squares.";
    return isPossible;
  }

  /** @param {PointerEvent} event */
  #down({ pointerId: id, clientX: x, clientY: y, button: pressed }) {
    const from = this.#board.squareAt({ clientX: x, clientY: y });
    if (from && pressed === 0) this.#pointer = { id, from, x, y };
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const { id, from } = this.#pointer;
    if (id !== event.pointerId) return;
    this.#pointer.id = -1;
    const to = this.#board.squareAt(event);
    const piece = this.#pieces.get(from);
    const isClick = !isDrag(this.#pointer, event);
    if (from && (isClick || !piece)) this.#paint(from);
    else if (piece) {
      // A piece that is dragged off the board is removed.
      if (to !== from && (!to || this.#place(to, piece))) this.#pieces.delete(from);
    } else if (to && !isClick && this.#brush) {
      this.#place(to, this.#brush);
    }
    this.#draw();
  }

  async #finish() {
    const { play } = this;
    const variant = this.#variant;
    const rows = Array.from({ length: 8 }, (_, row) =>
      [..."abcdefgh"].map((file) => this.#letter(`${file}${8 - row}`)).join(" "),
    );
    const drawing = `${rows.join(" / ")} / Next move: ${this.#side.value}`;
    const command = `position diagram ${drawing}\nstate`;
    try {
      const options = { UCI_Variant: variant.name };
      const { setup } = await play.engine.query(null, command, options, "state");
      const own = { variant: variant.name, setup, rules: undefined, heads: undefined };
      await play.openNew(await createStudy(play.engine, { ...play.game.setting, ...own }, null));
      this.#dialog.close();
    } catch (error) {
      byId("editor-error").textContent = `${capitalised(messageOf(error))}.`;
    }
  }

  /** @param {string} square */
  #letter(square) {
    const piece = this.#pieces.get(square);
    return (
      this.#variant.kinds.find(({ name }) => name === piece?.kind)?.[piece?.side ?? "black"] ?? "-"
    );
  }
}
