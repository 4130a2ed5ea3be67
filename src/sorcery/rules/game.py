"""The rules: turns, and what playing, using and attacking lead to (Sorcery 2024 §1.2, §2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

from typing_extensions import override

from sorcery.cards.editions import (
    SPRING_2024,
    DeckError,
    Edition,
    EditionError,
    packaged_deck,
    parse_deck,
)
from sorcery.cards.state import PLACES, CardInstance, Side, SorceryState
from sorcery.rules.actions import COMMANDS, Action, QuitGame, commands_of
from sorcery.rules.apply_actions import carry_out
from sorcery.rules.engine import Engine
from sorcery.rules.legal import all_actions, legal_actions
from sorcery.rules.reasons import why_not
from tabletop import Match, Option, OptionError, Options, Outcome, Seat, SecretGame, Streams, Table
from tabletop.rng import Vocabulary
from tabletop.rules import AnyGame, CatalogValue

_TURNS: Final = ((0,), (1,))

WORDS: Final = Vocabulary(
    adjectives=(
        *("magic", "living", "silent", "charged", "dead", "active", "triggered", "enchanted"),
        *("attacking", "damaged", "destroyed", "summoned", "shuffled", "drawn", "played"),
        *("discarded", "opposing", "activated", "resurrected", "banished", "unsummoned"),
        *("recharged", "disenchanted", "silenced", "enraged", "inactive", "strengthened"),
        *("fatigued", "buried", "inspected", "targeted", "newest", "oldest", "topmost"),
        *("leftmost", "spent", "fallen", "charging", "elemental"),
    ),
    nouns=(
        *("magic", "deck", "hand", "board", "graveyard", "minion", "spell", "charge", "player"),
        *("opponent", "enchantment", "ability", "trigger", "attack", "defence", "damage", "life"),
        *("cost", "card", "turn", "target", "action", "effect", "slot", "zone", "duel"),
    ),
)
"""Words for seed phrases, in addition to those of the cards."""

DECKS: Final = (
    Option("deck1", kind=str, help="Player 1's deck: names of cards, one a line."),
    Option("deck2", kind=str, help="Player 2's deck: names of cards, one a line."),
)
TESTING: Final = Option(
    "testing",
    default=False,
    help="Testing mode: decks in order, draw and discard, cards for too little magic.",
)
HAND: Final = Option(
    "hand",
    kind=int,
    low=0,
    high=PLACES,
    help="How many cards each hand begins with; by default as many as the edition says.",
)
PATIENCE: Final = Option(
    "patience",
    default=50,
    low=0,
    help="Call it a draw after so many turns in which nothing changes; 0 for never.",
)
OPTIONS: Final = (*DECKS, TESTING, PATIENCE, HAND)
"""The options of the game.

