"""Analyses an archive and plays games with Dask: with_dask.py ENGINE FOLDER SCHEDULER_FILE

Two worker processes are connected to the scheduler. One is killed in the middle of the analysis.
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile

from dask.distributed import Client, as_completed


def analyse(engine, queries):
    """The replies to a part of the archive."""
    command = [engine, "analyse", "-", "--queries", "--jobs", "1"]
    return subprocess.run(command, input=queries, stdout=subprocess.PIPE, check=True).stdout


def selfplay(engine, first, end):
    """The samples of the games with these seeds."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "part.samples"
        command = [f"{engine}-lab", "selfplay", "--seeds", f"{first}..{end}", "--nodes", "50"]
        subprocess.run(command + ["--threads", "1", "--out", out], check=True)
        return out.read_bytes()


def main():
    engine, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    client = Client(scheduler_file=sys.argv[3], timeout=60)
    client.wait_for_workers(2, timeout=60)
    queries = (folder / "queries.jsonl").read_bytes().splitlines(keepends=True)
    parts = [b"".join(queries[start : start + 50]) for start in range(0, len(queries), 50)]
    futures = client.map(analyse, [engine] * len(parts), parts)
    replies = []
    for count, future in enumerate(as_completed(futures), start=1):
        replies.append(future.result())
        if count == len(parts) // 3:
            victim = next(iter(client.run(os.getpid).values()))
            os.kill(victim, signal.SIGKILL)
            print("killed worker", victim, "after", count, "of", len(parts), "parts")
    (folder / "dask.jsonl").write_bytes(b"".join(replies))
    ranges = [(first, first + 10) for first in range(0, 60, 10)]
    games = [client.submit(selfplay, engine, first, end) for first, end in ranges]
    (folder / "dask.samples").write_bytes(b"".join(client.gather(games)))
    print(len(client.scheduler_info()["workers"]), "worker left")


if __name__ == "__main__":
    main()
