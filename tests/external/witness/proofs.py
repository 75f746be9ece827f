#!/usr/bin/env python3
"""Checks proof files of Soucie with other rules than its own.

    python3 tests/external/witness/proofs.py PATH_TO_SOUCIE [DATABASE [FILE...]]

Soucie proves wins and that there is none, for the positions below and for every move of the problems.
The files are read here, with the rules of pydraughts for draughts and those below for Lines of Action.
Each proof must hold, and not any more after one of its moves is changed to another. Draws by
repetition of the game before count, those by counts of moves do not. The last line counts the proofs; the exit status is 1 if one failed. Without pydraughts those of draughts are left
out.

With DATABASE, a file in the format of Chinook that Soucie has in a folder of its own, proofs of built-in
problems of draughts that rest on it are checked too: the reader of databases.py has the values of the
positions where they end. With FILEs, these are checked instead, however long they are; they may rest on
other tables with up to as many pieces.
"""

import os
import re
import subprocess
import sys
import tempfile

from databases import Database, is_quiet

try:
    import draughts
except ImportError:
    draughts = None

PROVED = [
    ("linesofaction", "8/6L1/3lLLl1/1L2Ll2/2llL3/3llLl1/3l2L1/8 b"),
    ("linesofaction", "6l1/L3lL2/L1L1L3/L2l4/3llLl1/6lL/8/8 b"),
    ("englishdraughts", "W:WK14,K15,K18:BK1,K6"),
    ("englishdraughts", "W:WK18:BK1,K6"),
]
# With the number of occurrences that draws the game.
PROBLEMS = [
    ("linesofaction", "8/6L1/3lLLl1/1L2Ll2/2llL3/3llLl1/3l2L1/8 b", "win", 0),
    ("linesofaction", "8/2L5/8/3l4/1l2L3/2LlL1L1/1l1LLl2/3l4 b", "win", 0),
    ("linesofaction", "8/3L4/3L4/Ll3l2/1LL1l1l1/2Llll2/2LL4/6l1 b", "win in 3", 0),
    ("linesofaction", "8/1l3l2/3LL1L1/2L1l1l1/8/8/8/8 w", "win in 3", 2),
    ("englishdraughts", "W:W22,K29:B4,6", "win", 0),
    ("englishdraughts", "W:W22,K29:B4,6", "win in 2", 0),
    ("englishdraughts", "W:WK8,K27:BK12", "win in 4", 2),
]

# The number of built-in problems of draughts that are proved.
BUILT_IN = 5
# Larger proofs that Soucie writes here are left out, in bytes.
LARGEST = 100_000


class Loa:
    """A position of Lines of Action: a dictionary of squares (file, rank) and the side to move."""

    def __init__(self, stones, side):
        self.stones, self.side = stones, side

    @classmethod
    def read(cls, setup):
        """Reads a setup: the stones are l and L, for Black and White."""
        board, side, *_ = setup.split()
        stones = {}
        for row, text in enumerate(board.split("/")):
            file = 0
            for letter in text:
                if letter.isdigit():
                    file += int(letter)
                else:
                    stones[file, 7 - row] = "bw"[letter == "L"]
                    file += 1
        return cls(stones, side)

    def key(self):
        """What the game depends on."""
        return frozenset(self.stones.items()), self.side

    def children(self):
        """The positions after the legal moves, by move; a pass if there is none."""
        found = {}
        for (file, rank), side in self.stones.items():
            if side != self.side:
                continue
            for x, y in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(file + x * n, rank + y * n) for n in range(-7, 8)]
                count = sum(square in self.stones for square in line)
                for sign in (1, -1):
                    way = [(file + sign * x * n, rank + sign * y * n) for n in range(1, count + 1)]
                    target = way[-1]
                    if not (0 <= target[0] < 8 and 0 <= target[1] < 8) or self.stones.get(target) == side:
                        continue
                    if any(self.stones.get(square, side) != side for square in way[:-1]):
                        continue
                    stones = dict(self.stones)
                    del stones[file, rank]
                    stones[target] = side
                    name = "".join("abcdefgh"[f] + str(r + 1) for f, r in ((file, rank), target))
                    found[name] = Loa(stones, "bw"[side == "b"])
        return found or {"pass": Loa(self.stones, "bw"[self.side == "b"])}

    def is_connected(self, side):
        """Whether the stones of a side are one group."""
        own = {square for square, stone in self.stones.items() if stone == side}
        todo = [own.pop()] if own else []
        while todo:
            file, rank = todo.pop()
            near = {(file + x, rank + y) for x in (-1, 0, 1) for y in (-1, 0, 1)} & own
            own -= near
            todo += near
        return not own

    def winner(self):
        """The winner, if the game is over: after a move that connects both, the side that moved."""
        mover = "bw"[self.side == "b"]
        return next((side for side in (mover, self.side) if self.is_connected(side)), None)


