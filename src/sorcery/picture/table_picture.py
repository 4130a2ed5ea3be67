"""The picture of the table, with the layout of the text board (Sorcery 2024 §4, §5.2.4).

Each side has the ritual at the left, the player in the middle, the graveyard at the right, and the
minions in a row. The opponent is at the top, and the viewer at the bottom, with the hand. On a
narrow screen, minions are small cards.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from typing_extensions import override

from sorcery.cards.editions import SPRING_2024, Edition
from sorcery.cards.state import SorceryState
from sorcery.picture.board import (
    GAP,
    SIDE,
    SIDE_IN_LANDSCAPE,
    PictureContext,
    draw_buttons,
    draw_centre,
    draw_deck,
    draw_graveyard,
    draw_hand,
    draw_hand_of_opponent,
    draw_minions,
    draw_player,
    draw_ritual,
)
from sorcery.picture.clicks import attempt_at, path_of, touched
from sorcery.picture.labels import label_of
from sorcery.rules.actions import Action
from sorcery.rules.game import edition_of
from tabletop import Game, Seat
from tabletop.display import Box, Column, Picture, Row, Scene, Stack


def sorcery_picture(game: Game[Any, Any]) -> SorceryPicture:
    """Return the picture for a game of any edition."""
    return SorceryPicture(edition_of(game))


class SorceryPicture(Picture[SorceryState]):
    """Draws the table for a viewer."""

    def __init__(self, edition: Edition = SPRING_2024) -> None:
        self._edition = edition

    @override
    def draw(self, view: SorceryState, scene: Scene) -> str:
        ctx = PictureContext(view, scene, self._edition)
        table = Column(
            *_side(ctx, ctx.above),
            *[] if scene.short else [draw_centre(ctx)],
            *reversed(_side(ctx, ctx.below)),
            draw_hand(ctx),
            gap=4 if scene.short else 5,
        )
        lives = (f"{scene.names[seat]} {side.life} life" for seat, side in enumerate(view.sides))
        label = f"Sorcery: {', '.join(lives)}"
        return self.lay_out(scene, table, label=label, pad=ctx.pad)

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


def _side(ctx: PictureContext, seat: Seat) -> list[Box]:
    """Return the rows of a side, the row at the edge of the table first."""
    ritual, graveyard = draw_ritual(ctx, seat), draw_graveyard(ctx, seat)
    player, minions = draw_player(ctx, seat), draw_minions(ctx, seat)
    hand, deck, buttons = draw_hand_of_opponent(ctx, seat), draw_deck(ctx, seat), list[Box]()
    if seat == ctx.below and ctx.plays:
        buttons = draw_buttons(ctx)
    if ctx.scene.narrow and ctx.scene.short:
        line = [deck, *buttons] if buttons else [hand, deck]
        return [Row(ritual, Stack(player, width=92), *line, graveyard, gap=3), minions]
    if ctx.scene.narrow:
        rest = Row(deck, *buttons, gap=8) if buttons else Row(hand, deck, gap=8)
        return [Row(ritual, Column(player, rest, gap=6, weight=1), graveyard, gap=15), minions]
    below = [deck, Row(*buttons, gap=8)] if buttons else [hand, deck]
    if ctx.scene.short:
        below = [Row(*[deck, *buttons] if buttons else [hand, deck], gap=4)]
    width, gap = (SIDE_IN_LANDSCAPE, 4) if ctx.scene.short else (SIDE, GAP)
    column = Stack(Column(player, *below, gap=gap, anchor="start"), width=width)
    return [Row(column, ritual, minions, graveyard, gap=gap)]
