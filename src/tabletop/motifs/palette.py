"""The palette of motifs and of what is behind them: few colours, flat, the same by day and night.

An ink has three tones: light, body and shade. A sky has five: three bands from above to the
horizon, then what is far and what is near on the ground.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

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
