"""Forged checkpoints: bounded by the file they stand in, and refused where no match can come."""

from __future__ import annotations

import json
import tracemalloc
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.tabletop.forging import changed, forge, numbers_in, played
from tests.tabletop.games import walk

from tabletop import ContractError, Match, Random, RecordError
from tabletop.codec import from_json, to_builtins, to_json
from tabletop.game import AnyGame
from tabletop.match import AnyMatch
from tabletop.records.checkpoints import doubt_about
from tabletop.records.reading import read, read_end
from tabletop.records.record import replay
from tabletop.registry import load

quiet = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
NUMBERS = (-(10**9), -1, 99, 10**12)
GAMES = ("lcr", "constructor", "sorcery", "sorcery-2017")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.jsonl"


def game_called(name: str) -> AnyGame:
    game: AnyGame = load(name).game
    return game


def test_a_checkpoint_of_more_actions_than_there_are_lines_is_damage_and_takes_no_room(
    path: Path,
) -> None:
    match = played(path, walk.GAME, 0)
    forge(path, match, ply=300_000_000)
    tracemalloc.start()
    with pytest.raises(RecordError) as caught:
        replay(read_end(path), walk.GAME)
    room = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert str(caught.value) == (
        f"{path}: line 2 is damaged: a checkpoint after 300000000 actions, of which 0 lines tell"
    )
    assert room < 1_000_000


@pytest.mark.parametrize("ply", [-1, 6, 10**30])
def test_no_more_actions_were_played_than_lines_can_tell(ply: int, path: Path) -> None:
    match = played(path, walk.GAME, 5)
    forge(path, match, ply=ply)
    with pytest.raises(RecordError, match=f"{path}: line 7 is damaged: a checkpoint after"):
        read_end(path)


def test_a_true_checkpoint_is_gone_on_from(path: Path) -> None:
    match = played(path, walk.GAME, 5)
    forge(path, match)
    record = read_end(path)
    assert record.start is not None
    again = replay(record, walk.GAME)
    assert (again.ply, again.digest()) == (5, match.digest())
    assert again.actions == match.actions


def test_a_checkpoint_of_fewer_actions_is_found_out_when_they_are_asked_for(path: Path) -> None:
    match = played(path, walk.GAME, 5)
    forge(path, match, ply=3)
    again = replay(read_end(path), walk.GAME)
    with pytest.raises(RecordError, match="line 7 is damaged: a checkpoint after 3 actions"):
        again.undo(2)
    assert again.ply == 3
    assert again.digest() == match.digest()


def test_undoing_behind_a_false_checkpoint_is_refused_and_changes_nothing(path: Path) -> None:
    match = played(path, walk.GAME, 5)
    forge(path, match, {"steps": 5, "place": 9_999})
    again = replay(read_end(path), walk.GAME)  # nothing in these rules speaks against it
    before = again.digest()
    with pytest.raises(RecordError, match=r"line 7: what was played up to checkpoint 5 leads to"):
        again.undo(1)
    assert (again.ply, again.digest()) == (5, before)
    with pytest.raises(RecordError, match="line 7: "):
        replay(read(path), walk.GAME)


@pytest.mark.parametrize("streams", [{"wind": -1}, {"wind": 10**30}, {"wind": 0}, {"\x00>": 7}])
def test_streams_are_where_streams_can_be(streams: dict[str, int], path: Path) -> None:
    match = played(path, walk.GAME, 5)
    forge(path, match, streams=streams)
    try:
        again = replay(read_end(path), walk.GAME)
    except RecordError as error:
        refused = error
    else:
        assert again.streams() == streams
        return
    assert refused.line == 7


@cache
def middle_of(name: str) -> AnyMatch:
    """A match in which much lies on the table."""
    match = Match(game_called(name), seed="oak")
    for seat in range(match.seats):
        match.set_player(seat, Random(seat))
    match.run(4 if name == "lcr" else 40)
    assert not match.over
    return match.clone()


def is_of_the_right_types(state: object, match: AnyMatch) -> bool:
    try:
        from_json(to_json(state), type(match.state))
    except ContractError:
        return False
    return True


@quiet
@given(
    data=st.data(), name=st.sampled_from(GAMES), value=st.sampled_from([-1, -(10**9), 99, 10**12])
)
def test_whatever_number_a_state_holds_it_is_replayed_or_refused(
    data: st.DataObject, name: str, value: int, tmp_path: Path
) -> None:
    path = tmp_path / "match.jsonl"
    path.unlink(missing_ok=True)
    match = middle_of(name)
    game = match.game
    plain = to_builtins(match.state)
    place = data.draw(st.sampled_from(list(numbers_in(plain))))
    state = changed(plain, place, value)
    assume(is_of_the_right_types(state, match))
    with_header = played(path, game, 0, match.seats)
    assert with_header.ply == 0
    with path.open("a") as file:
        for action in match.actions:
            seat = with_header.actor(action)
            with_header.play(action)
            file.write(json.dumps({"seat": seat, "do": str(action)}) + "\n")
    forge(path, match, state)
    try:
        replay(read_end(path), game)
    except RecordError as error:
        refused = error
    else:
        return
    assert str(refused).startswith(f"{path}: line {match.ply + 2}")


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("lcr", ("seat",), 7),
        ("lcr", ("seat",), -1),
        ("lcr", ("chips",), []),
        ("constructor", ("turn",), 9),
        ("constructor", ("cards",), []),
        ("sorcery", ("turn",), 5),
        ("sorcery", ("sides",), []),
    ],
)
def test_a_state_that_cannot_be_is_damage_in_a_line_of_a_file(
    name: str, place: tuple[str, ...], value: object, path: Path
) -> None:
    game = game_called(name)
    match = played(path, game, 60 if name == "constructor" else 3)
    plain = to_builtins(match.state)
    assert place[0] in plain
    forge(path, match, changed(plain, place, value))
    with pytest.raises(RecordError) as caught:
        replay(read_end(path), game)
    assert str(caught.value).startswith(f"{path}: line {match.ply + 2}: ")
    assert "\n" not in str(caught.value)


def test_nothing_speaks_against_a_match_that_is_played() -> None:
    for name in GAMES:
        assert doubt_about(middle_of(name)) == ""


@pytest.mark.parametrize(
    "line",
    [
        b'{"undo":300000000}',
        b'{"undo":-1}',
        b'{"checkpoint":1,"state":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"seat":0,"do":"' + b"x" * 1_000_000 + b'"}',
        b'{"seat":' + b"9" * 10_000 + b',"do":"left"}',
        b'{"' + b"y" * 1_000_000 + b'":1}',
        b'{"played":1e300}',
    ],
    ids=["undo", "negative", "deep", "long", "huge", "field", "time"],
)
def test_what_a_line_claims_costs_no_more_than_the_line(line: bytes, path: Path) -> None:
    played(path, walk.GAME, 2)
    with path.open("ab") as file:
        file.write(line + b"\n")
    for reader in (read, read_end):
        with pytest.raises(RecordError) as caught:
            replay(reader(path), walk.GAME)
        assert str(caught.value).startswith(f"{path}: line 4")
        assert len(str(caught.value)) < 1_000 + len(str(path))


def test_a_file_of_checkpoints_alone_is_read_in_a_moment(path: Path) -> None:
    match = played(path, walk.GAME, 1)
    with path.open("ab") as file:
        file.write(b'{"checkpoint":0}\n' * 50_000)
    with pytest.raises(RecordError, match="line 50002 is damaged"):
        read_end(path)
    assert match.ply == 1
