#!/usr/bin/env python3
"""Measures whether the grades of problems mean something: grades.py ENGINE [PROBLEMS]...

Prints for each game and grade how many problems each named level solves, with the 95 % interval in
percent. A level solves a problem if it plays the first move of the solution. Without files, these are
the built-in problems; a file has those of one game, as `soucie problem generate` prints them.
"""

import json
import math
import sys

from engine import Engine


def answer(engine, command, word):
    """The rest of the first line that begins with a word."""
    answers = (line.split(maxsplit=1) for line in engine.lines(command))
    return next(words[1].strip() for words in answers if words[:1] == [word])


def solves(engine, problem):
    """Whether the engine plays the key."""
    engine.send("ucinewgame", f"position fen {problem['setup']}")
    moves = json.loads(answer(engine, "state", "state"))["legal"]
    key = next(move["coordinate"] for move in moves if move["standard"] == problem["solution"][0])
    return answer(engine, "go movetime 1000", "bestmove").split()[0] == key


def share(solved):
    """The share of true values, with its 95 % interval, in percent."""
    mean = sum(solved) / len(solved)
    return f"{100 * mean:5.1f} ±{196 * math.sqrt(mean * (1 - mean) / len(solved)):4.1f}"


def main():
    engine = Engine(sys.argv[1])
    files = [[json.loads(line) for line in open(path, encoding="utf-8")] for path in sys.argv[2:]]
    variants = {variant["name"]: variant["levels"] for variant in json.loads(answer(engine, "variants", "variants"))}
    engine.send("setoption name Draw Move Count value 0")
    for name, levels in variants.items():
        engine.send(f"setoption name UCI_Variant value {name}")
        problems = json.loads(answer(engine, "problems", "problems"))
        if files:
            problems = [problem for file in files for problem in file if problem["variant"] == name]
        elif name == "scrambledeggs":
            continue  # The problems of Lines of Action.
        engine.send("setoption name UCI_LimitStrength value true")
        for grade in sorted({problem["grade"] for problem in problems}):
            of_grade = [problem for problem in problems if problem["grade"] == grade]
            shares = []
            for level, elo in levels.items():
                engine.send(f"setoption name UCI_Elo value {elo}")
                shares.append(f"{level} {share([solves(engine, problem) for problem in of_grade])}")
            print(f"{name} grade {grade}, {len(of_grade)} problems: {', '.join(shares)}", flush=True)
    engine.send("quit")


main()
