"""Ready-made boards: squares, line crossings, and the points of a race game.

A picture of such a game only maps places to pieces:

    class GoPicture(BoardPicture[Goban]):
        board = crossings(GRID)

        def pieces(self, view):
            stones = view.stones.items()
            return {place: [Piece(seat)] for place, seat in stones}

Places are clickable parts. A player clicks them in the order of their names in the text of an
action, such as `e5` or `13 8`.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import groupby
from math import ceil
from typing import Any, ClassVar, Final, Never, TypeVar

from tabletop.display.boxes import Box, Column, Grid, Image, Label, Row, Stack
from tabletop.display.picture import Picture, Scene
from tabletop.display.pieces import PIECES, Piece, draw_piece
from tabletop.display.svg import circle, group, line, polygon, rect, text
from tabletop.parts.board import Cell
from tabletop.parts.board import Grid as Cells
from tabletop.states.bounds import Seat
from tabletop.states.states import State
from tabletop.wording import join_words

S = TypeVar("S", bound=State)

_RIM: Final = 0.4  # width of the margin with the names of columns and rows, in cells
_MARGIN: Final = 5  # the margin around a board on a short screen
_DEPTH: Final = 5  # the number of pieces that fit on a point of a race game without overlapping


@dataclass(frozen=True, slots=True)
class Place:
    """A place for pieces. Lengths are in cells, from the upper left corner of the board.

    Attributes:
        x, y: The centre of the first piece.
        box: The clickable area: left edge, top edge, width and height.
        step: The vertical distance to the next piece. A negative value stacks pieces upwards.
        room: The number of pieces that fit. If there are more, equal pieces are drawn as one piece
            with a number.
        ring: The radius of the ring that marks the place, or 0 to mark its box.
    """

    x: float
    y: float
    box: tuple[float, float, float, float]
    step: float = 0
    room: int = 1
    ring: float = 0


@dataclass(frozen=True, slots=True)
class Board:
    """A board without pieces. Lengths are in cells.

    Attributes:
        width, height: The size of the board.
        places: The places for pieces, by their names in action texts.
        shapes: The polygons of the board: their corners and the CSS class of their fill.
        lines: The lines on top of the shapes, as x and y of both ends.
        words: The labels of columns and rows: x and y of the centre, and the text.
        dots: The centres of small dots on the lines, such as the star points of Go.
    """

    width: float
    height: float
    places: Mapping[str, Place]
    shapes: Sequence[tuple[Sequence[tuple[float, float]], str]] = ()
    lines: Sequence[tuple[float, float, float, float]] = ()
    words: Sequence[tuple[float, float, str]] = ()
    dots: Sequence[tuple[float, float]] = ()

    def turned(self) -> Board:
        """Return the board as seen from the opposite side. Labels stay at the same edges."""
        width, height = self.width, self.height
        places = {
            name: replace(
                place,
                x=width - place.x,
                y=height - place.y,
                box=(
                    width - place.box[0] - place.box[2],
                    height - place.box[1] - place.box[3],
                    *place.box[2:],
                ),
                step=-place.step,
            )
            for name, place in self.places.items()
        }
        shapes = [
            ([(width - x, height - y) for x, y in corners], fill) for corners, fill in self.shapes
        ]
        lines = [(width - a, height - b, width - c, height - d) for a, b, c, d in self.lines]
        words = [
            (width - x if 0 <= x <= width else x, height - y if 0 <= y <= height else y, word)
            for x, y, word in self.words
        ]
        dots = [(width - x, height - y) for x, y in self.dots]
        return Board(width, height, places, shapes, lines, words, dots)


def squares(grid: Cells, *former: Never, chequered: bool = False) -> Board:
    """Create the board of squares of a grid, such as `square(8, 8)`.

    Args:
        grid: The grid. The places have the names of its cells.
        former: Nothing: in version 0.3, the columns and a number of rows were given.
        chequered: Whether every other square is dark, starting with the lower left square.
    """
    places, (width, height), words = _parts(grid, former)
    fills = ("tt-wood", "tt-wood-deep") if chequered else ("tt-paper", "tt-paper")
    shapes = [
        (_corners(*place.box), fills[(height - y + x) % 2])
        for place, (x, y) in zip(places.values(), grid.cells, strict=True)
    ]
    step = (width, height) if chequered else (1, 1)
    lines = [(x, 0, x, height) for x in range(0, width + 1, step[0])]
    lines += [(0, y, width, y) for y in range(0, height + 1, step[1])]
    return Board(width, height, places, shapes, lines, words)


def crossings(grid: Cells, *former: Never, dots: Sequence[str] = ()) -> Board:
    """Create a board with pieces on the crossings of lines, one for each cell of a grid.

    An empty place where one click plays an action has no ring, because on a large board most places
    would have one. A faint mark appears under the pointer.

    Args:
        grid: The grid, such as `square(9, 9)`. The places have the names of its cells.
        former: Nothing: in version 0.3, the columns and a number of rows were given.
        dots: The names of the places with a dot, such as the star points of Go.
    """
    places, (width, height), words = _parts(grid, former, ring=0.13)
    lines = [(x + 0.5, 0.5, x + 0.5, height - 0.5) for x in range(width)]
    lines += [(0.5, y + 0.5, width - 0.5, y + 0.5) for y in range(height)]
    marks = [(places[name].x, places[name].y) for name in dots]
    return Board(width, height, places, lines=lines, words=words, dots=marks)


def points(each: int = 6, *, bar: str = "bar", off: str = "off") -> Board:
    """Create the board of a race game, such as Backgammon.

    The points are named by their numbers. Point 1 is at the lower right, and the first half of the
    points is at the bottom.

    Args:
        each: The number of points in each quarter.
        bar: The name of the place in the middle, for pieces that have been hit.
        off: The name of the place on the right, for pieces that have left the board.
    """
    half, height = 2 * each, 2 * _DEPTH + 1
    places: dict[str, Place] = {}
    shapes: list[tuple[Sequence[tuple[float, float]], str]] = []
    words: list[tuple[float, float, str]] = []
    for number in range(1, 2 * half + 1):
        below = number <= half
        column = half - number if below else number - half - 1
        left = column + (column >= each)  # right of the bar
        foot, tip, step = (height, height - _DEPTH, -1) if below else (0, _DEPTH, 1)
        box = (left, min(foot, tip), 1, _DEPTH)
        places[str(number)] = Place(left + 0.5, foot + step / 2, box, step, _DEPTH)
        corners = ((left, foot), (left + 1, foot), (left + 0.5, tip))
        shapes.append((corners, "tt-wood-deep" if number % 2 else "tt-paper-deep"))
        words.append((left + 0.5, height + _RIM / 2 if below else -_RIM / 2, str(number)))
    for name, left in ((bar, each), (off, half + 1)):
        places[name] = Place(left + 0.5, 0.5, (left, 0, 1, height), 1, height)
        shapes.append((_corners(left, 0, 1, height), "tt-cloth-deep"))
        words.append((left + 0.5, height + _RIM / 2, name))
    return Board(half + 2, height, places, shapes, words=words)


def _parts(
    grid: Cells, former: Sequence[Never], ring: float = 0
) -> tuple[dict[str, Place], Cell, list[tuple[float, float, str]]]:
    """Return the places, the size and the labels of the columns and rows of a grid of squares.

    Raises:
        TypeError: The grid is not a grid, or `former` is not empty.
    """
    if former or not isinstance(grid, Cells):
        raise TypeError("give a grid from tabletop.parts.board, such as squares(square(8, 8))")
    width = len(grid.columns)
    height = len(grid) // width
    named = zip(grid.names, grid.cells, strict=True)
    places = {name: Place(x + 0.5, y + 0.5, (x, y, 1, 1), ring=ring) for name, (x, y) in named}
    words = [(at + 0.5, height + _RIM / 2, name) for at, name in enumerate(grid.columns)]
    words += [(-_RIM / 2, height - row + 0.5, str(row)) for row in range(1, height + 1)]
    return places, (width, height), words


def _corners(x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


class BoardPicture(Picture[S]):
    """The picture of a game on a ready-made board. Only `board` and `pieces` are required.

    Attributes:
        board: The board: the result of `squares`, `crossings` or `points`, or any other `Board`.
        fills: The colour of the pieces of each seat, such as `#29241f`. By default, the colours of
            the seats.
        art: The drawings of pieces by name. For drawings of your own, write
            `art = {**PIECES, "boat": path}`.
        turns: Whether player 2 sees the board from the opposite side.
    """

    board: ClassVar[Board]
    fills: ClassVar[Sequence[str]] = ()
    art: ClassVar[Mapping[str, str]] = PIECES
    turns: ClassVar[bool] = False

    @abstractmethod
    def pieces(self, view: S) -> Mapping[str, Sequence[Piece]]:
        """Return the pieces on each place, by the name of the place. Omit empty places."""

    def pieces_of(self, letters: str, art: Mapping[str, str]) -> Mapping[str, Sequence[Piece]]:
        """Return the result of `pieces` for a board in letters.

        Args:
            letters: A character for each place, in order. Capital letters are pieces of seat 0,
                small letters are pieces of seat 1, and other characters are free places.
            art: The name of the drawing for each small letter.
        """
        return {
            place: [Piece(int(letter.islower()), art=art[letter.lower()])]
            for place, letter in zip(self.board.places, letters, strict=True)
            if letter.isalpha()
        }

    def note(self, view: S, scene: Scene) -> str:
        """Return a note to show next to the line about the turn, such as the dice.

        Empty by default.
        """
        return ""

    def tally(self, view: S, seat: Seat) -> str:
        """Return the text after the name of a seat, such as its captures. Empty by default."""
        return ""

    def option(self, words: str, view: S) -> Piece | None:
        """Return the piece to choose after the places in the text of an action, or None.

        The pieces of actions with the same places, such as the promotions `e7e8q` and `e7e8n`, are
        a small menu next to the last place. None by default.
        """
        return None

    def alerts(self, view: S) -> Mapping[str, str]:
        """Return places to mark in red with the reason, such as `{"e1": "check"}`."""
        return {}

    def path(self, action: Any, view: S, seat: Seat) -> Sequence[str]:
        """Return the places in the text of an action, in the same order, and then its `option`.

        Names of places may follow each other without a space, before at most one other letter:
        `e7e8q`.
        """
        words, places = str(action), list[str]()
        for word in re.findall(r"\w+", words):
            if word in self.board.places:
                places.append(word)
            elif self._joined.fullmatch(word):
                places += self._name.findall(word)
        return places if self.option(words, view) is None else [*places, words]

    @cached_property
    def _name(self) -> re.Pattern[str]:
        return re.compile("|".join(sorted(map(re.escape, self.board.places), key=len)[::-1]))

    @cached_property
    def _joined(self) -> re.Pattern[str]:
        return re.compile(f"(?:{self._name.pattern}){{2,}}[a-z]?")

    def last(self, view: S, scene: Scene) -> Collection[str]:
        """Return the places in the text of the last action."""
        played = scene.played
        path = () if played is None else self.path(played.action, view, played.seat)
        return [part for part in path if part in self.board.places]

    def draw(self, view: S, scene: Scene) -> str:
        """Draw the board with its pieces, the turn, and the legend of the seats."""
        note = self.note(view, scene)
        heading = "; ".join(filter(None, (scene.heading, note)))
        across, down = self.board.width + 2 * _RIM, self.board.height + 2 * _RIM
        cell = min((scene.room[0] - 16) / across, 60.0)
        tally = [self.tally(view, seat) for seat in range(len(scene.names))]
        seats = legend(scene, self.fills, tally)
        draw = partial(self._draw_board, view, scene)
        if scene.short:
            # The page next to the board shows whose turn it is.
            words = [Label(note, 14, wrap=True)] if note else []
            if scene.narrow:
                tree: Box = Column(*words, seats, Box(draw, weight=1), gap=4)
            else:
                high = scene.room[1] - 2 * _MARGIN
                beside = Stack(Column(seats, *words, gap=12, anchor="start"), width=0, weight=1)
                tree = Row(Box(draw, high * across / down), beside, gap=8)
            return self.lay_out(scene, tree, label=heading, pad=_MARGIN)
        tree = Column(
            Label(heading, 18, anchor="middle", bold=True, wrap=True),
            Row(Stack(seats, width=self.board.width * cell)),
            Box(draw, height=down * cell, weight=1),
            gap=6,
        )
        return self.lay_out(scene, tree, label=heading)

    def _draw_board(self, view: S, scene: Scene, width: float, height: float) -> str:
        """Draw the board and its pieces as large as possible in the middle of an area."""
        board, pieces = self.board, self.pieces(view)
        if self.turns and scene.seat == 1:
            board = board.turned()
        across, down = board.width + 2 * _RIM, board.height + 2 * _RIM
        cell = min(width / across, height / down)
        left, top = (width - across * cell) / 2, (height - down * cell) / 2
        shapes = [
            polygon([(x * cell, y * cell) for x, y in corners], fill)
            for corners, fill in board.shapes
        ]
        lines = [
            line(x1 * cell, y1 * cell, x2 * cell, y2 * cell, "tt-stroke-ink", stroke_width=1.2)
            for x1, y1, x2, y2 in board.lines
        ]
        lines += [circle(x * cell, y * cell, 0.08 * cell, "tt-ink") for x, y in board.dots]
        size = max(12, min(14, 0.3 * cell + 2))
        words = [
            text(x * cell, y * cell + size / 3, word, size, cell, anchor="middle")
            for x, y, word in board.words
        ]
        alerts, menus = self.alerts(view), self._menus(view, scene)
        goals = {chosen[-1] for chosen in menus}
        parts = [
            self._place(
                name,
                place,
                pieces.get(name, ()),
                cell,
                scene,
                alert=alerts.get(name, ""),
                then="Choose a piece" if name in goals else "",
            )
            for name, place in board.places.items()
        ]
        parts += [self._draw_menu(board, cell, scene, *menu) for menu in menus.items()]
        ground = rect(left, top, across * cell, down * cell, "tt-wood", 8)
        at = left + _RIM * cell, top + _RIM * cell
        return ground + group(*shapes, *lines, *words, *parts, at=at)

    def _menus(self, view: S, scene: Scene) -> Mapping[tuple[str, ...], list[tuple[str, Piece]]]:
        """Return the texts and pieces of each menu, by the places that are chosen before."""
        menus: dict[tuple[str, ...], list[tuple[str, Piece]]] = {}
        for choice in scene.choices:
            piece = self.option(choice.words, view)
            if piece is not None:
                menus.setdefault(choice.path[:-1], []).append((choice.words, piece))
        return menus

    def _draw_menu(
        self,
        board: Board,
        cell: float,
        scene: Scene,
        chosen: Sequence[str],
        pieces: Sequence[tuple[str, Piece]],
    ) -> str:
        """Draw a menu next to the last chosen place, large enough for a finger."""
        place, side = board.places[chosen[-1]], max(1.1 * cell, 48)
        width = side * len(pieces)
        left = max(0, min(place.x * cell - width / 2, board.width * cell - width))
        inwards = 0.5 * cell if place.y < board.height / 2 else -0.5 * cell - side
        items = [
            scene.part(
                words,
                rect(0, 0, side, side, "tt-hit"),
                draw_piece(piece, side / 2, side / 2, 0.4 * side, self.fills, self.art),
                rect(2, 2, side - 4, side - 4, "tt-ring", 6),
                label=piece.art or piece.letter,
                at=(at * side, 0),
            )
            for at, (words, piece) in enumerate(pieces)
        ]
        ground = rect(-4, -4, width + 8, side + 8, "tt-card", 8)
        return scene.after(chosen, group(ground, *items, at=(left, place.y * cell + inwards)))

    def _place(
        self,
        name: str,
        place: Place,
        pieces: Sequence[Piece],
        cell: float,
        scene: Scene,
        *,
        alert: str,
        then: str,
    ) -> str:
        x, y, width, height = (length * cell for length in place.box)
        piled = [list(run) for _, run in groupby(pieces)]
        runs = [(run[0], len(run)) for run in piled]
        shown = list(pieces)
        if len(pieces) > place.room:
            shown = [piece._replace(letter=f"{piece.letter}{count}"[:3]) for piece, count in runs]
        marks = [rect(x, y, width, height, "tt-danger", opacity=0.6)] if alert else []
        marks += [
            draw_piece(
                piece,
                place.x * cell,
                (place.y + place.step * at) * cell,
                0.44 * cell,
                self.fills,
                self.art,
            )
            for at, piece in enumerate(shown)
        ]
        ring = rect(x + 2, y + 2, width - 4, height - 4, "tt-ring tt-frame", 4)
        if name in scene.last and not place.ring:  # under the pieces
            marks.insert(0, rect(x, y, width, height, "tt-trace"))
        if place.ring:
            centre = place.x * cell, place.y * cell, place.ring * cell
            ring = circle(*centre, "tt-ring")
            if name in scene.last:  # visible on pieces of any colour
                marks.append(circle(*centre, "tt-paper tt-stroke-ink", stroke_width=2))
        counts = [
            " ".join(filter(None, (str(count), scene.names[piece.seat], piece.letter, piece.art)))
            for piece, count in runs
        ]
        content = join_words([words.removeprefix("1 ") for words in counts], "and") or "free"
        content += f", {alert}" if alert else ""
        body = (rect(x, y, width, height, "tt-hit"), *marks, ring)
        looks = "tt-quiet" if place.ring and not pieces and scene.is_played_by(name) else ""
        return scene.part(name, *body, label=f"{name}: {content}", then=then, class_=looks)


def legend(scene: Scene, fills: Sequence[str], tally: Sequence[str] = ()) -> Grid:
    """Return the legend: the colour and name of each seat, with its tally.

    The legend is one row, or two rows on a narrow screen if seats have tallies. In landscape
    orientation, it is a column.
    """
    rows = 2 if any(tally) and scene.narrow else 1
    if scene.short and not scene.narrow:
        rows = len(scene.names)
    labels: Sequence[str] = scene.names
    if any(tally):
        labels = [f"{name} {score}" for name, score in zip(scene.names, tally, strict=True)]
    seats = []
    for seat, words in enumerate(labels):
        piece = Image(draw_piece(Piece(seat), 0, 0, 10, fills), 20, 20, centred=True)
        seats.append(Row(piece, Label(words, 15, weight=1), gap=7))
    return Grid(*seats, columns=ceil(len(labels) / rows), gap=4)
