"""Random streams of the games do not depend on the order of events.

Each stream is derived from the seed and its name.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple

import pytest

from constructor import ConstructorState
from lcr import LcrState
from sorcery import SorceryState, packaged_deck
from tabletop import Match, Random, Streams
from tabletop.registry import installed, load
from tabletop.rng import Draw, StreamName

PLIES = 400
SEED = "one for all"
PLAYERS = ("cautious", "bold", "clumsy")


class Way(NamedTuple):
    """The actions and the draws of a match."""

    actions: tuple[str, ...]
    draws: tuple[Draw, ...]


@cache
def way(game: str, players: str, seats: int | None = None) -> Way:
    """Play a match with random players whose seed is `players`."""
    draws: list[Draw] = []
    match = Match(load(game).game, seed=SEED, seats=seats, on_draw=draws.append)
    for seat in range(match.seats):
        match.set_player(seat, Random(Streams(players)["player", seat]))
    match.run(PLIES)
    return Way(tuple(map(str, match.actions)), tuple(draws))


def name_of(text: str) -> StreamName:
    """Return the name of a stream from its text."""
    parts = tuple(int(part) if part.isdecimal() else part for part in text.split("/"))
    return parts[0] if len(parts) == 1 else parts


# Every game.


@pytest.mark.parametrize("game", installed())
@pytest.mark.parametrize("players", PLAYERS)
def test_draws_of_a_game_equal_its_streams(game: str, players: str) -> None:
    for draw in way(game, players).draws:
        stream = Streams(SEED)[name_of(draw.stream)]
        stream.offset = draw.offset
        assert stream.below(draw.bound) == draw.result


@pytest.mark.parametrize("game", installed())
def test_different_matches_draw_the_same_numbers_at_each_stream_position(
    game: str,
) -> None:
    ways = [way(game, players) for players in PLAYERS]
    held: dict[tuple[str, int, int], set[int]] = defaultdict(set)
    for draw in (draw for one in ways for draw in one.draws):
        held[draw.stream, draw.offset, draw.bound].add(draw.result)
    assert all(len(results) == 1 for results in held.values())
    assert len({one.actions for one in ways}) == (1 if game == "lcr" else 3)  # nobody decides there


# The bundled games.


def test_tenth_die_does_not_depend_on_the_number_of_players() -> None:
    few, many = ([draw.result for draw in way("lcr", "any", seats).draws][:20] for seats in (3, 11))
    assert few == many


def dice_of(seat: int, players: str) -> list[int]:
    return [
        draw.result for draw in way("constructor", players).draws if draw.stream == f"dice/{seat}"
    ]


@pytest.mark.parametrize("seat", range(4))
def test_throws_of_a_builder_do_not_depend_on_other_actions(seat: int) -> None:
    throws = [dice_of(seat, players) for players in PLAYERS]
    shortest = min(map(len, throws))
    assert shortest >= 4
    assert len({tuple(dice[:shortest]) for dice in throws}) == 1


def setup(game: str, **options: Any) -> Any:
    names = {name.replace("_", "-"): value for name, value in options.items()}
    return Match(load(game).game, seed=SEED, options=names).state


def test_the_board_does_not_depend_on_the_variant() -> None:
    boards: list[ConstructorState] = [
        setup("constructor", random_board=True, variant=variant)
        for variant in ("standard", "rich", "scarce", "living")
    ]
    assert len({tuple((tile.kind, tile.value) for tile in board.tiles) for board in boards}) == 1


@pytest.mark.parametrize("game", ["sorcery", "sorcery-2017"])
def test_deck_does_not_depend_on_the_other_players_deck(game: str) -> None:
    names = packaged_deck("default.deck").split("\n")
    usual: SorceryState = setup(game)
    other: SorceryState = setup(game, deck1="\n".join(names[:12]))
    assert other.sides[0] != usual.sides[0]
    assert other.sides[1] == usual.sides[1]


def test_chips_at_the_start_use_no_random_numbers() -> None:
    start: LcrState = setup("lcr")
    assert start == LcrState.start(3)


# Streams of other games.

DECKS = [("deck", 0), ("deck", 1), ("deck", 2)]


def shuffled(streams: Streams, name: StreamName) -> list[int]:
    deck = list(range(40))
    streams[name].shuffle(deck)
    return deck


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_deck_does_not_depend_on_the_order_of_shuffling(order: tuple[int, ...]) -> None:
    streams = Streams(SEED)
    decks = {number: shuffled(streams, DECKS[number]) for number in order}
    assert decks[2] == shuffled(Streams(SEED), DECKS[2])
    assert len({tuple(deck) for deck in decks.values()}) == 3


def test_shuffling_twice_does_not_change_the_other_deck() -> None:
    once, twice = Streams(SEED), Streams(SEED)
    own = shuffled(once, DECKS[0])
    shuffled(twice, DECKS[0])
    assert shuffled(twice, DECKS[0]) != own
    assert shuffled(once, DECKS[1]) == shuffled(twice, DECKS[1])


def test_loot_does_not_depend_on_the_order_of_opening_doors() -> None:
    streams = Streams(SEED)
    doors = {door: streams.at("loot", door).roll(1000) for door in range(20)}
    streams["dice"].roll(6, 5)
    assert {door: streams.at("loot", door).roll(1000) for door in reversed(doors)} == doors
    assert len(set(doors.values())) > 15


def test_spectators_do_not_change_a_match() -> None:
    def played(*watchers: int | None) -> str:
        players = [Random(1), Random(2)]
        match = Match(load("sorcery").game, seed=SEED, players=players)
        sparks = Streams("sparks")["terminal"]

        def draw(event: object) -> None:
            for watcher in watchers:
                match.view(watcher)
                sparks.below(1000)

        match.observe(draw)
        match.run(40)
        return match.digest()

    assert played() == played(None) == played(0, 1, None)
