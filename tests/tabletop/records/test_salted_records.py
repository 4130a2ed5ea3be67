"""Salts in records, logs of draws and comparisons. Files without a salt do not have the field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.tabletop.games import cards
from tests.tabletop.told import tells

from tabletop import Match, RecordError
from tabletop.errors import RecordMismatch, ScoresError
from tabletop.records import (
    DrawLog,
    Header,
    Journal,
    compare,
    header_line,
    open_source,
    parse_header,
    read,
    read_log,
    replay,
    with_check,
)
from tabletop.scores import ranked, verified

SALT = bytes(range(16))


def recorded(path: Path, salt: bytes | None, **more: Any) -> Path:
    match: Match[Any, Any] = Match(cards.GAME, seed="old oak", salt=salt)
    header = Header.of(match, **more)
    with Journal.create(path, match, header):
        while match.to_act:
            match.play(match.legal_actions()[0])
    return path


def first_line(path: Path) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(path.read_bytes().split(b"\n")[0])
    return line


def test_only_a_record_with_a_salt_has_the_field(tmp_path: Path) -> None:
    salted = first_line(recorded(tmp_path / "salted.jsonl", SALT))
    plain = first_line(recorded(tmp_path / "plain.jsonl", None))
    assert salted["salt"] == SALT.hex()
    assert set(salted) - set(plain) == {"salt"}
    assert b"salt" not in (tmp_path / "salted.jsonl").read_bytes().partition(b"\n")[2]


@pytest.mark.parametrize("salt", ["00", "xyz", "0" * 31, "0" * 33, "0" * 30 + "g0", " " * 32])
def test_a_damaged_salt_is_refused_and_not_shown(salt: str) -> None:
    line = header_line(Header("cards", "1", "oak", ("a", "b"), salt=salt))
    data = json.dumps(line).encode()
    with pytest.raises(RecordError) as caught:
        parse_header(data)
    assert caught.value.line == 1
    assert tells(str(caught.value), "line 1: the header is damaged: `salt`: ... 32 ")
    assert salt not in str(caught.value)


def test_a_record_with_another_salt_does_not_replay(tmp_path: Path) -> None:
    path = recorded(tmp_path / "forged.jsonl", SALT)
    header, *rest = path.read_bytes().splitlines(keepends=True)
    fields = json.loads(header)
    del fields["check"]
    fields["salt"] = bytes(16).hex()
    path.write_bytes(json.dumps(with_check(fields)).encode() + b"\n" + b"".join(rest))
    with pytest.raises(RecordMismatch, match="line 2: action 1"):
        replay(read(path), cards.GAME)


def test_a_log_of_draws_contains_the_salt(tmp_path: Path) -> None:
    path = tmp_path / "draws.jsonl"
    with DrawLog.create(path) as log:
        log.follow(Match(cards.GAME, seed="old oak", salt=SALT, on_draw=log.draw))
    assert read_log(path)[0].salt_bytes == SALT


def test_compare_replays_a_salted_record_and_reports_different_salts(tmp_path: Path) -> None:
    salted = recorded(tmp_path / "salted.jsonl", SALT)
    plain = recorded(tmp_path / "plain.jsonl", None)

    def sides(*paths: Path) -> Any:
        return compare(*(open_source(path, lambda record: cards.GAME) for path in paths))

    same, other = sides(salted, salted), sides(salted, plain)
    assert same.same
    assert other.headers == [("salt", SALT.hex(), "none")]
    assert other.draw is not None


def test_an_imported_salted_match_is_verified_but_not_ranked(tmp_path: Path) -> None:
    sheets = [
        verified(read(recorded(tmp_path / f"{salt is None}.jsonl", salt)), cards.GAME)
        for salt in (SALT, None)
    ]
    assert [sheet.salt for sheet in sheets] == [SALT.hex(), ""]
    assert ranked(sheets) == [sheets[1]]


def test_a_salted_match_does_not_count_for_the_weekly_seed(tmp_path: Path) -> None:
    more = {"seed_origin": "weekly", "created": "2026-11-21T12:00:00+00:00"}
    match: Match[Any, Any] = Match(cards.GAME, seed="2026-W47", salt=SALT)
    with Journal.create(tmp_path / "week.jsonl", match, Header.of(match, **more)):
        while match.to_act:
            match.play(match.legal_actions()[0])
    with pytest.raises(ScoresError, match=r"\bweekly .*\bsalt$"):
        verified(read(tmp_path / "week.jsonl"), cards.GAME)
