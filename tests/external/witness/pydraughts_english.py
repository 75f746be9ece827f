#!/usr/bin/env python3
"""Compares Soucie's rules of English draughts with those of pydraughts.

    python3 tests/external/witness/pydraughts_english.py PATH_TO_SOUCIE [--positions N] [--seed S]

Plays random games in pydraughts, from the start and from random endings, and compares every
position, once as the moves that led there and once as a setup: the legal moves must be the same,
and so must the end of the game, including draws by repetition and by moves without progress. The
last line counts the positions; the exit status is 1 if one differed. Needs the package
`pydraughts`; without it nothing is compared and the exit status is 0.

The rules are the same. No differences are expected.
"""

import argparse
import random
import re
import sys

from english_draughts import Tally, path, random_setup
from soucie import BLACK, DRAW, WHITE, Engine, differences


def any_move(board, moves, rng):
    """Returns a random legal move."""
    return rng.choice(moves)


def shuffling_move(board, moves, rng):
    """Returns often the move that undoes the last one: random play seldom repeats positions."""
    if len(board.move_stack) >= 2 and rng.random() < 0.3:
        last = board.move_stack[-2].steps_move
        back = [move for move in moves if move.steps_move == last[::-1]]
        if back:
            return back[0]
    return rng.choice(moves)


def safe_king_move(board, moves, rng):
    """Returns a king move after which no capture is possible, if there is one: random games seldom
    last until a move counter draws them."""
    kings = [move for move in moves if re.search(rf"K{move.steps_move[0]}\b", board.fen)]
    for move in rng.sample(kings, len(kings)):
        after = board.copy().push(move)
        if not any(reply.has_captures for reply in after.legal_moves()):
            return move
    return rng.choice(moves)


def compare_game(draughts, engine, rng, tally, limit):
    """Plays a random game and compares at most `limit` of its positions."""
    setup = random_setup(rng) if rng.random() < 0.6 else "startpos"
    board = draughts.Board("english", setup)
    start = "startpos" if setup == "startpos" else "fen " + setup
    outcomes = {draughts.BLACK: BLACK, draughts.WHITE: WHITE, 0: DRAW, None: None}
    choose = rng.choices([any_move, shuffling_move, safe_king_move], [5, 4, 1])[0]
    played = []
    for _ in range(limit):
        legal = board.legal_moves()
        moves = sorted(path(move.steps_move) for move in legal)
        outcome = outcomes[board.winner()]
        by_moves = f"position {start}" + (" moves " + " ".join(played) if played else "")
        by_setup = f"position fen {board.fen}"
        # A setup has no earlier moves, so no counter can have ended its game.
        of_board = None if outcome == DRAW else outcome
        faults = [
            *differences(engine, by_moves, [] if outcome == DRAW else moves, outcome),
            *differences(engine, by_setup, moves, of_board),
        ]
        tally.add(faults, moves, board.fen, outcome)
        if outcome is not None:
            return
        move = choose(board, legal, rng)
        played.append(path(move.steps_move))
        board.push(move)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", help="the soucie binary")
    parser.add_argument("--positions", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    try:
        import draughts
    except ImportError:
        print("SKIPPED: the Python package pydraughts is not installed")
        return 0

    rng = random.Random(arguments.seed)
    engine = Engine(arguments.engine, {"UCI_Variant": "englishdraughts"})
    tally = Tally()
    while (left := arguments.positions - tally.all()) > 0:
        compare_game(draughts, engine, rng, tally, left)
    engine.close()
    return tally.report()


if __name__ == "__main__":
    sys.exit(main())
