"""The text and numbers of a card: as printed, as held in a hand, and as it is on the board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from sorcery.cards.card import Card, CardType, plain
from sorcery.cards.state import HIDDEN, CardInstance, Minion, Ritual
from sorcery.rules.minion_stats import abilities_of, ability_cost
from sorcery.text.frames import Rows, clip, wrap
from tabletop.wording import width_of

NAME_CELLS: Final = 23
COST_CELLS: Final = 3
NUMBER_CELLS: Final = 4
WIDE_CELLS: Final = 29
"""Width of a text, in cells."""

NARROW_CELLS: Final = 23
"""Width of a text beside a box with a cost."""

ELLIPSIS: Final = "..."


def chop(text: str, cells: int) -> Rows:
    """`text` in lines of so many cells, broken where a line is full.

    As in the pictures of 2017, a line begins with no blank but beside a box, where lines are short.
    """
    lines, rest = [], " ".join(text.split())
    while rest:
        lines.append(clip(rest, cells))
        rest = rest[len(lines[-1]) :]
        if cells == WIDE_CELLS:
            rest = rest.lstrip()
    return lines


@dataclass(frozen=True, slots=True)
class Face:
    """The text and numbers of a card, whether or not there is room for all of it."""

    name: str
    cost: int
    kind: CardType
    text: str = ""
    """The text beside its abilities and triggers."""

    abilities: tuple[tuple[int, str], ...] = ()
    """The costs now and the texts of activated abilities."""

    triggers: tuple[str, ...] = ()
    activation: int | None = None
    low_left: str | None = None
    """The contents of the boxes below; None where there is no box."""

    low_right: str | None = None

    @property
    def box(self) -> int | None:
        """The number beside the text: the cost of the first ability, or the activation cost."""
        return self.abilities[0][0] if self.abilities else self.activation

    @property
    def room(self) -> int:
        """The number of lines there is room for."""
        return 5 if self.low_left is None and self.low_right is None else 3

    def lines(self, *, breaks_words: bool = False) -> Rows:
        """Return the lines of text that fit on the card; an ellipsis marks omissions."""
        lines, room = self._all_lines(chop if breaks_words else wrap), self.room
        if len(lines) > room:
            last = wrap(lines[room - 1].strip(), self._cells() - len(ELLIPSIS))[0]
            lines[room - 1 :] = [last + ELLIPSIS]
        return lines

    @property
    def fits(self) -> bool:
        """True if the card shows everything."""
        numbers = (self.low_left or "", self.low_right or "")
        return (
            width_of(self.name) <= NAME_CELLS
            and len(str(self.cost)) <= COST_CELLS
            and len(str(self.box or 0)) <= COST_CELLS
            and max(map(len, numbers)) <= NUMBER_CELLS
            and len(self._all_lines()) <= self.room
        )

    def in_full(self) -> Rows:
        """Return all that is on the card, in plain lines."""
        numbers = [text for text in (self.low_left, self.low_right) if text is not None]
        what = f"{self.kind}, cost {self.cost}"
        if self.kind is CardType.RITUAL:
            what += f", activation cost {self.activation}, {'/'.join(numbers)} charges"
        elif numbers:
            what += f", {'/'.join(numbers)}"
        lines = [plain(self.text)] if self.text else []
        lines += [
            f"ability {place}, cost {cost}: {plain(text)}"
            for place, (cost, text) in enumerate(self.abilities, 1)
        ]
        return [
            f"{self.name} ({what})",
            *(f"  {line}" for line in (*lines, *map(plain, self.triggers))),
        ]

    def _texts(self) -> Sequence[str]:
        """Return the texts of the card; each begins a line."""
        if self.text and self.kind is not CardType.MINION:
            return [self.text]
        abilities = [
            f"{cost}: {text}" if place else text
            for place, (cost, text) in enumerate(self.abilities)
        ]
        return [*abilities, *self.triggers, *([self.text] if self.text else [])]

    def _all_lines(self, broken: Callable[[str, int], Rows] = wrap) -> Rows:
        return list(chain.from_iterable(broken(text, self._cells()) for text in self._texts()))

    def _cells(self) -> int:
        return WIDE_CELLS if self.box is None else NARROW_CELLS


def face_of(card: Card) -> Face:
    """Return a card as it is printed."""
    boxes = [modifier.box for modifier in card.modifiers]
    low = ["".join(shown) or None for shown in zip(*boxes, strict=True)] or [None, None]
    if card.type is CardType.MINION:
        low = [str(card.attack), str(card.defence)]
    elif card.type is CardType.RITUAL:
        low = [None, str(card.charges)]
    return Face(
        card.name,
        card.cost,
        card.type,
        _text_of(card),
        tuple((ability.cost, ability.text) for ability in card.abilities),
        tuple(trigger.text for trigger in card.triggers),
        card.activation if card.type is CardType.RITUAL else None,
        *low,
    )


def _text_of(card: Card) -> str:
    """Return a card's text; a minion's peculiarities are said even where its text does not."""
    if card.text or card.type is not CardType.MINION:
        return card.text
    words = (str(one) for one in card.modifiers if not any(one.box))
    return ". ".join(word[:1].upper() + word[1:] for word in words if word)


def face_of_held(held: CardInstance, cards: Mapping[str, Card]) -> Face | None:
    """Return a card in a hand or graveyard, where minions keep their numbers; None if hidden."""
    if held.card == HIDDEN:
        return None
    face = face_of(cards[held.card])
    if face.kind is not CardType.MINION:
        return face
    return replace(face, low_left=str(held.attack), low_right=str(held.defence))


def face_of_minion(minion: Minion, cards: Mapping[str, Card]) -> Face:
    """Return the face of a minion on the board, with the changes of its enchantments."""
    on_it = [cards[minion.card], *(cards[name] for name in minion.enchantments)]
    return replace(
        face_of(cards[minion.card]),
        abilities=tuple(
            (ability_cost(one, minion, cards), one.text) for one in abilities_of(minion, cards)
        ),
        triggers=tuple(trigger.text for card in on_it for trigger in card.triggers),
        low_left=str(minion.attack),
        low_right=str(minion.defence),
    )


def face_of_ritual(ritual: Ritual, cards: Mapping[str, Card]) -> Face:
    """Return a ritual on the board, with the charges that are left."""
    return replace(face_of(cards[ritual.card]), low_right=str(ritual.charges))


def all_in_full(faces: Iterable[Face | None]) -> Rows:
    """Return the full texts of the cards that show only a part of theirs, each card once."""
    cut = dict.fromkeys(face for face in faces if face is not None and not face.fits)
    return [line for face in cut for line in face.in_full()]
