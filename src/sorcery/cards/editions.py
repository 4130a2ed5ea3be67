"""Editions and decks: the numbers, cards and texts of a game, as data.

The rules read the values of an edition, and never compare its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, fields, replace
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Final

from sorcery.cards.all_cards import CARDS_2017, CARDS_2024
from sorcery.cards.card import Card
from sorcery.cards.errors import CardsError
from sorcery.cards.mechanics import Trigger, TriggerEvent
from sorcery.cards.state import HIDDEN, MOST, MOST_PLACES, PLACES, CardInstance
from sorcery.cards.validation import check_cards, has_custom_classes
from tabletop import RegistryError, TabletopError
from tabletop.host import call, entry_points_of, load_file, user_path
from tabletop.wording import did_you_mean, nearest, plural, quote, slug

RANGES: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "life_at_start": (1, MOST),
        "magic_at_start": (0, MOST),
        "magic_each_turn": (0, MOST),
        "most_cards": (1, MOST_PLACES),
        "most_minions": (1, MOST_PLACES),
        "cards_at_start": (0, MOST_PLACES),
        "actions_on_entering": (0, MOST),
    }
)
"""Smallest and greatest value of each number of an edition."""


class EditionError(TabletopError, ValueError):
    """An edition has an invalid number, name or default deck."""


@dataclass(frozen=True)
class Edition:
    """An edition of the game: its cards, and the numbers in which editions differ.

    Editions created with `dataclasses.replace` or `with_cards` do not keep `titled` and
    `played_as`, because they are different games.

    Attributes:
        name: The year or another name, as given to the option `-edition`.
        card_set: All cards that decks can contain.
        cards_at_start: Number of cards in each hand at the start, 0 to `most_cards`.
        first_turn_gains: Whether player 1 gains magic and a card in the first turn of the game.
        actions_on_entering: Number of actions of a minion that has just entered play, 0 to 9,999.
        keeps_numbers: Whether minions keep their attack and defence when they leave the board.
        life_at_start: Life of each player at the start, 1 to 9,999.
        magic_at_start: Magic of each player at the start, 0 to 9,999.
        magic_each_turn: Magic that a player gains at the start of each turn, 0 to 9,999.
        most_cards: Maximum number of cards in a hand, 1 to 9.
        most_minions: Maximum number of minions on a board, 1 to 9.
        default_deck: Deck file for players who do not name one: a file in the package `sorcery`, or
            an absolute path.
        rules: File with the rulebook for players, given in the same way as `default_deck`.
        breaks_words: Whether texts on the cards of the board are broken inside words at the end of
            a line, as in the document of 2017.
        title: Name for players, such as `Spring 2024`. Set with `titled`, by default `name`.
        game: Name of the game in the registry and in records. Set with `played_as`, by default
            `sorcery-NAME`.

    Raises:
        EditionError: A number is out of its range, or the name of the game has invalid characters.
    """

    name: str
    card_set: tuple[Card, ...]
    cards_at_start: int
    first_turn_gains: bool
    actions_on_entering: int
    keeps_numbers: bool
    life_at_start: int = 20
    magic_at_start: int = 3
    magic_each_turn: int = 1
    most_cards: int = PLACES
    most_minions: int = PLACES
    default_deck: str = "default.deck"
    rules: str = "rules-2024.md"
    breaks_words: bool = False
    titled: InitVar[str] = ""
    played_as: InitVar[str] = ""
    title: str = field(init=False)
    game: str = field(init=False)

    def __post_init__(self, titled: str, played_as: str) -> None:
        if not self.name.strip():
            raise EditionError("the name of an edition must not be empty")
        for number, (low, high) in RANGES.items():
            value = getattr(self, number)
            if type(value) is not int or not low <= value <= high:
                raise EditionError(
                    f"edition {self.name}: {number} is {value!r}, not a whole number from {low} to"
                    f" {high:,}"
                )
        if self.cards_at_start > self.most_cards:
            raise EditionError(
                f"edition {self.name}: cards_at_start={self.cards_at_start} is more than"
                f" most_cards={self.most_cards}"
            )
        game = played_as or f"sorcery-{self.name}"
        if slug(game) != game:
            raise EditionError(
                f"edition {self.name}: {game!r} is not a valid name for a game; use lower-case"
                f' letters, digits and hyphens, such as played_as="{slug(game)}"'
            )
        object.__setattr__(self, "title", titled or self.name)
        object.__setattr__(self, "game", game)

    def __getstate__(self) -> dict[str, object]:
        """Return the fields for a pickle or a copy, without cached properties."""
        return {item.name: getattr(self, item.name) for item in fields(self)}

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        """All cards by name.

        Raises:
            CardsError: The cards are invalid (see `sorcery.cards.validation`).
        """
        check_cards(self.card_set)
        return {card.name: card for card in self.card_set}

    @cached_property
    def triggers(self) -> Mapping[TriggerEvent, Mapping[str, tuple[Trigger, ...]]]:
        """Triggers of all cards, by event and card name. Events without triggers have no entry."""
        by_event: dict[TriggerEvent, dict[str, tuple[Trigger, ...]]] = {}
        for card in self.card_set:
            for trigger in card.triggers:
                waiting = by_event.setdefault(trigger.when, {})
                waiting[card.name] = (*waiting.get(card.name, ()), trigger)
        return by_event

    @cached_property
    def has_custom_classes(self) -> bool:
        """Whether any card contains an object of a class from outside the package `sorcery`."""
        return has_custom_classes(self.card_set)

    @cached_property
    def _printed(self) -> Mapping[str, CardInstance]:
        instances = {
            card.name: CardInstance(card.name, card.attack, card.defence) for card in self.card_set
        }
        return instances | {HIDDEN: CardInstance(HIDDEN)}

    def printed(self, name: str) -> CardInstance:
        """Return the card called `name` with its printed attack and defence."""
        return self._printed[name]

    def with_cards(
        self, cards: Iterable[Card], *, titled: str = "", played_as: str = ""
    ) -> Edition:
        """Return an edition with additional cards, which plays as a different game.

        Records of the two games are not interchangeable, so the new edition has a title and a game
        name of its own. By default, they are derived from the first added card. Without any card,
        the method returns this edition.

        Raises:
            CardsError: A name is already taken, or a card is invalid.
            EditionError: `played_as` is not a valid name for a game.
        """
        added = tuple(cards)
        if not added:
            return self
        names = {card.name.casefold() for card in self.card_set}
        for card in added:
            if card.name.casefold() in names:
                raise CardsError(
                    f"two cards have the name {card.name!r}, and one belongs to the {self.name}"
                    " edition"
                )
        more = replace(
            self,
            card_set=(*self.card_set, *added),
            titled=titled or f"{self.title} with {_list_cards(added)}",
            played_as=played_as or slug(f"{self.game} with {_list_cards(added)}"),
        )
        # Validate the cards now, so that the error is raised here.
        _ = more.cards
        return more


def _list_cards(cards: Sequence[Card]) -> str:
    """Return a short list of cards as text, such as `Drake` or `Drake and 2 more cards`."""
    rest = len(cards) - 1
    return f"{cards[0].name} and {plural(rest, 'more card')}" if rest else cards[0].name


SPRING_2024: Final = Edition(
    name="2024",
    titled="Spring 2024",
    played_as="sorcery",
    card_set=CARDS_2024,
    cards_at_start=5,
    first_turn_gains=True,
    actions_on_entering=0,
    keeps_numbers=True,
)
"""Spring 2024, the default (Sorcery 2024 §1.2, §2.2)."""

SPRING_2017: Final = Edition(
    name="2017",
    titled="Spring 2017",
    card_set=CARDS_2017,
    cards_at_start=4,
    first_turn_gains=False,
    actions_on_entering=1,
    keeps_numbers=False,
    rules="rules-2017.md",
    breaks_words=True,
)
"""Spring 2017, with four custom cards (Sorcery 2017 §1.2, §2.2, §6.5)."""

EDITIONS: Final[Mapping[str, Edition]] = MappingProxyType(
    {edition.name: edition for edition in (SPRING_2024, SPRING_2017)}
)
"""All editions by name."""


# Decks: lists of card names, one per line (Sorcery 2024 §5.2.1).


class DeckError(TabletopError, ValueError):
    """A deck names an unknown card.

    Attributes:
        line: The line number, starting at 1.
    """

    def __init__(self, message: str, *, line: int) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


@cache
def packaged_deck(name: str = "default.deck") -> str:
    """Return the text of a deck file in the package, or at an absolute path.

    Raises:
        OSError: The file cannot be read.
    """
    if Path(name).is_absolute():
        return Path(name).read_text("utf-8")
    return (Path(__file__).parents[1] / "data" / name).read_text("utf-8")


def parse_deck(text: str, edition: Edition) -> list[CardInstance]:
    """Return the cards that a deck file names, starting with the first card to draw.

    Case, spaces around and between words, and empty lines are ignored. A deck may have any
    size, and may be empty.

    Raises:
        DeckError: A card is unknown. The message suggests the most similar card, or names the
            edition that has the card.
    """
    names = {name.casefold(): name for name in edition.cards}
    deck = []
    for number, line in enumerate(text.split("\n"), 1):
        words = " ".join(line.split())
        if not words:
            continue
        name = names.get(words.casefold())
        if name is None:
            unknown = f"{quote(words)} is not a card of the {edition.name} edition"
            raise DeckError(f"{unknown}{_hint(words, edition)}", line=number)
        deck.append(edition.printed(name))
    return deck


def _hint(words: str, edition: Edition) -> str:
    """Return a hint: the other edition that has the card, or the most similar card."""
    for other in EDITIONS.values():
        if words.casefold() in map(str.casefold, other.cards):
            return f", but of the {other.name} edition"
    hint = did_you_mean(words, edition.cards)
    return hint or f" (did you mean {nearest(words, edition.cards, likeness=0)!r}?)"


# Cards from files and installed packages. They are added to any edition.


def add_cards_from_file(edition: Edition, path: str | Path) -> Edition:
    """Return `edition` with the `CARDS` of a Python file, under the same title and game name.

    Raises:
        CardsError: The file is missing or fails, defines no cards, or has cards that are invalid in
            this edition. The message names the file and the reason.
    """
    try:
        return _with_cards(edition, load_cards(path))
    except CardsError as error:
        raise CardsError(f"{path}: {error}") from error
    except RegistryError as error:
        raise CardsError(str(error)) from error


def add_plugin_cards(edition: Edition) -> Edition:
    """Return `edition` with the cards of installed packages, under the same title and game name.

    Packages declare cards in the entry-point group `sorcery.cards`. An entry point refers to a card
    or to a collection of cards.

    Raises:
        RegistryError: An entry point cannot be loaded.
        CardsError: An entry point refers to something else, or to cards that are invalid in this
            edition. The message names the entry point and the reason.
    """
    for point in entry_points_of("sorcery.cards"):
        source = f"plugin {point.name} ({point.value})"
        loaded = call(source, point.load)
        try:
            cards = (loaded,) if isinstance(loaded, Card) else _check_cards_type(loaded)
            edition = _with_cards(edition, cards)
        except CardsError as error:
            raise CardsError(f"{source}: {error}") from error
    return edition


def _with_cards(edition: Edition, cards: Sequence[Card]) -> Edition:
    return edition.with_cards(cards, titled=edition.title, played_as=edition.game)


def load_cards(path: str | Path) -> tuple[Card, ...]:
    """Run a Python file and return its `CARDS`.

    Raises:
        RegistryError: The file is missing or fails.
        CardsError: The file defines no cards.
    """
    value = getattr(load_file(user_path(str(path))), "CARDS", None)
    if value is None:
        raise CardsError("CARDS is not defined (write CARDS = (FIRST, SECOND))")
    return _check_cards_type(value)


def _check_cards_type(value: object) -> tuple[Card, ...]:
    if isinstance(value, Card) or not isinstance(value, Iterable):
        kind = type(value).__name__
        raise CardsError(
            f"CARDS must be a tuple of cards, not {kind} (write CARDS = (FIRST, SECOND))"
        )
    cards = tuple(value)
    for number, card in enumerate(cards, 1):
        if not isinstance(card, Card):
            kind = type(card).__name__
            raise CardsError(f"CARDS: number {number} is of type {kind}, not a card")
    return cards
