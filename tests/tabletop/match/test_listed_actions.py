"""Actions that a match has just listed are not checked again, and all others are."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tabletop.games import rps

from tabletop import (
    ActionPlayed,
    Game,
    IllegalAction,
    Match,
    Options,
    Outcome,
    Random,
    Seat,
    State,
    Streams,
    Table,
    state,
)

LENGTH = 10_000


@dataclass(frozen=True, slots=True)
class Step:
    """A step over a number of fields."""

    fields: int

    def __str__(self) -> str:
        return f"step {self.fields}"


STEPS = tuple(map(Step, range(1, 10)))


@state
class Path(State):
    """The place reached, in fields."""

    place: int = 0


class Walk(Game[Path, Step]):
    """Even steps are legal from an even place, odd steps from an odd place. Wind may add fields.

    Attributes:
        checked: The actions for which `check` was called.
    """

    name = "handed-out"
    seats = range(1, 2)

    def __init__(self) -> None:
        self.checked: list[Step] = []

    def setup(self, options: Options, seats: int, rng: Streams) -> Path:
        return Path()

    def to_act(self, state: Path) -> Sequence[Seat]:
        return (0,) if state.place < LENGTH else ()

    def legal_actions(self, state: Path, seat: Seat) -> Sequence[Step]:
        return [step for step in STEPS if step.fields % 2 == state.place % 2]

    def check(self, state: Path, action: Step) -> None:
        self.checked.append(action)
        super().check(state, action)

    def apply(self, state: Path, action: Step, table: Table) -> None:
        assert action.fields % 2 == state.place % 2, "an illegal action has been played"
        state.place += action.fields + table.rng["wind"].below(2)

    def outcome(self, state: Path) -> Outcome | None:
        return None if self.to_act(state) else Outcome.draw(1)


class First:
    """A bot that takes the first action, and may change the list before."""

    def __init__(self, *added: Step) -> None:
        self._added = added

    def choose(self, view: Path, actions: Any) -> Step:
        actions[:0] = self._added
        chosen: Step = actions[0]
        return chosen


def walk(**more: Any) -> tuple[Match[Path, Step], Walk]:
    game = Walk()
    return Match(game, seed="old oak", **more), game


def test_listed_and_parsed_actions_are_not_checked_and_others_are() -> None:
    match, game = walk()
    match.play(match.legal_actions()[0])
    match.set_player(0, First())
    match.run(5)
    match.play(match.parse(f"STEP {4 + match.state.place % 2}"))
    assert (match.ply, game.checked) == (7, [])
    match.legal_actions()
    step = Step(2 + match.state.place % 2)
    match.play(step)
    assert (match.ply, game.checked) == (8, [step])


def test_actions_from_a_custom_parse_are_checked() -> None:
    class Reads(Walk):
        def parse(self, text: str, state: Path, seat: Seat) -> Step:
            return Step(int(text))

    game = Reads()
    match = Match(game, seed="old oak")
    match.play(match.parse("4"))
    assert game.checked == [Step(4)]
    with pytest.raises(IllegalAction):
        match.play(match.parse(str(1 + match.state.place % 2)))


def test_an_action_that_a_caller_adds_to_the_list_is_not_legal() -> None:
    match, _ = walk(players=[First(STEPS[0])])
    with pytest.raises(IllegalAction, match="step 1 "):
        match.run()
    actions: Any = match.legal_actions()
    actions[0] = STEPS[0]
    actions.append(STEPS[2])
    for action in (actions[0], actions[-1]):
        with pytest.raises(IllegalAction) as caught:
            match.play(action)
        assert caught.value.action == action
    assert match.ply == 0


def test_an_action_listed_by_an_observer_is_checked_after_the_next_action() -> None:
    match, game = walk(players=[Random("chance")])
    listed: list[Step] = []

    def look(event: ActionPlayed) -> None:
        if not listed:
            listed.extend(match.legal_actions())

    match.observe(look, ActionPlayed)
    match.run(2)
    with_other = [step for step in listed if step.fields % 2 != match.state.place % 2]
    for step in with_other:
        with pytest.raises(IllegalAction):
            match.play(step)
    assert game.checked == with_other


def test_an_action_listed_during_another_action_is_checked() -> None:
    listed: list[Step] = []
    game = Walk()
    match: Match[Path, Step] = Match(
        game, seed="old oak", on_draw=lambda draw: listed.extend(match.legal_actions())
    )
    match.play(STEPS[1])
    game.checked.clear()
    assert listed
    match.play(next(step for step in STEPS if step.fields % 2 == match.state.place % 2))
    assert len(game.checked) == 1


class Driver:
    """Performs operations on a match, and keeps a list of actions that was returned earlier."""

    def __init__(self) -> None:
        self.match, _ = walk(players=[Random("chance")])
        self.held: list[Step] = []

    def look(self, number: int) -> None:
        self.held = list(self.match.legal_actions())

    def play(self, number: int) -> None:
        self.match.play(self.match.legal_actions()[number % 4])

    def play_held(self, number: int) -> None:
        match = self.match
        for action in self.held[number : number + 1]:
            # The game itself asserts that it receives no illegal action.
            if action in match.game.legal_actions(match.state, 0):
                match.play(action)
            else:
                with pytest.raises(IllegalAction):
                    match.play(action)

    def run(self, number: int) -> None:
        self.match.run(number)

    def undo(self, number: int) -> None:
        self.match.undo(min(number, self.match.ply))

    def redo(self, number: int) -> None:
        self.match.redo(min(number, self.match.undone))

    def clone(self, number: int) -> None:
        self.match = self.match.clone()
        self.match.set_player(0, Random("chance"))

    def pickle(self, number: int) -> None:
        self.match = pickle.loads(pickle.dumps(self.match))
        self.match.set_player(0, Random("chance"))


OPERATIONS = (
    *(Driver.look, Driver.play, Driver.play_held, Driver.run, Driver.undo, Driver.redo),
    *(Driver.clone, Driver.pickle),
)


@given(st.lists(st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 4)), max_size=30))
def test_no_illegal_action_is_played_however_the_match_reached_its_state(
    operations: list[tuple[Callable[[Driver, int], None], int]],
) -> None:
    driver = Driver()
    for operation, number in operations:
        operation(driver, number)


def test_a_pickle_does_not_contain_the_listed_actions() -> None:
    match, _ = walk()
    before = pickle.dumps(match)
    match.legal_actions()
    assert pickle.dumps(match) == before


class Watched(rps.RockPaperScissors):
    """Records the actions for which `check` was called."""

    def __init__(self) -> None:
        self.checked: list[rps.Show] = []

    def check(self, state: rps.Round, action: rps.Show) -> None:
        self.checked.append(action)
        super().check(state, action)


def test_in_a_simultaneous_choice_the_actions_listed_for_each_seat_are_not_checked() -> None:
    game = Watched()
    match = Match(game, seed="old oak", seats=3)
    given = [match.legal_actions(seat) for seat in (0, 1, 2, 1)]
    match.play(given[0][1])
    assert match.state.chosen == ["paper", None, None]
    assert game.checked == []
    # The state is different now: a seat that has chosen may not choose again.
    with pytest.raises(IllegalAction):
        match.play(given[0][0])
    match.play(given[1][0])
    assert game.checked == [given[1][0]]


class Swapped(rps.RockPaperScissors):
    """Lists for each seat the actions of the next seat."""

    def legal_actions(self, state: Any, seat: Seat) -> Sequence[Any]:
        actions: Sequence[Any] = super().legal_actions(state, (seat + 1) % len(state.chosen))
        return actions


def test_an_action_listed_for_a_different_seat_than_it_names_is_checked() -> None:
    match: Match[Any, Any] = Match(Swapped(), seed="old oak", seats=2)
    action = match.legal_actions(0)[0]
    assert action.seat == 1
    with pytest.raises(IllegalAction):
        match.play(action)


class Far(Walk):
    """Lists a range, which is too long to copy."""

    def legal_actions(self, state: Path, seat: Seat) -> Any:
        return range(1, 10**12)

    def apply(self, state: Path, action: Any, table: Table) -> None:
        state.place += action


def test_a_lazy_sequence_of_actions_is_not_copied() -> None:
    match: Match[Any, Any] = Match(Far(), seed="old oak")
    match.play(match.legal_actions()[10**11])
    assert match.state.place == 10**11 + 1
