"""The picture of the table, with the layout of the text board (Sorcery 2024 §4, §5.2.4).

Each side has the ritual at the left, the player in the middle, the graveyard at the right, and the
minions in a row. The opponent is at the top, and the viewer at the bottom, with the hand. On a
narrow screen, minions are small cards.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final, NamedTuple

from typing_extensions import override

from sorcery.cards.editions import SPRING_2024, Edition
from sorcery.cards.state import PLACES, SorceryState
from sorcery.picture.board import (
    PictureContext,
    Row,
    draw_backs,
    draw_button,
    draw_centre,
    draw_deck,
    draw_graveyard,
    draw_hand,
    draw_minions,
    draw_names,
    draw_player,
    draw_ritual,
)
from sorcery.picture.cards import HEIGHT, SMALL_HEIGHT, WIDTH
from sorcery.picture.clicks import DISCARD, END, attempt_at, path_of, touched
from sorcery.picture.labels import label_of
from sorcery.rules.actions import Action
from sorcery.rules.game import edition_of
from tabletop import Game, Seat
from tabletop.display import Picture, Scene, rect

WIDE: Final = 1112
NARROW: Final = 390
MARGIN: Final = 8
BAR: Final = 48
CENTRE: Final = 26

_SIDES: Final = 16
"""Distance of rituals from the left edge, and of graveyards from the right edge."""

_HAND_SCALE: Final = 0.86
"""Scale of the cards in a hand on a narrow screen."""

_HAND_GAP: Final = 12

_WIDE_ROW: Final = Row(0, 14, small=False, ribbon=15.5, least=2, most=3)
_NARROW_ROW: Final = Row(0, 6, small=True, ribbon=13, least=0, most=2)
"""Rows of minions for both screens. Their left edge is set by the layout."""


class Layout(NamedTuple):
    """Widths of the table, and rows of minions, for a wide and a narrow screen."""

    wide: float
    narrow: float
    wide_row: Row
    narrow_row: Row
    centre: float
    """Left end of the line between the two sides on a wide screen."""


@cache
def layout_of(most_cards: int, most_minions: int) -> Layout:
    """Return the layout for a hand and board of these sizes, wider if there are more than five."""
    more = max(0, most_minions - PLACES)
    hand = _across(most_cards, WIDTH, _HAND_GAP) + 2 * MARGIN
    wide = max(WIDE + more * (_WIDE_ROW.width + _WIDE_ROW.gap), hand)
    narrow = NARROW + more * (_NARROW_ROW.width + _NARROW_ROW.gap)
    wide_row = _centre_row(_WIDE_ROW, wide, most_minions)
    return Layout(
        wide,
        narrow,
        wide_row,
        _centre_row(_NARROW_ROW, narrow, most_minions),
        min(wide_row.left, _centre_row(_WIDE_ROW, wide, PLACES).left),
    )


def _centre_row(row: Row, width: float, places: int) -> Row:
    """Return a row for `places` minions, centred on the table."""
    left = (width - _across(places, row.width, row.gap)) / 2
    return replace(row, left=left, places=places)


def _across(count: int, width: float, gap: float) -> float:
    """Return the width of `count` cards in a row."""
    return count * (width + gap) - gap


def sorcery_picture(game: Game[Any, Any]) -> SorceryPicture:
    """Return the picture for a game of any edition."""
    return SorceryPicture(edition_of(game))


class SorceryPicture(Picture[SorceryState]):
    """Draws the table for a viewer."""

    def __init__(self, edition: Edition = SPRING_2024) -> None:
        self._edition = edition

    @override
    def draw(self, view: SorceryState, scene: Scene) -> str:
        edition = self._edition
        ctx = PictureContext(view, scene, edition.cards)
        layout = layout_of(edition.most_cards, edition.most_minions)
        height, body = _narrow(ctx, layout) if scene.narrow else _wide(ctx, layout)
        width = layout.narrow if scene.narrow else layout.wide
        cloth = rect(0, 0, width, height, "tt-cloth")
        lives = (f"{scene.names[seat]} {side.life} life" for seat, side in enumerate(view.sides))
        label = f"Sorcery: {', '.join(lives)}"
        return self.whole(scene, (width, height), cloth, *body, label=label)

    @override
    def last(self, view: SorceryState, scene: Scene) -> Collection[str]:
        return [*touched(view, scene.recent)]

    @override
    def path(self, action: Action, view: SorceryState, seat: Seat) -> Sequence[str]:
        return path_of(action, view)

    @override
    def label(self, action: Action, view: SorceryState, names: Sequence[str], seat: Seat) -> str:
        return label_of(action, view, self._edition.cards)

    @override
    def attempt(self, part: str, view: SorceryState, seat: Seat) -> str:
        return attempt_at(part, view, seat, self._edition.cards)


# Wide.


def _wide(ctx: PictureContext, layout: Layout) -> tuple[float, list[str]]:
    above, below, row, wide = ctx.above, ctx.below, layout.wide_row, layout.wide
    upper = MARGIN + BAR + 10
    centre = upper + HEIGHT + _depth(ctx, above, row) + 8
    lower = centre + CENTRE + 7
    bar = lower + HEIGHT + _depth(ctx, below, row) + 14
    hand = bar + BAR + 9
    body = [
        *_wide_bar(ctx, above, MARGIN, wide),
        *_wide_row(ctx, above, upper, layout),
        draw_centre(ctx, layout.centre, centre, wide - 2 * layout.centre),
        *_wide_row(ctx, below, lower, layout),
        *_wide_bar(ctx, below, bar, wide),
    ]
    count = len(ctx.view.sides[below].hand)
    # An empty hand keeps its room during the game, so that the board does not move.
    if not ctx.sees_hand(below) or (ctx.view.over and not count):
        return bar + BAR + MARGIN, body
    left = (wide - _across(count, WIDTH, _HAND_GAP)) / 2
    places = [(left + place * (WIDTH + _HAND_GAP), hand) for place in range(count)]
    return hand + HEIGHT + MARGIN, [*body, draw_hand(ctx, places, 1)]


def _depth(ctx: PictureContext, seat: Seat, row: Row) -> float:
    """Return the height of the enchantments on a player's minions."""
    return row.depth(ctx.view.sides[seat].minions, ctx.cards)


