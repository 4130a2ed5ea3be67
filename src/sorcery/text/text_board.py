"""Cards, boards, hands and inspected minions as text (Sorcery 2024 §4).

A card is 33 x 11 cells and the board 167 x 56. Boards for more than five minions are wider. The
pictures are drawn in box characters, which the simple style in `sorcery.text.frames` replaces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from sorcery.cards.editions import Edition
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
from sorcery.text.frames import Rows, Style, clip, figure, left, right
from sorcery.text.terminal_colours import PLAYERS, Tone, paint, strip_paint
from tabletop import Seat
from tabletop.wording import width_of

CARD_WIDTH: Final = 33
CARD_HEIGHT: Final = 11
BOARD_WIDTH: Final = PLACES * CARD_WIDTH + 2  # width of the board in the document

INNER: Final = CARD_WIDTH - 2
BOX: Final = 5  # inner width of a small box on a card
LINE: Final = "─" * BOX
NO_BOX: Final = " " * (BOX + 1)
BETWEEN: Final = " " * (INNER - 2 * len(NO_BOX))
TEXT_CELLS: Final = INNER - BOX - 2  # width of a text beside a cost box, with its margin
LONGEST_NAME: Final = 13  # cells for a player's name
BACK: Final = "░"
EMPTY_HAND: Final = "Your hand is empty."


def draw_card(face: Face | None, *, breaks_words: bool = False) -> Rows:
    """Draw a card as `CARD_HEIGHT` rows of `CARD_WIDTH` cells, or its back if `face` is None."""
    if face is None:
        return _frame(BACK)
    cost = right(figure(str(face.cost), COST_CELLS), COST_CELLS)
    return [
        _rule("┏━┯┓", right=True),
        f"┃ {left(face.name, NAME_CELLS)} │ {cost} ┃",
        _rule("┠─┴┨", right=True),
        f"┃ {right(face.kind, WIDE_CELLS)} ┃",
        _rule("┠─┬┨", left=face.box is not None),
        *_text(face, face.lines(breaks_words=breaks_words)),
        *_numbers(face),
        _rule("┗━┷┛", left=face.low_left is not None, right=face.low_right is not None),
    ]


def _rule(marks: str, *, left: bool = False, right: bool = False) -> str:
    """Draw a line across a card, with joints for boxes at the left and the right.

    `marks` are the first character, the line, the joint and the last character.
    """
    cells = [marks[1]] * INNER
    if left:
        cells[BOX] = marks[2]
    if right:
        cells[-BOX - 1] = marks[2]
    return marks[0] + "".join(cells) + marks[3]


def _frame(inside: str) -> Rows:
    """Draw a card with the character `inside` in every cell."""
    return [_rule("┏━┯┓"), *[f"┃{inside * INNER}┃"] * (CARD_HEIGHT - 2), _rule("┗━┷┛")]


def _text(face: Face, lines: Rows) -> Rows:
    """Draw the rows with the text of a card, beside the cost box if there is one."""
    lines = [*lines, *[""] * (face.room - len(lines))]
    if face.box is None:
        return [f"┃ {left(line, WIDE_CELLS + 1)}┃" for line in lines]
    cost = left(figure(str(face.box), COST_CELLS), COST_CELLS)
    starts = [f"┃ {cost} │", f"┠{LINE}┘", *[f"┃{NO_BOX}"] * (face.room - 2)]
    return [f"{start} {left(line, TEXT_CELLS)}┃" for start, line in zip(starts, lines, strict=True)]


def _numbers(face: Face) -> Rows:
    first, last = face.low_left, face.low_right
    if first is None and last is None:
        return []
    ends = [f"┃{NO_BOX}", f"{NO_BOX}┃"]
    numbers = ends.copy()
    if first is not None:
        ends[0] = f"┠{LINE}┐"
        numbers[0] = f"┃ {left(figure(first), NUMBER_CELLS)}│"
    if last is not None:
        ends[1] = f"┌{LINE}┨"
        numbers[1] = f"│{right(figure(last), NUMBER_CELLS)} ┃"
    return [BETWEEN.join(ends), BETWEEN.join(numbers)]


def draw_player(name: str, side: Side, *, top: bool) -> Rows:
    """Draw the box of a player: life at the left, magic at the right, and the name.

    Names that are too long are cut. The box at the bottom of the board is a mirror image.
    """
    name = clip(name, LONGEST_NAME)
    # Short names are centred. Longer names begin where the longest possible name would begin.
    before = max(9, 14 - width_of(name) // 2) + (not top)
    life = right(figure(str(side.life)), NUMBER_CELLS)
    magic = left(figure(str(side.magic)), NUMBER_CELLS)
    named = f"┃{left(' ' * before + name, INNER)}┃"
    numbers = f"┃{life} │{BETWEEN}│ {magic}┃"
    blank = f"┃{' ' * INNER}┃"
    if top:
        boxes = [f"┠{LINE}┐{BETWEEN}┌{LINE}┨", numbers, _rule("┗━┷┛", left=True, right=True)]
        return [_rule("┏━┯┓"), *[blank] * 2, named, *[blank] * 4, *boxes]
    boxes = [_rule("┏━┯┓", left=True, right=True), numbers, f"┠{LINE}┘{BETWEEN}└{LINE}┨"]
    return [*boxes, *[blank] * 4, named, *[blank] * 2, _rule("┗━┷┛")]


def beside(pictures: Iterable[Rows]) -> Rows:
    """Return pictures of the same height side by side."""
    return ["".join(rows) for rows in zip(*pictures, strict=True)]


def board_width(most_minions: int) -> int:
    """Return the width in cells of a board for `most_minions`, at least the document's width."""
    return max(BOARD_WIDTH, most_minions * CARD_WIDTH + 2)


