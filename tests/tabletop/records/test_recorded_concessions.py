"""Concessions in records: written, read, replayed, resumed and verified."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.tabletop.games import race

from tabletop import Conceded, Match, Plugin, Random, RecordError
from tabletop.display.replay_page import replay_page
from tabletop.errors import RecordMismatch
from tabletop.match import AnyMatch
from tabletop.records import Journal, Stepper, read, replay
from tabletop.registry import load
from tabletop.scores import ScoreSheet, verified

LCR = load("lcr")


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def short_race() -> AnyMatch:
    return Match(race.GAME, seed="oak", seats=["Ann", "Bo"], options={"goal": 9})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.jsonl"


def recorded_chips(path: Path) -> AnyMatch:
    """Record a match of three, of whom one resigns before the first action and one later."""
    match = Match(LCR.game, seed="oak", seats=["Ann", "Bo", "Cy"])
    for seat in range(3):
        match.set_player(seat, Random(seat))
    with Journal.create(path, match):
        match.concede(2)
        match.run(4)
        match.concede(0, "time")
    return match


def test_a_concession_and_its_outcome_have_a_line_each(path: Path) -> None:
    match = short_race()
    with Journal.create(path, match):
        match.play("walk")
        match.concede(1, "time")
    loss, end = lines_of(path)[2:]
    assert len(loss.pop("check")) == 16
    assert loss == {"seat": 1, "conceded": "time"}
    assert end["end"]["ranking"] == [[0], [1]]
    assert read(path).ended


def test_an_agreed_draw_has_a_line_without_a_seat(path: Path) -> None:
    match = short_race()
    with Journal.create(path, match):
        match.agree_draw()
    draw, end = lines_of(path)[1:]
    assert {name: it for name, it in draw.items() if name != "check"} == {"conceded": "draw"}
    assert end["end"]["ranking"] == [[0, 1]]
    assert replay(read(path), race.GAME).outcome == match.outcome


def test_the_record_alone_gives_the_same_outcome(path: Path) -> None:
    match = recorded_chips(path)
    again = replay(read(path), LCR.game)
    assert again.concessions == match.concessions
    assert again.outcome == match.outcome
    assert again.over


def test_a_resumed_record_continues_after_a_concession(path: Path) -> None:
    match = Match(LCR.game, seed="oak", seats=3)
    with Journal.create(path, match):
        match.concede(1)
    record = read(path)
    match = replay(record, LCR.game)
    with Journal.resume(record, match):
        match.play(match.legal_actions()[0])
        match.concede(0)
    assert replay(read(path), LCR.game).outcome == match.outcome


def test_a_journal_that_starts_later_contains_earlier_concessions(path: Path) -> None:
    match = Match(LCR.game, seed="oak", seats=3)
    match.concede(1)
    match.play(match.legal_actions()[0])
    match.concede(0)
    Journal.create(path, match).close()
    assert replay(read(path), LCR.game).outcome == match.outcome


def test_a_replay_that_goes_back_restores_concessions(path: Path) -> None:
    match = recorded_chips(path)
    stepper = Stepper(read(path), LCR.game)
    assert stepper.match.lost == (2,)
    assert stepper.steps == 4
    stepper.go(4)
    assert stepper.match.outcome == match.outcome
    stepper.go(3)
    assert (stepper.match.over, stepper.match.lost) == (False, (2,))
    stepper.go(4)
    assert stepper.match.outcome == match.outcome


def test_a_replay_that_goes_back_over_an_undo_restores_concessions(path: Path) -> None:
    match = short_race()
    with Journal.create(path, match):
        match.play("walk")
        match.play("walk")
        match.concede(1)
        match.undo(2)
    stepper = Stepper(read(path), race.GAME)
    stepper.go(3)
    assert not stepper.match.over
    stepper.go(2)
    assert stepper.match.lost == (1,)
    assert stepper.match.over


def test_a_page_of_the_replay_contains_the_reason(path: Path) -> None:
    match = short_race()
    with Journal.create(path, match):
        match.concede(1)
    plugin = Plugin(race.GAME)
    page = replay_page(Stepper(read(path), race.GAME), plugin.make_picture(), plugin.text)
    assert "Bo resigned" in page


def test_a_verified_score_sheet_has_the_outcome_of_the_concession(path: Path) -> None:
    match = recorded_chips(path)
    record = read(path)
    assert match.outcome is not None
    sheet = verified(record, LCR.game)
    assert sheet.outcome == match.outcome
    assert sheet.key == ScoreSheet.of(record.header, record.entries, match.outcome).key


@pytest.mark.parametrize(
    "line",
    [
        '{"conceded": "resigned"}',
        '{"seat": 0, "conceded": "bored"}',
        '{"seat": 7, "conceded": "time"}',
    ],
)
def test_an_impossible_line_is_damage(path: Path, line: str) -> None:
    Journal.create(path, short_race()).close()
    path.write_bytes(path.read_bytes() + line.encode() + b"\n")
    with pytest.raises(RecordError, match="line 2"):
        read(path)


def test_a_second_loss_of_a_seat_does_not_replay(path: Path) -> None:
    Journal.create(path, Match(LCR.game, seed="oak", seats=3)).close()
    line = b'{"seat": 1, "conceded": "time"}\n'
    path.write_bytes(path.read_bytes() + 2 * line)
    with pytest.raises(RecordMismatch, match="line 3"):
        replay(read(path), LCR.game)


def test_the_log_of_a_game_names_the_loser() -> None:
    for name in ("lcr", "sorcery", "constructor"):
        plugin = load(name)
        match = Match(plugin.game, seed="oak")
        names = match.names
        assert "resigned" in plugin.text.event(Conceded(1, "resigned"), names)
        for seat in range(1, match.seats):
            match.concede(seat)
        assert match.outcome is not None
        assert f"{names[1]} resigned" in plugin.text.outcome(match.outcome, names)
