"""Motifs, and pictures of cards and tiles composed of motifs.

A picture consists of a background, motifs in front of it, and small shapes scattered over both. A
motif is a silhouette in a box of 100 by 100 units, in a few tones, lit from the top left. A
background is 160 by 100 units. Both are defined in the files `data/*.txt` by a name in brackets,
followed by one line per shape, from back to front. The line of a motif contains a tone and SVG path
data:

- `b` is the body, `h` its highlight, `s` its shade, `a` an accent in another ink, `k` a dark part.
- A number after the tone repeats the path around the centre: `b6`.
- An upper-case tone draws the path as a line of that width with round ends: `B9`.

The line of a background contains the index of a colour of the sky, followed by SVG path data, by
the centre and radius of a disc, or by nothing to fill the whole area. A line with the name of an
earlier background includes all shapes of that background.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from tabletop.display.svg import circle, number, number_from, path, rect, tag
from tabletop.wording import did_you_mean

WIDTH: Final = 160  # width of a picture, in units
HEIGHT: Final = 100  # height of a picture, in units


class Stroke(NamedTuple):
    """A path of a motif.

    Attributes:
        tone: The letter of the tone. In upper case, the path is drawn as a line.
        number: The number of copies around the centre, or the width of the line.
        data: The SVG path data.
    """

    tone: str
    number: float
    data: str


def _blocks(file: str) -> dict[str, list[str]]:
    """Return the lines of a data file, grouped by the names in brackets above them."""
    from importlib import resources  # slow to import, and rarely needed

    text = (resources.files("tabletop.display") / "data" / f"{file}.txt").read_text("utf-8")
    blocks = (block.split("]\n", 1) for block in text.split("\n[")[1:])
    return {name: [line for line in lines.split("\n") if line] for name, lines in blocks}


@cache
def motifs() -> Mapping[str, tuple[Stroke, ...]]:
    """Return all motifs by name."""
    blocks = {**_blocks("elements"), **_blocks("beings"), **_blocks("things")}
    return MappingProxyType({name: tuple(map(_stroke, rows)) for name, rows in blocks.items()})


def _stroke(row: str) -> Stroke:
    tone, data = row.split(" ", 1)
    return Stroke(tone[0], float(tone[1:] or 1), data)


@cache
def grounds() -> Mapping[str, tuple[tuple[int, str], ...]]:
    """Return all backgrounds by name, as pairs of a colour index and the data of a shape."""
    backgrounds: dict[str, tuple[tuple[int, str], ...]] = {}
    for name, rows in _blocks("grounds").items():
        shapes: list[tuple[int, str]] = []
        for colour, _, data in (row.partition(" ") for row in rows):
            shapes += backgrounds[colour] if colour in backgrounds else [(int(colour), data)]
        backgrounds[name] = tuple(shapes)
    del backgrounds["bands"]  # only used by other backgrounds
    return MappingProxyType(backgrounds)


@cache
def motif(name: str, ink: str = "stone", accent: str = "gold") -> str:
    """Draw a motif in its box of 100 by 100 units.

    Args:
        name: A name from `motifs()`.
        ink: A name from `tabletop.display.INKS`, which defines the tones highlight, body and shade.
        accent: The ink of parts in a second colour.

    Raises:
        KeyError: The motif or the ink does not exist.
    """
    light, body, shade = INKS[ink]
    colours = {"h": light, "b": body, "s": shade, "a": INKS[accent][1], "k": DARK}
    return "".join(_draw_stroke(stroke, colours) for stroke in motifs()[name])


def _draw_stroke(stroke: Stroke, colours: dict[str, str]) -> str:
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
    """A motif in a picture, which is 160 units wide and 100 units high.

    Attributes:
        motif: The name of the motif.
        x, y: The centre.
        size: The side length of its box.
        ink: A name from `INKS`.
        accent: The ink of parts in a second colour.
        turn: The rotation in degrees, clockwise.
        flip: Whether the motif is mirrored.

    Raises:
        ValueError: The motif or an ink does not exist.
    """

    motif: str
    x: float
    y: float
    size: float
    ink: str
    accent: str = "gold"
    turn: float = 0
    flip: bool = False

    def __post_init__(self) -> None:
        _check("motif", self.motif, motifs())
        _check("ink", self.ink, INKS)
        _check("ink", self.accent, INKS)


def _check(kind: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        hint = did_you_mean(name, known) or f"; choose from {', '.join(sorted(known))}"
        raise ValueError(f"{kind} {name!r} does not exist{hint}")


@dataclass(frozen=True, slots=True)
class Composition:
    """The contents of a picture.

    Attributes:
        sky: A name from `SKIES`, for the colours of the background.
        ground: A name from `grounds()`, for the shapes of the background.
        figures: The motifs, from back to front.
        strewn: A name from `STREWN`, for the scattered shapes, or an empty string.
        ink: The ink of the scattered shapes.

    Raises:
        ValueError: A name does not exist.

    >>> moon = Figure("moon", 130, 24, 24, "bone")
    >>> tower = Figure("tower", 64, 50, 80, "steel", flip=True)
    >>> night = Composition("dusk", "sea", (moon, tower), "stars", "ice")
    >>> art("Lighthouse", 120, 80, composition=night)[:4]
    '<svg'
    """

    sky: str
    ground: str
    figures: tuple[Figure, ...]
    strewn: str = ""
    ink: str = "gold"

    def __post_init__(self) -> None:
        _check("sky", self.sky, SKIES)
        _check("ground", self.ground, grounds())
        _check("ink", self.ink, INKS)
        if self.strewn:
            _check("scattered shape", self.strewn, STREWN)


def art(
    name: str,
    width: float,
    height: float,
    *,
    at: tuple[float, float] = (0, 0),
    composition: Composition | None = None,
) -> str:
    """Draw a picture for a name. It fills its area and is cropped at the edges.

    Args:
        name: The name of the subject.
        width: The width of the area.
        height: The height of the area, ideally two thirds of its width.
        at: The upper left corner of the area.
        composition: The contents. By default, derived from the name, so that the same name always
            has the same picture.
    """
    return tag(
        "svg",
        _paint(name, composition or composed(name)),
        x=at[0],
        y=at[1],
        width=width,
        height=height,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        preserveAspectRatio="xMidYMid slice",
        aria_hidden="true",
    )


@lru_cache(maxsize=512)
def _paint(name: str, composition: Composition) -> str:
    sky, shapes = SKIES[composition.sky], grounds()[composition.ground]
    return (
        "".join(_behind(data, sky[colour]) for colour, data in shapes)
        + "".join(map(_figure, composition.figures))
        + (STREWN[composition.strewn](name, composition.ink) if composition.strewn else "")
    )


def _behind(data: str, fill: str) -> str:
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


# Scattered shapes.


def _places(name: str, count: int) -> list[tuple[float, float, float]]:
    """Derive a position for each column from a name: x, y, and a size from 0 to 1."""
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
    drawn = ""
    for place, (x, y, size) in enumerate(_places(name, 14)):
        half = 2 + 3 * size
        corners = [(1, half), (-1, half), (-1, -half)]
        drawn += path(_outline(x, y - half, corners), fill=INKS[ink][place % 2])
    return drawn


_STAR: Final = (
    (0.3, 0.7),
    (0.7, 0.3),
    (-0.7, 0.3),
    (-0.3, 0.7),
    (-0.3, -0.7),
    (-0.7, -0.3),
    (0.7, -0.3),
)


def _stars(name: str, ink: str) -> str:
    drawn = ""
    for x, y, size in _places(name, 12):
        radius = 1.4 + 2.2 * size
        corners = [(radius * across, radius * down) for across, down in _STAR]
        drawn += path(_outline(x, y * 0.6 - radius, corners), fill=INKS[ink][0])
    return drawn


def _outline(x: float, y: float, steps: Sequence[tuple[float, float]]) -> str:
    """Return the path data of a closed outline: a start and relative steps."""
    lines = (f" l{number(across)} {number(down)}" for across, down in steps)
    return f"M{number(x)} {number(y)}{''.join(lines)}Z"


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
"""Functions that draw scattered shapes, given a name and an ink."""


# Pictures that are composed from a name.


@lru_cache(maxsize=1024)
def composed(name: str) -> Composition:
    """Compose a picture from a name.

    If the name contains a motif, as "Tower of Salt" does, it is the main motif.
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
    known = tuple(motifs())
    spoken = [word for word in name.casefold().replace("-", " ").split() if word in known]
    main = spoken[0] if spoken else _one_of(known, name, "main")
    rest = tuple(motif for motif in known if motif != main)
    others = [word for word in spoken if word != main]
    return main, others[0] if others else _one_of(rest, name, "beside")


