#!/usr/bin/env python3
"""Exchanges game records in PDN with pydraughts.

    python3 tests/external/witness/pydraughts_pdn.py [--games N] [--seed S]

Plays random games in pydraughts, from the start and from random endings, and writes them to a file
with pydraughts. Soucie (an ignored test of `tests/records`) reads and replays them and writes them
again, with comments, variations and glyphs between the moves. pydraughts reads this file: it must
have all games, with the same results and positions. The last line counts the games; the exit status
is 1 if one differed. Needs the package `pydraughts`; without it nothing is compared and the exit
status is 0.

The comparison compensates for one difference: if Black is to move in the setup, pydraughts reads
the first move as the second of its pair, as in games that White begins, and loses a move. Therefore
the tag with such a setup is renamed for its reader.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

from english_draughts import random_setup

ENDS = ["1-0", "0-1", "1/2-1/2", "*"]
CONVERTER = "a_file_of_pdn_is_written_anew"


def play(draughts, rng):
    """Returns a random game of at least one move; None if the setup has no legal move."""
    board = draughts.Board("english", random_setup(rng) if rng.random() < 0.5 else "startpos")
    for _ in range(rng.randrange(1, 80)):
        if board.winner() is not None:
            break
        board.push(rng.choice(board.legal_moves()))
    return board if board.move_stack else None


def convert(source, target):
    """Converts a file with Soucie."""
    environment = dict(os.environ, PDN_FROM=source, PDN_TO=target)
    command = ["cargo", "test", "--workspace", "--locked", "--quiet", "--test", "records"]
    command += ["--", "--ignored", "--exact", CONVERTER]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"the games could not be converted\n{done.stdout}\n{done.stderr}")


def positions(draughts, game):
    """Returns the position after each move of a game that was read."""
    board = draughts.Board("english", game.tags.get("FEN", game.tags.get("BlackFEN", "startpos")))
    fens = []
    for move in game.moves:
        board.push(draughts.Move(board, pdn_move=move))
        fens.append(board.fen)
    return fens


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    try:
        import draughts
        from draughts.PDN import PDNReader, PDNWriter
    except ImportError:
        print("SKIPPED: the Python package pydraughts is not installed")
        return 0

    rng = random.Random(arguments.seed)
    games = []
    while len(games) < arguments.games:
        if board := play(draughts, rng):
            games.append((board, rng.choice(ENDS)))
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "source.pdn"), os.path.join(folder, "target.pdn")
        for number, (board, end) in enumerate(games):
            PDNWriter(source, board, tags={"Event": str(number)}, game_ending=end)
        convert(source, target)
        with open(target, encoding="utf8") as file:
            read = PDNReader(file.read().replace('[FEN "B', '[BlackFEN "B')).games

    faults = [] if len(read) == len(games) else [f"{len(read)} games were read back"]
    for number, ((board, end), game) in enumerate(zip(games, read)):
        replayed = draughts.Board("english", board.initial_fen)
        expected = []
        for move in board.move_stack:
            replayed.push(draughts.Move(replayed, board_move=move.board_move))
            expected.append(replayed.fen)
        found = (game.tags.get("Event"), game.game_ending, positions(draughts, game))
        if found != (str(number), end, expected):
            faults.append(f"game {number}: {(str(number), end, expected)}\n  read back as {found}")
    for fault in faults[:10]:
        print(fault)
    moves = sum(len(board.move_stack) for board, _ in games)
    print(f"{len(games)} games of {moves} moves exchanged, {len(faults)} differ")
    return 1 if faults or not games else 0


if __name__ == "__main__":
    sys.exit(main())
