#!/usr/bin/env python3
"""Checks games that driver.c has played: check.py PATH_TO_SOUCIE MILLISECONDS exact|average|clock [timed]

Reads the lines of the driver on standard input. Every board that the library returned must be that
after a legal move by the rules of pydraughts, `soucie prove` must not disprove a win or a loss that was
claimed, and the times must be kept. For a clock, MILLISECONDS are its increment. `timed` is for a machine
without other work: no move may take longer than it is allowed to, 150 ms, and what a sleeping thread was
late meanwhile. The last line counts what was checked; the exit status is 1 after a fault, and 77 without the
package pydraughts.
"""

import subprocess
import sys

CLAIMS = {0: "draw", 1: "win", 2: "loss"}
PROOF_NODES = 300_000
TOLERANCE = 150
# The longest time for a move, as a multiple of the average, and as parts of the clock and the increment.
MOST_OF_AVERAGE, MOST_OF_CLOCK, MOST_OF_INCREMENT = 6.4, 0.35, 0.8


def setup(board, colour):
    """The setup of a board of 32 letters."""
    sides = []
    for man, king in ("wW", "bB"):
        pieces = [f"{'K' * (piece == king)}{number}" for number, piece in enumerate(board, 1) if piece in (man, king)]
        sides.append(man.upper() + ",".join(pieces))
    return ":".join([colour.upper(), *sides])


def board_of(fen):
    """The board of 32 letters of a setup."""
    board = ["."] * 32
    for side in fen.split(":")[1:3]:
        colour = side[0].lower()
        for piece in filter(None, side[1:].rstrip(".").split(",")):
            letter = colour.upper() if piece[0] == "K" else colour
            board[int(piece.lstrip("K")) - 1] = letter
    return "".join(board)


def next_boards(draughts, board, colour):
    """The boards after each legal move, and the colour that moves next."""
    position = draughts.Board("english", setup(board, colour))
    return {board_of(position.copy().push(move).fen) for move in position.legal_moves()}


def result(soucie, board, colour):
    """`proved`, `disproved` or `open`: whether the side to move can force a win."""
    command = [soucie, "prove", "--variant", "draughts", "--nodes", str(PROOF_NODES), "--fen", setup(board, colour)]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return output.splitlines()[-1].split(":")[0].split()[0]


def allowed(kind, limit, left):
    """The milliseconds that a move may take, with these left on the clock."""
    if kind == "clock":
        return max(MOST_OF_CLOCK * left, MOST_OF_INCREMENT * limit)
    return limit * (1 if kind == "exact" else MOST_OF_AVERAGE)


def main():
    try:
        import draughts
    except ImportError:
        print("skipped: the Python package pydraughts is missing")
        sys.exit(77)
    soucie, limit, kind = sys.argv[1], float(sys.argv[2]), sys.argv[3]
    is_timed = sys.argv[4:] == ["timed"]
    longest, most_jitter = 0, 0
    faults, times, proofs, claims, expected = [], [], [], {}, None
    games = 0
    for line in sys.stdin:
        if line.strip() == "game":
            games, expected = games + 1, None
            continue
        before, colour, claim, spent, after, left, jitter, *_ = line.split(" ") + ["0"]
        claim, spent, left, jitter = int(claim), float(spent), int(left), float(jitter)
        over = spent - allowed(kind, limit, left + spent - limit)
        longest, most_jitter = max(longest, over), max(most_jitter, jitter)
        if is_timed and over > TOLERANCE + jitter:
            faults.append(f"{over:.0f} ms late, while a sleeping thread was {jitter:.0f} ms late: {line}")
        other = "wb"[colour == "w"]
        legal = next_boards(draughts, before, colour)
        if before != (expected or before):
            faults.append(f"the board was changed between two moves: {line}")
        if after not in (legal or {before}):
            faults.append(f"not the board after a legal move: {line}")
        if kind == "clock" and left < 0:
            faults.append(f"the clock ran out: {line}")
        if claim in CLAIMS:
            claims[CLAIMS[claim]] = claims.get(CLAIMS[claim], 0) + 1
        times.append(spent)
        expected = after
        if claim in (1, 2) and legal and next_boards(draughts, after, other):
            proof = result(soucie, before, colour) if claim == 1 else result(soucie, after, other)
            proofs.append(proof)
            if proof == "disproved":
                faults.append(f"the claim is wrong: {line}")
    late = sum(time > limit * (1 if kind == "exact" else 5) + 40 for time in times)
    # A few moves say little about times, above all while other programs run.
    has_many = len(times) >= 1000
    if kind != "clock" and late > (len(times) // 50 + 1 if has_many else len(times) // 4):
        faults.append(f"{late} of {len(times)} moves took too long")
    average = sum(times) / max(len(times), 1)
    if kind == "average" and average > (1.2 if has_many else 2) * limit:
        faults.append(f"{average:.0f} ms a move on average, {limit:.0f} were allowed")
    print("\n".join(faults))
    if is_timed:
        print(f"at most {longest:.0f} ms late; a sleeping thread at most {most_jitter:.0f} ms")
    named = ", ".join(f"{count} {name}" for name, count in sorted(claims.items()))
    print(f"{games} games, {len(times)} moves, {average:.0f} ms on average, {late} late; claimed: {named or 'nothing'}; proved: {proofs.count('proved')} of {len(proofs)}")
    sys.exit(bool(faults) or not games)


if __name__ == "__main__":
    main()