def _one_of(things: Sequence[T], name: str, purpose: str) -> T:
    return things[number_from(name, len(things), purpose)]


# The palette. It is the same in light and dark mode.

DARK: Final = "#1f1a24"  # the colour of dark parts of motifs, such as eyes, mouths and openings

INKS: Final = MappingProxyType(
    {
        "ember": ("#ffe08a", "#f28c28", "#c2451e"),
        "blood": ("#f08a72", "#c23b32", "#7d1f2b"),
        "gold": ("#fff0b3", "#e8b93c", "#a9761c"),
        "leaf": ("#c6e08a", "#6fa544", "#3a6a35"),
        "moss": ("#b9c28a", "#7d8a4a", "#4a5630"),
        "sea": ("#bfe9ee", "#3f9fb8", "#1f5f80"),
        "ice": ("#ffffff", "#bfe0f2", "#7aa9cf"),
        "cloud": ("#ffffff", "#e6edf2", "#a9bccb"),
        "stone": ("#cfc8bd", "#968d82", "#5d564f"),
        "earth": ("#d9ad78", "#a8723f", "#6b4226"),
        "bone": ("#fffdf0", "#e9dfc3", "#b3a27c"),
        "steel": ("#eef2f5", "#a9b6c2", "#64748a"),
        "violet": ("#d9b8f2", "#8d5bbf", "#51307f"),
        "rose": ("#ffd0d6", "#e0667f", "#a0324f"),
        "teal": ("#a6eadb", "#2fa58f", "#17655f"),
        "dusk": ("#a59ac2", "#5f5487", "#382f57"),
        "night": ("#6a6f96", "#3a3d63", "#21233f"),
        "wood": ("#d8b080", "#9a6b3f", "#5e3d22"),
        "ash": ("#b7b0b5", "#77707a", "#463f4b"),
        "spring": ("#eaf5a8", "#b5cf4a", "#728f2a"),
    }
)
"""Inks by name: highlight, body and shade."""

