"""An engine on a pipe, for the measurements beside this file."""

import subprocess


class Engine:
    """An engine on a pipe."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def lines(self, *commands):
        """The lines after these commands. The end of the engine is an error."""
        self.send(*commands)
        for line in self.process.stdout:
            yield line
        raise SystemExit(f"the engine ended after {commands[-1]}")

# A longer game counts as drawn.
MAX_PLIES = 300


def points(wdl):
    """The expected points, from 0 to 1."""
    return (wdl[0] + wdl[1] / 2) / 1000


class Player(Engine):
    """An engine that shows wins, draws and losses."""

    def __init__(self, path, variant, *options):
        super().__init__(path)
        self.send(f"setoption name UCI_Variant value {variant}", "setoption name UCI_ShowWDL value true")
        self.send(*(f"setoption name {option}" for option in options))

    def search(self, moves, limit):
        """The last score, wins, draws and losses, and the best move, or `None` if the game is over."""
        info = None
        for line in self.lines("position startpos moves " + " ".join(moves), "go " + limit):
            words = line.split()
            if words[0] == "bestmove":
                return info, None if words[1] == "(none)" else words[1]
            if "wdl" in words and "lowerbound" not in words and "upperbound" not in words:
                score, wdl = words.index("score"), words.index("wdl")
                info = words[score + 1], int(words[score + 2]), [int(w) for w in words[wdl + 1 : wdl + 4]]

    def legal_moves(self, moves):
        for line in self.lines("position startpos moves " + " ".join(moves), "legalmoves"):
            if line.startswith("legalmoves"):
                return line.split()[1:]

    def play_on(self, moves):
        """The moves of a game that the engine plays on against itself, and Black's points."""
        moves = list(moves)
        self.send("ucinewgame")
        while len(moves) < MAX_PLIES:
            (_, _, wdl), mv = self.search(moves, "movetime 1000")
            if mv is None:
                return moves, points(wdl) if len(moves) % 2 == 0 else 1 - points(wdl)
            moves.append(mv)
        return moves, 0.5
