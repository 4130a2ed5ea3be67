"""What is written on a card, and where: the less there is to say, the higher the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sorcery.card import Card, CardType, plain
from sorcery.faces import Face
from tabletop.svg import wrap

WIDTH: Final = 140
HEIGHT: Final = 196
"""How large a card is."""

ART_TOP: Final = 37
STRIP: Final = 14
"""How high the bar with the kind is, below the picture."""

LEAST_ART: Final = 62
MOST_ART: Final = 113
"""How high the picture is: the less there is to say, the higher."""

TEXT_SIZES: Final = (13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0)
"""How large a text is: the first that leaves room for the picture, else what fits."""

TEXT_LEFT: Final = 9
TEXT_WIDTH: Final = WIDTH - 2 * TEXT_LEFT
COIN_WIDTH: Final = 23
MOST_ABILITIES: Final = 2
"""So many abilities have a box of their own on a card; those beyond are told in its text."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is drawn of a card.

    Attributes:
        face: its text and numbers as they are now.
        attack, defence: by how much they differ from what is printed.
        dearer: whether its abilities cost more than is printed.
        gained_ability: whether its abilities come from an enchantment.
        own_triggers: how many of its triggers are printed; the others it has gained.
        silenced: whether it cannot use its abilities.
        note: what stands on the picture, as how often it can act.
        dim: whether it can do nothing now.
        too_dear: whether it cannot be paid for now.
    """

    face: Face
    attack: int = 0
    defence: int = 0
    dearer: bool = False
    gained_ability: bool = False
    own_triggers: int = 99
    silenced: bool = False
    note: str = ""
    dim: bool = False
    too_dear: bool = False

    @property
    def has_numbers(self) -> bool:
        """Whether something stands in the lower corners."""
        return self.face.low_left is not None or self.face.low_right is not None

    @property
    def text_bottom(self) -> float:
        """How far down the text may go."""
        return HEIGHT - (33 if self.has_numbers else 10)


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the text of a card.

    Attributes:
        words: how it reads.
        top, height: where it stands.
        size: of its letters; what does not fit is made smaller.
        cost: of an ability; None for other text.
    """

    words: str
    top: float
    height: float
    size: float
    cost: int | None = None


def shown(face: Face, card: Card) -> Shown:
    """A card in a hand or a graveyard; a minion may have kept other numbers than its own."""
    if card.type is not CardType.MINION or face.low_left is None or face.low_right is None:
        return Shown(face)
    return Shown(face, int(face.low_left) - card.attack, int(face.low_right) - card.defence)


@lru_cache(maxsize=1024)
def blocks(card: Shown) -> tuple[Block, ...]:
    """The text of a card in pieces, each ability in one of its own, in the room there is."""
    face = card.face
    pieces: list[tuple[str, int | None]] = []
    for number, (cost, words) in enumerate(face.abilities):
        said = plain(words)
        if number < MOST_ABILITIES:
            pieces.append((f"Gained: {said}" if card.gained_ability else said, cost))
    rest = "\n".join(_rest(card))
    if rest:
        pieces.append((rest, None))
    return _laid_out(pieces, card.text_bottom)


def _rest(card: Shown) -> list[str]:
    """The texts that have no box of their own."""
    face = card.face
    said = [f"{cost}: {plain(words)}" for cost, words in face.abilities[MOST_ABILITIES:]]
    if face.text:
        said.append(plain(face.text))
    return said + [
        plain(words) if number < card.own_triggers else f"Gained: {plain(words)}"
        for number, words in enumerate(face.triggers)
    ]


def _laid_out(pieces: Sequence[tuple[str, int | None]], bottom: float) -> tuple[Block, ...]:
    """Pieces below each other, each as high as its number of lines asks for."""
    most = bottom - ART_TOP - LEAST_ART - STRIP - 4
    for size in TEXT_SIZES:
        heights = [size * 1.2 * _lines(words, size, cost) for words, cost in pieces]
        if sum(heights) <= most:
            break
    top = ART_TOP + _art_height(sum(heights), bottom) + STRIP + 4.0
    share = min(1.0, most / max(1, sum(heights)))
    found = []
    for (words, cost), height in zip(pieces, heights, strict=True):
        found.append(Block(words, top, height * share, size, cost))
        top += height * share
    return tuple(found)


def picture_height(card: Shown) -> float:
    """How high the picture on a card is."""
    pieces = blocks(card)
    if not pieces:
        return _art_height(0, card.text_bottom)
    return pieces[0].top - STRIP - 4 - ART_TOP


def _art_height(text: float, bottom: float) -> float:
    """How high the picture is, above a text of some height."""
    return min(MOST_ART, max(LEAST_ART, bottom - text - STRIP - 4 - ART_TOP))


def _lines(words: str, size: float, cost: int | None) -> float:
    """How many lines a piece takes; one with a coin has room for it."""
    count = len(wrap(words, size, _room(cost)))
    return count if cost is None else max(1.5, count)


def _room(cost: int | None) -> float:
    return TEXT_WIDTH - (0 if cost is None else COIN_WIDTH)
