// Steps through the games. Without this script the page has the same content.
document.documentElement.classList.add("js");
for (const play of document.querySelectorAll(".play")) {
  const moves = [...play.querySelectorAll("li[data-board]")];
  const board = play.querySelector(".board");
  if (!moves.length || !board) continue;
  const use = (piece, i) =>
    piece === "-" ? "" : `<use href="#${piece}" x="${i % 8}" y="${i >> 3}"/>`;
  const light = (i) => `<rect x="${i % 8}" y="${7 - (i >> 3)}" width="1" height="1"/>`;
  let at = Number(play.dataset.at);
  // Shows the position after the move with this index; -1 is the start.
  const show = (index) => {
    at = Math.max(-1, Math.min(index, moves.length - 1));
    const move = moves[at];
    const code = move ? move.dataset.board : play.dataset.start;
    const lit = move && move.dataset.lit ? move.dataset.lit.split(" ") : [];
    board.querySelector(".men").innerHTML = [...code].map(use).join("");
    board.querySelector(".lit").innerHTML = lit.map(light).join("");
    board.setAttribute("aria-label", "The position, see the line below");
    const side = move && move.classList.contains("black") ? "Black" : "White";
    play.querySelector(".shown").textContent = move
      ? `Move ${(at >> 1) + 1}: ${side} ${move.querySelector(".move").textContent}`
      : "Start position";
    moves.forEach((other) => other.classList.toggle("now", other === move));
  };
  const showHash = () => {
    const index = moves.findIndex((move) => "#" + move.id === location.hash);
    if (index >= 0) show(index);
  };
  play.querySelector(".steps").hidden = false;
  play.addEventListener("click", (event) => {
    const by = event.target.dataset.by;
    if (by) show(at + Number(by));
    const link = event.target.closest(".move");
    if (link) {
      event.preventDefault();
      show(moves.indexOf(link.parentElement));
    }
  });
  play.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) show(at + by);
  });
  addEventListener("hashchange", showHash);
  showHash();
}
