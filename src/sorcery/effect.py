"""What an effect is: something that a card does, and what it is given to do it with.

Cards hold effects and the engine carries them out, so this stands below both: `Operations` says
what an effect needs of the engine. `sorcery.effects` has the effects that there are.

What cards are composed of besides (whom an effect acts on, how much) is a `Mechanic` as well: each
says what it needs to find, so that a card that would do nothing is refused before anybody plays it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final, NamedTuple, Protocol, TypeAlias

from sorcery.actions import RITUAL
from sorcery.state import Held, Minion, Ritual, Side, SorceryState
from sorcery.triggers import Need, When
from tabletop import Seat, Table


class Aim(NamedTuple):
    """What a card or an ability is aimed at: a minion of `seat`, or that player's ritual."""

    seat: Seat
    minion: Minion | None


def aim_at(state: SorceryState, player: Seat | None, target: int | None) -> Aim | None:
    """The target that an action names, which must be there; None when it names none.

    Args:
        state: what lies on the table.
        player: who has the target, if there is one.
        target: the place of a minion, from 0, or `RITUAL`.
    """
    if player is None or target is None:
        return None
    return Aim(player, None if target == RITUAL else state.sides[player].minions[target])


Source: TypeAlias = Minion | Ritual | None
"""What an effect comes from: a minion or ritual on the board; None for a spell."""


class Limits(Protocol):
    """What effects can ask of the edition; `sorcery.editions.Edition` has it."""

    @property
    def most_cards(self) -> int:
        """How many cards a hand holds."""

    @property
    def most_minions(self) -> int:
        """How many minions a board holds."""


class Operations(Protocol):
    """What effects can ask and change; `sorcery.zones.Zones` does it, with all that it sets off.

    Amounts may be negative where it says gain.

    Attributes:
        state: what lies on the table.
        table: chance, and where events go.
    """

    state: SorceryState
    table: Table

    @property
    def edition(self) -> Limits:
        """The limits of hands and boards."""

    def goes_on(self) -> bool:
        """Whether nobody has lost yet."""

    def side(self, seat: Seat) -> Side:
        """The zones and numbers of `seat`."""

    def minions(self) -> list[Minion]:
        """All minions in APNAP order."""

    def seat_of(self, minion: Minion) -> Seat | None:
        """Whose board a minion is on; None when it has left, or is about to."""

    def is_here(self, minion: Minion) -> bool:
        """Whether a minion is on a board, be it about to leave."""

    def has_room(self, seat: Seat) -> bool:
        """Whether another minion fits on the board of `seat`."""

    def printed(self, name: str) -> Held:
        """A card as it is printed."""

    def cost(self, name: str) -> int:
        """What a card costs, in magic."""

    def damage(self, minion: Minion, amount: int) -> None:
        """Deal damage to a minion."""

    def damage_all(self, found: Sequence[Minion | Seat], amount: int) -> None:
        """Deal damage to minions, and to players, who lose so much life; none below 1."""

    def gain(self, minion: Minion, attack: int, defence: int) -> None:
        """Give a minion attack and defence for good."""

    def gain_all(self, found: Sequence[Minion | Seat], attack: int, defence: int) -> None:
        """Give the minions among `found` attack and defence for good, one after the other."""

    def enchant(self, minion: Minion, name: str) -> None:
        """Put an enchantment on a minion."""

    def disenchant(self, minion: Minion) -> None:
        """Destroy the newest enchantment on a minion."""

    def destroy(self, minion: Minion) -> None:
        """Let a minion die."""

    def return_to_hand(self, minion: Minion) -> None:
        """Put a minion into its owner's hand; one that is leaving goes there instead."""

    def put_under_deck(self, minion: Minion) -> None:
        """Put a minion on the bottom of its owner's deck; one that is leaving goes there."""

    def bring_back(self, minion: Minion, defence: int | None = None) -> None:
        """Let a minion that is leaving return to play from the graveyard, where there is room."""

    def enter(self, seat: Seat, held: Held, origin: str) -> None:
        """Put a minion into play that comes from the "hand", the "graveyard" or "nowhere"."""

    def take(self, seat: Seat, minion: Minion) -> None:
        """Let `seat` take control of a minion."""

    def start_ritual(self, seat: Seat, name: str) -> None:
        """Put a ritual on the board, in place of the one that is there."""

    def end_ritual(self, seat: Seat) -> None:
        """Remove the ritual of `seat` from the game."""

    def charge(self, seat: Seat, amount: int) -> None:
        """Let the ritual of `seat` gain charges."""

    def gain_magic(self, seat: Seat, amount: int) -> None:
        """Let `seat` gain magic."""

    def gain_life(self, seat: Seat, amount: int) -> None:
        """Let `seat` gain life."""

    def draw(self, seat: Seat) -> None:
        """Draw a card."""

    def discard(self, seat: Seat, place: int) -> None:
        """Discard the card at a place of a hand, counted from 0; it leaves the game."""

    def fire(self, when: When, seat: Seat, subject: Minion | None = None) -> None:
        """Let every trigger happen that waits for `when`, in APNAP order.

        Args:
            when: what has happened.
            seat: whose turn or minion it was.
            subject: the minion to which it has happened, where it is one.
        """


