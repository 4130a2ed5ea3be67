"""Cards: decks, the French deck, tricks, piles and hands, open rows, and hints about hidden cards.

A pile or a hand is a list. Its last card is on top.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import (
    Callable,
    Container,
    Iterable,
    Iterator,
    Mapping,
    MutableSequence,
    Sequence,
)
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, Final, NamedTuple, Self, TypeAlias, TypeVar

from typing_extensions import override

from tabletop.rng.stream import Stream
from tabletop.rng.streams import StreamName
from tabletop.rules.commands import Argument, Command
from tabletop.rules.events import Event, event
from tabletop.rules.game import Table
from tabletop.states.bounds import PER_SEAT, Length, OneOf, Seat
from tabletop.states.codec import in_fixed_order
from tabletop.states.states import State, state
from tabletop.states.visibility import OWNER, secret
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
    """The four suits in alphabetical order. The value of a suit is its first letter."""

    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"


class Card(NamedTuple):
    """A card of the French deck. Cards sort by suit, then by rank with the lowest first.

    Attributes:
        suit: The suit.
        rank: The rank from 2 to 14, where 14 is the ace. The back of a card has rank 0.
    """

    suit: Suit
    rank: int

    def __str__(self) -> str:
        """Format as two characters, such as `qs`, `td` or `7h`. The back of a card is `??`."""
        return f"{_LETTERS.get(self.rank, self.rank)}{self.suit}" if self.rank else "??"


BACK: Final = Card(Suit.CLUBS, 0)
"""The back of a card, which views contain in place of a hidden card."""


def card(text: str) -> Card:
    """Parse a card, written as rank and suit in upper or lower case, such as `qs`, `th` or `10h`.

    Raises:
        ValueError: The text is not a card. `??`, the back of a card, is not accepted either.

    >>> card("QS") == Card(Suit.SPADES, QUEEN), card("10h") == card("th")
    (True, True)
    """
    rank, suit = text[:-1].casefold(), text[-1:].casefold()
    value = _RANKS.get("t" if rank == "10" else rank)
    if value is None or suit not in tuple(Suit):
        raise ValueError(
            f"{text!r} is not a card (write a rank, 2 to 10, j, q, k or a, and a suit: c, d, h, s)"
        )
    return Card(Suit(suit), value)


def french_deck(lowest: int = 2) -> list[Card]:
    """Return the sorted deck from the `lowest` rank to the aces: 52 cards, or 32 with `lowest=7`.

    Raises:
        ValueError: `lowest` is not a rank from 2 to 14.
    """
    if not 2 <= lowest <= ACE:
        raise ValueError(f"lowest must be a rank from 2 to {ACE}, not {lowest}")
    return [Card(suit, rank) for suit in Suit for rank in range(lowest, ACE + 1)]


AnyCard: TypeAlias = Annotated[Card, OneOf(french_deck())]
"""Annotation for a card in a state. It lists the possible cards for learning environments."""


def deck_of(counts: Mapping[T, int]) -> list[T]:
    """Build an unshuffled deck from the number of copies of each card, in the order of `counts`.

    Raises:
        ValueError: A count is negative.

    >>> deck_of({"fool": 1, "knight": 3})
    ['fool', 'knight', 'knight', 'knight']
    """
    for thing, count in counts.items():
        if count < 0:
            raise ValueError(f"the count of {thing!r} must be at least 0, not {count}")
    return [thing for thing, count in counts.items() for _ in range(count)]


@state
class Trick(State):
    """The current trick, as part of a state. A complete trick stays visible until the next lead.

    In games in which some cards belong to another suit, or do not rank by their numbers, derive a
    class decorated with `@state`, and override `suit_of` and `strength`. If another seat takes a
    trick by the rules of the game, assign it to `next_leader` after `lay`.

    Attributes:
        cards: The card of each seat, or None for a seat that has not played.
        leader: The seat that leads the trick.
        trump: The trump suit, or None.
        next_leader: The seat that leads next if the trick is complete or empty, or None while it is
            unknown. Until `begin` is called, it is also the seat that takes the complete trick.
        lacks: The suits that each seat is known to lack, because it did not follow them in this
            hand.
        taken_by: The seat that took the complete trick, after `begin` has changed `next_leader`.

    >>> trick = Trick.led_by(2, seats=3)
    >>> for word in ("9h", "as", "kh"):
    ...     took = trick.lay(card(word))
    >>> took, trick.turn, trick.led, trick.lacks[0]
    (1, 1, None, {<Suit.HEARTS: 'h'>})
    >>> list(map(str, trick.played))
    ['9h', 'as', 'kh']
    >>> trick.lay(card("2c")), trick.leader, trick.led
    (None, 1, <Suit.CLUBS: 'c'>)
    """

    cards: Annotated[list[AnyCard | None], PER_SEAT]
    leader: Seat
    trump: Suit | None
    next_leader: Seat | None
    lacks: Annotated[list[Annotated[set[Suit | None], Length(len(Suit) + 1)]], PER_SEAT]
    taken_by: Seat | None = None

    @classmethod
    def led_by(cls, leader: Seat | None, seats: int, trump: Suit | None = None) -> Self:
        """Create an empty trick. Pass None as `leader` if the leader is not known yet."""
        return cls([None] * seats, leader or 0, trump, leader, [set() for _ in range(seats)])

    def begin(self, leader: Seat | None = None) -> None:
        """Start a new hand, and clear `lacks`.

        A complete last trick stays visible until the next lead. An incomplete trick is removed.

        Args:
            leader: The seat that leads, or None while it is unknown, for example while cards are
                passed. In that case, call `begin` again later.
        """
        self.taken_by = self.winner
        self.next_leader, self.lacks = leader, [set() for _ in self.cards]
        if None in self.cards:
            self.leader, self.cards = leader or 0, [None] * len(self.cards)

    def suit_of(self, card: Card) -> Suit | None:
        """Return the suit to which a card belongs when players follow suit.

        For example, return `self.trump` for jacks that are always trumps. If only such cards are
        trumps, `trump` is None, and they form a suit of their own.
        """
        return card.suit

    def strength(self, card: Card) -> float:
        """Return the strength of a card among the cards of the same suit. By default, its rank."""
        return card.rank

    def following(self, hand: Sequence[Card]) -> list[Card]:
        """Return the cards of a hand that the next player may play, following suit if possible."""
        if not self.is_open:
            return list(hand)
        led = self._suit_led
        return [card for card in hand if self.suit_of(card) == led] or list(hand)

    def sorted(self, hand: Iterable[Card]) -> list[Card]:
        """Return the cards sorted by suit and strength, with the trumps last.

        `CardTable` and `CardText` show hands in this order. Hidden cards come first, without a call
        of `suit_of` or `strength`.
        """

        def order(card: Card) -> tuple[bool, str, float, Card]:
            if card == BACK:
                return False, "", 0, card
            suit = self.suit_of(card)
            return suit == self.trump, suit or "", self.strength(card), card

        return sorted(hand, key=order)

    def beats(self, card: Card) -> bool:
        """Return whether a card would be the best of the trick if the next player played it."""
        return not self.is_open or self._power(card) > self._power(self.best)

    @property
    def is_open(self) -> bool:
        """Whether a card has been led and another is missing. If not, the next player leads."""
        return self.cards[self.leader] is not None and None in self.cards

    @property
    def _suit_led(self) -> Suit | None:
        led = self.cards[self.leader]
        return None if led is None else self.suit_of(led)

    def _power(self, card: Card) -> tuple[bool, bool, float]:
        """Return a key that is the highest for the best card. The first of equal cards wins."""
        suit = self.suit_of(card)
        return suit == self.trump, suit == self._suit_led, self.strength(card)

    @property
    def played(self) -> list[Card]:
        """The cards in the order played."""
        return [card for card in self.cards[self.leader :] + self.cards[: self.leader] if card]

    @property
    def winner(self) -> Seat | None:
        """The seat that takes the trick, or None while a card is missing."""
        if None in self.cards:
            return None
        return self.next_leader if self.taken_by is None else self.taken_by

    @property
    def turn(self) -> Seat:
        """The seat that plays next: the winner if the trick is complete, the leader if it is empty.

        Raises:
            ValueError: The trick is empty and its leader is unknown.
        """
        if self.is_open:
            return (self.leader + len(self.played)) % len(self.cards)
        if self.next_leader is None:
            raise ValueError("the trick has no leader yet (call trick.begin(leader) first)")
        return self.next_leader

    @property
    def led(self) -> Suit | None:
        """The suit to follow, or None if the next player leads (see `is_open`).

        It is also None if the trick was led with trumps that form a suit of their own.
        """
        return self._suit_led if self.is_open else None

    @property
    def best(self) -> Card:
        """The card to beat. If the next player leads, this is `BACK`, which every card beats."""
        return max(self.played, key=self._power) if self.is_open else BACK

    @property
    def best_seat(self) -> Seat | None:
        """The seat that played the card to beat, or None if the next player leads."""
        if not self.is_open:
            return None
        return (self.leader + self.played.index(self.best)) % len(self.cards)

    def lay(self, card: Card) -> Seat | None:
        """Play a card for the seat whose turn it is. A complete trick is cleared first.

        A seat that does not follow the suit led is recorded in `lacks`.

        Returns:
            The seat that wins the trick, or None while a card is missing.
        """
        seat = self.turn
        if not self.is_open:
            self.leader, self.cards, self.taken_by = seat, [None] * len(self.cards), None
        elif self.suit_of(card) != (led := self._suit_led):
            self.lacks[seat].add(led)
        best_seat = seat if self.beats(card) else self.best_seat
        self.cards[seat] = card
        self.next_leader = None if None in self.cards else best_seat
        return self.next_leader


def may_hold(view: Any, seat: Seat | None, owner: Seat, place: int, card: Card) -> bool:
    """Return whether a hand may hold a card, given the suits that its owner is known to lack.

    Use this function as `secret(..., fits=may_hold)` for the hands of a state whose field `trick`
    is a `Trick`.
    """
    return view.trick.suit_of(card) not in view.trick.lacks[owner]


def _takes_part(state: Any, seat: Seat | None, event: Any) -> bool:
    return seat in (event.seat, event.giver)


@event
class CardsPassed(Event):
    """A seat receives cards from another seat. Only these two seats see the cards.

    `pass_cards` moves the cards, and `CardText` describes the event.
    """

    seat: Seat
    giver: Seat
    cards: tuple[Card, ...] = secret(to=_takes_part, back=BACK)


@event
class CardsDrawn(Event):
    """A seat draws cards, which only that seat sees. `draw_for` emits the event."""

    seat: Seat
    cards: tuple[Card | str | int, ...] = secret(to=OWNER, back=BACK)


@event
class DeckShuffled(Event):
    """A seat shuffles the discarded cards, which become the deck. `draw_for` emits the event."""

    seat: Seat


# Cards in command lines.


class CardWord(Argument):
    """A command argument that is a card, such as `qs`, `th` or `10h`.

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
    """A command whose first argument is a card, and whose command word is optional.

    The text of an action omits the command word. A command table can contain only one such command.

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
        # A card alone selects the command, because every card is an alias of the command word.
        # `parse` then keeps the first word as an argument.
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
    """Remove up to `count` cards from the top of a pile, in place, and return them, top card first.

    >>> pile = ["low", "middle", "top"]
    >>> draw(pile, 2), pile
    (['top', 'middle'], ['low'])
    """
    count = min(max(count, 0), len(pile))
    return [pile.pop() for _ in range(count)]


def draw_for(
    seat: Seat,
    pile: list[T],
    count: int,
    table: Table,
    discards: list[T] | None = None,
    *,
    stream: StreamName = "deck",
) -> list[T]:
    """Draw up to `count` cards for a seat, and emit `CardsDrawn` unless there are none to draw.

    If the pile has too few cards, the discarded cards are shuffled below it (`DeckShuffled`).

    Args:
        seat: The seat that draws.
        pile: The pile, whose last card is on top.
        count: The number of cards.
        table: The table of the match.
        discards: The discarded cards. By default, an empty pile stays empty.
        stream: The name of the random stream for the shuffle.

    Returns:
        The cards that were removed from the pile, top card first.
    """
    drawn: list[Any] = draw(pile, count)
    if discards and len(drawn) < count:
        pile += discards
        discards.clear()
        table.rng[stream].shuffle(pile)
        table.emit(DeckShuffled(seat))
        drawn += draw(pile, count - len(drawn))
    if drawn:
        table.emit(CardsDrawn(seat, tuple(drawn)))
    return drawn


def deal(pile: list[T], hands: int, each: int) -> list[list[T]]:
    """Deal `each` cards to each hand from the top of a pile, in place, one card at a time in turn.

    Raises:
        ValueError: The pile has too few cards.

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


