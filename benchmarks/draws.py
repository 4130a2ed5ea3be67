"""A bounded draw from a stream, beside one from Python's own generator; and dealing cards out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from benchmarks.common import Contender, Row, Target, race
from tabletop import Stream, Streams

TITLE = (
    "Bounded draws: Stream.below beside random.Random.randrange; Stream.deal beside a greedy one"
)

AT_MOST = Target(1.5, at_least=False)
BOUNDS = (6, 52, 1_000_000)

CARDS = 39
"""So many cards are dealt to as many places, one to each."""
A_MILLISECOND = Target(1.0, at_least=False)


def run(seconds: float) -> Iterator[Row]:
    """Time a draw below several bounds, and dealing cards to places that they fit."""
    stream, generator = Streams("benchmark")["draws"], Random(1)
    for bound in BOUNDS:
        result = race(
            {"ours": _draw(stream.below, bound), "theirs": _draw(generator.randrange, bound)},
            seconds,
        )
        yield Row(f"randrange({bound})", 1e9 / result.speed("theirs"), "ns")
        yield Row(
            f"below({bound})",
            1e9 / result.speed("ours"),
            "ns",
            result.ratio("theirs", "ours"),
            "times randrange",
            AT_MOST,
        )

    yield from _time_dealing(seconds)


def _time_dealing(seconds: float) -> Iterator[Row]:
    """Time `Stream.deal` beside a dealer that does not look what comes later, and may fail."""
    stream = Streams("benchmark")["deals"]
    cards, places = range(CARDS), range(CARDS)
    deals: dict[str, Callable[[], object]] = {
        "greedy": lambda: _deal_greedily(stream, cards, places),
        "ours": lambda: stream.deal(cards, places, fits=_fits, capacity=1),
        "anywhere": lambda: stream.deal(cards, places, capacity=1),
    }
    result = race({name: _deal(deal) for name, deal in deals.items()}, seconds)
    what = f"{CARDS} cards to {CARDS} places"
    yield Row(f"{what}, greedily", 1e3 / result.speed("greedy"), "ms")
    ratio = result.ratio("greedy", "ours")
    yield Row(
        f"{what} that they fit", 1e3 / result.speed("ours"), "ms", ratio, "times the greedy one"
    )
    yield Row(
        f"{what} that they fit: at most 1 ms",
        1e3 / result.speed("ours"),
        "ms",
        target=A_MILLISECOND,
    )
    yield Row(
        f"{what}, anywhere: at most 1 ms",
        1e3 / result.speed("anywhere"),
        "ms",
        target=A_MILLISECOND,
    )


def _fits(card: int, place: int) -> bool:
    return (card + place) % 3 != 1


def _deal_greedily(stream: Stream, cards: Sequence[int], places: Sequence[int]) -> dict[int, int]:
    """Each card to a free place that it fits, whatever comes later; to any when there is none."""
    free = list(places)
    dealt: dict[int, int] = {}
    for card in cards:
        choices = [place for place in free if _fits(card, place)]
        place = stream.choice(choices or free)
        dealt[place] = card
        free.remove(place)
    return dealt


def _deal(deal: Callable[[], object]) -> Contender:
    def many(count: int) -> int:
        for _ in range(count):
            deal()
        return count

    return many


def _draw(below: Callable[[int], int], bound: int) -> Contender:
    def draw(count: int) -> int:
        for _ in range(count):
            below(bound)
        return count

    return draw
