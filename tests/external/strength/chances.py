#!/usr/bin/env python3
"""Fits the chances of players of a level (src/core/game/calibration.rs).

    chances.py play ENGINE FOLDER [GAMES]    games of each level against itself, and scores of positions of them
    chances.py fit FOLDER                    the curves, and their Brier scores beside those of the engine's `wdl`

A game begins with up to three random moves. Two of its positions, drawn at random, are scored by a search
with the default limit of `soucie analyse`. `play` adds to the files in FOLDER until they have GAMES games
each (1500).

The expected points at a score are `lapse + (1 - 2 lapse) / (1 + exp(-score / spread))`: weak players miss won
games. Each game has the same weight. The errors are those of games that the fit has not seen, in ten parts;
the intervals are from a bootstrap by game.
"""

import json
import math
import random
import sys
from pathlib import Path

from engine import Player, points

VARIANTS = ("linesofaction", "englishdraughts")
LEVELS = {"linesofaction": (1200, 1500, 1610, 2200), "englishdraughts": (420, 880, 1275, 1700)}
NAMES = ("beginner", "easy", "medium", "hard")
NODES = 200_000
POSITIONS = 2
# A proved win is a score too: for players of a level it is no certain win.
MAX_CENTIPAWNS = 3_000


def play_game(player, rng):
    """The moves of a game and Black's points."""
    moves = []
    for _ in range(rng.randrange(4)):
        moves.append(rng.choice(player.legal_moves(moves)))
    return player.play_on(moves)


def play(path, folder, wanted):
    """Plays and scores the games of all levels, some of each in turn."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {(v, l): folder / f"{v}-{NAMES[l]}.jsonl" for v in VARIANTS for l in range(len(NAMES))}
    count = {key: len(file.read_text().splitlines()) if file.exists() else 0 for key, file in files.items()}
    while min(count.values()) < wanted:
        key = min(count, key=count.get)
        variant, level = key
        limit = ("UCI_LimitStrength value true", f"UCI_Elo value {LEVELS[variant][level]}")
        player, judge = Player(path, variant, *limit), Player(path, variant)
        with files[key].open("a") as out:
            for _ in range(50):
                rng = random.Random(f"{variant} {level} {count[key]}")
                moves, result = play_game(player, rng)
                scored = []
                for ply in sorted(rng.sample(range(len(moves)), min(POSITIONS, len(moves)))):
                    judge.send("ucinewgame")
                    (kind, value, wdl), _ = judge.search(moves[:ply], f"nodes {NODES}")
                    cp = value if kind == "cp" else math.copysign(MAX_CENTIPAWNS, value)
                    sign = 1 if ply % 2 == 0 else -1
                    engine = points(wdl) if sign > 0 else 1 - points(wdl)
                    scored.append((ply, sign * max(-MAX_CENTIPAWNS, min(MAX_CENTIPAWNS, cp)), engine))
                print(json.dumps({"result": result, "plies": len(moves), "scored": scored}), file=out)
                count[key] += 1
        for engine in (player, judge):
            engine.send("quit")
            engine.process.wait()


def curve(score, lapse, spread):
    return lapse + (1 - 2 * lapse) / (1 + math.exp(-score / spread))


def error(games, expected):
    """The mean squared error, each game with the same weight."""
    return sum(brier(game, expected) for game in games) / len(games)


def brier(game, expected):
    return sum((expected(cp, engine) - game["result"]) ** 2 for _, cp, engine in game["scored"]) / len(game["scored"])


def fit(games):
    """The lapse and the spread with the least error, by a search of a grid that becomes finer."""
    best, step = (0.05, 150.0), (0.05, 2.0)
    for _ in range(8):
        lapses = [best[0] + step[0] * k for k in (-2, -1, 0, 1, 2)]
        spreads = [best[1] * step[1] ** (k / 2) for k in (-2, -1, 0, 1, 2)]
        choices = [(lapse, spread) for lapse in lapses if 0 <= lapse < 0.5 for spread in spreads]
        best = min(choices, key=lambda choice: error(games, lambda cp, _: curve(cp, *choice)))
        step = (step[0] / 2, step[1] ** 0.6)
    return best


def fit_all(folder):
    for variant in VARIANTS:
        for name in NAMES:
            lines = (folder / f"{variant}-{name}.jsonl").read_text().splitlines()
            games = [game for game in map(json.loads, lines) if game["scored"]]
            gains = []
            for part in range(10):
                choice = fit([game for i, game in enumerate(games) if i % 10 != part])
                for game in games[part::10]:
                    gains.append((brier(game, lambda cp, _: curve(cp, *choice)), brier(game, lambda _, engine: engine)))
            rng = random.Random(1)
            means = []
            for _ in range(1000):
                sample = rng.choices(gains, k=len(gains))
                means.append(sum(new - old for new, old in sample) / len(sample))
            means.sort()
            lapse, spread = fit(games)
            new, old = (sum(column) / len(gains) for column in zip(*gains))
            print(
                f"{variant} {name}: lapse {lapse:.3f}, spread {spread:.0f} centipawns; {len(games)} games; "
                f"Brier score {new:.4f}, of the engine {old:.4f}: {new - old:+.4f} [{means[25]:+.4f}, {means[974]:+.4f}]",
                flush=True,
            )


def main():
    match sys.argv[1:]:
        case ["play", path, folder]:
            play(path, Path(folder), 1500)
        case ["play", path, folder, games]:
            play(path, Path(folder), int(games))
        case ["fit", folder]:
            fit_all(Path(folder))
        case _:
            sys.exit(__doc__)


main()
