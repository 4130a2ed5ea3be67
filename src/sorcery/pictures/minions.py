"""Minions on the board, with their enchantments and abilities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from sorcery.card import Card, plain
from sorcery.faces import face_of_minion
from sorcery.minion_stats import abilities_of, ability_cost, is_silenced
from sorcery.pictures.face import SMALL_HEIGHT, SMALL_WIDTH, full, small
from sorcery.pictures.icons import coin
from sorcery.pictures.lettering import HEIGHT, MOST_ABILITIES, WIDTH, Shown, blocks
from sorcery.pictures.parts import ability_part, minion_part
from sorcery.pictures.sight import Sight
from sorcery.pictures.wording import about_minion, name_of_minion, note_of, ribbons_of
from sorcery.state import PLACES, Minion
from tabletop import Seat
from tabletop.svg import group, polygon, rect, text

TURNED: Final = 3.5
"""By how many degrees a minion is turned that can do nothing now."""

CHIP: Final = 32
REACH: Final = 44
"""How high the button for an ability is on a narrow screen, and how high what one can hit of it."""


@dataclass(frozen=True, slots=True)
class Row:
    """How a row of minions is laid out.

    Attributes:
        left: where the first one begins.
        gap: between two.
        small: whether cards are small.
        ribbon: how high an enchantment is.
        least, most: for how many enchantments there is room.
        places: for how many minions there is room.
    """

    left: float
    gap: float
    small: bool
    ribbon: float
    least: int
    most: int
    places: int = PLACES

    @property
    def width(self) -> int:
        """Of a card."""
        return SMALL_WIDTH if self.small else WIDTH

    @property
    def height(self) -> int:
        """Of a card."""
        return SMALL_HEIGHT if self.small else HEIGHT

    def x(self, place: int) -> float:
        """Where a card begins."""
        return self.left + place * (self.width + self.gap)

    def depth(self, minions: Iterable[Minion], cards: Mapping[str, Card]) -> float:
        """How much room enchantments take below the cards."""
        found = (len(ribbons_of(minion, cards, brief=True)) for minion in minions)
        shown = min(self.most, max(self.least, *found, 0))
        return shown * self.ribbon + 4 if shown else 0

    def chips(self, minions: Iterable[Minion], cards: Mapping[str, Card]) -> float:
        """How much room the buttons of abilities take below the cards."""
        if self.small and any(abilities_of(minion, cards) for minion in minions):
            return CHIP + 3
        return 0


def draw_minions(sight: Sight, seat: Seat, row: Row, y: float, depth: float) -> str:
    """The minions of a seat in a row on a mat, and where others have room.

    Args:
        sight: what is drawn.
        seat: whose.
        row: how they are laid out.
        y: the upper side of the cards.
        depth: how far the mat goes below them.
    """
    side = sight.view.sides[seat]
    slots = (
        rect(
            row.x(place),
            y,
            row.width,
            row.height,
            "tt-none tt-stroke-line",
            row.width / 14,
            stroke_width=1.5,
            stroke_dasharray="5 5",
            opacity=0.45,
        )
        for place in range(len(side.minions), row.places)
    )
    mat = rect(
        row.left - row.gap / 2,
        y - 7,
        row.places * (row.width + row.gap),
        row.height + 14 + depth,
        "tt-cloth-deep",
        row.width / 9,
    )
    return "".join(
        (
            mat,
            *slots,
            *(
                _minion(sight, seat, row, place, y) + _abilities(sight, seat, row, place, y)
                for place in range(len(side.minions))
            ),
        )
    )


def _minion(sight: Sight, seat: Seat, row: Row, place: int, y: float) -> str:
    minion = sight.view.sides[seat].minions[place]
    active = sight.is_active(seat)
    shown = _shown(minion, sight, active=active, brief=row.small)
    half, tall = row.width / 2, row.height / 2
    draw = small if row.small else full
    chips = row.chips([minion], sight.cards) if sight.scene.seat == seat else 0
    return sight.scene.part(
        minion_part(seat, place),
        group(
            _ribbons(minion, sight.cards, row, chips),
            draw(shown),
            at=(-half, -tall),
        ),
        rect(-half - 1.5, -tall - 1.5, row.width + 3, row.height + 3, "tt-ring", row.width / 13),
        label=name_of_minion(minion, sight.cards, active=active),
        key=sight.keys[seat, "minion", place],
        about=about_minion(minion, sight.cards),
        at=(row.x(place) + half, y + tall),
        turn=TURNED if shown.dim else 0,
    )


def _shown(minion: Minion, sight: Sight, *, active: bool, brief: bool) -> Shown:
    cards = sight.cards
    card = cards[minion.card]
    abilities = abilities_of(minion, cards)
    return Shown(
        face_of_minion(minion, cards),
        attack=minion.attack - card.attack,
        defence=minion.defence - card.defence,
        dearer=any(ability_cost(one, minion, cards) > one.cost for one in abilities),
        gained_ability=abilities is not card.abilities,
        own_triggers=len(card.triggers),
        silenced=is_silenced(minion, cards),
        note=note_of(minion, cards, active=active, brief=brief),
        dim=active and not minion.actions,
    )


# Enchantments.


def _ribbons(minion: Minion, cards: Mapping[str, Card], row: Row, lower: float) -> str:
    """The enchantments below a card, the newest on top."""
    found = ribbons_of(minion, cards, brief=row.small)
    if len(found) > row.most:
        hidden = len(found) - row.most + 1
        silences = any(silence for _, silence in found[row.most - 1 :])
        found = [*found[: row.most - 1], (f"and {hidden} more", silences)]
    top = row.height + 4 + lower
    return "".join(
        _ribbon(words, row, top + number * row.ribbon, silences=silences)
        for number, (words, silences) in enumerate(found)
    )


def _ribbon(words: str, row: Row, y: float, *, silences: bool) -> str:
    width, height = row.width, row.ribbon - 1.5
    notch = height / 3
    shape = [
        (0.0, y),
        (width, y),
        (width - notch, y + height / 2),
        (width, y + height),
        (0.0, y + height),
        (notch, y + height / 2),
    ]
    size = 8.5 if row.small else 11
    return polygon(shape, fill="#8c2230" if silences else "#5b3a8c") + text(
        width / 2,
        y + height / 2 + size * 0.35,
        words,
        size,
        width - 2 * notch - 4,
        "tt-text-on-blue",
        anchor="middle",
        bold=True,
        floor=0.8,
    )


# Abilities that can be clicked.


def _abilities(sight: Sight, seat: Seat, row: Row, place: int, y: float) -> str:
    """The abilities of one's own minion, each a part of its own."""
    if sight.scene.seat != seat:
        return ""
    minion = sight.view.sides[seat].minions[place]
    count = min(MOST_ABILITIES, len(abilities_of(minion, sight.cards)))
    return "".join(_ability(sight, seat, row, place, which, y) for which in range(count))


