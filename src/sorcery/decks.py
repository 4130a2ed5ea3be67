"""Decks: lists of card names, one a line (Sorcery 2024 §5.2.1)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from sorcery.editions import EDITIONS, Edition
from sorcery.state import CardInstance
from tabletop import TabletopError
from tabletop.wording import nearest, quote


class DeckError(TabletopError, ValueError):
    """A deck names a card that does not exist.

    Attributes:
        line: the line at fault, counted from 1.
    """

    def __init__(self, message: str, *, line: int) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


@cache
def packaged_deck(name: str = "default.deck") -> str:
    """A deck file that comes with the package: `default.deck` or `custom.deck`.

    Args:
        name: of the file, or the whole path of another package's.

    Raises:
        OSError: it cannot be read.
    """
    if Path(name).is_absolute():
        return Path(name).read_text("utf-8")
    return files("sorcery").joinpath("data", name).read_text("utf-8")


def parse_deck(text: str, edition: Edition) -> list[CardInstance]:
    """The cards that a deck file names, the first to be drawn first.

    Letter case, white space around and between words, and blank lines do not matter. A deck may be
    of any size, also empty.

    Raises:
        DeckError: there is no such card; says the line, and the nearest card or the edition that
            has it.
    """
    names = {name.casefold(): name for name in edition.cards}
    deck = []
    for number, line in enumerate(text.split("\n"), 1):
        words = " ".join(line.split())
        if not words:
            continue
        name = names.get(words.casefold())
        if name is None:
            unknown = f"{quote(words)} is no card of the {edition.name} edition"
            raise DeckError(f"{unknown}{_hint(words, edition)}", line=number)
        deck.append(edition.held(name))
    return deck


def _hint(words: str, edition: Edition) -> str:
    """The edition that has the card, or the card that was meant, or else the nearest there is."""
    for other in EDITIONS.values():
        if words.casefold() in map(str.casefold, other.cards):
            return f", but one of the {other.name} edition"
    meant = nearest(words, edition.cards)
    if meant:
        return f"; did you mean {meant!r}?"
    return f"; the nearest card is {nearest(words, edition.cards, likeness=0)!r}"
