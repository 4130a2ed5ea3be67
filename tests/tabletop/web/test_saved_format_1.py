"""Saved tables of format 1, which version 0.3.0 wrote."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tabletop.protocol import TableSettings
from tabletop.web.store import TableStore
from tests.tabletop.web.served import Server, serving

FILES = Path(__file__).parent / "data" / "format_1"
"""Two tables, their records and the key of their links, as 0.3.0 wrote them."""


def write_table(name: str, folder: Path, *missing: str) -> str:
    """Write a table of 0.3.0 to a folder, and return its name in links."""
    record = folder / f"{name}.jsonl"
    shutil.copy(FILES / record.name, record)
    shutil.copy(FILES / "host.key", folder)
    saved: dict[str, Any] = json.loads((FILES / f"{name}.json").read_text())
    saved["record"] = str(record)
    for field in missing:
        del saved[field]
    (folder / f"{saved['table']}.json").write_text(json.dumps(saved))
    return str(saved["table"])


def test_the_settings_of_a_table_are_read(tmp_path: Path) -> None:
    saved = TableStore(tmp_path).get(write_table("running", tmp_path))
    assert saved is not None
    expected = TableSettings(casual=True, open=(1,), clock=600, increment=5, idle_timeout=60)
    assert saved.settings == expected
    assert (saved.to_act, saved.ply) == ((1,), 1)


def test_fields_that_even_earlier_versions_left_out_have_their_defaults(tmp_path: Path) -> None:
    missing = ("increment", "move_time", "patience", "open_seats", "generations", "outseen")
    saved = TableStore(tmp_path).get(write_table("running", tmp_path, *missing))
    assert saved is not None
    assert saved.settings == TableSettings(casual=True, clock=600)


def test_a_table_without_clocks_or_limits_has_none(tmp_path: Path) -> None:
    saved = TableStore(tmp_path).get(write_table("over", tmp_path))
    assert saved is not None
    assert saved.settings == TableSettings(idle_timeout=None)
    assert len(saved.replay_tokens) == 4


def test_a_table_is_written_in_the_present_format(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    name = write_table("running", tmp_path)
    saved = store.get(name)
    assert saved is not None
    store.put(saved)
    assert json.loads((tmp_path / f"{name}.json").read_text())["format"] == 2
    assert store.get(name) == saved


def test_a_table_of_an_unknown_format_is_named(tmp_path: Path) -> None:
    name = write_table("running", tmp_path)
    path = tmp_path / f"{name}.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 3}))
    with pytest.raises(Exception, match=f"{name}.json"):
        TableStore(tmp_path).get(name)


@pytest.mark.slow
def test_the_links_of_a_table_are_valid_and_its_match_goes_on(tmp_path: Path) -> None:
    name = write_table("running", tmp_path)

    async def test(server: Server) -> None:
        async with server.screen(f"/t/{name}#GURaQiAyawKG3OsgjZ8O9g") as bo:
            table, state = await bo.until("table"), await bo.until("state")
            assert table["settings"]["clock"] == 600
            assert (state["ply"], state["your_turn"]) == (1, [1])
            await bo.say(type="act", line="roll")
            await bo.at(2)

    serving(test, tmp_path)


@pytest.mark.slow
def test_the_replay_page_of_a_finished_match_is_still_there(tmp_path: Path) -> None:
    name = write_table("over", tmp_path)

    async def test(server: Server) -> None:
        page = await server.web.get(f"/replay/{name}.Fu8Q9foY8KS7OyD3o7VLnw")
        assert page.status_code == 200

    serving(test, tmp_path)
