#!/usr/bin/env python3
"""Fits the win rates of evaluations (src/core/game/calibration.rs): calibration.py SAMPLES...

The sample files are those of `soucie-lab selfplay`. Prints the margin and the spread of the logistic
function that is closest to the results of the games, each game with the same weight, and the
evaluation from which three quarters of the points are expected: 100 centipawns.
"""

import math
import struct
import sys
from collections import defaultdict
from pathlib import Path

# A sample (src/lab/samples): the pieces of both sides, score, result in half points, kind, ply,
# best move, game, checksum.
SAMPLE = struct.Struct("<16xhBB4xI4x")
KINDS = (0, 1)


def games(path):
    """The scores and results of each game, for the side to move."""
    found = defaultdict(list)
    data = Path(path).read_bytes()
    whole = len(data) // SAMPLE.size * SAMPLE.size
    for score, result, kind, game in SAMPLE.iter_unpack(data[:whole]):
        if kind in KINDS:
            found[game].append((score, result))
    return found.values()


def weights(paths):
    """The weight of each score that was won, and that was not."""
    total = defaultdict(lambda: [0.0, 0.0])
    for path in paths:
        for game in games(path):
            for score, result in game:
                total[score][result != 2] += 1 / len(game)
                total[-score][result != 0] += 1 / len(game)
    return total


def fit(weights):
    """The margin and the spread, by Newton's method from a slope that is too small."""
    slope, level = 1e-4, 0.0
    for _ in range(50):
        errors = [0.0, 0.0]
        matrix = [0.0, 0.0, 0.0]
        for score, (won, other) in weights.items():
            rate = 1 / (1 + math.exp(-(slope * score + level)))
            error, curve = won - (won + other) * rate, (won + other) * rate * (1 - rate)
            errors = [errors[0] + error * score, errors[1] + error]
            matrix = [m + curve * x for m, x in zip(matrix, (score * score, score, 1))]
        (a, b, c), (x, y) = matrix, errors
        determinant = a * c - b * b
        slope += (c * x - b * y) / determinant
        level += (a * y - b * x) / determinant
    return -level / slope, 1 / slope


def three_quarters(margin, spread):
    """The evaluation from which three quarters of the points are expected, by bisection."""

    def rate(evaluation):
        return 1 / (1 + math.exp((margin - evaluation) / spread))

    low, high = 0.0, 10 * (margin + spread)
    for _ in range(60):
        middle = (low + high) / 2
        if (1 + rate(middle) - rate(-middle)) / 2 < 0.75:
            low = middle
        else:
            high = middle
    return low


def main():
    margin, spread = fit(weights(sys.argv[1:]))
    even = three_quarters(margin, spread)
    print(f"margin: {margin:.1f}, spread: {spread:.1f}; 100 centipawns are {even:.0f}")


main()
