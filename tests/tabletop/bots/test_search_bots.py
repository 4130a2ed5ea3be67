"""Search bots: what their choices depend on, and how well they choose."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import (
    ContractError,
    Game,
    Match,
    Options,
    Outcome,
    Sampler,
    Seat,
    SecretGame,
    State,
    Streams,
    Table,
    TabletopError,
    secret,
    state,
)
from tabletop.bots import ISMCTS, Budget, Expectimax, FlatMonteCarlo, SearchBot
from tabletop.match import AnyMatch
from tabletop.registry import load
from tests.hashes import printed
from tests.tabletop.games import cards

EXAMPLES = Path(__file__).parents[3] / "examples"
TICTACTOE = str(EXAMPLES / "tictactoe.py")
DUEL = str(EXAMPLES / "simultaneous.py")

every_kind = pytest.mark.parametrize("kind", [ISMCTS, FlatMonteCarlo, Expectimax])


def tricks() -> AnyMatch:
    return Match(cards.GAME, seed="oak", seats=3)


def example(name: str) -> AnyMatch:
    return Match(load(name).game, seed="oak")


def thinking(match: AnyMatch, kind: Any = ISMCTS, **how: Any) -> list[Any]:
    """Return one bot of a class for each seat."""
    how.setdefault("iterations", 12)
    bots = [kind(match.bot_stream(it), game=match.game, **how) for it in range(match.seats)]
    for seat, bot in enumerate(bots):
        match.set_player(seat, bot)
    return bots


# The same seed and position give the same move.


@every_kind
@pytest.mark.parametrize("make", [tricks, partial(example, DUEL)], ids=["tricks", "duel"])
def test_bots_play_the_same_after_undo_and_redo_on_a_clone_and_from_a_pickle(
    kind: Any, make: Any
) -> None:
    match: AnyMatch = make()
    thinking(match, kind)
    match.run(8)
    course = match.actions
    match.undo(6)
    twins: list[AnyMatch] = [match.clone()]
    twins += [pickle.loads(pickle.dumps(match))] if match.game is cards.GAME else []
    match.redo(2)
    match.run(4)
    assert match.actions == course
    for twin in twins:
        thinking(twin, kind)
        twin.run(6)
        assert twin.actions == course


@every_kind
def test_one_draw_seeds_a_search_and_a_single_action_needs_none(kind: Any) -> None:
    match = tricks()
    chance = match.clone().bot_stream(0)
    chance.below(1 << 62)
    [bot, *_] = thinking(match, kind)
    match.step(0)
    assert match.bot_offsets() == {0: chance.offset}
    assert bot.last_search.iterations == 12
    [action, *_] = match.legal_actions(1)
    alone = kind(match.bot_stream(1), game=match.game, iterations=5)
    assert alone.choose(match.view(1), [action], match.sampler(1)) == action
    assert match.bot_stream(1).offset == 0
    assert alone.last_search is None


MOVES = """
from tabletop import Match
from tabletop.bots import ISMCTS, Budget, Expectimax, FlatMonteCarlo, SearchBot
from tabletop.registry import load
for name in ("sorcery", "constructor"):
    match = Match(load(name).game, seed="oak")
    for seat in range(match.seats):
        chance = match.bot_stream(seat)
        bot = ISMCTS(chance, game=match.game, iterations=30, evaluate=lambda state, seat: 0.5)
        match.set_player(seat, bot)
    match.run(6)
    print(*map(repr, match.actions))
