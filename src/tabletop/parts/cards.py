"""Playing cards: decks that are built from counts, the French deck, and tricks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")

JACK, QUEEN, KING, ACE = 11, 12, 13, 14
"""The ranks that have no number; an ace is high."""

_LETTERS: Final = {10: "t", JACK: "j", QUEEN: "q", KING: "k", ACE: "a"}
_RANKS: Final = {letter: rank for rank, letter in _LETTERS.items()}


class Suit(StrEnum):
    """The four suits, in the order of the alphabet."""

    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"


class Card(NamedTuple):
    """A card of the French deck. Sorted they stand by suit, the lowest first.

    Attributes:
        suit: its suit.
        rank: 2 to 14, the ace being high; 0 for a card that is seen from behind.
    """

    suit: Suit
    rank: int

    def __str__(self) -> str:
        """Two letters, such as `qs`, `td` or `7h`; `??` from behind."""
        return f"{_LETTERS.get(self.rank, self.rank)}{self.suit}" if self.rank else "??"


BACK: Final = Card(Suit.CLUBS, 0)
"""A card that is seen from behind: what a view shows in the place of one that is hidden."""


def card(text: str) -> Card:
    """The card that two letters name, in either case.

    Raises:
        ValueError: they name none.

    >>> card("QS") == Card(Suit.SPADES, QUEEN)
    True
    """
    rank, suit = text[:-1].casefold(), text[-1:].casefold()
    value = _RANKS.get(rank) or (int(rank) if rank.isdecimal() and rank.isascii() else 0)
    if len(rank) != 1 or value < 2 or suit not in tuple(Suit):
        raise ValueError(f"{text!r} is no card: write a rank (2 to 9, t, j, q, k, a) and a suit")
    return Card(Suit(suit), value)


def french_deck(lowest: int = 2) -> list[Card]:
    """All cards from a rank up to the aces, sorted: 52, or 32 with `lowest=7`.

    Raises:
        ValueError: there is no such rank; ranks are 2 to 14.
    """
    if not 2 <= lowest <= ACE:
        raise ValueError(f"there is no rank {lowest}: ranks are 2 to {ACE}")
    return [Card(suit, rank) for suit in Suit for rank in range(lowest, ACE + 1)]


def deck_of(counts: Mapping[T, int]) -> list[T]:
    """A deck with so many of each, in the order of `counts`, unshuffled.

    Raises:
        ValueError: a count is negative.

    >>> deck_of({"fool": 1, "knight": 3})
    ['fool', 'knight', 'knight', 'knight']
    """
    for thing, count in counts.items():
        if count < 0:
            raise ValueError(f"{count} of {thing!r}: a deck cannot hold fewer than none")
    return [thing for thing, count in counts.items() for _ in range(count)]


def following(hand: Sequence[Card], led: Suit | None) -> list[Card]:
    """The cards that may be played where suit must be followed: those of it, else any.

    Args:
        hand: what is held.
        led: the suit of the first card of the trick; None for whoever leads.
    """
    return [one for one in hand if one.suit == led] or list(hand)


def trick_winner(trick: Sequence[Card], trump: Suit | None = None) -> int:
    """The place of the winning card: the highest trump, else the highest of the suit led.

    Args:
        trick: the cards in the order in which they were played.
        trump: a suit that beats all others, if there is one.

    Raises:
        ValueError: no card has been played.

    >>> trick_winner([card("9h"), card("kh"), card("as")])
    1
    >>> trick_winner([card("9h"), card("kh"), card("2s")], trump=Suit.SPADES)
    2
    """
    if not trick:
        raise ValueError("a trick without cards has no winner")
    led = trick[0].suit
    return max(
        range(len(trick)),
        key=lambda place: (
            trick[place].suit == trump,
            trick[place].suit == led,
            trick[place].rank,
            -place,  # of two that are the same, the one that was played first
        ),
    )
