"""Draw a match of Constructor as a picture, with the board in the middle.

Players click vertices, edges, tiles and buttons. For a trade they click a resource of their own and
then one of another builder. On a narrow screen the board is at the top and the hand at the bottom.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from typing_extensions import override

from constructor.picture.board_layer import board_layer, height_in
from constructor.picture.clicks import NEXT, attempt_of, label_of, path_of
from constructor.picture.context import PictureContext
from constructor.picture.panels import (
    CHIP,
    Size,
    button,
    costs,
    dice,
    dice_box,
    dice_buttons,
    how_to,
    numbers,
    offer_box,
    other_panel,
    own_hand,
    roll_in_words,
    turn_box,
    turn_frame,
    turn_of,
)
from constructor.rules.state import COLOURS, ConstructorState, Phase
from tabletop import Seat
from tabletop.display import Picture, Scene, group, measure, rect, seat_mark, text, turn_in_words

ROW: Final = 48
"""Height of a row of buttons on a phone."""


class ConstructorPicture(Picture[ConstructorState]):
    """The picture of a game of Constructor, for all boards."""

    @override
    def draw(self, view: ConstructorState, scene: Scene) -> str:
        size, pieces = (_narrow if scene.narrow else _wide)(PictureContext(view, scene))
        cloth = rect(0, 0, *size, "tt-cloth")
        return self.whole(scene, size, cloth, *pieces, label=f"Constructor: {turn_in_words(scene)}")

    @override
    def path(self, action: Any, view: ConstructorState, seat: Seat) -> Sequence[str]:
        return path_of(action)

    @override
    def label(self, action: Any, view: ConstructorState, names: Sequence[str], seat: Seat) -> str:
        return label_of(action, view, names)

    @override
    def attempt(self, part: str, view: ConstructorState, seat: Seat) -> str:
        return attempt_of(part, view, seat)


Drawn: TypeAlias = tuple[Size, list[str]]
"""The size of a picture and its pieces."""


def _wide(context: PictureContext) -> Drawn:
    """Draw the other builders on the left, decisions on the right and the hand at the bottom."""
    width, height, side = 1280, 860, 280
    right, viewer, middle = width - side - 16, context.viewer, width - 2 * side - 64
    offer = context.view.offer
    pieces = [
        other_panel(context, seat, (16, 16 + place * 172), (side, 160))
        for place, seat in enumerate(context.others)
    ]
    room = height - 16 - (0 if viewer is None else 128)
    pieces += [
        board_layer(context, side + 32, 8, middle, room),
        costs(context, (right, height - 16 - 260), (side, 260)),
    ]
    if context.scene.outcome is not None:
        pieces.append(turn_box(context, (right, 16), (side, 120)))
    else:
        pieces += [
            turn_box(context, (right, 16), (side, 84)),
            dice_box(context, (right, 112), (side, 168)),
            button(context, NEXT, (right, 292), (side, 56), "End the turn"),
            how_to(context, (right + 8, 364), (side - 16, 100))
            if offer is None
            else offer_box(context, offer, (right, 360), (side, 148)),
        ]
    if viewer is not None:
        pieces.append(own_hand(context, viewer, (side + 32, height - 136), (middle, 120)))
    return (width, height), pieces


def _narrow(context: PictureContext) -> Drawn:
    """Draw the board across the whole screen and everything else in rows below it."""
    width, viewer = 390, context.viewer
    inner = width - 12
    laid_in = height_in(context.view.board, width)
    y = 32.0
    pieces = [_turn_row(context, (6, 3), inner), board_layer(context, 0, y, width, laid_in)]
    y += laid_in + 8  # a touch of the lowest vertex must not hit the parts below
    for seat in context.others:
        pieces.append(other_panel(context, seat, (6, y), (inner, CHIP)))
        y += CHIP + 2
    if context.scene.outcome is None:
        high = 100 if context.view.phase is Phase.CHOOSING_ROLL else ROW
        pieces.append(_actions(context, (6, y), (inner, high)))
        y += high + 2
    if viewer is not None:
        pieces.append(own_hand(context, viewer, (6, y), (inner, 62)))
        y += 64
    return (width, y), pieces


def _turn_row(context: PictureContext, at: Size, width: float) -> str:
    """Draw the line that shows whose turn it is, the next decision and the roll."""
    seat, title = turn_of(context)
    room = min(measure(title, 15, bold=True), width * 0.42)
    left = 10 if seat is None else 34
    after, rolled = left + room + 8, roll_in_words(context)
    aside = measure(rolled, 12) + 8
    return group(
        turn_frame(context, (width, 28), 8),
        "" if seat is None else seat_mark(seat, 18, 14, 10, COLOURS[seat][0]),
        text(left, 19, title, 15, room, bold=True),
        text(after, 19, context.decision, 13, width - after - aside - 6, "tt-text-muted"),
        text(width - 8, 19, rolled, 12, aside, anchor="end"),
        at=at,
    )


def _actions(context: PictureContext, at: Size, size: Size) -> str:
    """Draw the buttons of a narrow picture in one row, or the totals of loaded dice in two."""
    view, (width, height) = context.view, size
    if view.phase is Phase.CHOOSING_ROLL:
        return numbers(context, at, size, 6)
    if view.offer is not None:
        return offer_box(context, view.offer, at, size)
    return group(
        dice(context, (22, height / 2), 36),
        dice_buttons(context, (86, 1), (width - 86 - 84, height - 2)),
        button(context, NEXT, (width - 82, 1), (80, height - 2), "End turn"),
        at=at,
    )
