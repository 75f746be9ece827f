#!/usr/bin/env python3
"""Measures whether the grades of problems mean something: grades.py ENGINE [PROBLEMS]...

Prints for each game and grade how many problems each named level solves, with the 95 % interval in
percent. A level solves a problem if it plays the first move of the solution. Without files, these are
the built-in problems; a file has those of one game, as `soucie problem generate` prints them.
"""

import json
import math
import subprocess
import sys


class Engine:
    """An engine on a pipe."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def answer(self, command, word):
        """The rest of the first line that begins with a word."""
        self.send(command)
        for line in self.process.stdout:
            if line.split(maxsplit=1)[:1] == [word]:
                return line.split(maxsplit=1)[1].strip()
        raise SystemExit(f"the engine ended after {command}")

    def solves(self, problem):
        """Whether the engine plays the key."""
        self.send("ucinewgame", f"position fen {problem['setup']}")
        moves = json.loads(self.answer("state", "state"))["legal"]
        key = next(move["coordinate"] for move in moves if move["standard"] == problem["solution"][0])
        return self.answer("go movetime 1000", "bestmove").split()[0] == key


def share(solved):
    """The share of true values, with its 95 % interval, in percent."""
    mean = sum(solved) / len(solved)
    return f"{100 * mean:5.1f} ±{196 * math.sqrt(mean * (1 - mean) / len(solved)):4.1f}"


def main():
    engine = Engine(sys.argv[1])
    files = [[json.loads(line) for line in open(path, encoding="utf-8")] for path in sys.argv[2:]]
    variants = {variant["name"]: variant["levels"] for variant in json.loads(engine.answer("variants", "variants"))}
    engine.send("setoption name Draw Move Count value 0")
    for name, levels in variants.items():
        engine.send(f"setoption name UCI_Variant value {name}")
        problems = json.loads(engine.answer("problems", "problems"))
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
                shares.append(f"{level} {share([engine.solves(problem) for problem in of_grade])}")
            print(f"{name} grade {grade}, {len(of_grade)} problems: {', '.join(shares)}", flush=True)
    engine.send("quit")


main()
