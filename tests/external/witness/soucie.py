"""A Soucie process for the comparisons with other programs."""

import subprocess
import sys

BLACK, WHITE, DRAW = 0, 1, 2
OUTCOMES = {BLACK: "Black has won", WHITE: "White has won", DRAW: "drawn"}


class Engine:
    """A Soucie process with some options set."""

    def __init__(self, path, options):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        for name, value in options.items():
            self.send(f"setoption name {name} value {value}")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def query(self, *lines):
        """Sends lines and returns the answers to them."""
        for line in (*lines, "isready"):
            self.send(line)
        answers = []
        while True:
            answer = self.process.stdout.readline()
            if not answer:
                sys.exit(f"the engine has ended after {lines}")
            if answer.strip() == "readyok":
                return answers
            answers.append(answer.rstrip("\n"))

    def moves_and_result(self, position):
        """Returns the legal moves of a position and the text of its result, None without one."""
        answers = self.query(position, "moves", "d")
        errors = [line for line in answers if line.startswith("info string error")]
        if errors:
            return errors, None
        moves = [line.split()[1:] for line in answers if line.split()[:1] == ["moves"]]
        ends = [line[len("Game over: ") :] for line in answers if line.startswith("Game over: ")]
        if len(moves) != 1:
            sys.exit(f"{position}: no list of moves in {answers}")
        return sorted(moves[0]), ends[0] if ends else None

    def close(self):
        self.send("quit")
        self.process.communicate(timeout=10)


def differences(engine, position, moves, outcome):
    """Yields what differs in Soucie, as text. The outcome is None if the game is not over."""
    found, end = engine.moves_and_result(position)
    if found != moves:
        yield f"{position}\n  moves expected {' '.join(moves)}\n  moves found    {' '.join(found)}"
    if outcome is None and end is not None:
        yield f"{position}\n  expected to go on, found: {end}"
    if outcome is not None and not (end or "").startswith(OUTCOMES[outcome]):
        yield f"{position}\n  expected: {OUTCOMES[outcome]}, found: {end}"
