"""Bots: iterations per second of searches, and wins of the best bots against random players."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import perf_counter
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from benchmarks.common import Contender, Row, Target, optional_module, race
from benchmarks.connect_four_bits import DROPS
from benchmarks.connect_four_bits import GAME as CONNECT_FOUR
from constructor import GAME as CONSTRUCTOR
from constructor import SMALL_PLUGIN, SQUARE_PLUGIN, Builder
from sorcery import GAME as SORCERY
from sorcery import GAME_2017, Duelist
from tabletop import Match, Plugin, Random, Streams
from tabletop.bots import ISMCTS, SearchResult
from tabletop.match import AnyMatch, AnyPlayer
from tabletop.match.playouts import play_on
from tabletop.registry import load
from tabletop.rules import AnyGame
from tabletop.table import Pool, Question

TITLE = "Searches in the middle of a match, and matches won by the best bot against Random"

FOUR_IN_FIVE = Target(0.8, at_least=True)
NINE_IN_TEN = Target(0.9, at_least=True)
MATCHES: Sequence[tuple[str, AnyGame, int, int, Target]] = (
    ("constructor, builder", CONSTRUCTOR, 4, 200, FOUR_IN_FIVE),
    ("constructor-small, builder", SMALL_PLUGIN.game, 4, 50, FOUR_IN_FIVE),
    ("constructor-square, builder", SQUARE_PLUGIN.game, 4, 50, FOUR_IN_FIVE),
    ("sorcery, duelist", SORCERY, 2, 400, NINE_IN_TEN),
    ("sorcery-2017, duelist", GAME_2017, 2, 400, NINE_IN_TEN),
)


SEARCHED: Sequence[tuple[str, int]] = (("sorcery", 2), ("constructor", 4))
"""Games in which a position is searched, with the number of players."""

PARALLEL = Target(1.7, at_least=True)
OURS, PYTHON, CPP = (
    "connect-four, playouts",
    "OpenSpiel's search in Python",
    "OpenSpiel's search in C++",
)
ITERATIONS = "iterations/s"
SEARCH_ITERATIONS, DUELS = 2_000, 40
"""Iterations per move, and matches against a search that takes the same time per move."""

FULL_SECONDS = 2.0
"""Seconds per contender from which all matches are played."""

THREE_IN_TEN = Target(0.3, at_least=True)

OPENING = 30
"""Plies before the position that is searched."""


def run(seconds: float) -> Iterator[Row]:
    """Measure the searches, then play the matches of `MATCHES`, fewer for less than two seconds."""
    yield from _beside_openspiel(seconds)
    for name, seats in SEARCHED:
        yield from _searches(load(name), seats, seconds)
    for what, game, seats, most, target in MATCHES:
        matches = _scaled(most, seconds)
        won = sum(_is_won(game, seats, number) for number in range(matches))
        yield Row(what, won, f"of {matches}", won / matches, "of the matches", target)


def _scaled(matches: int, seconds: float) -> int:
    return max(1, round(matches * min(1, seconds / FULL_SECONDS)))


def _beside_openspiel(seconds: float) -> Iterator[Row]:
    """Compare with OpenSpiel's searches in Connect Four, and play against its fastest one."""
    pyspiel = optional_module("pyspiel")
    searches: dict[str, Contender] = {OURS: _search_connect_four}
    if pyspiel is not None:
        searches |= {how: partial(_search_with_openspiel, how) for how in (PYTHON, CPP)}
    result = race(searches, seconds)
    yield Row(OURS, result.speed(OURS), ITERATIONS)
    if pyspiel is None:
        yield Row("OpenSpiel's searches", note="OpenSpiel is not installed")
        return
    for how in (PYTHON, CPP):
        yield Row(how, result.speed(how), ITERATIONS, result.ratio(how, OURS), "of ours")
    theirs = round(SEARCH_ITERATIONS * result.ratio(CPP, OURS))
    duels = _scaled(DUELS, seconds)
    points = sum(_points_against_openspiel(number, theirs) for number in range(duels))
    what = f"connect-four, {SEARCH_ITERATIONS} iterations against {theirs} in C++"
    yield Row(what, points, f"of {duels}", points / duels, "of the points", THREE_IN_TEN)


def _search_connect_four(iterations: int) -> int:
    """Search the empty board of Connect Four."""
    match: AnyMatch = Match(CONNECT_FOUR, seed="old oak")
    bot = ISMCTS(Streams("search")["bot"], game=CONNECT_FOUR, iterations=iterations)
    bot.choose(match.view(0), match.legal_actions(0), match.sampler(0))
    return iterations


def _search_with_openspiel(how: str, iterations: int) -> int:
    import pyspiel

    game, iterations = (
        pyspiel.load_game("connect_four"),
        max(2, iterations),
    )  # one is too few for it
    _openspiels_bot(how, game, iterations, seed=1).step(game.new_initial_state())
    return iterations


def _openspiels_bot(how: str, game: Any, iterations: int, seed: int) -> Any:
    """Return an OpenSpiel search with its solver and the exploration constant of its examples."""
    import pyspiel

    if how == CPP:
        rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.MCTSBot(game, rollouts, 2.0, iterations, 1000, True, seed, False)
    import numpy as np
    from open_spiel.python.algorithms import mcts

    chance = np.random.RandomState(seed)
    rollouts = mcts.RandomRolloutEvaluator(1, chance)
    return mcts.MCTSBot(game, 2.0, iterations, rollouts, random_state=chance)


