"""Whom an effect acts on: the selectors that have names; others are composed of them."""

from __future__ import annotations

from typing import ClassVar, Final, NoReturn

from typing_extensions import override

from sorcery.effect import Aim, Kind, Moment
from sorcery.flaws import CardsError
from sorcery.selector import Found, Selector
from sorcery.state import Minion
from sorcery.triggers import Need

_PLAYERS: Final = frozenset({Kind.PLAYERS})


class Named(Selector):
    """The base of the selectors that have a name of their own, and that there are once.

    Attributes:
        name: what it is called in `sorcery.whom`.
    """

    __slots__ = ()

    name: ClassVar[str]

    @override
    def __repr__(self) -> str:
        return self.name

    @override
    def __reduce__(self) -> str:
        return self.name  # a copy, or what was pickled, is the same object


class _Target(Named):
    __slots__ = ()
    name = "TARGET"
    needs = frozenset({Need.TARGET})

    @override
    def found(self, moment: Moment) -> Found:
        aim = moment.aim
        return () if aim is None or aim.minion is None else (aim.minion,)


class _Subject(Named):
    __slots__ = ()
    name = "SUBJECT"
    needs = frozenset({Need.SUBJECT})

    @override
    def found(self, moment: Moment) -> Found:
        return () if moment.subject is None else (moment.subject,)

    @override
    def is_there(self, moment: Moment) -> bool:
        # One that is leaving is there for the triggers that this sets off.
        return moment.subject is not None and moment.engine.is_here(moment.subject)


class _Itself(Named):
    __slots__ = ()
    name = "ITSELF"
    needs = frozenset({Need.ITSELF})

    @override
    def found(self, moment: Moment) -> Found:
        return (moment.source,) if isinstance(moment.source, Minion) else ()


class _Own(Named):
    __slots__ = ()
    name = "OWN"

    @override
    def found(self, moment: Moment) -> Found:
        return moment.engine.side(moment.seat).minions.copy()


class _Enemies(Named):
    __slots__ = ()
    name = "ENEMIES"

    @override
    def found(self, moment: Moment) -> Found:
        return moment.engine.side(1 - moment.seat).minions.copy()


class _All(Named):
    __slots__ = ()
    name = "ALL"

    @override
    def found(self, moment: Moment) -> Found:
        return moment.engine.minions()


class _You(Named):
    __slots__ = ()
    name = "YOU"

    @override
    def found(self, moment: Moment) -> Found:
        return (moment.seat,)

    @property
    @override
    def finds(self) -> frozenset[Kind]:
        return _PLAYERS


class _Opponent(_You):
    __slots__ = ()
    name = "OPPONENT"

    @override
    def found(self, moment: Moment) -> Found:
        return (1 - moment.seat,)


TARGET: Final[Selector] = _Target()
"""The minion that was named when the card was played or the ability used."""

SUBJECT: Final[Selector] = _Subject()
"""The minion that set the trigger off: the one that entered, leaves, died or attacks."""

ITSELF: Final[Selector] = _Itself()
"""The minion whose ability or trigger it is."""

OWN: Final[Selector] = _Own()
"""All your minions."""

ENEMIES: Final[Selector] = _Enemies()
"""All the opponent's minions."""

ALL: Final[Selector] = _All()
"""All minions."""

OTHERS: Final[Selector] = ALL.but(ITSELF)
"""All minions but the one whose ability or trigger it is."""

RANDOM_ENEMY: Final[Selector] = ENEMIES.random()
"""A random minion of the opponent."""

YOU: Final[Selector] = _You()
"""The player whose card it is."""

OPPONENT: Final[Selector] = _Opponent()
"""The other player."""

BOTH_PLAYERS: Final[Selector] = YOU | OPPONENT
"""Both players."""


def aim_now(moment: Moment) -> Aim | None:
    """The target with its present owner; None when it has left the board.

    A minion may have changed sides since it was named.
    """
    aim, engine = moment.aim, moment.engine
    if aim is None or aim.minion is None:
        return aim if aim and engine.side(aim.seat).ritual else None
    seat = engine.seat_of(aim.minion)
    return None if seat is None else Aim(seat, aim.minion)


def __getattr__(name: str) -> NoReturn:
    if name == "Whom":
        raise CardsError(
            "whom an effect acts on is a name of its own now;"
            " write: from sorcery import TARGET, ENEMIES, and Damage(ENEMIES, 1)"
        )
    if name == "OnMinions":
        raise CardsError("OnMinions has moved; write: from sorcery import OnMinions")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
