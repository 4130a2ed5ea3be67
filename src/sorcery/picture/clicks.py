"""The clickable parts of a table's picture: their names and commands."""

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

END: Final = "end"  # the button that ends the turn
DISCARD: Final = "discard"  # the button of testing mode


def part(kind: str, *numbers: int) -> str:
    """Return the name of a part from its kind and numbers.

    A `player`, `ritual`, `deck` or `graveyard` is numbered by seat, a `minion` by seat and place,
    and a card in the viewer's `hand` by place. An `ability` of the viewer's minion is numbered by
    the place of the minion and the number of the ability.
    """
    return "-".join([kind, *map(str, numbers)])


def path_of(action: Action, view: SorceryState) -> Sequence[str]:
    """Return the parts to click for an action, or none if it is available only in the list."""
    seat = view.turn
    parts: Sequence[str] = ()
    match action:
        case EndTurn():
            parts = (END,)
        case DrawCard():
            parts = (part("deck", seat),)
        case Discard(card):
            parts = (DISCARD, part("hand", card))
        case Play(card, player, target):
            parts = (part("hand", card), *_aim(player, target))
        case Attack(minion, None):
            parts = (part("minion", seat, minion), part("player", 1 - seat))
        case Attack(minion, int(target)):
            parts = (part("minion", seat, minion), part("minion", 1 - seat, target))
        case Use((minion, number), player, target) if number < MOST_ABILITIES:
            parts = (part("ability", minion, number), *_aim(player, target))
    return parts


def _aim(player: Seat | None, target: int | None) -> Sequence[str]:
    if player is None or target is None:
        return ()
    return (part("ritual", player) if target == RITUAL else part("minion", player, target),)


def touched(view: SorceryState, events: Sequence[Event]) -> Iterator[str]:
    """Yield the parts that events concern: attackers, targets, and cards that entered play.

    If minions have left the board since the event, the place of a minion whose name is ambiguous is
    unknown. Such a minion is omitted.
    """
    moved = any(isinstance(event, MinionLeft | MinionTaken) for event in events)

    def minion(seat: Seat | None, name: str, place: int | None) -> Iterator[str]:
        minions = () if seat is None else view.sides[seat].minions
        places = [at for at, other in enumerate(minions) if other.card == name]
        if len(places) > 1:
            places = [] if moved else [at for at in places if at == place]
        yield from (part("minion", seat or 0, at) for at in places)

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
    """Return the command for a click on a part, or an empty text if a click has no effect.

    A card that needs a target is aimed at the first possible one, so that the refusal explains the
    actual obstacle.
    """
    kind, *numbers = name.split("-")
    side = view.sides[seat]
    action: Action | None = None
    match kind, [int(number) for number in numbers if _PLACE.fullmatch(number)]:
        case "end", []:
            action = EndTurn()
        case "discard", []:
            action = Discard(0)
        case "hand", [place] if place < len(side.hand):
            card = cards.get(side.hand[place].card)
            action = Play(place, *_first_aim(view, card.target if card else Target.NOTHING))
        case "minion", [owner, place] if owner == seat and place < len(side.minions):
            action = Attack(place)
        case "ability", [place, index] if place < len(side.minions):
            for ability in abilities_of(side.minions[place], cards)[index : index + 1]:
                action = Use((place, index), *_first_aim(view, ability.target))
        case "deck", [owner] if owner == seat:
            action = DrawCard()
    return "" if action is None else str(action)


def _first_aim(view: SorceryState, wanted: Target) -> tuple[()] | tuple[Seat, int]:
    if wanted in (Target.MINION, Target.MINION_OR_RITUAL):
        for seat, side in enumerate(view.sides):
            if side.minions:
                return seat, 0
    if wanted in (Target.RITUAL, Target.MINION_OR_RITUAL):
        for seat, side in enumerate(view.sides):
            if side.ritual:
                return seat, RITUAL
    return ()
