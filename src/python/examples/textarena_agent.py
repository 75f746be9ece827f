"""An opponent for Lines of Action and checkers in TextArena (`pip install textarena`).

    import textarena
    from textarena_agent import SoucieAgent

    environment = textarena.make("LinesOfAction-v0")  # or "Checkers-v0"
    environment.reset(num_players=2)
    agents = [SoucieAgent(movetime=500), textarena.agents.HumanAgent()]
    done = False
    while not done:
        player, observation = environment.get_observation()
        done, info = environment.step(agents[player](observation))

The engine plays by the rules of TextArena. In Lines of Action a move that connects only the stones
of the opponent does not end the game, which is drawn after 60 plies without a capture and at the
third occurrence of a position. In checkers no capture is compulsory, each has one jump, and nothing
but the limit of turns, which an observation does not have, draws the game. A player without a move
loses by an invalid one. (The checkers of TextArena 0.7 need Python 3.12, and fail where a player has
no move.)

Only the last board of an observation is read, so that no text of the opponent can mislead the
agent. The agent derives the moves from successive boards. Where this fails, the board becomes its
start position.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import textarena
from soucie import Engine, Limits, Move, State

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

Value = str | int | bool
"""The value of an option."""

Side = Literal["black", "white"]

Board = dict[str, tuple[Side, str]]
"""The side and the kind of the pieces by square."""

RULES: dict[str, dict[str, Value]] = {
    "linesofaction": {
        "UCI_Variant": "linesofaction",
        "Opponent Connection": "ignored",
        "No Legal Move": "loss",
        "Repetition Draw": 3,
        "No Capture Draw": 30,
    },
    "englishdraughts": {
        "UCI_Variant": "englishdraughts",
        "Captures": "optional",
        "Repetition Draw": 0,
        "No Capture Draw": 0,
        "Draw Move Count": 0,
    },
}
"""The options with which the engine plays by the rules of TextArena, by variant."""

_PROMPT = re.compile(r"You are Player ([01]) .*?game of (LinesOfAction|Checkers)")
_LINE_OF_STONES = re.compile(r"^ *([1-8]) \|" + r" ([OX ]) \|" * 8 + r" \1", re.MULTILINE)
_ROW_OF_PIECES = re.compile(r"^ *([0-7]) \|" + r" +([.rRbB])" * 8 + r" *$", re.MULTILINE)


@dataclass(frozen=True)
class Observation:
    """The content of an observation: the game, the board, and the side to move."""

    variant: str
    board: Board
    side: Side


def read_observation(text: str) -> Observation:
    """The game of an observation.

    Raises `ValueError` if it has no prompt or no board of a game that the engine plays.
    """
    prompt = _PROMPT.search(text)
    if not prompt:
        raise ValueError("expected an observation of Lines of Action or checkers")
    # In both programs Black moves first.
    side: Side = "black" if prompt[1] == "0" else "white"
    is_checkers = prompt[2] == "Checkers"
    rows = (_ROW_OF_PIECES if is_checkers else _LINE_OF_STONES).findall(text)[-8:]
    if [row[0] for row in rows] != list("01234567" if is_checkers else "87654321"):
        raise ValueError("expected a whole board in the observation")
    board: Board = {}
    for rank, *cells in rows:
        for column, sign in enumerate(cells):
            if sign in "rRbB" and is_checkers:
                kind = "king" if sign.isupper() else "man"
                board[_square(int(rank), column)] = ("black" if sign in "rR" else "white", kind)
            elif sign in "OX":
                board["abcdefgh"[column] + rank] = ("black" if sign == "O" else "white", "man")
    return Observation("englishdraughts" if is_checkers else "linesofaction", board, side)


def _square(row: int, column: int) -> str:
    """A square of checkers. There the first player has the lower side, here the upper one."""
    return f"{'hgfedcba'[column]}{row + 1}"


def board_of(state: State) -> Board:
    """The board of a state of the engine."""
    return {piece.square: (piece.side, piece.kind) for piece in state.pieces}


def board_after(state: State, move: Move) -> Board:
    """The board after a legal move."""
    board = board_of(state)
    if move.path:
        side, kind = board.pop(move.path[0])
        for square in move.captures:
            del board[square]
        is_crowned = state.variant == "englishdraughts" and move.path[-1][1] in "18"
        board[move.path[-1]] = (side, "king" if is_crowned else kind)
    return board


def setup_of(observation: Observation) -> str:
    """The board as a setup."""
    men, kings = ("mM", "kK") if observation.variant == "englishdraughts" else ("lL", "")

    def letter(square: str) -> str:
        if square not in observation.board:
            return "1"
        side, kind = observation.board[square]
        return (kings if kind == "king" else men)[side == "white"]

    ranks = ("".join(letter(file + rank) for file in "abcdefgh") for rank in "87654321")
    return f"{'/'.join(ranks)} {observation.side[0]}"


def action_of(variant: str, move: str) -> str:
    """Returns a move in the format of the environment: `[b1b3]`, `[2 1 3 2]`."""
    if variant == "linesofaction":
        return f"[{move}]"
    squares = [(int(move[at + 1]) - 1, "hgfedcba".index(move[at])) for at in range(0, len(move), 2)]
    return "[" + " ".join(f"{row} {column}" for row, column in squares) + "]"


class SoucieAgent(textarena.Agent):
    """The engine as an agent: called with an observation, it returns a move.

    `limits` are those of `Engine.play`, such as `movetime=100` (milliseconds); `options` those of the
    protocol. The other arguments are those of `Engine`, and so are the errors. An observation without
    a board of these games is a `ValueError`.
    """

    def __init__(
        self,
        *,
        options: Mapping[str, Value] | None = None,
        program: str | None = None,
        **limits: Unpack[Limits],
    ) -> None:
        super().__init__()
        self._limits = limits
        self._options = dict(options or {})
        self._variant: str | None = None
        self._setup: str | None = None
        self._moves: list[str] = []
        self.engine = Engine(program=program)
        """The engine, with the rules of the environment after the first observation."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the engine."""
        self.engine.close()

    def __call__(self, observation: str) -> str:
        self._follow(read_observation(observation))
        assert self._variant
        move = self.engine.play(self._moves, setup=self._setup, **self._limits).move
        if move is None:
            raise ValueError("expected an observation of a game that is not over")
        self._moves.append(move)
        return action_of(self._variant, move)

    def _follow(self, observation: Observation) -> None:
        """Updates the game to the position of an observation."""
        if observation.variant != self._variant:
            self.engine.configure(RULES[observation.variant] | self._options)
            self._variant, self._setup, self._moves = observation.variant, None, []
        # The game continues, its last move was refused, or a new game begins.
        games = [(self._setup, self._moves), (self._setup, self._moves[:-1]), (None, [])]
        for setup, moves in games:
            state = self.engine.state(moves, setup=setup)
            if state.side == observation.side:
                if board_of(state) == observation.board:
                    self._setup, self._moves = setup, moves
                    return
                continue
            for move in state.legal:
                if board_after(state, move) == observation.board:
                    self._setup, self._moves = setup, [*moves, move.coordinate]
                    return
        self._setup, self._moves = setup_of(observation), []
