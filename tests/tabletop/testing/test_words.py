"""`check_words` finds faults of text views for all watchers."""

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
from tests.tabletop.games import walk
from tests.tabletop.testing.mistakes import HoldsADict

LCR = load("lcr").game


def fails(name: str) -> type[TextView[Any]]:
    """Return a text view in which one method fails."""

    def fail(*_: Any) -> Any:
        raise KeyError("no such word")

    return type("Fails", (TextView,), {name: fail})


METHODS = ("position", "narrow_position", "event", "heading", "pause", "outcome", "called")
QUESTIONS = ("welcome", "asked", "prompt")


@pytest.mark.parametrize("method", [*METHODS, *QUESTIONS])
def test_a_failing_text_is_named_with_its_file_and_line(method: str) -> None:
    with pytest.raises(LawBroken, match=rf"\b{method} .*KeyError.* test_words\.py, line \d"):
        check_words(LCR, fails(method)(), matches=1)


@pytest.mark.parametrize("method", [*METHODS, *QUESTIONS])
def test_a_text_of_the_wrong_type_is_reported(method: str) -> None:
    words = type("Wrong", (TextView,), {method: lambda *_: object()})()
    with pytest.raises(LawBroken, match=rf"{method} .*returns .*: return ") as broken:
        check_words(LCR, words, matches=1)
    assert broken.value.law == "words"


def test_a_missing_return_is_reported() -> None:
    with pytest.raises(LawBroken, match="`return`"):
        check_words(LCR, type("Silent", (TextView,), {"event": lambda *_: None})(), matches=1)


class Unclear(TextView[Any]):
    @override
    def label(self, action: Any, view: Any) -> str:
        return "a step"


def test_a_label_of_two_actions_is_reported() -> None:
    with pytest.raises(LawBroken, match=r"label .*'a step'.* another action") as broken:
        check_words(walk.GAME, Unclear(), matches=1, plies=2)
    assert broken.value.law == "words"


class Meddling(TextView[Any]):
    @override
    def position(self, view: Any, names: Sequence[str], seat: Watcher = ALL) -> str:
        view.chips[0] += 1
        return "one more"


def test_a_text_view_that_changes_the_view_is_found() -> None:
    with pytest.raises(LawBroken, match="changed the view"):
        check_words(LCR, Meddling(), matches=1)


class ListsADict(TextView[Any]):
    @override
    def position(self, view: Any, names: Sequence[str], seat: Watcher = ALL) -> str:
        return " ".join(map(str, view.piles))


def test_a_text_in_the_order_of_a_dictionary_is_reported() -> None:
    with pytest.raises(
        LawBroken, match=r"position .* a view from JSON, because the order of a dict"
    ):
        check_words(HoldsADict(), ListsADict(), matches=1)


class OnlyOthers(TextView[Any]):
    """Fails for spectators, at an action."""

    @override
    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        return str(1 // (seat is not None)) if isinstance(event, ActionPlayed) else ""


def test_every_event_is_described_for_every_watcher() -> None:
    with pytest.raises(LawBroken, match=r"\bevent ActionPlayed\(.*\bspectator\b.* ZeroDiv"):
        check_words(LCR, OnlyOthers(), matches=1)


class Silent(TextView[Any]):
    @override
    def outcome(self, outcome: Outcome, names: Sequence[str]) -> str:
        return f"{names[outcome.winners[0]]} has all chips."


def test_a_text_without_the_reason_of_a_resignation_is_reported() -> None:
    with pytest.raises(LawBroken, match="does not contain its reason") as broken:
        check_words(LCR, Silent(), matches=1)
    assert broken.value.law == "words"


class Heads(TextView[Any]):
    @override
    def heading(self, event: Event, names: Sequence[str]) -> tuple[Seat, str] | None:
        return (0, "Over.") if isinstance(event, MatchEnded) else None

    @override
    def outcome(self, outcome: Outcome, names: Sequence[str]) -> str:
        return outcome.reason


def test_texts_of_the_right_type_pass() -> None:
    assert check_words(LCR, Heads(), matches=3) > 3


@pytest.mark.slow
def test_check_reports_texts_before_pictures(tmp_path: Path) -> None:
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
    assert re.search(r"'words'.* worded\.py, line 6", done.stderr)
