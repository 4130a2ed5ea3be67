"""Modifiers: the changes that an enchantment makes to its minion (Sorcery 2024 §2.3).

The rules call the methods of a modifier to find out the attack and defence of a minion, its actions
per turn, the cost of its abilities, and whether it may attack or use abilities. They call every
modifier on the minion, from the oldest to the newest, regardless of its class. Custom modifiers
therefore work like the modifiers below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from typing_extensions import override

from sorcery.cards.errors import CardsError

SIGNS: Final = ("+", "-", "*")  # the characters with which the text of a change can begin


@dataclass(frozen=True, slots=True)
class Change:
    """A change of attack or defence: `Change("+", 2)` or `Change("*", 2)`."""

    sign: str
    amount: int

    @classmethod
    def parse(cls, text: str) -> Change:
        """Parse a change as printed on a card: `+2`, `-1`, `*2`.

        Raises:
            CardsError: `text` is not a change.
        """
        sign, digits = text[:1], text[1:]
        if sign not in SIGNS or not (digits.isascii() and digits.isdecimal()):
            raise CardsError(f"{text!r} is not a change such as +2, -1 or *2")
        return cls(sign, int(digits))

    def apply(self, value: int) -> int:
        """Return `value` after the change."""
        if self.sign == "*":
            return value * self.amount
        return value + (self.amount if self.sign == "+" else -self.amount)

    @override
    def __str__(self) -> str:
        return f"{self.sign}{self.amount}"


class Modifier:
    """A change to a minion or to its possible actions.

    To define your own, derive a frozen dataclass and override some of the methods. The result of
    each method must depend only on the arguments and the fields.

    Attributes:
        label: One or two words that describe an affected minion to players, such as `silenced`.
    """

    label: ClassVar[str] = ""

    @property
    def changes_numbers(self) -> bool:
        """Whether the class overrides `new_attack` or `new_defence`."""
        kind = type(self)
        return (kind.new_attack, kind.new_defence) != (Modifier.new_attack, Modifier.new_defence)

    @property
    def box(self) -> tuple[str, str]:
        """Texts for the attack and defence boxes of the card."""
        return "", ""

    def new_attack(self, attack: int) -> int:
        """Return the attack of a minion whose attack is `attack` without this modifier."""
        return attack

    def new_defence(self, defence: int) -> int:
        """Return the defence of a minion whose defence is `defence` without this modifier."""
        return defence

    def new_actions(self, actions: int) -> int:
        """Return the actions per turn of a minion that has `actions` without this modifier."""
        return actions

    def new_cost(self, cost: int) -> int:
        """Return the cost of an activated ability that costs `cost` without this modifier.

        The final cost is at least 0.
        """
        return cost

    def attack_obstacle(self, minion: str) -> str:
        """Return a sentence that explains why `minion` (a card name) cannot attack, or ""."""
        return ""

    def ability_obstacle(self, minion: str) -> str:
        """Return a sentence that explains why `minion` cannot use activated abilities, or ""."""
        return ""

    @override
    def __str__(self) -> str:
        """Describe the modifier in a few words, for the picture of a card."""
        return self.label


@dataclass(frozen=True, slots=True)
class Stats(Modifier):
    """A change of attack and defence: `Stats("+2", "+2")`. An empty text changes nothing."""

    attack: Change | None
    defence: Change | None

    def __init__(self, attack: str = "", defence: str = "") -> None:
        for name, text in (("attack", attack), ("defence", defence)):
            # str() makes a number without a sign, an easy mistake, fail with a clear message.
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
    """The minion cannot use activated abilities. Its triggers still work."""

    label: ClassVar[str] = "silenced"

    @override
    def ability_obstacle(self, minion: str) -> str:
        return f"{minion} is silenced: it cannot use its ability."

    @override
    def __str__(self) -> str:
        return "no abilities"


@dataclass(frozen=True, slots=True)
class CannotAttack(Modifier):
    """The minion cannot attack. It still strikes back and may use abilities."""

    label: ClassVar[str] = "cannot attack"

    @override
    def attack_obstacle(self, minion: str) -> str:
        return f"{minion} cannot attack."


@dataclass(frozen=True, slots=True)
class AbilityCost(Modifier):
    """Activated abilities cost `more` additional magic, or less magic if `more` is negative."""

    more: int

    @override
    def new_cost(self, cost: int) -> int:
        return cost + self.more

    @override
    def __str__(self) -> str:
        return f"abilities {self.more:+d}"


@dataclass(frozen=True, slots=True)
class ExtraActions(Modifier):
    """The minion has `more` additional actions each turn, starting immediately."""

    more: int

    @override
    def new_actions(self, actions: int) -> int:
        return actions + self.more

    @override
    def __str__(self) -> str:
        return f"{self.more:+d} action"
