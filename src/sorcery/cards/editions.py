"""Editions and decks: the numbers, cards and texts that are played with, as data.

Rules ask the edition; they do not compare the names of editions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, fields, replace
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Final

from sorcery.cards.all_cards import CARDS_2017, CARDS_2024
from sorcery.cards.card import Card
from sorcery.cards.errors import CardsError
from sorcery.cards.mechanics import Trigger, TriggerEvent
from sorcery.cards.state import HIDDEN, MOST, MOST_PLACES, PLACES, CardInstance
from sorcery.cards.trigger_index import CardIndex
from sorcery.cards.validation import check_cards, has_own_classes
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
"""The least and the greatest value of each number of an edition."""


class EditionError(TabletopError, ValueError):
    """An edition has a number with which the game cannot be played or drawn."""


@dataclass(frozen=True)
class Edition:
    """An edition of the game: its cards, and the numbers in which editions differ.

    Attributes:
        name: the year, or another name, as the option `-edition` takes it.
        card_set: every card that decks can name.
        cards_at_start: how many cards a hand begins with, 0 to `most_cards`.
        first_turn_gains: whether player 1 gains magic and a card on the very first turn.
        actions_on_entering: how many actions a minion has when it enters play, at least 0.
        keeps_numbers: whether minions keep their attack and defence when they leave the board.
        life_at_start: the life of each player, 1 to 9,999.
        magic_at_start: the magic of each player, 0 to 9,999.
        magic_each_turn: what a player gains at the start of a turn, 0 to 9,999; nobody has more
            than that in all.
        most_cards: how many cards a hand holds, 1 to 9.
        most_minions: how many minions a board holds, 1 to 9.
        default_deck: the file that a deck is made of when nobody names one: the name of one in
            the package `sorcery`, or a whole path.
        rules: the file with the rules for people to read, likewise.
        breaks_words: whether texts of cards on the board are broken where a line is full, also in
            a word, as the document of 2017 shows them.
        title: its name for people: `Spring 2024`; its `name` unless `titled` says otherwise.
        game: the name of the game that plays this edition, in the registry and in records;
            `sorcery-NAME` unless `played_as` says otherwise.

    What `titled` and `played_as` say is not taken over by `dataclasses.replace`: what is replaced
    is another edition, and its matches are those of another game. So is one made by `with_cards`.

    Raises:
        EditionError: a number is out of its range, or a name is none that can be typed; says what
            would be right.
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
            raise EditionError("an edition has a name, which may not be empty")
        for number, (low, high) in RANGES.items():
            value = getattr(self, number)
            if type(value) is not int or not low <= value <= high:
                raise EditionError(
                    f"edition {self.name}: {number} is {value!r}, not a whole number from {low} to"
                    f" {high:,}"
                )
        if self.cards_at_start > self.most_cards:
            raise EditionError(
                f"edition {self.name}: a hand begins with cards_at_start={self.cards_at_start},"
                f" and holds most_cards={self.most_cards}"
            )
        game = played_as or f"sorcery-{self.name}"
        if slug(game) != game:
            raise EditionError(
                f"edition {self.name}: {game!r} is no name of a game, which is of lower case"
                f' letters, digits and hyphens: write played_as="{slug(game)}"'
            )
        object.__setattr__(self, "title", titled or self.name)
        object.__setattr__(self, "game", game)

    def __getstate__(self) -> dict[str, object]:
        """Return the fields, for a pickle or a copy, without what is cached beside them."""
        return {item.name: getattr(self, item.name) for item in fields(self)}

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        """Every card by name.

        Raises:
            CardsError: the cards do not go together; see `sorcery.cards.validation`.
        """
        check_cards(self.card_set)
        return MappingProxyType({card.name: card for card in self.card_set})

    @cached_property
    def triggers(self) -> Mapping[TriggerEvent, Mapping[str, tuple[Trigger, ...]]]:
        """The triggers of all cards: by event, then by the name of the card."""
        found: dict[TriggerEvent, dict[str, tuple[Trigger, ...]]] = {}
        for card in self.card_set:
            for when, triggers in card.by_when.items():
                found.setdefault(when, {})[card.name] = triggers
        return found

    @cached_property
    def index(self) -> CardIndex:
        """The cards, sorted for the rules.

        Raises:
            CardsError: as `cards`.
        """
        return CardIndex(
            self, self.cards, self.triggers, has_own_classes=has_own_classes(self.card_set)
        )

    @cached_property
    def _held(self) -> Mapping[str, CardInstance]:
        held = {
            card.name: CardInstance(card.name, card.attack, card.defence) for card in self.card_set
        }
        return held | {HIDDEN: CardInstance(HIDDEN)}

    def held(self, name: str) -> CardInstance:
        """Return the card called `name` as it is printed, in a hand or a deck."""
        return self._held[name]

    def with_cards(
        self, cards: Iterable[Card], *, titled: str = "", played_as: str = ""
    ) -> Edition:
        """Return this edition with more cards: the game with them is another one.

        Its records do not replay as those of this one, so it has a name (`played_as`) and a title
        of its own, made of the first card. Without any card it is this very edition.

        Raises:
            CardsError: a name is taken already, or a card makes no sense.
            EditionError: `played_as` is no name of a game.
        """
        added = tuple(cards)
        if not added:
            return self
        names = {card.name.casefold() for card in self.card_set}
        for card in added:
            if card.name.casefold() in names:
                raise CardsError(
                    f"two cards are called {card.name!r}; one is a card of the edition {self.name}"
                )
        more = replace(
            self,
            card_set=(*self.card_set, *added),
            titled=titled or f"{self.title} with {_list_cards(added)}",
            played_as=played_as or slug(f"{self.game} with {_list_cards(added)}"),
        )
        # Asked for now, so that cards that make no sense are refused here.
        _ = more.cards
        return more


