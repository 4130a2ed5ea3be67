"""The colours of pictures, one place for all of them: CSS variables with a light and a dark set.

Cloth is the table, paper what cards are made of, ink what is written on them. Every text colour
reaches 4.5 to 1 on the grounds it is meant for, in both sets. In print the light set is used.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

LIGHT: Final = MappingProxyType(
    {
        "cloth": "#d5dfd0",
        "cloth-deep": "#c0ceba",
        "paper": "#fcf8ef",
        "paper-deep": "#efe6d3",
        "ink": "#29241f",
        "muted": "#5a5148",
        "line": "#8b7d6b",
        "wood": "#c69a66",
        "wood-deep": "#8a6035",
        "accent": "#0a6b4c",
        "danger": "#a3301e",
        "gain": "#1d6a35",
        "shadow": "#29241f33",
        "blue": "#0072b2",
        "red": "#d55e00",
        "orange": "#e69f00",
        "yellow": "#f0e442",
        "on-blue": "#ffffff",
        "on-red": "#1b1713",
        "on-orange": "#1b1713",
        "on-yellow": "#1b1713",
    }
)
"""The colours by day and in print, by name."""

DARK: Final = MappingProxyType(
    {
        **LIGHT,
        "cloth": "#22302b",
        "cloth-deep": "#1a2522",
        "paper": "#3a332b",
        "paper-deep": "#2d2822",
        "ink": "#f4ede1",
        "muted": "#c9beae",
        "line": "#8f8371",
        "wood": "#8f6840",
        "wood-deep": "#5d4227",
        "accent": "#7fd8ad",
        "danger": "#ff9f8a",
        "gain": "#93d59f",
        "shadow": "#00000066",
    }
)
"""The colours in the evening, by name."""


def _set(colours: dict[str, str] | MappingProxyType[str, str]) -> str:
    return "".join(f"--tt-{name}:{value};" for name, value in colours.items())


TOKENS: Final = (
    f":root,.tt-picture{{color-scheme:light dark;{_set(LIGHT)}}}"
    f"@media (prefers-color-scheme:dark){{:root,.tt-picture{{{_set(DARK)}}}}}"
    f"@media print{{:root,.tt-picture{{{_set(LIGHT)}}}}}"
)
"""The CSS variables: `--tt-cloth`, `--tt-paper`, ..."""

STYLE: Final = (
    ".tt-picture{font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;"
    "font-variant-numeric:tabular-nums;-webkit-user-select:none;user-select:none}"
    ".tt-picture text{fill:var(--tt-ink);dominant-baseline:auto}"
    + "".join(f".tt-{name}{{fill:var(--tt-{name})}}" for name in LIGHT)
    + "".join(f".tt-picture .tt-text-{name}{{fill:var(--tt-{name})}}" for name in LIGHT)
    + "".join(f".tt-stroke-{name}{{stroke:var(--tt-{name})}}" for name in LIGHT)
    + ".tt-none{fill:none}.tt-hit{fill:transparent;stroke:none}.tt-bold{font-weight:700}"
    ".tt-dim{opacity:.55}"
    ".tt-card{fill:var(--tt-paper);stroke:var(--tt-line);stroke-width:1}"
    ".tt-part{outline:none}.tt-part[data-action],.tt-part.tt-lit{cursor:pointer}"
    ".tt-ring{fill:none;stroke:none;pointer-events:none}"
    ".tt-lit>.tt-ring{stroke:var(--tt-accent);stroke-width:3}"
    ".tt-chosen>.tt-ring{stroke:var(--tt-accent);stroke-width:6}"
    ".tt-part:focus-visible>.tt-ring{stroke:var(--tt-ink);stroke-width:5;stroke-dasharray:7 4}"
)
"""How the classes of pictures look, in terms of the variables."""

CLASSES: Final = frozenset(
    {"tt-picture", "tt-die", "tt-number", "tt-sheet", *re.findall(r"\.(tt-[a-z-]+)", STYLE)}
)
"""Every class that a piece may have. A die and a number look like any other piece: what a page does
is to turn the one and to count up or down to the other when they change. A sheet is the ground of a
position in words, which a page gives other room than a picture."""

_VARIABLE: Final = re.compile(r"var\(--tt-([a-z-]+)\)")


def flattened(picture: str, *, dark: bool = False) -> str:
    """A picture without CSS variables, for programs that do not know them, in one set of colours.

    Args:
        picture: what `document` gives.
        dark: which set.
    """
    colours = DARK if dark else LIGHT
    plain = _VARIABLE.sub(lambda found: colours[found[1]], STYLE)
    return _VARIABLE.sub(
        lambda found: colours.get(found[1], found[0]), picture.replace(TOKENS + STYLE, plain)
    )
