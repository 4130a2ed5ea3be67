"""Modifiers: the changes that an enchantment makes to its minion (Sorcery 2024 §2.3).

A modifier answers the questions that the rules ask of a minion: what its numbers are, how often it
acts, what its abilities cost, whether it may attack. The rules ask every modifier on a minion, from
the oldest to the newest, and know none of them: one of your own is asked like those below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from typing_extensions import override

from sorcery.cards.errors import CardsError

SIGNS: Final = ("+", "-", "*")
"""With what a change begins."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of attack or defence: `Change("+", 2)` or `Change("*", 2)`."""

    sign: str
    amount: int

    @classmethod
    def parse(cls, text: str) -> Change:
        """Read the change that is printed so: `+2`, `-1`, `*2`.

        Raises:
            CardsError: it is none.
        """
        sign, digits = text[:1], text[1:]
        if sign not in SIGNS or not (digits.isascii() and digits.isdecimal()):
            raise CardsError(f"{text!r} is no change; changes are like +2, -1 and *2")
        return cls(sign, int(digits))

    def apply(self, value: int) -> int:
        """`value` after the change."""
        if self.sign == "*":
            return value * self.amount
        return value + (self.amount if self.sign == "+" else -self.amount)

    @override
    def __str__(self) -> str:
        return f"{self.sign}{self.amount}"


class Modifier:
    """A change of what a minion is or may do. Derive a frozen dataclass and answer its questions.

    Each answer must follow from the question, and from the fields of the modifier, alone: the
    same question has the same answer every time.

    Attributes:
        questions: the names of the methods that it fills in; worked out by itself.
        word: how people are told of a minion under it, in a word or two: `silenced`.
    """

    questions: ClassVar[frozenset[str]] = frozenset()
    word: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        # The rules ask far more often than cards are made: they skip those with nothing to say.
        cls.questions = frozenset(
            name for name in QUESTIONS if getattr(cls, name) is not getattr(Modifier, name)
        )

    @property
    def box(self) -> tuple[str, str]:
        """The texts in its card's boxes of attack and defence."""
        return "", ""

    def new_attack(self, attack: int) -> int:
        """Return the attack of a minion that would be `attack` without it."""
        return attack

    def new_defence(self, defence: int) -> int:
        """Return the defence of a minion that would be `defence` without it."""
        return defence

    def new_actions(self, actions: int) -> int:
        """Return the actions of each turn for a minion that would have `actions`."""
        return actions

    def new_cost(self, cost: int) -> int:
        """Return the cost of an activated ability that would cost `cost`; below 0 counts as 0."""
        return cost

    def attack_obstacle(self, minion: str) -> str:
        """Say why the minion of that name cannot attack, as a sentence; empty when it can."""
        return ""

    def ability_obstacle(self, minion: str) -> str:
        """Say why it cannot use activated abilities, as a sentence; empty when it can."""
        return ""

    @override
    def __str__(self) -> str:
        """Say in a few words what it does, for a picture."""
        return self.word


QUESTIONS: Final = (
    "new_attack",
    "new_defence",
    "new_actions",
    "new_cost",
    "attack_obstacle",
    "ability_obstacle",
)
"""The questions of the rules to a modifier: the methods that one may fill in."""


@dataclass(frozen=True, slots=True)
class Stats(Modifier):
    """Attack and defence change: `Stats("+2", "+2")`; an empty text changes nothing."""

    attack: Change | None
    defence: Change | None

    def __init__(self, attack: str = "", defence: str = "") -> None:
        for name, text in (("attack", attack), ("defence", defence)):
            # A number without a sign, as it is easily written, is said to be none.
            object.__setattr__(self, name, Change.parse(str(text)) if text else None)

    @property
    @override
    def box(self) -> tuple[str, str]:
        return str(self.attack or ""), str(self.defence or "")

    @override
    def new_attack(self, attack: int) -> int:
        return attack if self.attack is None else self.attack.apply(attack)

    @override
    def new_defence(self, defence: int) -> int:
        return defence if self.defence is None else self.defence.apply(defence)

    @override
    def __str__(self) -> str:
        return f"{self.attack or '+0'}/{self.defence or '+0'}"


@dataclass(frozen=True, slots=True)
class Silenced(Modifier):
    """Activated abilities cannot be used; triggers go on."""

    word: ClassVar[str] = "silenced"

    @override
    def ability_obstacle(self, minion: str) -> str:
        return f"{minion} is silenced: it cannot use its ability."

    @override
    def __str__(self) -> str:
        return "no abilities"


@dataclass(frozen=True, slots=True)
class CannotAttack(Modifier):
    """The minion cannot attack; it strikes back, and may use its abilities."""

    word: ClassVar[str] = "cannot attack"

    @override
    def attack_obstacle(self, minion: str) -> str:
        return f"{minion} cannot attack."


@dataclass(frozen=True, slots=True)
class AbilityCost(Modifier):
    """Activated abilities cost more, or less where `more` is negative."""

    more: int

    @override
    def new_cost(self, cost: int) -> int:
        return cost + self.more

    @override
    def __str__(self) -> str:
        return f"abilities {self.more:+d}"


@dataclass(frozen=True, slots=True)
class ExtraActions(Modifier):
    """The minion has more actions each turn, the first of them at once."""

    more: int

    @override
    def new_actions(self, actions: int) -> int:
        return actions + self.more

    @override
    def __str__(self) -> str:
        return f"{self.more:+d} action"
