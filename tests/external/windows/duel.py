#!/usr/bin/env python3
"""Plays games of the library against the program by its protocol: duel.py PATH_TO_SOUCIE MILLISECONDS DRIVER...

The openings are lines of standard input, and DRIVER is the command line of `driver duel`. Prints the
moves of both sides in the form of the driver.
"""

import json
import subprocess
import sys
import time

from check import board_of, setup

MOST_PLIES = 200


class Process:
    """A program that reads and writes lines."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def line(self, start=""):
        while line := self.process.stdout.readline():
            if line.startswith(start):
                return line.rstrip()
        sys.exit(f"{self.process.args[0]} has ended")


def reply(soucie, milliseconds, board, colour):
    """The board after the move of the program; `None` without a move."""
    position = f"position fen {setup(board, colour)}"
    soucie.send(position)
    soucie.send(f"go movetime {milliseconds}")
    best = soucie.line("bestmove").split()[1]
    if best == "(none)":
        return None
    soucie.send(f"{position} moves {best}")
    soucie.send("state")
    return board_of(json.loads(soucie.line("state ").removeprefix("state "))["setup"])


def main():
    milliseconds, command = sys.argv[2], sys.argv[3:]
    soucie, driver = Process([sys.argv[1]]), Process(command)
    soucie.send("setoption name UCI_Variant value draughts")
    for game, opening in enumerate(sys.stdin):
        driver.send(opening.strip())
        print(driver.line())
        board, colour = opening.split()
        for ply in range(MOST_PLIES):
            if (game + ply) % 2:
                began = time.monotonic()
                after = reply(soucie, milliseconds, board, colour)
                driver.send(after or "end")
                if not after:
                    break
                print(board, colour, 3, round((time.monotonic() - began) * 1e3), after, 0)
            else:
                line = driver.line()
                print(line)
                _, _, claim, _, after, *_ = line.split(" ")
                if claim != "3" or after == board:
                    break
            board, colour = after, "wb"[colour == "w"]


main()
