/**
 * The explorer: what the games of an archive, or else the opening book, have in the position on the board.
 *
 * It has an engine of its own, which keeps the archive, so that no search waits for it or stops it.
 */
import { Engine } from "./engine.js";
import { findMove } from "./game.js";
import { button, byId, element, onClick, svg } from "./page.js";
import { inParts, openRecord } from "./records.js";
import { messageOf, movesText, moveText, outcomeText, scoreText } from "./text.js";
import { connect, NO_ENGINE } from "./transport.js";

/** The most faults that are listed. */
const SHOWN_FAULTS = 10;

const MAIN_LINE =
  "An archive has main lines alone. Comments, variations and further headers are there if the file is opened as games.";

export class Explorer {
  /** Whether a game of the archive is being opened. */
  isOpening = false;
  /** Whether the dialog for games is open for an archive. */
  isAwaited = false;

  /** @type {Engine | null} */
  #engine = null;
  #isConnected = false;
  /** @type {Archive | null} */
  #archive = null;
  /** What is shown, or about to be: of the moves and of the games. */
  #wanted = { moves: "", games: "" };
  #isAsking = false;
  /** Whether it was said what an archive does not have. */
  #isTold = false;
  #panel = byId("explorer-panel");
  #words = byId("explorer-words", HTMLInputElement);
  #isHere = byId("explorer-here", HTMLInputElement);
  #list = byId("explorer-games");
  #found = byId("explorer-found");

