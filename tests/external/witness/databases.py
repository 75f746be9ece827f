#!/usr/bin/env python3
"""Reads a win-loss-draw database of draughts, and compares its values with those of Soucie's tables.

    python3 tests/external/witness/databases.py PATH_TO_SOUCIE TABLES DATABASE [COUNT]

TABLES is a folder of `soucie tables build`, DATABASE a file in the format of Chinook with its index
DATABASE.idx beside it, such as tests/support/chinook.rs writes. The reader here shares nothing with
Soucie's. COUNT random positions (100000) in which neither side can capture are looked
up, and queried from `soucie analyse`. The exit status is 1 if a value differs.
"""

import json
import random
import subprocess
import sys
from math import comb

RUNS = [10, 15, 20, 25, 30, 40, 50, 60, 100, 200, 400, 800, 1600]
VALUES = {"=": "draw", "+": "win", "-": "loss"}


class Database:
    """A database, read as a whole."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        # The value that is left out, and the beginnings of blocks as positions and offsets, by the
        # name of the slice.
        self.slices = {}
        with open(path + ".idx", encoding="ascii") as file:
            for line in file:
                words = line.split()
                if words[0].startswith("BASE"):
                    begins = []
                    self.slices[words[0][4:]] = words[1], begins
                else:
                    block, _, byte = words[2].partition("/")
                    begins.append((int(words[1]), int(block) * 1024 + int(byte or 0)))

    def pieces(self):
        """The maximum number of pieces."""
        return max(sum(map(int, name[:4])) for name in self.slices)

    def value(self, own_men, own_kings, men, kings):
        """The value for the side to move, whose men move to higher squares, from 0 to 31."""
        ranks = [max(own_men, default=0) // 4, max((31 - q for q in men), default=0) // 4]
        counts = [len(own_kings), len(kings), len(own_men), len(men)]
        name = "".join(map(str, counts)) + "." + "".join(map(str, ranks))
        left_out, begins = self.slices[name]
        if len(left_out) == 2:
            return VALUES[left_out[0]]
        number = position_number(own_men, own_kings, men, kings, ranks)
        position, offset = max(begin for begin in begins[:-1] if begin[0] <= number)
        while True:
            byte = self.data[offset]
            length = 5 if byte < 243 else RUNS[byte - 243]
            if number < position + length:
                digit = byte // 3 ** (4 - (number - position)) % 3 if byte < 243 else None
                return VALUES[left_out] if digit is None else VALUES["=+-"[digit]]
            position, offset = position + length, offset + 1


def colex(squares):
    return sum(comb(square, i + 1) for i, square in enumerate(sorted(squares)))


def men_sets(count, rank):
    """The sets of squares whose highest is on a rank, in colexicographic order."""

    def below(count, limit):
        if count == 0:
            yield ()
            return
        for highest in range(count - 1, limit):
            for rest in below(count - 1, highest):
                yield (*rest, highest)

    if count == 0:
        yield ()
        return
    for highest in range(4 * rank, 4 * rank + 4):
        for rest in below(count - 1, highest):
            yield (*rest, highest)


def places(own_men, count, rank):
    """The numbers of sets of opposing men up to a rank, and before it."""

    def squares(ranks):
        return 4 * ranks - sum(square >= 32 - 4 * ranks for square in own_men)

    return comb(squares(rank + 1), count), comb(squares(rank), count) if count else 0


SUMS = {}


def position_number(own_men, own_kings, men, kings, ranks):
    own = tuple(sorted(own_men))
    key = len(own), len(men), *ranks
    if key not in SUMS:
        sums, total = {}, 0
        for earlier in men_sets(len(own), ranks[0]):
            sums[earlier] = total
            upto, before = places(earlier, len(men), ranks[1])
            total += upto - before
        SUMS[key] = sums
    number = SUMS[key][own]
    turned = [31 - q - sum(p > q for p in own) for q in men]
    number += colex(turned) - places(own, len(men), ranks[1])[1]
    taken = sorted({*own_men, *men})
    free = 32 - len(taken)
    for pieces in own_kings, kings:
        number *= comb(free, len(pieces))
        number += colex(square - sum(other < square for other in taken) for square in pieces)
        free -= len(pieces)
        taken = sorted({*taken, *pieces})
    return number


def can_capture(men, kings, others, forward):
    """Whether a piece can jump. Squares are 0 to 31, four a rank; `forward` is 1 or -1."""
    taken = {*men, *kings, *others}
    place = {}
    for square in range(32):
        rank, i = divmod(square, 4)
        place[2 * i + rank % 2, rank] = square
    for (x, y), square in place.items():
        if square not in men and square not in kings:
            continue
        for dy in (1, -1):
            if square in men and dy != forward:
                continue
            for dx in (1, -1):
                over, to = place.get((x + dx, y + dy)), place.get((x + 2 * dx, y + 2 * dy))
                if over in others and to is not None and to not in taken:
                    return True
    return False


def random_position(rng, pieces):
    """Men and kings of the side to move and of its opponent, on squares 0 to 31."""
    while True:
        squares = rng.sample(range(32), rng.randint(2, pieces))
        sets = [[], [], [], []]
        for i, square in enumerate(squares):
            side = i if i < 2 else rng.randint(0, 1)
            crowned = square >= 28 if side == 0 else square < 4
            sets[2 * side + (crowned or rng.random() < 0.5)].append(square)
        if is_quiet(sets):
            return sets


def is_quiet(sets):
    """Whether neither side can capture."""
    own_men, own_kings, men, kings = sets
    own, others = {*own_men, *own_kings}, {*men, *kings}
    return not can_capture(own_men, own_kings, others, 1) and not can_capture(men, kings, own, -1)


def setup(sets, colour):
    """The position in PDN, with this colour to move."""

    def number(square):
        # White's first rank is the last one of the numbers.
        turned = (square ^ 3) if colour == "B" else 31 - (square ^ 3)
        return str(turned + 1)

    def side(men, kings):
        return ",".join([number(q) for q in men] + ["K" + number(q) for q in kings])

    own, other = side(*sets[:2]), side(*sets[2:])
    white, black = (own, other) if colour == "W" else (other, own)
    return f"{colour}:W{white}:B{black}"


def compare(soucie, tables, cases):
    """Compares the values of positions with those that Soucie has from these tables.

    `cases` are pairs of a position and a value. Returns whether all are equal.
    """
    queries, expected = [], {}
    rng = random.Random(2)
    for i, (sets, value) in enumerate(cases):
        text = setup(sets, rng.choice("WB"))
        expected[str(i)] = text, value
        query = {"id": str(i), "variant": "englishdraughts", "setup": text, "nodes": 1}
        queries.append(json.dumps(query))
    # A draw by the number of moves would hide long wins.
    options = ["--option", f"TablePath={tables}", "--option", "Draw Move Count=0"]
    command = [soucie, "analyse", "-", "--queries", "--hash", "1", *options]
    answers = subprocess.run(
        command, input="\n".join(queries) + "\n", stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    compared, over, wrong = {"win": 0, "draw": 0, "loss": 0}, 0, 0
    for reply in map(json.loads, answers.splitlines()):
        text, value = expected.pop(reply["id"])
        if "ending" in reply:
            # The side to move has no move.
            over += 1
        elif reply.get("table", {}).get("value") == value:
            compared[value] += 1
        else:
            wrong += 1
            print(f"{text}: expected {value}, found {reply.get('table')}")
    if expected:
        sys.exit(f"{len(expected)} queries have no reply")
    counts = ", ".join(f"{number} {value}" for value, number in compared.items())
    print(f"{len(queries)} positions: {counts}, {over} without a move, {wrong} wrong")
    return wrong == 0


def main():
    soucie, tables, path, *count = sys.argv[1:]
    count = int(count[0]) if count else 100_000
    database = Database(path)
    rng = random.Random(1)
    positions = [random_position(rng, database.pieces()) for _ in range(count)]
    is_right = compare(soucie, tables, [(sets, database.value(*sets)) for sets in positions])
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
