#!/usr/bin/env python3
"""Drives the engine with python-chess, as chess programs do: play.py PATH_TO_SOUCIE"""

import logging
import subprocess
import sys
import time

import chess
import chess.engine
from chess.engine import INFO_ALL, EngineError, Limit

from soucie.chess_boards import EnglishDraughtsBoard, LinesOfActionBoard, Path

SOUCIE = sys.argv[1]
BOARDS = [LinesOfActionBoard, EnglishDraughtsBoard]
TIMEOUT = 60  # seconds for one answer


class LogCapture(logging.Handler):
    """Captures the log of python-chess: the lines in both directions, and the errors."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.lines, self.errors = [], []
        logger = logging.getLogger("chess.engine")
        logger.setLevel(logging.DEBUG)
        logger.propagate = False
        logger.addHandler(self)

    def emit(self, record):
        text = record.getMessage()
        self.lines.append(text)
        if record.levelno >= logging.WARNING or "info string error" in text:
            self.errors.append(text)

    def sent(self, line):
        """Returns how often a line was sent."""
        return sum(text.endswith("<< " + line) for text in self.lines)


LOG = LogCapture()


def open_engine():
    return chess.engine.SimpleEngine.popen_uci(SOUCIE, timeout=TIMEOUT)


def query(board, command):
    """Returns the output of a separate Soucie process for a command after the moves of a board."""
    moves = " ".join(move.uci() for move in board.move_stack)
    lines = f"setoption name UCI_Variant value {board.uci_variant}\nposition fen {board.root().fen()}"
    lines += f" moves {moves}" * bool(moves) + f"\n{command}\n"
    return subprocess.run(SOUCIE, input=lines, capture_output=True, text=True, check=True).stdout


def legal_moves(board):
    return query(board, "moves").splitlines()[-1].split()[1:]


def check_board(board):
    """Checks that the board has the same pieces and side to move as the engine."""
    fen = next(line for line in query(board, "d").splitlines() if line.startswith("Fen: "))
    assert fen.split()[1:3] == board.fen().split()[:2], (fen, board.fen())


def whole_game(board_class, engines, ponder):
    """Plays a game on clocks of a few seconds until it is over by the rules."""
    board, clock, increment, game = board_class(), {chess.BLACK: 1.5, chess.WHITE: 1.5}, 0.02, object()
    while True:
        limit = Limit(
            black_clock=clock[chess.BLACK], white_clock=clock[chess.WHITE],
            black_inc=increment, white_inc=increment,
        )  # fmt: skip
        side, start = board.turn, time.monotonic()
        result = engines[side].play(board, limit, game=game, info=INFO_ALL, ponder=ponder)
        clock[side] = max(0.001, clock[side] + increment - (time.monotonic() - start))
        if result.move is None:
            break
        # After a ponder hit, python-chess drops the lines of the search before it.
        assert ("pv" in result.info or ponder) and result.info.get("pv", [result.move])[0] == result.move
        board.push(result.move)
        assert len(board.move_stack) < 400, "the game does not end"
    check_board(board)
    end = [line for line in query(board, "d").splitlines() if line.startswith("Game over: ")]
    assert end and not legal_moves(board), board.fen()
    print(f"  {len(board.move_stack)} moves; {end[0]}")


def games(board_class):
    with open_engine() as black, open_engine() as white:
        engines = {chess.BLACK: black, chess.WHITE: white}
        whole_game(board_class, engines, ponder=False)
        hits = LOG.sent("ponderhit")
        whole_game(board_class, engines, ponder=True)
        hits = LOG.sent("ponderhit") - hits
        assert hits, "no expected move was ever played"
        print(f"  the expected move was played {hits} times")


def ponder_on_another_move(board_class):
    """After a ponder miss the search is stopped, and the next one searches the actual position."""
    with open_engine() as engine:
        board = board_class()
        result = engine.play(board, Limit(time=0.1), ponder=True)
        board.push(result.move)
        board.push_uci(next(move for move in legal_moves(board) if move != result.ponder.uci()))
        stops = LOG.sent("stop")
        result = engine.play(board, Limit(time=0.1), ponder=True)
        assert LOG.sent("stop") == stops + 1
        assert result.move.uci() in legal_moves(board)


def analysis(board_class):
    with open_engine() as engine:
        board = board_class()
        info = engine.analyse(board, Limit(depth=7))
        assert info["depth"] == 7 and info["nodes"] > 0 and info["score"].turn == board.turn, info
        for move in info["pv"]:
            assert move.uci() in legal_moves(board), move
            board.push(move)
        check_board(board)

        board = board_class()
        only = Path.from_uci(legal_moves(board)[-1])
        assert engine.analyse(board, Limit(depth=4), root_moves=[only])["pv"][0] == only

        with engine.analysis(board) as lines:  # infinite
            seen = [info for info, _ in zip((i for i in lines if "pv" in i), range(6))]
            lines.stop()
            assert lines.wait().move.uci() in legal_moves(board)
        assert [info["depth"] for info in seen] == sorted(info["depth"] for info in seen)
        assert engine.play(board, Limit(depth=3)).move is not None


def several_lines(board_class):
    with open_engine() as engine:
        if "MultiPV" not in engine.options:
            print("  not tried: the engine has no option MultiPV")
            return
        board = board_class()
        legal = legal_moves(board)
        for count in (1, 3, 100):
            infos = engine.analyse(board, Limit(depth=5), multipv=count)
            assert len(infos) == min(count, len(legal)), (count, len(infos))
            assert [info["multipv"] for info in infos] == list(range(1, len(infos) + 1))
            scores = [info["score"].relative for info in infos]
            assert scores == sorted(scores, reverse=True), scores
            assert len({info["pv"][0] for info in infos} & set(map(Path.from_uci, legal))) == len(infos)


def raises(error, action, *arguments):
    try:
        action(*arguments)
    except error as found:
        print(f"  refused: {found}"[:100])
    else:
        raise AssertionError(f"{arguments} was accepted")


def options(board_class):
    with open_engine() as engine:
        engine.configure({"Hash": 3, "Threads": 2, "Clear Hash": None})
        assert engine.play(board_class(), Limit(nodes=20000), options={"Move Overhead": 5}).move
        for name, value in [("Hash", 0), ("No Such Option", 1), ("UCI_Variant", "chess")]:
            raises(EngineError, engine.configure, {name: value})


def wrong_moves(board_class, unreadable, foreign, illegal):
    """The board refuses unreadable moves and moves from empty squares, the engine all others."""
    with open_engine() as engine:
        board = board_class()
        raises(chess.InvalidMoveError, board.push_uci, unreadable)
        raises(chess.IllegalMoveError, board.push_uci, foreign)
        board.push_uci(illegal)
        # The engine reports both errors, and has no move after a rejected position.
        assert engine.play(board, Limit(depth=2)).move is None
        error = f"illegal move {illegal} in "
        assert f"info string error {error}" in LOG.errors[0]
        assert f"info string error the last position was refused: {error}" in LOG.errors[1]
        LOG.errors.clear()
        board.pop()
        assert engine.play(board, Limit(depth=2)).move.uci() in legal_moves(board)


def passes():
    """A side without a move passes, and the pass is sent among the moves."""
    with open_engine() as engine:
        board = LinesOfActionBoard("6Ll/6LL/8/8/8/8/LL6/lL6 b - - 0 1")
        before = board.copy()
        result = engine.play(board, Limit(depth=3), info=INFO_ALL)
        assert result.move.uci() == "0000" and result.info["pv"][0] == result.move, result
        board.push(result.move)
        assert engine.play(board, Limit(depth=3)).move.uci() in legal_moves(board)
        assert LOG.sent(f"position fen {before.fen()} moves 0000")
        check_board(board)
        board.pop()
        assert board == before


def setups():
    """A setup is read as the engine reads it."""
    start = EnglishDraughtsBoard()
    for text in ("B:W21-32:B1-12:H0:F1", "b:w21-32:b1-12."):
        assert EnglishDraughtsBoard(text) == start, text


def long_captures():
    """Circular captures in opposite directions are listed once, but either is searched and played."""
    with open_engine() as engine:
        board = EnglishDraughtsBoard("W:WK26:B1,14,15,22,23")
        rounds = [Path.from_uci(text) for text in ("d2b4d6f4d2", "d2f4d6b4d2")]
        assert rounds[0] != rounds[1] and legal_moves(board) == [rounds[0].uci()]
        for move in rounds:
            assert engine.play(board, Limit(depth=3), root_moves=[move]).move == move
            board.push(move)
            check_board(board)
            assert board.fen() == "B:WK26:B1"
            board.pop()
            assert board.fen() == "W:WK26:B1,14,15,22,23"


CHECKS = [games, ponder_on_another_move, analysis, several_lines, options]
CHECKS = [(check, board_class) for board_class in BOARDS for check in CHECKS] + [
    (wrong_moves, LinesOfActionBoard, "d1d9", "d4d5", "d1d4"),
    (wrong_moves, EnglishDraughtsBoard, "b6", "a3b4", "b6b5"),
    (passes,),
    (long_captures,),
    (setups,),
]

for check, *arguments in CHECKS:
    names = [getattr(argument, "__name__", argument) for argument in arguments]
    print(check.__name__, *names, flush=True)
    check(*arguments)
    assert not LOG.errors, LOG.errors
print(f"python-chess {chess.__version__}: passed")
