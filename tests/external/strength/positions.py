#!/usr/bin/env python3
"""Selects start positions for self-play of English draughts: positions.py COUNT SAMPLES...

Prints setups from sample files, at random and as many with each number of pieces from 8 to 23.
"""

import random
import sys
from collections import defaultdict
from pathlib import Path

# A block of a sample file (src/lab/samples): the pieces of the side to move from its own view and
# those of the opponent, 64 bits each, a king on the light square beside its own.
BLOCK = 32
KIND = 19
SAMPLE_KINDS = (0, 1)
PIECES = range(8, 24)


def blocks(path):
    """The squares of both sides, for each sample of the file."""
    data = Path(path).read_bytes()
    for at in range(0, len(data) - BLOCK + 1, BLOCK):
        if data[at + KIND] in SAMPLE_KINDS:
            yield data[at : at + 16]


def side(bits):
    """Returns the pieces of a side in the notation of a setup."""
    pieces = []
    for square in range(64):
        if bits >> square & 1:
            rank, file = divmod(square, 8)
            is_king = (rank + file) % 2 == 1
            pieces.append(f"{'K' if is_king else ''}{(7 - rank) * 4 + file // 2 + 1}")
    return ",".join(pieces)


def main():
    count = int(sys.argv[1])
    rng = random.Random(1)
    found = defaultdict(list)
    for path in sys.argv[2:]:
        for sides in blocks(path):
            found[int.from_bytes(sides, "little").bit_count()].append(sides)
    setups = set()
    for pieces in PIECES:
        chosen = rng.sample(found[pieces], min(len(found[pieces]), count // len(PIECES)))
        for sides in chosen:
            own, others = (int.from_bytes(half, "little") for half in (sides[:8], sides[8:]))
            setups.add(f"B:W{side(others)}:B{side(own)}")
    lines = sorted(setups)
    rng.shuffle(lines)
    print("\n".join(lines))


main()
