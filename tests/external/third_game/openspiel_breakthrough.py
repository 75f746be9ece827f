#!/usr/bin/env python3
"""Compares the third game's rules of Breakthrough with those of OpenSpiel.

    python3 tests/external/third_game/openspiel_breakthrough.py PATH_TO_SOUCIE [--positions N] [--seed S]

Plays random games in OpenSpiel and compares every position, once as the moves that led there and
once as a setup: the legal moves and the end of the game. The last line counts the positions; the
exit status is 1 if one differed. Needs the package `open_spiel`; without it nothing is compared and
the exit status is 0.
"""

import argparse
import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "witness"))

from soucie import BLACK, WHITE, Engine, differences  # noqa: E402


def setup_of(state, side):
    """A state as a setup, with a digit for each empty square."""
    ranks = [line[1:] for line in str(state).splitlines()[:8]]
    return "/".join(ranks).translate(str.maketrans("bw.", "pP1")) + (" b" if side == BLACK else " w")


def move_text(state, action):
    """`b7a6`, where OpenSpiel marks captures: `b7a6*`."""
    return state.action_to_string(action).rstrip("*")


def compare_game(game, engine, rng, limit):
    """Plays a random game of at most `limit` positions. Yields for each whether it ended the game,
    and the differences."""
    state = game.new_initial_state()
    played = []
    for ply in range(limit):
        moves = sorted(move_text(state, action) for action in state.legal_actions())
        winner = None
        if state.is_terminal():
            winner = BLACK if state.returns()[BLACK] > 0 else WHITE
        by_moves = "position startpos" + (" moves " + " ".join(played) if played else "")
        by_setup = "position fen " + setup_of(state, BLACK if ply % 2 == 0 else WHITE)
        faults = [
            fault
            for position in (by_moves, by_setup)
            for fault in differences(engine, position, moves, winner)
        ]
        yield winner is not None, faults
        if winner is not None:
            return
        action = rng.choice(state.legal_actions())
        played.append(move_text(state, action))
        state.apply_action(action)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", help="the soucie binary with the third game")
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    try:
        import pyspiel
    except ImportError:
        print("skipped: OpenSpiel is not installed")
        return 0

    game = pyspiel.load_game("breakthrough")
    rng = random.Random(arguments.seed)
    engine = Engine(arguments.engine, {"UCI_Variant": "breakthrough"})
    passed = over = failed = 0
    while (left := arguments.positions - passed - failed) > 0:
        for is_over, faults in compare_game(game, engine, rng, left):
            for fault in faults:
                print(fault)
            passed += not faults
            failed += bool(faults)
            over += is_over
    engine.close()
    print(f"{over} of them ended a game")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not over else 0


if __name__ == "__main__":
    sys.exit(main())