class Draughts:
    """A position of English draughts, by pydraughts."""

    def __init__(self, fen):
        self.board = draughts.Board("english", fen)
        self.side = "bw"[self.board.turn == draughts.WHITE]

    read = classmethod(lambda cls, setup: cls(setup))

    def key(self):
        """What the game depends on."""
        side, white, black = re.fullmatch(r"(.):W(.*):B(.*)", self.board.fen).groups()
        return side, frozenset(white.split(",")), frozenset(black.split(","))

    def children(self):
        """The positions after the legal moves, by the squares of the move."""
        found = {}
        for move in self.board.legal_moves():
            next_board = self.board.copy()
            next_board.push(move)
            path = "".join(square_name(number) for number in move.steps_move)
            found[path] = Draughts(next_board.fen)
        return found

    def winner(self):
        """The winner, if the side to move has no move."""
        return None if self.board.legal_moves() else "bw"[self.side == "b"]

    def sets(self):
        """Men and kings of the side to move and of its opponent, on the squares of databases.py."""
        _, *lists = re.fullmatch(r"(.):W(.*):B(.*)", self.board.fen).groups()
        sets = []
        for pieces in lists if self.side == "w" else lists[::-1]:
            pieces = [piece for piece in pieces.split(",") if piece]
            for is_king in False, True:
                numbers = [int(piece.strip("K")) for piece in pieces if (piece[0] == "K") == is_king]
                sets.append([(n - 1 if self.side == "b" else 32 - n) ^ 3 for n in numbers])
        return sets


class Tables:
    """The winner by a database, or None in a draw."""

    def __init__(self, path):
        self.database = Database(path)
        self.values = {}

    def has(self, position):
        """Whether lines of proofs end at a position."""
        return sum(map(len, position.sets())) <= self.database.pieces()

    def winner(self, position):
        """Positions in which a side can capture are not stored: the moves are tried."""
        if position.winner():
            return position.winner()
        sets, key = position.sets(), position.key()
        if key not in self.values:
            other = "bw"[position.side == "b"]
            if is_quiet(sets):
                values = {"win": position.side, "loss": other}
                self.values[key] = values.get(self.database.value(*sets))
            else:
                winners = {self.winner(child) for child in position.children().values()}
                self.values[key] = next((w for w in (position.side, None) if w in winners), other)
        return self.values[key]


def square_name(number):
    """The name of a square of draughts: 1 is b8."""
    row, place = divmod(number - 1, 4)
    return "abcdefgh"[2 * place + (row % 2 == 0)] + str(8 - row)


def read(path):
    """Reads a proof: the fields of its head, and its answers (plies, move) by setup."""
    head, answers = {"moves": [], "options": {}}, {}
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    count = lines.index(next(line for line in lines if line.startswith("positions ")))
    for line in lines[1:count]:
        name, _, value = line.partition(" ")
        if name == "option":
            head["options"].update([value.split("=")])
        elif name == "move":
            head["moves"].append(value)
        else:
            head[name] = value
    for line in lines[count + 1 : -1]:
        plies, move, setup = line.split(" ", 2)
        answers[setup] = int(plies), move
    assert lines[-1] == "end" and len(answers) == int(lines[count].split()[1])
    return head, answers


def play(game, head):
    """The position that a proof is about, and the keys of those that its game may not repeat; None if the
    game is not possible."""
    position = game.read(head["setup"])
    keys = [position.key()]
    for move in head["moves"]:
        if move not in position.children() or position.winner():
            return None
        position = position.children()[move]
        keys.append(position.key())
    # One occurrence would draw every game.
    limit = max(int(head["options"]["Repetition Draw"]), 2)
    is_on = head["options"]["Repetition Draw"] != "0"
    return position, {key for key in keys if is_on and keys.count(key) + 1 >= limit}