def _points_against_openspiel(number: int, iterations: int) -> float:
    """Play a match against the search in C++; return 1 for a win, and 0.5 for a draw."""
    import pyspiel

    game, seat = pyspiel.load_game("connect_four"), number % 2
    state, match = game.new_initial_state(), Match(CONNECT_FOUR, seed=number)
    other = _openspiels_bot(CPP, game, iterations, seed=number)
    bot = ISMCTS(match.bot_stream(seat), game=CONNECT_FOUR, iterations=SEARCH_ITERATIONS)
    match.set_player(seat, bot)
    while not match.over:
        if match.to_act == (seat,):
            state.apply_action(match.step().column)
        else:
            column = other.step(state)
            state.apply_action(column)
            match.play(DROPS[column])
    outcome = match.outcome
    return 0.0 if outcome is None else CONNECT_FOUR.utility(outcome, seat)


def _searches(plugin: Plugin, seats: int, seconds: float) -> Iterator[Row]:
    """Search one position with the evaluation of the game, with playouts, and on two cores."""
    match = _middle(plugin, seats)
    seat = match.to_act[0]
    position = match.view(seat), match.legal_actions(seat), match.sampler(seat)
    name, chance = plugin.game.name, Streams("search")
    for how, evaluate in (("values", plugin.evaluate), ("playouts", None)):
        if how == "values" and evaluate is None:
            continue
        clock = Clock()
        bot = ISMCTS(
            chance[how],
            game=plugin.game,
            seconds=seconds,
            evaluate=None if evaluate is None else clock.timed("values", evaluate),
            policy=plugin.policy,
            belief=plugin.belief,
            **plugin.search,
        )
        view, actions, sampler = position
        timed: Any = SimpleNamespace(seat=seat, sample=clock.timed("redeals", sampler.sample))
        with patch("tabletop.bots.search_bot.play_on", clock.timed("playouts", play_on)):
            bot.choose(view, actions, timed)
        if bot.last_search is not None:
            rate = bot.last_search.iterations / bot.last_search.seconds
            yield Row(f"{name}, {how}", rate, ITERATIONS, note=clock.shares(bot.last_search))
    single = ISMCTS(chance["one"], game=plugin.game, seconds=seconds, **_settings(plugin))
    single.choose(*position)
    if single.last_search is not None:
        rate = asyncio.run(_two_trees(plugin, match, seconds))
        ratio = rate / (single.last_search.iterations / single.last_search.seconds)
        what = f"{name}, two trees in two processes"
        yield Row(what, rate, ITERATIONS, ratio, "times one tree", PARALLEL)


async def _two_trees(plugin: Plugin, match: AnyMatch, seconds: float) -> float:
    """Search a position with two trees, and return their iterations per second."""
    seat, pool = match.to_act[0], Pool(2)
    question = Question.of(
        plugin, f"search:{seconds}s", match.state, seat, stream=match.bot_stream(seat)
    )
    try:
        for _ in range(2):  # the first search includes the time to load the game
            begun = perf_counter()
            answer = await pool.ask_trees(question, 2)
            took = perf_counter() - begun
    finally:
        pool.close()
    return sum(visits for visits, _ in answer.tries.values()) / took


def _middle(plugin: Plugin, seats: int) -> AnyMatch:
    """Return a match in progress, at a position with at least four reasonable actions."""
    match: AnyMatch = Match(plugin.game, seed="old oak", seats=seats)
    for seat in range(seats):
        match.set_player(seat, plugin.bot(plugin.best_bot, match.bot_stream(seat), seat))
    match.run(OPENING)
    while len(_worthwhile(plugin, match)) < 4:
        match.step()
    return match


def _worthwhile(plugin: Plugin, match: AnyMatch) -> Sequence[Any]:
    actions = match.legal_actions()
    return actions if plugin.policy is None else plugin.policy(match.state, actions)


def _settings(plugin: Plugin) -> dict[str, Any]:
    return {
        "evaluate": plugin.evaluate,
        "policy": plugin.policy,
        "belief": plugin.belief,
        **plugin.search,
    }


class Clock:
    """The time spent in each part of a search."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that counts its calls as the given part."""

        def call(*given: Any, **named: Any) -> Any:
            begun = perf_counter()
            try:
                return function(*given, **named)
            finally:
                self.spent[part] = self.spent.get(part, 0.0) + perf_counter() - begun

        return call

    def shares(self, search: SearchResult) -> str:
        """Return each part's share of the time as text. The tree and the rules are the rest."""
        parts = {**self.spent, "the tree": search.seconds - sum(self.spent.values())}
        return ", ".join(
            f"{part} {100 * spent / search.seconds:.0f} %" for part, spent in parts.items()
        )


def _is_won(game: AnyGame, seats: int, number: int) -> bool:
    chance, seat = Streams(f"bots {number}"), number % seats
    players: list[AnyPlayer[Any, Any]] = [Random(chance["random", other]) for other in range(seats)]
    if game in (SORCERY, GAME_2017):
        players[seat] = Duelist(chance["duelist"], game=game)
    else:
        players[seat] = Builder(chance["builder"])
    outcome = Match(game, seed=number, seats=seats, players=players).run()
    return outcome is not None and outcome.winners == (seat,)
