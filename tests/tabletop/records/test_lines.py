"""The lines of a record that a match can begin at: what is refused, and by which line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.tabletop.games import walk
from tests.tabletop.long_walk import walked

from tabletop import RecordError
from tabletop.codec import digest
from tabletop.errors import RecordMismatch
from tabletop.records.entries import sealed
from tabletop.records.journal import CHECKPOINT_LINES
from tabletop.records.reading import UNDO_ROOM, read, read_end
from tabletop.records.record import replay

quiet = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.jsonl"


Change = Callable[[dict[str, Any]], object]


def changed(path: Path, change: Change, *, seal: bool = False, number: int = 1) -> int:
    """Change what a checkpoint of a record says; the line it stands at."""
    lines = path.read_bytes().splitlines(keepends=True)
    places = [place for place, line in enumerate(lines) if line.startswith(b'{"checkpoint"')]
    place = places[number]
    told = json.loads(lines[place])
    del told["check"]
    change(told)
    lines[place] = json.dumps(sealed(told) if seal else told, separators=(",", ":")).encode()
    lines[place] += b"\n"
    path.write_bytes(b"".join(lines))
    return place + 1


def with_digest(told: dict[str, Any], **changes: Any) -> None:
    """Change a checkpoint so that its digest stands for what it says."""
    told.update(changes)
    told["digest"] = digest(walk.Path(**told["state"]), told["streams"])


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda it: it["state"].update(place=9999), "not what its digest stands for"),
        (lambda it: it["streams"].update(wind=1), "not what its digest stands for"),
        (lambda it: it.update(digest="0" * 32), "not what its digest stands for"),
        (lambda it: it["state"].pop("place"), "not what its digest stands for"),
        (lambda it: it["state"].update(place="here"), "this is no Path: Expected `int`"),
        (lambda it: with_digest(it, streams={"wind": -1}), "a stream has no offset -1"),
    ],
)
def test_a_checkpoint_that_says_something_else_is_refused_with_its_line(
    path: Path, change: Change, what: str
) -> None:
    walked(path, 2 * CHECKPOINT_LINES + UNDO_ROOM)
    line = changed(path, change, seal=True)
    with pytest.raises(
        RecordMismatch, match=rf"match\.jsonl: line {line}: the checkpoint is damaged: .*{what}"
    ) as caught:
        replay(read_end(path), walk.GAME)
    assert caught.value.line == line
    with pytest.raises(RecordError, match=f"line {line}: "):
        replay(read(path), walk.GAME)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda it: it.pop("state"), "a checkpoint says all of: state, streams, players, digest"),
        (lambda it: it.pop("digest"), "a checkpoint says all of: state, streams, players, digest"),
        (lambda it: it.update(players=["human"]), "1 player for 2 seats"),
        (lambda it: it.update(checkpoint=-1), "a checkpoint after -1 actions"),
        (lambda it: it.update(streams=[1]), r"Expected `object \| null`, got `array`"),
        (lambda it: it.update(played=-2), "nobody plays for -2.0 seconds"),
        (lambda it: it.update(do="left"), "it says not just one of: do, undo, player, end"),
        (lambda it: it.update(check="0" * 16), "its check does not fit"),
    ],
)
def test_a_checkpoint_that_makes_no_sense_is_refused_with_its_line(
    path: Path, change: Change, what: str
) -> None:
    walked(path, 2 * CHECKPOINT_LINES + UNDO_ROOM)
    line = changed(path, change)
    with pytest.raises(RecordError, match=rf"match\.jsonl: line {line} is damaged: .*{what}"):
        read_end(path)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda it: it.update(checkpoint=999), "a checkpoint after 999 actions: 1000 were played"),
        (lambda it: it.update(players=["random", "human"]), r"its players are \('random', 'human"),
    ],
)
def test_reading_all_of_a_record_compares_its_checkpoints_with_what_was_done(
    path: Path, change: Change, what: str
) -> None:
    walked(path, CHECKPOINT_LINES + 1)
    line = changed(path, change, number=0)
    with pytest.raises(RecordError, match=f"line {line} is damaged: {what}"):
        read(path)


def test_a_checkpoint_that_is_not_where_the_actions_lead_does_not_replay(path: Path) -> None:
    walked(path, CHECKPOINT_LINES + 1)
    line = changed(path, lambda it: with_digest(it, state={"steps": 1, "place": 1}), number=0)
    what = f"line {line}: what was played up to checkpoint 1000 leads to another state now"
    with pytest.raises(RecordMismatch, match=what):
        replay(read(path), walk.GAME)


def test_a_checkpoint_can_be_taken_out_of_a_record(path: Path) -> None:
    match = walked(path, CHECKPOINT_LINES + 100)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(line for line in lines if not line.startswith(b'{"checkpoint"')))
    assert replay(read_end(path), walk.GAME).digest() == match.digest()


@quiet
@given(data=st.data())
def test_a_checkpoint_with_a_changed_byte_is_refused_or_says_the_same(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("flipped") / "match.jsonl"
    match = walked(path, CHECKPOINT_LINES + UNDO_ROOM)
    content = path.read_bytes()
    begin = content.index(b'{"checkpoint"')
    place = data.draw(st.integers(begin, content.index(b"\n", begin) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != content[place]))
    path.write_bytes(content[:place] + bytes([byte]) + content[place + 1 :])
    refused, again = None, None
    try:
        again = replay(read_end(path), walk.GAME)
    except RecordError as error:
        refused = error
    if again is not None:
        assert again.digest() == match.digest()
    else:
        assert refused is not None
        assert refused.line in (CHECKPOINT_LINES + 2, CHECKPOINT_LINES + 3)
