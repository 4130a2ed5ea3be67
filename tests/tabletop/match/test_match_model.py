"""Invariants of a match under any sequence of operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule
from tests.hashes import printed
from tests.tabletop.games import cards, race, rps, walk

from tabletop import Match
from tabletop.match import AnyMatch
from tabletop.records import Journal, read, replay
from tabletop.rules import AnyGame

GAMES: list[AnyGame] = [cards.GAME, race.GAME, rps.GAME, walk.GAME]
NUMBERS = st.integers(0, 10**6)


def legal(match: AnyMatch, number: int) -> Any:
    """Draw a legal action of one of the seats to act."""
    seats = match.to_act
    actions = match.legal_actions(seats[number % len(seats)])
    return actions[number // len(seats) % len(actions)]


class SeveralMatches(RuleBasedStateMachine):
    """A match and its clones, compared with a simple model that replays all actions."""

    matches = Bundle("matches")

    @initialize(target=matches, game=st.sampled_from(GAMES), seed=st.text(max_size=3))
    def begin(self, game: AnyGame, seed: str) -> int:
        self.game, self.seed = game, seed
        self.past: list[list[Any]] = [[]]
        self.undone: list[list[Any]] = [[]]
        self.real = [Match(game, seed=seed)]
        return 0

    @rule(which=matches, numbers=st.lists(NUMBERS, min_size=1, max_size=80))
    def play(self, which: int, numbers: Sequence[int]) -> None:
        for number in numbers:
            if self.real[which].over:
                return
            action = legal(self.real[which], number)
            self.real[which].play(action)
            self.past[which].append(action)
            self.undone[which].clear()

    @rule(which=matches, number=NUMBERS)
    def undo(self, which: int, number: int) -> None:
        count = number % (len(self.past[which]) + 1)
        self.real[which].undo(count)
        for _ in range(count):
            self.undone[which].append(self.past[which].pop())

    @rule(which=matches, number=NUMBERS)
    def redo(self, which: int, number: int) -> None:
        count = number % (len(self.undone[which]) + 1)
        self.real[which].redo(count)
        for _ in range(count):
            self.past[which].append(self.undone[which].pop())

    @rule(target=matches, which=matches)
    def clone(self, which: int) -> int:
        self.real.append(self.real[which].clone())
        self.past.append(self.past[which].copy())
        self.undone.append(self.undone[which].copy())
        return len(self.real) - 1

    @invariant()
    def every_match_is_what_its_actions_lead_to(self) -> None:
        for match, past, undone in zip(self.real, self.past, self.undone, strict=True):
            assert list(match.actions) == past
            assert match.undone == len(undone)
            again = Match(self.game, seed=self.seed)
            for action in past:
                again.play(action)
            assert match.digest() == again.digest()
            assert match.to_act == again.to_act
            assert match.outcome == again.outcome


SeveralMatches.TestCase.settings = settings(
    max_examples=25,
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestAgainstTheModel = SeveralMatches.TestCase


WAYS = ["undone", "cloned", "resumed", "resumed and torn", "seated"]


@pytest.mark.slow
@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data(), game=st.sampled_from(GAMES), seed=st.text(max_size=5))
def test_the_same_seed_and_actions_give_the_same_digests_on_every_way(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, game: AnyGame, seed: str
) -> None:
    straight = Match(game, seed=seed)
    path = tmp_path_factory.mktemp("ways") / "match.jsonl"
    winding = Match(game, seed=seed)
    journal = Journal.create(path, winding)
    for _ in range(data.draw(st.integers(0, 25))):
        if straight.over:
            break
        number = data.draw(NUMBERS)
        action = legal(straight, number)
        straight.play(action)
        winding.play(action)
        way = data.draw(st.sampled_from([*WAYS, ""]))
        if way == "undone":
            count = 1 + number % winding.ply
            winding.undo(count)
            winding.redo(count)
        elif way == "cloned":
            twin = winding.clone()
            if not twin.over:
                twin.play(legal(twin, number))
            assert twin.seed == winding.seed
        elif way == "seated":
            journal.seated(0, "random")
        elif way:
            journal.close()
            if way == "resumed and torn":
                path.write_bytes(path.read_bytes() + b'{"seat": 0, "do')
            record = read(path)
            winding = replay(record, game)
            journal = Journal.resume(record, winding)
        assert winding.digest() == straight.digest()
    journal.close()
    assert replay(read(path), game).digest() == straight.digest()


PROGRAM = """
from tabletop import Match, Random
from tests.tabletop.games import cards, race, rps
for game in (cards.GAME, race.GAME, rps.GAME):
    match = Match(game, seed="brave", seats=3)
    for seat in range(3):
        match.set_player(seat, Random(seat))
    while not match.over:
        match.run(1)
        print(match.ply, match.digest())
"""


@pytest.mark.slow
def test_digests_do_not_depend_on_the_hashes_of_the_process() -> None:
    [output] = printed(PROGRAM)
    assert len(output.splitlines()) > 60
