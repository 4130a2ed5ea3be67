"""Motifs, and pictures of cards and tiles: a background, motifs before it, small things over it.

A motif is a silhouette in a box of 100 by 100, in a few tones, lit from the top left; a background
is 160 by 100. They stand in the files `data/*.txt`: a name in brackets, then a line for each shape,
from the lowest to the uppermost. The line of a motif is a tone and the data of an SVG path:

- `b` the body, `h` its light, `s` its shade, `a` an accent in another ink, `k` what is dark;
- a number after it says how often the path is drawn around the centre: `b6`;
- in capitals the path is a line of that width with round ends: `B9`.

The line of a background is the number of a colour of the sky, and the data of a path, the centre
and radius of a disc, or nothing for the whole sheet. The name of an earlier background stands for
all its shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from tabletop.motifs.palette import DARK, FITTING, INKS, SKIES
from tabletop.svg import circle, number, number_from, path, rect, tag

WIDTH: Final = 160
HEIGHT: Final = 100


class Stroke(NamedTuple):
    """One path of a motif: its tone, and how often it is drawn or how wide its line is."""

    tone: str
    number: float
    data: str


def _blocks(file: str) -> dict[str, list[str]]:
    """The lines of a data file beside this one, by the names in brackets above them."""
    text = (resources.files("tabletop.motifs") / "data" / f"{file}.txt").read_text("utf-8")
    blocks = (block.split("]\n", 1) for block in text.split("\n[")[1:])
    return {name: [line for line in lines.split("\n") if line] for name, lines in blocks}


@cache
def motifs() -> Mapping[str, tuple[Stroke, ...]]:
    """All motifs by name."""
    blocks = {**_blocks("elements"), **_blocks("beings"), **_blocks("things")}
    return MappingProxyType({name: tuple(map(_stroke, rows)) for name, rows in blocks.items()})


def _stroke(row: str) -> Stroke:
    tone, data = row.split(" ", 1)
    return Stroke(tone[0], float(tone[1:] or 1), data)


@cache
def grounds() -> Mapping[str, tuple[tuple[int, str], ...]]:
    """All backgrounds by name: for each shape the number of its colour, and its data."""
    found: dict[str, tuple[tuple[int, str], ...]] = {}
    for name, rows in _blocks("grounds").items():
        shapes: list[tuple[int, str]] = []
        for colour, _, data in (row.partition(" ") for row in rows):
            shapes += found[colour] if colour in found else [(int(colour), data)]
        found[name] = tuple(shapes)
    del found["bands"]  # a part of others
    return MappingProxyType(found)


@cache
def motif(name: str, ink: str = "stone", accent: str = "gold") -> str:
    """A motif in its box of 100 by 100.

    Args:
        name: one of `motifs()`.
        ink: a name in `tabletop.motifs.INKS`; its three tones are light, body and shade.
        accent: another, for what has the colour of something else.

    Raises:
        KeyError: there is no such motif or ink.
    """
    light, body, shade = INKS[ink]
    colours = {"h": light, "b": body, "s": shade, "a": INKS[accent][1], "k": DARK}
    return "".join(_drawn(stroke, colours) for stroke in motifs()[name])


def _drawn(stroke: Stroke, colours: dict[str, str]) -> str:
    colour = colours[stroke.tone.lower()]
    if stroke.tone.isupper():
        return path(
            stroke.data,
            fill="none",
            stroke=colour,
            stroke_width=stroke.number,
            stroke_linecap="round",
            stroke_linejoin="round",
        )
    once = path(stroke.data, fill=colour, fill_rule="evenodd" if "Z M" in stroke.data else None)
    if stroke.number == 1:
        return once
    turns = round(stroke.number)
    return "".join(
        tag("g", once, transform=f"rotate({360 * turn / turns:g} 50 50)") for turn in range(turns)
    )


# Pictures.


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Figure:
    """A motif in a picture, which is 160 wide and 100 high.

    Attributes:
        motif: its name.
        x, y: where its centre is.
        size: the side of its box.
        ink: a name in `INKS`.
        accent: another.
        turn: by how many degrees it is turned, clockwise.
        flip: whether it is seen in a mirror.
    """

    motif: str
    x: float
    y: float
    size: float
    ink: str
    accent: str = "gold"
    turn: float = 0
    flip: bool = False


@dataclass(frozen=True, slots=True)
class Composition:
    """What a picture is made of.

    Attributes:
        sky: a name in `SKIES`: its colours.
        ground: a name in `grounds()`: what is behind.
        figures: the motifs, from the lowest to the uppermost.
        strewn: a name in `STREWN`, or nothing.
        ink: of what is strewn.
    """

    sky: str
    ground: str
    figures: tuple[Figure, ...]
    strewn: str = ""
    ink: str = "gold"


def art(
    name: str,
    width: float,
    height: float,
    *,
    at: tuple[float, float] = (0, 0),
    composition: Composition | None = None,
) -> str:
    """A picture for a name, which fills its room; what would stand out is cut off.

    Args:
        name: of what it is a picture.
        width: of the room.
        height: of the room. It looks best where the room is half as wide again as it is high.
        at: where the upper left corner of the room is.
        composition: what it is made of; made from the name when not given, the same everywhere.
    """
    return tag(
        "svg",
        _painted(name, composition or composed(name)),
        x=at[0],
        y=at[1],
        width=width,
        height=height,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        preserveAspectRatio="xMidYMid slice",
        aria_hidden="true",
    )


@lru_cache(maxsize=512)
def _painted(name: str, composition: Composition) -> str:
    sky, shapes = SKIES[composition.sky], grounds()[composition.ground]
    return (
        "".join(_behind(data, sky[colour]) for colour, data in shapes)
        + "".join(map(_figure, composition.figures))
        + (STREWN[composition.strewn](name, composition.ink) if composition.strewn else "")
    )


def _behind(data: str, fill: str) -> str:
    """A shape of a background."""
    if not data:
        return rect(0, 0, WIDTH, HEIGHT, fill=fill)
    if data.startswith("M"):
        return path(data, fill=fill)
    x, y, radius = map(float, data.split())
    return circle(x, y, radius, fill=fill)


def _figure(figure: Figure) -> str:
    scale = figure.size / 100
    steps = [f"translate({number(figure.x)} {number(figure.y)})"]
    if figure.turn:
        steps.append(f"rotate({number(figure.turn)})")
    across = -scale if figure.flip else scale
    steps.append(f"scale({across:.3g} {scale:.3g}) translate(-50 -50)")
    return tag("g", motif(figure.motif, figure.ink, figure.accent), transform=" ".join(steps))


# What is strewn.


def _places(name: str, count: int) -> list[tuple[float, float, float]]:
    """Places that hang on a name: across, down, and how large from 0 to 1; one in each column."""
    column = WIDTH / count
    return [
        (
            column * (place + number_from(f"{name} {place}", 100, "across") / 100),
            6 + number_from(f"{name} {place}", 84, "down"),
            number_from(f"{name} {place}", 100, "size") / 99,
        )
        for place in range(count)
    ]


def _discs(name: str, ink: str) -> str:
    return "".join(
        circle(x, y, 0.8 + 1.5 * size, fill=INKS[ink][0]) for x, y, size in _places(name, 16)
    )


def _sparks(name: str, ink: str) -> str:
    return "".join(
        path(
            f"M{number(x)} {number(y - 2 - 3 * size)} l1 {number(2 + 3 * size)}"
            f" l-1 {number(2 + 3 * size)} l-1 {number(-2 - 3 * size)}Z",
            fill=INKS[ink][place % 2],
        )
        for place, (x, y, size) in enumerate(_places(name, 14))
    )


def _stars(name: str, ink: str) -> str:
    return "".join(
        path(
            f"M{number(x)} {number(y * 0.6 - r)} l{number(r * 0.3)} {number(r * 0.7)}"
            f" l{number(r * 0.7)} {number(r * 0.3)} l{number(-r * 0.7)} {number(r * 0.3)}"
            f" l{number(-r * 0.3)} {number(r * 0.7)} l{number(-r * 0.3)} {number(-r * 0.7)}"
            f" l{number(-r * 0.7)} {number(-r * 0.3)} l{number(r * 0.7)} {number(-r * 0.3)}Z",
            fill=INKS[ink][0],
        )
        for x, y, size in _places(name, 12)
        for r in [1.4 + 2.2 * size]
    )


def _streaks(name: str, ink: str) -> str:
    return "".join(
        path(
            f"M{number(x - 5)} {number(y)} h{number(8 + 18 * size)}",
            fill="none",
            stroke=INKS[ink][0],
            stroke_width=1.4,
            stroke_linecap="round",
        )
        for x, y, size in _places(name, 9)
    )


STREWN: Final[Mapping[str, Callable[[str, str], str]]] = {
    "discs": _discs,
    "sparks": _sparks,
    "stars": _stars,
    "streaks": _streaks,
}
"""What can be strewn over a picture: a function of a name and an ink."""


# Pictures of which nobody has thought.


@lru_cache(maxsize=1024)
def composed(name: str) -> Composition:
    """What a picture is made of that nobody has composed: it hangs on the name alone.

    A motif that the name speaks of ("Tower of Salt") is the main one.
    """
    sky = _one_of(tuple(SKIES), name, "sky")
    inks = FITTING[sky]
    first = _one_of(inks, name, "ink")
    others = tuple(ink for ink in inks if ink != first)
    main, second = _motifs_for(name)
    flip = bool(number_from(name, 2, "flip"))
    side = -1 if flip else 1
    accent = _one_of(others, name, "accent")
    return Composition(
        sky,
        _one_of(tuple(grounds()), name, "ground"),
        (
            Figure(second, 80 + side * 46, 62, 40, _one_of(others, name, "second"), accent),
            Figure(main, 80 - side * 12, 52, 74, first, accent, flip=flip),
        ),
        _one_of(tuple(STREWN), name, "strewn"),
        accent,
    )


def _motifs_for(name: str) -> tuple[str, str]:
    """The main motif and the one beside it."""
    known = tuple(motifs())
    spoken = [word for word in name.casefold().replace("-", " ").split() if word in known]
    main = spoken[0] if spoken else _one_of(known, name, "main")
    rest = tuple(one for one in known if one != main)
    others = [word for word in spoken if word != main]
    return main, others[0] if others else _one_of(rest, name, "beside")


def _one_of(things: Sequence[T], name: str, purpose: str) -> T:
    return things[number_from(name, len(things), purpose)]
