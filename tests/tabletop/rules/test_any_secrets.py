"""Random declarations of secrets: a redeal keeps the view and the cards of every pool."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from types import GenericAlias
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import NOBODY, OWNER, ContractError, Known, Seat, State, Streams, secret, state
from tabletop.rules import masking_of
from tabletop.states import to_json
from tabletop.states.visibility import secrets_of
from tabletop.testing.probe import shared_part

SEATS = 3
Kind: TypeAlias = tuple[Any, st.SearchStrategy[Any]]

CARDS = st.integers(1, 30)
MAYBE = CARDS | st.none()
PILES: list[Kind] = [
    (list[int], st.lists(CARDS, max_size=4)),
    (tuple[int, ...], st.lists(CARDS, max_size=4).map(tuple)),
    (deque[int], st.lists(CARDS, max_size=4).map(deque)),
    (list[int | None], st.lists(MAYBE, max_size=4)),
]
SINGLE: list[Kind] = [(int, CARDS), (int | None, MAYBE)]


def by_seats(kind: Kind) -> list[Kind]:
    """Return types with an item per seat."""
    hint, values = kind
    several = st.lists(values, min_size=SEATS, max_size=SEATS)
    return [
        (GenericAlias(list, hint), several),
        (GenericAlias(tuple, (hint, ...)), several.map(tuple)),
        (GenericAlias(dict, (Seat, hint)), several.map(lambda them: dict(enumerate(them)))),
    ]


OWNED = [kind for one in [*PILES, *SINGLE] for kind in by_seats(one)]


def odd_sees(whole: Any, seat: Seat | None, owner: Seat) -> bool:
    return seat is not None and (seat == owner or (seat % 2 == 1 and owner == 0))


@st.composite
def declared(draw: st.DrawFn) -> tuple[Any, Any]:
    """Draw a secret field and its value."""
    if draw(st.booleans()):
        hint, values = draw(st.sampled_from([*PILES, *SINGLE]))
        options: dict[str, Any] = {"to": NOBODY}
    else:
        hint, values = draw(st.sampled_from(OWNED))
        options = {"to": draw(st.sampled_from([OWNER, odd_sees, NOBODY]))}
        if options["to"] is OWNER and draw(st.booleans()):
            options["pool"] = OWNER
    if "pool" not in options:
        options["pool"] = draw(st.sampled_from([None, "red"]))
    return (hint, secret(back=0, **options)), draw(values)


@st.composite
def states(draw: st.DrawFn) -> Any:
    fields = draw(st.lists(declared(), min_size=1, max_size=4))
    names = [f"field{number}" for number in range(len(fields))]
    hints = {name: hint for name, ((hint, _), _) in zip(names, fields, strict=True)}
    space = {name: made for name, ((_, made), _) in zip(names, fields, strict=True)}
    hints["turn"] = int
    kind: Any = type("Drawn", (State,), {"__annotations__": hints, "__module__": __name__, **space})
    return state(kind)(*[value for _, value in fields], 0)


seats = st.sampled_from([0, 1, 2, None])


@given(states(), seats, st.integers(0, 99))
def test_a_redeal_keeps_the_view_and_the_cards_of_every_pool(
    table: Any, seat: Seat | None, seed: int
) -> None:
    ways = masking_of(type(table))
    other = ways.redeal(table, seat, Streams(seed)["redeal"])
    assert to_json(ways.view(other, seat)) == to_json(ways.view(table, seat))
    assert type(other) is type(table)
    assert pools_of(other) == pools_of(table)
    assert shared_part(table, other) is None
    # The result does not depend on hidden values.
    again = ways.redeal(ways.redeal(table, seat, Streams("x")["x"]), seat, Streams(seed)["redeal"])
    assert again == other


@given(states(), seats)
def test_a_view_shows_cards_or_backs_and_cannot_be_redealt(table: Any, seat: Seat | None) -> None:
    ways = masking_of(type(table))
    view = ways.view(table, seat)
    assert shared_part(table, view) is None
    if view != table:
        with pytest.raises(ContractError, match=r"\bwhole state\b"):
            ways.redeal(view, seat, Streams("x")["redeal"])
    for name, declared in secrets_of(type(table)).items():
        shown, there = cards_in(getattr(view, name)), cards_in(getattr(table, name))
        for card, real in zip(shown, there, strict=True):
            assert card in (0, real)
            assert (card is None) == (real is None)
            assert declared.to is not NOBODY or card in (0, None)


def cards_in(value: Any) -> Iterator[int | None]:
    """Yield the cards of a field in order."""
    if isinstance(value, int | None):
        yield value
        return
    for item in value.values() if isinstance(value, dict) else value:
        yield from cards_in(item)


def pools_of(table: Any) -> dict[object, Counter[int | None]]:
    pools: dict[object, Counter[int | None]] = {}
    for name, declared in secrets_of(type(table)).items():
        value = getattr(table, name)
        rows = value.items() if isinstance(value, dict) else enumerate([value])
        if declared.pool is OWNER and not isinstance(value, dict):
            rows = enumerate(value)
        for owner, row in rows:
            key = (declared.pool, owner) if declared.pool is OWNER else declared.pool
            pools.setdefault(key, Counter()).update(cards_in(row))
    return pools


# Known cards.


@state
class Court(State):
    deck: list[int] = secret(to=NOBODY, back=0, known="peeked")
    hands: list[list[int]] = secret(to=OWNER, back=0, known="known")
    peeked: Known[int]
    known: Known[int]


@st.composite
def courts(draw: st.DrawFn) -> Court:
    deck = draw(st.lists(CARDS, max_size=4))
    hands = draw(st.lists(st.lists(CARDS, max_size=3), min_size=SEATS, max_size=SEATS))
    court = Court(deck, hands, Known(), Known())
    for seat in range(SEATS):
        for at in draw(st.sets(st.sampled_from(range(len(deck))))) if deck else ():
            court.peeked.show(seat, deck[at], at=at)
        for owner, hand in enumerate(hands):
            for card in draw(st.permutations(hand))[: draw(st.integers(0, len(hand)))]:
                court.known.show(seat, card, owner)
    return court


@given(courts(), seats, st.integers(0, 99))
def test_a_redeal_keeps_known_cards_and_the_numbers_known_to_others(
    court: Court, seat: Seat | None, seed: int
) -> None:
    ways = masking_of(Court)
    other = ways.redeal(court, seat, Streams(seed)["redeal"])
    assert ways.view(other, seat) == ways.view(court, seat)
    for it in court.peeked.shown:
        assert it.seat != seat or other.deck[it.at or 0] == it.card
    for it in court.known.shown:
        assert it.seat != seat or it.card in other.hands[it.owner or 0]
    again = ways.redeal(ways.redeal(court, seat, Streams("x")["x"]), seat, Streams(seed)["redeal"])
    assert again == other
    for watcher in range(SEATS):
        shown = ways.view(other, watcher)  # raises if a known card is not in its pile
        before = ways.view(court, watcher)
        assert [len(hand) - hand.count(0) for hand in shown.hands] == [
            len(hand) - hand.count(0) for hand in before.hands
        ]
