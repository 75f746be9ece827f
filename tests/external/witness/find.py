#!/usr/bin/env python3
"""Compares `soucie find` with archives that other programs have replayed.

    python3 tests/external/witness/find.py PATH_TO_SOUCIE [--positions N] [--games N] [--seed S] [ARCHIVE...]

Random games of draughts are played in pydraughts, with few moves to choose from, so that many positions
occur in several games. Archives in PDN are replayed by pydraughts, those in SGF (Lines of Action) by
OpenSpiel. Then random positions of each archive are looked for, once as a setup and once as the moves that
led there: the games and the plies of their first occurrence must be the same, and so must the numbers of
games with each move there in the tree. The last line of each archive counts the positions and the games in
which other moves have led to them; the exit status is 1 if one differed. Without the packages `pydraughts`
and `open_spiel` nothing is compared.
"""

import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from english_draughts import path
from openspiel_loa import board_of, move_text, setup_of
from soucie import BLACK, WHITE


def random_games(draughts, count, rng, target):
    """Writes random games to a file."""
    with open(target, "w", encoding="utf8") as file:
        for number in range(count):
            board = draughts.Board("english", "startpos")
            text = f'[Event "{number}"]\n[GameType "21"]\n\n'
            for ply in range(rng.randrange(8, 60)):
                if board.winner() is not None:
                    break
                move = rng.choice(board.legal_moves()[:3])
                board.push(move)
                sign = "x" if move.has_captures else "-"
                text += f"{ply // 2 + 1}. " if ply % 2 == 0 else ""
                text += sign.join(map(str, move.steps_move)) + " "
            file.write(text + "*\n\n")


def draughts_games(file):
    """Yields the positions of each game of draughts as setups, and its moves as paths of squares."""
    import draughts
    from draughts.PDN import PDNReader

    with open(file, encoding="utf8") as text:
        # In a game that Black begins from a setup, its reader would lose a move: see pydraughts_pdn.py.
        games = PDNReader(text.read().replace('[FEN "B', '[BlackFEN "B')).games
    for game in games:
        setup = game.tags.get("FEN", game.tags.get("BlackFEN", "startpos"))
        board = draughts.Board("english", setup)
        setups, moves = [board.fen], []
        for text in game.moves:
            move = draughts.Move(board, pdn_move=text)
            moves.append(path(move.steps_move))
            board.push(move)
            setups.append(board.fen)
        yield setups, moves


def loa_games(file):
    """Yields the positions and the moves of each game of Lines of Action, up to the first repetition: there the game
    is over in OpenSpiel."""
    import pyspiel

    rules = pyspiel.load_game("lines_of_action")
    with open(file, encoding="utf8") as text:
        records = re.split(r"\(\s*;(?=FF)", text.read())[1:]
    for record in records:
        state = rules.new_initial_state()
        setups, moves = [setup_of(board_of(state), BLACK)], []
        for text in re.findall(r";\s*[BW]\[([a-h][1-8][-:x][a-h][1-8])", record):
            if state.is_terminal():
                break
            legal = {move_text(state, action): action for action in state.legal_actions()}
            moves.append(re.sub("[-:x]", "", text))
            state.apply_action(legal[moves[-1]])
            setups.append(setup_of(board_of(state), BLACK if len(moves) % 2 == 0 else WHITE))
        yield setups, moves


def run(soucie, file, *arguments):
    """The objects that `soucie find` prints."""
    done = subprocess.run([soucie, "find", file, "--json", *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{file}: {arguments}: {done.stdout} {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(soucie, file, games, count, rng):
    """Looks for random positions. Returns the number of those that differ."""
    places = collections.defaultdict(list)
    for number, (setups, _) in enumerate(games, 1):
        for ply, setup in enumerate(setups):
            if setup not in setups[:ply]:
                places[setup].append((number, ply))
    failed = found = transposed = 0
    # Positions of one game alone would show little.
    shared = [setup for setup in places if len(places[setup]) > 1]
    others = [setup for setup in places if len(places[setup]) == 1]
    wanted = rng.sample(shared, min(len(shared), 2 * count // 3))
    wanted += rng.sample(others, min(len(others), count - len(wanted)))
    for setup in wanted:
        expected = places[setup]
        number, ply = expected[0]
        before = games[number - 1][1][:ply]
        transposed += sum(games[game - 1][1][:at] != before for game, at in expected)
        found += len(expected)
        searches = [["--fen", setup]]
        if games[number - 1][0][0] == games[0][0][0]:
            searches.append(["--moves", " ".join(before), "--variant", "loa" if "/" in setup else "draughts"])
        for arguments in searches:
            answers = run(soucie, file, *arguments)
            if [(game["game"], game["ply"]) for game in answers] != expected:
                failed += 1
                print(f"{file}: {arguments}: expected {expected}, found {answers}")
        after = (games[game - 1][1][at:] for game, at in expected)
        moves = collections.Counter(rest[0] for rest in after if rest)
        tree = run(soucie, file, "--tree", "--fen", setup)
        if sum(moves.values()) != sum(row["games"] for row in tree) or sorted(
            moves.values(), reverse=True
        ) != [row["games"] for row in tree]:
            failed += 1
            print(f"{file}: {setup}: expected {moves}, found {tree}")
    print(
        f"{os.path.basename(file)}: {len(wanted)} positions of {len(games)} games, found {found} times, "
        f"{transposed} of them by other moves; {failed} differ"
    )
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", help="the soucie binary")
    parser.add_argument("archives", nargs="*")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_intermixed_args()
    soucie = os.path.abspath(arguments.engine)
    rng = random.Random(arguments.seed)

    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        archives = list(arguments.archives)
        try:
            import draughts

            archives.append(os.path.join(folder, "random.pdn"))
            random_games(draughts, arguments.games, rng, archives[-1])
        except ImportError:
            print("SKIPPED: the Python package pydraughts is not installed")
        for archive in archives:
            read = draughts_games if archive.endswith(".pdn") else loa_games
            try:
                games = list(read(archive))
            except ImportError as error:
                print(f"SKIPPED: {archive}: {error}")
                continue
            failed += compare(soucie, archive, games, arguments.positions, rng)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
