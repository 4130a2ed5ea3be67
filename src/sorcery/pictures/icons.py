"""Small signs on cards: coins, swords, shields, gems, arrows. A line of text stands in the middle
of each.
"""

from __future__ import annotations

from typing import Final

from tabletop.svg import circle, group, measure, path, tag, text

COIN: Final = "#e8b93c"
COIN_EDGE: Final = "#8a5f14"
PALE: Final = "#cbc4b6"
PALE_EDGE: Final = "#7d7668"
COIN_INK: Final = "tt-text-on-orange"
"""Coins are gold by day and by night, or pale."""

SWORD: Final = "M0 -11 L3 -7 L2.4 4 L-2.4 4 L-3 -7Z"
HILT: Final = "M-6 4 H6 V7 H-6Z M-1.6 7 H1.6 V12 H-1.6Z"
SHIELD: Final = (
    "M0 -14 C5 -11 9 -10.5 13 -10.5 C13.5 1 10 10 0 14.5"
    " C-10 10 -13.5 1 -13 -10.5 C-9 -10.5 -5 -11 0 -14Z"
)
GEM: Final = "M-8 -13 H8 L14 -3 L0 14 L-14 -3Z"
HEART: Final = "M0 9 C-12 1 -11 -9 -5 -9 C-2 -9 0 -7 0 -5 C0 -7 2 -9 5 -9 C11 -9 12 1 0 9Z"
TIMES: Final = "\N{MULTIPLICATION SIGN}"
MINUS: Final = "\N{MINUS SIGN}"


def as_printed(number: str) -> str:
    """A number or a change as people write it."""
    return number.replace("*", TIMES).replace("-", MINUS)


def coin(
    x: float, y: float, radius: float, cost: str, *, dearer: bool = False, pale: bool = False
) -> str:
    """A price in magic; one that has risen has an arrow, one that cannot be paid now is pale."""
    face, edge = (PALE, PALE_EDGE) if pale else (COIN, COIN_EDGE)
    return (
        circle(x, y, radius, fill=face, stroke=edge, stroke_width=radius / 9)
        + circle(x, y, radius * 0.78, fill="none", stroke=edge, stroke_width=radius / 22)
        + text(
            x,
            y + radius * 0.42,
            cost,
            radius * 1.2,
            radius * 1.4,
            COIN_INK,
            anchor="middle",
            bold=True,
            floor=0.4,
        )
        + (arrow(x + radius + 3, y, 1) if dearer else "")
    )


def arrow(x: float, y: float, change: int, *, bad: bool = False) -> str:
    """An arrow beside a number that has grown or shrunk; nothing for one that has not."""
    if not change:
        return ""
    up = change > 0
    data = "M-3.5 2.5 L0 -3.5 L3.5 2.5Z" if up else "M-3.5 -2.5 L0 3.5 L3.5 -2.5Z"
    return tag("path", d=data, transform=f"translate({x:g} {y:g})", class_=tone_of(change, bad=bad))


def tone_of(change: int, *, bad: bool = False) -> str:
    """The class of a number that has changed."""
    if not change:
        return "tt-ink"
    return "tt-gain" if (change > 0) is not bad else "tt-danger"


def _number(x: float, y: float, words: str, size: float, room: float, change: int) -> str:
    """A number in the colour of its change; small signs are given more room than they need."""
    tone = tone_of(change).replace("tt-", "tt-text-")
    return text(x, y, words, size, room, f"tt-number {tone}", anchor="middle", bold=True, floor=0.4)


def sword(x: float, y: float, words: str, change: int = 0, *, size: float = 17) -> str:
    """An attack; `x` and `y` are the centre of the sword, the number stands at its right."""
    signs = path(SWORD, fill="#a9b6c2", stroke="#4c5a6c", stroke_width=0.8) + path(
        HILT, fill="#8a6035"
    )
    room = size * 1.55
    across = measure(words, size, bold=True) if words else 0
    end = min(room, across)
    return (
        group(signs, at=(x, y), turn=32)
        + _number(x + 9 + end / 2, y + size * 0.36, words, size, room, change)
        + arrow(x + 14 + end, y, change)
    )


def shield(x: float, y: float, words: str, change: int = 0, *, size: float = 17) -> str:
    """A defence: the number stands on the shield, an arrow below it."""
    back = path(SHIELD, "tt-paper-deep tt-stroke-line", stroke_width=1.4)
    scale = size / 15
    return (
        tag("g", back, transform=f"translate({x:g} {y:g}) scale({scale:.3g})")
        + _number(x, y + size * (0.2 if change else 0.3), words, size, 21 * scale, change)
        + arrow(x, y + size * 0.52, change)
    )


def gem(x: float, y: float, words: str, *, size: float = 16) -> str:
    """A number of charges."""
    back = path(GEM, fill="#51307f", stroke="#d9b8f2", stroke_width=1.6)
    scale = size / 15
    return tag("g", back, transform=f"translate({x:g} {y:g}) scale({scale:.3g})") + text(
        x,
        y + size * 0.24,
        words,
        size * 0.95,
        18 * scale,
        "tt-number tt-text-on-blue",
        anchor="middle",
        bold=True,
        floor=0.4,
    )
