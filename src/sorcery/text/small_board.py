"""The board for small terminals, with one or two lines per minion. Board and hand fit in 24 rows.

The document's board is 167 x 56 cells (Sorcery 2024 §4.1). This board shows the information that
players need: which minions can act, which are silenced or enchanted, current costs of abilities,
charges, and the numbers of cards. It is in ASCII, apart from names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, groupby
from typing import Final, NamedTuple

from sorcery.cards.card import Card, CardType, plain
from sorcery.cards.state import Minion, Ritual, Side, SorceryState
from sorcery.rules.minion_stats import actions_each_turn, is_silenced, labels_of
from sorcery.text.card_faces import (
    ELLIPSIS,
    NAME_CELLS,
    Face,
    face_of,
    face_of_held,
    face_of_minion,
    face_of_ritual,
)
from sorcery.text.frames import Rows, clip, left, wrap
from sorcery.text.terminal_colours import PLAYERS, Tone, paint
from sorcery.text.text_board import EMPTY_HAND, LONGEST_NAME
from tabletop.wording import plural, width_of

WIDTH: Final = 80
HEIGHT: Final = 24  # smallest supported terminal, in cells and rows
NEXT_TURN: Final = "next turn"  # short text for a minion that can act from the next turn
FEWEST_CELLS: Final = 40  # Smallest width. A narrower board would be unreadable.


class Entry(NamedTuple):
    """An entry on the board: a label, and a text of one or more lines."""

    label: str
    text: str
    tone: Tone | None = None  # colour of the label
    short: str = ""  # text to use if there is only one line and `text` does not fit
    rank: int = 0  # order in which entries get a second line, lowest first

    def lines(self, cells: int, most: int) -> Rows:
        """Return the entry in at most `most` lines of `cells`, with an ellipsis if it is cut."""
        indent = width_of(self.label)
        lines = wrap(self.text, max(1, cells - indent))
        if len(lines) > most == 1 and self.short:
            lines = wrap(self.short, max(1, cells - indent))
        if len(lines) > most:
            rest = f"{lines[most - 1]} {lines[most]}"
            lines[most - 1 :] = [clip(rest, cells - indent - len(ELLIPSIS)).rstrip() + ELLIPSIS]
        first, *others = lines
        label = paint(self.label, self.tone)
        return [(label + first).rstrip(), *(" " * indent + line for line in others)]


class SmallBoard(NamedTuple):
    """Draws a match in few lines, for a screen of `width` cells and `height` rows."""

    cards: Mapping[str, Card]
    width: int = WIDTH
    height: int = HEIGHT
    coloured: bool = False

    def board(self, state: SorceryState, names: Sequence[str], *, below: int = 0) -> str:
        """Draw the board with player 1 on top.

        Entries take two lines if there is enough space. `below` is the number of rows to leave
        free, not counting the prompt.
        """
        upper, lower = (self._side(state, seat, names[seat]) for seat in (0, 1))
        rows = max(self.height, HEIGHT) - below - 2  # the prompt, and the line in the middle
        lines = self._fit_entries([*upper, *lower], rows)
        middle = len(upper)
        return "\n".join(
            [
                *chain.from_iterable(lines[:middle]),
                "-" * self._cells,
                *chain.from_iterable(lines[middle:]),
            ]
        )

    def fewest_rows(self, state: SorceryState) -> int:
        """Return the number of rows of the board with one line per entry."""
        sides = state.sides
        return 3 + sum(len(side.minions) + (side.ritual is not None) for side in sides)

    def hand(self, side: Side, playable: Collection[int] | None = None, *, most: int = 9) -> str:
        """Draw a hand with at most `most` lines per card.

        `playable` contains the places (from 0) of cards that can be played now, or is None to mark
        none.
        """
        faces = [face_of_held(card, self.cards) for card in side.hand]
        lines: Rows = [] if faces else [EMPTY_HAND]
        for place, face in enumerate(faces):
            entry = _in_hand(face, place + 1, side.magic)
            if playable is not None and place not in playable:
                entry = entry._replace(label=f"{'':4}{entry.label[4:]}", tone=Tone.FAINT)
            lines += self._tone_entry(entry).lines(self._cells, most)
        return "\n".join(lines)

    def inspection(self, minion: Minion) -> str:
        """Draw a minion and its enchantments, oldest first, with their full texts."""
        faces = [face_of(self.cards[name]) for name in minion.enchantments]
        return self._in_full([face_of_minion(minion, self.cards), *faces])

    def ritual(self, ritual: Ritual) -> str:
        """Draw a ritual with its full text."""
        return self._in_full([face_of_ritual(ritual, self.cards)])

    # The board.

    @property
    def _cells(self) -> int:
        return max(FEWEST_CELLS, self.width)

    def _fit_entries(self, entries: Sequence[Entry], rows: int) -> list[Rows]:
        """Return the lines of each entry, with two lines for long entries while `rows` are left."""
        entries = [self._tone_entry(entry) for entry in entries]
        lines = [entry.lines(self._cells, 2) for entry in entries]
        spare = rows - len(lines)
        for place in sorted(range(len(entries)), key=lambda place: entries[place].rank):
            if len(lines[place]) > 1:
                if spare <= 0:
                    lines[place] = entries[place].lines(self._cells, 1)
                spare -= 1
        return lines

    def _tone_entry(self, entry: Entry) -> Entry:
        return entry if self.coloured else entry._replace(tone=None)

    def _side(self, state: SorceryState, seat: int, name: str) -> list[Entry]:
        side = state.sides[seat]
        is_active = seat == state.turn and not state.over
        entries = [_header(side, seat, name, is_active=is_active)]
        if side.ritual is not None:
            entries.append(_ritual(side.ritual, self.cards))
        names = [clip(minion.card, NAME_CELLS) for minion in side.minions]
        width = max(map(width_of, names), default=0)
        numbers = [f"{minion.attack}/{minion.defence}" for minion in side.minions]
        digits = max(map(len, numbers), default=0)
        for place, minion in enumerate(side.minions):
            label = f"  {place + 1} {left(names[place], width)} {left(numbers[place], digits)}  "
            entries.append(self._minion(minion, label, is_active=is_active, over=state.over))
        return entries

    def _minion(self, minion: Minion, label: str, *, is_active: bool, over: bool) -> Entry:
        cards = self.cards
        silenced = is_silenced(minion, cards)
        notes = labels_of(minion, cards)
        if minion.enchantments:
            notes.append(f"[{_enchantments(minion)}]")
        known = {note.casefold() for note in notes}
        texts = _texts(face_of_minion(minion, cards))
        notes += [text for text in texts if text.casefold() not in known]
        tone = Tone.REFUSED if silenced else None
        short = notes
        if is_active:
            tone = Tone.READY if minion.actions > 0 else tone
            notes, short = [can_act(minion), *notes], [can_act(minion, NEXT_TURN), *notes]
        elif not over and (each_turn := actions_each_turn(minion, cards)) > 1:
            notes = short = [f"{each_turn} actions each turn", *notes]
        rank = 0 if minion.enchantments else 1
        return Entry(label, "; ".join(notes), tone, "; ".join(short), rank)

    # Hands and single cards.

    def _in_full(self, faces: Iterable[Face]) -> str:
        rows = chain.from_iterable(face.in_full() for face in faces)
        return "\n".join(chain.from_iterable(map(self._break_row, rows)))

    def _break_row(self, row: str) -> Rows:
        """Break a row into lines, with a hanging indent of two cells."""
        start = len(row) - len(row.lstrip())
        first, *others = wrap(row.strip(), self._cells - start - 2)
        return [" " * start + first, *(" " * (start + 2) + line for line in others)]


def can_act(minion: Minion, later: str = "can act from your next turn") -> str:
    """Describe the actions left to a minion of the active player, or return `later` if none."""
    if minion.actions > 0:
        return plural(minion.actions, "action")
    return later


def _header(side: Side, seat: int, name: str, *, is_active: bool) -> Entry:
    mark = ">" if is_active else " "
    counts = (
        f"life {side.life}, magic {side.magic}, hand {len(side.hand)}, deck {len(side.deck)},"
        f" graveyard {len(side.graveyard)}"
    )
    if side.graveyard:
        top = side.graveyard[-1]
        counts += f" ({top.card} {top.attack}/{top.defence})"
    label = f"{mark} {clip(name, LONGEST_NAME)} ({seat + 1}): "
    return Entry(label, counts, PLAYERS[seat], rank=3)


def _charges(charges: int, face: Face) -> str:
    return f"{plural(charges, 'charge')}, takes {face.activation}"


def _ritual(ritual: Ritual, cards: Mapping[str, Card]) -> Entry:
    face = face_of_ritual(ritual, cards)
    text = "; ".join([_charges(ritual.charges, face), *map(plain, face.triggers)])
    return Entry(f"  r {clip(face.name, NAME_CELLS)}  ", text, Tone.RITUAL, rank=2)


def _enchantments(minion: Minion) -> str:
    """Return the enchantments of a minion, oldest first. Equal neighbours are `Enrage x2`."""
    runs = [(name, len(list(run))) for name, run in groupby(minion.enchantments)]
    return ", ".join(name if count == 1 else f"{name} x{count}" for name, count in runs)


def _texts(face: Face) -> list[str]:
    """Return the texts of a card, with the costs of its abilities."""
    is_minion = face.kind is CardType.MINION
    own = [plain(face.text)] if face.text else []
    texts = [] if is_minion else own
    several = len(face.abilities) > 1
    for place, (cost, text) in enumerate(face.abilities, 1):
        texts.append(f"use{f' .{place}' if several else ''} ({cost}): {plain(text)}")
    # The text of a minion describes its modifiers and is last, as on its card.
    return [*texts, *map(plain, face.triggers), *(own if is_minion else ())]


def _in_hand(face: Face | None, place: int, magic: int) -> Entry:
    """Return the entry of a card in a hand: `play 2  Fire Elemental (2)`, and its texts."""
    if face is None:
        return Entry(f"play {place}  ", "a card that is hidden", Tone.FAINT)
    label = f"play {place}  {clip(face.name, NAME_CELLS)} ({face.cost})  "
    numbers = [number for number in (face.low_left, face.low_right) if number is not None]
    stats = "/".join(numbers)
    if face.kind is CardType.RITUAL:
        stats = _charges(int(face.low_right or 0), face)
    texts = [str(face.kind), *([stats] if stats else []), *_texts(face)]
    return Entry(label, "; ".join(texts), Tone.READY if face.cost <= magic else Tone.FAINT)