"""


@pytest.mark.slow
def test_the_hash_seed_of_python_changes_no_move() -> None:
    [moves] = printed(MOVES)
    assert moves.count("\n") == 2


def test_sums_and_roots_are_the_same_on_every_python() -> None:
    """Choices must not depend on the machine or the version of Python."""
    match = tricks()
    bots = thinking(match, iterations=40)
    match.run(9)
    assert [action.card for action in match.actions] == [24, 6, 3, 1, 10, 15, 17, 14, 16]
    assert [bot.last_search.value for bot in bots] == [0.7222222222222222, 0.95, 0.5]


# Hidden information has no influence.


@every_kind
@given(seed=st.integers(0, 10**6), plies=st.integers(0, 14), other=st.integers(0, 10**6))
def test_positions_with_the_same_view_are_played_alike(
    kind: Any, seed: int, plies: int, other: int
) -> None:
    match: AnyMatch = Match(cards.GAME, seed=seed, seats=3)
    while match.ply < plies and not match.over:
        match.play(match.legal_actions(match.to_act[0])[0])
    if match.over:
        return
    seat, game = match.to_act[0], match.game
    dealt = game.redeal(match.state, seat, Streams(other)["deal"])
    choices = [
        kind(Streams("own")["chance"], game=game, iterations=9).choose(
            game.view(real, seat), game.legal_actions(real, seat), Sampler(game, real, seat)
        )
        for real in (match.state, dealt)
    ]
    assert choices[0] == choices[1]


# The quality of choices.


@pytest.mark.parametrize(("moves", "best"), [("1425", "3"), ("145", "9")])
def test_a_win_is_taken_and_a_win_of_the_opponent_prevented(moves: str, best: str) -> None:
    match = example(TICTACTOE)
    for move in moves:
        match.play(match.parse(move))
    bots = thinking(match, iterations=300)
    seat = match.to_act[0]
    assert str(match.step()) == best
    thought = bots[seat].last_search
    assert (str(thought.action), thought.iterations) == (best, 300)
    assert 0 <= thought.value <= 1
    assert 0.3 < thought.share <= 1


@pytest.mark.parametrize("kind", [FlatMonteCarlo, Expectimax])
def test_bots_without_a_tree_take_a_win(kind: Any) -> None:
    match = example(TICTACTOE)
    for move in "1425":
        match.play(match.parse(move))
    [bot, _] = thinking(match, kind, iterations=50)
    assert str(match.step()) == "3"
    assert bot.last_search.value == 1.0


@pytest.mark.slow
def test_simultaneous_choices_are_mixed() -> None:
    """No choice is best, so over many seeds each is chosen about equally often."""
    game = load(DUEL).game
    chosen: Counter[str] = Counter()
    for number in range(45):
        match: AnyMatch = Match(game, seed=number)
        seat = number % 2
        bot = ISMCTS(match.bot_stream(seat), game=game, iterations=120)
        match.set_player(seat, bot)
        chosen[match.step(seat).shape] += 1
        assert bot.last_search is not None
        assert 0.2 < bot.last_search.value < 0.8
    assert min(chosen.values()) >= 7, chosen


SIDES = ("heads", "tails")


def is_own(state: Any, seat: Seat | None, side: Side) -> bool:
    """Check whether a seat owns a side."""
    return seat == side.seat


@dataclass(frozen=True, slots=True)
class Side:
    """Heads or tails, in secret."""

    seat: Seat
    side: str = secret(to=is_own, back="?")


def is_first(state: Any, seat: Seat | None, owner: Seat | None) -> bool:
    """Check whether a seat may see the side of seat 0."""
    return seat == 0


@state
class Pennies(State):
    """The sides that both seats have chosen."""

    first: str = secret(to=is_first, back="?", choices=SIDES, default="")
    second: str = ""


class MatchingPennies(SecretGame[Pennies, Side]):
    """Both seats choose a side in secret, one after the other. Seat 1 wins if they match."""

    name = "pennies"

    def setup(self, options: Options, seats: int, rng: Streams) -> Pennies:
        return Pennies()

    def to_act(self, state: Pennies) -> Sequence[Seat]:
        return () if state.second else (1,) if state.first else (0,)

    def legal_actions(self, state: Pennies, seat: Seat) -> Sequence[Side]:
        return [Side(seat, side) for side in SIDES]

    def apply(self, state: Pennies, action: Side, table: Table) -> None:
        if action.seat:
            state.second = action.side
        else:
            state.first = action.side

    def outcome(self, state: Pennies) -> Outcome | None:
        return None if self.to_act(state) else Outcome.win(int(state.first == state.second), 2)


def test_no_seat_in_the_tree_sees_a_secret_choice_of_another() -> None:
    """If seat 1 saw the choice, it would always win, and seat 0 would expect to lose."""
    match: AnyMatch = Match(MatchingPennies(), seed="secret")
    first, second = thinking(match, iterations=400)
    match.run()
    assert 0.35 < first.last_search.value < 0.65
    assert 0.35 < second.last_search.value < 0.65


# Beliefs.


def pennies(kind: Any, belief: Any, **how: Any) -> Any:
    """Return the choice and the search result of seat 1, which cannot see the first choice."""
    match: AnyMatch = Match(MatchingPennies(), seed="belief")
    match.play(Side(0, "heads"))
    bot = thinking(match, kind, belief=belief, **{"iterations": 60, **how})[1]
    match.step()
    return match.state.second, bot.last_search


@every_kind
@pytest.mark.parametrize("likely", SIDES)
def test_states_are_weighted_by_the_belief(kind: Any, likely: str) -> None:
    def belief(state: Pennies, seat: Seat) -> float:
        assert seat == 1
        return 0.09 if state.first == likely else 0.01

    side, thought = pennies(kind, belief, iterations=400)
    assert side == likely
    assert thought.value == pytest.approx(0.9, abs=0.1)


def test_states_are_sampled_in_proportion_to_their_weights() -> None:
    match: AnyMatch = Match(MatchingPennies(), seed="weights")
    match.play(Side(0, "heads"))
    seen: Counter[str] = Counter()

    class Asking(FlatMonteCarlo[Any, Any]):
        def _search(self, actions: Any, sampler: Sampler[Any], streams: Streams) -> Any:
            chance = streams["more"]
            states = [sampler.sample(chance) for _ in range(2000)]
            seen.update(state.first for state in states)
            assert len({id(state) for state in states}) == 2000, "the caller may change it"
            return super()._search(actions, sampler, streams)

    weights = {"heads": 0.002, "tails": 0.006}
    thinking(match, Asking, belief=lambda state, seat: weights[state.first])
    match.step()
    assert seen["tails"] / 2000 == pytest.approx(0.75, abs=0.05)


def test_a_belief_that_excludes_everything_is_ignored() -> None:
    _, thought = pennies(ISMCTS, lambda state, seat: 0.0, iterations=200)
    assert thought.value == pytest.approx(0.5, abs=0.15)


@every_kind
def test_with_a_belief_the_same_seed_and_position_give_the_same_result(kind: Any) -> None:
    def belief(state: Pennies, seat: Seat) -> float:
        return 0.5 if state.first == "heads" else 0.4

    first, again = (pennies(kind, belief)[1] for _ in range(2))
    assert (first.action, first.value) == (again.action, again.value)


@pytest.mark.parametrize("value", [-0.1, 1.5, float("nan"), "0.5", None])
def test_a_belief_out_of_range_is_named(value: Any) -> None:
    with pytest.raises(ContractError) as caught:
        pennies(ISMCTS, lambda state, seat: value)
    named = f"pennies: belief returned {value!r}, not a number from 0.0 to 1.0 "
    assert str(caught.value).startswith(named)


def test_a_belief_that_fails_is_named_with_its_error() -> None:
    with pytest.raises(
        ContractError, match=r"^pennies: .*\bbelief\b.*: ZeroDivisionError"
    ) as caught:
        pennies(ISMCTS, lambda state, seat: 1 / 0)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_search_ends_at_its_limit_of_random_choices() -> None:
    match = tricks()
    [bot, *_] = thinking(match, iterations=1000, choices=500)
    match.step(0)
    assert 10 < bot.last_search.iterations < 200
    [_, other, _] = thinking(match, iterations=50, choices=10**6)
    match.step(1)
    assert other.last_search.iterations == 50


@state
class Ways(State):
    """The way of seat 0, and the points of each seat."""

    way: str = ""
    points: list[int] | None = None


class Gamble(Game[Ways, str]):
    """Seat 0 takes a point, or rolls a die for three. Other seats have no choices."""

    name = "gamble"
    seats = range(2, 5)
    faces = 6

    def setup(self, options: Options, seats: int, rng: Streams) -> Ways:
        return Ways("", [0] * seats)

    def to_act(self, state: Ways) -> Sequence[Seat]:
        return () if state.way else (0,)

    def legal_actions(self, state: Ways, seat: Seat) -> Sequence[str]:
        return ["throw", "give up"]

    def apply(self, state: Ways, action: str, table: Table) -> None:
        state.way = action
        if state.points is not None and action == "throw":
            state.points[0 if table.rng["die"].below(self.faces) else 1] = 3

    def outcome(self, state: Ways) -> Outcome | None:
        return Outcome.by_score(state.points or []) if state.way else None


class Trap(Gamble):
    """Seat 0 or all seats may enter a state from which the rules break off every action."""

    together = False

    def to_act(self, state: Ways) -> Sequence[Seat]:
        if state.way in {"", "in"}:
            return (0, 1) if self.together else (0,)
        return ()

    def legal_actions(self, state: Ways, seat: Seat) -> Sequence[str]:
        return ["on"] if state.way else ["in", "out"]

    def apply(self, state: Ways, action: str, table: Table) -> None:
        if action == "on":
            raise TabletopError("there is no way on")
        state.way = action


@pytest.mark.parametrize("together", [False, True])
def test_actions_that_the_rules_break_off_have_the_value_0(together: bool) -> None:
    game = Trap()
    game.together = together
    match: AnyMatch = Match(game, seed="trap")
    bot = ISMCTS(match.bot_stream(0), game=game, iterations=60, evaluate=lambda state, seat: 0.9)
    chosen = bot.choose(match.state, match.legal_actions(0), match.sampler(0))
    assert chosen == "out"
    assert sum(visits for visits, _ in bot.statistics.values()) == 60


@every_kind
@pytest.mark.parametrize(("faces", "best"), [(6, "throw"), (1, "give up")])
def test_random_events_count_by_their_mean(kind: Any, faces: int, best: str) -> None:
    """A draw has the value 0.5, and the gamble 5/6 or 0."""
    game = Gamble()
    game.faces = faces
    match: AnyMatch = Match(game, seed="die", seats=4)
    [bot, *_] = thinking(match, kind, iterations=80)
    assert match.step() == best
    assert bot.last_search.value == pytest.approx(0.5 if best == "give up" else 5 / 6, abs=0.15)


@pytest.mark.slow
def test_in_a_game_of_several_seats_each_seat_plays_for_itself() -> None:
    """The highest card takes the trick, and four tricks win the match."""
    won = 0
    for number in range(8):
        match: AnyMatch = Match(cards.GAME, seed=number, seats=3)
        seat = number % 3
        for other in range(3):
            iterations = 40 if other == seat else 1
            bot = ISMCTS(match.bot_stream(other), game=match.game, iterations=iterations)
            match.set_player(other, bot)
        outcome = match.run()
        won += outcome is not None and seat in outcome.winners
    assert won >= 5


# `evaluate`, `policy`, budgets and usage errors.


@every_kind
def test_evaluate_decides_and_a_policy_limits_the_searched_actions(kind: Any) -> None:
    match = example(TICTACTOE)

    def likes_corner(board: Any, seat: Seat) -> float:
        return 0.9 if board.cells[8] == "xo"[seat] else 0.1

    def no_middle(board: Any, actions: Sequence[Any]) -> Sequence[Any]:
        return [it for it in actions if it.cell != 4] or actions

    how: dict[str, Any] = {"plies": 0} if kind is FlatMonteCarlo else {}
    thinking(match, kind, iterations=60, evaluate=likes_corner, policy=no_middle, **how)
    assert str(match.step()) == "9"


@every_kind
def test_a_policy_that_leaves_one_action_prevents_a_search(kind: Any) -> None:
    match = example(TICTACTOE)
    [bot, _] = thinking(match, kind, iterations=10**9, policy=lambda board, actions: actions[3:4])
    assert str(match.step()) == "4"
    assert bot.last_search is None


class Endless(Gamble):
    """A game that never ends."""

    def to_act(self, state: Ways) -> Sequence[Seat]:
        return (0,)

    def outcome(self, state: Ways) -> Outcome | None:
        return None


@every_kind
def test_playouts_of_an_endless_game_are_limited(kind: Any) -> None:
    match: AnyMatch = Match(Endless(), seed="on", seats=2)
    [bot, _] = thinking(match, kind, iterations=3)
    match.step()
    assert bot.last_search.value == 0.5, "neither won nor lost"


class Alarm(Gamble):
    """All seats choose simultaneously, and a seat that takes the point ends the round."""

    def to_act(self, state: Ways) -> Sequence[Seat]:
        return () if state.way.endswith("!") or len(state.way) > 2 else (0, 1)

    def legal_actions(self, state: Ways, seat: Seat) -> Sequence[Any]:
        return [Call(seat, "!"), Call(seat, ".")]

    def apply(self, state: Ways, action: Any, table: Table) -> None:
        assert self.to_act(state)
        state.way += action.call
        if action.call == "!" and state.points is not None:
            state.points[action.seat] = 1

    def outcome(self, state: Ways) -> Outcome | None:
        return None if self.to_act(state) else Outcome.by_score(state.points or [])


@dataclass(frozen=True, slots=True)
class Call:
    """An exclamation mark ends the round."""

    seat: Seat
    call: str


@every_kind
@pytest.mark.parametrize("seat", [0, 1])
def test_a_choice_may_end_the_simultaneous_move_of_all_seats(kind: Any, seat: Seat) -> None:
    match: AnyMatch = Match(Alarm(), seed="ring", seats=2)
    bot = thinking(match, kind, iterations=60)[seat]
    assert match.step(seat) == Call(seat, "!")
    assert bot.last_search.value == 1.0


@every_kind
def test_a_solo_game_is_rated_by_evaluate_at_the_end(kind: Any) -> None:
    """Without `evaluate`, all outcomes of a solo game have the same value."""

    class Alone(Gamble):
        seats = range(1, 3)

        def apply(self, state: Ways, action: str, table: Table) -> None:
            state.way = action

    match: AnyMatch = Match(Alone(), seed="one", seats=1)
    thinking(match, kind, evaluate=lambda state, seat: 0.8 if state.way == "give up" else 0.2)
    assert match.step() == "give up"


@every_kind
def test_a_search_stops_after_its_time_and_when_stopped(kind: Any) -> None:
    match = example(TICTACTOE)
    bots = thinking(match, kind, iterations=None, seconds=0.02)
    match.step()
    assert 0.02 <= bots[0].last_search.seconds < 5
    bots = thinking(match, kind, iterations=10**9)
    timer = Timer(0.02, bots[1].stop)
    timer.start()
    match.step()
    assert 0 < bots[1].last_search.iterations < 10**9


@every_kind
def test_a_stop_before_the_search_affects_only_the_next_search(kind: Any) -> None:
    match = example(TICTACTOE)
    bots = thinking(match, kind, iterations=3)
    bots[0].stop()
    match.step()
    assert bots[0].last_search.iterations == 1
    match.step()
    match.step()
    assert bots[0].last_search.iterations == 3


@pytest.mark.parametrize(
    ("text", "budget"),
    [("1000", Budget(1000)), ("2s", Budget(seconds=2)), ("0.5s", Budget(seconds=0.5))],
)
def test_a_budget_is_parsed(text: str, budget: Budget) -> None:
    assert Budget.parse(text) == budget


@pytest.mark.parametrize("text", ["", "s", "1_000", "1e3", "-1s", "nans", "2 s", "\u0663"])
def test_text_that_is_not_a_budget_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=rf"^{re.escape(repr(text))} .*\bbudget\b"):
        Budget.parse(text)


@pytest.mark.parametrize(
    ("kind", "how", "message"),
    [
        (ISMCTS, {"iterations": None}, r"\biterations or seconds$"),
        (ISMCTS, {"seconds": 1}, r"\biterations or seconds$"),
        (ISMCTS, {"iterations": 0}, r"^iterations .*\b1, not 0$"),
        (ISMCTS, {"iterations": None, "seconds": 0}, r"^seconds .*\b0, not 0$"),
        (ISMCTS, {"plies": -1}, r"^plies .*\b0, not -1$"),
        (ISMCTS, {"choices": 0}, r"^choices .*\b1, not 0$"),
        (ISMCTS, {"exploration": -1}, r"^exploration .*\b0, not -1$"),
        (Expectimax, {"depth": 0}, r"^depth and samples .*\b1, not 0 and 4$"),
    ],
)
def test_arguments_out_of_range_are_refused(
    kind: type[SearchBot[Any, Any]], how: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        kind(Streams("x")["y"], game=cards.GAME, **{"iterations": 1, **how})


def test_a_game_without_redeal_is_not_searched() -> None:
    class Unfinished(cards.Tricks):
        redeal = Game.redeal

    match: AnyMatch = Match(Unfinished(), seed="oak")
    thinking(match)
    with pytest.raises(ContractError, match=r"^cards .*\bredeal\b"):
        match.step()
