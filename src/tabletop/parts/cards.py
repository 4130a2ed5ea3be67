"""Cards: decks from counts, the French deck, words, tricks, piles, hands, open rows, hints.

A pile or a hand is a list whose last card is on top.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, MutableSequence, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, TypeVar

from typing_extensions import override

from tabletop.rng.stream import Stream
from tabletop.rules.commands import Argument, Command
from tabletop.states.bounds import PER_SEAT, OneOf, Seat
from tabletop.states.codec import in_fixed_order
from tabletop.states.states import State, state
from tabletop.wording import plural

T = TypeVar("T")

JACK: Final = 11
"""The rank of a jack."""

QUEEN: Final = 12
"""The rank of a queen."""

KING: Final = 13
"""The rank of a king."""

ACE: Final = 14
"""The rank of an ace, the highest."""

_LETTERS: Final = {10: "t", JACK: "j", QUEEN: "q", KING: "k", ACE: "a"}
_RANKS: Final = {_LETTERS.get(rank, str(rank)): rank for rank in range(2, ACE + 1)}


class Suit(StrEnum):
    """The four suits, in the order of the alphabet, as their first letters in lower case."""

    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"


class Card(NamedTuple):
    """A card of the French deck. Cards sort by suit, then by rank, the lowest first.

    Attributes:
        suit: its suit.
        rank: 2 to 14, the ace being high; 0 for the back of a card.
    """

    suit: Suit
    rank: int

    def __str__(self) -> str:
        """Format as two letters, such as `qs`, `td` or `7h`; `??` for a back."""
        return f"{_LETTERS.get(self.rank, self.rank)}{self.suit}" if self.rank else "??"


BACK: Final = Card(Suit.CLUBS, 0)
"""The back of a card: views show it in the place of a hidden one."""


def card(text: str) -> Card:
    """Return the card that a word names, its rank and its suit: `qs`, `th` or `10h`, in any case.

    Raises:
        ValueError: it names none, as `??`, the back.

    >>> card("QS") == Card(Suit.SPADES, QUEEN), card("10h") == card("th")
    (True, True)
    """
    rank, suit = text[:-1].casefold(), text[-1:].casefold()
    value = _RANKS.get("t" if rank == "10" else rank)
    if value is None or suit not in tuple(Suit):
        raise ValueError(
            f"{text!r} is no card: write a rank (2 to 10, j, q, k, a) and a suit (c, d, h, s)"
        )
    return Card(Suit(suit), value)


def french_deck(lowest: int = 2) -> list[Card]:
    """Return all cards from a rank up to the aces, sorted: 52, or 32 with `lowest=7`.

    Raises:
        ValueError: there is no such rank; ranks are 2 to 14.
    """
    if not 2 <= lowest <= ACE:
        raise ValueError(f"there is no rank {lowest}: ranks are 2 to {ACE}")
    return [Card(suit, rank) for suit in Suit for rank in range(lowest, ACE + 1)]


AnyCard: TypeAlias = Annotated[Card, OneOf(french_deck())]
"""A card in a field of a state; the note is for learning environments, which encode it."""


def deck_of(counts: Mapping[T, int]) -> list[T]:
    """Build a deck with so many of each, in the order of `counts`, unshuffled.

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
    """Return the cards of a hand that may be played where suit must be followed, in a new list.

    Those of the suit led; all of them if there are none, or for the leader, where `led` is None.

    >>> hand = [card("9h"), card("as"), card("kh")]
    >>> [str(it) for it in following(hand, Suit.HEARTS)]
    ['9h', 'kh']
    """
    return [one for one in hand if one.suit == led] or list(hand)


def trick_winner(trick: Sequence[Card], trump: Suit | None = None) -> int:
    """Return the index of the winning card: the highest trump, else the highest of the suit led.

    The cards of the trick stand in the order in which they were played; of equal ones the first
    wins.

    Raises:
        ValueError: no card has been played.

    >>> trick_winner([card("9h"), card("kh"), card("as")])
    1
    >>> trick = [card("9h"), card("kh"), card("2s")]
    >>> trick_winner(trick, trump=Suit.SPADES)
    2
    """
    if not trick:
        raise ValueError("a trick without cards has no winner")
    led = trick[0].suit
    best = max(trick, key=lambda card: (card.suit == trump, card.suit == led, card.rank))
    return trick.index(best)


