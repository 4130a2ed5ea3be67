"""The palette of motifs, and what is behind them: few colours, flat, the same by day and night.

An ink has three tones: light, body and shade. A sky has five: three bands from above to the
horizon, then what is far and what is near on the ground. A background is drawn with a sky on a
sheet of 160 by 100.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, pi, sin
from types import MappingProxyType
from typing import Final, TypeAlias

from tabletop.svg import circle, path, polygon, rect

DARK: Final = "#1f1a24"
"""What is dark in any motif: eyes, mouths, openings."""

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
"""Inks by name: light, body, shade."""

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
"""Skies by name: three bands, then what is far and what is near."""


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
"""The inks that are seen well before a sky, by its name."""


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
