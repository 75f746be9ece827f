"""An agent for kaggle-environments (`pip install kaggle-environments`).

    from kaggle_agent import agent
    from kaggle_environments import make

    environment = make("open_spiel_checkers")
    environment.run([agent, "random"])

The environments are `open_spiel_lines_of_action` and `open_spiel_checkers`, with the rules that
`openspiel_bot.py` describes. A submission consists of this file, that one, and a file `main.py` with
the first import above.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import pyspiel
from openspiel_bot import GameFollower, Value, rules
from soucie import Engine, Limits

if TYPE_CHECKING:
    from typing_extensions import Unpack

Agent = Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, int]]

_NOTHING = -1
"""The submission of an agent that has no move to make."""


def make_agent(
    *,
    options: Mapping[str, Value] | None = None,
    program: str | None = None,
    **limits: Unpack[Limits],
) -> Agent:
    """An agent with these limits, which are those of `Engine.play`, such as `movetime=100`.

    The other arguments and the errors are those of `Engine`. The engine starts with the first
    position. An environment of a game that the engine does not play is a `ValueError`.
    """
    running: dict[str, tuple[Engine, GameFollower]] = {}

    def soucie(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> dict[str, int]:
        # The first observation of an episode has no position.
        serialized = observation.get("serializedGameAndState")
        if not serialized:
            return {"submission": _NOTHING}
        game, state = pyspiel.deserialize_game_and_state(serialized)
        if state.is_terminal() or state.current_player() != observation.get("playerId"):
            return {"submission": _NOTHING}
        name = str(game)
        if name not in running:
            settings = rules(game) | dict(options or {})
            running[name] = Engine(options=settings, program=program), GameFollower(game)
        engine, follower = running[name]
        follower.follow(state.history())
        return {"submission": follower.choose(engine, limits.copy())}

    return soucie


agent = make_agent(movetime=1000)
"""The agent with a second for each move."""
