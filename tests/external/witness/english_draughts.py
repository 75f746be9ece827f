"""Helpers of the comparisons of English draughts: squares, setups and counts."""

BLACK_KING_ROW = range(29, 33)
WHITE_KING_ROW = range(1, 5)


def square(number):
    """The name of a dark square: 1 is b8, 32 is g1."""
    row, place = divmod(number - 1, 4)
    return "abcdefgh"[2 * place + (1 if row % 2 == 0 else 0)] + str(8 - row)


def path(numbers):
    """A move as the path of its squares."""
    return "".join(square(number) for number in numbers)


def random_setup(rng):
    """Returns a few pieces of each side on random squares, most of them kings."""
    numbers = rng.sample(range(1, 33), rng.randint(2, 14))
    lists = {"W": [], "B": []}
    for i, number in enumerate(numbers):
        colour = "WB"[i] if i < 2 else rng.choice("WB")
        crowning = WHITE_KING_ROW if colour == "W" else BLACK_KING_ROW
        king = number in crowning or rng.random() < 0.6
        if len(lists[colour]) < 12:
            lists[colour].append(("K" if king else "") + str(number))
    return f"{rng.choice('WB')}:W{','.join(lists['W'])}:B{','.join(lists['B'])}"


class Tally:
    """The counts of the compared positions."""

    def __init__(self):
        self.passed = self.failed = self.multiple = self.kings = self.won = self.drawn = 0

    def add(self, faults, moves, setup, outcome):
        """Counts a position; prints the faults."""
        for fault in faults:
            print(fault)
        self.failed += bool(faults)
        self.passed += not faults
        self.multiple += any(is_multiple(move) for move in moves)
        self.kings += "K" in setup
        self.won += outcome in (0, 1)
        self.drawn += outcome == 2

    def all(self):
        return self.passed + self.failed

    def report(self):
        """Prints the counts; returns the exit status."""
        print(f"{self.multiple} of them had a capture of several pieces, {self.kings} a king")
        print(f"{self.won} of them ended a game with a win, {self.drawn} with a draw")
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


def is_multiple(move):
    """Whether a path has more than one jump."""
    return len(move) > 4