class TextBoard(NamedTuple):
    """Draws hands, cards, and boards of an edition in one style."""

    edition: Edition
    style: Style
    coloured: bool = False

    @property
    def _width(self) -> int:
        return board_width(self.edition.most_minions)

    def board(self, state: SorceryState, names: Sequence[str]) -> str:
        """Draw the board, player 1 on top, with rituals, names, graveyards and minions (§4.1)."""
        top, bottom = (
            (self._others(side, names[seat], seat), self._minions(state, seat))
            for seat, side in enumerate(state.sides)
        )
        indent = self.style.indent + (self._width - BOARD_WIDTH) // 2
        line = "═" * (self._width - 2)
        return self.style.show(
            [
                f"╔{line}╗",
                *self._inside(top[0] + top[1]),
                f"╠{line}╣",
                *self._inside([" " * indent + row for row in self.style.logo]),
                f"╠{line}╣",
                *self._inside(bottom[1] + bottom[0]),
                f"╚{line}╝",
            ]
        )

    def _inside(self, rows: Rows) -> Rows:
        free = [" " * (self._width - 2 - width_of(strip_paint(row))) for row in rows]
        return [f"║{row}{blank}║" for row, blank in zip(rows, free, strict=True)]

    def _draw(self, face: Face | None, tone: Tone | None = None) -> Rows:
        return self._paint(draw_card(face, breaks_words=self.edition.breaks_words), tone)

    def _paint(self, rows: Rows, tone: Tone | None) -> Rows:
        return [paint(row, tone) for row in rows] if self.coloured else rows

    def _minions(self, state: SorceryState, seat: Seat) -> Rows:
        cards, slots = self.edition.cards, []
        for minion in state.sides[seat].minions:
            tone = Tone.REFUSED if is_silenced(minion, cards) else None
            if seat == state.turn and not state.over and minion.actions > 0:
                tone = Tone.READY
            slots.append(self._draw(face_of_minion(minion, cards), tone))
        return beside([*slots, *[_frame(" ")] * (self.edition.most_minions - len(slots))])

    def _others(self, side: Side, name: str, seat: Seat) -> Rows:
        """Draw the row with a player's ritual, the player, and the top of the graveyard."""
        ritual = dead = _frame(" ")
        if side.ritual is not None:
            ritual = self._draw(face_of_ritual(side.ritual, self.edition.cards), Tone.RITUAL)
        if side.graveyard:
            dead = self._draw(face_of_held(side.graveyard[-1], self.edition.cards), Tone.FAINT)
        free = self._width - 2 - 3 * CARD_WIDTH
        before, behind = ([" " * gap] * CARD_HEIGHT for gap in (free // 2, free - free // 2))
        player = self._paint(draw_player(name, side, top=not seat), PLAYERS[seat])
        return beside([ritual, before, player, behind, dead])

    def hand(self, side: Side) -> str:
        """Draw a hand as cards in a row (§4.2), followed by texts that do not fit on them."""
        faces = [face_of_held(card, self.edition.cards) for card in side.hand]
        if not faces:
            return EMPTY_HAND
        slots = []
        for face in faces:
            tone = Tone.READY if face and face.cost <= side.magic else Tone.FAINT
            slots.append(self._draw(face, tone))
        return self.style.show(beside(slots) + all_in_full(faces))

    def ritual(self, ritual: Ritual) -> str:
        """Draw a ritual. If its text does not fit on the card, the full text follows below."""
        face = face_of_ritual(ritual, self.edition.cards)
        return self.style.show(self._draw(face) + all_in_full([face]))

    def inspection(self, minion: Minion) -> str:
        """Draw a minion, and below it its enchantments, oldest first, five per row (§4.3).

        The full text of a card follows below the cards if it does not fit on the card.
        """
        cards = self.edition.cards
        faces = [face_of(cards[name]) for name in minion.enchantments]
        face = face_of_minion(minion, cards)
        rows = self._draw(face)
        for place in range(0, len(faces), PLACES):
            rows += beside(self._draw(face) for face in faces[place : place + PLACES])
        return self.style.show(rows + all_in_full([face, *faces]))
