"""What hands pay for, and which trades they allow (Constructor §2.4.1, §2.6, §3.5.4).

It depends on hands alone. It is worked out once for each, and remembered by what is in them: no
state has to carry it along, so that none is too old or stands in a digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import compress
from operator import ge, mul
from typing import Final, NamedTuple

from constructor.actions import OWNED, Action, EndTurn, Trade
from constructor.state import COLOURS, KINDS, RESIDENCE_COSTS, ROAD_COST
from tabletop import Seat

END_TURN: Final = EndTurn()

TRADES: Final = tuple(
    tuple(tuple(Trade(seat, give, take) for take in OWNED) for seat in range(len(COLOURS)))
    for give in OWNED
)
"""Every trade: `TRADES[give][seat][take]`."""

_MOST_COST: Final = tuple(map(max, zip(ROAD_COST, *RESIDENCE_COSTS, strict=True)))
"""How much of each kind the dearest thing costs: to have more makes no difference."""


class Payable(NamedTuple):
    """What a hand can pay for, whatever the board looks like.

    Attributes:
        anything: whether there is anything to build that it can pay for.
        road, basement: whether these are among it.
        levels: the levels of residences whose improvement it can pay for.
    """

    anything: bool
    road: bool
    basement: bool
    levels: tuple[int, ...]


# An offer that is declined leaves all hands as they were; from further back they seldom come again.
@lru_cache(maxsize=8)
def means(turn: Seat, cards: tuple[int, ...]) -> tuple[Payable, Sequence[Action]]:
    """What `turn` can pay for, and what is possible on any board: trades, and to end the turn.

    Args:
        turn: whose turn it is.
        cards: the resources of all builders: `cards[seat * KINDS + kind]`.

    Returns:
        What can be paid for; and the trades, each giver's kind in turn, and the end of the turn.
    """
    own = cards[turn * KINDS : turn * KINDS + KINDS]
    return _payable(tuple(map(min, own, _MOST_COST))), trades_of(turn, bytes(map(bool, cards)))


# Which kinds there are at all in hands comes up again far more often than the hands do.
@lru_cache(maxsize=4096)
def trades_of(turn: Seat, has: bytes) -> Sequence[Action]:
    """The trades that `turn` can propose, and the end of the turn.

    Args:
        turn: whose turn it is.
        has: whether the builders have any of each kind, 1 or 0: `has[seat * KINDS + kind]`.
    """
    trades = compress(_all_trades(turn, len(has) // KINDS), _possible(turn, has))
    return (*trades, END_TURN)


def _possible(turn: Seat, has: bytes) -> bytes:
    """A byte for each of `_all_trades`: 1 where both have what is exchanged, else 0."""
    # As one long number, which is several times as fast as trade by trade.
    base = turn * KINDS
    takes = has[:base] + has[base + KINDS :]
    others = len(takes) // KINDS
    # What the others have stands once for each kind that there is to give.
    # By `mul`: see `tabletop.rng.hashed` for what `*` does to numbers of this size once compiled.
    number: int = mul(int.from_bytes(takes, "little"), _copies(has[base : base + KINDS], others))
    return (number & _different(others)).to_bytes(KINDS * len(takes), "little")


@cache
def _all_trades(turn: Seat, seats: int) -> Sequence[Trade]:
    """Each kind to give in turn; for each other seat, each kind to take."""
    return tuple(
        trade
        for rows in TRADES
        for seat, row in enumerate(rows[:seats])
        if seat != turn
        for trade in row
    )


@cache
def _copies(own: bytes, others: int) -> int:
    """What multiplies a number of `KINDS` bytes for each of `others`: once for each kind owned."""
    width = 8 * KINDS * others
    return sum(1 << width * give for give, has in enumerate(own) if has)


@cache
def _different(others: int) -> int:
    """A byte for each of `_all_trades`, as a number: 1 where two different kinds are exchanged."""
    rows = ((give, take) for give in OWNED for _ in range(others) for take in OWNED)
    return int.from_bytes(bytes(give is not take for give, take in rows), "little")


def pointless_trades(turn: Seat, cards: Sequence[int]) -> list[Trade]:
    """The trades of a kind for itself that `turn` can propose; nobody lists them.

    Args:
        turn: whose turn it is.
        cards: the resources of all builders, as in `means`.
    """
    return [
        TRADES[kind][seat][kind]
        for seat in range(len(cards) // KINDS)
        for kind in OWNED
        if seat != turn and cards[turn * KINDS + kind] and cards[seat * KINDS + kind]
    ]


@lru_cache(maxsize=512)
def _payable(hand: tuple[int, ...]) -> Payable:
    """What a hand can pay for; what is more than the dearest thing costs is left out of it."""
    road = all(map(ge, hand, ROAD_COST))
    basement = all(map(ge, hand, RESIDENCE_COSTS[0]))
    levels: tuple[int, ...] = ()
    for level, cost in enumerate(RESIDENCE_COSTS[1:], 1):
        if all(map(ge, hand, cost)):
            levels += (level,)
    return Payable(road or basement or bool(levels), road, basement, levels)
