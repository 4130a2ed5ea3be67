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

from constructor.picture.board_layer import board_layer
from constructor.picture.clicks import DICE, NEXT, attempt_of, label_of, path_of
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
    small_panel,
    turn_box,
)
from constructor.rules.events import BasementChosen, GeesePlaced, ResidenceBuilt, RoadBuilt
from constructor.rules.state import ConstructorState
from constructor.text.text_view import labels
from tabletop import Seat
from tabletop.display import Box, Column, Picture, Row, Scene, Stack, button, group, turn_in_words

SIDE: Final = 208  # width of the columns beside the board on a wide screen
BOARD: Final = 362  # minimum height of the board on a phone
ABOVE: Final = 9  # distance of the board from the top of a narrow picture
PAD: Final = 6  # margin of a narrow picture


class ConstructorPicture(Picture[ConstructorState]):
    """The picture of a game of Constructor, for all boards."""

    @override
    def draw(self, view: ConstructorState, scene: Scene) -> str:
        scene = replace(scene, names=labels(scene.names))
        context = PictureContext(view, scene)
        if scene.short:
            tree = (_small if scene.narrow else _landscape)(context)
        else:
            tree = (_narrow if scene.narrow else _wide)(context)
        label, pad = f"Constructor: {turn_in_words(scene)}", 8 if context.is_wide else (PAD, 2)
        return self.lay_out(scene, tree, label=label, wide=(909, 732), pad=pad)

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
    offer = context.view.offer
    decisions = [turn_box(context)]
    if context.scene.outcome is None:
        end = Stack(button(context.scene, NEXT, "End the turn"), height=56)
        below = [end, how_to(context)] if offer is None else [offer_box(context, offer)]
        decisions += [dice_box(context), *below]
    return Row(
        Stack(Column(*others, gap=12, anchor="start"), width=SIDE),
        Column(Box(partial(board_layer, context), weight=1), *own_hand(context), weight=1),
        Stack(Column(*decisions, Box(weight=1), costs(context), gap=12), width=SIDE),
        gap=10,
    )


def _narrow(context: PictureContext) -> Box:
    """Arrange the board across the whole screen and everything else in rows below it."""
    below = own_hand(context)
    if context.chooses_roll:  # as high as the hand and the usual row together
        below = [Stack(numbers(context, 6), height=98)]
    elif context.scene.outcome is None:
        below = [_actions(context), *below]
    return Column(
        # A touch of the lowest or highest vertex must not hit anything below or above.
        Box(height=ABOVE),
        Box(partial(_draw_whole_width, context), height=BOARD + PAD, weight=1),
        *(other_panel(context, seat) for seat in context.others),
        *below,
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
    if context.chooses_roll:
        return numbers(context, 6)
    if view.offer is not None:
        return offer_box(context, view.offer)
    end = Stack(button(context.scene, NEXT, "End turn"), width=80, height=46)
    if context.scene.short:
        rolling = Row(dice(context, 36), dice_buttons(context), gap=6)
        return Column(rolling, button(context.scene, NEXT, "End turn"), gap=3)
    return Row(dice(context, 36), dice_buttons(context), end, gap=6)


def _landscape(context: PictureContext) -> Box:
    """Arrange the board on the left and everything else on the right, for a phone in landscape."""
    actions = _actions(context) if context.scene.outcome is None else Box()
    others = (other_panel(context, seat) for seat in context.others)
    side = Column(*others, Box(weight=1), actions, *own_hand(context), gap=3)
    return Row(Box(partial(board_layer, context), weight=1), Stack(side, width=204), gap=PAD)


def _small(context: PictureContext) -> Box:
    """Arrange the board with the other builders in its corners, above the hand.

    There is no room for the cards of other builders, so trades are only in the list of actions.
    """
    view, scene = context.view, context.scene
    panels: list[Box] = [small_panel(context, seat) for seat in context.others]
    corners = [*panels, *[Box()] * (3 - len(panels)), Column(dice(context, 30))]
    top, bottom = (Row(corners[at], Box(weight=1), corners[at + 1]) for at in (0, 2))
    board = Box(partial(_draw_whole_width, context), weight=1)
    (below,) = own_hand(context) or [Row(dice(context, 30))]
    if context.chooses_roll:
        below = numbers(context, 6)
    elif scene.outcome is None and view.offer is not None:
        below = offer_box(context, view.offer)
    elif scene.outcome is None and context.viewer is not None:
        part, words = (DICE, "Roll") if scene.is_lit(DICE) else (NEXT, "End turn")
        below = Row(Stack(below, weight=1), button(scene, part, words, size=14), gap=2)
    return Column(
        Stack(board, Column(top, Box(weight=1), bottom), weight=1, height=0), below, gap=2
    )
