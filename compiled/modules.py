"""Which modules are compiled. This is the one place that says so.

Left as Python are, because mypyc gets them wrong or users would notice: generic classes (`Match`),
the dataclasses of states, actions, events and cards, rules, and whatever users derive from.
Functions over these are what is compiled, and the few classes that hot loops spend their time in.
`tabletop.table` and `tabletop.rng.streams` gained nothing.
"""

from __future__ import annotations

from typing import Final

MODULES: Final = (
    # Chance.
    "tabletop.rng.hashed",
    # The engine.
    "tabletop.turns",
    "tabletop.match.running",
    # Constructor.
    "constructor.legal",
    "constructor.means",
    "constructor.moves",
    "constructor.production",
    # Sorcery.
    "sorcery.board",
    "sorcery.engine",
    "sorcery.index",
    "sorcery.legal",
    "sorcery.modifiers",
    "sorcery.moves",
    "sorcery.zones",
)
"""The modules that are compiled, by name."""


def path_of(module: str) -> str:
    """Where the source of a module lies below `src/`: `tabletop/rng/names.py`."""
    return module.replace(".", "/") + ".py"
