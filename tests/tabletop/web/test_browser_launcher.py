"""The start of a browser, its arguments, and the removal of its files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from httpx import get

from tabletop.cli import main
from tabletop.web.browser_launcher import find_browser, has_display
from tests.signals import default_signals
from tests.tabletop.cli.program import TICTACTOE, here
from tests.tabletop.told import tells
from tests.tabletop.web.windows import ADDRESS, address_of, at_terminal, hang_up, page_at
from tests.terminals import abandon, left

PLAY = ("tabletop", "play", TICTACTOE, "--graphics", "--seed", "oak", "--no-score", "--no-record")

FAKE = """#!/bin/sh
printf '%s\\n' "$@" > "$FAKE_ARGUMENTS.new"
mv "$FAKE_ARGUMENTS.new" "$FAKE_ARGUMENTS"
echo noise
echo noise >&2
sleep 600 &
wait
"""


@pytest.mark.parametrize(
    ("platform", "environment", "shows"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ""}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("darwin", {}, True),
        ("win32", {}, True),
    ],
)
def test_there_is_a_window_where_there_is_a_display(
    platform: str, environment: dict[str, str], shows: bool
) -> None:
    assert has_display(platform, environment) is shows


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_a_browser_is_found_on_path_or_where_it_usually_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_browser() is None
    monkeypatch.setenv("PROGRAMFILES(X86)", str(tmp_path / "programs"))
    edge = program(Path(rf"{tmp_path}/programs\Microsoft\Edge\Application\msedge.exe"))
    assert find_browser("win32") == str(edge)
    chrome = program(tmp_path / "google-chrome")
    assert find_browser() == str(chrome)


@pytest.mark.slow
def test_without_what_it_needs_the_window_is_refused_before_the_match_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = here("play", TICTACTOE, "--graphics", typed="1\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert tells(done.stderr, "tabletop: ... -graphics ... uvicorn: ... 'tabletop-rules[web]'\n")
    assert done.stderr.count("\n") == 1
    assert main(["play", TICTACTOE, "--no-record", "--no-score", "--bot", "all"]) == 0


@pytest.fixture
def fake(tmp_path: Path) -> dict[str, str]:
    """An environment with a display, and a browser that notes what it is started with."""
    program(tmp_path / "bin" / "chromium", FAKE)
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    return {
        "DISPLAY": ":none",
        "WAYLAND_DISPLAY": "",
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "TMPDIR": str(temporary),
        "FAKE_ARGUMENTS": str(tmp_path / "arguments"),
    }


def arguments_of(fake: dict[str, str]) -> list[str]:
    path = Path(fake["FAKE_ARGUMENTS"])
    end = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < end, "no browser was started"
        time.sleep(0.05)
    return path.read_text().splitlines()


def value(arguments: list[str], name: str) -> str:
    return next(it.removeprefix(f"{name}=") for it in arguments if it.startswith(f"{name}="))


def processes(word: str) -> list[str]:
    """The processes that have a word among their arguments."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            text = path.read_bytes().decode(errors="replace")
        except OSError:
            continue
        if word in text:
            found.append(text)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("way", ["quit", "hang-up"])
def test_the_browser_has_a_link_that_works_once_and_ends_with_the_program(
    way: str, fake: dict[str, str]
) -> None:
    with (
        at_terminal(*PLAY, environment=fake) as child,
        page_at(address := address_of(child)) as page,
    ):
        child.expect_exact("Player 1>")
        arguments, token = arguments_of(fake), address.partition("#")[2]
        assert token not in " ".join(arguments)
        link = value(arguments, "--app")
        first, second = get(link, timeout=60), get(link, timeout=60)
        assert (first.status_code, second.status_code) == (303, 404)
        assert first.headers["location"] == f"/t/here#{token}"
        profile = Path(value(arguments, "--user-data-dir"))
        assert profile.stat().st_mode & 0o077 == 0
        assert processes(str(profile))
        if way == "hang-up":
            hang_up(child)
        else:
            child.send("quit\r")
        assert page.closed()[0] == 4410
        if way != "hang-up":
            assert "noise" not in left(child)
        end = time.monotonic() + 60
        while processes(str(profile)) or profile.exists():
            assert time.monotonic() < end
            time.sleep(0.05)
        assert list(Path(fake["TMPDIR"]).iterdir()) == []


@pytest.mark.slow
def test_where_input_is_piped_the_default_browser_is_opened_and_stays(
    fake: dict[str, str], tmp_path: Path
) -> None:
    default = program(
        tmp_path / "default", '#!/bin/sh\necho noise\necho "$1" > "$FAKE_ARGUMENTS"\n'
    )
    with (
        default_signals(),
        subprocess.Popen(
            [sys.executable, "-m", *PLAY],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **fake, "BROWSER": f"{default} %s"},
            text=True,
        ) as child,
    ):
        assert child.stderr
        found = ADDRESS.search(child.stderr.readline())
        assert found
        with page_at(found[0]) as page:
            page.state(0)
            said, complaints = child.communicate("1\n", timeout=60)
            assert page.closed()[0] == 4410
    assert (child.returncode, complaints) == (0, "")
    assert "noise" not in said
    # The default browser is a process of its own, which nobody waits for.
    told, until = Path(fake["FAKE_ARGUMENTS"]), time.monotonic() + 60
    while not (told.exists() and told.read_text().endswith("\n")) and time.monotonic() < until:
        time.sleep(0.05)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/open/[\w-]{22}\n", told.read_text())


@pytest.mark.slow
def test_a_browser_that_cannot_be_started_is_no_failure(fake: dict[str, str]) -> None:
    browser = Path(fake["PATH"].partition(":")[0]) / "chromium"
    browser.write_text("#!/no/such/interpreter\n")
    with at_terminal(*PLAY, environment=fake) as child:
        with page_at(address_of(child)) as page:
            page.state(0)
        child.expect_exact("Player 1>")
        child.send("quit\r")
        left(child)
    assert list(Path(fake["TMPDIR"]).iterdir()) == []


@pytest.mark.slow
def test_a_browser_that_ends_at_once_is_noticed(fake: dict[str, str]) -> None:
    browser = Path(fake["PATH"].partition(":")[0]) / "chromium"
    browser.write_text("#!/bin/sh\nexit 7\n")
    with at_terminal(*PLAY, environment=fake) as child:
        address = address_of(child)
        child.expect_exact("The browser ended without displaying the window.")
        assert address_of(child) == address
        child.send("1\r")
        child.expect_exact("x . .")
        abandon(child)
        left(child)


@pytest.mark.slow
def test_the_address_is_said_before_names_are_asked_and_the_page_waits(
    fake: dict[str, str],
) -> None:
    words = ("sorcery", "-graphics", "-seed", "old oak", "-no-record")
    with at_terminal(*words, environment={**fake, "DISPLAY": ""}) as child:
        child.expect_exact("The window can be opened here")
        address = address_of(child)
        child.expect_exact("Player 1, what is your name?")
        with page_at(address) as early:
            assert early.closed() == (4503, "the match has not begun yet")
        child.send("Ada\r")
        child.expect_exact("what is your name?")
        child.send("Bo\r")
        child.expect_exact("'s turn")
        with page_at(address) as page:
            page.state(0)
        child.send("quit\r")
        left(child)
    assert not Path(fake["FAKE_ARGUMENTS"]).exists()
