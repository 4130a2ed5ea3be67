"""The game class: setup, turns, options and the outcome (Sorcery 2024 §1.2, §2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from sorcery.cards.editions import (
    SPRING_2024,
    DeckError,
    Edition,
    EditionError,
    packaged_deck,
    parse_deck,
)
from sorcery.cards.errors import ActionAborted
from sorcery.cards.state import PLACES, CardInstance, Side, SorceryState
from sorcery.rules.actions import COMMANDS, Action, EndTurn, QuitGame, commands_of
from sorcery.rules.apply_actions import carry_out
from sorcery.rules.engine import Engine
from sorcery.rules.legal import all_actions, legal_actions, why_not
from tabletop import (
    ContractError,
    Option,
    OptionError,
    Options,
    Outcome,
    Seat,
    SecretGame,
    Streams,
    Table,
)
from tabletop.rng import Vocabulary
from tabletop.rules import AnyGame, CatalogValue

if TYPE_CHECKING:
    from tabletop import Match

_TURNS: Final = ((0,), (1,))

NO_LIFE: Final = "the other player has no life left"  # the reason of a victory

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

DECKS: Final = tuple(
    Option(
        f"deck{player}",
        kind=str,
        label=f"Deck of player {player}",
        help=f"Player {player}'s deck: names of cards, one per line.",
    )
    for player in (1, 2)
)
TESTING: Final = Option(
    "testing",
    default=False,
    label="Testing mode",
    help="Testing mode: decks in order, commands draw and discard, no card is too expensive.",
)
HAND: Final = Option(
    "hand",
    kind=int,
    low=0,
    high=PLACES,
    label="Cards at the start",
    help="Cards in each hand at the start, by default as the edition specifies.",
)
PATIENCE: Final = Option(
    "patience",
    default=50,
    low=0,
    label="Draw after idle turns",
    help="Number of turns without any change after which the game is a draw, or 0 for no limit.",
)
OPTIONS: Final = (*DECKS, TESTING, PATIENCE, HAND)
"""The options of the game.

Under the rules of the document, a game may never end, for example if all cards are used up and no
minion is left. People notice this and quit. Simulations do not notice, so `patience` ends such
games. The program `sorcery` sets no limit.
"""


class Sorcery(SecretGame[SorceryState, Action]):
    """The rules of one edition for two players with a deck each. A player without life loses.

    Args:
        edition: Numbers and cards of the game.
        name: Name of the game, by default that of the edition.
        title: Name of the game for people. The default is the title of the edition. If `name`
            differs from the name of the edition's game, it follows the title.
        deck: Deck of a player who does not choose a deck, as the text of a deck file. The default
            is the default deck of the edition.
    """

    version = "1"
    seats = range(2, 3)
    options = OPTIONS
    commands = COMMANDS
    words = WORDS
    lists_every_action = False  # `quit` is always possible but never listed
    views_forget = True  # a minion that returns to a hand is as hidden as any other card there

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
        """Return the names of the cards in the edition."""
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
        """The deck of a player who does not choose a deck. It is parsed only once."""
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
    def after_fault(
        self, state: SorceryState, seat: Seat, error: ContractError
    ) -> Sequence[Action]:
        """End the turn of a bot whose action was aborted, or else the match."""
        return (EndTurn(), QuitGame()) if isinstance(error.__cause__, ActionAborted) else ()

    @override
    def check(self, state: SorceryState, action: Action) -> Action | None:
        if isinstance(action, QuitGame):  # quitting is legal at any time
            return action
        return super().check(state, action)

    @override
    def why_not(self, state: SorceryState, action: Action) -> str:
        return why_not(state, self.edition, action)

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
        return Outcome.win(state.winner, 2, NO_LIFE)

    @override
    def catalog(self, match: Match[SorceryState, Action]) -> Mapping[str, CatalogValue]:
        """Return each player's first hand, and each deck in the order of drawing."""
        columns: dict[str, CatalogValue] = {}
        for number, side in enumerate(match.state.sides, 1):
            columns[f"hand{number}"] = ", ".join(card.card for card in side.hand)
            columns[f"deck{number}"] = ", ".join(card.card for card in reversed(side.deck))
        return columns


def edition_of(game: AnyGame) -> Edition:
    """Return the edition of a game, or Spring 2024 if the game is not Sorcery."""
    return game.edition if isinstance(game, Sorcery) else SPRING_2024
