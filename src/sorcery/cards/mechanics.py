"""Mechanics: the parts of cards, and the triggers that set off effects.

Cards contain effects, and the engine carries out the effects. This module is below both, and
defines the protocol through which effects use the engine. The effects of the game are in
`sorcery.cards.effects`. Selectors, amounts and conditions are mechanics, too. Each mechanic
declares its requirements, so that a card that would have no effect is rejected before a match
begins.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final, NamedTuple, Protocol, Self, TypeAlias

from sorcery.cards.state import CardInstance, Minion, Ritual, Side, SorceryState
from tabletop import Seat, Table


class TargetRef(NamedTuple):
    """The target of a card or ability: a minion of `seat`, or the ritual of `seat`."""

    seat: Seat
    minion: Minion | None


Source: TypeAlias = Minion | Ritual | None  # the source of an effect, None for a spell


class Limits(Protocol):
    """The limits of an edition that affect effects. `sorcery.Edition` implements them."""

    @property
    def most_cards(self) -> int:
        """Maximum number of cards in a hand."""

    @property
    def most_minions(self) -> int:
        """Maximum number of minions on a board."""


class EffectEngine(Protocol):
    """The match as effects see it. `sorcery.rules.engine.Engine` implements the changes.

    Every change emits its event and applies its consequences. For example, a minion without defence
    dies, and its death sets off triggers.

    Attributes:
        state: The state of the match.
        table: Random streams of the match, and the method `emit` for events.
        edition: Limits of hands and boards.
    """

    state: SorceryState
    table: Table
    edition: Limits

    def is_running(self) -> bool:
        """Return whether the game has not ended. After the end, effects must do nothing."""
        return not self.state.over

    def side(self, seat: Seat) -> Side:
        """Return the side of `seat`."""
        return self.state.sides[seat]

    def minions(self) -> list[Minion]:
        """Return all minions in APNAP order (those of the active player first)."""
        sides, turn = self.state.sides, self.state.turn
        return sides[turn].minions + sides[1 - turn].minions

    def seat_of(self, minion: Minion) -> Seat | None:
        """Return the seat whose board `minion` is on, or None if it has left or is leaving."""

    def is_here(self, minion: Minion) -> bool:
        """Return whether `minion` is on a board. A minion that is leaving still counts."""

    def printed(self, name: str) -> CardInstance:
        """Return the card called `name` with its printed attack and defence."""

    def cost(self, name: str) -> int:
        """Return the cost in magic of the card called `name`."""

    def has_room(self, seat: Seat) -> bool:
        """Return whether the board of `seat` has room for a minion.

        Minions that are leaving do not take up room, so a dying minion can summon its replacement.
        """

    def damage(self, minion: Minion, amount: int) -> None:
        """Deal damage to a minion on the board, or none if `amount` is not positive."""

    def damage_all(self, targets: Sequence[Minion | Seat], amount: int) -> None:
        """Deal damage to minions, and make players lose that much life, one by one."""
        for victim in targets:
            if self.state.over:
                return
            if isinstance(victim, Minion):
                self.damage(victim, amount)
            elif amount > 0:
                self.gain_life(victim, -amount)

    def gain(self, minion: Minion, attack: int, defence: int) -> None:
        """Give a minion attack and defence permanently, even while it is leaving."""

    def gain_all(self, targets: Sequence[Minion | Seat], attack: int, defence: int) -> None:
        """Give each minion in `targets` attack and defence permanently, one by one."""
        for minion in targets:
            if not self.state.over and isinstance(minion, Minion):
                self.gain(minion, attack, defence)

    def enchant(self, minion: Minion, name: str) -> None:
        """Put an enchantment on a minion.

        Extra actions, such as those of Haste, are available immediately.
        """

    def disenchant(self, minion: Minion) -> None:
        """Destroy the newest enchantment on a minion, if there is one."""

    def destroy(self, minion: Minion) -> None:
        """Make a minion die, regardless of its defence."""

    def return_to_hand(self, minion: Minion) -> None:
        """Put a minion, even one that is leaving, into its owner's hand if the hand has room."""

    def put_under_deck(self, minion: Minion) -> None:
        """Put a minion, even one that is leaving, on the bottom of its owner's deck."""

    def bring_back(self, minion: Minion, defence: int | None = None) -> None:
        """Return a minion that is leaving to the board, if there is room.

        Args:
            minion: The minion.
            defence: Defence of the returned minion, or None to keep its value.
        """

    def enter(self, seat: Seat, card: CardInstance, origin: str) -> None:
        """Put a minion on the right end of a board, which must have room, and fire its triggers.

        Args:
            seat: Owner of the board.
            card: The card that becomes a minion.
            origin: "hand", "graveyard" or "nowhere".
        """

    def take(self, seat: Seat, minion: Minion) -> None:
        """Give `seat` control of a minion and its enchantments, without leave or enter triggers."""

    def start_ritual(self, seat: Seat, name: str) -> None:
        """Put a ritual on the board. An earlier ritual of `seat` is removed from the game."""

    def end_ritual(self, seat: Seat) -> None:
        """Remove the ritual of `seat`, if any, from the game."""

    def charge(self, seat: Seat, amount: int) -> None:
        """Add charges to the ritual of `seat`, if any. A negative `amount` removes charges."""

    def gain_magic(self, seat: Seat, amount: int) -> None:
        """Add magic to `seat`, or remove magic if `amount` is negative.

        Magic never goes below 0.
        """

    def gain_life(self, seat: Seat, amount: int) -> None:
        """Add life to `seat`, or remove life if `amount` is negative.

        At 0 the game ends at once.
        """

    def discard(self, seat: Seat, place: int) -> None:
        """Discard the card at `place` (from 0) of a hand. The card leaves the game."""

    def draw(self, seat: Seat) -> None:
        """Draw a card, unless the hand is full or the deck is empty."""

    def fire(
        self,
        when: TriggerEvent,
        seat: Seat,
        subject: Minion | None = None,
        spell: Effect | None = None,
        aim: TargetRef | None = None,
    ) -> None:
        """Resolve every trigger that `when` sets off, in APNAP order.

        Args:
            when: The event.
            seat: The seat that takes the turn, owns the minion or plays the spell.
            subject: The minion that enters, leaves, dies or attacks.
            spell: The effect of the spell that was played.
            aim: The target of that spell.

        Raises:
            EndlessChain: Triggers set each other off endlessly.
            CardFailed: A custom effect fired an event without its minion or spell.
        """


