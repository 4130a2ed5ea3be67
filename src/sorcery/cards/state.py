"""The state of a match: two sides with their zones (Sorcery 2024 §1.1)."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Final, TypeAlias

from tabletop import OWNER, Seat, State, secret, state
from tabletop.states import BAG, PER_SEAT, UNOBSERVED, Length, OneOf, Range

PLACES: Final = 5
"""Cards per hand and minions per board in both editions (Sorcery 2024 §1.1, §2.2), and cards in a
row of a display."""

MOST_PLACES: Final = 9  # in custom editions, because larger boards and hands are not readable

MOST: Final = 9_999
"""Maximum of attack, defence, life, magic and charges. The minimum of attack and defence is
`-MOST`.
"""


def clamp(number: int) -> int:
    """Return `number`, limited to the range from `-MOST` to `MOST`."""
    return max(-MOST, min(MOST, number))


# Types and ranges of the values that learners observe.

CardName: TypeAlias = Annotated[str, OneOf(lambda match: match.game.edition.cards)]
Amount: TypeAlias = Annotated[int, Range(0, MOST)]
Change: TypeAlias = Annotated[int, Range(-MOST, MOST)]

HandSize: Final = Length(lambda match: match.game.edition.most_cards)
BoardSize: Final = Length(lambda match: match.game.edition.most_minions)
PileSize: Final = Length(
    lambda match: 100 + sum(len(side.hand) + len(side.deck) for side in match.state.sides)
)
"""Bound for cards in piles: all cards of both players, and up to 100 created during the game."""

HIDDEN: Final = "?"  # name that replaces the name of a hidden card


# Without slots, msgspec encodes it a third faster, and most objects in a state are such cards.
@dataclass(frozen=True)
class CardInstance:
    """A card in a hand, a deck or a graveyard.

    Attributes:
        card: Name of the card.
        attack, defence: Values of a minion, which may include changes made on the board. 0 for
            other cards.
    """

    card: CardName
    attack: Change = 0
    defence: Change = 0


BACK: Final = CardInstance(HIDDEN)  # the card that is shown in place of a hidden card
in_order: Final = attrgetter("card", "attack", "defence")  # for the owner's view of a deck


@dataclass(frozen=True, slots=True)
class StatChange:
    """A permanent change to a minion. Damage is a negative change of defence."""

    attack: Change
    defence: Change


HistoryItem: TypeAlias = StatChange | CardName  # a change, or an enchantment


@state
class Minion(State):
    """A minion on the board.

    Attributes:
        card: Name of the card.
        base_attack, base_defence: Values when the minion entered play.
        attack, defence: Current values, computed from `history` (`sorcery.rules.minion_stats`).
        actions: Number of attacks and abilities that the minion may still use this turn.
        history: Permanent changes and enchantments, from the oldest to the newest.
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
        """Names of the enchantments on the minion, from the oldest to the newest."""
        return [item for item in self.history if isinstance(item, str)]


@state
class Ritual(State):
    """A ritual on the board.

    Attributes:
        card: Name of the card.
        charges: Number of charges left, at least 0.
    """

    card: CardName
    charges: Amount


@state
class Side(State):
    """The side of one player.

    Attributes:
        life: Life of the player, who loses at 0 or less.
        magic: Magic of the player, at least 0.
        hand: Cards in the order in which they were received, up to the limit of the edition.
        deck: The last item is the next card to draw. The owner sees the cards, but not their order.
        minions: Minions from left to right, the oldest first, up to the limit of the edition.
        ritual: The player's ritual, or None.
        graveyard: The last item is the top.
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
    """The state of a match of Sorcery.

    Attributes:
        sides: The sides of player 1 and player 2.
        turn: Seat of the active player.
        testing: Whether testing mode is on (Sorcery 2024 §5.2.3).
        over: Whether the game has ended.
        winner: Seat of the winner. None during the game, after `quit` and after a draw.
        quit: Whether a player has quit.
        patience: Number of idle turns after which the game is a draw, or 0 for no limit.
        idle: Number of consecutive turns in which no card was played, no life changed, and no
            minion entered, left or changed sides.
    """

    sides: Annotated[list[Side], PER_SEAT]
    turn: Seat = 0
    testing: bool = False
    over: bool = False
    winner: Seat | None = None
    quit: bool = False
    patience: Annotated[int, UNOBSERVED] = 0
    idle: Amount = 0
