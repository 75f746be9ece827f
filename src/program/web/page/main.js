/** Starts the page: connects to the engine and the parts, and selects the first game. */
import { Analysis } from "./analysis.js";
import { BoardView } from "./boardview.js";
import { engine, notice, variants } from "./client.js";
import { Course } from "./course.js";
import { eventText, listenToComment, listenToDetails } from "./details.js";
import { Editor } from "./editor.js";
import { Explorer } from "./explorer.js";
import { Game } from "./game.js";
import { listenToKeys, listenToTyping } from "./keyboard.js";
import { listenToDisplayMenu, listenToMenus, listenToSaveMenu, makeTabs } from "./menus.js";
import { announce, playSound, silence } from "./messages.js";
import { MoveList } from "./movelist.js";
import { NewGameDialog, welcome } from "./newgame.js";
import { EarlierGames, OpenDialog } from "./open.js";
import { byId, wait } from "./page.js";
import { Panel } from "./panel.js";
import { Play } from "./play.js";
import { FULL_STRENGTH, opponent } from "./protocol.js";
import { Puzzles } from "./puzzles.js";
import { createGame, openShared, takeChoices } from "./records.js";
import { Review } from "./review.js";
import { Storage } from "./storage.js";
import { isLevel, onDamage } from "./stored.js";
import { gameText, movesText, playersText, playerText, resultText, sideName } from "./text.js";

async function main() {
  let isDamaged = false;
  onDamage(() => (isDamaged = true));
  const storage = new Storage(variants);
  const game = new Game(newSetting(variants, storage.settings, null));
  const play = new Play(engine, variants, game, storage);
  const board = new BoardView(play);
  const moves = new MoveList(byId("moves"), play);
  const panel = new Panel(play);
  const analysis = new Analysis(play);
  const review = new Review(play);
  const explorer = new Explorer(play, notice);
  board.arrows = () => (analysis.arrows.length > 0 ? analysis.arrows : review.arrows);
  analysis.onArrows = () => board.drawArrows();
  const renderTyping = listenToTyping(play);
  const renderComment = listenToComment(play);
  const keepFocus = listenToFocus();
  play.onChange = () => {
    panel.render();
    moves.render();
    board.render();
    review.render();
    analysis.render();
    explorer.render();
    renderTyping();
    renderComment();
    keepFocus();
  };
  play.onClock = () => panel.renderClocks();
  play.onPlayed = (node) => {
    if (!node.ending) panel.announceMove(node);
    if (storage.settings.hasSounds) playSound(node);
  };
  play.onStore = () => {
    if (!play.game.isKept) return;
    const result = play.game.result(play.game.end);
    storage.save(play.game, result ? resultText(result, play.game) : "");
  };
  /** @param {Game} game */
  const nameOf = (game) => gameText(game, play.variantNamed(game.setting.variant));
  /** Whether a game was opened while a dialog was open. */
  let isOpened = false;
  play.onOpen = () => {
    notice.settle();
    const { elsewhere } = storage;
    storage.elsewhere = null;
    if (elsewhere) {
      const { stored, isCopy } = elsewhere;
      const shown = isCopy ? "a copy" : play.game.isEmpty ? "a new game" : nameOf(play.game);
      notice.show(`“${nameOf(stored.game)}” is open in another tab. This tab shows ${shown}.`);
    }
    isOpened = document.querySelector("dialog[open]") !== null;
    silence();
    const { game, variant } = play;
    const tab = explorer.isOpening ? "explorer-tab" : "moves-tab";
    chooseTab(byId(game.isKept ? tab : "review-tab"));
    if (!game.isKept) return;
    const { setting, humanSide, end } = game;
    const who = humanSide
      ? `You play ${sideName(humanSide)} against ${playerText(setting, opponent(humanSide))}`
      : playersText(setting) || eventText(play);
    const moves = end.ply > 0 ? movesText(end.ply) : "";
    const what = who || setting.isStudy || moves ? who : variant.goal;
    const parts = [variant.title, what, moves].filter(Boolean);
    announce(parts.map((part) => part.replace(/\.?$/, ".")).join(" "));
  };
  storage.onFull = (leaving) => {
    const name = nameOf(leaving.game);
    notice.show(`The next game takes the place of the oldest one kept here: ${name}.`);
  };
  storage.onFailure = () => notice.show("This browser does not keep the game.");
  notice.onConnection = (isOpen) => play.connected(isOpen);
  play.connected(notice.isOpen);

  const chooseTab = makeTabs(byId("tabs"), () => explorer.render());
  const dialog = new NewGameDialog(play);
  /** @param {Setting} setting @param {readonly string[]} [opening] its first moves */
  const start = async (setting, opening = []) => {
    const begun = await createGame(engine, setting, opening);
    const { isKept, isOver, root } = play.game;
    play.replacing = isKept && !isOver && root.children.length > 0 ? begun : null;
    await play.openNew(begun);
    storage.change({ next: { ...setting, setup: null } });
  };
  dialog.onStart = start;
  /** @param {"start" | "board"} from @param {Side} [side] of the human */
  const openDialog = (from, side) => {
    const choices = { variant: play.variant.name, level: null, side: side ?? null };
    const setting = newSetting(variants, storage.settings, choices);
    // A position is played by the rules under which it was shown.
    if (from === "board") setting.rules = play.game.setting.rules;
    dialog.open(setting, from);
  };
  byId("new-game").addEventListener("click", () => openDialog("start"));
  panel.onPlayFrom = () => openDialog("board", play.game.shown.state?.side);
  panel.onPlayAgain = () => {
    const { game } = play;
    const { setting, live } = game;
    start(turned(setting), game.position(live).moves.slice(0, setting.opening ?? 0));
  };
  listenToKeys(play);
  listenToMenus();
  listenToDisplayMenu(play);
  listenToSaveMenu(play, notice);
  listenToDetails(play);
  const puzzles = new Puzzles(play, notice);
  const course = new Course(play, notice);
  new EarlierGames(play, notice);
  new OpenDialog(play, notice, explorer);
  new Editor(play);
  // A closed dialog returns the focus to its button. After a dialog that has opened a game, and if the
  // button is gone, the board gets it.
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("close", () => {
      if (isOpened) focusBoard();
      isOpened = false;
      setTimeout(keepFocus);
    });
    dialog.querySelector(".cancel")?.addEventListener("click", () => dialog.close());
  }
  // Before this point a click would be lost.
  for (const part of document.querySelectorAll("header, main")) part.removeAttribute("inert");

  const startShared = () =>
    wait(openShared(play, newSetting(variants, storage.settings, null), notice));
  addEventListener("hashchange", startShared);

  const choices = takeChoices();
  if (choices?.variant && !variants.some(({ name }) => name === choices.variant)) {
    // The engine also accepts other names.
    const start = { variant: choices.variant, setup: null, moves: [] };
    choices.variant = await engine.state(start).then(
      ({ variant }) => variant,
      () => null,
    );
  }
  if (!(await startShared())) {
    const stored = choices ? null : await storage.restore();
    // A reload comes back to the puzzle.
    const { puzzle } = storage;
    storage.puzzle = null;
    if (stored) {
      await play.open(stored);
      if (puzzle) puzzles.start(puzzle);
    } else {
      const setting = newSetting(variants, storage.settings, choices);
      await play.openNew(await createGame(engine, setting, []));
      if (!choices && !isDamaged && !storage.settings.next.variant)
        welcome(play, ({ name }) => start({ ...setting, variant: name }), { course, puzzles });
    }
  }
  if (isDamaged) notice.show("Stored data of this page is damaged. What can be read is kept.");
  // Before the first game there is nothing to store.
  addEventListener("pagehide", () => play.storeClocks());
}

