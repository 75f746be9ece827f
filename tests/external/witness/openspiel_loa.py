#!/usr/bin/env python3
"""Compares Soucie's rules of Lines of Action with those of OpenSpiel.

    python3 tests/external/witness/openspiel_loa.py PATH_TO_SOUCIE [--positions N] [--seed S]

Plays random games in OpenSpiel and compares every position, once as the moves that led there and
once as a setup: the legal moves must be the same, and so must the end of the game. The
last line counts the positions; the exit status is 1 if one differed. Needs the package
`open_spiel`; without it nothing is compared and the exit status is 0.

OpenSpiel draws at the second occurrence of the stones on the board, with either side to move, and
after 1000 plies, and a side without a legal move has lost. The options of Soucie are set to these
rules. No differences are expected.
"""

import argparse
import random
import sys

from soucie import BLACK, DRAW, WHITE, Engine, differences


NAMES = {None: "open", BLACK: "won", WHITE: "won", DRAW: "drawn"}


def board_of(state):
    """The eight ranks of a state, rank 8 first, as `x`, `o` and `.`."""
    return [line[1:] for line in str(state).splitlines()[:8]]


def setup_of(board, side):
    """The board as a setup."""
    ranks = []
    for rank in board:
        text, empty = "", 0
        for cell in rank + "/":
            if cell == ".":
                empty += 1
                continue
            text += str(empty) if empty else ""
            empty = 0
            text += {"x": "l", "o": "L", "/": ""}[cell]
        ranks.append(text)
    return "/".join(ranks) + (" b" if side == BLACK else " w")


def move_text(state, action):
    """`b8b6`, where OpenSpiel writes `b8-b6` and `c1xa3`."""
    return state.action_to_string(action).replace("-", "").replace("x", "")


def expected(state):
    """The legal moves and the outcome of a state, None while the game goes on."""
    moves = sorted(move_text(state, action) for action in state.legal_actions())
    if not state.is_terminal():
        return moves, None
    return moves, {1.0: BLACK, -1.0: WHITE, 0.0: DRAW}[state.returns()[BLACK]]


def random_action(state, rng):
    """Returns a random legal action, often one that ends the game: random play seldom does."""
    actions = state.legal_actions()
    ends = [action for action in actions if state.child(action).returns() != [0.0, 0.0]]
    return rng.choice(ends if ends and rng.random() < 0.5 else actions)


def compare_game(game, engine, rng, limit):
    """Plays a random game of at most `limit` positions. Yields the outcome of each."""
    state = game.new_initial_state()
    played = []
    for ply in range(limit):
        moves, outcome = expected(state)
        side = BLACK if ply % 2 == 0 else WHITE
        by_moves = "position startpos" + (" moves " + " ".join(played) if played else "")
        by_setup = "position fen " + setup_of(board_of(state), side)
        faults = [
            fault
            # A setup has no earlier positions, on which draws depend.
            for position in ([by_moves] if outcome == DRAW else [by_moves, by_setup])
            for fault in differences(engine, position, moves, outcome)
        ]
        for fault in faults:
            print(fault)
        yield "failed" if faults else NAMES[outcome]
        if state.is_terminal():
            return
        action = random_action(state, rng)
        played.append(move_text(state, action))
        state.apply_action(action)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", help="the soucie binary")
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    try:
        import pyspiel
    except ImportError:
        print("SKIPPED: the Python package open_spiel is not installed")
        return 0

    game = pyspiel.load_game("lines_of_action")
    rng = random.Random(arguments.seed)
    options = {"No Legal Move": "loss", "Repetition Draw": 2, "Repetition Side": "either"}
    engine = Engine(arguments.engine, {**options, "Move Limit": 500})
    counts = dict.fromkeys([*NAMES.values(), "failed"], 0)
    while (left := arguments.positions - sum(counts.values())) > 0:
        for outcome in compare_game(game, engine, rng, left):
            counts[outcome] += 1
    engine.close()
    failed = counts["failed"]
    print(f"{counts['won']} of them ended a game with a win, {counts['drawn']} with a draw")
    print(f"{sum(counts.values()) - failed} passed, {failed} failed")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
