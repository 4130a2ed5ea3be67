"""An unloaded table keeps its record, its score, and a small file."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec
from unittest import mock

import pytest

from tabletop.protocol import ActIn
from tabletop.registry import load
from tabletop.scores.save_score import open_book
from tabletop.table import MatchTable
from tabletop.table.inputs import Reseat, Tick
from tabletop.web import Limits, OfferedGames, TableRequest
from tabletop.web.links import FORMER, OpenedTable
from tabletop.web.listing import TableLost
from tabletop.web.store import SavedTable, StoreError, TableStore
from tabletop.web.table_manager import TableManager, TooMany
from tabletop.web.tokens import LinkKey, NotAdmitted
from tests.tabletop.games import walk
from tests.tabletop.table.perspectives import (
    Late,
    late_for_spectators,
    only_the_start_for_spectators,
)
from tests.tabletop.told import tells
from tests.tabletop.web.served import QUICK, Server, serving
from tests.tabletop.web.test_people import play_to_the_end

pytestmark = pytest.mark.slow  # each of them starts a server

P = ParamSpec("P")
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
WALK = load(str(Path(walk.__file__)))


@contextmanager
def tables_in(
    directory: Path, *, days: int = 0, scored: bool = True, killed: bool = False
) -> Iterator[TableManager]:
    """The tables of a server after some days. The server may be killed at the end."""
    tables = TableManager(
        OfferedGames([WALK]),
        TableStore(directory),
        asyncio.get_running_loop(),
        limits=Limits(pause=0, unload_finished=0, sweep=3600),
        now=lambda: NOW + timedelta(days=days),
        scored=scored,
    )
    try:
        yield tables
    finally:
        if not killed:
            tables.close()
        else:  # what it has written is all there is
            tables._timer.cancel()
            tables._clock_timer.cancel()
            for live in tables.listing.live.values():
                live.runner.close()
                live.journal._file.close()


def looped(test: Callable[P, Coroutine[None, None, None]]) -> Callable[P, None]:
    """Run a test on a loop of its own."""

    @wraps(test)
    def run(*arguments: P.args, **more: P.kwargs) -> None:
        asyncio.run(test(*arguments, **more))

    return run


def token(opened: OpenedTable, seat: int = 0) -> tuple[str, str]:
    """The name of a table, and the token of a seat there."""
    return opened.table, (opened.links[seat] or "").partition("#")[2]


async def finished(tables: TableManager, name: str = "lcr") -> OpenedTable:
    """A table at which bots have played a match to its end."""
    opened = tables.open_requested(TableRequest(game=name, players=["human", "random", "random"]))
    runner, _ = tables.admit(*token(opened))
    runner.receive(Reseat(0, "random"))
    while runner.table.requests.advance():
        pass
    runner.receive(Tick())
    await asyncio.sleep(0.01)
    return opened


def kept_in(directory: Path) -> SavedTable:
    (kept,) = TableStore(directory).all()
    return kept


def sheets(record: str) -> int:
    return sum(sheet.record == record for sheet in open_book().find())


@looped
async def test_the_score_of_a_finished_table_is_kept_once(tmp_path: Path) -> None:
    with tables_in(tmp_path) as tables:
        opened = await finished(tables)
        tables._unload_idle()
        assert not tables.listing.live
        record = kept_in(tmp_path).record
        assert sheets(record) == 1
        tables.admit(*token(opened))  # somebody looks at it again
        tables._unload_idle()
    with tables_in(tmp_path) as tables:
        tables.admit(*token(opened))
    assert sheets(record) == 1
    assert kept_in(tmp_path).scored


@looped
async def test_the_score_is_kept_when_the_server_was_killed_before_it_could_be(
    tmp_path: Path,
) -> None:
    with tables_in(tmp_path, killed=True) as tables:
        await finished(tables)
    record = kept_in(tmp_path).record
    assert kept_in(tmp_path).over
    assert sheets(record) == 0
    for _ in range(2):
        with tables_in(tmp_path):
            assert sheets(record) == 1


@looped
async def test_a_match_that_goes_on_and_one_without_scores_have_no_sheet(tmp_path: Path) -> None:
    with tables_in(tmp_path / "on") as tables:
        tables.open_requested(TableRequest(game="lcr"))
    assert sheets(kept_in(tmp_path / "on").record) == 0
    with tables_in(tmp_path / "no", scored=False) as tables:
        await finished(tables)
    with tables_in(tmp_path / "no"):
        pass
    assert sheets(kept_in(tmp_path / "no").record) == 0


def _remove(path: Path) -> None:
    path.unlink()


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _spoil(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:-1], b'{"seat":0,"do":"dance","digest":"00"}\n']))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_remove, "the record of this table is gone"),
        (_empty, "the record of this table cannot be read"),
        (_spoil, "the record of this table cannot be read"),
    ],
)
@looped
async def test_a_table_whose_record_is_damaged_says_so_and_the_others_go_on(
    tmp_path: Path,
    spoil: Callable[[Path], None],
    said: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with tables_in(tmp_path) as tables:
        bad, good = (tables.open_requested(TableRequest(game="lcr")) for _ in range(2))
        for opened in (bad, good):
            found = tables.admit(*token(opened))
            assert tables.admit(*token(opened)) == found
    path = Path(next(it.record for it in TableStore(tmp_path).all() if it.table == bad.table))
    spoil(path)
    with tables_in(tmp_path) as tables:
        with pytest.raises(TableLost, match=said) as lost:
            tables.admit(*token(bad))
        assert str(path) not in str(lost.value)
        assert str(path) in caplog.text
        assert tables.admit(*token(good))[0].table.match.ply == 0


@looped
async def test_a_table_whose_file_is_damaged_says_so_and_the_others_go_on(tmp_path: Path) -> None:
    with tables_in(tmp_path) as tables:
        bad, good, gone = (tables.open_requested(TableRequest(game="lcr")) for _ in range(3))
    (tmp_path / f"{bad.table}.json").write_text('{"table":')
    (tmp_path / f"{gone.table}.json").unlink()
    with tables_in(tmp_path) as tables:
        with pytest.raises(TableLost, match="the saved table cannot be read"):
            tables.admit(*token(bad))
        with pytest.raises(NotAdmitted):
            tables.admit(*token(gone))
        tables.admit(*token(good))


@pytest.mark.parametrize(
    ("fault", "named"),
    [
        ({"generations": [1]}, "generations"),
        ({"clock": [1.0]}, "clock"),
        ({"replay_tokens": ["x"]}, "replay_tokens"),
        ({"seen": [[1, False]]}, "seen"),
        ({"settings": {"open": [99]}}, "open"),
        ({"settings": {"open": [-1]}}, "Expected `int` >= 0"),
        ({"settings": {"open": [1]}}, "open"),  # a bot's
        ({"settings": {"open": [0, 0]}}, "open"),
        ({"generations": [-1, 0, 0]}, "generations"),
        ({"tokens": {"seats": ["x"], "spectators": "y"}}, "tokens"),
    ],
)
@looped
async def test_a_file_with_more_or_fewer_seats_than_its_table_is_named_and_left_out(
    tmp_path: Path, fault: dict[str, object], named: str, caplog: pytest.LogCaptureFixture
) -> None:
    with tables_in(tmp_path) as tables:
        wish = TableRequest(game="lcr", players=["human", "random", "random"])
        bad, good = (tables.open_requested(wish) for _ in range(2))
    path = tmp_path / f"{bad.table}.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **fault}))
    with tables_in(tmp_path) as tables:
        assert [*tables.listing.listed] == [good.table]
        assert f"{path}: not a valid saved table: {named}" in caplog.text


@looped
async def test_a_wrong_token_is_compared_with_few_however_often_a_seat_was_taken(
    tmp_path: Path,
) -> None:
    with tables_in(tmp_path) as tables:
        opened = tables.open_requested(TableRequest(game="lcr", seats=3))
    path = tmp_path / f"{opened.table}.json"
    changed = {"settings": {"open": [1]}, "generations": [0, 10**12, 0]}
    path.write_text(json.dumps({**json.loads(path.read_text()), **changed}))
    with tables_in(tmp_path) as tables:
        seat = mock.Mock(side_effect=[str(it) for it in range(FORMER)])
        with mock.patch.object(LinkKey, "seat", seat), pytest.raises(NotAdmitted):
            tables.admit(opened.table, "wrong")


@looped
async def test_a_table_whose_file_cannot_be_read_stands_still_and_is_not_gone(
    tmp_path: Path,
) -> None:
    with tables_in(tmp_path) as tables:
        opened = tables.open_requested(TableRequest(game="lcr"))
    (tmp_path / f"{opened.table}.json").write_text("{")
    with tables_in(tmp_path) as tables:
        assert tables.listing.standing(*token(opened)).state == "stopped"


@looped
async def test_a_file_may_hold_words_for_hashes_and_no_clocks(tmp_path: Path) -> None:
    with tables_in(tmp_path) as tables:
        opened = tables.open_requested(TableRequest(game="lcr", seats=3))
    path = tmp_path / f"{opened.table}.json"
    tokens = {"seats": ["é"] * 3, "spectators": "é"}
    changed = {"tokens": tokens, "clock": [], "settings": {"open": [1]}}
    path.write_text(json.dumps({**json.loads(path.read_text()), **changed}))
    with tables_in(tmp_path) as tables:
        assert len(tables.listing.summaries()) == len(tables.listing.overview()) == 1
        with pytest.raises(NotAdmitted):
            tables.admit(*token(opened))


@looped
async def test_a_table_with_the_record_of_other_seats_stands_still(tmp_path: Path) -> None:
    with tables_in(tmp_path) as tables:
        small, large = (tables.open_requested(TableRequest(game="lcr", seats=it)) for it in (3, 4))
    record = json.loads((tmp_path / f"{small.table}.json").read_text())["record"]
    path = tmp_path / f"{large.table}.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "record": record}))
    with tables_in(tmp_path) as tables:
        with pytest.raises(TableLost, match="cannot be read"):
            tables.admit(*token(large))
        assert len(tables.listing.listed) == 2


@looped
async def test_a_game_that_is_not_offered_any_more_is_named(tmp_path: Path) -> None:
    with tables_in(tmp_path) as tables:
        opened = tables.open_requested(TableRequest(game="longwalk"))
    loop = asyncio.get_running_loop()
    other = TableManager(OfferedGames([]), TableStore(tmp_path), loop)
    with pytest.raises(TableLost, match="does not offer"):
        other.admit(*token(opened))
    other.close()


@looped
async def test_old_tables_are_forgotten_and_their_records_stay(tmp_path: Path) -> None:
    with tables_in(tmp_path) as tables:
        over = await finished(tables)
        begun, untouched = (tables.open_requested(TableRequest(game="lcr")) for _ in range(2))
        runner, _ = tables.admit(*token(begun))
        runner.table.holders[0].request(ActIn("roll"))
    records = {kept.table: Path(kept.record) for kept in TableStore(tmp_path).all()}
    for path in tmp_path.glob("*.json"):
        os.utime(path, (NOW.timestamp(), NOW.timestamp()))
    assert len(records) == 3
    for days, left in ((29, 3), (31, 1), (364, 1), (366, 0)):
        with tables_in(tmp_path, days=days) as tables:
            assert len(list(TableStore(tmp_path).all())) == left
            listed = {kept.table for kept in tables.listing.listed.values()}
            assert (begun.table in listed) == (left > 0)
            if days == 31:
                for opened in (over, untouched):
                    with pytest.raises(NotAdmitted):
                        tables.admit(*token(opened, 0))
    assert all(path.exists() for path in records.values())


@looped
async def test_the_lobby_lists_how_far_matches_are_after_the_server_was_killed(
    tmp_path: Path,
) -> None:
    with tables_in(tmp_path, killed=True) as tables:
        opened = tables.open_requested(TableRequest(game="lcr", players=["human"] * 3, open=(1,)))
        runner, _ = tables.admit(*token(opened))
        runner.table.holders[0].request(ActIn("roll"))
        runner.receive(Tick())
        await asyncio.sleep(0.01)
        assert tables.listing.summaries()[0]["ply"] == 1
    with tables_in(tmp_path) as tables:
        assert tables.listing.summaries()[0]["ply"] == 1
    with tables_in(tmp_path, days=40) as tables:
        assert len(tables.listing.summaries()) == 1, "a match that goes on is kept for a year"


@looped
async def test_the_lobby_shows_no_more_of_a_match_than_its_spectators_see(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MatchTable, "perspective", only_the_start_for_spectators)
    with tables_in(tmp_path) as tables:
        opened = tables.open_requested(TableRequest(game="lcr", players=["human"] * 3, open=(1,)))
        runner, _ = tables.admit(*token(opened))
        runner.table.holders[0].request(ActIn("roll"))
        runner.receive(Tick())
        listing, spectator = tables.listing, (opened.spectators or "").partition("#")[2]
        assert listing.summaries()[0]["ply"] == 0
        assert listing.standing(opened.table, spectator).ply == 0
        assert listing.standing(*token(opened)).ply == 1
    with tables_in(tmp_path) as tables:
        assert tables.listing.summaries()[0]["ply"] == 0
        assert tables.listing.standing(opened.table, spectator).ply == 0
        assert tables.listing.standing(*token(opened)).ply == 1


@looped
@pytest.mark.parametrize("killed", [True, False])
async def test_the_lobby_lists_a_match_until_its_spectators_have_seen_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed: bool
) -> None:
    monkeypatch.setattr(MatchTable, "perspective", late_for_spectators)
    with tables_in(tmp_path, killed=killed) as tables:
        opened = await finished(tables)
    with tables_in(tmp_path) as tables:
        spectator = (opened.spectators or "").partition("#")[2]
        assert tables.listing.standing(opened.table, spectator).state == "on"
        assert tables.listing.standing(*token(opened)).state == "over"
        assert len(tables.listing.overview()) == 1
        tables.admit(*token(opened))
        [live] = tables.listing.live.values()
        live.runner.receive(Tick())
        live.table.receive(Tick(), tables._loop.time() + Late.DELAY)
        tables._unload_idle()
        assert not tables.listing.overview()


@looped
async def test_clocks_are_saved_while_somebody_thinks_and_nothing_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabletop.web.table_manager.SAVE_CLOCKS", 0.05)
    with tables_in(tmp_path) as tables:
        opened = tables.open_requested(TableRequest(game="lcr", seats=3, clock=60))
        runner = tables.listing.live[opened.table].runner
        runner.table.successors.presence.visited = {0, 1, 2}
        runner.receive(Tick())
        for least in (0, 0.1):
            await asyncio.sleep(0.15)
            saved = TableStore(tmp_path).get(opened.table)
            assert saved is not None
            assert saved.clock[0] is not None
            assert 0 < saved.clock[0] < 60 - least


@looped
async def test_no_more_tables_are_in_memory_than_fit(tmp_path: Path) -> None:
    with tables_in(tmp_path) as tables:
        tables.limits = replace(tables.limits, tables=1)
        first = tables.open_requested(TableRequest(game="lcr"))
        second = tables.open_requested(TableRequest(game="lcr"))  # nobody is at the first
        assert list(tables.listing.live) == [second.table]
        tables.admit(*token(first))
        assert list(tables.listing.live) == [first.table]
        tables.listing.live[first.table].table.quiet_since = None  # somebody is there
        with pytest.raises(TooMany, match="the server is full"):
            tables.open_requested(TableRequest(game="lcr"))
        with pytest.raises(TooMany, match="try again soon"):
            tables.admit(*token(second))


@looped
async def test_tables_that_have_been_closed_are_not_swept(tmp_path: Path) -> None:
    with tables_in(tmp_path) as tables:
        assert not tables._timer.cancelled()
    assert tables._timer.cancelled()


@looped
async def test_tables_that_are_opened_and_left_leave_nothing_in_memory(
    tmp_path: Path,
) -> None:
    with tables_in(tmp_path) as tables:
        tables.limits = replace(tables.limits, unload=0)
        for _ in range(5):
            await finished(tables)
            tables._unload_idle()
            assert not tables.listing.live
            assert not tables.listing.listed.values()


@looped
async def test_a_table_stays_in_memory_until_spectators_have_seen_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MatchTable, "perspective", late_for_spectators)
    with tables_in(tmp_path) as tables:
        await finished(tables)
        tables._unload_idle()
        [live] = tables.listing.live.values()
        assert live.table.match.over
        live.table.receive(Tick(), tables._loop.time() + Late.DELAY)
        tables._unload_idle()
        assert not tables.listing.live


@pytest.mark.slow
def test_a_full_disk_tells_people_no_path_and_the_host_which_record(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(server: Server) -> None:
        opened = await server.open("lcr")
        journal = server.hosting.tables.listing.live[opened["table"]].journal
        with open("/dev/full", "wb") as full:
            os.dup2(full.fileno(), journal._file._descriptor)
        async with server.screen(opened["links"][0]) as ada:
            await ada.until("state")
            await ada.say(type="act", line="roll", id=7)
            told = await ada.until("refused")
            assert (told["reason"], "cannot be saved" in told["message"]) == ("record", True)
            assert ".jsonl" not in told["message"]
        assert tells(caplog.text, ".jsonl: ... No space left on device")

    serving(test, tmp_path)


@contextmanager
def full_disk(server: Server, opened: dict[str, Any]) -> Iterator[None]:
    """Let the record of a table be on a full disk for the time of a block."""
    descriptor = server.hosting.tables.listing.live[opened["table"]].journal._file._descriptor
    kept = os.dup(descriptor)
    with open("/dev/full", "wb") as full:
        os.dup2(full.fileno(), descriptor)
    yield
    os.dup2(kept, descriptor)
    os.close(kept)


def test_bots_play_on_when_a_full_disk_has_space_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(server: Server) -> None:
        opened = await server.open("lcr", players=["random"] * 3)
        with full_disk(server, opened):
            watch = server.screen(opened["spectators"])
            screen = await watch.__aenter__()
            note = await screen.until("note")
            assert "cannot be saved" in note["text"]
            assert str(tmp_path) not in note["text"]
        await screen.until("state", lambda told: told["over"])
        await watch.__aexit__(None, None, None)
        assert ".jsonl" not in "".join(screen.texts)
        assert tells(caplog.text, ".jsonl: ... No space left on device")

    serving(test, tmp_path, limits=replace(QUICK, save_again=0.1))


def test_a_bot_plays_for_a_person_without_time_when_a_full_disk_has_space_again(
    tmp_path: Path,
) -> None:
    async def test(server: Server) -> None:
        opened = await server.open("lcr", players=["human", "random", "random"], clock=1)
        async with server.screen(opened["links"][0]) as ada:
            await ada.until("state", lambda told: told["your_turn"])
            with full_disk(server, opened):
                note = await ada.until("note", lambda told: "cannot be saved" in told["text"])
                assert ".jsonl" not in note["text"]
            await ada.until("table", lambda told: told["players"][0] != "human")

    serving(test, tmp_path, limits=replace(QUICK, save_again=0.1))


def test_a_table_that_cannot_be_opened_again_tells_no_path(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(server: Server) -> None:
        opened = await server.open("lcr", seats=3, players=["human", "random", "random"])
        async with server.screen(opened["links"][0]) as ada:
            await play_to_the_end(ada)
            tables = server.hosting.tables
            refusal = StoreError(f"{server.directory}: cannot be written: No space left on device")
            with mock.patch.object(tables._store, "put", side_effect=refusal):
                await ada.say(type="again", id=9)
                told = await ada.until("refused", lambda told: told["id"] == 9)
        assert told["reason"] == "record"
        assert str(server.directory) not in told["message"]
        assert str(server.directory) in caplog.text

    serving(test, tmp_path)
