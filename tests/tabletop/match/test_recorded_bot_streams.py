"""A record contains the offsets of bot streams, and a resumed match continues from there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.tabletop.games import walk

from tabletop import Match, Random
from tabletop.records import Journal, read, replay, with_check


def seated(match: Match[walk.Path, str]) -> Match[walk.Path, str]:
    """Return `match` with bots that draw for every choice."""
    for seat in range(2):
        match.set_player(seat, Random(match.bot_stream(seat)))
    return match


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the record of a match of four actions by bots."""
    path = tmp_path / "match.jsonl"
    match = seated(Match(walk.GAME, seed="oak"))
    with Journal.create(path, match):
        match.run(4)
    return path


def change(path: Path, number: int, change: Callable[[dict[str, Any]], object]) -> None:
    """Change line `number`, and compute its checksum again."""
    lines = lines_of(path)
    line = lines[number - 1]
    line.pop("check", None)
    change(line)
    lines[number - 1] = with_check(line)
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))


def test_a_line_of_an_action_contains_the_offset_of_the_stream_of_its_bot(path: Path) -> None:
    _, *lines = lines_of(path)
    assert [(line["seat"], line["chance"]) for line in lines] == [(0, 1), (1, 1), (0, 2), (1, 2)]


def test_the_line_of_an_action_without_draws_has_no_offset(path: Path) -> None:
    match = replay(read(path), walk.GAME)
    with Journal.resume(read(path), match):
        match.play("wait")
    assert set(lines_of(path)[-1]) == {"seat", "do", "digest"}


def test_a_record_without_bot_streams_contains_no_offsets(tmp_path: Path) -> None:
    match = Match(walk.GAME, seed="oak", players=[Random(1), Random(2)])
    with Journal.create(tmp_path / "own.jsonl", match):
        match.run(3)
    _, *lines = lines_of(tmp_path / "own.jsonl")
    assert all(set(line) == {"seat", "do", "digest"} for line in lines)


@pytest.mark.parametrize("value", [0, 5, 10**15, (64 << 64) - 64])
def test_a_forged_offset_is_used_for_the_rest_of_the_match(path: Path, value: int) -> None:
    change(path, 4, lambda line: line.update(chance=value))
    match = seated(replay(read(path), walk.GAME))
    assert match.bot_offsets().get(0, 0) == value
    match.run(3)
    match.undo(7)
    assert match.bot_offsets() == {}


def test_without_offsets_in_the_record_bots_start_at_offset_0(path: Path) -> None:
    for number in range(2, 6):
        change(path, number, lambda line: line.pop("chance"))
    match = seated(replay(read(path), walk.GAME))
    assert match.bot_offsets() == {}
    match.run(1)
    assert match.bot_offsets() == {0: 1}
