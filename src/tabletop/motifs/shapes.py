"""How motifs are written and drawn.

A motif is a silhouette in a box of 100 by 100, in a few tones, lit from the top left. It stands in
one of the files `data/*.txt`: its name in brackets, then a line for each of its paths, from the
lowest to the uppermost. A line is a tone and the data of an SVG path:

- `b` the body, `h` its light, `s` its shade, `a` an accent in another ink, `k` what is dark;
- a number after it says how often the path is drawn around the centre: `b6`;
- in capitals the path is a line of that width with round ends: `B9`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final, NamedTuple

from tabletop.motifs.inks import DARK, INKS
from tabletop.svg import path, tag

_FILES: Final = ("elements", "beings", "things")


class Stroke(NamedTuple):
    """One path of a motif: its tone, and how often it is drawn or how wide its line is."""

    tone: str
    number: float
    data: str


@cache
def motifs() -> Mapping[str, tuple[Stroke, ...]]:
    """All motifs by name, from the files `data/*.txt` beside this one."""
    found: dict[str, tuple[Stroke, ...]] = {}
    for file in _FILES:
        text = (resources.files("tabletop.motifs") / "data" / f"{file}.txt").read_text("utf-8")
        for block in text.split("\n[")[1:]:
            name, rows = block.split("]\n", 1)
            found[name] = tuple(map(_stroke, filter(None, rows.split("\n"))))
    return MappingProxyType(found)


def _stroke(row: str) -> Stroke:
    tone, data = row.split(" ", 1)
    return Stroke(tone[0], float(tone[1:] or 1), data)


@cache
def motif(name: str, ink: str = "stone", accent: str = "gold") -> str:
    """A motif in its box of 100 by 100.

    Args:
        name: one of `motifs()`.
        ink: a name in `tabletop.motifs.inks.INKS`; its three tones are light, body and shade.
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
