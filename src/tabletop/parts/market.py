"""A row of cards that lie open to be taken, and is filled up from a deck."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def fill(row: list[T], deck: list[T], size: int) -> list[T]:
    """Lay cards from the top of the deck at the end of the row, until it has `size` cards.

    Returns:
        The new cards.

    >>> row, deck = ["oar"], ["net", "rope", "sail"]
    >>> fill(row, deck, 3), row, deck
    (['sail', 'rope'], ['oar', 'sail', 'rope'], ['net'])
    """
    new = [deck.pop() for _ in range(min(max(0, size - len(row)), len(deck)))]
    row.extend(new)
    return new


def take(row: list[T], place: int, deck: list[T]) -> T:
    """Take the card at a place of the row; those after it move up, and a new one comes last.

    Args:
        row: the open cards.
        place: which one, from 0.
        deck: where new cards come from, from its top; the row is shorter once it is empty.

    Raises:
        IndexError: the row has no such place.

    >>> row, deck = ["oar", "net", "rope"], ["sail"]
    >>> take(row, 0, deck), row, deck
    ('oar', ['net', 'rope', 'sail'], [])
    """
    if not 0 <= place < len(row):
        raise IndexError(f"there is no place {place + 1} in a row of {len(row)}")
    size = len(row)
    taken = row.pop(place)
    fill(row, deck, size)
    return taken