@dataclass(slots=True)
class EffectContext:
    """The context in which an effect happens.

    Attributes:
        engine: The engine through which the effect changes the match.
        seat: The owner of the effect.
        source: The minion or ritual that has the ability, or None for a spell.
        aim: The target that the player named for the card or ability.
        subject: The minion that set off the trigger.
        spell: The effect of the spell that set off the trigger.
    """

    engine: EffectEngine
    seat: Seat
    source: Source = None
    aim: TargetRef | None = None
    subject: Minion | None = None
    spell: Effect | None = None


@dataclass(slots=True)
class PlayContext:
    """The context in which the rules check whether a card can be played or an ability used.

    Attributes:
        state: The state of the match.
        edition: Limits of hands and boards.
        seat: The active player.
        aim: The target under consideration, if any.
        spent: Number of cards that leave the player's hand before the effect happens: 1 for a card
            that is played, 0 for an ability.
    """

    state: SorceryState
    edition: Limits
    seat: Seat
    aim: TargetRef | None
    spent: int

    @property
    def side(self) -> Side:
        """Side of the player."""
        return self.state.sides[self.seat]

    @property
    def full_board(self) -> str:
        """Message that the player's board is full, or an empty text if there is room."""
        full = len(self.side.minions) >= self.edition.most_minions
        return "Your board is full." if full else ""


class Kind(StrEnum):
    """The kinds of things that a selector can select."""

    MINIONS = "minions"
    PLAYERS = "players"


class Need(StrEnum):
    """A requirement of a mechanic. The value completes the error message if it is not met."""

    TARGET = "a target, but the card names none"
    EVENT_MINION = "the minion that set the trigger off, but no minion does"
    LEAVING = "a minion that leaves play, but no minion does"
    SELF = "the minion itself, but this card is not a minion"
    SPELL = "a spell that was played, but no spell was"


