"""The same seed and actions give exactly the same match of every game."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests import seeded_matches

from tabletop import Match, Options, Streams
from tabletop.match import AnyMatch
from tabletop.records import Journal, read, replay
from tabletop.registry import installed, load
from tabletop.states import to_json

GOLDEN = Path(__file__).parents[1] / "golden" / "seeded_matches.txt"
WHY = (
    "matches differ from the last release: increase the version of the rules, add the change to"
    " the changelog, and rewrite the golden file (see tests/seeded_matches.py)"
)


class Winding:
    """A recorded match that is undone, copied, saved and resumed during play."""

    def __init__(self, path: Path, match: AnyMatch) -> None:
        self.path = path
        self.match = match
        self.journal = Journal.create(path, match)

    def undo_and_redo(self, number: int) -> None:
        count = 1 + number % self.match.ply
        self.match.undo(count)
        self.match.redo(count)

    def undo_and_play_again(self, number: int) -> None:
        count = 1 + number % self.match.ply
        actions = self.match.actions[-count:]
        self.match.undo(count)
        for action in actions:
            self.match.play(action)

    def try_another_way(self, number: int) -> None:
        """Undo some actions, play other actions, and return to the original actions."""
        count = 1 + number % self.match.ply
        actions = self.match.actions[-count:]
        self.match.undo(count)
        played = play_some(self.match, Streams(number), 8)
        self.match.undo(played)
        for action in actions:
            self.match.play(action)

    def go_on_with_a_copy(self, number: int) -> None:
        """Continue with a copy after playing other actions in the original match."""
        twin = self.match.clone()
        self.journal.close()
        self.match.set_recorder(None)
        play_some(self.match, Streams(number), 8)
        self.match = twin
        self.journal = Journal.resume(read(self.path), twin)

    def resume_after_a_kill(self, number: int) -> None:
        self.journal.close()
        self.path.write_bytes(self.path.read_bytes() + b'{"seat": 0, "do')
        self.resume(number)

    def resume_and_go_back(self, number: int) -> None:
        self.resume(number)
        self.undo_and_play_again(number)

    def resume(self, number: int) -> None:
        self.journal.close()
        record = read(self.path)
        self.match = replay(record, self.match.game)
        self.journal = Journal.resume(record, self.match)


OPTIONS: dict[str, Options] = {
    "constructor": {"random-board": True, "variant": "living"},
    "constructor-small": {"variant": "scarce"},
    "lcr": {"course-seed": 1234},
    "sorcery": {"testing": True},
}
WAYS = [name for name in vars(Winding) if not name.startswith("_")]


def play_some(match: AnyMatch, chance: Streams, count: int) -> int:
    """Play up to `count` random legal actions and return their number."""
    before = match.ply
    while not match.over and match.ply - before < count:
        seat = chance["seat"].choice(match.to_act)
        match.play(chance["action"].choice(match.legal_actions(seat)))
    return match.ply - before


def everything(match: AnyMatch) -> tuple[object, ...]:
    """Return all data of a match that can be compared."""
    return (
        match.digest(),
        to_json(match.state),
        match.streams(),
        match.outcome,
        tuple(map(str, match.actions)),
        tuple(tuple(match.legal_actions(seat)) for seat in match.to_act),
    )


@pytest.mark.slow
@pytest.mark.parametrize("game", installed())
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    seed=st.text(max_size=4),
    seats=st.integers(0, 10**6),
    chosen=st.booleans(),
    parts=st.lists(
        st.tuples(st.integers(1, 20), st.sampled_from(WAYS), st.integers(0, 10**6)),
        min_size=1,
        max_size=8,
    ),
)
def test_match_is_the_same_after_saving_resuming_undoing_or_copying(
    tmp_path_factory: pytest.TempPathFactory,
    game: str,
    seed: str,
    seats: int,
    chosen: bool,
    parts: list[tuple[int, str, int]],
) -> None:
    rules = load(game).game
    options = OPTIONS.get(game, {}) if chosen else {}
    count = rules.seats[seats % len(rules.seats)]
    straight = Match(rules, seed=seed, seats=count, options=options)
    path = tmp_path_factory.mktemp("ways") / "match.jsonl"
    chance = Streams("actions")
    winding = Winding(path, straight.clone())
    for count, way, number in parts:
        played = play_some(straight, chance, count)
        for action in straight.actions[straight.ply - played :]:
            winding.match.play(action)
        getattr(winding, way)(number)
        assert everything(winding.match) == everything(straight)
    winding.journal.close()
    again = replay(read(path), rules)
    assert everything(again) == everything(straight)


@pytest.mark.slow
def test_bot_matches_are_the_same_on_every_python() -> None:
    """Text hashes differ in each run, and coverage runs use another Python (`.ci/run`)."""
    assert list(seeded_matches.lines()) == GOLDEN.read_text("utf-8").splitlines(keepends=True), WHY
