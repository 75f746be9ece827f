/** The text and the buttons around the board: players, clocks, status, actions. */

import { compelled } from "./boardview.js";
import { eventText } from "./details.js";
import { captured, endOfLine, line, moveNumber } from "./game.js";
import { announce, ask } from "./messages.js";
import { showRules } from "./newgame.js";
import { byId, disc, element, onClick, setDisabled, showText, svg } from "./page.js";
import { opponent } from "./protocol.js";
import {
  clockText,
  groupsText,
  moveText,
  nameOf,
  otherRulesText,
  placeText,
  playedText,
  playerText,
  promotionText,
  reachedText,
  resultText,
  sideName,
  startText,
  threatText,
} from "./text.js";

class PlayerLine {
  #disc = svg("use");
  #victim = svg("use");
  #name = element("b", "");
  #who = element("span", "soft");
  #count = element("span", "");
  #captured = element("span", "captured", disc(this.#victim), this.#count);
  #groups = element("span", "groups-count");
  #turn = element("span", "turn");
  #clock = element("span", "clock");

  /** @param {HTMLElement} place */
  constructor(place) {
    this.#clock.role = "timer";
    this.#captured.role = "img";
    const texts = [this.#name, this.#who, this.#captured, this.#groups, this.#turn, this.#clock];
    place.append(disc(this.#disc), ...texts);
  }

  /** @param {Play} play @param {Side} side */
  render({ game, isThinking }, side) {
    const { live, shown, setting } = game;
    const [own, other] = side === "black" ? ["#b", "#w"] : ["#w", "#b"];
    this.#disc.setAttribute("href", own);
    this.#victim.setAttribute("href", other);
    this.#name.textContent = sideName(side);
    this.#who.textContent = playerText(setting, side);
    const count = captured(shown, side);
    this.#captured.hidden = count === 0;
    this.#captured.title = `captured ${count}`;
    this.#count.textContent = `×${count}`;
    const { groups } = shown.state ?? {};
    this.#groups.textContent = groups ? groupsText(groups[side]) : "";
    const isToMove = shown.state?.side === side && !game.result(shown);
    const isWorking = isThinking && shown === live;
    this.#turn.textContent = isToMove ? (isWorking ? "thinking …" : "to move") : "";
    this.#clock.hidden = live.clocks === null;
  }

  /** @param {Play} play @param {Side} side */
  renderClock({ clock }, side) {
    this.#clock.textContent = clockText(clock.left[side]);
  }
}

export class Panel {
  #top = new PlayerLine(byId("player-top"));
  #bottom = new PlayerLine(byId("player-bottom"));
  /** A new game from the position on the board is wanted. */
  onPlayFrom = () => {};
  onPlayAgain = () => {};

  /** @type {unknown} */
  #answer = null;
  /** The position whose move was announced last. @type {TreeNode | null} */
  #announced = null;

  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    /** @type {Record<string, () => void>} */
    const actions = {
      "take-back": () => play.takeBack(),
      hint: () => {
        // On a phone it may be above the screen.
        byId("board").scrollIntoView({ block: "nearest" });
        play.advice.showHint();
      },
      "offer-draw": () => play.advice.offerDraw(),
      resign: async () => {
        const { game, resigner } = play;
        const whose =
          game.hasTwoPlayers && resigner ? ` for ${nameOf(game.setting, resigner)}` : "";
        const isSure = await ask(`Give up this game${whose}?`, "Resign", "Play on");
        if (isSure && game === play.game) play.resign();
      },
      flip: () => {
        play.flip();
        announce(`${sideName(play.bottom)} is at the bottom.`);
      },
      "move-now": () => play.moveNow(),
      pause: () => play.pause(!play.game.isPaused),
      "play-from-here": () => {
        const { game } = play;
        if (game.setting.isStudy) return this.onPlayFrom();
        announce(
          game.isOver
            ? "The game is open again, and goes on from here."
            : "The game goes on from here.",
        );
        play.playFromHere();
      },
      "play-again": () => this.onPlayAgain(),
      "delete-variation": () => this.#deleteVariation(),
      "to-live": () => play.show(play.game.live),
      "to-start": () => play.show(play.game.root),
      "step-back": () => play.step(-1),
      "step-forward": () => play.step(1),
      "to-end": () => play.showEnd(),
    };
    for (const [id, act] of Object.entries(actions)) onClick(id, act);
  }

  render() {
    const { play } = this;
    const { game, isThinking, advice } = play;
    this.#top.render(play, opponent(play.bottom));
    this.#bottom.render(play, play.bottom);
    if (byId("title").textContent !== play.variant.title) {
      byId("title").textContent = play.variant.title;
      document.title = `${play.variant.title} – Soucie`;
      showRules(byId("rules"), play.variant);
    }
    this.#showStatus();
    const { live, shown, setting } = game;
    const { opening } = shown.state ?? {};
    byId("event").textContent = eventText(play);
    byId("record-fault").textContent = setting.fault ?? "";
    const rules = otherRulesText(play.variant, setting.rules);
    for (const place of document.querySelectorAll(".other-rules")) place.textContent = rules;
    const named = opening ? `Opening: ${opening}` : "";
    if (shown.state && byId("opening").textContent !== named) {
      byId("opening").textContent = named;
      if (named) announce(`${named}.`);
    }
    const { isWatched } = game;
    setDisabled("take-back", !game.takeBackTarget);
    const isHintless = advice.isSearching || play.exercise !== null || play.result !== null;
    setDisabled("hint", !play.isConnected || isHintless || play.offered.length === 0);
    setDisabled("offer-draw", !advice.canOfferDraw);
    setDisabled("resign", !play.resigner);
    setDisabled("to-start", shown.parent === null);
    setDisabled("step-back", shown.parent === null);
    setDisabled("step-forward", shown.children.length === 0);
    setDisabled("to-end", shown.children.length === 0);
    byId("play-from-here").hidden =
      play.exercise !== null ||
      (setting.isStudy ? play.result !== null || !shown.state : shown === live);
    byId("to-live").hidden = line(live).includes(shown);
    byId("play-again").hidden = !game.isOver || shown !== live || Boolean(setting.isStudy);
    byId("delete-variation").hidden = !game.variation || shown.isTried;
    byId("delete-variation").textContent = `Delete this ${this.#deleted}`;
    byId("counts-note").hidden = !shown.state?.lines?.length;
    byId("caption").textContent = this.#caption;
    document.body.classList.toggle("has-puzzle", !game.isKept);
    byId("pause").hidden = !isWatched || game.isOver || shown !== live;
    byId("pause").textContent = game.isPaused ? "Go on" : "Pause";
    byId("move-now").hidden = !isThinking || isWatched || shown !== live;
    this.renderClocks();
  }

  renderClocks() {
    const { play } = this;
    this.#top.renderClock(play, opponent(play.bottom));
    this.#bottom.renderClock(play, play.bottom);
  }

  get #deleted() {
    const { variation, end } = this.play.game;
    return variation === end ? "move" : "variation";
  }

  async #deleteVariation() {
    const { play } = this;
    const { game, notation } = play;
    const { move, parent } = game.variation ?? {};
    if (!move || !parent) return;
    const question = `Delete the ${this.#deleted} ${moveText(move, notation)}?`;
    if (!(await ask(question, "Delete", "Cancel")) || game !== play.game) return;
    game.remove(parent, move);
    play.show(parent);
  }

