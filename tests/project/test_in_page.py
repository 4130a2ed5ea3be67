"""The parts of "Try it in the page": pinned files, markup, and the Python driver."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from docs.in_page import driver
from mkdocs.exceptions import PluginError
from tools import in_page

from tabletop.registry import load
from tabletop.testing import check_game

ROOT = Path(__file__).parents[2]
LOOK = {"dark": False, "narrow": False}
Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Ask:
    """Return a function that calls the driver like the page, with files in a folder of the test."""
    monkeypatch.setattr(driver, "FOLDER", tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)  # as the worker has it

    def asked(do: str, **more: object) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(driver.answer(json.dumps({"do": do, **more}), bool))
        return answer

    return asked


def stem(path: Path) -> str:
    return path.stem


def begin(ask: Ask, file: str, **more: object) -> dict[str, Any]:
    text = (ROOT / "examples" / file).read_text("utf-8")
    asked = {"seed": "old oak", "seats": None, "look": LOOK, **more}
    return ask("play", file=file.rpartition("/")[2], text=text, **asked)


def test_a_match_with_a_bot_and_an_undo_is_played(ask: Ask) -> None:
    state = begin(ask, "tictactoe.py")
    assert (state["prompt"], state["seed"], state["bot"]) == (
        "Player 1: your turn",
        "old oak",
        False,
    )
    state = ask("act", line="5", look=LOOK)
    assert state["bot"]
    state = ask("advance", look=LOOK)
    assert len(state["log"]) == 2
    assert not state["bot"]
    state = ask("undo", look=LOOK)
    assert len(state["choices"]) == 9


def test_a_refused_action_shows_the_reason_and_changes_nothing(ask: Ask) -> None:
    digest = begin(ask, "tictactoe.py")["digest"]
    assert "'10' is not possible here" in ask("act", line="10", look=LOOK)["error"]
    assert ask("show", look=LOOK)["digest"] == digest


def test_a_choice_of_several_things_has_its_items(ask: Ask) -> None:
    begin(ask, "../tests/potluck.py")
    put = ask("show", look=LOOK)["choices"][-1]
    assert (put["words"], put["several"]["low"], put["several"]["high"]) == ("put", 1, 3)
    items = {item["words"]: item["path"] for item in put["several"]["items"]}
    assert items == {"bread": ["bread-2"], "cake": ["cake"], "soup": ["soup"]}


def test_bots_play_to_the_end_as_the_seed_determines(ask: Ask) -> None:
    def ended() -> str:
        begin(ask, "installed/lcr.py", seats=4)
        state = ask("seat", number=0, player="random", look=LOOK)
        while state["bot"]:
            state = ask("advance", look=LOOK)
        assert state["over"]
        assert "wins" in state["prompt"]
        return str(state["digest"])

    assert ended() == ended()


@pytest.mark.slow
def test_several_players_at_one_keyboard_see_the_view_of_the_seat_to_act(ask: Ask) -> None:
    begin(ask, "installed/sorcery.py")
    ask("seat", number=1, player="human", look=LOOK)
    first = ask("show", look=LOOK)
    second = ask("act", line="end", look=LOOK)
    assert first["prompt"].startswith("Player 1:")
    assert second["prompt"].startswith("Player 2:")
    assert first["svg"] != second["svg"]


def test_a_picture_has_the_colours_of_the_page(ask: Ask) -> None:
    light = begin(ask, "tictactoe.py")["svg"]
    dark = ask("show", look={"dark": True, "narrow": False})["svg"]
    assert "var(--tt-" not in light + dark
    assert light != dark


def test_a_picture_contains_the_steps_between_clicks(ask: Ask) -> None:
    state = begin(ask, "herons.py")
    paths = {tuple(choice["path"]) for choice in state["choices"]}
    assert paths == {("-1,0", "-1,0=2"), ("1,0", "1,0=0")}
    assert state["svg"].count('visibility="hidden" data-after="1,0"') == 1
    assert 'data-then="Place the tile' in state["svg"]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("def f(:\n", 1, "invalid syntax"),
        ("\n\nraise SystemExit(3)\n", 3, "SystemExit"),
        ("import tabletop\n\nx = 1 / 0\n", 3, "division by zero"),
        ("x = 1\n", None, "define PLUGIN"),
        ("from lcr import PLUGIN\nCHOSEN = {'course': 1}\n", None, "course"),
    ],
)
def test_a_file_without_a_game_is_refused_with_its_line(
    ask: Ask, text: str, line: int | None, said: str
) -> None:
    answer = ask("play", file="mine.py", text=text, seed="", seats=None, look=LOOK)
    assert said in answer["error"]
    assert answer.get("line") == line
    assert str(driver.FOLDER) not in answer["error"]


def test_changed_code_is_loaded_as_a_new_game(ask: Ask) -> None:
    def seats(number: int) -> object:
        text = f"from lcr import Lcr\n\n\nclass Mine(Lcr):\n    seats = range({number}, 9)\n"
        asked = {"text": text, "seed": "", "seats": None, "look": LOOK}
        return ask("play", file="mine.py", **asked)["numbers"][0]

    assert [seats(3), seats(4)] == [3, 4]


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "installed").glob("*.py")), ids=stem)
def test_an_installed_game_that_is_changed_for_the_page_keeps_the_contract(path: Path) -> None:
    report = check_game(load(str(path)).game, matches=1, plies=25, stop=True, seeded=False)
    assert report.matches == 1


def page(text: str, place: Path) -> str:
    """Return a page after the hook."""
    made = SimpleNamespace(url="a/", file=SimpleNamespace(src_path="a.md"))
    config = SimpleNamespace(site_dir=str(place))
    return in_page.on_page_content(text, cast("Any", made), cast("Any", config))


def test_a_placeholder_becomes_a_button_with_the_game(tmp_path: Path) -> None:
    html = page('<div class="tabletop-try" data-file="go.py" data-seed="a b"></div>', tmp_path)
    assert 'data-base="../in_page/" data-file="go.py" data-seed="a b"' in html
    assert '<script defer src="../in_page/page.js">' in html
    assert (tmp_path / "in_page" / "games" / "go.py").is_file()
    assert page("<p>Nothing to try.</p>", tmp_path) == "<p>Nothing to try.</p>"


@pytest.mark.parametrize("words", ['data-file="gone.py"', 'data-name="go.py"', ""])
def test_a_placeholder_without_an_example_is_refused(words: str, tmp_path: Path) -> None:
    with pytest.raises(PluginError, match=r'a\.md: .*write data-file="NAME\.py"'):
        page(f'<div class="tabletop-try"{words and " " + words}></div>', tmp_path)


@pytest.mark.slow
def test_without_a_network_and_a_cache_the_build_names_the_missing_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(in_page, "CACHE", tmp_path / "cache")
    for name, value in {"NO_INDEX": "1", "FIND_LINKS": str(tmp_path)}.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    with pytest.raises(in_page.Missing, match=r"needs msgspec==.* could not be fetched"):
        in_page.fetch()


def test_a_file_with_another_hash_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.whl"
    path.write_bytes(b"other")
    with pytest.raises(in_page.Missing, match=r"other\.whl is not the file that is pinned"):
        in_page._check(path, {"sha256": "0" * 64})
