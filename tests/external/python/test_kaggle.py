"""Episodes of kaggle-environments to their end."""

from __future__ import annotations

from typing import Any

import pytest

kaggle = pytest.importorskip("kaggle_environments")

from kaggle_agent import make_agent  # noqa: E402

NAMES = ["open_spiel_lines_of_action", "open_spiel_checkers"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_an_episode_against_a_random_agent(name: str, seat: int) -> None:
    environment = kaggle.make(name, configuration={"includeLegalActions": True, "strictMode": True})
    agents: list[Any] = ["random", "random"]
    agents[seat] = make_agent(movetime=20)
    environment.run(agents)
    assert [agent.status for agent in environment.state] == ["DONE", "DONE"]
    assert [agent.reward for agent in environment.state] == ([1, -1] if seat == 0 else [-1, 1])


@pytest.mark.parametrize("name", NAMES)
def test_an_episode_of_both_sides(name: str) -> None:
    environment = kaggle.make(name)
    environment.run([make_agent(nodes=300), make_agent(nodes=300)])
    assert [agent.status for agent in environment.state] == ["DONE", "DONE"]
    assert sum(agent.reward for agent in environment.state) == 0


def test_an_environment_of_another_game() -> None:
    environment = kaggle.make("open_spiel_tic_tac_toe", debug=True)
    with pytest.raises(ValueError, match="expected the game"):
        environment.run([make_agent(nodes=100), "random"])
