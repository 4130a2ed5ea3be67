"""Summaries of turns in a few lines, for the turns of bots at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Final, TypeVar

from constructor.events import (
    BasementChosen,
    DiceRolled,
    GeesePlaced,
    ResidenceBuilt,
    ResourcesGained,
    ResourcesLost,
    ResourceStolen,
    RoadBuilt,
    TileChanged,
    TradeAnswered,
)
from constructor.state import COLOURS, Cost, Resource
from constructor.text import LEVEL_NAMES, describe
from tabletop import Event
from tabletop.wording import counted, listed

E = TypeVar("E", bound=Event)

INDENT: Final = "  "
"""Stands before the rest of a line that is too long."""


def summarize(events: Sequence[Event], width: int = 0) -> list[str]:
    """A turn, or a part of one, in a few lines; none when nothing has happened.

    Args:
        events: what happened, as `Match.observe` tells it.
        width: how many columns a line may have; 0 for any.

    >>> summarize([DiceRolled(1, 8, (3, 5)), ResourcesGained(0, (1, 0, 0, 0, 2)), RoadBuilt(1, 9)])
    ['Red rolls 8 (3 + 5): Blue gains 1 BRICK, 2 WIFI.', 'Red builds a road on edge 9.']
    """
    lines = [
        *_settled(events),
        *_rolled(events),
        *_geese(events),
        *_traded(events),
        *_built(events),
        *_tiles(events),
    ]
    return [piece for line in lines for piece in fitted(line, width)]


def fitted(line: str, width: int) -> list[str]:
    """The line wrapped to `width` columns, with later lines indented; 0 for any width."""
    if not width or len(line) <= width:
        return [line]
    return wrap(line, width, subsequent_indent=INDENT, break_long_words=False)


def amounts(cost: Cost) -> str:
    """So many of each kind, in words: `1 BRICK, 2 WIFI`."""
    owned = [f"{amount} {Resource(kind).name}" for kind, amount in enumerate(cost) if amount]
    return ", ".join(owned)


def _of(kind: type[E], events: Iterable[Event]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def _settled(events: Sequence[Event]) -> list[str]:
    return [describe(event) for event in _of(BasementChosen, events)]


def _rolled(events: Sequence[Event]) -> list[str]:
    lines = []
    for event in _of(DiceRolled, events):
        line = describe(event).rstrip(".")
        gains = [
            f"{COLOURS[gain.seat]} gains {amounts(gain.amounts)}"
            for gain in _of(ResourcesGained, events)
        ]
        lines.append(f"{line}: {'; '.join(gains)}." if gains else f"{line}.")
    return lines


def _geese(events: Sequence[Event]) -> list[str]:
    losses = [
        f"{COLOURS[loss.seat]} loses {amounts(loss.amounts)}" for loss in _of(ResourcesLost, events)
    ]
    lines = [f"The geese come: {'; '.join(losses)}."] if losses else []
    for event in _of(GeesePlaced, events):
        line = describe(event).rstrip(".")
        for theft in _of(ResourceStolen, events):
            line += f" and steals {theft.kind.name} from {COLOURS[theft.victim]}"
        lines.append(f"{line}.")
    return lines


def _traded(events: Sequence[Event]) -> list[str]:
    answers = _of(TradeAnswered, events)
    deals = [
        f"{event.give.name} to {COLOURS[event.to]} for {event.take.name}"
        for event in answers
        if event.accepted
    ]
    lines = [f"{COLOURS[answers[0].seat]} trades {'; '.join(deals)}."] if deals else []
    declined = [event for event in answers if not event.accepted]
    if declined:
        who = listed(list(dict.fromkeys(COLOURS[event.to] for event in declined)), "and")
        verb = "declines" if " " not in who else "decline"
        lines.append(f"{who} {verb} {counted(len(declined), 'trade')}.")
    return lines


def _built(events: Sequence[Event]) -> list[str]:
    roads, homes = _of(RoadBuilt, events), _of(ResidenceBuilt, events)
    built = []
    if roads:
        numbers = listed([str(road.edge) for road in roads], "and")
        built.append(f"a road on edge {numbers}" if len(roads) == 1 else f"roads on {numbers}")
    built += [f"a {LEVEL_NAMES[home.level - 1]} on vertex {home.vertex}" for home in homes]
    if not built:
        return []
    seat = roads[0].seat if roads else homes[0].seat
    return [f"{COLOURS[seat]} builds {listed(built, 'and')}."]


def _tiles(events: Sequence[Event]) -> list[str]:
    """What the tiles have become that changed; each as it stands at the end."""
    last = {event.number: event for event in _of(TileChanged, events)}
    return [" ".join(describe(event) for event in last.values())] if last else []
