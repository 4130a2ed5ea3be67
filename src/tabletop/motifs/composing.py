"""Pictures of cards and tiles: a backdrop, motifs before it, and small things strewn over it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeVar

from tabletop.motifs.backdrops import GROUNDS, HEIGHT, WIDTH
from tabletop.motifs.inks import FITTING, INKS, SKIES
from tabletop.motifs.shapes import motif, motifs
from tabletop.svg import circle, number_from, path, tag
from tabletop.svg.shapes import number

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
        ground: a name in `GROUNDS`: what is behind.
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
    return (
        GROUNDS[composition.ground](SKIES[composition.sky])
        + "".join(map(_figure, composition.figures))
        + (STREWN[composition.strewn](name, composition.ink) if composition.strewn else "")
    )


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
        _one_of(tuple(GROUNDS), name, "ground"),
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