By the document's rules a game can be stuck for good, with all cards spent and nobody on the board.
People notice that; simulations do not, so that they end by `patience`. The program `sorcery` has
none.
"""


class Sorcery(SecretGame[SorceryState, Action]):
    """The rules of one edition: two players with a deck each; a player without life loses.

    Args:
        edition: the numbers and cards that are played with.
        name: the name of the game; by default the edition's.
        title: its name for people; by default that of the edition, with the name where that is
            another than the edition's, so that lists tell them apart.
        deck: the deck of a player who names none, as the text of a deck file; by default the
            packaged one.
    """

    version = "1"
    seats = range(2, 3)
    options = OPTIONS
    commands = COMMANDS
    words = WORDS
    lists_every_action = False  # one may always quit
    views_forget = True  # a minion that returns to a hand is a card like any other there

    def __init__(
        self,
        edition: Edition = SPRING_2024,
        *,
        name: str = "",
        title: str = "",
        deck: str | None = None,
    ) -> None:
        self.edition = edition
        self.commands = commands_of(edition.most_cards, edition.most_minions)
        self._default_deck = deck
        self.name = name or edition.game
        apart = "" if self.name == edition.game else f" ({self.name})"
        self.title = title or f"Sorcery, {edition.title}{apart}"

    @override
    def names_of_things(self) -> Iterable[str]:
        """Return the cards of the edition."""
        return self.edition.cards

    @override
    def setup(self, options: Options, seats: int, rng: Streams) -> SorceryState:
        testing, edition = TESTING.of(options), self.edition
        chosen = HAND.of(options)
        cards = edition.cards_at_start if chosen is None else min(chosen, edition.most_cards)
        sides = []
        for seat in range(seats):
            deck = self._deck(options, DECKS[seat])
            if not testing:
                rng["deck", seat].shuffle(deck)
            hand, rest = deck[:cards], deck[cards:]
            rest.reverse()
            life, magic = edition.life_at_start, edition.magic_at_start
            sides.append(Side(life, magic, hand, rest, [], None, []))
        state = SorceryState(sides, testing=testing, patience=PATIENCE.of(options))
        if edition.first_turn_gains:
            engine = Engine(state, Table(rng), edition)
            engine.gain_magic(0, edition.magic_each_turn)
            engine.draw(0)
        return state

    def _deck(self, options: Options, option: Option[str | None]) -> list[CardInstance]:
        text = option.of(options)
        try:
            return list(self._own_deck) if text is None else parse_deck(text, self.edition)
        except DeckError as error:
            raise OptionError(f"option {option.name}: {error}") from error

    @cached_property
    def _own_deck(self) -> tuple[CardInstance, ...]:
        """The deck of a player who names none, read once."""
        text, edition = self._default_deck, self.edition
        if text is not None:
            return tuple(parse_deck(text, edition))
        where = f"edition {edition.name}: default_deck {edition.default_deck!r}"
        try:
            return tuple(parse_deck(packaged_deck(edition.default_deck), edition))
        except (DeckError, UnicodeError) as error:
            raise EditionError(f"{where}: {error}") from error
        except OSError as error:
            raise EditionError(f"{where}: {error.strerror or error}") from error

    @override
    def to_act(self, state: SorceryState) -> Sequence[Seat]:
        return () if state.over else _TURNS[state.turn]

    @override
    def legal_actions(self, state: SorceryState, seat: Seat) -> Sequence[Action]:
        return legal_actions(state, self.edition)

    @override
    def all_actions(self, options: Options, seats: int) -> Sequence[Action]:
        return all_actions(self.edition, testing=TESTING.of(options))

    @override
    def check(self, state: SorceryState, action: Action) -> Action | None:
        if isinstance(action, QuitGame):  # players may quit at any time
            return action
        return super().check(state, action)

    @override
    def why_not(self, state: SorceryState, action: Action) -> str:
        return why_not(state, self.edition, action)

    @override
    def parse(self, text: str, state: SorceryState, seat: Seat) -> Action:
        # Records are read by it: whole words are looked up, and only other lines are parsed.
        known = self._by_text.get(text)
        return super().parse(text, state, seat) if known is None else known

    @cached_property
    def _by_text(self) -> Mapping[str, Action]:
        """The shared actions by their texts."""
        return {str(action): action for action in all_actions(self.edition, testing=True)}

    @override
    def apply(self, state: SorceryState, action: Action, table: Table) -> None:
        carry_out(state, action, table, self.edition)

    @override
    def outcome(self, state: SorceryState) -> Outcome | None:
        if not state.over:
            return None
        if state.quit:
            return Outcome.abandon(2, "quit")
        if state.winner is None:
            return Outcome.draw(2, f"nothing has changed for {state.idle} turns")
        return Outcome.win(state.winner, 2, "the other player has no life left")

    @override
    def catalog(self, match: Match[SorceryState, Action]) -> Mapping[str, CatalogValue]:
        """Return the first hand of each player, and the deck in the order of drawing."""
        columns: dict[str, CatalogValue] = {}
        for number, side in enumerate(match.state.sides, 1):
            columns[f"hand{number}"] = ", ".join(held.card for held in side.hand)
            columns[f"deck{number}"] = ", ".join(held.card for held in reversed(side.deck))
        return columns


def edition_of(game: AnyGame) -> Edition:
    """Return the edition that a game is played with; Spring 2024 for a game that is not Sorcery."""
    return game.edition if isinstance(game, Sorcery) else SPRING_2024
