"""The state: two sides with their zones (Sorcery 2024 §1.1)."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Final, TypeAlias

from tabletop import OWNER, Seat, State, secret, state
from tabletop.states import BAG, PER_SEAT, UNOBSERVED, Length, OneOf, Range

PLACES: Final = 5
"""Most cards in a hand and minions on a board in both editions of the document (Sorcery 2024
§1.1, §2.2), and cards in a row."""

MOST_PLACES: Final = 9
"""No edition's hand or board holds more: pictures and boards of text get too wide to be read."""

MOST: Final = 9_999
"""No attack, defence, life, magic or number of charges grows beyond this, and no attack sinks below
its negative."""


def clamp(number: int) -> int:
    """`number`, or the bound next to it: numbers stop at `MOST` and at its negative."""
    return max(-MOST, min(MOST, number))


# What learners see of a state, from where to where.

CardName: TypeAlias = Annotated[str, OneOf(lambda match: match.game.edition.cards)]
Amount: TypeAlias = Annotated[int, Range(0, MOST)]
Change: TypeAlias = Annotated[int, Range(-MOST, MOST)]

HandSize: Final = Length(lambda match: match.game.edition.most_cards)
BoardSize: Final = Length(lambda match: match.game.edition.most_minions)
PileSize: Final = Length(
    lambda match: 100 + sum(len(side.hand) + len(side.deck) for side in match.state.sides)
)
"""All cards of both players, and those that are made in the game."""

HIDDEN: Final = "?"
"""The name of a card that a seat may not see."""


# Without slots, msgspec writes it in two thirds of the time; most of a state are such cards.
@dataclass(frozen=True)
class CardInstance:
    """A card in a hand, a deck or a graveyard.

    Attributes:
        card: its name.
        attack, defence: of a minion, which may have kept changes from the board; else 0.
    """

    card: CardName
    attack: Change = 0
    defence: Change = 0


BACK: Final = CardInstance(HIDDEN)
"""The card that hides one from a seat, in its place."""

in_order: Final = attrgetter("card", "attack", "defence")
"""The sort key of a deck that is shown to its owner."""


@dataclass(frozen=True, slots=True)
class StatChange:
    """A permanent change to a minion; damage is a negative gain of defence."""

    attack: Change
    defence: Change


HistoryItem: TypeAlias = StatChange | CardName
"""An item of a minion's history: a gain, or an enchantment, by its name."""


@state
class Minion(State):
    """A minion on the board.

    Attributes:
        card: its name.
        base_attack, base_defence: its numbers when it entered play.
        attack, defence: the result of `history` on these; see `sorcery.rules.minion_stats`.
        actions: how many times it may still attack or use an ability this turn.
        history: gains and enchantments in the order of time, the oldest first.
    """

    card: CardName
    base_attack: Change
    base_defence: Change
    attack: Change
    defence: Change
    actions: Amount = 0
    history: Annotated[tuple[HistoryItem, ...], Length(99), BAG] = ()

    @property
    def enchantments(self) -> list[str]:
        """The names of its enchantments, the oldest first."""
        return [item for item in self.history if isinstance(item, str)]


@state
class Ritual(State):
    """A ritual on the board.

    Attributes:
        card: its name.
        charges: how many are left, at least 0.
    """

    card: CardName
    charges: Amount


@state
class Side(State):
    """The side of one player.

    Attributes:
        life: the player loses when it is 0 or less.
        magic: at least 0.
        hand: in the order in which the cards came, at most as many as the edition says.
        deck: the next card to draw is the last one. Its owner knows what is in it, but not where.
        minions: from left to right, the oldest first, at most as many as the edition says.
        ritual: the only one, if any.
        graveyard: the top is the last one.
    """

    life: Change
    magic: Amount
    hand: Annotated[list[CardInstance], HandSize] = secret(to=OWNER, back=BACK, pool=OWNER)
    deck: Annotated[list[CardInstance], PileSize, BAG] = secret(
        to=OWNER, back=BACK, pool=OWNER, sorted_by=in_order
    )
    minions: Annotated[list[Minion], BoardSize]
    ritual: Ritual | None
    graveyard: Annotated[list[CardInstance], PileSize, BAG]


@state
class SorceryState(State):
    """A game of Sorcery.

    Attributes:
        sides: of player 1 and player 2.
        turn: whose turn it is.
        testing: whether testing mode is on (Sorcery 2024 §5.2.3).
        over: whether the game has ended.
        winner: the winning seat; None as long as it goes on, when it was quit, after a stalemate.
        quit: True if a player has quit.
        patience: after how many idle turns the game is a draw; 0 for never.
        idle: the number of turns in a row that changed neither lives nor boards.
    """

    sides: Annotated[list[Side], PER_SEAT]
    turn: Seat = 0
    testing: bool = False
    over: bool = False
    winner: Seat | None = None
    quit: bool = False
    patience: Annotated[int, UNOBSERVED] = 0
    idle: Amount = 0
