#!/usr/bin/env python3
"""Compares what a lesson says with what players of its level do: lessons.py ENGINE [LESSONS [CONTINUATIONS]]

Lessons are the marked moves of games of the level easy against itself, judged by the chances of players of that
level. From the position before and after each, the level plays on against itself: the points of the side that
moved must fall by at least 0.1 in nine of ten.
"""

import json
import random
import sys

from engine import Player

LEVELS = {"linesofaction": 1500, "englishdraughts": 880}
# The least fall of points.
FALL = 0.1


def player(path, variant):
    return Player(path, variant, "UCI_LimitStrength value true", f"UCI_Elo value {LEVELS[variant]}")


def marked(judge, moves):
    """The plies of the moves of a game that are marked, and the points that they lose."""
    for line in judge.lines("position startpos moves " + " ".join(moves), "analyse"):
        answer = json.loads(line.removeprefix("analyse ")) if line.startswith("analyse ") else {}
        if answer.get("final"):
            return
        if answer.get("review", {}).get("mark"):
            yield answer["ply"], answer["review"]["loss"]


def fall(easy, moves, ply, count):
    """What the side that moves loses by a move, in points."""
    means = []
    for end in (ply - 1, ply):
        results = [easy.play_on(moves[:end])[1] for _ in range(count)]
        means.append(sum(results) / count)
    lost = means[0] - means[1]
    return lost if ply % 2 == 1 else -lost


def main():
    path = sys.argv[1]
    lessons, count = ([int(word) for word in sys.argv[2:]] + [100, 200][len(sys.argv) - 2 :])[:2]
    rng = random.Random(1)
    for variant in LEVELS:
        easy, judge = player(path, variant), Player(path, variant, "Chances value easy")
        falls = []
        while len(falls) < lessons // 2:
            moves, _ = easy.play_on([rng.choice(easy.legal_moves([]))])
            found = list(marked(judge, moves))
            for ply, loss in rng.sample(found, min(2, len(found))):
                falls.append(fall(easy, moves, ply, count))
                enough = sum(lost >= FALL for lost in falls)
                print(f"{variant} ply {ply}: {loss:.3f} {falls[-1]:+.3f}; {enough} of {len(falls)}", flush=True)


main()
