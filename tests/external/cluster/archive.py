"""Makes an archive of at least 2,000 positions of both games: archive.py ENGINE FOLDER, with soucie-lab beside ENGINE

`queries.jsonl` has a query for each position.
"""

import json
import pathlib
import subprocess
import sys

NODES = 2000


def games(engine, variant, count):
    """The moves of games that the engine plays against itself."""
    command = [f"{engine}-lab", "match", "--first", engine, "--second", engine, "--variant", variant]
    command += ["--games", str(count), "--nodes", "30", "--concurrency", "2", "--json"]
    lines = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    for line in lines.splitlines():
        game = json.loads(line)
        if "moves" in game:
            yield game["opening"]["moves"] + [move["move"] for move in game["moves"]]


def main():
    engine, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    queries = []
    for variant, count in [("linesofaction", 24), ("englishdraughts", 12)]:
        for number, moves in enumerate(games(engine, variant, count)):
            for ply in range(len(moves)):
                name = f"{variant}-{number:03}-{ply:03}"
                query = {"id": name, "variant": variant, "moves": moves[:ply], "nodes": NODES}
                queries.append(json.dumps(query) + "\n")
    assert len(queries) >= 2000, f"only {len(queries)} positions"
    (folder / "queries.jsonl").write_text("".join(queries))
    print(len(queries), "positions")


if __name__ == "__main__":
    main()
