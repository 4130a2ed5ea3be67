"""Mechanics: what cards are composed of, the triggers that set effects off, and their contexts.

Cards hold effects and the engine carries them out, so this module stands below both, and says what
effects may ask of an engine. The effects of the game are in `sorcery.cards.effects`. Selectors,
amounts and conditions are mechanics as well: each says what it needs to find, so that a card that
would do nothing is refused before a match.
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
    """The target of a card or an ability: a minion of `seat`, or that player's ritual."""

    seat: Seat
    minion: Minion | None


Source: TypeAlias = Minion | Ritual | None
"""The source of an effect: a minion or ritual on the board; None for a spell."""


class Limits(Protocol):
    """The numbers of an edition that bear on effects; `sorcery.Edition` has them."""

    @property
    def most_cards(self) -> int:
        """The number of cards that a hand holds."""

    @property
    def most_minions(self) -> int:
        """The number of minions that a board holds."""


class EffectEngine(Protocol):
    """What effects may ask and tell of the match: `sorcery.rules.engine.Engine` carries it out.

    Every change emits its event and has its consequences: a minion without defence dies, with all
    that its death sets off.

    Attributes:
        state: the state of the match.
        table: chance, and where events go.
    """

    state: SorceryState
    table: Table

    @property
    def edition(self) -> Limits:
        """The limits of hands and boards."""

    def goes_on(self) -> bool:
        """True while nobody has lost: afterwards, nothing more happens."""

    def side(self, seat: Seat) -> Side:
        """Return the side of `seat`."""

    def minions(self) -> list[Minion]:
        """Return all minions in APNAP order."""

    def seat_of(self, minion: Minion) -> Seat | None:
        """Return the seat whose board `minion` is on; None when it has left, or is about to."""

    def is_here(self, minion: Minion) -> bool:
        """Return whether `minion` is on a board, be it about to leave."""

    def printed(self, name: str) -> CardInstance:
        """Return the card called `name` as it is printed."""

    def cost(self, name: str) -> int:
        """Return what the card called `name` costs, in magic."""

    def has_room(self, seat: Seat) -> bool:
        """Return whether a minion fits on the board of `seat`."""

    def damage(self, minion: Minion, amount: int) -> None:
        """Deal damage to a minion on the board; none when `amount` is not positive."""

    def damage_all(self, found: Sequence[Minion | Seat], amount: int) -> None:
        """Deal damage to minions, and to players, who lose so much life, one after the other."""

    def gain(self, minion: Minion, attack: int, defence: int) -> None:
        """Give a minion attack and defence for good, even while it is leaving."""

    def gain_all(self, found: Sequence[Minion | Seat], attack: int, defence: int) -> None:
        """Give the minions among `found` attack and defence for good, one after the other."""

    def enchant(self, minion: Minion, name: str) -> None:
        """Put an enchantment on a minion; Haste and its like give their actions at once."""

    def disenchant(self, minion: Minion) -> None:
        """Destroy the newest enchantment on a minion that has one."""

    def destroy(self, minion: Minion) -> None:
        """Let a minion die, whatever its defence is."""

    def return_to_hand(self, minion: Minion) -> None:
        """Put a minion into its owner's hand, unless that is full; one that is leaving, too."""

    def put_under_deck(self, minion: Minion) -> None:
        """Put a minion on the bottom of its owner's deck; one that is leaving goes there, too."""

    def bring_back(self, minion: Minion, defence: int | None = None) -> None:
        """Let a minion that is leaving return to play from the graveyard, if there is room then.

        It returns with `defence`, or as it has left when that is None.
        """

    def enter(self, seat: Seat, held: CardInstance, origin: str) -> None:
        """Put a minion on the right end of a board that has room, with all that follows.

        It comes from the "hand", the "graveyard" or "nowhere".
        """

    def take(self, seat: Seat, minion: Minion) -> None:
        """Let `seat` take a minion over, with all that is on it. It neither leaves nor enters."""

    def start_ritual(self, seat: Seat, name: str) -> None:
        """Put a ritual on the board; one that is there already is removed from the game."""

    def end_ritual(self, seat: Seat) -> None:
        """Remove the ritual of `seat` from the game, if there is one."""

    def charge(self, seat: Seat, amount: int) -> None:
        """Let the ritual of `seat`, if there is one, gain charges, or lose them."""

    def gain_magic(self, seat: Seat, amount: int) -> None:
        """Let `seat` gain magic, or lose it; never below 0."""

    def gain_life(self, seat: Seat, amount: int) -> None:
        """Let `seat` gain life, or lose it; with none left the game is over at once."""

    def discard(self, seat: Seat, place: int) -> None:
        """Discard the card at a place of a hand, counted from 0; it leaves the game."""

    def draw(self, seat: Seat) -> None:
        """Draw a card, unless the hand is full or the deck empty."""

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
            when: the event.
            seat: whose turn, minion or spell it was.
            subject: the minion that entered, leaves or attacks.
            spell: the effect of the spell that was played.
            aim: the target of that spell.
        """


@dataclass(slots=True)
class EffectContext:
    """The context in which an effect happens.

    Attributes:
        engine: the engine that the effect acts through.
        seat: whose effect it is.
        source: the minion or ritual whose ability it is; None for a spell.
        aim: the target that was named when it was played or used.
        subject: the minion that set a trigger off.
        spell: the effect of the spell that set a trigger off.
    """

    engine: EffectEngine
    seat: Seat
    source: Source = None
    aim: TargetRef | None = None
    subject: Minion | None = None
    spell: Effect | None = None


@dataclass(slots=True)
class PlayContext:
    """The context in which a card would be played or an ability used.

    Attributes:
        state: the state of the match.
        edition: the limits of hands and boards.
        seat: the seat that plays.
        aim: the target that is named, if any.
        spent: how many cards will have left the player's hand by then.
    """

    state: SorceryState
    edition: Limits
    seat: Seat
    aim: TargetRef | None
    spent: int

    @property
    def side(self) -> Side:
        """The side of the player."""
        return self.state.sides[self.seat]

    @property
    def full_board(self) -> str:
        """The sentence that the player's board is full; empty when it is not."""
        full = len(self.side.minions) >= self.edition.most_minions
        return "Your board is full." if full else ""


