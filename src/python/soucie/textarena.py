"""An opponent for TextArena's `LinesOfAction-v0` (extra `textarena`).

    import textarena
    from soucie.textarena import SoucieAgent

    environment = textarena.make("LinesOfAction-v0")
    environment.reset(num_players=2)
    agents = [SoucieAgent(movetime=500), textarena.agents.HumanAgent()]
    done = False
    while not done:
        player, observation = environment.get_observation()
        done, info = environment.step(agents[player](observation))

The engine plays by the rules of TextArena: a move that connects only the stones of the opponent
does not end the game, which is drawn after 60 plies without a capture and at the third occurrence
of a position; a player without a move loses by an invalid one.

Only the last board of an observation is read, so that no text of the opponent can mislead the
agent. From board to board it follows the game; where it cannot, it starts from the board.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING

import textarena

from ._engine import Engine
from ._protocol import Limits, Move, Side, State, Value

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

Board = dict[str, Side]
"""The stones by square."""

_RULES: dict[str, Value] = {
    "UCI_Variant": "linesofaction",
    "Opponent Connection": "ignored",
    "No Legal Move": "loss",
    "Repetition Draw": 3,
    "No Capture Draw": 30,
}


def read_board(observation: str) -> tuple[Board, Side]:
    """The last board of an observation, and the side of its reader.

    Raises `ValueError` if it has none.
    """
    player = re.search(r"You are Player ([01])", observation)
    rows = re.findall(r"^([1-8]) ((?:\| [OX ] ){8})\| \1$", observation, re.MULTILINE)[-8:]
    if not player or [rank for rank, _ in rows] != list("87654321"):
        raise ValueError("expected a board of Lines of Action in the observation")
    board: Board = {}
    for rank, cells in rows:
        for file, cell in zip("abcdefgh", cells[2::4]):
            if cell != " ":
                board[file + rank] = "black" if cell == "O" else "white"
    return board, "black" if player[1] == "0" else "white"


def board_of(state: State) -> Board:
    """The board of a state of the engine."""
    return {piece.square: piece.side for piece in state.pieces}


def board_after(state: State, move: Move) -> Board:
    """The board after a legal move."""
    board = board_of(state)
    if move.path:
        side = board.pop(move.path[0])
        for square in move.captures:
            del board[square]
        board[move.path[-1]] = side
    return board


def setup_of(board: Board, side: Side) -> str:
    """A board as a setup."""
    letters = {"black": "l", "white": "L", None: "1"}
    ranks = ("".join(letters[board.get(file + rank)] for file in "abcdefgh") for rank in "87654321")
    return f"{'/'.join(ranks)} {side[0]}"


class SoucieAgent(textarena.Agent):
    """The engine as an agent: called with an observation, it returns a move such as `[b1b3]`.

    `limits` are those of `Engine.play`, such as `movetime=100` (milliseconds); `options` those of the
    protocol. The other arguments are those of `Engine`, and so are the errors. An observation without
    a board is a `ValueError`.
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
        self._setup: str | None = None
        self._moves: list[str] = []
        self.engine = Engine(options=_RULES | dict(options or {}), program=program)
        """The engine, with the rules of the environment."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the engine."""
        self.engine.close()

    def __call__(self, observation: str) -> str:
        board, side = read_board(observation)
        self._follow(board, side)
        move = self.engine.play(self._moves, setup=self._setup, **self._limits).move
        if move is None:
            raise ValueError("expected an observation of a game that is not over")
        self._moves.append(move)
        return f"[{move}]"

    def _follow(self, board: Board, side: Side) -> None:
        """Brings the game to a board with this side to move."""
        # The game goes on, or a new one begins. The last move stands again if it was refused.
        games = [(self._setup, self._moves), (self._setup, self._moves[:-1]), (None, [])]
        for setup, moves in games:
            state = self.engine.state(moves, setup=setup)
            if state.side == side:
                if board_of(state) == board:
                    self._setup, self._moves = setup, moves
                    return
                continue
            for move in state.legal:
                if board_after(state, move) == board:
                    self._setup, self._moves = setup, [*moves, move.coordinate]
                    return
        self._setup, self._moves = setup_of(board, side), []
