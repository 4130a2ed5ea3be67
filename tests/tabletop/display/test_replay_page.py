"""Films: a recorded match as one page that needs nothing else."""

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
    found = re.search(r'<script type="application/json" id="film">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


@pytest.fixture
def lcr(tmp_path: Path) -> Path:
    return recorded(tmp_path / "lcr.jsonl", "lcr", ["Ada", "Bo </script><b>", "Cy"], 4)


def test_a_film_has_a_picture_for_each_step_also_of_what_is_taken_back(lcr: Path) -> None:
    film = content(page_of(lcr, "lcr"))
    assert len(film["steps"]) == 1 + 4 + 1
    assert film["steps"][-1]["lines"] == ["1 action undone"]


@pytest.mark.parametrize("narrow", [False, True])
def test_the_pieces_of_a_film_make_the_pictures_again(lcr: Path, narrow: bool) -> None:
    film, plugin = content(page_of(lcr, "lcr")), load("lcr")
    for at, step in enumerate(film["steps"]):
        picture = "".join(film["pieces"][number] for number in step["narrow" if narrow else "wide"])
        stepper = Stepper(read(lcr), plugin.game)
        shown = picture_after(stepper, at, plugin.make_picture(), narrow=narrow)
        assert picture == re.sub("<style>.*?</style>", "", shown)


def test_a_film_fetches_nothing_and_runs_only_what_came_with_it(lcr: Path) -> None:
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


def test_names_cannot_leave_the_page_of_a_film(lcr: Path) -> None:
    page = page_of(lcr, "lcr")
    assert page.count("</script>") == 2
    assert "<b>" not in page


def test_a_film_shows_no_more_than_its_seat_saw(tmp_path: Path) -> None:
    path = recorded(tmp_path / "cards.jsonl", str(CARDS), ["Ada", "Bo"], 2)
    shown = {watcher: page_of(path, str(CARDS), watcher) for watcher in (None, 0, 1, "all")}
    assert len(set(shown.values())) == 4


def test_a_film_says_for_whom_it_is(lcr: Path) -> None:
    assert "as spectators saw it" in page_of(lcr, "lcr")
    assert "as Ada saw it" in page_of(lcr, "lcr", 0)
    assert "with everything revealed" in page_of(lcr, "lcr", "all")
