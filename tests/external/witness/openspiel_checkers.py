#!/usr/bin/env python3
"""Compares Soucie's rules of English draughts with the game `checkers` of OpenSpiel.

    python3 tests/external/witness/openspiel_checkers.py PATH_TO_SOUCIE [--positions N] [--seed S]

Plays random games in OpenSpiel and compares every position, once as the moves that led there and
once as a setup: the legal moves must be the same, and so must the end of the game. The
last line counts the positions; the exit status is 1 if one differed. Needs the package
`open_spiel`; without it nothing is compared and the exit status is 0.

Differences that the comparison compensates for:
- The first player has the lower side of the board: squares are rotated.
- Each jump is an action of its own: the jumps of a capture are joined.

OpenSpiel draws after 40 plies without a capture, also while men advance, and has no draw by
repetition. The options of Soucie are set to these rules.
"""

import argparse
import random
import sys

from english_draughts import Tally
from soucie import BLACK, DRAW, WHITE, Engine, differences

PIECES = {"o": ("B", ""), "8": ("B", "K"), "+": ("W", ""), "*": ("W", "K")}


def rotated(squares):
    """Returns the names of squares on the rotated board: a3 is h6."""
    names = {**dict(zip("abcdefgh", "hgfedcba")), **dict(zip("12345678", "87654321"))}
    return "".join(names[letter] for letter in squares)


def setup_of(state, side):
    """A state as a setup."""
    lists = {"W": [], "B": []}
    for row, line in enumerate(str(state).splitlines()[:8]):
        for column, cell in enumerate(line[1:]):
            if cell in PIECES:
                colour, crown = PIECES[cell]
                number = (7 - row) * 4 + (7 - column) // 2 + 1
                lists[colour].append(f"{crown}{number}")
    return f"{'BW'[side]}:W{','.join(lists['W'])}:B{','.join(lists['B'])}"


def moves_of(state):
    """Returns the legal moves with the actions of each."""
    moves = {}
    for action in state.legal_actions():
        text = rotated(state.action_to_string(action))
        next_state = state.child(action)
        if next_state.current_player() != state.current_player():
            moves[text] = [action]
            continue
        for rest, actions in moves_of(next_state).items():
            moves[text + rest[2:]] = [action, *actions]
    return moves


def compare_game(game, engine, rng, tally, limit):
    """Plays a random game and compares at most `limit` of its positions."""
    state = game.new_initial_state()
    played = []
    for ply in range(limit):
        outcome = None
        if state.is_terminal():
            outcome = {1.0: BLACK, -1.0: WHITE, 0.0: DRAW}[state.returns()[BLACK]]
        side = BLACK if ply % 2 == 0 else WHITE
        moves = moves_of(state)
        texts = sorted(moves)
        setup = setup_of(state, side)
        by_moves = "position startpos" + (" moves " + " ".join(played) if played else "")
        faults = [
            fault
            # A setup has no earlier moves, on which draws depend.
            for position in [by_moves, f"position fen {setup}"][: 1 if outcome == DRAW else 2]
            for fault in differences(engine, position, texts, outcome)
        ]
        tally.add(faults, texts, setup, outcome)
        if outcome is not None:
            return
        text = rng.choice(texts)
        played.append(text)
        for action in moves[text]:
            state.apply_action(action)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", help="the soucie binary")
    parser.add_argument("--positions", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    try:
        import pyspiel
    except ImportError:
        print("SKIPPED: the Python package open_spiel is not installed")
        return 0

    game = pyspiel.load_game("checkers")
    rng = random.Random(arguments.seed)
    options = {"UCI_Variant": "englishdraughts", "Repetition Draw": 0}
    options |= {"Draw Move Count": 0, "No Capture Draw": 20}
    engine = Engine(arguments.engine, options)
    tally = Tally()
    while (left := arguments.positions - tally.all()) > 0:
        compare_game(game, engine, rng, tally, left)
    engine.close()
    return tally.report()


if __name__ == "__main__":
    sys.exit(main())
