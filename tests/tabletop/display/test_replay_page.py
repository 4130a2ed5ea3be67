"""Replay pages: a match as one self-contained HTML page."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from tests.tabletop.games import cards

from tabletop import Match, Watcher
from tabletop.display.replay_page import picture_after, replay_page
from tabletop.records import Header, Journal, Stepper, read
from tabletop.registry import load

CARDS = Path(cards.__file__)


def recorded(path: Path, name: str, seats: list[str], plies: int) -> Path:
    plugin = load(name)
    match = Match(plugin.game, seed="old oak", seats=seats)
    with Journal.create(path, match, Header.of(match, source=name)):
        for _ in range(plies):
            match.play(match.legal_actions()[0])
        match.undo()
    return path


def page_of(path: Path, name: str, watcher: Watcher = None) -> str:
    plugin = load(name)
    stepper = Stepper(read(path), plugin.game)
    return replay_page(stepper, plugin.make_picture(), plugin.text, watcher)


def content(page: str) -> Any:
    found = re.search(
        r'<script type="application/json" id="replay">(.*?)</script>', page, re.DOTALL
    )
    assert found
    return json.loads(found[1])


@pytest.fixture
def lcr(tmp_path: Path) -> Path:
    return recorded(tmp_path / "lcr.jsonl", "lcr", ["Ada", "Bo </script><b>", "Cy"], 4)


def test_a_replay_page_has_a_picture_for_each_step_and_each_undo(lcr: Path) -> None:
    replay = content(page_of(lcr, "lcr"))
    assert len(replay["steps"]) == 1 + 4 + 1
    assert replay["steps"][-1]["lines"] == ["1 action undone"]


@pytest.mark.parametrize("narrow", [False, True])
def test_the_fragments_of_a_replay_page_make_up_the_pictures(lcr: Path, narrow: bool) -> None:
    replay, plugin = content(page_of(lcr, "lcr")), load("lcr")
    for at, step in enumerate(replay["steps"]):
        picture = "".join(
            replay["pieces"][number] for number in step["narrow" if narrow else "wide"]
        )
        stepper = Stepper(read(lcr), plugin.game)
        shown = picture_after(stepper, at, plugin.make_picture(), plugin.text, narrow=narrow)
        assert picture == re.sub("<style>.*?</style>", "", shown)


def test_a_replay_page_fetches_nothing_and_runs_only_its_own_script(lcr: Path) -> None:
    page = page_of(lcr, "lcr")
    assert not re.search(r"(src|href)=|url\(|@import|https?://(?!www\.w3\.org/2000/svg)", page)
    stated = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert stated
    policy = unescape(stated[1])
    script = re.search(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    assert script
    digest = b64encode(sha256(script[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy


def test_names_cannot_break_out_of_a_replay_page(lcr: Path) -> None:
    page = page_of(lcr, "lcr")
    assert page.count("</script>") == 2
    assert "<b>" not in page


def test_a_replay_page_shows_only_what_its_seat_saw(tmp_path: Path) -> None:
    path = recorded(tmp_path / "cards.jsonl", str(CARDS), ["Ada", "Bo"], 2)
    shown = {watcher: page_of(path, str(CARDS), watcher) for watcher in (None, 0, 1, "all")}
    assert len(set(shown.values())) == 4


def test_a_replay_page_names_its_perspective(lcr: Path) -> None:
    assert "as spectators saw it" in page_of(lcr, "lcr")
    assert "as Ada saw it" in page_of(lcr, "lcr", 0)
    assert "with everything revealed" in page_of(lcr, "lcr", "all")
