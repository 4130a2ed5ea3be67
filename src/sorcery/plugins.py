"""Cards that do not come with the game: from a file of one's own, or from an installed package.

A file holds `CARDS`, a list or tuple of cards. A package names its cards, one or several, in the
entry-point group `sorcery.cards`. Both are cards of every edition once they are added to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from traceback import extract_tb
from typing import Final

from sorcery.card import Card, CardsError
from sorcery.editions import Edition
from tabletop import RegistryError
from tabletop.files import user_path
from tabletop.registry import load_file

GROUP: Final = "sorcery.cards"
"""The entry-point group in which packages name their cards."""


def load_cards(path: str | Path) -> tuple[Card, ...]:
    """The `CARDS` of a Python file.

    Raises:
        CardsError: there is no such file, it fails, or it holds no cards; says where and why.
    """
    file = user_path(str(path))
    try:
        module = load_file(file)
    except RegistryError as error:
        raise CardsError(_located(file, error)) from error
    found = getattr(module, "CARDS", None)
    if found is None:
        raise CardsError(f"{file}: there is no CARDS; write: CARDS = (FIRST, SECOND)")
    if isinstance(found, Card) or not isinstance(found, Iterable):
        raise CardsError(f"{file}: CARDS is {_kind(found)}; write: CARDS = (FIRST, SECOND)")
    return _all_cards(found, f"{file}: CARDS")


def plugin_cards() -> tuple[Card, ...]:
    """The cards of installed packages, by the names of their entry points.

    Raises:
        CardsError: an entry point cannot be loaded, or is no card; says which and why.
    """
    from importlib.metadata import entry_points  # slow to import

    cards: list[Card] = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        source = f"plugin {point.name} ({point.value})"
        try:
            found = point.load()
        except Exception as error:
            raise CardsError(f"{source}: {type(error).__name__}: {error}") from error
        if isinstance(found, Card):
            found = (found,)
        if not isinstance(found, Iterable):
            raise CardsError(f"{source} is {_kind(found)}, not cards")
        cards += _all_cards(found, source)
    return tuple(cards)


def with_own_cards(edition: Edition, path: str | Path) -> Edition:
    """`edition` with the cards of a file.

    Raises:
        CardsError: the file cannot be read, or its cards do not go with those of the edition.
    """
    cards = load_cards(path)
    try:
        return edition.with_cards(cards)
    except CardsError as error:
        raise CardsError(f"{path}: {error}") from error


def _all_cards(found: Iterable[object], source: str) -> tuple[Card, ...]:
    cards = []
    for number, card in enumerate(found, 1):
        if not isinstance(card, Card):
            raise CardsError(f"{source}: number {number} is {_kind(card)}, not a card")
        cards.append(card)
    return tuple(cards)


def _kind(value: object) -> str:
    return f"of type {type(value).__name__}"


def _located(file: Path, error: RegistryError) -> str:
    """What went wrong in a file, with the line of that file."""
    cause = error.__cause__
    if cause is None or isinstance(cause, SyntaxError):
        return str(error)
    frames = extract_tb(cause.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).name == file.name]
    where = f"{file}, line {lines[-1]}" if lines else str(file)
    said = str(cause) if isinstance(cause, CardsError) else f"{type(cause).__name__}: {cause}"
    return f"{where}: {said}"