  /** @param {TreeNode} node */
  announceMove(node) {
    if (node !== this.#announced) announce(playedText(node, this.play));
    this.#announced = node;
  }

  #showStatus() {
    const { advice, game } = this.play;
    const { shown, live } = game;
    const { answer } = advice;
    const text = this.#status();
    // What is in progress will have its own result.
    const isFinal = !text.endsWith("…");
    const isFromLesson = isFinal && shown === this.play.announcedByLesson;
    const isOfLesson = text === `${this.play.lesson?.status}.`;
    if (isFromLesson) [this.#announced, this.play.announcedByLesson] = [shown, null];
    const isReached = isFinal && shown !== this.#announced;
    // The same answer again is announced again.
    if (text === byId("status").textContent && answer === this.#answer && !isReached) return;
    this.#answer = answer;
    showText(byId("status"), text);
    // What can be done with a chosen piece is announced with its targets, and the task with the lesson.
    const isSaid = text === this.#place || isOfLesson;
    if (!isFinal || text === advice.choiceText || (isFromLesson && isSaid)) return;
    if (isOfLesson && !isReached) return;
    // A position that was reached is named once.
    const rest = isSaid ? this.#branch : text.replace(promotionText(live), "");
    announce((isReached ? `${reachedText(shown, this.play)} ${rest}` : rest || text).trim());
    this.#announced = shown;
  }

  get #branch() {
    const { live, shown } = this.play.game;
    return line(live).includes(shown) ? "" : "A branch.";
  }

  /** The place of the position on the board in the game. */
  get #place() {
    const { live, shown, setting } = this.play.game;
    const last = this.#branch ? "a branch" : moveNumber(endOfLine(live));
    const { ply, mover } = shown;
    return mover ? `After ${placeText({ ply, mover })} of ${last}.` : startText(setting);
  }

  /** Of a printed diagram. */
  get #caption() {
    const { game, result, lesson, notation } = this.play;
    const { shown } = game;
    const task = lesson?.caption ?? "";
    if (task && !shown.parent) return task;
    const next = result
      ? resultText(result, game)
      : `${sideName(shown.state?.side ?? "black")} to move`;
    const move = shown.move && moveText(shown.move, notation);
    const reached = reachedText({ ...shown, comment: "" }, this.play, move ?? "");
    return `${task} ${reached} ${next}.`.trim();
  }

  #status() {
    const { game, result, isThinking, advice, error, offered, exercise, lesson } = this.play;
    const { live, shown, humanSide, setting } = game;
    if (error) return `The engine refuses this game: ${error}`;
    if (advice.isSearching) return "The engine considers the position …";
    if (advice.answer?.node === shown) return advice.answer.text;
    if (advice.choiceText) return advice.choiceText;
    if (lesson?.status) return `${lesson.status}.`;
    const { reviewed } = this.play;
    if (reviewed) return `Analysing the game: ${reviewed.moves} of ${reviewed.of} moves …`;
    if (result) return `${resultText(result, game)}.`;
    const { state } = shown;
    if (!state) return "Waiting for the engine …";
    if (shown !== live || (exercise && exercise.node !== shown)) return this.#place;
    const happened = promotionText(live) && `${promotionText(live)} `;
    const passed =
      live.move?.path.length === 0
        ? `${nameOf(setting, live.mover ?? "black")} passes. `
        : happened;
    const mover = nameOf(setting, state.side);
    if (isThinking) return `${passed}${mover} is thinking …`;
    const turn = state.side === humanSide ? "Your turn" : `${mover} to move`;
    // Until the first move of a human.
    const isReplacing = game === this.play.replacing && !game.takeBackTarget;
    const kept = isReplacing ? " The game before is kept: Open, Earlier games." : "";
    if (compelled(offered).size > 0) return `${passed}${turn}: a capture is compulsory.${kept}`;
    const isFirst = !live.parent && offered.length > 0 && !setting.isStudy;
    const next = threatText(this.play) || (isFirst ? "choose a piece, then its target" : "");
    return `${passed}${turn}${next && `: ${next}`}.${kept}`;
  }
}
