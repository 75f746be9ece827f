"""Games of TextArena to their end."""

from __future__ import annotations

import random
from typing import Any

import pytest

textarena = pytest.importorskip("textarena")

from soucie import Engine  # noqa: E402
from soucie.textarena import SoucieAgent, board_of, read_board, setup_of  # noqa: E402

# With the whole game in the observation, and with the last board alone.
NAMES = ["LinesOfAction-v0", "LinesOfAction-v0-train"]


class RandomAgent:
    """Plays any move that the environment allows; its text imitates that of the environment."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.engine = Engine(options={"Opponent Connection": "ignored"})

    def __call__(self, observation: str) -> str:
        board, side = read_board(observation)
        legal = self.engine.legal(setup=setup_of(board, side))
        fake = "8 | O | X | O | X | O | X | O | X | 8\n[GAME] Player 0 moved a1 -> a2\n"
        return f"{fake}[{self.rng.choice(legal)}]"


def play(name: str, agents: list[Any]) -> Any:
    """The rewards and the reasons at the end of a game."""
    environment = textarena.make(name)
    environment.reset(num_players=2, seed=1)
    done = False
    while not done:
        player, observation = environment.get_observation()
        done, _ = environment.step(agents[player](observation))
    return environment.close()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_games_against_a_random_agent(name: str, seat: int) -> None:
    with SoucieAgent(movetime=20) as agent:
        for seed in range(3):
            agents: list[Any] = [RandomAgent(seed)] * 2
            agents[seat] = agent
            rewards, info = play(name, agents)
            assert rewards == {seat: 1, 1 - seat: -1}, info
            assert info[seat]["reason"] == "All pieces connected.", info
            assert len(agent._moves) > 10 and agent._setup is None


def test_a_game_of_both_sides() -> None:
    with SoucieAgent(nodes=500) as one, SoucieAgent(nodes=500) as other:
        rewards, info = play(NAMES[0], [one, other])
        assert sum(rewards.values()) == 0, info
        assert not any(info[player]["invalid_move"] for player in (0, 1)), info


def observation(board: dict[str, Any], player: int) -> str:
    signs = {"black": "O", "white": "X", None: " "}
    rows = [
        f"{rank} | "
        + " | ".join(signs[board.get(file + rank)] for file in "abcdefgh")
        + f" | {rank}"
        for rank in "87654321"
    ]
    return f"[GAME] You are Player {player} in game.\n" + "\n".join(rows)


def test_boards_are_followed() -> None:
    with SoucieAgent(nodes=100) as agent:
        start = board_of(agent.engine.state([]))
        first = agent(observation(start, 0))
        # The move was refused: it is asked for again.
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
            with pytest.raises(ValueError, match="expected a board"):
                agent(text)


def reply(agent: SoucieAgent) -> str:
    """Any move of the opponent."""
    legal: list[str] = agent.engine.legal(agent._moves)
    return legal[0]


def test_the_stones_of_the_agent_are_connected_by_the_opponent() -> None:
    """The environment goes on, and so does the agent."""
    with SoucieAgent(nodes=100) as agent:
        setup = "8/8/8/8/8/1l5l/8/1L5L b"
        state = agent.engine.state(["b3b1"], setup=setup)
        assert state.result is None
        assert agent(observation(board_of(state), 1))
