"""What is behind motifs: sky and ground in flat bands, on a sheet of 160 by 100."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, pi, sin
from typing import Final, TypeAlias

from tabletop.svg import circle, path, polygon, rect

WIDTH: Final = 160
HEIGHT: Final = 100

Sky: TypeAlias = tuple[str, str, str, str, str]
"""Five colours: three bands from above to the horizon, what is far, what is near."""


def _bands(sky: Sky) -> str:
    """The sky: three bands with soft edges."""
    return (
        rect(0, 0, WIDTH, HEIGHT, fill=sky[0])
        + path("M0 30 C40 22 70 38 110 29 C130 25 148 27 160 31 V100 H0Z", fill=sky[1])
        + path("M0 56 C34 48 60 62 100 53 C126 48 144 52 160 57 V100 H0Z", fill=sky[2])
    )


def _hills(sky: Sky) -> str:
    return (
        _bands(sky)
        + path("M0 72 C26 58 48 62 72 72 C98 60 132 58 160 70 V100 H0Z", fill=sky[3])
        + path("M0 86 C44 72 92 90 160 80 V100 H0Z", fill=sky[4])
    )


def _peaks(sky: Sky) -> str:
    return (
        _bands(sky)
        + path(
            "M0 78 L18 52 L32 66 L54 38 L76 68 L96 48 L116 70 L138 42 L160 66 V100 H0Z", fill=sky[3]
        )
        + path("M0 88 L30 76 L62 88 L98 78 L130 88 L160 78 V100 H0Z", fill=sky[4])
    )


def _sea(sky: Sky) -> str:
    crests = (
        "M0 74 Q10 68 20 74 T40 74 T60 74 T80 74 T100 74 T120 74 T140 74 T160 74 V100 H0Z",
        "M0 86 Q14 79 28 86 T56 86 T84 86 T112 86 T140 86 T168 86 V100 H0Z",
    )
    return _bands(sky) + path(crests[0], fill=sky[3]) + path(crests[1], fill=sky[4])


def _rays(sky: Sky) -> str:
    """Wedges of light around the middle."""
    wedges = "".join(
        polygon(
            [
                (80, 56),
                (80 + 130 * cos(pi * turn / 10), 56 + 130 * sin(pi * turn / 10)),
                (80 + 130 * cos(pi * (turn + 1) / 10), 56 + 130 * sin(pi * (turn + 1) / 10)),
            ],
            fill=sky[1],
        )
        for turn in range(0, 20, 2)
    )
    return (
        rect(0, 0, WIDTH, HEIGHT, fill=sky[0])
        + wedges
        + circle(80, 54, 38, fill=sky[2])
        + path("M0 90 C50 82 110 82 160 90 V100 H0Z", fill=sky[4])
    )


def _halo(sky: Sky) -> str:
    """Rings that spread from the middle."""
    return (
        rect(0, 0, WIDTH, HEIGHT, fill=sky[4])
        + circle(80, 52, 84, fill=sky[3])
        + circle(80, 52, 66, fill=sky[0])
        + circle(80, 52, 50, fill=sky[1])
        + circle(80, 52, 34, fill=sky[2])
    )


def _cavern(sky: Sky) -> str:
    """The mouth of a cave, seen from within."""
    return (
        _bands(sky)
        + path("M0 84 C40 74 120 74 160 84 V100 H0Z", fill=sky[3])
        + path(
            "M0 0 H160 V100 H146 C152 70 146 34 128 16 L120 34 L112 12 L92 8 L84 26 L76 7 L56 10"
            " L44 40 L38 16 C16 34 8 70 14 100 H0Z",
            fill=sky[4],
        )
    )


def _hall(sky: Sky) -> str:
    """A room with a round window and pillars."""
    return (
        rect(0, 0, WIDTH, HEIGHT, fill=sky[1])
        + rect(0, 0, WIDTH, 10, fill=sky[0])
        + path("M40 78 V46 C40 14 120 14 120 46 V78Z", fill=sky[2])
        + path("M12 10 H28 V78 H12Z M132 10 H148 V78 H132Z", fill=sky[0])
        + path("M22 10 H28 V78 H22Z M142 10 H148 V78 H142Z", fill=sky[3])
        + rect(0, 78, WIDTH, 22, fill=sky[3])
        + path("M0 88 H160 V100 H0Z", fill=sky[4])
    )


def _slant(sky: Sky) -> str:
    """Driven slanting bands, as of rain or speed."""
    stripes = "".join(
        path(f"M{x} 0 H{x + 16} L{x - 34} 100 H{x - 50}Z", fill=sky[1]) for x in range(10, 230, 40)
    )
    return (
        rect(0, 0, WIDTH, HEIGHT, fill=sky[0])
        + stripes
        + path("M0 70 L160 44 V100 H0Z", fill=sky[2])
        + path("M0 90 L160 76 V100 H0Z", fill=sky[4])
    )


def _forest(sky: Sky) -> str:
    trunks = "".join(
        path(f"M{x} 0 H{x + width} L{x + width + 3} 100 H{x - 3}Z", fill=sky[3])
        for x, width in ((8, 9), (34, 5), (118, 6), (142, 11))
    )
    return (
        _bands(sky)
        + trunks
        + path("M0 0 H160 V9 C140 20 128 8 112 16 C92 24 84 8 66 14 C46 22 24 8 0 20Z", fill=sky[4])
        + path("M0 84 C44 76 100 90 160 80 V100 H0Z", fill=sky[4])
    )


def _plain(sky: Sky) -> str:
    return (
        _bands(sky)
        + rect(0, 74, WIDTH, 26, fill=sky[3])
        + path("M0 82 H160 V85 H0Z M0 91 H160 V100 H0Z", fill=sky[4])
    )


GROUNDS: Final[Mapping[str, Callable[[Sky], str]]] = {
    "hills": _hills,
    "peaks": _peaks,
    "sea": _sea,
    "rays": _rays,
    "halo": _halo,
    "cavern": _cavern,
    "hall": _hall,
    "slant": _slant,
    "forest": _forest,
    "plain": _plain,
}
"""What backdrops there are, by name."""
