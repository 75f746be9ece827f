"""Prints the games of a file of self-play without the headers of its parts: games_of.py FILE"""

import sys

BLOCK = 32  # see src/lab/samples/mod.rs
KIND = 19
HEADERS = (0xF0, 0xF1, 0xF2)

data = open(sys.argv[1], "rb").read()
blocks = (data[start : start + BLOCK] for start in range(0, len(data), BLOCK))
sys.stdout.buffer.write(b"".join(block for block in blocks if block[KIND] not in HEADERS))
