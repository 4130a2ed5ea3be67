"""The text and numbers on a card: printed, in a hand, and on the board."""

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
WIDE_CELLS: Final = 29  # width of a text in cells
NARROW_CELLS: Final = 23  # width of a text next to a cost box, in cells

ELLIPSIS: Final = "..."


def chop(text: str, cells: int) -> Rows:
    """Break `text` into lines of at most `cells` cells, even inside words.

    As in the document of 2017, lines do not begin with a space, except in the narrow texts next to
    a box.
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
    """The text and numbers of a card, including those that do not fit on the card."""

    name: str
    cost: int
    kind: CardType
    text: str = ""  # apart from the texts of abilities and triggers
    abilities: tuple[tuple[int, str], ...] = ()  # current costs and texts of activated abilities
    triggers: tuple[str, ...] = ()
    activation: int | None = None
    low_left: str | None = None  # contents of the box at the lower left, or None without a box
    low_right: str | None = None

    @property
    def box(self) -> int | None:
        """Number in the box beside the text: cost of the first ability, or activation cost."""
        return self.abilities[0][0] if self.abilities else self.activation

    @property
    def room(self) -> int:
        """Number of lines of text on the card."""
        return 5 if self.low_left is None and self.low_right is None else 3

    def lines(self, *, breaks_words: bool = False) -> Rows:
        """Return the lines of text that fit on the card, with an ellipsis if some do not fit."""
        lines, room = self._all_lines(chop if breaks_words else wrap), self.room
        if len(lines) > room:
            last = wrap(lines[room - 1].strip(), self._cells() - len(ELLIPSIS))[0]
            lines[room - 1 :] = [last + ELLIPSIS]
        return lines

    @property
    def fits(self) -> bool:
        """Whether the card shows its whole text and all numbers."""
        numbers = (self.low_left or "", self.low_right or "")
        return (
            width_of(self.name) <= NAME_CELLS
            and len(str(self.cost)) <= COST_CELLS
            and len(str(self.box or 0)) <= COST_CELLS
            and max(map(len, numbers)) <= NUMBER_CELLS
            and len(self._all_lines()) <= self.room
        )

    def in_full(self) -> Rows:
        """Return everything on the card as plain lines."""
        numbers = [text for text in (self.low_left, self.low_right) if text is not None]
        summary = f"{self.kind}, cost {self.cost}"
        if self.kind is CardType.RITUAL:
            summary += f", activation cost {self.activation}, {'/'.join(numbers)} charges"
        elif numbers:
            summary += f", {'/'.join(numbers)}"
        lines = [plain(self.text)] if self.text else []
        lines += [
            f"ability {place}, cost {cost}: {plain(text)}"
            for place, (cost, text) in enumerate(self.abilities, 1)
        ]
        return [
            f"{self.name} ({summary})",
            *(f"  {line}" for line in (*lines, *map(plain, self.triggers))),
        ]

    def _texts(self) -> Sequence[str]:
        """Return the texts of the card, each of which begins on a new line."""
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
    """Return the face of a card as printed."""
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
    """Return the text of a card. For a minion without a text, describe its modifiers."""
    if card.text or card.type is not CardType.MINION:
        return card.text
    words = (str(modifier) for modifier in card.modifiers if not any(modifier.box))
    return ". ".join(word[:1].upper() + word[1:] for word in words if word)


def face_of_held(held: CardInstance, cards: Mapping[str, Card]) -> Face | None:
    """Return the face of a card in a hand, deck or graveyard, or None if the card is hidden."""
    if held.card == HIDDEN:
        return None
    face = face_of(cards[held.card])
    if face.kind is not CardType.MINION:
        return face
    return replace(face, low_left=str(held.attack), low_right=str(held.defence))


def face_of_minion(minion: Minion, cards: Mapping[str, Card]) -> Face:
    """Return the face of a minion on the board, including the changes by its enchantments."""
    on_it = [cards[minion.card], *(cards[name] for name in minion.enchantments)]
    return replace(
        face_of(cards[minion.card]),
        abilities=tuple(
            (ability_cost(ability, minion, cards), ability.text)
            for ability in abilities_of(minion, cards)
        ),
        triggers=tuple(trigger.text for card in on_it for trigger in card.triggers),
        low_left=str(minion.attack),
        low_right=str(minion.defence),
    )


def face_of_ritual(ritual: Ritual, cards: Mapping[str, Card]) -> Face:
    """Return the face of a ritual on the board with its current charges."""
    return replace(face_of(cards[ritual.card]), low_right=str(ritual.charges))


def all_in_full(faces: Iterable[Face | None]) -> Rows:
    """Return the full texts, each once, of the cards that show only a part of their text."""
    cut = dict.fromkeys(face for face in faces if face is not None and not face.fits)
    return [line for face in cut for line in face.in_full()]
