"""Boards of Lines of Action and English draughts for python-chess (extra `chess`).

    import chess.engine
    from soucie import find_program
    from soucie.chess_boards import LinesOfActionBoard

    board = LinesOfActionBoard()
    with chess.engine.SimpleEngine.popen_uci(find_program()) as engine:
        while (move := engine.play(board, chess.engine.Limit(time=0.1)).move) is not None:
            board.push(move)

The boards make moves but do not implement the rules: in a finished game the move of the engine is
None. Therefore the methods of python-chess that depend on rules (`legal_moves`, `is_game_over()`,
`san()`, ...) raise an error or have no meaning. Push no illegal moves: the engine refuses the board
with `info string error ...`, and `play` returns no move.

Two limitations of `chess.engine`: it cannot parse `info["currmove"]` if that is a capture of
several pieces, and logs an error; and the option `Move Format` must stay `coordinate`.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from typing import Any, ClassVar

import chess

MAN, KING = chess.PAWN, chess.KING


@dataclasses.dataclass(unsafe_hash=True)
class Path(chess.Move):
    """A move as the squares on which the piece stands one after the other; none for a pass."""

    path: tuple[chess.Square, ...] = ()

    @classmethod
    def from_uci(cls, uci: str) -> Path:
        if uci == "0000":
            return cls(0, 0)
        try:
            path = tuple(chess.parse_square(uci[i : i + 2]) for i in range(0, len(uci), 2))
        except ValueError:
            path = ()
        if len(path) < 2:
            raise chess.InvalidMoveError(f"not a move: {uci!r}")
        return cls(path[0], path[-1], path=path)

    def uci(self) -> str:
        return "".join(map(chess.square_name, self.path)) or "0000"

    def __bool__(self) -> bool:  # python-chess drops the moves before a false one
        return True


class SoucieBoard(chess.Board):
    """The base of both boards. A board of python-chess has the pieces, moves and earlier states."""

    starting_fen: ClassVar[str]

    def __init__(self, fen: str | None = "", *, chess960: bool = False) -> None:
        super().__init__(self.starting_fen if fen == "" else fen, chess960=chess960)

    def reset(self) -> None:
        self.set_fen(self.starting_fen)

    def parse_uci(self, uci: str) -> Path:
        move = Path.from_uci(uci)
        if move.path and self.color_at(move.from_square) != self.turn:
            raise chess.IllegalMoveError(f"no piece to move on {uci[:2]} in {self.fen()}")
        return move

    def push(self, move: chess.Move) -> None:
        super().push(chess.Move.null())  # saves the state and changes the side to move
        self.move_stack[-1] = move
        path = getattr(move, "path", ())
        if path and (piece := self.take(path[0])):
            self.land(piece, path)

    def land(self, piece: chess.Piece, path: tuple[chess.Square, ...]) -> None:
        """Puts the piece on the end of its path, and removes the captured pieces."""
        raise NotImplementedError

    def take(self, square: chess.Square) -> chess.Piece | None:
        return chess.BaseBoard.remove_piece_at(self, square)  # that of Board clears the moves

    def put(self, square: chess.Square, piece: chess.Piece) -> None:
        chess.BaseBoard.set_piece_at(self, square, piece)

    def generate_legal_moves(
        self, from_mask: chess.Bitboard = 0, to_mask: chess.Bitboard = 0
    ) -> Iterator[chess.Move]:
        raise NotImplementedError("the engine lists the legal moves: use `soucie.Engine.legal`")

    generate_pseudo_legal_moves = generate_legal_moves


class LinesOfActionBoard(SoucieBoard):
    uci_variant = "linesofaction"
    starting_fen = "1llllll1/L6L/L6L/L6L/L6L/L6L/L6L/1llllll1 b - - 0 1"

    def set_fen(self, fen: str) -> None:
        super().set_fen(fen.translate(str.maketrans("lL", "pP")))

    def fen(self, **_: Any) -> str:
        stones = self.board_fen().translate(str.maketrans("pP", "lL"))
        return f"{stones} {'w' if self.turn else 'b'} - - 0 1"

    def land(self, piece: chess.Piece, path: tuple[chess.Square, ...]) -> None:
        self.put(path[-1], piece)


class EnglishDraughtsBoard(SoucieBoard):
    uci_variant = "englishdraughts"
    starting_fen = "B:W21-32:B1-12"
    squares: ClassVar[list[chess.Square]] = [  # square 1 is b8, 32 is g1
        chess.square(2 * place + 1 - row % 2, 7 - row) for row in range(8) for place in range(4)
    ]

    def set_fen(self, fen: str) -> None:
        turn, *sides = "".join(fen.split()).rstrip(".").upper().split(":")
        self.clear()
        # Fields of other programs, such as move counters, follow the pieces.
        for side in (side for side in sides if side[:1] in ("B", "W")):
            for word in filter(None, side[1:].split(",")):
                piece = chess.Piece(KING if word.startswith("K") else MAN, side[0] == "W")
                first, _, last = word.lstrip("K").partition("-")
                for number in range(int(first), int(last or first) + 1):
                    self.put(self.squares[number - 1], piece)
        self.turn = turn == "W"

    def fen(self, **_: Any) -> str:
        lists: dict[bool, list[str]] = {chess.WHITE: [], chess.BLACK: []}
        for number, square in enumerate(self.squares, 1):
            if piece := self.piece_at(square):
                lists[piece.color].append(f"{'K' * (piece.piece_type == KING)}{number}")
        turn = "W" if self.turn else "B"
        return f"{turn}:W{','.join(lists[chess.WHITE])}:B{','.join(lists[chess.BLACK])}"

    def land(self, piece: chess.Piece, path: tuple[chess.Square, ...]) -> None:
        for start, end in itertools.pairwise(path):
            if chess.square_distance(start, end) == 2:
                self.take((start + end) // 2)
        if chess.square_rank(path[-1]) == (7 if piece.color else 0):
            piece.piece_type = KING
        self.put(path[-1], piece)