def _ability(sight: Sight, seat: Seat, row: Row, place: int, which: int, y: float) -> str:
    minion = sight.view.sides[seat].minions[place]
    active = sight.is_active(seat)
    shown = _shown(minion, sight, active=active, brief=row.small)
    cost, words = shown.face.abilities[which]
    body = _chip(row, shown, which) if row.small else _box(row, shown, which)
    return sight.scene.part(
        ability_part(place, which),
        body,
        label=f"Ability of {minion.card}, {cost} magic: {plain(words)}",
        at=(row.x(place) + row.width / 2, y + row.height / 2),
        turn=TURNED if shown.dim and not row.small else 0,
    )


def _box(row: Row, shown: Shown, which: int) -> str:
    """What can be hit of an ability on its card."""
    block = blocks(shown)[which]
    at = (-row.width / 2 + 4, block.top - row.height / 2 - 2.5)
    size = (row.width - 8, max(20.0, block.height + 5))
    return rect(*at, *size, "tt-hit") + rect(*at, *size, "tt-ring", 5)


def _chip(row: Row, shown: Shown, which: int) -> str:
    """A button for an ability below a small card; two share the room."""
    count = min(MOST_ABILITIES, len(shown.face.abilities))
    width = row.width / count
    left, top = -row.width / 2 + which * width, row.height / 2 + 5
    words = "" if count > 1 else "Use"
    return "".join(
        (
            rect(left, top + CHIP - REACH, width, REACH, "tt-hit"),
            rect(left + 1, top, width - 2, CHIP, "tt-card", 7),
            coin(left + width / 2 - (13 if words else 0), top + CHIP / 2, 10, _cost(shown, which)),
            text(left + width / 2 + 1, top + CHIP / 2 + 5, words, 13, 30, bold=True),
            rect(left + 1, top, width - 2, CHIP, "tt-ring", 7),
        )
    )


def _cost(shown: Shown, which: int) -> str:
    return str(shown.face.abilities[which][0])
