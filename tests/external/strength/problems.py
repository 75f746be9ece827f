#!/usr/bin/env python3
"""Measures how well an engine evaluates published problems:
problems.py ENGINE [PROBLEMS] [--nodes N | --movetime MS] [--option NAME=VALUE]...

Each line of PROBLEMS, by default tests/data/draughts/problems.txt, is
`setup ; result for the side to move ; source`. Prints one line: the part of the wins with a score
of at least 150 centipawns, the part of the draws within 80, and the area under the curve of the
score: the probability that a win scores higher than a draw.
"""

import argparse
import sys
from pathlib import Path

from engine import Engine

DRAUGHTS = Path(__file__).parents[2] / "data/draughts/problems.txt"
WIN_FROM, DRAW_TO = 150, 80
# Greater than every evaluation, for mate scores.
MATE = 100_000


def problems(path):
    """The setup and the result of each problem."""
    with open(path, encoding="utf-8") as lines:
        fields = [line.split(" ; ") for line in lines if line.strip() and not line.startswith("#")]
    return [(setup, result) for setup, result, *_ in fields]


def start(path, options):
    """An engine for draughts with these options."""
    engine = Engine(path)
    engine.send("uci", "setoption name UCI_Variant value englishdraughts")
    for option in options:
        name, _, value = option.partition("=")
        engine.send(f"setoption name {name} value {value}")
    return engine


def search(engine, setup, limit):
    """The last score of a search, in centipawns for the side to move; None if there is none."""
    score = None
    for line in engine.lines("ucinewgame", f"position fen {setup}", f"go {limit}"):
        words = line.split()
        if words[:1] == ["bestmove"]:
            return score
        if words[:1] == ["info"] and "score" in words:
            kind, value = words[words.index("score") + 1 :][:2]
            mate = MATE if int(value) > 0 else -MATE
            score = int(value) if kind == "cp" else mate


def area_under_curve(wins, draws):
    """The probability that a win scores higher than a draw; a tie counts half."""
    higher = sum((win > draw) + (win == draw) / 2 for win in wins for draw in draws)
    return higher / (len(wins) * len(draws))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("engine")
    parser.add_argument("problems", nargs="?", default=DRAUGHTS)
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--nodes", type=int, default=100_000)
    limit.add_argument("--movetime", type=int, help="milliseconds")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    arguments = parser.parse_args()
    limit = f"movetime {arguments.movetime}" if arguments.movetime else f"nodes {arguments.nodes}"
    engine = start(arguments.engine, arguments.option)
    scores = {"win": [], "draw": [], "loss": []}
    for setup, result in problems(arguments.problems):
        score = search(engine, setup, limit)
        if score is None:
            print(f"refused: {setup}", file=sys.stderr)
        else:
            scores[result].append(score)
    engine.send("quit")
    # A lost problem is a win for the other side.
    wins = scores["win"] + [-score for score in scores["loss"]]
    draws = scores["draw"]
    recognised_wins = sum(score >= WIN_FROM for score in wins)
    recognised_draws = sum(abs(score) <= DRAW_TO for score in draws)
    area = area_under_curve(wins, draws)
    print(
        f"{limit}: wins {recognised_wins}/{len(wins)} ({recognised_wins / len(wins):.1%}),"
        f" draws {recognised_draws}/{len(draws)} ({recognised_draws / len(draws):.1%}),"
        f" area under the curve {area:.4f}"
    )


main()
