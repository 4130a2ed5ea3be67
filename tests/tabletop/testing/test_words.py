"""`check_words` finds where the words of a game fail, whoever reads them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from tabletop import ALL, ActionPlayed, Event, MatchEnded, Outcome, Seat, Watcher
from tabletop.cli import main
from tabletop.display import TextView
from tabletop.registry import load
from tabletop.testing import LawBroken, check_words
from tests.program_runs import run_here

LCR = load("lcr").game


def fails(name: str) -> type[TextView[Any]]:
    """Make words of which one method fails."""

    def fail(*_: Any) -> Any:
        raise KeyError("no such word")

    return type("Fails", (TextView,), {name: fail})


METHODS = ("position", "narrow_position", "event", "heading", "pause", "outcome", "called")
QUESTIONS = ("welcome", "asked", "prompt")


@pytest.mark.parametrize("method", [*METHODS, *QUESTIONS])
def test_words_that_fail_are_named_with_their_file_and_line(method: str) -> None:
    with pytest.raises(LawBroken, match=rf"{method} .*raised KeyError.* in test_words.py, line \d"):
        check_words(LCR, fails(method)(), matches=1)


@pytest.mark.parametrize("method", [*METHODS, *QUESTIONS])
def test_words_are_of_the_kind_that_is_shown(method: str) -> None:
    words = type("Wrong", (TextView,), {method: lambda *_: object()})()
    with pytest.raises(LawBroken, match=rf"{method} .*returns .*: return ") as broken:
        check_words(LCR, words, matches=1)
    assert broken.value.law == "words"


def test_a_text_without_a_return_is_told_so() -> None:
    with pytest.raises(LawBroken, match="is a `return` missing"):
        check_words(LCR, type("Silent", (TextView,), {"event": lambda *_: None})(), matches=1)


class Meddling(TextView[Any]):
    @override
    def position(self, view: Any, names: Sequence[str], seat: Watcher = ALL) -> str:
        view.chips[0] += 1
        return "one more"


def test_words_that_change_the_view_are_found() -> None:
    with pytest.raises(LawBroken, match="changed the view"):
        check_words(LCR, Meddling(), matches=1)


class OnlyOthers(TextView[Any]):
    """Fails for a reader who watches, at the action of somebody."""

    @override
    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        return str(1 // (seat is not None)) if isinstance(event, ActionPlayed) else ""


def test_every_event_is_said_to_every_viewer() -> None:
    with pytest.raises(LawBroken, match=r"event ActionPlayed\(.*for a spectator raised ZeroDiv"):
        check_words(LCR, OnlyOthers(), matches=1)


class Heads(TextView[Any]):
    @override
    def heading(self, event: Event, names: Sequence[str]) -> tuple[Seat, str] | None:
        return (0, "Over.") if isinstance(event, MatchEnded) else None

    @override
    def outcome(self, outcome: Outcome, names: Sequence[str]) -> str:
        return outcome.reason


def test_words_of_the_right_kind_are_accepted_up_to_the_end() -> None:
    assert check_words(LCR, Heads(), matches=3) > 3


@pytest.mark.slow
def test_check_names_words_that_fail_before_the_picture(tmp_path: Path) -> None:
    file = tmp_path / "worded.py"
    file.write_text(
        "from lcr import GAME\n"
        "from tabletop import Plugin\n"
        "from tabletop.display import TextView\n"
        "class Words(TextView):\n"
        "    def position(self, view, names, seat=None):\n"
        "        return str(view.gold)\n"
        "PLUGIN = Plugin(GAME, text=Words())\n"
    )
    done = run_here(main, ["check", str(file), "--matches", "1"])
    assert done.status == 1
    assert re.search(r"breaks the law 'words'.* in worded.py, line 6", done.stderr)