@dataclass(slots=True)
class Moment:
    """When an effect happens: who causes it, what with, and to whom.

    Attributes:
        engine: what the effect acts through.
        seat: whose effect it is.
        source: the minion or ritual whose ability it is; None for a spell.
        aim: the target that was named when it was played or used.
        subject: the minion that set a trigger off.
        spell: the effect of the spell that set a trigger off.
    """

    engine: Operations
    seat: Seat
    source: Source = None
    aim: Aim | None = None
    subject: Minion | None = None
    spell: Effect | None = None


@dataclass(slots=True)
class Prospect:
    """What an effect would meet if a card were played or an ability used now.

    Attributes:
        state: what lies on the table.
        edition: the limits of hands and boards.
        seat: who plays.
        aim: the target that is named, if any.
        spent: how many cards will have left the player's hand by then.
    """

    state: SorceryState
    edition: Limits
    seat: Seat
    aim: Aim | None
    spent: int


class Kind(StrEnum):
    """What a selector can find."""

    MINIONS = "minions"
    PLAYERS = "players"


EITHER: Final = frozenset(Kind)
"""Minions and players."""


class Mechanic:
    """Something that a card is composed of: an effect, a selector, an amount or a condition.

    When cards are checked, each is asked what it needs, however deep it stands in others: those
    that are in its fields, or in rows and tables there, are found by themselves.

    Attributes:
        needs: what it must find, or it would act on nothing.
        gives: what effects inside of it find besides, because it hands that to them.
        takes: what the selectors in its fields may find.
    """

    __slots__ = ()

    needs: ClassVar[frozenset[Need]] = frozenset()
    gives: ClassVar[frozenset[Need]] = frozenset()
    takes: ClassVar[frozenset[Kind]] = EITHER


class Effect(Mechanic, ABC):
    """Something that a card does. Derive a frozen dataclass and fill in `happen`.

    Attributes:
        is_conditional: whether there can be an `obstacle` to it; worked out by itself.
        takes_rituals: whether its target may be a ritual.
        takes_leaving: whether it can do anything to a minion that is leaving play.
    """

    __slots__ = ()

    is_conditional: ClassVar[bool] = False
    takes_rituals: ClassVar[bool] = False
    takes_leaving: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        # Legality is asked far more often than effects happen: most need not be asked at all.
        cls.is_conditional = cls.obstacle is not Effect.obstacle
        # One that derives from another, and says anew what is in its way, is asked that. Assigned,
        # because this class is just being made: mypy takes it for a change of `Effect` itself.
        if "obstacle" in vars(cls) and "possible_at" not in vars(cls):
            cls.possible_at = Effect.possible_at  # type: ignore[method-assign]

    @abstractmethod
    def happen(self, moment: Moment) -> None:
        """Carry it out."""

    def is_possible(self, moment: Moment) -> bool:
        """Whether a trigger with this effect occurs: what it acts on must be there."""
        return True

    def obstacle(self, prospect: Prospect) -> str:
        """Why it cannot be played or used now, as a sentence; empty when it can."""
        return ""

    def possible_at(self, prospect: Prospect, aims: Sequence[Aim]) -> Sequence[bool]:
        """For each of several targets, whether there is no obstacle to it there.

        By default `obstacle` is asked for each. An effect that knows sooner may say so here.

        Args:
            prospect: as for `obstacle`, without a target.
            aims: the targets.
        """
        possible: list[bool] = []
        for aim in aims:
            prospect.aim = aim
            possible.append(not self.obstacle(prospect))
        return possible