def mix(rng: Stream, piles: Sequence[MutableSequence[T]]) -> None:
    """Shuffle several piles together, in place. Every pile keeps its size.

    Use this in `redeal` for piles that a seat cannot see. The result depends only on the cards and
    `rng`, not on the previous places of the cards.

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


def misplaced(deck: Iterable[Any], *places: Any) -> str | None:
    """Describe the missing and duplicated cards of a deck, or return None if there are none.

    Use this in `Game.fault`.

    Args:
        deck: All cards of the game.
        places: All places with cards: a card, None for an empty place, a list, a list of lists, or
            a `Trick`. A complete trick is ignored, because the winner has already taken its cards.

    >>> misplaced(["oar", "net", "sail"], [["oar"], []], ["oar", "net"])
    'oar is duplicated; sail is missing'
    """
    counts = Counter(_cards_at([*places]))
    counts.subtract(deck)
    return (
        "; ".join(
            f"{card} is {'missing' if count < 0 else 'duplicated'}"
            for card, count in sorted(counts.items(), key=lambda item: str(item[0]))
            if count
        )
        or None
    )


def _cards_at(place: Any) -> Iterator[Any]:
    if isinstance(place, Trick):
        place = place.played if place.is_open else []
    if isinstance(place, MutableSequence):
        for part in place:
            yield from _cards_at(part)
    elif place is not None:
        yield place


# A row of open cards that is refilled from a deck.


def fill(row: list[T], deck: list[T], size: int) -> list[T]:
    """Move cards from the top of the deck to the end of the row, until it has `size` cards.

    Returns:
        The cards that were added.

    >>> row, deck = ["oar"], ["net", "rope", "sail"]
    >>> fill(row, deck, 3), row, deck
    (['sail', 'rope'], ['oar', 'sail', 'rope'], ['net'])
    """
    new = [deck.pop() for _ in range(min(max(0, size - len(row)), len(deck)))]
    row.extend(new)
    return new


def take(row: list[T], place: int, deck: list[T]) -> T:
    """Take a card from the row, and add a card from the deck at the end of the row.

    If the deck is empty, the row becomes shorter.

    Args:
        row: The open cards.
        place: The index of the card to take, from 0.
        deck: The deck that refills the row.

    Raises:
        IndexError: The row has no such index.

    >>> row, deck = ["oar", "net", "rope"], ["sail"]
    >>> take(row, 0, deck), row, deck
    ('oar', ['net', 'rope', 'sail'], [])
    """
    if not 0 <= place < len(row):
        raise IndexError(f"place {place + 1} does not exist in a row of {len(row)} cards")
    size = len(row)
    taken = row.pop(place)
    fill(row, deck, size)
    return taken


# Hints about cards that their holder does not see.


def narrowed(
    could: Sequence[Sequence[T]], hand: Sequence[T], shown: Container[T]
) -> list[tuple[T, ...]]:
    """Return the possible identities of the cards in a hand after a hint.

    The hint points out all cards of the hand that are in `shown`. All other cards of the hand
    therefore cannot be any of the cards in `shown`.

    Args:
        could: The possible identities of each card before the hint, which are public.
        hand: The cards of the hand.
        shown: All cards of the game that match the hint, such as all red cards.

    >>> could = [("r1", "r2", "b1")] * 2
    >>> narrowed(could, ["r2", "b1"], {"r1", "r2"})
    [('r1', 'r2'), ('b1',)]
    """
    return [
        tuple(identity for identity in identities if (identity in shown) == (card in shown))
        for card, identities in zip(hand, could, strict=True)
    ]


def among(field: str) -> Callable[[Any, Seat | None, Seat, int, Any], bool]:
    """Create a `fits` function for a secret hand that accepts only possible identities.

    Args:
        field: The name of the public field with the possible identities. The field contains, for
            each seat and each index in its hand, a collection of cards.
    """

    def fits(view: Any, seat: Seat | None, owner: Seat, place: int, card: Any) -> bool:
        return card in getattr(view, field)[owner][place]

    return fits


def left_in_words(
    could: Iterable[Sequence[Any]],
    cards: Iterable[Sequence[Any]],
    names: Mapping[Any, str] = MappingProxyType({}),
) -> str:
    """Describe the knowledge from hints about a card, part by part: colours, then numbers.

    A part about which hints have revealed nothing is omitted. Cards are strings with one character
    per part, or tuples such as `Card`.

    Args:
        could: The possible identities of the card.
        cards: All cards of the game.
        names: The word for a part with a single possible value. By default, the value itself.

    >>> cards = ["r1", "r2", "r3", "b1", "b2", "b3", "g1", "g2", "g3"]
    >>> left_in_words(["r1", "r2"], cards, {"r": "red"})
    'red 12'
    >>> left_in_words(["r3", "g3"], cards), left_in_words(cards, cards)
    ('rg 3', '')
    """
    columns = zip(*could, strict=True), zip(*cards, strict=True)
    both = [(dict.fromkeys(left), {*every}) for left, every in zip(*columns, strict=True)]
    narrowed = [[*left] for left, every in both if len(left) < len(every)]
    return " ".join(
        names.get(part[0], str(part[0])) if len(part) == 1 else "".join(map(str, part))
        for part in narrowed
    )
