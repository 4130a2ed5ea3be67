"""Cards, boards, hands and inspected minions as text (Sorcery 2024 §4).

A card is 33 x 11 cells and the board 167 x 56. Boards for more than five minions are wider. The
characters are those of a style in `sorcery.text.frames`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from sorcery.cards.card import Card
from sorcery.cards.state import PLACES, Minion, Ritual, Side, SorceryState
from sorcery.rules.minion_stats import is_silenced
from sorcery.text.card_faces import (
    COST_CELLS,
    NAME_CELLS,
    NUMBER_CELLS,
    WIDE_CELLS,
    Face,
    all_in_full,
    face_of,
    face_of_held,
    face_of_minion,
    face_of_ritual,
)
from sorcery.text.frames import Line, Rows, Style, clip, figure, left, right
from sorcery.text.terminal_colours import PLAYERS, Tone, paint, strip_paint
from tabletop import Seat
from tabletop.wording import width_of

CARD_WIDTH: Final = 33
CARD_HEIGHT: Final = 11
BOARD_WIDTH: Final = PLACES * CARD_WIDTH + 2
"""Width of the board in the document."""

INNER: Final = CARD_WIDTH - 2
BOX: Final = 5  # inner width of a small box on a card
NO_BOX: Final = " " * (BOX + 1)
BETWEEN: Final = " " * (INNER - 2 * len(NO_BOX))
TEXT_CELLS: Final = INNER - BOX - 2  # width of a text beside a cost box, with its margin
LONGEST_NAME: Final = 13  # cells for a player's name
EMPTY_HAND: Final = "Your hand is empty."


def draw_card(face: Face | None, style: Style) -> Rows:
    """Draw a card as `CARD_HEIGHT` rows of `CARD_WIDTH` cells, or its back if `face` is None."""
    if face is None:
        return _frame(style, [style.back * INNER] * (CARD_HEIGHT - 2))
    side, bar = style.side, style.bar
    cost = right(figure(str(face.cost), COST_CELLS), COST_CELLS)
    name = left(face.name, NAME_CELLS)
    boxed = face.box is not None
    low = face.low_left is not None, face.low_right is not None
    return [
        _rule(style.top, right=True),
        f"{side} {name} {bar} {cost} {side}",
        _rule(style.above, right=True),
        f"{side} {right(face.kind, WIDE_CELLS)} {side}",
        _rule(style.below, left=boxed),
        *_text(face, style),
        *_numbers(face, style),
        _rule(style.bottom, left=low[0], right=low[1]),
    ]


def _rule(line: Line, *, left: bool = False, right: bool = False) -> str:
    """Draw a line across a card, with joints for boxes at the left and the right."""
    cells = [line.cell] * INNER
    if left:
        cells[BOX] = line.joint
    if right:
        cells[-BOX - 1] = line.joint
    return line.first + "".join(cells) + line.last


def _frame(style: Style, inside: Iterable[str]) -> Rows:
    rows = [f"{style.side}{row}{style.side}" for row in inside]
    return [_rule(style.top), *rows, _rule(style.bottom)]


def _text(face: Face, style: Style) -> Rows:
    """Draw the rows with the text of a card, beside the cost box if there is one."""
    lines = face.lines(breaks_words=style.breaks_words)
    lines = [*lines, *[""] * (face.room - len(lines))]
    side = style.side
    if face.box is None:
        return [f"{side} {left(line, WIDE_CELLS + 1)}{side}" for line in lines]
    cost = left(figure(str(face.box), COST_CELLS), COST_CELLS)
    starts = [f"{side} {cost} {style.bar}", _end(style, style.under, left=True)]
    starts += [side + NO_BOX] * (face.room - 2)
    return [
        f"{start} {left(line, TEXT_CELLS)}{side}" for start, line in zip(starts, lines, strict=True)
    ]


def _numbers(face: Face, style: Style) -> Rows:
    """Draw the rows with the boxes at the bottom of a card, if there are any."""
    first, last = face.low_left, face.low_right
    if first is None and last is None:
        return []
    ends = [style.side + NO_BOX, NO_BOX + style.side]
    numbers = ends.copy()
    if first is not None:
        ends[0] = _end(style, style.over, left=True)
        numbers[0] = f"{style.side} {left(figure(first), NUMBER_CELLS)}{style.bar}"
    if last is not None:
        ends[1] = _end(style, style.over, left=False)
        numbers[1] = f"{style.bar}{right(figure(last), NUMBER_CELLS)} {style.side}"
    return [BETWEEN.join(ends), BETWEEN.join(numbers)]


def _end(style: Style, corners: tuple[str, str], *, left: bool) -> str:
    """Return one end of the line above or below a small box."""
    line = style.above
    first, last = corners
    return line.first + line.cell * BOX + first if left else last + line.cell * BOX + line.last


def draw_player(name: str, side: Side, style: Style, *, top: bool) -> Rows:
    """Draw the box of a player: life at the left, magic at the right, and the name.

    Names that are too long are cut. The box at the bottom of the board is a mirror image.
    """
    name = clip(name, LONGEST_NAME)
    # Short names are centred. Longer names begin where the longest possible name would begin.
    before = max(9, 14 - width_of(name) // 2) + (not top)
    named = f"{style.side}{left(' ' * before + name, INNER)}{style.side}"
    blank = style.side + " " * INNER + style.side
    life, magic = figure(str(side.life)), figure(str(side.magic))
    numbers = (
        f"{style.side}{right(life, NUMBER_CELLS)} {style.bar}{BETWEEN}"
        f"{style.bar} {left(magic, NUMBER_CELLS)}{style.side}"
    )
    outer, inner = (style.top, style.bottom) if top else (style.bottom, style.top)
    corners = style.over if top else style.under
    rows = [
        _rule(outer),
        *[blank] * 2,
        named,
        *[blank] * 4,
        BETWEEN.join(_end(style, corners, left=at_left) for at_left in (True, False)),
        numbers,
        _rule(inner, left=True, right=True),
    ]
    return rows if top else rows[::-1]


def beside(pictures: Iterable[Rows]) -> Rows:
    """Return pictures of the same height side by side."""
    return ["".join(rows) for rows in zip(*pictures, strict=True)]


def board_width(most_minions: int) -> int:
    """Return the width in cells of a board for `most_minions`, at least the document's width."""
    return max(BOARD_WIDTH, most_minions * CARD_WIDTH + 2)