def _wide_row(ctx: PictureContext, seat: Seat, y: float, layout: Layout) -> list[str]:
    """Draw the ritual, minions and graveyard of a player."""
    row = layout.wide_row
    return [
        draw_ritual(ctx, seat, _SIDES, y, is_small=False),
        draw_graveyard(ctx, seat, layout.wide - _SIDES - WIDTH, y, is_small=False),
        draw_minions(ctx, seat, row, y, _depth(ctx, seat, row)),
    ]


def _wide_bar(ctx: PictureContext, seat: Seat, y: float, wide: float) -> list[str]:
    """Draw a player in the middle, the hand at the left, and deck and buttons at the right."""
    parts = [
        draw_player(ctx, seat, (wide - 320) / 2, y, 320, BAR),
        draw_deck(ctx, seat, wide / 2 + 196, y + 5, 30),
    ]
    if seat != ctx.below and ctx.sees_hand(seat):
        parts.append(draw_names(ctx, seat, _SIDES, y, (wide - 320) / 2 - 42, BAR))
    elif not ctx.sees_hand(seat):
        parts.append(draw_backs(ctx, seat, _SIDES, y + 1, 33, 38))
    if seat == ctx.below and ctx.plays:
        end = wide - _SIDES - WIDTH
        parts.append(draw_button(ctx, END, "End turn", end, y + 1, WIDTH, 46))
        if ctx.view.testing:
            parts.append(draw_button(ctx, DISCARD, "Discard", _SIDES, y + 1, WIDTH, 46))
    return parts


# Narrow.


def _narrow(ctx: PictureContext, layout: Layout) -> tuple[float, list[str]]:
    above, below, row = ctx.above, ctx.below, layout.narrow_row
    narrow = layout.narrow
    depths = [_depth(ctx, seat, row) for seat in (above, below)]
    if ctx.scene.seat == below:
        depths[1] += row.chips(ctx.view.sides[below].minions, ctx.cards)
    minions = MARGIN + SMALL_HEIGHT + 12
    centre = minions + SMALL_HEIGHT + depths[0] + 7
    lower = centre + CENTRE + 7
    player = lower + SMALL_HEIGHT + depths[1] + 12
    hand = player + SMALL_HEIGHT + 8
    body = [
        *_narrow_bar(ctx, above, MARGIN, narrow),
        draw_minions(ctx, above, row, minions, depths[0]),
        draw_centre(ctx, 8, centre, narrow - 16),
        draw_minions(ctx, below, row, lower, depths[1]),
        *_narrow_bar(ctx, below, player, narrow),
    ]
    if not ctx.sees_hand(below):
        return hand, body
    places = _in_rows(len(ctx.view.sides[below].hand), hand, narrow)
    bottom = max((y for _, y in places), default=hand) + HEIGHT * _HAND_SCALE + MARGIN
    return bottom, [*body, draw_hand(ctx, places, _HAND_SCALE)]


def _in_rows(count: int, y: float, narrow: float) -> list[tuple[float, float]]:
    """Return the places of the cards in a hand, three per row."""
    width, height = WIDTH * _HAND_SCALE + 5, HEIGHT * _HAND_SCALE + 8
    places = []
    for first in range(0, count, 3):
        across = min(3, count - first)
        left = (narrow - across * width + 5) / 2
        places += [(left + place * width, y + first // 3 * height) for place in range(across)]
    return places


def _narrow_bar(ctx: PictureContext, seat: Seat, y: float, narrow: float) -> list[str]:
    """Draw ritual, player and graveyard, and below them the hand, deck or buttons."""
    left, width = 94, narrow - 2 * 94 + 8
    below = y + 56
    parts = [
        draw_ritual(ctx, seat, 8, y, is_small=True),
        draw_graveyard(ctx, seat, narrow - 8 - 70, y, is_small=True),
        draw_player(ctx, seat, left, y, width, 48),
    ]
    if seat == ctx.below and ctx.plays:
        parts.append(draw_deck(ctx, seat, left + 2, below, 29))
        end = 84
        if ctx.view.testing:
            end = 144
            parts.append(draw_button(ctx, DISCARD, "Discard", left + 78, below - 2, 62, 44))
        parts.append(draw_button(ctx, END, "End turn", left + end, below - 2, width - end, 44))
        return parts
    parts.append(draw_deck(ctx, seat, left + width - 70, below, 29))
    if not ctx.sees_hand(seat):
        parts.append(draw_backs(ctx, seat, left, below, 29, 16))
    elif seat != ctx.below:
        parts.append(draw_names(ctx, seat, left, below - 2, width - 78, 44))
    return parts