@state
class Trick(State):
    """A trick, as a part of a state. It lies there until the next card is led: everybody sees it.

    Attributes:
        cards: the card of each seat; None for one that has played none.
        leader: the seat that leads it.
        trump: the suit that beats all others, if any.

    >>> trick = Trick.led_by(2, seats=3)
    >>> for word in ("9h", "as", "kh"):
    ...     took = trick.lay(card(word))
    >>> took, trick.turn, trick.led, list(map(str, trick.played))
    (1, 1, None, ['9h', 'as', 'kh'])
    >>> trick.lay(card("2c")), trick.leader, trick.led
    (None, 1, <Suit.CLUBS: 'c'>)
    """

    cards: Annotated[list[AnyCard | None], PER_SEAT]
    leader: Seat = 0
    trump: Suit | None = None

    @classmethod
    def led_by(cls, leader: Seat, seats: int, trump: Suit | None = None) -> Trick:
        """Make a trick in which nothing lies yet."""
        return cls([None] * seats, leader, trump)

    @property
    def played(self) -> list[Card]:
        """The cards in the order in which they were played."""
        return [it for it in self.cards[self.leader :] + self.cards[: self.leader] if it]

    @property
    def winner(self) -> Seat | None:
        """The seat that takes it; None as long as somebody has to play a card."""
        if None in self.cards:
            return None
        return (self.leader + trick_winner(self.played, self.trump)) % len(self.cards)

    @property
    def turn(self) -> Seat:
        """The seat that plays next: when all cards lie, the winner, who leads to another trick."""
        winner = self.winner
        if winner is not None:
            return winner
        return (self.leader + len(self.played)) % len(self.cards)

    @property
    def led(self) -> Suit | None:
        """The suit to follow; None for whoever leads. It goes into `following`."""
        card = self.cards[self.leader]
        return None if card is None or None not in self.cards else card.suit

    def lay(self, card: Card) -> Seat | None:
        """Play a card for the seat whose turn it is; a whole trick makes way for it.

        Returns:
            The seat that takes the trick; None as long as somebody has to play a card.
        """
        winner = self.winner
        if winner is not None:
            self.leader, self.cards = winner, [None] * len(self.cards)
        self.cards[self.turn] = card
        return self.winner


# Cards as words.


class CardWord(Argument):
    """A card that follows a command, such as `qs`, `th` or `10h`.

    >>> CardWord("card").parse("10h")
    Card(suit=<Suit.HEARTS: 'h'>, rank=10)
    """

    @property
    @override
    def wanted(self) -> str:
        return "a card, such as qs or 10h"

    @override
    def parse(self, word: str) -> Card:
        return card(word)

    @override
    def candidates(self) -> Sequence[str]:
        return _WORDS


_WORDS: Final = tuple(map(str, french_deck()))
_TENS: Final = tuple(f"10{suit}" for suit in Suit)


class CardCommand(Command):
    """A command whose first argument is a card, and whose own word may be left out.

    Its action is spelled without the word. A table can have one of them.

    >>> from dataclasses import dataclass
    >>> from tabletop import Commands
    >>> @dataclass(frozen=True)
    ... class Play:
    ...     card: Card
    >>> table = Commands(CardCommand("play", Play, CardWord("card")))
    >>> table.parse("qs") == table.parse("play QS")
    True
    >>> table.spell(Play(card("10h")))
    'th'
    """

    def __init__(self, word: str, action: type[Any], *arguments: Argument, help: str = "") -> None:
        # A card alone finds the command as one more name of it, of which nothing is cut off.
        aliases = (*_WORDS, *_TENS)
        super().__init__(word, action, *arguments, help=help, aliases=aliases)

    @override
    def parse(self, line: str, words: Sequence[str], skip: int, seat: Seat | None = None) -> Any:
        is_card = words[0].casefold() in self.aliases
        return super().parse(line, words, 0 if is_card else skip, seat)

    @override
    def spell(self, action: Any) -> str:
        return super().spell(action).removeprefix(f"{self.words} ")


# Piles and hands.


def draw(pile: list[T], count: int = 1) -> list[T]:
    """Take up to `count` cards off the top of a pile, the topmost first; fewer if it has fewer.

    >>> pile = ["low", "middle", "top"]
    >>> draw(pile, 2), pile
    (['top', 'middle'], ['low'])
    """
    count = min(max(count, 0), len(pile))
    return [pile.pop() for _ in range(count)]


def deal(pile: list[T], hands: int, each: int) -> list[list[T]]:
    """Deal `each` cards to so many hands, one at a time in turn, off the top of a pile.

    Returns:
        The cards of each hand, in the order in which they were dealt.

    Raises:
        ValueError: the pile has fewer cards than that; none has been dealt.

    >>> pile = [1, 2, 3, 4, 5]
    >>> deal(pile, hands=2, each=2), pile
    ([[5, 3], [4, 2]], [1])
    """
    if len(pile) < hands * each:
        raise ValueError(
            f"{plural(hands * each, 'card')} cannot be dealt from a pile of {len(pile)}"
        )
    dealt = draw(pile, hands * each)
    return [dealt[hand::hands] for hand in range(hands)]


