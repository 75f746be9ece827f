#!/usr/bin/env python3
"""First searches under a time limit: first_searches.py ENGINE [REPEATS]

What an engine does only once must not be done in its first search. After the start, a new size of the
transposition table, a new game, and new tables, books, networks and threads, each search has to end
15 ms after its limit at the latest, not counting by how much sleeping threads beside it, one on each
processor, wake late: a virtual machine loses single processors for a while.
Prints each search that was too late.
"""

import itertools
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parent / "strength"))
from engine import Engine

SIZES = (16, 64, 256, 1024, 4096)
# The words of `go`, and the limit in milliseconds. A move takes at most 35 % of the clock.
LIMITS = (
    ("movetime 20", 20),
    ("movetime 50", 50),
    ("movetime 200", 200),
    ("wtime 1000 btime 1000", 350),
)
TOLERANCE = 15
TABLES = tempfile.mkdtemp()
VARIANTS = ("linesofaction", "englishdraughts")


class Sleepers:
    """Threads that sleep for a millisecond at a time, and note by how much the latest wakes too late."""

    def __init__(self):
        self.latest = 0.0
        for processor in os.sched_getaffinity(0):
            threading.Thread(target=self.run, args=(processor,), daemon=True).start()

    def run(self, processor):
        os.sched_setaffinity(0, {processor})
        while True:
            began = time.perf_counter()
            time.sleep(0.001)
            self.latest = max(self.latest, (time.perf_counter() - began) * 1000 - 1)


def is_ready(engine):
    for line in engine.lines("isready"):
        if line.startswith("readyok"):
            return


def search(engine, sleepers, go):
    """Returns the milliseconds that a search took, and how late the sleeping threads were."""
    sleepers.latest = 0.0
    began = time.perf_counter()
    for line in engine.lines(f"go {go}"):
        if line.startswith("bestmove"):
            return (time.perf_counter() - began) * 1000, sleepers.latest


def options(**values):
    return [f"setoption name {name.replace('_', ' ')} value {value}" for name, value in values.items()]


# What comes before a first search, and whether the client waits for `readyok`.
EVENTS = (
    ("the start", [], True),
    ("a new game", ["ucinewgame"], True),
    ("new threads", options(Threads=2), True),
    ("a new game without waiting", ["ucinewgame"], False),
    ("a new size without waiting", options(Hash=48), False),
    ("new tables", options(TablePath=TABLES), True),
)


def first_searches(path, sleepers):
    """Yields a name, the limit of a search, its time, and the lateness of the sleeping threads."""
    for variant, size, (go, limit) in itertools.product(VARIANTS, SIZES, LIMITS):
        engine = Engine(path)
        engine.send(*options(UCI_Variant=variant, OwnBook="false", Hash=size))
        for event, commands, waits in EVENTS:
            engine.send(*commands)
            if waits:
                is_ready(engine)
            name = f"{variant}, after {event}, {size} MiB, go {go}"
            yield name, limit, *search(engine, sleepers, go)
        engine.send("quit")
        engine.process.wait()


def main():
    path = str(Path(sys.argv[1]).resolve())
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    sleepers = Sleepers()
    command = [path, "tables", "build", "--pieces", "4", "--dir", TABLES]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    latest, searches, late = 0, 0, 0
    for _ in range(repeats):
        for name, limit, took, jitter in first_searches(path, sleepers):
            over = took - limit - jitter
            latest = max(latest, over)
            searches += 1
            if over > TOLERANCE:
                late += 1
                print(f"late: {name}: {took:.0f} ms, the sleeping threads {jitter:.0f} ms")
    print(f"first searches: {late} of {searches} too late, at most {latest:.0f} ms beyond the limit")
    sys.exit(late > 0)


main()
