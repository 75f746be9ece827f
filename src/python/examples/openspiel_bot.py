"""A bot for OpenSpiel's games `lines_of_action` and `checkers` (`pip install open_spiel`).

    import pyspiel
    from openspiel_bot import SoucieBot

    game = pyspiel.load_game("checkers")
    state = game.new_initial_state()
    with SoucieBot(game, movetime=100) as bot:
        while not state.is_terminal():
            state.apply_action(bot.step(state))

The engine plays by the rules of OpenSpiel: Lines of Action is drawn when a placement of the stones
occurs again, with either side to move, and after `max_game_length` plies, and a side without a move
has lost; checkers is drawn after 40 plies without a capture, and never by repetition. In OpenSpiel
each jump of a capture is an action of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pyspiel
from soucie import Engine, EngineError, Limits

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

Value = str | int | bool
"""The value of an option."""

_ROTATED = str.maketrans("abcdefgh12345678", "hgfedcba87654321")


def base_name(game: Any) -> str:
    """The name of a game; the games that kaggle-environments wraps have another one."""
    return str(game.get_type().short_name).removesuffix("_proxy")


def rules(game: Any) -> dict[str, Value]:
    """The options with which the engine plays by the rules of an OpenSpiel game.

    Raises `ValueError` for a game that it does not play.
    """
    parameters = game.get_parameters()
    if base_name(game) == "lines_of_action":
        plies = int(parameters.get("max_game_length", 1000))
        return {
            "UCI_Variant": "linesofaction",
            "No Legal Move": "loss",
            "Repetition Draw": 2,
            "Repetition Side": "either",
            "Move Limit": min((plies + 1) // 2, 10_000),
        }
    size = (parameters.get("rows", 8), parameters.get("columns", 8))
    if base_name(game) == "checkers" and size == (8, 8):
        return {
            "UCI_Variant": "englishdraughts",
            "Repetition Draw": 0,
            "Draw Move Count": 0,
            "No Capture Draw": 20,
        }
    raise ValueError(f"expected the game lines_of_action or checkers on 8x8 squares, found {game}")


class GameFollower:
    """The moves of an OpenSpiel game in the notation of the engine."""

    def __init__(self, game: Any) -> None:
        name = base_name(game)
        # In checkers the first player has the lower side of the board, here the upper one.
        self._is_rotated = name == "checkers"
        self._game = pyspiel.load_game(name, game.get_parameters())
        self._begin()

    def _begin(self) -> None:
        self.state = self._game.new_initial_state()
        """The state as a state of the game itself."""
        self.moves: list[str] = []
        """The moves that are complete."""
        self.partial = ""
        """The squares of an incomplete capture."""

    def follow(self, history: list[int]) -> None:
        """Updates the game to this history of actions."""
        known = self.state.history()
        if history[: len(known)] != known:
            self._begin()
            known = []
        for action in history[len(known) :]:
            player = self.state.current_player()
            leg = self.squares(action)
            self.partial += leg[2:] if self.partial else leg
            self.state.apply_action(action)
            if self.state.is_terminal() or self.state.current_player() != player:
                self.moves.append(self.partial)
                self.partial = ""

    def squares(self, action: int) -> str:
        """The squares from which and to which an action leads, such as `b8b6`."""
        text = str(self.state.action_to_string(action)).replace("-", "").replace("x", "")
        return text.translate(_ROTATED) if self._is_rotated else text

    def choose(self, engine: Engine, limits: Limits) -> int:
        """The action of the engine; the game must not be over."""
        legs = {self.squares(action): int(action) for action in self.state.legal_actions()}
        if len(legs) == 1:
            return next(iter(legs.values()))
        if self.partial:
            legal = engine.legal(self.moves)
            limits["searchmoves"] = [move for move in legal if move.startswith(self.partial)]
        best = engine.play(self.moves, **limits).move
        done = len(self.partial)
        leg = self.partial[-2:] + best[done : done + 2] if best and done else (best or "")[:4]
        if leg not in legs:
            raise EngineError(f"the engine plays {best}, OpenSpiel has {' '.join(legs)}")
        return legs[leg]


class SoucieBot(pyspiel.Bot):
    """The engine as a bot, for any player of its game.

    `limits` are those of `Engine.play`, such as `movetime=100` (milliseconds) or `nodes=10000`;
    `options` those of the protocol. The other arguments are those of `Engine`, and so are the errors.
    A game that the engine does not play is a `ValueError`.
    """

    def __init__(
        self,
        game: Any,
        *,
        options: Mapping[str, Value] | None = None,
        program: str | None = None,
        **limits: Unpack[Limits],
    ) -> None:
        super().__init__()
        settings = rules(game) | dict(options or {})
        self._follower = GameFollower(game)
        self._limits = limits
        self.engine = Engine(options=settings, program=program)
        """The engine, with the rules of the game."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the engine."""
        self.engine.close()

    def restart(self) -> None:
        """Clears the results of earlier searches."""
        self.engine.new_game()

    def restart_at(self, state: Any) -> None:
        """Same as `restart`: every state has its history."""
        self.restart()

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Does nothing: every state has its history."""

    def step(self, state: Any) -> int:
        """The action to play in a state that is not over."""
        self._follower.follow(state.history())
        limits = self._limits.copy()
        return self._follower.choose(self.engine, limits)
