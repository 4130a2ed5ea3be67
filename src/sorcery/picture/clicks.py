"""The parts of the table that can be clicked: their names, kinds and commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from sorcery.cards.card import Card, Target
from sorcery.cards.state import SorceryState
from sorcery.picture.cards import MOST_ABILITIES
from sorcery.rules.actions import RITUAL, Action, Attack, Discard, DrawCard, EndTurn, Play, Use
from sorcery.rules.events import (
    AbilityUsed,
    AttackDeclared,
    CardPlayed,
    MinionEntered,
    MinionLeft,
    MinionTaken,
    RitualStarted,
)
from sorcery.rules.minion_stats import abilities_of
from tabletop import Event, Seat

_PLACE: Final = re.compile("[0-9]{1,2}")

END: Final = "end"
DISCARD: Final = "discard"
"""The two buttons."""


def part(kind: str, *numbers: int) -> str:
    """Name a part: a `player`, `ritual`, `deck` or `graveyard` by its seat, a `minion` by its
    seat and place, a card in one's `hand` by its place, and an `ability` of one's own minion by
    the place of the minion, and which it is.
    """
    return "-".join([kind, *map(str, numbers)])


def path_of(action: Action, view: SorceryState) -> Sequence[str]:
    """Return the parts to click for an action; none for actions of the list alone."""
    seat = view.turn
    found: Sequence[str] = ()
    match action:
        case EndTurn():
            found = (END,)
        case DrawCard():
            found = (part("deck", seat),)
        case Discard(card):
            found = (DISCARD, part("hand", card))
        case Play(card, player, target):
            found = (part("hand", card), *_aim(player, target))
        case Attack(minion, None):
            found = (part("minion", seat, minion), part("player", 1 - seat))
        case Attack(minion, int(target)):
            found = (part("minion", seat, minion), part("minion", 1 - seat, target))
        case Use((minion, which), player, target) if which < MOST_ABILITIES:
            found = (part("ability", minion, which), *_aim(player, target))
    return found


def _aim(player: Seat | None, target: int | None) -> Sequence[str]:
    if player is None or target is None:
        return ()
    return (part("ritual", player) if target == RITUAL else part("minion", player, target),)


def touched(view: SorceryState, events: Sequence[Event]) -> Iterator[str]:
    """Yield the parts that events are about: attackers, what enters, what is aimed at.

    Of minions of one name that have moved up since it is not known which one it was.
    """
    moved = any(isinstance(event, MinionLeft | MinionTaken) for event in events)

    def minion(seat: Seat | None, name: str, place: int | None) -> Iterator[str]:
        minions = () if seat is None else view.sides[seat].minions
        standing = [at for at, it in enumerate(minions) if it.card == name]
        if len(standing) > 1:
            standing = [] if moved else [at for at in standing if at == place]
        yield from (part("minion", seat or 0, at) for at in standing)

    for event in events:
        match event:
            case AttackDeclared(seat, name, target, place, target_place):
                yield from minion(seat, name, place)
                yield from minion(1 - seat, target, target_place)
                if not target:
                    yield part("player", 1 - seat)
            case AbilityUsed(seat, name, _, place, target, target_seat, target_place):
                yield from minion(seat, name, place)
                yield from minion(target_seat, target, target_place)
            case CardPlayed(_, _, target, target_seat, target_place):
                yield from minion(target_seat, target, target_place)
            case MinionEntered(seat, name, _, place):
                yield from minion(seat, name, place)
            case RitualStarted(seat):
                yield part("ritual", seat)


def attempt_at(name: str, view: SorceryState, seat: Seat, cards: Mapping[str, Card]) -> str:
    """Return the command that a click on a part stands for; empty when nothing can be done.

    A card that needs a target is aimed at the first there is, so that the rules say what is in
    the way.
    """
    kind, *numbers = name.split("-")
    side = view.sides[seat]
    found: Action | None = None
    match kind, [int(number) for number in numbers if _PLACE.fullmatch(number)]:
        case "end", []:
            found = EndTurn()
        case "discard", []:
            found = Discard(0)
        case "hand", [place] if place < len(side.hand):
            card = cards.get(side.hand[place].card)
            found = Play(place, *_first_aim(view, card.target if card else Target.NOTHING))
        case "minion", [owner, place] if owner == seat and place < len(side.minions):
            found = Attack(place)
        case "ability", [place, which] if place < len(side.minions):
            for ability in abilities_of(side.minions[place], cards)[which : which + 1]:
                found = Use((place, which), *_first_aim(view, ability.target))
        case "deck", [owner] if owner == seat:
            found = DrawCard()
    return "" if found is None else str(found)


def _first_aim(view: SorceryState, wanted: Target) -> tuple[()] | tuple[Seat, int]:
    """Return the first thing that a card could be aimed at."""
    if wanted in (Target.MINION, Target.MINION_OR_RITUAL):
        for seat, side in enumerate(view.sides):
            if side.minions:
                return seat, 0
    if wanted in (Target.RITUAL, Target.MINION_OR_RITUAL):
        for seat, side in enumerate(view.sides):
            if side.ritual:
                return seat, RITUAL
    return ()