/** Whether the last input was by the keyboard, or by a program that reads the page. */
let isByKey = false;

/**
 * Remembers what has the focus. Returns a function that moves the focus to the board if what had it
 * is gone.
 */
function listenToFocus() {
  /** @type {Element | null} */
  let focused = null;
  const capture = true;
  addEventListener("keydown", () => (isByKey = true), { capture });
  addEventListener("pointerdown", () => ([isByKey, focused] = [false, null]), { capture });
  addEventListener("click", (event) => (isByKey ||= event.isTrusted && !event.detail), { capture });
  addEventListener("focusin", ({ target }) => (focused = /** @type {Element} */ (target)));
  return () => {
    if (!focused || focused.checkVisibility()) return;
    const isLost = [document.body, focused].includes(document.activeElement ?? document.body);
    focused = null;
    if (isLost) focusBoard();
  };
}

/** For the keyboard alone: after a click, the arrow keys step through the game. */
function focusBoard() {
  if (!isByKey) return;
  const cell = document.querySelector("#board [tabindex='0']");
  if (cell instanceof HTMLElement) cell.focus();
}

/** The same with the colours exchanged. @param {Setting} setting @returns {Setting} */
function turned({ players, levels, heads, ...setting }) {
  /** @template T @param {{ black: T, white: T }} sides */
  const turn = ({ black, white }) => ({ black: white, white: black });
  return {
    ...setting,
    players: turn(players),
    levels: levels && turn(levels),
    heads: heads && { ...heads, ...turn(heads), date: null },
  };
}

/**
 * The setting of a new game: the choices, or else those of the last game.
 * @param {Variant[]} variants
 * @param {Settings} settings
 * @param {Choices | null} choices
 * @returns {Setting}
 */
function newSetting(variants, { next }, choices) {
  const name = choices?.variant ?? next.variant;
  const variant = variants.find((other) => other.name === name) ?? variants[0];
  const weakest = Object.keys(variant?.levels ?? {})[0] ?? FULL_STRENGTH;
  /** @type {Setting["players"]} */
  const players = { black: "engine", white: "engine" };
  if (choices?.side) players[choices.side] = "human";
  return {
    variant: variant?.name ?? "",
    setup: null,
    players: choices?.side ? players : (next.players ?? { black: "human", white: "engine" }),
    level: [choices?.level, next.level].find((level) => isLevel(level, variant)) ?? weakest,
    levels: choices?.side ? undefined : next.levels,
    time: next.time ?? { seconds: 1 },
    pace: next.pace,
    rules: variant?.name === next.variant ? next.rules : undefined,
    heads: choices?.side ? undefined : next.heads,
  };
}

wait(main());
