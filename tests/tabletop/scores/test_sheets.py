"""Score sheets: their contents, their keys, and their ranking."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tabletop.games import race

from tabletop import Match, Outcome, Random
from tabletop.errors import RecordMismatch, RecordVersionError, ScoresError
from tabletop.match import AnyMatch
from tabletop.records import Entry, Header, Journal, Record, read
from tabletop.scores import ScoreSheet, ranked, verified
from tabletop.scores.sheets import key_of, stamp
from tabletop.scores.verify import MemoryRecorder

WON = Outcome.win(0, 2, "at the goal")
HEADER = Header("race", "1", "Old Oak", ("Ann", "Bo"), players=("human", "random"))
WALK = Entry(seat=0, do="walk")
RUN = Entry(seat=1, do="run")


def sheet_of(*entries: Entry, header: Header = HEADER, outcome: Outcome = WON) -> ScoreSheet:
    return ScoreSheet.of(header, entries, outcome)


# Contents.


def test_a_sheet_contains_the_setup_and_the_outcome_of_the_match() -> None:
    header = replace(HEADER, seed_origin="given", options={"goal": 7})
    sheet = ScoreSheet.of(header, [WALK, RUN, WALK], WON)
    assert sheet == ScoreSheet(
        game="race",
        version="1",
        seed="Old Oak",
        seats=("Ann", "Bo"),
        players=("human", "random"),
        outcome=WON,
        plies=3,
        seed_origin="given",
        options={"goal": 7},
        undone=0,
        key=sheet.key,
    )
    assert sheet.winners == ("Ann",)


def test_undone_actions_are_counted_separately() -> None:
    sheet = sheet_of(WALK, RUN, WALK, Entry(undo=2), RUN, WALK, RUN)
    assert (sheet.plies, sheet.undone) == (4, 2)


HARE, BACK = Entry(seat=0, player="hare"), Entry(seat=0, player="human")


@pytest.mark.parametrize(
    ("entries", "players"),
    [
        ([WALK, HARE, WALK, BACK, WALK], ("human+hare", "random")),
        ([HARE, BACK, WALK], ("human", "random")),
        ([HARE, BACK], ("human", "random")),
    ],
)
def test_the_players_of_a_seat_are_listed_in_order_and_never_empty(
    entries: list[Entry], players: tuple[str, ...]
) -> None:
    assert sheet_of(*entries).players == players


def test_a_record_without_players_was_played_by_people() -> None:
    sheet = sheet_of(WALK, header=replace(HEADER, players=()))
    assert sheet.players == ("human", "human")


def test_a_person_has_won_only_without_the_help_of_a_bot() -> None:
    assert sheet_of(WALK).person_won
    assert not sheet_of(WALK, outcome=Outcome.win(1, 2)).person_won
    helped = sheet_of(WALK, HARE, WALK)
    assert not helped.person_won
    assert helped.people == ()


@pytest.mark.parametrize("outcome", [Outcome.draw(2), Outcome.abandon(2)])
def test_a_draw_and_an_abandoned_match_have_no_winner(outcome: Outcome) -> None:
    sheet = sheet_of(WALK, outcome=outcome)
    assert sheet.winners == ()
    assert not sheet.person_won


def test_times_are_in_utc_and_to_the_second() -> None:
    east = timezone(timedelta(hours=2))
    assert stamp(datetime(2026, 11, 21, 1, 2, 3, 999, east)) == "2026-11-20T23:02:03+00:00"


# Keys.


@pytest.mark.parametrize(
    "change",
    [
        {"game": "other"},
        {"version": "2"},
        {"seed": "New Oak"},
        {"seed_origin": "weekly"},
        {"seats": ("Ann", "Cy")},
        {"players": ("human", "human")},
        {"options": {"goal": 8}},
        {"created": "2026-11-21T12:00:00.000001+00:00"},
    ],
)
def test_matches_with_another_setup_have_other_keys(change: dict[str, Any]) -> None:
    assert key_of(replace(HEADER, **change), [WALK]) != key_of(HEADER, [WALK])


@pytest.mark.parametrize(
    "entries",
    [
        [],
        [RUN],
        [WALK, WALK],
        [WALK, Entry(undo=1)],
        [WALK, Entry(seat=0, player="random")],
        [Entry(seat=0, do="walk"), Entry(seat=1, player="walk")],
    ],
)
def test_matches_with_other_actions_have_other_keys(entries: list[Entry]) -> None:
    assert key_of(HEADER, entries) != key_of(HEADER, [WALK])


def test_the_formatting_and_the_path_of_a_record_do_not_change_its_key() -> None:
    written = [replace(WALK, digest="90af", line=7), Entry(end=WON)]
    header = replace(HEADER, seed=" old OAK ", source="elsewhere.py")
    assert key_of(header, [*written, Entry(played=2.0)]) == key_of(HEADER, [WALK])


def play_to_the_end(match: AnyMatch, recorder: Journal | MemoryRecorder) -> None:
    """Play, undo an action, seat a bot, and play to the end."""
    match.run(5)
    match.undo(2)
    match.run(3)
    recorder.seated(0, "hare")
    match.run()


def race_of_bots(seed: str) -> AnyMatch:
    return Match(race.GAME, seed=seed, seats=2, players=[Random(1), Random(2)])


def recorded(path: Path, *, seed: str = "old oak", origin: str = "", created: str = "") -> Record:
    """Return the record of a match between bots with an undone action."""
    match = race_of_bots(seed)
    header = Header.of(match, players=["random"] * 2, seed_origin=origin, created=created)
    with Journal.create(path, match, header) as journal:
        play_to_the_end(match, journal)
    return read(path)


@pytest.fixture
def record(tmp_path: Path) -> Record:
    return recorded(tmp_path / "match.jsonl")


def test_a_memory_recorder_has_the_same_entries_as_a_record(record: Record) -> None:
    match = race_of_bots("old oak")
    memory = MemoryRecorder(record.header)
    match.set_recorder(memory)
    play_to_the_end(match, memory)
    assert key_of(record.header, memory.entries) == key_of(record.header, record.entries)


# Imported records.


def test_a_verified_record_has_the_same_score_as_the_original_match(record: Record) -> None:
    outcome = record.entries[-1].end
    assert outcome is not None
    home = ScoreSheet.of(record.header, record.entries, outcome)
    expected = replace(home, record=record.path, program="9", imported=True)
    assert verified(record, race.GAME, program="9") == expected


def test_a_record_with_other_spellings_is_the_same_match(record: Record) -> None:
    loud = [
        entry if entry.do is None else replace(entry, do=f" {entry.do.upper()}", digest=None)
        for entry in record.entries
    ]
    other = replace(record, entries=tuple(loud))
    assert key_of(other.header, other.entries) != key_of(record.header, record.entries)
    assert verified(other, race.GAME).key == verified(record, race.GAME).key


def with_entries(record: Record, *entries: Entry) -> Record:
    return replace(record, entries=entries)


def test_a_record_that_does_not_verify_or_has_not_ended_is_refused(record: Record) -> None:
    header, (first, *between, last) = record.header, record.entries
    other = replace(first, do="run" if first.do == "walk" else "walk")
    assert last.end is not None
    ends = len(record.entries) + 1
    claimed = replace(last, end=Outcome(tuple(reversed(last.end.ranking))))
    for changed, error, message in (
        (
            with_entries(record, other, *between, last),
            RecordMismatch,
            r"2: action 1, .*\bstate\b",
        ),
        (with_entries(record, first, *between, claimed), RecordMismatch, f"line {ends}: "),
        (with_entries(record, first, *between[:-1]), ScoresError, "not ended"),
        (
            replace(record, header=replace(header, seed="lucky")),
            RecordMismatch,
            "line 2: action 1",
        ),
        (
            replace(record, header=replace(header, version="0")),
            RecordVersionError,
            r"\bversion 0\b.* race\b.*\bversion 1\b",
        ),
    ):
        with pytest.raises(error, match=rf"match\.jsonl: .*{message}"):
            verified(changed, race.GAME)


@pytest.mark.parametrize(
    ("origin", "seed", "created"),
    [
        ("weekly", "2026-W47", "2026-11-16T00:00:00+00:00"),
        ("weekly", "2026-W47", "2026-11-22T23:59:59.999999+00:00"),
        ("weekly", "2026-W47", "2026-11-23T01:00:00+02:00"),
        ("daily", "2026-11-21", "2026-11-21T08:00:00"),
        ("given", "2026-W47", ""),
        ("fresh", "anything", "no time"),
    ],
)
def test_a_weekly_or_daily_seed_played_in_its_time_is_accepted(
    origin: str, seed: str, created: str, tmp_path: Path
) -> None:
    record = recorded(tmp_path / "m.jsonl", seed=seed, origin=origin, created=created)
    assert verified(record, race.GAME).seed_origin == origin


@pytest.mark.parametrize(
    ("origin", "seed", "created"),
    [
        ("weekly", "2026-W47", "2026-11-23T00:00:00+00:00"),
        ("weekly", "2026-W47", ""),
        ("weekly", "2026-W47", "some day"),
        ("weekly", "old oak", "2026-11-21T08:00:00+00:00"),
        ("weekly", "2026-11-21", "2026-11-21T08:00:00+00:00"),
        ("daily", "2026-11-21", "2026-11-22T08:00:00+00:00"),
    ],
)
def test_a_weekly_or_daily_seed_of_another_time_is_refused(
    origin: str, seed: str, created: str, tmp_path: Path
) -> None:
    record = recorded(tmp_path / "m.jsonl", seed=seed, origin=origin, created=created)
    with pytest.raises(ScoresError, match=f"'{seed}' .* {origin} seed "):
        verified(record, race.GAME)


@pytest.mark.parametrize(
    ("created", "seconds", "finished"),
    [
        ("2026-11-21T12:00:00.5+00:00", 61.0, "2026-11-21T12:01:01+00:00"),
        ("2026-11-21T12:00:00+02:00", 0.0, "2026-11-21T10:00:00+00:00"),
        ("2026-11-21", 0.0, "2026-11-21T00:00:00+00:00"),
        ("9999-12-31T23:59:59+00:00", 5.0, "9999-12-31T23:59:59+00:00"),
        ("yesterday", 5.0, ""),
        ("", 5.0, ""),
    ],
)
def test_the_time_of_an_imported_match_is_copied_from_its_record(
    created: str, seconds: float, finished: str, tmp_path: Path
) -> None:
    record = recorded(tmp_path / "m.jsonl", created=created)
    timed = replace(record, entries=(*record.entries, Entry(played=seconds)))
    sheet = verified(timed, race.GAME)
    assert (sheet.finished, sheet.seconds) == (finished, seconds or None)


# Ranking.

sheets = st.builds(
    lambda game, seat, undone, plies, seconds, hour, player: ScoreSheet(
        game,
        "1",
        "2026-W47",
        ("Ann", "Bo"),
        (player, "random"),
        Outcome.draw(2) if seat is None else Outcome.win(seat, 2),
        plies,
        undone=undone,
        seconds=seconds,
        finished=datetime(2026, 11, 21, hour, tzinfo=UTC).isoformat(),
    ),
    st.sampled_from(["lcr", "race"]),
    st.sampled_from([0, 1, None]),
    st.integers(0, 2),
    st.integers(1, 3),
    st.sampled_from([None, 1.0, 2.0]),
    st.integers(0, 3),
    st.sampled_from(["human", "random"]),
)


@given(st.lists(sheets, max_size=12))
def test_the_ranking_does_not_depend_on_the_order_of_the_sheets(
    found: list[ScoreSheet],
) -> None:
    found = [replace(sheet, key=str(number)) for number, sheet in enumerate(found)]
    board = ranked(found)
    assert board == ranked(reversed(found))
    assert sorted(sheet.key for sheet in board) == sorted(sheet.key for sheet in found)


BASE = sheet_of(WALK, RUN, WALK)
LOST, DRAWN = Outcome.win(1, 2), Outcome.draw(2)


BETTER = {
    "a person won, a draw": (replace(BASE, plies=9, undone=4), replace(BASE, outcome=DRAWN)),
    "a draw, a loss": (replace(BASE, plies=9, outcome=DRAWN), replace(BASE, outcome=LOST)),
    "a draw of people, one of bots": (
        replace(BASE, outcome=DRAWN),
        replace(BASE, outcome=DRAWN, players=("hare", "random")),
    ),
    "nothing taken back": (replace(BASE, plies=9), replace(BASE, undone=1)),
    "fewer plies": (replace(BASE, plies=2, seconds=9.0), replace(BASE, plies=3, seconds=1.0)),
    "less time": (
        replace(BASE, seconds=1.0, finished="2"),
        replace(BASE, seconds=2.0, finished="1"),
    ),
    "a time that was measured": (replace(BASE, seconds=99.0), replace(BASE, seconds=None)),
    "the earlier one": (replace(BASE, finished="1"), replace(BASE, finished="2")),
    "game by game": (replace(BASE, game="lcr", outcome=LOST), replace(BASE, game="race")),
    "seats by seats": (replace(BASE, outcome=LOST), replace(BASE, seats=("Ann", "Bo", "Cy"))),
    "options by options": (
        replace(BASE, options={"goal": 5}, outcome=LOST),
        replace(BASE, options={"goal": 6}),
    ),
    "rules by rules": (replace(BASE, outcome=LOST), replace(BASE, version="2")),
}


@pytest.mark.parametrize("case", BETTER)
def test_the_better_match_is_ranked_first(case: str) -> None:
    better, worse = BETTER[case]
    assert ranked([worse, better]) == [better, worse]
