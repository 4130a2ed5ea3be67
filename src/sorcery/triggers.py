"""When triggers happen: what sets them off, and whose it has to be (Sorcery 2024 §3)."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Self


class Need(StrEnum):
    """What there must be for something on a card to act on, as a reason why it is not there."""

    TARGET = "a target, and none is named"
    SUBJECT = "the minion that set the trigger off, and no minion does"
    LEAVING = "a minion that leaves play, and none does"
    ITSELF = "the minion itself, and this is none"
    SPELL = "a spell that was played, and none was"


class When(str):
    """What sets a trigger off (Sorcery 2024 §3); told apart by the phrase.

    A new one is made with a phrase, `When("whenever a minion is healed", Need.SUBJECT)`, and takes
    place where `fire` is called with it: in the rules, or in an effect.

    Attributes:
        gives: what a trigger finds besides: the minion or the spell that set it off.
    """

    __slots__ = ("gives",)

    gives: frozenset[Need]

    TURN_STARTS: ClassVar[When]
    TURN_ENDS: ClassVar[When]
    ENTERS: ClassVar[When]
    LEAVES: ClassVar[When]
    DIES: ClassVar[When]
    ATTACKS: ClassVar[When]
    SPELL: ClassVar[When]

    def __new__(cls, phrase: str, *gives: Need) -> Self:
        """Make one; `phrase` says when it is, and `gives` what sets it off."""
        made = super().__new__(cls, phrase)
        made.gives = frozenset(gives)
        return made


When.TURN_STARTS = When("at the start of the turn")
When.TURN_ENDS = When("at the end of the turn")
When.ENTERS = When("whenever a minion enters play", Need.SUBJECT)
When.LEAVES = When("whenever a minion leaves play", Need.SUBJECT, Need.LEAVING)
When.DIES = When("whenever a minion dies", Need.SUBJECT, Need.LEAVING)
When.ATTACKS = When("whenever a minion attacks", Need.SUBJECT)
When.SPELL = When("whenever a spell is played", Need.SPELL)


class Whose(StrEnum):
    """Whose turn, minion or spell sets a trigger off, as the trigger's owner sees it.

    `THIS` is the minion itself that has the trigger: "when this minion dies".
    """

    ANY = "anybody's"
    OWN = "your"
    OPPONENTS = "an opponent's"
    THIS = "this minion's"
