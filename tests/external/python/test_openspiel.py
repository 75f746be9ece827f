"""Plays whole games with OpenSpiel's own evaluation of bots.

SOUCIE_GAMES is the number of games of each kind. From 20 on, the score is checked, and the opponent
has 1,000 simulations instead of 50.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")
np = pytest.importorskip("numpy")

from open_spiel.python.algorithms.evaluate_bots import evaluate_bots  # noqa: E402
from openspiel_bot import GameFollower, SoucieBot, rules  # noqa: E402
from soucie import Engine  # noqa: E402

GAMES = int(os.environ.get("SOUCIE_GAMES", "2"))
SIMULATIONS = 1000 if GAMES >= 20 else 50
NAMES = ["lines_of_action", "checkers"]


def random_bot(game: Any, player: int, seed: int) -> Any:
    return pyspiel.make_uniform_random_bot(player, seed)


def mcts_bot(game: Any, player: int, seed: int) -> Any:
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 1000, True, seed, False)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("opponent", [random_bot, mcts_bot])
def test_whole_games(name: str, opponent: Any) -> None:
    game = pyspiel.load_game(name)
    points: list[float] = []
    with SoucieBot(game, movetime=100 if GAMES >= 20 else 20) as bot:
        for number in range(GAMES):
            player = number % 2
            bots = [bot, bot]
            bots[1 - player] = opponent(game, 1 - player, number)
            state = game.new_initial_state()
            points.append((evaluate_bots(state, bots, np.random)[player] + 1) / 2)
            check_end(bot.engine, state)
    print(f"{name} against {opponent.__name__}: {100 * sum(points) / GAMES:.1f} % of {points}")
    assert GAMES < 20 or sum(points) / GAMES >= 0.95


def check_end(engine: Engine, state: Any) -> None:
    """Checks that the engine gives a finished game the same result."""
    follower = GameFollower(state.get_game())
    follower.follow(state.history())
    result = engine.state(follower.moves).result
    winner = {1.0: "black", -1.0: "white", 0.0: None}[state.returns()[0]]
    assert result is not None and result.winner == winner, (result, state)


@pytest.mark.parametrize("name", NAMES)
def test_random_games_have_the_same_result_in_the_engine(name: str) -> None:
    game = pyspiel.load_game(name)
    rng = np.random.RandomState(1)
    with Engine(options=rules(game)) as engine:
        for _ in range(30):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
            check_end(engine, state)


def test_games_that_the_engine_does_not_play() -> None:
    for name in ["tic_tac_toe", "checkers(rows=10,columns=10)"]:
        with pytest.raises(ValueError, match="expected the game"):
            SoucieBot(pyspiel.load_game(name), nodes=100)


def test_states_of_several_games_alternate() -> None:
    game = pyspiel.load_game("checkers")
    with SoucieBot(game, nodes=500) as bot:
        states = [game.new_initial_state() for _ in range(3)]
        while not any(state.is_terminal() for state in states):
            for state in states:
                action = bot.step(state)
                assert action in state.legal_actions()
                state.apply_action(action)
