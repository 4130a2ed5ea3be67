"""Cards that do not come with the game: from a user's file, and from installed packages.

A file holds `CARDS`, a list or tuple of cards. A package names its cards, one or several, in the
entry-point group `sorcery.cards`. Both are cards of every edition once they are added to it. A
package names a whole edition in the entry-point group `sorcery.editions`, under the name that the
option `-edition` takes.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Final

from sorcery.card import Card
from sorcery.editions import EDITIONS, Edition
from sorcery.errors import CardsError
from sorcery.state import HIDDEN
from tabletop import RegistryError
from tabletop.host.files import user_path
from tabletop.host.modules import call, entry_points_of, load_file

GROUP: Final = "sorcery.cards"
"""The entry-point group in which packages name their cards."""

EDITIONS_GROUP: Final = "sorcery.editions"
"""The entry-point group in which packages name their editions."""


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
    cards: list[Card] = []
    for point in entry_points_of(GROUP):
        source = f"plugin {point.name} ({point.value})"
        found = _loaded(point, source)
        if isinstance(found, Card):
            found = (found,)
        if not isinstance(found, Iterable):
            raise CardsError(f"{source} is {_kind(found)}, not cards")
        cards += _all_cards(found, source)
    return tuple(cards)


def edition_names() -> tuple[str, ...]:
    """What the option `-edition` takes: the editions of the game, then those of packages."""
    return tuple(dict.fromkeys([*EDITIONS, *sorted(_edition_points())]))


def find_edition(name: str) -> Edition:
    """The edition of that name, which is one of `edition_names`, letter case aside.

    Raises:
        CardsError: it cannot be loaded, or is no edition; says which and why.
    """
    if name in EDITIONS:
        return EDITIONS[name]
    points = _edition_points()
    folded = {key.casefold(): point for key, point in points.items()}
    point = points.get(name) or folded[name.casefold()]
    source = f"edition {point.name} ({point.value})"
    found = _loaded(point, source)
    if not isinstance(found, Edition):
        raise CardsError(f"{source} is {_kind(found)}, not an Edition")
    try:
        _ = found.cards, found.held(HIDDEN)  # which are checked when they are asked for
    except Exception as error:
        raise CardsError(f"{source}: {type(error).__name__}: {error}") from error
    if found.name in EDITIONS:
        raise CardsError(f"{source}: {found.name!r} is the name of an edition of the game")
    return found


def _edition_points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points_of(EDITIONS_GROUP)}


def with_cards(edition: Edition, cards: Iterable[Card]) -> Edition:
    """`edition` with more cards, under its own name: only for the one game that is played now.

    Raises:
        CardsError: they do not go with those of the edition.
    """
    return edition.with_cards(cards, titled=edition.title, played_as=edition.game)


def with_own_cards(edition: Edition, path: str | Path) -> Edition:
    """`edition` with the cards of a file.

    Raises:
        CardsError: the file cannot be read, or its cards do not go with those of the edition.
    """
    cards = load_cards(path)
    try:
        return with_cards(edition, cards)
    except CardsError as error:
        raise CardsError(f"{path}: {error}") from error


def _loaded(point: EntryPoint, source: str) -> object:
    """What an entry point names."""
    try:
        return call(source, point.load)
    except RegistryError as error:
        raise CardsError(str(error)) from error


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
    """The error of loading a file, with the line of that file at which it happened."""
    cause = error.__cause__
    if cause is None or isinstance(cause, SyntaxError):
        return str(error)
    from traceback import extract_tb  # only needed when something went wrong

    frames = extract_tb(cause.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).name == file.name]
    where = f"{file}, line {lines[-1]}" if lines else str(file)
    message = str(cause) if isinstance(cause, CardsError) else f"{type(cause).__name__}: {cause}"
    return f"{where}: {message}"
