#!/usr/bin/env python3
"""Plays English draughts by the Hub protocol with pydraughts: play.py PATH_TO_SOUCIE [GAMES]

pydraughts is the client. It checks the moves: an illegal one raises an error.
"""

import random
import sys
import threading
import time

import draughts
from draughts.engine import HubEngine, Limit

SOUCIE = sys.argv[1]
GAMES = int(sys.argv[2]) if len(sys.argv) > 2 else 2
# A capture of two pieces that can be made in two ways, and kings of both colours.
SETUPS = ["startpos", "W:WK26,K32:B1,14,15,22,23", "B:WK30,21:BK1,K3,9"]


def open_engine(**options):
    engine = HubEngine(SOUCIE)
    assert engine.variants == {"english"} and engine.id["name"] == "Soucie", (engine.variants, engine.id)
    engine.configure({"variant": "english", "hash": 4, "move-overhead": 5, **options})
    engine.init()
    engine.ping()
    return engine


def whole_game(number, engines):
    """A game in which every second move is random for a while; the limits differ by game."""
    rng = random.Random(number)
    board = draughts.Board("english", SETUPS[number % len(SETUPS)])
    limit = [Limit(movetime=0.02), Limit(time=1.0, inc=0.02), Limit(depth=6), Limit(nodes=3000)][number % 4]
    while not board.is_over():
        moves = board.legal_moves()
        if len(board.move_stack) < 10 and rng.random() < 0.5:
            board.push(rng.choice(moves))
            continue
        result = engines[len(board.move_stack) % 2].play(board, limit, False)
        assert result.move.board_move in [move.board_move for move in moves], result.move.hub_move
        assert result.info["depth"] > 0 and result.info["nodes"] > 0 and result.info["pv"], result.info
        board.push(result.move)
        assert len(board.move_stack) < 600, "the game does not end"
    return f"{len(board.move_stack)} moves, winner {board.winner()}"


def ponder(engine):
    """A ponder search continues when the expected move is played."""
    board = draughts.Board("english")
    result = engine.play(board, Limit(movetime=0.1), False)
    board.push(result.move).push(result.ponder)
    found = []
    search = threading.Thread(target=lambda: found.append(engine.play(board, Limit(movetime=0.1), True)))
    search.start()
    time.sleep(0.5)
    assert not found, "the search ended before the expected move was played"
    engine.ponderhit()
    search.join(30)
    assert found and found[0].move, "no move after the expected move was played"


def analysis(engine):
    """An infinite search is stopped."""
    board = draughts.Board("english")
    engine.send(f"pos pos={board._game.initial_hub_fen}")
    engine.send("level infinite")
    engine.send("go analyze")
    time.sleep(0.3)
    engine.stop()
    lines = []
    while not lines or not lines[-1].startswith("done move="):
        lines.append(engine.recv())
    assert all(line.startswith("info depth=") for line in lines[:-1]) and len(lines) > 3, lines


engines = [open_engine(), open_engine()]
for number in range(GAMES):
    print(whole_game(number, engines), flush=True)
ponder(engines[0])
analysis(engines[1])
for engine in engines:
    engine.quit()
    assert engine.p.wait(10) == 0
weak = open_engine(**{"uci-limitstrength": True, "uci-elo": 500})
print("weak:", whole_game(0, [weak, weak]))
weak.quit()
print("pydraughts: passed")
