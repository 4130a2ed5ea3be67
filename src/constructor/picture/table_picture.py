"""Draw a match of Constructor as a picture, with the board in the middle.

Players click vertices, edges, tiles and buttons. For a trade they click a resource of their own and
then one of another builder. On a narrow screen the board is at the top and the hand at the bottom.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from typing_extensions import override

from constructor.picture.board_layer import board_layer, height_in
from constructor.picture.clicks import NEXT, attempt_of, label_of, path_of
from constructor.picture.context import PictureContext
from constructor.picture.panels import (
    costs,
    dice,
    dice_box,
    dice_buttons,
    how_to,
    numbers,
    offer_box,
    other_panel,
    own_hand,
    turn_box,
    turn_row,
)
from constructor.rules.events import BasementChosen, GeesePlaced, ResidenceBuilt, RoadBuilt
from constructor.rules.state import ConstructorState, Phase
from constructor.text.text_view import labels
from tabletop import Seat
from tabletop.display import Box, Column, Picture, Row, Scene, Stack, button, group, turn_in_words

SIDE: Final = 250
"""Width of the columns beside the board on a wide screen."""

PAD: Final = 6
"""Margin of a narrow picture."""


class ConstructorPicture(Picture[ConstructorState]):
    """The picture of a game of Constructor, for all boards."""

    @override
    def draw(self, view: ConstructorState, scene: Scene) -> str:
        scene = replace(scene, names=labels(scene.names))
        tree = (_narrow if scene.narrow else _wide)(PictureContext(view, scene))
        label, pad = f"Constructor: {turn_in_words(scene)}", (PAD, 2) if scene.narrow else (16, 16)
        return self.lay_out(scene, tree, label=label, wide=(1080, 730), pad=pad)

    @override
    def last(self, view: ConstructorState, scene: Scene) -> Collection[str]:
        parts = []
        for event in scene.recent:
            match event:
                case RoadBuilt(edge=edge):
                    parts.append(f"edge-{edge}")
                case ResidenceBuilt(vertex=vertex) | BasementChosen(vertex=vertex):
                    parts.append(f"vertex-{vertex}")
                case GeesePlaced(tile=tile):
                    parts.append(f"tile-{tile}")
        return parts

    @override
    def path(self, action: Any, view: ConstructorState, seat: Seat) -> Sequence[str]:
        return path_of(action)

    @override
    def label(self, action: Any, view: ConstructorState, names: Sequence[str], seat: Seat) -> str:
        return label_of(action, view, names)

    @override
    def attempt(self, part: str, view: ConstructorState, seat: Seat) -> str:
        return attempt_of(part, view, seat)


def _wide(context: PictureContext) -> Box:
    """Arrange other builders on the left, decisions on the right and the hand at the bottom."""
    others = (other_panel(context, seat) for seat in context.others)
    hand = [] if context.viewer is None else [own_hand(context, context.viewer)]
    offer = context.view.offer
    decisions = [turn_box(context)]
    if context.scene.outcome is None:
        decisions += [
            dice_box(context),
            Stack(button(context.scene, NEXT, "End the turn"), height=56),
            how_to(context) if offer is None else offer_box(context, offer),
        ]
    return Row(
        Stack(Column(*others, gap=12, anchor="start"), width=SIDE),
        Column(Box(partial(board_layer, context), weight=1), *hand, weight=1),
        Stack(Column(*decisions, Box(weight=1), costs(context), gap=12), width=SIDE),
        gap=16,
    )


def _narrow(context: PictureContext) -> Box:
    """Arrange the board across the whole screen and everything else in rows below it."""
    hand = [] if context.viewer is None else [own_hand(context, context.viewer)]
    actions = [_actions(context)] if context.scene.outcome is None else []
    high = height_in(context.view.board, 390)
    return Column(
        turn_row(context),
        # A touch of the lowest vertex must not hit the parts below.
        Box(partial(_draw_whole_width, context), height=high + PAD),
        *(other_panel(context, seat) for seat in context.others),
        *actions,
        *hand,
        gap=2,
    )


def _draw_whole_width(context: PictureContext, width: float, height: float) -> str:
    """Draw the board, extended over the left and right margins."""
    return group(board_layer(context, width + 2 * PAD, height - PAD), at=(-PAD, 0))


def _actions(context: PictureContext) -> Box:
    """Return one row with the dice and the buttons, for a narrow picture.

    While the player chooses the result of loaded dice, return two rows of buttons with the possible
    results. For a pending trade, return the offer.
    """
    view = context.view
    if view.phase is Phase.CHOOSING_ROLL:
        return numbers(context, 6)
    if view.offer is not None:
        return offer_box(context, view.offer)
    end = Stack(button(context.scene, NEXT, "End turn"), width=80, height=46)
    return Row(dice(context, 36), dice_buttons(context), end, gap=6)