class TextBoard(NamedTuple):
    """Draws hands, cards, and boards of `columns` minions in one style."""

    cards: Mapping[str, Card]
    style: Style
    columns: int = PLACES
    coloured: bool = False

    def board(self, state: SorceryState, names: Sequence[str]) -> str:
        """Draw the board, player 1 on top, with rituals, names, graveyards and minions (§4.1)."""
        style = self.style
        top, bottom = (
            (self._others(side, names[seat], seat), self._minions(state, seat))
            for seat, side in enumerate(state.sides)
        )
        indent = style.indent + (self._width - BOARD_WIDTH) // 2
        title = [" " * indent + line for line in style.logo]
        return "\n".join(
            [
                self._line(style.first),
                *self._inside(top[0] + top[1]),
                self._line(style.middle),
                *self._inside(title),
                self._line(style.middle),
                *self._inside(bottom[1] + bottom[0]),
                self._line(style.last),
            ]
        )

    def _inside(self, rows: Rows) -> Rows:
        """Add the edges of the board to rows."""
        edge, width = self.style.edge, self._width - 2
        free = [" " * (width - width_of(strip_paint(row))) for row in rows]
        return [f"{edge}{row}{blank}{edge}" for row, blank in zip(rows, free, strict=True)]

    def _line(self, line: Line) -> str:
        """Draw a line across the board."""
        return line.first + line.cell * (self._width - 2) + line.last

    @property
    def _width(self) -> int:
        return board_width(self.columns)

    def _paint_rows(self, rows: Rows, tone: Tone | None) -> Rows:
        return [paint(row, tone) for row in rows] if self.coloured else rows

    def _minions(self, state: SorceryState, seat: Seat) -> Rows:
        slots = []
        for minion in state.sides[seat].minions:
            tone = Tone.REFUSED if is_silenced(minion, self.cards) else None
            if seat == state.turn and not state.over and minion.actions > 0:
                tone = Tone.READY
            card = draw_card(face_of_minion(minion, self.cards), self.style)
            slots.append(self._paint_rows(card, tone))
        return beside([*slots, *[self._empty()] * (self.columns - len(slots))])

    def _others(self, side: Side, name: str, seat: Seat) -> Rows:
        """Draw the row with a player's ritual, the player, and the top of the graveyard."""
        ritual = dead = self._empty()
        if side.ritual is not None:
            face = face_of_ritual(side.ritual, self.cards)
            ritual = self._paint_rows(draw_card(face, self.style), Tone.RITUAL)
        if side.graveyard:
            top = face_of_held(side.graveyard[-1], self.cards)
            dead = self._paint_rows(draw_card(top, self.style), Tone.FAINT)
        free = self._width - 2 - 3 * CARD_WIDTH
        before, behind = ([" " * gap] * CARD_HEIGHT for gap in (free // 2, free - free // 2))
        player = draw_player(name, side, self.style, top=not seat)
        return beside([ritual, before, self._paint_rows(player, PLAYERS[seat]), behind, dead])

    def _empty(self) -> Rows:
        """Draw an empty slot."""
        return _frame(self.style, [" " * INNER] * (CARD_HEIGHT - 2))

    def hand(self, side: Side) -> str:
        """Draw a hand as cards in a row (§4.2), followed by texts that do not fit on them."""
        faces = [face_of_held(card, self.cards) for card in side.hand]
        if not faces:
            return EMPTY_HAND
        slots = []
        for face in faces:
            tone = Tone.READY if face and face.cost <= side.magic else Tone.FAINT
            slots.append(self._paint_rows(draw_card(face, self.style), tone))
        return "\n".join(beside(slots) + all_in_full(faces))

    def ritual(self, ritual: Ritual) -> str:
        """Draw a ritual, followed by its text if that does not fit on the card."""
        face = face_of_ritual(ritual, self.cards)
        return "\n".join(draw_card(face, self.style) + all_in_full([face]))

    def inspection(self, minion: Minion) -> str:
        """Draw a minion and its enchantments, oldest first, five in a row (§4.3).

        Texts that do not fit on the cards follow below.
        """
        faces = [face_of(self.cards[name]) for name in minion.enchantments]
        face = face_of_minion(minion, self.cards)
        rows = draw_card(face, self.style)
        for place in range(0, len(faces), PLACES):
            row = faces[place : place + PLACES]
            rows += beside(draw_card(enchantment, self.style) for enchantment in row)
        return "\n".join(rows + all_in_full([face, *faces]))
