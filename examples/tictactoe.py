"""Tic-tac-toe: rules, a picture, and a policy for bots.

tabletop play examples/tictactoe.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from tabletop import (
    Game,
    Match,
    Options,
    Outcome,
    Plugin,
    Random,
    Seat,
    State,
    Streams,
    Table,
    state,
)
from tabletop.display import (
    Box,
    Column,
    Grid,
    Image,
    Label,
    Panel,
    Part,
    Picture,
    Scene,
    Stack,
    circle,
    path,
    turn_in_words,
)
from tabletop.parts.board import square as squares
from tabletop.states import FIXED, Range, SeatOr

EMPTY, CROSS, NOUGHT = ".", "x", "o"
MARKS = (CROSS, NOUGHT)
Cell = Annotated[str, SeatOr(EMPTY, MARKS)]
LINES = squares(3, 3, diagonal=True).lines(3)
# For each cell, the other two cells of every line through it.
PAIRS = tuple(
    tuple(
        tuple(other for other in line if other != cell)
        for line in LINES
        if cell in line
    )
    for cell in range(9)
)


@dataclass(frozen=True, slots=True)
class Place:
    """Put a mark on a cell, 0 to 8 row by row. Players type 1 to 9."""

    cell: int

    def __str__(self) -> str:
        return str(self.cell + 1)


PLACES = tuple(Place(cell) for cell in range(9))


@state
class Board(State):
    """Nine cells, row by row, and the seat to act."""

    cells: Annotated[list[Cell], FIXED] = field(
        default_factory=lambda: [EMPTY] * 9
    )
    seat: Seat = 0
    winner: Seat | None = None
    free: Annotated[int, Range(0, 9)] = 9

    def __str__(self) -> str:
        return "\n".join(
            " ".join(self.cells[row : row + 3]) for row in (0, 3, 6)
        )


class TicTacToe(Game[Board, Place]):
    """Three in a row wins."""

    name = "tictactoe"
    title = "Tic-tac-toe"

    def setup(
        self, options: Options, seats: int, rng: Streams
    ) -> Board:
        return Board()

    def to_act(self, state: Board) -> Sequence[Seat]:
        is_over = state.winner is not None or not state.free
        return () if is_over else (state.seat,)

    def legal_actions(
        self, state: Board, seat: Seat
    ) -> Sequence[Place]:
        cells = state.cells
        return [place for place in PLACES if cells[place.cell] == EMPTY]

    def all_actions(
        self, options: Options, seats: int
    ) -> Sequence[Place]:
        return PLACES

    def why_not(self, state: Board, action: Place) -> str:
        if not 0 <= action.cell < 9:
            return f"there is no cell {action}; cells are 1 to 9"
        return f"cell {action} is taken"

    def apply(self, state: Board, action: Place, table: Table) -> None:
        cells, seat, cell = state.cells, state.seat, action.cell
        mark = cells[cell] = MARKS[seat]
        state.free -= 1
        state.seat = 1 - seat
        for a, b in PAIRS[cell]:
            if cells[a] == mark == cells[b]:
                state.winner = seat

    def outcome(self, state: Board) -> Outcome | None:
        if state.winner is not None:
            return Outcome.win(state.winner, 2, "three in a row")
        return (
            None if state.free else Outcome.draw(2, "the board is full")
        )


def policy(state: Board, actions: Sequence[Place]) -> Sequence[Place]:
    """Return a winning action, or a blocking one, or all actions."""
    for mark in (MARKS[state.seat], MARKS[1 - state.seat]):
        for place in actions:
            if any(
                state.cells[a] == mark == state.cells[b]
                for a, b in PAIRS[place.cell]
            ):
                return [place]
    return actions


GAME = TicTacToe()

RULES = """\
# Tic-tac-toe

Two players put their marks on a board of three by three cells, which
are numbered row by row from 1 to 9. Crosses begin, and turns alternate.
A mark goes on a free cell and stays there.

Three marks of one player in a row, a column or a diagonal **win**.
If the board is full and nobody has three, the match is a draw.
"""


# --8<-- [start:picture]
class Squares(Picture[Board]):
    """Nine squares of paper. Players click the free squares."""

    def draw(self, view: Board, scene: Scene) -> str:
        squares = (
            square(cell, mark, scene)
            for cell, mark in enumerate(view.cells)
        )
        turn = turn_in_words(scene)
        tree = Column(
            Label(turn, 20, anchor="middle", bold=True),
            Grid(*squares, columns=3, gap=8),
            gap=16,
        )
        return self.lay_out(
            scene, tree, label="Tic-tac-toe", wide=(300, 0), pad=16
        )

    def path(
        self, action: Place, view: Board, seat: Seat
    ) -> Sequence[str]:
        return (f"cell-{action}",)

    def last(self, view: Board, scene: Scene) -> Sequence[str]:
        played = scene.played
        return (f"cell-{played.action}",) if played else ()

    def label(
        self,
        action: Place,
        view: Board,
        names: Sequence[str],
        seat: Seat,
    ) -> str:
        return f"{MARKS[seat]} on {action}"


def square(cell: int, mark: str, scene: Scene) -> Box:
    drawing = Image(drawn_mark(mark), 82, 82, weight=1)
    content = "free" if mark == EMPTY else mark
    return Part(
        scene,
        f"cell-{cell + 1}",
        Stack(Panel("tt-card", 6), drawing),
        label=f"Cell {cell + 1}, {content}",
    )


def drawn_mark(mark: str) -> str:
    if mark == CROSS:
        return path(
            "M20 20L62 62M62 20L20 62",
            "tt-none tt-stroke-blue",
            stroke_width=9,
        )
    ring = circle(41, 41, 22, "tt-none tt-stroke-red", stroke_width=9)
    return ring if mark == NOUGHT else ""


PLUGIN = Plugin(
    GAME,
    picture=Squares,
    rulebook=RULES,
    summary="Three in a row wins.",
    minutes=1,
    policy=policy,
    levels={"easy": "search:20", "hard": "search:1000"},
)
# --8<-- [end:picture]


def main() -> None:
    match = Match(
        GAME,
        seed="a quiet sunday",
        players=(Random("first bot"), Random("second bot")),
    )
    match.run()
    print(*match.actions)
    print(match.state)
    print(match.outcome)


if __name__ == "__main__":
    main()
