"""What hands pay for, and which trades they allow (Constructor §2.4.1, §2.6, §3.5.4).

It depends on hands alone. It is worked out once for each, and remembered by what is in them: no
state has to carry it along, so that none is too old or stands in a digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import chain, compress
from operator import ge
from typing import Final, NamedTuple, TypeAlias

from constructor.actions import OWNED, Action, EndTurn, Trade
from constructor.state import BASEMENT_COST, COLOURS, KINDS, RESIDENCE_COSTS, ROAD_COST
from tabletop import Seat

END_TURN: Final = EndTurn()

TRADES: Final = tuple(
    tuple(tuple(Trade(seat, give, take) for take in OWNED) for seat in range(len(COLOURS)))
    for give in OWNED
)
"""Every trade: `TRADES[give][seat][take]`."""


Wanted: TypeAlias = tuple[tuple[Trade, ...], ...]


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


# Every offer that is declined leaves all hands as they were.
@lru_cache(maxsize=1024)
def means(turn: Seat, cards: tuple[int, ...]) -> tuple[Payable, Sequence[Action]]:
    """What `turn` can pay for, and what is possible on any board: trades, and to end the turn.

    Args:
        turn: whose turn it is.
        cards: the resources of all builders: `cards[seat * KINDS + kind]`.

    Returns:
        What can be paid for; and the trades, each giver's kind in turn, and the end of the turn.
    """
    own = cards[turn * KINDS : turn * KINDS + KINDS]
    rows = [
        _wanted(seat, cards[seat * KINDS : seat * KINDS + KINDS])
        for seat in range(len(cards) // KINDS)
        if seat != turn
    ]
    # For each kind that there is to give, what each of the others can be asked for.
    trades = chain.from_iterable(chain.from_iterable(compress(zip(*rows, strict=True), own)))
    return _payable(own), (*trades, END_TURN)


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


@lru_cache(maxsize=4096)
def _wanted(seat: Seat, hand: tuple[int, ...]) -> Wanted:
    """The trades that can be proposed to `seat`, for each kind that somebody may give for it.

    Lists of trades are made of these: the hands of all together are too many to be kept, while each
    one comes up again and again.
    """
    return _wanted_among(seat, tuple(map(bool, hand)))


@cache
def _wanted_among(seat: Seat, has: tuple[bool, ...]) -> Wanted:
    """The same, given which kinds there are at all in the hand."""
    return tuple(
        tuple(rows[seat][take] for take in OWNED if has[take] and take is not give)
        for give, rows in zip(OWNED, TRADES, strict=True)
    )


@lru_cache(maxsize=4096)
def _payable(hand: tuple[int, ...]) -> Payable:
    road = all(map(ge, hand, ROAD_COST))
    basement = all(map(ge, hand, BASEMENT_COST))
    levels: tuple[int, ...] = ()
    for level, cost in enumerate(RESIDENCE_COSTS[1:], 1):
        if all(map(ge, hand, cost)):
            levels += (level,)
    return Payable(road or basement or bool(levels), road, basement, levels)