EITHER: Final = frozenset(Kind)  # minions and players


class Mechanic:
    """A part of a card: an effect, a selector, an amount or a condition.

    To define your own, derive a frozen dataclass. The validation of cards also checks the needs of
    the mechanics in its fields, and in tuples, lists and mappings in its fields.

    Attributes:
        needs: Requirements without which the mechanic would have nothing to act on.
        gives: Things that the mechanic provides to the effects inside it.
        takes: Kinds of things that selectors in the fields may select.
    """

    needs: ClassVar[frozenset[Need]] = frozenset()
    gives: ClassVar[frozenset[Need]] = frozenset()
    takes: ClassVar[frozenset[Kind]] = EITHER


class Effect(Mechanic, ABC):
    """An effect of a card. To define your own, derive a frozen dataclass and implement `happen`.

    Attributes:
        is_conditional: Whether the class overrides `obstacle`. Set automatically.
        takes_rituals: Whether the target may be a ritual.
        takes_leaving: Whether the effect can act on a minion that is leaving play.
    """

    is_conditional: ClassVar[bool] = False
    takes_rituals: ClassVar[bool] = False
    takes_leaving: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        # Legal actions are computed much more often than effects happen, and most effects have no
        # obstacles.
        cls.is_conditional = cls.obstacle is not Effect.obstacle

    @abstractmethod
    def happen(self, context: EffectContext) -> None:
        """Carry out the effect."""

    def is_possible(self, context: EffectContext) -> bool:
        """Return whether a trigger with this effect happens now.

        If it does not, a ritual keeps its charges.
        """
        return True

    def obstacle(self, context: PlayContext) -> str:
        """Return a sentence that explains why the card cannot be played now, or an empty text."""
        return ""


# Triggers.


class TriggerEvent(str):
    """An event that sets triggers off. Events with the same phrase are equal.

    Attributes:
        gives: Things that the event provides to triggers: the minion or spell that caused it.
    """

    __slots__ = ("gives",)

    gives: frozenset[Need]

    def __new__(cls, phrase: str, *gives: Need) -> Self:
        """Create an event from its phrase and the things that it provides."""
        event = super().__new__(cls, phrase)
        event.gives = frozenset(gives)
        return event


class When(TriggerEvent):
    """The events of the rules that set triggers off (Sorcery 2024 §3).

    To add an event, create an object, here or in any module: `When("whenever a minion is healed",
    Need.EVENT_MINION)`. Then call `fire` with it where the event happens.
    """

    __slots__ = ()

    TURN_STARTS: Final = TriggerEvent("at the start of the turn")
    TURN_ENDS: Final = TriggerEvent("at the end of the turn")
    ENTERS: Final = TriggerEvent("whenever a minion enters play", Need.EVENT_MINION)
    LEAVES: Final = TriggerEvent("whenever a minion leaves play", Need.EVENT_MINION, Need.LEAVING)
    DIES: Final = TriggerEvent("whenever a minion dies", Need.EVENT_MINION, Need.LEAVING)
    ATTACKS: Final = TriggerEvent("whenever a minion attacks", Need.EVENT_MINION)
    SPELL: Final = TriggerEvent("whenever a spell is played", Need.SPELL)


class Whose(StrEnum):
    """The player whose turn, minion or spell sets a trigger off, relative to the trigger's owner.

    `THIS` is the minion that has the trigger: "when this minion dies".
    """

    ANY = "anybody's"
    OWN = "your"
    OPPONENTS = "an opponent's"
    THIS = "this minion's"


@dataclass(frozen=True, slots=True)
class Trigger:
    """A triggered ability, which happens automatically at no cost (Sorcery 2024 §2.2, §3).

    Attributes:
        when: The event that sets off the trigger.
        effect: The effect.
        text: The printed text. Line breaks are kept.
        whose: The player whose minion, spell or turn sets off the trigger.
    """

    when: TriggerEvent
    effect: Effect
    text: str
    whose: Whose = Whose.ANY
