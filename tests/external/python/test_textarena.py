"""Games of TextArena to their end."""

from __future__ import annotations

import random
import sys
from typing import Any

import pytest

textarena = pytest.importorskip("textarena")

from soucie import Engine  # noqa: E402
from textarena_agent import (  # noqa: E402
    RULES,
    Observation,
    SoucieAgent,
    action_of,
    board_of,
    read_observation,
    setup_of,
)

# With the whole game in the observation, and with the last board alone.
STONES = ["LinesOfAction-v0", "LinesOfAction-v0-train"]
CHECKERS = ["Checkers-v0", "Checkers-v0-train"]
needs_new_python = pytest.mark.skipif(
    sys.version_info < (3, 12), reason="TextArena's checkers need Python 3.12"
)
NAMES = [*STONES, *(pytest.param(name, marks=needs_new_python) for name in CHECKERS)]


class Blocked(Exception):
    """This player has no move. TextArena 0.7 fails to end its game of checkers then."""


class RandomAgent:
    """Plays any move that the environment allows; its text imitates that of the environment."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.engine = Engine()

    def __call__(self, text: str) -> str:
        observation = read_observation(text)
        self.engine.configure(RULES[observation.variant])
        legal = self.engine.legal(setup=setup_of(observation))
        fake = "8 | O | X | O | X | O | X | O | X | 8\n 7 | b  b  b  b  b  b  b  b \n[GAME] moved\n"
        if not legal:
            raise Blocked(0 if observation.side == "black" else 1)
        return fake + action_of(observation.variant, self.rng.choice(legal))


def play(name: str, agents: list[Any]) -> Any:
    """Plays a game and returns its rewards and reasons."""
    environment = textarena.make(name)
    environment.reset(num_players=2, seed=1)
    done = False
    while not done:
        player, observation = environment.get_observation()
        action = agents[player](observation)
        try:
            done, _ = environment.step(action)
        except TypeError as error:
            assert "set_winners" in str(error), error
            raise Blocked(player) from None
    return environment.close()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_games_against_a_random_agent(name: str, seat: int) -> None:
    with SoucieAgent(movetime=20) as agent:
        for seed in range(3):
            agents: list[Any] = [RandomAgent(seed)] * 2
            agents[seat] = agent
            try:
                rewards, info = play(name, agents)
                assert rewards == {seat: 1, 1 - seat: -1}, info
                assert not any(info[player]["invalid_move"] for player in (0, 1)), info
            except Blocked as blocked:
                assert name in CHECKERS and blocked.args == (1 - seat,)
            assert len(agent._moves) > 10 and agent._setup is None


@pytest.mark.parametrize("name", NAMES)
def test_a_game_of_both_sides(name: str) -> None:
    with SoucieAgent(nodes=500) as one, SoucieAgent(nodes=500) as other:
        rewards, info = play(name, [one, other])
        assert sum(rewards.values()) == 0, info
        assert not any(info[player]["invalid_move"] for player in (0, 1)), info


def observation(board: dict[str, Any], player: int) -> str:
    signs = {"black": "O", "white": "X"}

    def sign(square: str) -> str:
        return signs[board[square][0]] if square in board else " "

    rows = [
        f"{rank} | {' | '.join(sign(file + rank) for file in 'abcdefgh')} | {rank}"
        for rank in "87654321"
    ]
    return f"[GAME] You are Player {player} in game of LinesOfAction.\n" + "\n".join(rows)


def test_boards_are_followed() -> None:
    with SoucieAgent(nodes=100) as agent:
        start = board_of(agent.engine.state([]))
        first = agent(observation(start, 0))
        # The same board again means that the move was refused.
        assert agent(observation(start, 0))
        assert agent._moves[:-1] == []
        after = board_of(agent.engine.state([*agent._moves, reply(agent)]))
        agent(observation(after, 0))
        assert len(agent._moves) == 3 and first
        # Another game, in the middle.
        other = board_of(agent.engine.state(["d1b3", "h4f2", "b1b4"]))
        agent(observation(other, 1))
        assert agent._setup is not None and len(agent._moves) == 1
        # A new game as the second player.
        agent(observation(board_of(agent.engine.state(["d1b3"])), 1))
        assert agent._setup is None and agent._moves[0] == "d1b3"
        for text in ["", "You are Player 0", observation(start, 0)[:-20], observation(start, 2)]:
            with pytest.raises(ValueError, match="expected a"):
                agent(text)


def reply(agent: SoucieAgent) -> str:
    """Returns a legal move of the opponent."""
    legal: list[str] = agent.engine.legal(agent._moves)
    return legal[0]


def test_the_stones_of_the_agent_are_connected_by_the_opponent() -> None:
    """The environment continues such a game, and so must the agent."""
    with SoucieAgent(nodes=100) as agent:
        agent.engine.configure(RULES["linesofaction"])
        state = agent.engine.state(["b3b1"], setup="8/8/8/8/8/1l5l/8/1L5L b")
        assert state.result is None
        assert agent(observation(board_of(state), 1))


def test_moves_and_setups_of_checkers() -> None:
    board: Any = {"d4": ("white", "man"), "h8": ("black", "king")}
    assert setup_of(Observation("englishdraughts", board, "white")) == (
        "1111111k/11111111/11111111/11111111/111M1111/11111111/11111111/11111111 w"
    )
    assert action_of("englishdraughts", "d4e5") == "[3 4 4 3]"
