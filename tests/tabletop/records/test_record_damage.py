"""Records that were cut, damaged, or written by other or newer programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.tabletop.games import cards, rps

from tabletop import Match, Random, RecordError
from tabletop.records import Journal, Record, read, replay
from tabletop.rules import AnyGame

quiet = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def write_match(path: Path, game: AnyGame) -> None:
    """Write a whole match that contains every kind of line."""
    match = Match(game, seed="Brave old World", seats=["Ann", "Bo"])
    for seat in range(2):
        match.set_player(seat, Random(seat))
    with Journal.create(path, match) as journal:
        match.run(4)
        match.undo(2)
        journal.seated(1, "random")
        match.redo()
        match.run()
        match.undo(1)


@pytest.fixture(scope="module", params=[cards.GAME, rps.GAME], ids=["cards", "rps"])
def whole(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[AnyGame, bytes]:
    """Return a game and the record of a match of it."""
    path = tmp_path_factory.mktemp("whole") / "match.jsonl"
    write_match(path, request.param)
    return request.param, path.read_bytes()


def try_to_replay(path: Path, game: AnyGame, data: bytes) -> Record | RecordError:
    """Return the record in a file with `data` if it replays, or the error."""
    path.write_bytes(data)
    try:
        record = read(path)
        replay(record, game)
    except RecordError as error:
        return error
    return record


def assert_names_the_line(error: RecordError, path: Path, lines: int) -> None:
    assert 1 <= error.line <= lines
    assert str(error).startswith(f"{path}: line {error.line}")
    assert "\n" not in str(error)


@pytest.mark.slow
@quiet
@given(data=st.data())
def test_a_record_cut_at_any_byte_is_a_shorter_record(
    tmp_path: Path, whole: tuple[AnyGame, bytes], data: st.DataObject
) -> None:
    game, content = whole
    path = tmp_path / "cut.jsonl"
    complete = try_to_replay(path, game, content)
    assert isinstance(complete, Record)
    size = data.draw(st.integers(0, len(content) - 1))
    made = try_to_replay(path, game, content[:size])
    if size <= content.index(b"\n"):
        assert isinstance(made, RecordError)
        assert_names_the_line(made, path, 1)
    else:
        assert isinstance(made, Record)
        assert made.header == complete.header
        assert made.entries == complete.entries[: len(made.entries)]
        assert made.size + made.dropped == size


@pytest.mark.slow
@quiet
@given(data=st.data())
def test_a_record_with_a_changed_byte_is_refused_or_has_the_same_meaning(
    tmp_path: Path, whole: tuple[AnyGame, bytes], data: st.DataObject
) -> None:
    game, content = whole
    path = tmp_path / "flipped.jsonl"
    complete = try_to_replay(path, game, content)
    assert isinstance(complete, Record)
    place = data.draw(st.integers(0, len(content) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != content[place]))
    made = try_to_replay(path, game, content[:place] + bytes([byte]) + content[place + 1 :])
    if isinstance(made, RecordError):
        assert_names_the_line(made, path, content.count(b"\n") + 1)
        return
    assert made.header == complete.header
    assert made.players == complete.players[: len(made.players)]
    count = len(made.entries)
    former = replay(Record("", complete.header, complete.entries[:count], 0, 0), game)
    assert replay(made, game).digest() == former.digest()
    assert count >= len(complete.entries) - 1


@quiet
@given(content=st.binary(max_size=300))
@example(b"")
@example(b"\n")
@example(b"\0" * 100)
@example(b"[" * 100_000 + b"\n")
@example(b'{"format": "tabletop-record"}\n')
@example(b'{"format": "tabletop-record", "format_version": 1}\n')
@example(b'{"format": "tabletop-record", "format_version": true, "check": "x"}\n')
def test_a_file_that_is_not_a_record_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "foreign.jsonl"
    made = try_to_replay(path, rps.GAME, content)
    assert isinstance(made, RecordError)
    assert made.line == 1
    assert str(made).startswith(f"{path}: line 1: ")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
FIELDS = ["seat", "do", "undo", "player", "end", "digest", "check", "line", "x"]


@pytest.mark.slow
@quiet
@given(line=st.dictionaries(st.sampled_from(FIELDS), json_values | st.sampled_from(["rock", 0, 1])))
def test_any_line_is_replayed_or_refused_with_its_number(
    tmp_path: Path, line: dict[str, Any]
) -> None:
    path = tmp_path / "strange.jsonl"
    header = json.dumps(HEADER)
    made = try_to_replay(path, rps.GAME, f"{header}\n{json.dumps(line)}\n".encode())
    if isinstance(made, RecordError):
        assert_names_the_line(made, path, 2)
    else:
        assert set(line) <= {"seat", "do", "undo", "player", "end", "digest"}


HEADER: dict[str, Any] = {
    "format": "tabletop-record",
    "format_version": 1,
    "game": "rps",
    "version": "1",
    "seed": "x",
    "seats": ["Ann", "Bo"],
}


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"format": "save"}, "'save', not 'tabletop-record'"),
        ({"format_version": 0}, "invalid format version 0"),
        ({"format_version": "1"}, "invalid format version '1'"),
        ({"format_version": 2, "moons": 3, "check": "x"}, r"\bformat 2 .*\bnewer\b"),
        ({"seed": 5}, r"`str`, got `int` - at `\$.seed`"),
        ({"seeds": "x"}, "'seeds'.*: created"),
        ({"players": ["human"]}, "1 player for 2 seats"),
        ({"check": "0" * 16}, r"\bchecksum\b"),
    ],
)
def test_a_damaged_header_is_reported_with_the_reason(
    tmp_path: Path, changes: dict[str, Any], wrong: str
) -> None:
    path = tmp_path / "header.jsonl"
    path.write_text(json.dumps(HEADER | changes) + "\n")
    with pytest.raises(RecordError, match=rf"header\.jsonl: line 1: .*{wrong}") as caught:
        read(path)
    assert caught.value.line == 1


ROCK = '{"seat": 0, "do": "rock"}'
NO_OFFSETS = ("-1", str(64 << 64), "1.5", "true", '"2"', "[2]")
"""Where no stream can stand."""


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ('{"seat": 0, "do": "rock"', r"\btruncated\b"),
        ('{"seat": 2, "do": "rock"}', r'\bseat 3 .*"seat": 2'),
        ('{"seat": -1, "player": "human"}', r'\bseat 0 .*"seat": -1'),
        ('{"do": "rock"}', "`seat` .*missing"),
        ('{"player": "human"}', "`seat` .*missing"),
        ('{"seat": 0}', ": do, undo, player, conceded, end, played"),
        ('{"seat": 0, "do": "rock", "undo": 1}', ": do, undo, player, conceded, end, played"),
        ('{"undo": 2}', r"\bundo .*\b1 to 1, not 2"),
        ('{"undo": 0}', r"\bundo .*\b1 to 1, not 0"),
        (
            '{"seat": 0, "does": "rock"}',
            r"'does' .*: chance, conceded, digest, do, end",
        ),
        ('{"seat": 0, "do": "rock", "line": 7}', "unknown field 'line'"),
        (
            '{"seat": 0, "player": "human", "digest": "x"}',
            "`do` or `undo` .*`digest`",
        ),
        ('{"seat": 0, "player": "human", "check": "x"}', r"\bchecksum\b"),
        ("[1]", "JSON object"),
        ('{"undo": 1, "chance": 3}', "`do` .*`chance`"),
        (
            '{"seat": 0, "player": "random", "chance": 3}',
            "`do` .*`chance`",
        ),
        *((f'{{"seat": 1, "do": "rock", "chance": {value}}}', "") for value in NO_OFFSETS),
    ],
)
def test_a_damaged_line_is_reported_with_its_number_and_the_reason(
    tmp_path: Path, line: str, wrong: str
) -> None:
    path = tmp_path / "line.jsonl"
    path.write_text(f"{json.dumps(HEADER)}\n{ROCK}\n{line}\n")
    with pytest.raises(RecordError, match=rf"line 3 .*\bdamaged: .*{wrong}") as caught:
        read(path)
    assert caught.value.line == 3


def test_a_record_written_by_hand_needs_neither_digests_nor_checks(tmp_path: Path) -> None:
    path = tmp_path / "hand.jsonl"
    lines = [json.dumps(HEADER), ROCK, '{"seat": 1, "player": "random"}', '{"undo": 1}', ROCK]
    path.write_text("\n".join(lines) + "\n")
    match = replay(read(path), rps.GAME)
    assert match.actions == (rps.Show(0, "rock"),)
    assert read(path).players == ("human", "random")
    assert match.names == ("Ann", "Bo")


def test_a_wrong_digest_after_an_undo_is_a_mismatch(tmp_path: Path) -> None:
    path = tmp_path / "undo.jsonl"
    path.write_text(f'{json.dumps(HEADER)}\n{ROCK}\n{{"undo": 1, "digest": "0"}}\n')
    with pytest.raises(RecordError, match=r"line 3: .*\bundo of 1 "):
        replay(read(path), rps.GAME)