def holds(game, head, answers, tables=None):
    """Whether a proof holds, which may rest on tables."""
    played = play(game, head)
    if not played or played[0].winner():
        return False
    start, drawn = played
    if "within" in head.get("no", ""):
        return is_in_time(game, head, answers, start, drawn)
    assert not ("tables" in head and drawn), "the database has no distances to positions of the game"
    known = {game.read(setup).key(): answer for setup, answer in answers.items()}
    attacker = head["no"].split()[1][0] if "no" in head else None
    winner = attacker or (start.side if "plies" in head else "bw"[start.side == "b"])
    seen, todo = set(), [(start, 10**9)]
    while todo:
        position, limit = todo.pop()
        # A win has an answer for its start, also where the tables have this.
        needs_answer = position is start and winner == start.side
        is_known = "tables" in head and tables.has(position) and not needs_answer
        if is_known or position.winner():
            found = tables.winner(position) if is_known else position.winner()
            if (found == winner) == bool(attacker):
                return False
            continue
        if position.key() in drawn and position is not start:
            if not attacker:
                return False
            continue
        if (position.key(), limit) in seen:
            continue
        seen.add((position.key(), limit))
        if (position.side == winner) == bool(attacker):
            # Every move of the side without answers; a pass would be one too.
            todo += [(child, 0 if attacker else limit) for child in position.children().values()]
            continue
        if position.key() not in known:
            return False
        plies, move = known[position.key()]
        # Wins come nearer with every answer; a defence may go on for ever.
        if not attacker and plies >= limit or move not in position.children():
            return False
        todo.append((position.children()[move], 0 if attacker else plies))
    return True


def is_in_time(game, head, answers, start, drawn):
    """Whether a proof holds that a side cannot win within a number of plies."""
    known = {game.read(setup).key(): answer for setup, answer in answers.items()}
    _, attacker, _, plies = head["no"].split()
    level = {start.key(): start}
    for left in range(int(plies), -1, -1):
        after = {}
        for key, position in level.items():
            if position.winner() == attacker[0]:
                return False
            if position.winner() or left == 0 or key in drawn and position is not start:
                continue
            children = position.children()
            if position.side != attacker[0]:
                if key not in known or known[key][0] < left or known[key][1] not in children:
                    return False
                children = {"": children[known[key][1]]}
            after.update((child.key(), child) for child in children.values())
        level = after
    return True


def damaged(head, answers):
    """The proof with another move in a line, for the first, the middle and the last one, and in its game."""
    lines = list(answers.items())
    for setup, (plies, _) in {lines[i] for i in (0, len(lines) // 2, -1) if lines}:
        yield head, {**answers, setup: (plies, "a1a1")}
    if head["moves"]:
        yield {**head, "moves": ["a1a1"]}, answers


def written(soucie, database, folder):
    """Lets Soucie write proofs, and returns their variants and paths."""
    files = []
    for number, (variant, setup) in enumerate(PROVED):
        path = os.path.join(folder, f"{number}.proof")
        run(soucie, "prove", "--variant", variant, "--fen", setup, "--out", path)
        files.append((variant, path))
    checks = []
    for variant, setup, terms, limit in PROBLEMS:
        arguments = ["--variant", variant, "--fen", setup, "--terms", terms]
        checks.append((variant, [*arguments, "--option", f"Repetition Draw={limit}"]))
    if database:
        listed = os.path.join(folder, "problems")
        lines = run(soucie, "problem", "list", "--variant", "draughts").splitlines(keepends=True)
        with open(listed, "wb") as file:
            file.writelines(lines[:BUILT_IN])
        checks.append(("englishdraughts", [listed, "--tables", os.path.dirname(database)]))
    for number, (variant, arguments) in enumerate(checks):
        out = os.path.join(folder, f"problem-{number}")
        run(soucie, "problem", "check", *arguments, "--nodes", "3000", "--out", out)
        paths = [os.path.join(out, name) for name in sorted(os.listdir(out))]
        files += [(variant, path) for path in paths if os.path.getsize(path) < LARGEST]
    return files


def run(*command):
    return subprocess.run(command, check=True, capture_output=True).stdout


def main():
    soucie, *others = map(os.path.abspath, sys.argv[1:])
    database, paths = others[0] if others else None, others[1:]
    tables = Tables(database) if database else None
    games = {"linesofaction": Loa, "englishdraughts": Draughts}
    checked = rested = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SOUCIE_HOME"] = folder
        files = [("englishdraughts", path) for path in paths] or written(soucie, database, folder)
        for variant, path in files:
            if variant == "englishdraughts" and not draughts:
                continue
            game = games[variant]
            head, answers = read(path)
            if "tables" in head and not tables:
                continue
            if not holds(game, head, answers, tables):
                sys.exit(f"the proof does not hold: {path}\n{head}")
            checked += 1
            rested += "tables" in head
            for wrong_head, wrong in damaged(head, answers):
                if holds(game, wrong_head, wrong, tables):
                    sys.exit(f"a damaged proof is accepted: {path}\n{head}")
                refused += 1
    print(f"{checked} proofs hold, {rested} of them rest on tables; {refused} damaged ones are refused")
    sys.exit(checked == 0)


main()
