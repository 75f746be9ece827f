/** The analysis of a whole game: the engine writes a page, of which parts are shown. */

import { findMove, levelOfPlayers, line } from "./game.js";
import { Learn } from "./learn.js";
import { announce } from "./messages.js";
import { button, byId, download, onClick, svg } from "./page.js";
import { chancesOptions } from "./protocol.js";
import { headers, today } from "./records.js";
import { kindOf, moveText, placeText, sign } from "./text.js";

const PARTS = ".verdict, .tally, .graph, h3:has(+ .points), .points";

export class Review {
  /** Ends the analysis in progress. @type {((reason: string) => void) | null} */
  #stop = null;
  /** @type {Game | null} */
  #game = null;
  #message = "";
  #drawn = "";
  /** @type {WeakMap<Report, string>} */
  #pages = new WeakMap();
  #report = byId("review-report");
  #learn;
  /** Of the shown position in the graph. */
  #now = svg("line", { class: "at", y2: "100%" });

  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    this.#learn = new Learn(play);
    onClick("review-start", () => this.#start());
    onClick("learn-now", () => {
      byId("review-tab").click();
      const { report, end } = play.game;
      if (report?.html && report.end === end) this.#learn.start();
      else this.#start(true);
    });
    onClick("review-stop", () => this.#stop?.("Stopped."));
    onClick("review-save", () => {
      const page = this.#pages.get(/** @type {Report} */ (play.game.report));
      if (page) download(`analysis-${today()}.html`, "text/html", page);
    });
    this.#report.addEventListener("click", (event) => this.#follow(event));
  }

  get arrows() {
    if (this.#learn.isOn) return this.#learn.arrows;
    const { game } = this.play;
    const { state, children } = game.shown;
    // In the position to play from, an arrow would be a hint.
    if (game.shown === game.live && !game.setting.isStudy) return [];
    const bad = children.find(({ review }) => review && kindOf(review));
    const better = findMove(state?.legal ?? [], bad?.review?.best[0]);
    if (!bad?.move || !better) return [];
    return [
      { path: bad.move.path, kind: "played" },
      { path: better.path, kind: "better" },
    ];
  }

  render() {
    const { play } = this;
    const { game } = play;
    // The focus is lost once its button is hidden.
    const focused = document.activeElement?.id ?? "";
    play.lesson?.render();
    const isLesson = play.lesson !== null;
    byId("lesson").hidden = !isLesson;
    byId("review-parts").hidden = isLesson;
    for (const id of ["puzzles-item", "learn-item", "learn-rules"]) byId(id).hidden = isLesson;
    byId("puzzles-now").hidden = !game.isOver || game.shown !== game.end || isLesson;
    const tab = play.lesson?.tab ?? "Game analysis";
    byId("lesson-previous").hidden = game.isKept;
    for (const id of ["grade", "puzzle-number"]) byId(id).hidden = tab !== "Puzzles";
    byId("review-tab").textContent = tab;
    byId("learn-choice").hidden = !game.report?.html;
    byId("learn-side").hidden = game.humanSide !== null;
    if (this.#stop && game !== this.#game) this.#stop("");
    if (this.#stop && play.isBusy) this.#stop("Stopped: the engine was needed for something else.");
    const { report, end } = game;
    const isRunning = this.#stop !== null;
    const isAtEnd = game.isOver && end.parent !== null && game.shown === end;
    byId("learn-now").hidden = isRunning || !isAtEnd || isLesson;
    byId("review-start").hidden = isRunning;
    byId("review-start").ariaDisabled = String(!end.parent || play.isBusy || !play.isConnected);
    byId("review-start").textContent = report ? "Analyse again" : "Analyse this game";
    byId("review-running").hidden = !isRunning;
    byId("review-found").hidden = !isRunning || Boolean(report?.html);
    if (isRunning && report) this.#showFound(report);
    byId("review-save").hidden = !report || !this.#pages.has(report);
    const { moves: done, of: all } = play.reviewed ?? { moves: 0, of: 1 };
    const progress = byId("review-progress", HTMLProgressElement);
    progress.max = all;
    progress.value = done;
    byId("review-message").textContent = isRunning
      ? `Analysing the game: ${done} of ${all} moves`
      : (game === this.#game && this.#message) || (help(play) ?? "");
    const isStart = ["review-start", "learn-now"].includes(focused);
    if (isRunning && isStart) byId("review-stop").focus();
    if (!isRunning && focused === "review-stop")
      byId(report?.html ? "learn-start" : "review-start").focus();
    this.#draw(report?.html ?? "");
    const nodes = report ? line(report.end) : [];
    for (const point of this.#report.querySelectorAll(".point")) {
      // A lesson may have taken back the mark.
      const review = nodes[plyOf(point.querySelector("a"))]?.review;
      point.toggleAttribute("hidden", !review || !kindOf(review));
    }
    const index = nodes.indexOf(game.shown) - 1;
    const x = `${(100 * index) / Math.max(1, nodes.length - 2)}%`;
    for (const end of ["x1", "x2"]) this.#now.setAttribute(end, x);
    this.#now.style.display = index < 0 ? "none" : "";
  }

  /** The turning points so far, the last one first. @param {Report} report */
  #showFound({ end }) {
    const { play } = this;
    const bad = line(end).filter(({ review }) => review && kindOf(review));
    const buttons = bad.map(({ ply, parent, move, review }) => {
      const place = review && placeText({ ply, mover: review.side });
      const text = `${place}: ${move ? moveText(move, play.notation) : ""} `;
      return button("found", () => parent && play.show(parent), text, sign(review));
    });
    byId("review-found").replaceChildren(...buttons.reverse());
  }

  /** @param {string} html */
  #draw(html) {
    if (html === this.#drawn) return;
    this.#drawn = html;
    const page = new DOMParser().parseFromString(html, "text/html");
    this.#report.replaceChildren(...page.body.childNodes);
    this.#report.querySelector(".plot > svg")?.append(this.#now);
  }

  /** @param {MouseEvent} event */
  #follow(event) {
    const target = /** @type {Element} */ (event.target);
    const point = target.closest(".point");
    const plot = target.closest(".plot > svg");
    const link = point?.querySelector("a") ?? target.closest("a");
    const { end } = this.play.game.report ?? {};
    if (!end) return;
    let ply = plyOf(link);
    if (plot && !link) {
      const { left, width } = plot.getBoundingClientRect();
      const last = end.ply - 1;
      const index = Math.round(((event.clientX - left) / width) * last);
      ply = 1 + Math.max(0, Math.min(index, last));
    }
    event.preventDefault();
    const node = line(end)[ply];
    // A turning point is shown before its move, with the better move.
    const shown = point ? node?.parent : node;
    if (shown) this.play.show(shown);
  }

  /** @param {boolean} [isForLesson] whether a lesson follows */
  #start(isForLesson = false) {
    const { play } = this;
    const { game, engine } = play;
    const { end } = game;
    if (this.#stop || play.isBusy || !play.isConnected || !end.parent) return;
    const nodes = line(end);
    // A finished analysis stays until there is another one.
    const earlier = game.report?.html ? game.report : null;
    /** @type {Report} */
    const report = { end, html: "", annotator: "" };
    if (!earlier) {
      for (const node of nodes) node.review = null;
      game.report = report;
    }
    play.reviewed = { moves: 0, of: end.ply };
    this.#game = game;
    let isDone = false;
    /** @param {string} message */
    const finish = (message) => {
      // The engine may still end a stopped analysis when another one has begun.
      if (isDone) return;
      isDone = true;
      this.#stop = null;
      this.#message = message;
      play.reviewed = null;
      this.#changed(game);
      if (game !== play.game) return;
      announce(message || "The game is analysed.");
      if (isForLesson && !message) this.#learn.start();
    };
    const stop = engine.run(
      game.position(end),
      chancesOptions(levelOfPlayers(game.setting)),
      `analyse ${JSON.stringify({ ...headers(game), last_first: true })}`,
      ({ message }) => finish(`The analysis has failed: ${message.replace("analyse: ", "")}`),
      (text) => {
        if (!text.startsWith("analyse ")) return false;
        const answer = JSON.parse(text.slice("analyse ".length));
        // The engine has the reason.
        if (!answer) return true;
        // It may still send what it had when it was stopped.
        if (isDone) return Boolean(answer.final);
        const node = nodes[answer.ply];
        if (node && play.reviewed) {
          play.reviewed.moves += 1;
          if (!earlier) node.review = answer.review;
          this.#changed(game);
        }
        if (answer.page) {
          for (const review of answer.game.moves) {
            const node = nodes[review.ply];
            if (node) node.review = review;
          }
          if (earlier && game.report === earlier) game.report = report;
          // The content security policy of this page blocks inline styles.
          const text = answer.page.replace(/<style[\s\S]*?<\/style>/, "");
          const page = new DOMParser().parseFromString(text, "text/html");
          for (const board of page.querySelectorAll(".point .board")) board.remove();
          const parts = [...page.querySelectorAll(PARTS)].map((part) => part.outerHTML);
          report.html = parts.join("").replace(/(<\/?)h3/g, "$1h2");
          report.annotator = answer.annotator;
          this.#pages.set(report, answer.page);
        }
        if (answer.final) finish("");
        return Boolean(answer.final);
      },
    );
    this.#stop = (reason) => {
      stop();
      finish(reason);
    };
    announce("Analysing the game.");
    this.#changed(game);
  }

  /** @param {Game} game */
  #changed(game) {
    game.revision += 1;
    if (game === this.play.game) this.play.changed();
  }
}

/** The ply to which a link of the report leads. @param {Element | null} link */
function plyOf(link) {
  return Number(link?.getAttribute("href")?.split("p").at(-1));
}

/** The message while no game is analysed. @param {Play} play */
function help({ game, isBusy }) {
  const { cut, empty, busy, offer } = byId("review-message").dataset;
  if (game.report) return game.report.html ? "" : cut;
  if (!game.end.parent) return empty;
  return isBusy ? busy : offer;
}