def redraw(hand: list[T], card: T, deck: list[T], rng: Stream) -> list[T]:
    """Shuffle a card of a hand into the deck and draw another for it, in place; return that one.

    So is replaced what a player had to show.

    Raises:
        ValueError: the hand does not hold the card.
    """
    hand.remove(card)
    deck.append(card)
    rng.shuffle(deck)
    drawn = draw(deck)
    hand += drawn
    return drawn


def mix(rng: Stream, piles: Sequence[MutableSequence[T]]) -> None:
    """Shuffle several piles into each other, in place; each keeps its size.

    `redeal` needs it for piles that a seat cannot see into: the result depends on the cards and
    `rng`, and not on where the cards were before.

    >>> from tabletop import Streams
    >>> hands = [["a", "b"], [], ["c"]]
    >>> mix(Streams("old oak")["cards"], hands)
    >>> [len(hand) for hand in hands], sorted(sum(hands, []))
    ([2, 0, 1], ['a', 'b', 'c'])
    """
    pool = in_fixed_order(thing for pile in piles for thing in pile)
    rng.shuffle(pool)
    for pile in piles:
        pile[:] = [pool.pop() for _ in range(len(pile))]


# A row of open cards that is filled up from a deck.


def fill(row: list[T], deck: list[T], size: int) -> list[T]:
    """Lay cards from the top of the deck at the end of the row, up to `size`; return the new ones.

    >>> row, deck = ["oar"], ["net", "rope", "sail"]
    >>> fill(row, deck, 3), row, deck
    (['sail', 'rope'], ['oar', 'sail', 'rope'], ['net'])
    """
    new = [deck.pop() for _ in range(min(max(0, size - len(row)), len(deck)))]
    row.extend(new)
    return new


def take(row: list[T], place: int, deck: list[T]) -> T:
    """Take the card at a place of the row; those after it move up, and a new one comes last.

    The row is shorter once the deck is empty.

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


# What was told of cards that their holder does not see: what each of a hand can still be.


def narrowed(
    could: Sequence[Sequence[T]], hand: Sequence[T], shown: Container[T]
) -> list[tuple[T, ...]]:
    """Return what each card of a hand can still be, once those that are among `shown` are shown.

    So it becomes known of the others as well: they are none of these.

    Args:
        could: for each card what it could be before, as all know.
        hand: the cards.
        shown: all that the hint speaks of, as all red cards, whoever holds them.

    >>> could = [("r1", "r2", "b1")] * 2
    >>> narrowed(could, ["r2", "b1"], {"r1", "r2"})
    [('r1', 'r2'), ('b1',)]
    """
    return [
        tuple(it for it in left if (it in shown) == (card in shown))
        for card, left in zip(hand, could, strict=True)
    ]


def among(field: str) -> Callable[[Any, Seat | None, Seat, int, Any], bool]:
    """Make the `fits` of a secret hand: a card has to be one that its place could hold.

    Args:
        field: the name of the field with what each card of each hand could be: for each seat, for
            each place of its hand, the cards. All see it.
    """

    def fits(view: Any, seat: Seat | None, owner: Seat, place: int, card: Any) -> bool:
        return card in getattr(view, field)[owner][place]

    return fits


def left_in_words(
    could: Iterable[Sequence[Any]],
    cards: Iterable[Sequence[Any]],
    names: Mapping[Any, str] = MappingProxyType({}),
) -> str:
    """Say what a card can still be, part by part, as its colours and its numbers: what was told.

    Cards are texts of several letters, or tuples, such as `Card`.

    Args:
        could: what it could be.
        cards: what it could be before anything was told.
        names: the name of a part, said where nothing else is left.

    >>> cards = ["r1", "r2", "r3", "b1", "b2", "b3", "g1", "g2", "g3"]
    >>> left_in_words(["r1", "r2"], cards, {"r": "red"})
    'red 12'
    >>> left_in_words(["r3", "g3"], cards), left_in_words(cards, cards)
    ('rg 3', '')
    """
    columns = zip(*could, strict=True), zip(*cards, strict=True)
    both = [(dict.fromkeys(left), {*every}) for left, every in zip(*columns, strict=True)]
    told = [[*left] for left, every in both if len(left) < len(every)]
    return " ".join(
        names.get(it[0], str(it[0])) if len(it) == 1 else "".join(map(str, it)) for it in told
    )
