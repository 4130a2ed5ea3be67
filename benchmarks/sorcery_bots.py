"""How often the Duelist beats a random player at Sorcery, and how fast it decides."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

from benchmarks.common import Row, Target
from benchmarks.play import DECISIONS
from sorcery import GAME, GAME_2017, Sorcery, SorceryState
from sorcery.actions import Action
from sorcery.bots import Duelist
from sorcery.decks import packaged_deck
from tabletop import Match, Options, Random, Streams
from tabletop.players import AnyPlayer

TITLE = (
    "Sorcery: matches that Duelist wins against Random, of 400 and of 100; it begins every other"
)

AT_LEAST = Target(0.9, at_least=True)
CUSTOM = packaged_deck("custom.deck")
MATCHES: tuple[tuple[Sorcery, str, Options, int, Target | None], ...] = (
    (GAME, "the default deck", {}, 400, AT_LEAST),
    (GAME_2017, "the default deck", {}, 400, AT_LEAST),
    (GAME_2017, "the custom deck", {"deck1": CUSTOM, "deck2": CUSTOM}, 100, None),
)


def run(seconds: float) -> Iterator[Row]:
    """Play that many matches, however long it takes."""
    for game, deck, options, matches, target in MATCHES:
        won = sum(_is_won(game, options, number) for number in range(matches))
        ratio = won / matches
        yield Row(f"{game.title}, {deck}", won, f"of {matches}", ratio, "of the matches", target)
    yield Row("between two Duelists", _speed(seconds), DECISIONS)


def _is_won(game: Sorcery, options: Options, number: int) -> bool:
    chance, seat = Streams(f"bots {number}"), number % 2
    players: list[AnyPlayer[SorceryState, Action]] = [Random(chance["random"])] * 2
    players[seat] = Duelist(chance["duelist"], game=game)
    outcome = Match(game, seed=number, options=options, players=players).run()
    return outcome is not None and outcome.winners == (seat,)


def _speed(seconds: float) -> float:
    """Decisions a second."""
    decisions, started = 0, process_time()
    while process_time() - started < seconds:
        chance = Streams(f"speed {decisions}")
        players = [Duelist(chance["duelist", seat], game=GAME) for seat in range(2)]
        match = Match(GAME, seed=decisions, players=players)
        match.run()
        decisions += match.ply
    return decisions / (process_time() - started)