class Kind(StrEnum):
    """The things that a selector can find."""

    MINIONS = "minions"
    PLAYERS = "players"


class Need(StrEnum):
    """A requirement of a mechanic; the value is the reason given when it is not met."""

    TARGET = "a target, and none is named"
    EVENT_MINION = "the minion that set the trigger off, and no minion does"
    LEAVING = "a minion that leaves play, and none does"
    SELF = "the minion itself, and this is none"
    SPELL = "a spell that was played, and none was"


EITHER: Final = frozenset(Kind)
"""Minions and players."""


class Mechanic:
    """A part of a card: an effect, a selector, an amount or a condition.

    Derive a frozen dataclass. When cards are checked, every mechanic in its fields, or in tuples,
    lists and tables there, is asked what it needs.

    Attributes:
        needs: the things it must find, or it would act on nothing.
        gives: the things it hands to effects inside of it, which so find them too.
        takes: the kinds that the selectors in its fields may find.
    """

    needs: ClassVar[frozenset[Need]] = frozenset()
    gives: ClassVar[frozenset[Need]] = frozenset()
    takes: ClassVar[frozenset[Kind]] = EITHER


class Effect(Mechanic, ABC):
    """An effect of a card. Derive a frozen dataclass and fill in `happen`.

    Attributes:
        is_conditional: whether there can be an `obstacle` to it; worked out by itself.
        takes_rituals: whether its target may be a ritual.
        takes_leaving: whether it can do anything to a minion that is leaving play.
    """

    is_conditional: ClassVar[bool] = False
    takes_rituals: ClassVar[bool] = False
    takes_leaving: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        # Legality is asked far more often than effects happen: most need not be asked at all.
        cls.is_conditional = cls.obstacle is not Effect.obstacle

    @abstractmethod
    def happen(self, context: EffectContext) -> None:
        """Carry the effect out."""

    def is_possible(self, context: EffectContext) -> bool:
        """Return whether a trigger with this effect occurs: what it acts on must be there."""
        return True

    def obstacle(self, context: PlayContext) -> str:
        """Say why it cannot be played or used now, as a sentence; empty when it can."""
        return ""


# Triggers.


class TriggerEvent(str):
    """An event that sets a trigger off, told apart by its phrase.

    Attributes:
        gives: the things a trigger finds too: the minion or the spell that set it off.
    """

    __slots__ = ("gives",)

    gives: frozenset[Need]

    def __new__(cls, phrase: str, *gives: Need) -> Self:
        """Make an event; `phrase` says when it is, and `gives` what sets it off."""
        made = super().__new__(cls, phrase)
        made.gives = frozenset(gives)
        return made


class When(TriggerEvent):
    """The events that set triggers off in the rules (Sorcery 2024 §3).

    A new one is a line here, or anywhere else: `When("whenever a minion is healed",
    Need.EVENT_MINION)`. It takes place where `fire` is called with it.
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
    """The side whose turn, minion or spell sets a trigger off, as the trigger's owner sees it.

    `THIS` is the minion itself that has the trigger: "when this minion dies".
    """

    ANY = "anybody's"
    OWN = "your"
    OPPONENTS = "an opponent's"
    THIS = "this minion's"


@dataclass(frozen=True, slots=True)
class Trigger:
    """A triggered ability: happens by itself, for free (Sorcery 2024 §2.2, §3).

    Attributes:
        when: the event that sets it off.
        effect: its effect.
        text: its text; line breaks in it stay.
        whose: whose minion, spell or turn it takes.
    """

    when: TriggerEvent
    effect: Effect
    text: str
    whose: Whose = Whose.ANY
