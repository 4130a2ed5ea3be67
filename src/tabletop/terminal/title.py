"""What is played, in a line: what a terminal shows first of a match."""

from __future__ import annotations

from tabletop.host.printable import printable
from tabletop.match import AnyMatch


def title_of(match: AnyMatch) -> str:
    """What is played, in a line."""
    title = f"{match.game.title or match.game.name}, seed: {match.seed.text}"
    return printable(title if match.first_state is None else f"{title}, from a given position")
