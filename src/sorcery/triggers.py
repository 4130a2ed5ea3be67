"""Triggered abilities: what sets them off, and whose it has to be (Sorcery 2024 §3).

`sorcery.engine.Engine.fire` lets them happen.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

from sorcery.mechanics import Effect, Need


class TriggerEvent(str):
    """What sets a trigger off, told apart by its phrase.

    Attributes:
        gives: what a trigger finds besides: the minion or the spell that set it off.
    """

    __slots__ = ("gives",)

    gives: frozenset[Need]

    def __new__(cls, phrase: str, *gives: Need) -> Self:
        """Make one; `phrase` says when it is, and `gives` what sets it off."""
        made = super().__new__(cls, phrase)
        made.gives = frozenset(gives)
        return made


class When(TriggerEvent):
    """What sets a trigger off in the rules (Sorcery 2024 §3).

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
    """Whose turn, minion or spell sets a trigger off, as the trigger's owner sees it.

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
        when: what sets it off.
        effect: what it does.
        text: how it reads; what is on a line of its own stays there.
        whose: whose minion, spell or turn it takes.
    """

    when: TriggerEvent
    effect: Effect
    text: str
    whose: Whose = Whose.ANY