def _list_cards(cards: Sequence[Card]) -> str:
    """`Drake`, or `Drake and 2 more cards`."""
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
"""Spring 2017, with its four custom cards (Sorcery 2017 §1.2, §2.2, §6.5)."""

EDITIONS: Final[Mapping[str, Edition]] = MappingProxyType(
    {edition.name: edition for edition in (SPRING_2024, SPRING_2017)}
)
"""Every edition by name."""


# Decks: lists of card names, one a line (Sorcery 2024 §5.2.1).


class DeckError(TabletopError, ValueError):
    """A deck names a card that does not exist.

    Attributes:
        line: the line at fault, counted from 1.
    """

    def __init__(self, message: str, *, line: int) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


@cache
def packaged_deck(name: str = "default.deck") -> str:
    """Read a deck file of the package, or another one by its whole path.

    Raises:
        OSError: it cannot be read.
    """
    if Path(name).is_absolute():
        return Path(name).read_text("utf-8")
    return files("sorcery").joinpath("data", name).read_text("utf-8")


def parse_deck(text: str, edition: Edition) -> list[CardInstance]:
    """Read the cards that a deck file names, the first to be drawn first.

    Letter case, white space around and between words, and blank lines do not matter. A deck may be
    of any size, also empty.

    Raises:
        DeckError: there is no such card; says the line, and the nearest card or the edition that
            has it.
    """
    names = {name.casefold(): name for name in edition.cards}
    deck = []
    for number, line in enumerate(text.split("\n"), 1):
        words = " ".join(line.split())
        if not words:
            continue
        name = names.get(words.casefold())
        if name is None:
            unknown = f"{quote(words)} is no card of the {edition.name} edition"
            raise DeckError(f"{unknown}{_hint(words, edition)}", line=number)
        deck.append(edition.held(name))
    return deck


def _hint(words: str, edition: Edition) -> str:
    """Name the edition that has the card, or the card that was meant, or else the nearest."""
    for other in EDITIONS.values():
        if words.casefold() in map(str.casefold, other.cards):
            return f", but one of the {other.name} edition"
    hint = did_you_mean(words, edition.cards)
    return hint or f"; the nearest card is {nearest(words, edition.cards, likeness=0)!r}"


# Cards of files and of packages, which belong to every edition once they are added to it.


def with_own_cards(edition: Edition, path: str | Path) -> Edition:
    """`edition` with the `CARDS` of a Python file, under its own name: for one game alone.

    Raises:
        CardsError: there is no such file, it fails, it holds no cards, or they do not go with those
            of the edition; says where and why.
    """
    try:
        return _with_cards(edition, load_cards(path))
    except CardsError as error:
        raise CardsError(f"{path}: {error}") from error
    except RegistryError as error:
        raise CardsError(str(error)) from error


def with_plugin_cards(edition: Edition) -> Edition:
    """`edition` with the cards of installed packages, likewise.

    A package names them in the entry-point group `sorcery.cards`, one or several to an
    entry point.

    Raises:
        RegistryError: an entry point cannot be loaded.
        CardsError: it names no cards, or they do not go with the others; says which and why.
    """
    for point in entry_points_of("sorcery.cards"):
        source = f"plugin {point.name} ({point.value})"
        found = call(source, point.load)
        try:
            edition = _with_cards(
                edition, (found,) if isinstance(found, Card) else _cards_in(found)
            )
        except CardsError as error:
            raise CardsError(f"{source}: {error}") from error
    return edition


def _with_cards(edition: Edition, cards: Sequence[Card]) -> Edition:
    return edition.with_cards(cards, titled=edition.title, played_as=edition.game)


def load_cards(path: str | Path) -> tuple[Card, ...]:
    """Run a Python file, and return its `CARDS`.

    Raises:
        RegistryError: there is no such file, or it fails.
        CardsError: it holds no cards.
    """
    found = getattr(load_file(user_path(str(path))), "CARDS", None)
    if found is None:
        raise CardsError("there is no CARDS; write: CARDS = (FIRST, SECOND)")
    return _cards_in(found)


def _cards_in(found: object) -> tuple[Card, ...]:
    if isinstance(found, Card) or not isinstance(found, Iterable):
        kind = type(found).__name__
        raise CardsError(f"CARDS is of type {kind}; write: CARDS = (FIRST, SECOND)")
    cards = tuple(found)
    for number, card in enumerate(cards, 1):
        if not isinstance(card, Card):
            kind = type(card).__name__
            raise CardsError(f"CARDS: number {number} is of type {kind}, not a card")
    return cards
