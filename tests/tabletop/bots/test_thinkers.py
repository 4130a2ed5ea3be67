"""Bots that look ahead: what their choice depends on, what it must not, and what they find."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from hypothesis import given, settings
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
    """Bots of one kind on all seats."""
    how.setdefault("iterations", 12)
    bots = [kind(match.bot_stream(it), game=match.game, **how) for it in range(match.seats)]
    for seat, bot in enumerate(bots):
        match.set_player(seat, bot)
    return bots


# The same seed and position, the same move.


@every_kind
@pytest.mark.parametrize("make", [tricks, partial(example, DUEL)], ids=["tricks", "duel"])
def test_the_same_is_played_after_undo_and_redo_on_a_clone_and_from_a_pickle(
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
def test_one_draw_seeds_a_search_and_nothing_is_drawn_for_a_single_action(kind: Any) -> None:
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
def test_other_hashes_of_texts_change_no_move() -> None:
    [moves] = printed(MOVES)
    assert moves.count("\n") == 2


def test_sums_and_roots_are_the_same_on_every_python() -> None:
    """What a seed chooses is pinned: it must not depend on a machine or a version."""
    match = tricks()
    bots = thinking(match, iterations=40)
    match.run(9)
    assert [action.card for action in match.actions] == [24, 6, 3, 1, 10, 15, 17, 14, 16]
    assert [bot.last_search.value for bot in bots] == [0.7222222222222222, 0.95, 0.5]


# No peeking.


@every_kind
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), plies=st.integers(0, 14), other=st.integers(0, 10**6))
def test_positions_that_a_seat_cannot_tell_apart_are_played_alike(
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


# What they find.


@pytest.mark.parametrize(("moves", "best"), [("1425", "3"), ("145", "9")])
def test_a_win_is_taken_and_one_of_the_other_prevented(moves: str, best: str) -> None:
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
def test_without_a_tree_a_win_is_taken_as_well(kind: Any) -> None:
    match = example(TICTACTOE)
    for move in "1425":
        match.play(match.parse(move))
    [bot, _] = thinking(match, kind, iterations=50)
    assert str(match.step()) == "3"
    assert bot.last_search.value == 1.0


def test_where_all_choose_at_once_it_mixes() -> None:
    """Of rock, paper and scissors none is better: over many seeds each is chosen about as often."""
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
    """Who sees a side: its seat alone."""
    return seat == side.seat


@dataclass(frozen=True, slots=True)
class Side:
    """Heads or tails, in secret."""

    seat: Seat
    side: str = secret(to=is_own, back="?")


def is_first(state: Any, seat: Seat | None, owner: Seat | None) -> bool:
    """Who sees the first side: seat 0 alone."""
    return seat == 0


@state
class Pennies(State):
    """The side that seat 0 has chosen, and that of seat 1."""

    first: str = secret(to=is_first, back="?", choices=SIDES, default="")
    second: str = ""


class MatchingPennies(SecretGame[Pennies, Side]):
    """One after the other chooses a side in secret; seat 1 wins when both are the same."""

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


def test_nobody_in_the_tree_sees_what_another_has_chosen_in_secret() -> None:
    """If seat 1 saw it, it would always win, and seat 0 would expect to lose."""
    match: AnyMatch = Match(MatchingPennies(), seed="secret")
    first, second = thinking(match, iterations=400)
    match.run()
    assert 0.35 < first.last_search.value < 0.65
    assert 0.35 < second.last_search.value < 0.65


# What was seen counts, as a belief says.


def pennies(kind: Any, belief: Any, **how: Any) -> Any:
    """Return the second bot, which is to choose and does not see what the first one has chosen."""
    match: AnyMatch = Match(MatchingPennies(), seed="belief")
    match.play(Side(0, "heads"))
    bot = thinking(match, kind, belief=belief, **{"iterations": 60, **how})[1]
    match.step()
    return match.state.second, bot.last_search


@every_kind
@pytest.mark.parametrize("likely", SIDES)
def test_what_was_done_is_taken_for_as_likely_as_the_belief_says(kind: Any, likely: str) -> None:
    def belief(state: Pennies, seat: Seat) -> float:
        assert seat == 1
        return 0.09 if state.first == likely else 0.01

    side, thought = pennies(kind, belief, iterations=400)
    assert side == likely
    assert thought.value == pytest.approx(0.9, abs=0.1)


def test_states_are_drawn_as_often_as_their_weights_compare() -> None:
    match: AnyMatch = Match(MatchingPennies(), seed="weights")
    match.play(Side(0, "heads"))
    seen: Counter[str] = Counter()

    class Asking(FlatMonteCarlo[Any, Any]):
        def _search(self, actions: Any, sampler: Sampler[Any], streams: Streams) -> Any:
            chance = streams["more"]
            states = [sampler.sample(chance) for _ in range(2000)]
            seen.update(state.first for state in states)
            assert len({id(state) for state in states}) == 2000, "whoever gets one may change it"
            return super()._search(actions, sampler, streams)

    weights = {"heads": 0.002, "tails": 0.006}
    thinking(match, Asking, belief=lambda state, seat: weights[state.first])
    match.step()
    assert seen["tails"] / 2000 == pytest.approx(0.75, abs=0.05)


def test_where_a_belief_rules_everything_out_all_is_equally_likely() -> None:
    _, thought = pennies(ISMCTS, lambda state, seat: 0.0, iterations=200)
    assert thought.value == pytest.approx(0.5, abs=0.15)


@every_kind
def test_with_a_belief_the_same_seed_and_position_give_the_same_thought(kind: Any) -> None:
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
        ContractError, match=r"^pennies: belief failed: ZeroDivisionError"
    ) as caught:
        pennies(ISMCTS, lambda state, seat: 1 / 0)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_thought_ends_when_it_has_made_its_random_choices() -> None:
    match = tricks()
    [bot, *_] = thinking(match, iterations=1000, choices=500)
    match.step(0)
    assert 10 < bot.last_search.iterations < 200
    [_, other, _] = thinking(match, iterations=50, choices=10**6)
    match.step(1)
    assert other.last_search.iterations == 50


@state
class Ways(State):
    """Where seat 0 has gone, and the points of each seat."""

    way: str = ""
    points: list[int] | None = None


class Gamble(Game[Ways, str]):
    """Seat 0 takes a point at once or throws a die for three; all others only watch."""

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
    """Seat 0, or all seats at once, may go in, from where the rules break off every way on."""

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
def test_what_leads_to_actions_that_the_rules_break_off_is_worth_nothing(together: bool) -> None:
    game = Trap()
    game.together = together
    match: AnyMatch = Match(game, seed="trap")
    bot = ISMCTS(match.bot_stream(0), game=game, iterations=60, evaluate=lambda state, seat: 0.9)
    chosen = bot.choose(match.state, match.legal_actions(0), match.sampler(0))
    assert chosen == "out"
    assert sum(visits for visits, _ in bot.statistics.values()) == 60


@every_kind
@pytest.mark.parametrize(("faces", "best"), [(6, "throw"), (1, "give up")])
def test_chance_counts_by_its_mean(kind: Any, faces: int, best: str) -> None:
    """A draw of all is worth a half; a throw five sixths, or nothing."""
    game = Gamble()
    game.faces = faces
    match: AnyMatch = Match(game, seed="die", seats=4)
    [bot, *_] = thinking(match, kind, iterations=80)
    assert match.step() == best
    assert bot.last_search.value == pytest.approx(0.5 if best == "give up" else 5 / 6, abs=0.15)


def test_in_a_game_of_several_each_seat_looks_after_itself() -> None:
    """Whoever plays the highest card takes the trick, and four of them win the match."""
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


# What a game knows, budgets, and wrong use.


@every_kind
def test_a_game_s_own_value_decides_and_a_policy_thins_what_is_tried(kind: Any) -> None:
    match = example(TICTACTOE)

    def likes_corner(board: Any, seat: Seat) -> float:
        return 0.9 if board.cells[8] == "xo"[seat] else 0.1

    def no_middle(board: Any, actions: Sequence[Any]) -> Sequence[Any]:
        return [it for it in actions if it.cell != 4] or actions

    how: dict[str, Any] = {"plies": 0} if kind is FlatMonteCarlo else {}
    thinking(match, kind, iterations=60, evaluate=likes_corner, policy=no_middle, **how)
    assert str(match.step()) == "9"


@every_kind
def test_where_the_policy_leaves_one_action_nothing_is_searched(kind: Any) -> None:
    match = example(TICTACTOE)
    [bot, _] = thinking(match, kind, iterations=10**9, policy=lambda board, actions: actions[3:4])
    assert str(match.step()) == "4"
    assert bot.last_search is None


class Endless(Gamble):
    """Nothing ends it."""

    def to_act(self, state: Ways) -> Sequence[Seat]:
        return (0,)

    def outcome(self, state: Ways) -> Outcome | None:
        return None


@every_kind
def test_a_game_without_end_is_left_at_some_point(kind: Any) -> None:
    match: AnyMatch = Match(Endless(), seed="on", seats=2)
    [bot, _] = thinking(match, kind, iterations=3)
    match.step()
    assert bot.last_search.value == 0.5, "neither won nor lost"


class Alarm(Gamble):
    """All choose at once, and whoever takes the point ends the round."""

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
    """An exclamation mark ends it."""

    seat: Seat
    call: str


@every_kind
@pytest.mark.parametrize("seat", [0, 1])
def test_a_choice_that_ends_the_move_of_all_leaves_nothing_to_the_others(
    kind: Any, seat: Seat
) -> None:
    match: AnyMatch = Match(Alarm(), seed="ring", seats=2)
    bot = thinking(match, kind, iterations=60)[seat]
    assert match.step(seat) == Call(seat, "!")
    assert bot.last_search.value == 1.0


@every_kind
def test_who_plays_alone_goes_by_the_value_of_the_end(kind: Any) -> None:
    """One seat is ranked before nobody: without a value all ends are alike."""

    class Alone(Gamble):
        seats = range(1, 3)

        def apply(self, state: Ways, action: str, table: Table) -> None:
            state.way = action

    match: AnyMatch = Match(Alone(), seed="one", seats=1)
    thinking(match, kind, evaluate=lambda state, seat: 0.8 if state.way == "give up" else 0.2)
    assert match.step() == "give up"


@every_kind
def test_it_stops_when_the_time_is_over_and_when_it_is_told_to(kind: Any) -> None:
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
def test_who_stops_it_may_do_so_before_it_has_begun_and_only_this_time(kind: Any) -> None:
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
def test_a_budget_is_read(text: str, budget: Budget) -> None:
    assert Budget.parse(text) == budget


@pytest.mark.parametrize("text", ["", "s", "1_000", "1e3", "-1s", "nans", "2 s", "\u0663"])
def test_what_is_no_budget_is_refused(text: str) -> None:
    with pytest.raises(
        ValueError, match="is not a budget; write iterations as 1000, or seconds as 2"
    ):
        Budget.parse(text)


@pytest.mark.parametrize(
    ("kind", "how", "said"),
    [
        (ISMCTS, {"iterations": None}, "needs either iterations or seconds"),
        (ISMCTS, {"seconds": 1}, "needs either iterations or seconds"),
        (ISMCTS, {"iterations": 0}, "write 1 or more"),
        (ISMCTS, {"iterations": None, "seconds": 0}, "write more than 0"),
        (ISMCTS, {"plies": -1}, "plies=-1: write 0 or more"),
        (ISMCTS, {"choices": 0}, "choices=0: write 1 or more"),
        (ISMCTS, {"exploration": -1}, "exploration=-1: write 0 or more"),
        (Expectimax, {"depth": 0}, "depth=0, samples=4: write 1 or more"),
    ],
)
def test_arguments_out_of_range_are_refused(
    kind: type[SearchBot[Any, Any]], how: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        kind(Streams("x")["y"], game=cards.GAME, **{"iterations": 1, **how})


def test_a_game_whose_secrets_cannot_be_dealt_anew_is_not_searched() -> None:
    class Unfinished(cards.Tricks):
        redeal = Game.redeal

    match: AnyMatch = Match(Unfinished(), seed="oak")
    thinking(match)
    with pytest.raises(ContractError, match=r"^cards .*\bredeal\b"):
        match.step()