  /** @param {Play} play @param {Notice} notice */
  constructor(play, notice) {
    this.play = play;
    this.notice = notice;
    this.#words.addEventListener("input", () => this.render());
    this.#isHere.addEventListener("change", () => this.render());
    onClick("explorer-open", () => {
      byId("open-text-item").click();
      this.isAwaited = true;
    });
    byId("open-dialog").addEventListener("close", () => (this.isAwaited = false));
    onClick("explorer-close", () => this.#close());
    onClick("explorer-more", () => this.#showMore());
    this.#panel.addEventListener("keydown", (event) => moveFocus(event));
  }

  /** Takes the games of a text as the archive. @param {string} text @param {string} variant @param {string} name */
  open(text, variant, name) {
    this.#archive = { text, variant, name, games: 0, faults: 0, errors: [], done: 0 };
    this.#words.value = "";
    this.#isHere.checked = true;
    this.#list.replaceChildren();
    // Without an engine so far, it is read when the explorer is looked at.
    if (this.#isConnected) this.#fill(this.#archive);
    this.render();
  }

  render() {
    if (this.#panel.hidden) return;
    this.#connect();
    const archive = this.#archive;
    const isFilled = archive?.done === 1;
    byId("explorer-reading").hidden = !archive || isFilled;
    byId("explorer-reading", HTMLProgressElement).value = archive?.done ?? 0;
    for (const id of ["explorer-search", "explorer-close"]) byId(id).hidden = !isFilled;
    byId("explorer-open").hidden = archive !== null;
    byId("explorer-archive").textContent = archiveText(archive);
    const faults = archive?.errors.map((error) => element("li", "", error)) ?? [];
    byId("explorer-faults").hidden = !isFilled || faults.length === 0;
    byId("explorer-faults-list").replaceChildren(...faults.slice(0, SHOWN_FAULTS));
    const { shown, setting } = this.play.game;
    // It is drawn again once the position is known.
    if (!shown.state) return;
    const here = [setting.variant, shown.state.setup, archive?.games, isFilled];
    const moves = JSON.stringify([here, this.play.notation]);
    const words = this.#words.value;
    const games = JSON.stringify([words, this.#isHere.checked ? here : archive?.games]);
    if (moves === this.#wanted.moves && games === this.#wanted.games) return;
    this.#wanted = { moves, games };
    if (!this.#isAsking) this.#ask();
  }

  /** Asks for what is wanted until it is shown. */
  async #ask() {
    this.#isAsking = true;
    let shown = { moves: "", games: "" };
    while (shown.moves !== this.#wanted.moves || shown.games !== this.#wanted.games) {
      const wanted = this.#wanted;
      const { game } = this.play;
      try {
        const position = game.position(game.shown);
        if (shown.moves !== wanted.moves) {
          const tree = await this.#query(position, "tree");
          if (wanted === this.#wanted) this.#drawMoves(tree);
        }
        if (shown.games !== wanted.games && this.#archive?.done === 1) {
          const filter = { words: this.#words.value, position: this.#isHere.checked };
          const found = await this.#query(position, `find ${JSON.stringify(filter)}`);
          if (wanted === this.#wanted) this.#drawGames(found);
        }
      } catch (error) {
        byId("explorer-here-text").textContent = messageOf(error);
      }
      shown = wanted;
    }
    this.#isAsking = false;
  }

  /** @param {Position | null} position @param {string} command */
  #query(position, command) {
    return /** @type {Engine} */ (this.#engine).query(position, `archive ${command}`);
  }

  #connect() {
    if (this.#engine) return;
    this.#engine = new Engine((events) => connect(events, false), this.play.variants);
    this.#engine.onConnection = ({ isOpen, reason }) => {
      this.#isConnected = isOpen;
      byId("explorer-lost").textContent = isOpen ? "" : `${NO_ENGINE}${reason && `: ${reason}`}`;
      // A new engine has no archive.
      if (isOpen && this.#archive) this.#fill(this.#archive);
    };
    this.#engine.connect();
  }

  /** Sends the archive to the engine. @param {Archive} source */
  async #fill(source) {
    const archive = { ...source, games: 0, faults: 0, errors: [], done: 0 };
    this.#archive = archive;
    const { text, variant } = archive;
    const engine = /** @type {Engine} */ (this.#engine);
    try {
      await this.#query(null, "open");
      if (archive !== this.#archive) return;
      for await (const { answer, done } of inParts(engine, "archive add", text, variant)) {
        // Another archive was opened, or the connection was lost.
        if (archive !== this.#archive) return;
        const { games, faults, errors } = answer;
        Object.assign(archive, { games, faults, done, errors: [...archive.errors, ...errors] });
        this.render();
      }
    } catch (error) {
      if (archive !== this.#archive) return;
      // What was read before is kept.
      Object.assign(archive, { done: 1, errors: [messageOf(error), ...archive.errors] });
      this.render();
    }
  }

  #close() {
    this.#archive = null;
    this.#query(null, "close").catch(() => {});
    this.#list.replaceChildren();
    this.render();
    byId("explorer-tab").focus();
  }

  /** @param {PositionTree} tree */
  #drawMoves({ source, side, moves, ...all }) {
    const { notation } = this.play;
    const isArchive = source === "archive";
    const hasNumbers = moves.some(({ games }) => games !== undefined);
    byId("explorer-here-text").textContent = isArchive
      ? playedText(all, side)
      : bookText(moves.length, hasNumbers);
    const columns = hasNumbers ? ["Games", "Black scores", isArchive ? "Last year" : "Score"] : [];
    const heads = ["Move", ...columns].map((text) => {
      const head = element("th", "", text);
      head.scope = "col";
      return head;
    });
    const rows = moves.map(({ move, ...numbers }) => {
      const made = button("move", () => this.#play(move), moveText(move, notation));
      const { games = 0, year, cp } = numbers;
      const played = playedText(numbers, side);
      made.title = isArchive || !hasNumbers ? played : `${played} (Soucie's own games)`;
      const name = element("th", "", made);
      name.scope = "row";
      const last = isArchive ? (year ?? "") : cp === undefined ? "" : scoreText({ cp }, side, 0.5);
      const cells = [games.toLocaleString("en"), resultCell(numbers, side), String(last)];
      return element("tr", "", name, ...columns.map((_, at) => element("td", "", cells[at] ?? "")));
    });
    const table = byId("explorer-moves");
    const hadFocus = table.contains(document.activeElement);
    table.replaceChildren(
      element("thead", "", element("tr", "", ...heads)),
      element("tbody", "", ...rows),
    );
    table.hidden = rows.length === 0;
    // So does the table when a move of it is played.
    if (hadFocus) (table.querySelector("button") ?? byId("explorer-tab")).focus();
  }

  /** Plays a move as a branch: the game on the board, perhaps against the engine, stays. @param {Move} move */
  #play({ coordinate }) {
    const { game, exercise } = this.play;
    const { side, legal = [] } = game.shown.state ?? {};
    const move = findMove(legal, coordinate);
    if (side && move && !exercise) this.play.explore(game.shown, [{ ...move, side }]);
  }

  /** @param {FoundGames} found */
  #drawGames({ total, games }) {
    const hadFocus = this.#list.contains(document.activeElement);
    this.#list.replaceChildren();
    const where = this.#isHere.checked ? " with this position" : "";
    this.#found.textContent = `${total === 0 ? "No games" : gamesText(total)}${where}`;
    this.#append(total, games);
    // The arrow keys go on through the game that was opened.
    if (hadFocus) (this.#list.querySelector("button") ?? byId("explorer-tab")).focus();
  }

  /** @param {number} total @param {ListedGame[]} games */
  #append(total, games) {
    this.#list.append(...games.map((game) => this.#listed(game)));
    byId("explorer-more").hidden = this.#list.childElementCount >= total;
  }

  async #showMore() {
    const offset = this.#list.childElementCount;
    try {
      const { total, games } = await this.#query(null, `games {"offset":${offset}}`);
      if (offset !== this.#list.childElementCount) return;
      this.#append(total, games);
      this.#list.children[offset]?.querySelector("button")?.focus();
    } catch (error) {
      this.notice.show(messageOf(error));
    }
  }

  /** @param {ListedGame} game */
  #listed(game) {
    const { number, black, white, event, date, opening, plies, result } = game;
    const notes = [event, date, opening, movesText(plies), outcomeText(result)];
    const players = `${number}. ${black ?? "Black"} – ${white ?? "White"}`;
    const note = element("span", "soft", notes.filter(Boolean).join(" · "));
    return element(
      "li",
      "",
      button("", () => this.#openGame(game), players, note),
    );
  }

  /** @param {ListedGame} game */
  async #openGame({ number, ply }) {
    const { play } = this;
    const setting = { ...play.game.setting, rules: undefined };
    this.isOpening = true;
    try {
      const record = await this.#query(null, `game {"number":${number}}`);
      await openRecord(play, this.notice, setting, record, [], ply ?? 0);
      // What is said already counts more.
      if (byId("notice").hidden && !this.#isTold) {
        this.#isTold = true;
        this.notice.show(MAIN_LINE);
      }
    } catch (error) {
      this.notice.show(messageOf(error));
    } finally {
      this.isOpening = false;
    }
  }
}

/** @param {number} games */
function gamesText(games) {
  return `${games.toLocaleString("en")} ${games === 1 ? "game" : "games"}`;
}

/** @param {Archive | null} archive */
function archiveText(archive) {
  if (!archive) return "No archive of games is open.";
  const { name, games, faults, done } = archive;
  const read = done < 1 ? `${Math.floor(100 * done)} % read, ` : "";
  const faulty = faults > 0 ? `; ${faults} ${faults === 1 ? "fault" : "faults"}` : "";
  return `${name || "The text"}: ${read}${gamesText(games)}${faulty}.`;
}

/** @param {number} moves @param {boolean} hasNumbers */
function bookText(moves, hasNumbers) {
  if (moves === 0) return "Soucie's opening book has no move here.";
  return `The moves of Soucie's opening book${hasNumbers ? ", with the results of its own games" : ""}:`;
}

/** @param {GameNumbers} numbers @param {Side} side to move */
function playedText(numbers, side) {
  const { games, percent } = numbers;
  if (games === undefined) return "in the opening book";
  if (games === 0) return "No game of the archive has this position.";
  const times = games === 1 ? "once" : `${games.toLocaleString("en")} times`;
  return `Played ${times}${percent === null || percent === undefined ? "" : `; Black scores ${pointsText(numbers, side)}`}`;
}

/** Black's points in per cent, with their interval. @param {GameNumbers} numbers @param {Side} side to move */
function pointsText({ percent, interval }, side) {
  if (percent === null || percent === undefined) return "";
  const black = (/** @type {number} */ of) => Math.round(side === "black" ? of : 100 - of);
  const [low, high] = (interval ?? []).map(black).sort((a, b) => a - b);
  return `${black(percent)}\u00a0%${low === undefined ? "" : ` (${low} to ${high})`}`;
}

/** The results as a bar and a text. @param {GameNumbers} numbers @param {Side} side to move */
function resultCell(numbers, side) {
  const { black = 0, white = 0, draws = 0 } = numbers;
  const all = black + white + draws;
  const text = pointsText(numbers, side);
  if (all === 0) return text;
  let x = 0;
  const parts = Object.entries({ black, draws, white }).map(([name, count]) => {
    const width = (100 * count) / all;
    const part = svg("rect", { class: name, x, width, height: 1 });
    x += width;
    return part;
  });
  const options = { class: "share", viewBox: "0 0 100 1", preserveAspectRatio: "none" };
  return element("span", "", svg("svg", { ...options, "aria-hidden": "true" }, ...parts), text);
}

/** Arrows up and down move the focus through the moves, and through the games. @param {KeyboardEvent} event */
function moveFocus(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const target = /** @type {Element} */ (event.target);
  const place = target.closest("tbody, ol");
  if (!step || !place || target.localName !== "button") return;
  const buttons = [...place.querySelectorAll("button")];
  buttons[buttons.indexOf(/** @type {HTMLButtonElement} */ (target)) + step]?.focus();
  event.preventDefault();
}
