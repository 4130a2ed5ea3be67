"""Alpha-beta search: the moves it finds, its limits, and the games it refuses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

import pytest

from tabletop import Game, Match, Option, Options, Outcome, Seat, State, Streams, Table, state
from tabletop.bots import ISMCTS, AlphaBeta
from tabletop.errors import RegistryError, UsageError
from tabletop.match import AnyMatch
from tabletop.registry import Plugin, load

EXAMPLES = Path(__file__).parents[3] / "examples"
TICTACTOE = str(EXAMPLES / "tictactoe.py")


@state
class Heaps(State):
    """Heaps of stones. The seat that takes the last stone wins."""

    heaps: list[int]
    seat: Seat = 0
    dice: bool = True


class Nim(Game[Heaps, tuple[int, int]]):
    """An action is a heap and the number of stones to take from it."""

    name = "nim"
    sizes: Sequence[int] = (3, 4, 5)

    def setup(self, options: Options, seats: int, rng: Streams) -> Heaps:
        return Heaps(list(self.sizes))

    def to_act(self, state: Heaps) -> Sequence[Seat]:
        return (state.seat,) if any(state.heaps) else ()

    def legal_actions(self, state: Heaps, seat: Seat) -> Sequence[tuple[int, int]]:
        heaps = enumerate(state.heaps)
        return [(heap, number + 1) for heap, size in heaps for number in range(size)]

    def apply(self, state: Heaps, action: tuple[int, int], table: Table) -> None:
        heap, number = action
        state.heaps[heap] -= number
        state.seat = 1 - state.seat

    def outcome(self, state: Heaps) -> Outcome | None:
        return None if any(state.heaps) else Outcome.win(1 - state.seat, 2)


class DrawingNim(Nim):
    """Nim in which the last heap draws a random number."""

    name = "drawing-nim"

    def apply(self, state: Heaps, action: tuple[int, int], table: Table) -> None:
        super().apply(state, action, table)
        if state.dice and not any(state.heaps):
            table.rng["dice"].roll(6)


class OneHeap(Nim):
    """Players take one to three stones, so the value is known long before the end."""

    name = "one-heap"
    sizes = (30,)

    def legal_actions(self, state: Heaps, seat: Seat) -> Sequence[tuple[int, int]]:
        return super().legal_actions(state, seat)[:3]


def with_bot(game: Game[Any, Any], **how: Any) -> tuple[AnyMatch, AlphaBeta[Any, Any]]:
    match: AnyMatch = Match(game, seed="oak")
    bot = AlphaBeta(match.bot_stream(0), game=game, **how)
    match.set_player(0, bot)
    return match, bot


def test_alpha_beta_finds_the_only_winning_action_of_nim() -> None:
    match, bot = with_bot(Nim(), iterations=100)
    assert match.step() == (0, 2)  # leaves 1, 4 and 5, whose binary sum is 0
    assert bot.last_search is not None
    assert bot.last_search.value == 1.0


def test_alpha_beta_stops_as_soon_as_all_replies_are_known() -> None:
    _, bot = with_bot(Nim(), iterations=100)
    bot.choose(Heaps([1, 1]), [(0, 1), (1, 1)], Match(Nim(), state=Heaps([1, 1])).sampler(0))
    assert bot.last_search is not None
    assert bot.last_search.iterations == 2


@state
class History(State):
    """Heaps, and the sizes of all heaps before."""

    heaps: list[int]
    seat: Seat = 0
    seen: list[list[int]] = field(default_factory=list)


class NimWithHistory(Nim):
    """Nim that keeps all earlier positions in the state."""

    def setup(self, options: Options, seats: int, rng: Streams) -> Any:
        return History(list(self.sizes))

    def apply(self, state: Any, action: tuple[int, int], table: Table) -> None:
        state.seen.append(list(state.heaps))
        super().apply(state, action, table)


class NimWithKey(NimWithHistory):
    def search_key(self, state: Heaps) -> tuple[object, ...]:
        return tuple(state.heaps), state.seat


def test_a_search_key_without_the_history_finds_the_same_value_with_fewer_positions() -> None:
    searches = []
    for game in (Nim(), NimWithKey(), NimWithHistory()):
        match, bot = with_bot(game, iterations=6)
        match.step()
        assert bot.last_search is not None
        searches.append((bot.last_search.value, bot._positions))
    assert searches[0] == searches[1]
    assert searches[2][0] == searches[0][0]
    assert searches[2][1] > 1.5 * searches[0][1]


def test_alpha_beta_prefers_the_fastest_win() -> None:
    match = Match(Nim(), state=Heaps([4]), seed="oak")
    match.set_player(0, AlphaBeta(match.bot_stream(0), game=Nim(), iterations=9))
    match.step()
    assert match.over


def test_alpha_beta_delays_a_certain_defeat() -> None:
    match = Match(OneHeap(), state=Heaps([8]), seed="oak")
    bot = AlphaBeta(match.bot_stream(0), game=OneHeap(), iterations=9)
    match.set_player(0, bot)
    match.step()
    assert bot.last_search is not None
    assert bot.last_search.value == 0.5  # of depth 3, before depth 4 shows the defeat


@state
class Row(State):
    """A row of coins, and the values that each seat has taken from its left end."""

    coins: list[int]
    taken: list[int] = field(default_factory=lambda: [0, 0])
    seat: Seat = 0
    passes: int = 0


class Taking(Game[Row, str]):
    """Players take the next coin or pass. Two passes end the match."""

    name = "taking"

    def setup(self, options: Options, seats: int, rng: Streams) -> Row:
        return Row([1, 9, 1, 1])

    def to_act(self, state: Row) -> Sequence[Seat]:
        return (state.seat,) if state.coins and state.passes < 2 else ()

    def legal_actions(self, state: Row, seat: Seat) -> Sequence[str]:
        return ["take", "pass"]

    def apply(self, state: Row, action: str, table: Table) -> None:
        state.passes += 1
        if action == "take":
            state.taken[state.seat] += state.coins.pop(0)
            state.passes = 0
        state.seat = 1 - state.seat

    def outcome(self, state: Row) -> Outcome | None:
        return None if self.to_act(state) else Outcome.by_score(state.taken)


def lead(state: Row, seat: Seat) -> float:
    return 0.5 + 0.01 * (state.taken[seat] - state.taken[1 - seat])


def only_takes(state: Row, actions: Sequence[str]) -> Sequence[str]:
    return [action for action in actions if action == "take"]


@pytest.mark.parametrize(("loud", "action"), [(None, "take"), (only_takes, "pass")])
def test_loud_replies_are_searched_beyond_the_depth(loud: Any, action: str) -> None:
    match, bot = with_bot(Taking(), iterations=1, evaluate=lead, loud=loud)
    assert match.step() == action
    assert bot.last_search is not None
    assert bot.last_search.iterations == 1


def test_a_player_may_stop_after_each_loud_action() -> None:
    match, bot = with_bot(Taking(), iterations=1, evaluate=lead, loud=only_takes)
    match.step()
    assert bot.last_search is not None
    assert bot.last_search.value == 0.5  # the opponent does not take the 1 in front of the 9


def test_a_long_sequence_of_loud_actions_is_cut_off() -> None:
    match = Match(Taking(), state=Row([1] * 2000), seed="oak")
    bot = AlphaBeta(
        match.bot_stream(0), game=Taking(), iterations=1, evaluate=lead, loud=only_takes
    )
    match.set_player(0, bot)
    assert match.step() == "take"


def test_loud_actions_that_all_end_the_match_do_not_end_the_search() -> None:
    match = Match(Taking(), state=Row([1, 9]), seed="oak")
    bot = AlphaBeta(
        match.bot_stream(0), game=Taking(), iterations=2, evaluate=lead, loud=only_takes
    )
    match.set_player(0, bot)
    match.step()
    assert bot.last_search is not None
    assert bot.last_search.iterations == 2  # passes have not been searched to the end


def test_the_levels_of_a_game_with_loud_actions_are_alpha_beta_searches() -> None:
    plugin = Plugin(Taking(), evaluate=lead, loud=only_takes)
    bots = [plugin.bot(level, Streams("x")["choices"]) for level in ("easy", "fair", "hard")]
    assert all(isinstance(bot, AlphaBeta) and bot._loud is only_takes for bot in bots)


@pytest.mark.slow
def test_two_alpha_beta_bots_draw_every_match_of_tictactoe() -> None:
    plugin = load(TICTACTOE)
    for seed in range(5):
        match: AnyMatch = Match(plugin.game, seed=seed)
        for seat in (0, 1):
            match.set_player(seat, plugin.bot("alphabeta:9", match.bot_stream(seat), seat))
        match.run()
        assert match.outcome is not None
        assert match.outcome.is_draw


def test_a_depth_is_the_same_on_every_run() -> None:
    searches = []
    for _ in range(2):
        match, bot = with_bot(OneHeap(), iterations=6)
        match.step()
        assert bot.last_search is not None
        searches.append((bot.last_search.action, bot.last_search.value, bot.last_search.iterations))
    assert searches[0] == searches[1]


def test_a_limit_of_positions_ends_the_search_between_two_depths() -> None:
    match, bot = with_bot(Nim(), iterations=100, positions=500)
    match.step()
    assert bot.last_search is not None
    assert 1 < bot.last_search.iterations < 8


def test_a_budget_in_seconds_searches_as_deep_as_it_can() -> None:
    bot = load(TICTACTOE).bot("alphabeta:0.01s", Streams("x")["choices"])
    assert isinstance(bot, AlphaBeta)
    match: AnyMatch = Match(load(TICTACTOE).game, seed="oak", players=[bot, bot])
    assert match.step() is not None


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("pig.py", "two players"),
        ("kuhn_poker.py", "secrets"),
        ("backgammon.py", "random numbers"),
    ],
)
def test_a_game_that_alpha_beta_cannot_play_is_refused_with_the_reason(
    file: str, reason: str
) -> None:
    plugin = load(str(EXAMPLES / file))
    with pytest.raises(RegistryError, match=reason):
        plugin.bot("alphabeta:2", Streams("x")["choices"])


def test_a_game_that_draws_at_its_end_is_refused() -> None:
    with pytest.raises(ValueError, match="random numbers"):
        with_bot(DrawingNim(), iterations=2)


def test_a_game_with_simultaneous_choices_is_refused() -> None:
    class Both(Nim):
        def to_act(self, state: Heaps) -> Sequence[Seat]:
            return (0, 1) if any(state.heaps) else ()

    with pytest.raises(ValueError, match="at the same time"):
        with_bot(Both(), iterations=2)


class SometimesDrawing(DrawingNim):
    """Nim that draws a random number only with an option."""

    options = (Option("dice", False, "Whether the last stone rolls a die"),)

    def setup(self, options: Options, seats: int, rng: Streams) -> Heaps:
        return Heaps([2, 2], dice=bool(options["dice"]))


def test_a_draw_that_depends_on_an_option_ends_the_search_with_an_error() -> None:
    game = SometimesDrawing()
    match: AnyMatch = Match(game, seed="oak", options={"dice": True})
    match.set_player(0, AlphaBeta(match.bot_stream(0), game=game, iterations=9))
    with pytest.raises(UsageError, match="random numbers"):
        match.step()


def rate(state: Heaps, seat: Seat) -> float:
    return 0.5


@pytest.mark.parametrize(
    ("plugin", "kind"),
    [
        (Plugin(Nim(), evaluate=rate), AlphaBeta),
        (Plugin(Nim()), ISMCTS),
        (Plugin(DrawingNim(), evaluate=rate), ISMCTS),
    ],
    ids=["suitable", "without evaluate", "with draws"],
)
def test_hard_is_alpha_beta_in_suitable_games_with_evaluate(
    plugin: Plugin, kind: type[object]
) -> None:
    assert isinstance(plugin.bot("hard", Streams("x")["choices"]), kind)


def test_hard_plays_on_with_tree_search_if_an_option_adds_random_draws() -> None:
    plugin = Plugin(SometimesDrawing(), evaluate=rate)
    match: AnyMatch = Match(plugin.game, seed="oak", options={"dice": True})
    bot = plugin.bot("hard", match.bot_stream(0))
    assert isinstance(bot, AlphaBeta)
    match.set_player(0, bot)
    assert match.step() in bot.statistics
    assert bot.last_search is not None


def test_hard_is_a_tree_search_if_the_rules_fail_in_random_matches() -> None:
    class Failing(Nim):
        def apply(self, state: Heaps, action: tuple[int, int], table: Table) -> None:
            raise ZeroDivisionError

    bot = Plugin(Failing(), evaluate=rate).bot("hard", Streams("x")["choices"])
    assert isinstance(bot, ISMCTS)


@pytest.mark.parametrize("how", [{"positions": 0}, {"iterations": 0}])
def test_a_limit_below_1_is_refused(how: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        with_bot(Nim(), **{"iterations": 2, **how})