SKIES: Final = MappingProxyType(
    {
        "dawn": ("#f3a183", "#f9c99a", "#fde7b8", "#b9786f", "#7d4f5c"),
        "noon": ("#7fbfdc", "#a9d8e6", "#d8eee9", "#8fb08a", "#5f8a5f"),
        "dusk": ("#4b3b6b", "#8a5480", "#d9828a", "#4a3560", "#2e2344"),
        "night": ("#151a38", "#232a52", "#38416f", "#1b2142", "#10142c"),
        "ember": ("#3c1424", "#7a1f2b", "#c04a2a", "#4a1620", "#2a0e18"),
        "frost": ("#4f86b8", "#86b7da", "#c6e2f1", "#9cc3e0", "#e9f4fa"),
        "moss": ("#2f4a3c", "#4f7350", "#8fa76a", "#2c4434", "#1d2f27"),
        "grave": ("#1e2a34", "#2f4a4a", "#5c7f66", "#25363a", "#151f26"),
        "hall": ("#4a3226", "#6d4a33", "#93683f", "#3a2720", "#5a3d2a"),
        "royal": ("#2b1b4f", "#4d2f7f", "#8456b0", "#38235f", "#21143f"),
        "sand": ("#e7b765", "#f1cf8b", "#f9e6b8", "#cf9a55", "#a87438"),
        "teal": ("#0f4a52", "#1c7276", "#5fb0a0", "#12535a", "#0a343c"),
        "parchment": ("#d9c49a", "#e6d5b0", "#f1e5c8", "#c2a876", "#9c8255"),
        "rose": ("#6b2147", "#a83e63", "#e58a94", "#5a1c42", "#3a1230"),
        "slate": ("#39434f", "#586473", "#8a95a1", "#333b46", "#232931"),
    }
)
"""Skies by name, each with five colours: three bands from the top to the horizon, the far ground
and the near ground.
"""

FITTING: Final = MappingProxyType(
    {
        "dawn": ("violet", "teal", "sea", "blood", "night", "earth"),
        "noon": ("ember", "blood", "violet", "earth", "gold", "bone"),
        "dusk": ("gold", "bone", "ice", "spring", "ember", "teal"),
        "night": ("gold", "bone", "ice", "rose", "teal", "steel"),
        "ember": ("gold", "bone", "ice", "steel", "spring", "ember"),
        "frost": ("night", "violet", "blood", "wood", "teal", "gold"),
        "moss": ("bone", "gold", "rose", "ember", "ice", "spring"),
        "grave": ("bone", "spring", "gold", "violet", "ice", "ember"),
        "hall": ("steel", "ice", "gold", "teal", "bone", "leaf"),
        "royal": ("gold", "rose", "ice", "spring", "teal", "bone"),
        "sand": ("blood", "violet", "teal", "night", "sea", "wood"),
        "teal": ("gold", "bone", "ember", "rose", "ice", "spring"),
        "parchment": ("blood", "night", "teal", "wood", "violet", "sea"),
        "rose": ("gold", "ice", "bone", "spring", "teal", "steel"),
        "slate": ("gold", "ember", "ice", "spring", "rose", "bone"),
    }
)
"""The inks that contrast with a sky, by the name of the sky."""
