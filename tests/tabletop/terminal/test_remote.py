"""A terminal at a table elsewhere: its server is a stranger."""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tabletop.protocol import TableClosed, client
from tabletop.terminal import Console
from tabletop.terminal.client import TerminalClient
from tabletop.terminal.commands import REMOTE_COMMANDS
from tabletop.terminal.remote import RemoteConnection
from tests.tabletop.protocol.strangers import NO_ANSWERS, STATE, TABLE, changes, stranger

ASKED = {**STATE, "your_turn": [0], "prompt": "Well?"}
CHOICE = {"words": "go", "label": "go", "path": [], "seat": 0}
PAUSE = {"kind": "pause", "label": "Ask for a pause", "help": "Ask the others for a pause."}
MANY = {**ASKED, "choices": [CHOICE], "proposals": [PAUSE]}
OVER = {"text": "It is over."}


def sit(
    *said: object,
    typed: Iterable[str] = (),
    answers: Mapping[str, Mapping[str, object]] = NO_ANSWERS,
    sent: list[str] | None = None,
    offered: dict[str, list[str]] | None = None,
) -> str:
    """Return the output for a person who types these lines at the table of a stranger.

    The types of the requests that the stranger receives are added to `sent`. The words that can
    follow each line of `offered` at the end are stored in it.
    """
    stdin, stdout = io.StringIO("".join(f"{line}\n" for line in typed)), io.StringIO()
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        serving = stranger(*said, answers=answers, sent=sent)
        link = loop.run_until_complete(serving.__aenter__())
        try:
            console = Console(stdin, stdout, loop=loop)
            with RemoteConnection(console, loop, link) as connection:
                TerminalClient(connection, console).run()
                if offered is not None:
                    offered.update(
                        {line: [it.word for it in connection.complete(line)] for line in offered}
                    )
        finally:
            loop.run_until_complete(serving.__aexit__(None, None, None))
    return stdout.getvalue()


def test_nothing_that_a_server_says_moves_the_cursor() -> None:
    bad = "\x1b[2J\u202eevil\r"
    table = {**TABLE, "title": bad, "names": [bad], "seat_titles": [bad], "hosted": True}
    line = {"number": 1, "text": bad}
    asks = {"type": "consent", "seat": 0, "name": bad, "kind": "undo", "aim": bad}
    state: dict[str, Any] = {**ASKED, "text": bad, "news": bad, "prompt": bad, "commands": [bad]}
    state["choices"] = [{**CHOICE, "words": bad}]
    over = {**STATE, "text": bad, "over": {"text": bad, "replay_page": f"//evil/{bad}"}}
    log = {"type": "log", "lines": [line, {**line, "number": 2, "kind": "chat", "seat": 0}]}
    said = [table, log, {"type": "note", "text": bad}, asks, state]
    topic = {"title": bad, "rows": [[bad, bad]], "note": bad}
    answers: dict[str, dict[str, object]] = {
        "help": {"type": "help", "topics": [topic]},
        "ask": {"type": "text", "text": bad},
    }
    typed = ["help", "actions", "table", "quit"]
    shown = sit(*said, typed=typed, answers=answers) + sit(table, over)
    assert shown.count("evil") > 10
    assert not set("\x1b\u202e\r") & set(shown)
    assert "http://127.0.0.1" in shown
    assert "//evil" not in shown, "a replay page is a page of the same server"


def test_the_remaining_items_of_a_choice_are_offered() -> None:
    items: list[dict[str, Any]] = [
        {"words": word, "label": word, "path": []} for word in ("ore", "ore", "elm")
    ]
    several = {"low": 0, "high": 2, "items": items}
    choice = {**CHOICE, "words": "trash", "several": several}
    offered: dict[str, list[str]] = {"trash ": [], "trash ore o": [], "trash elm ": []}
    sit(TABLE, {**ASKED, "choices": [choice]}, typed=["quit"], offered=offered)
    assert offered == {"trash ": ["ore", "elm"], "trash ore o": ["ore"], "trash elm ": ["ore"]}


def test_labels_are_offered_before_the_texts_of_actions() -> None:
    offered: dict[str, list[str]] = {"nf": [], "g1": []}
    choice = {**CHOICE, "words": "g1f3", "label": "Nf3"}
    sit(TABLE, {**ASKED, "choices": [choice]}, typed=["quit"], offered=offered)
    assert offered == {"nf": ["Nf3"], "g1": ["g1f3"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    "said",
    [
        [{**TABLE, "names": [], "seat_titles": [], "players": [], "present": [True] * 9}, ASKED],
        [{**TABLE, "your_seats": [7], "bots": []}, ASKED],
        [{**TABLE, "clock": [1, None, 3], "running": [9]}, ASKED],
        [
            TABLE,
            {"type": "log", "lines": [{"number": 1, "text": "hm", "seat": -9, "kind": "chat"}]},
            ASKED,
        ],
        [TABLE, {"type": "log", "lines": []}, {**ASKED, "commands": ["", " "], "turn": [-1]}],
        [
            TABLE,
            {**ASKED, "your_turn": [5], "more_choices": -7, "choices": [{**CHOICE, "words": ""}]},
        ],
        [TABLE, {"type": "consent", "seat": 99, "name": ""}, ASKED],
        [TABLE, {**STATE, "over": {**OVER, "next": "//evil/t/x"}}],
    ],
)
def test_what_makes_little_sense_is_shown_all_the_same(
    said: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "ANSWERED", 0.05)
    typed = ["help all", "bot", "bot 3", "/", "9", "99999999999999999999", "", "x" * 3000, "quit"]
    assert sit(*said, typed=typed)


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ([TABLE, {**ASKED, "text": 3}], "invalid message"),
        ([TABLE, {**ASKED, "choices": [CHOICE] * 100_000}], "invalid message"),
        ([TABLE, {**ASKED, "text": "x" * (1 << 21)}], "invalid message"),
        ([TABLE, MANY, changes(choices=[[0, 1]] * 20_000)], "choices would have more than"),
        pytest.param(
            [TABLE, ASKED, changes(text=[[0, 18]] * 90_000)],
            "text would have more than",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_what_is_too_much_or_of_another_kind_ends_with_a_message(
    said: list[object], complaint: str
) -> None:
    begun = time.monotonic()
    with pytest.raises(TableClosed, match=complaint):
        sit(*said)
    assert time.monotonic() - begun < 20


@pytest.mark.slow
def test_many_choices_and_a_long_text_are_shown_soon() -> None:
    begun = time.monotonic()
    choices = [{**CHOICE, "words": f"go {it}"} for it in range(9000)]
    long = " ".join(["word"] * 90_000)
    answers = {"ask": {"type": "text", "text": f"{long} and last", "numbered": 9000}}
    state = {**ASKED, "text": long, "choices": choices}
    shown = sit(TABLE, state, typed=["actions", "quit"], answers=answers)
    assert "and last" in shown
    assert time.monotonic() - begun < 20


def test_a_table_that_is_closed_says_why() -> None:
    error = {"type": "error", "message": "go away", "reason": "stopped"}
    with pytest.raises(TableClosed, match="go away"):
        sit(TABLE, ASKED, error, 4404)


def test_a_bot_in_the_place_of_who_was_away_is_nobody_who_comes() -> None:
    two = {**TABLE, "names": ["Ada", "Bo"], "seat_titles": ["Ada", "Bo"]}
    away = {**two, "players": ["human", "human"], "present": [True, False]}
    bot = {**two, "players": ["human", "fair"], "present": [True, True]}
    back = {**away, "present": [True, True]}
    assert "Bo is here" not in sit(away, bot, ASKED, typed=["quit"])
    assert "Bo is here" in sit(away, back, ASKED, typed=["quit"])


def test_a_person_who_joins_a_table_that_waits_reads_the_reason() -> None:
    hold = {"text": "The clocks are paused", "kind": "resume", "label": "Resume"}
    shown = sit({**TABLE, "hold": hold}, ASKED, {**TABLE, "hold": hold}, typed=["quit"])
    assert shown.count("(The clocks are paused)") == 1


@pytest.mark.parametrize(
    ("table", "there", "missing"),
    [
        ({"hints": True, "settings": {}, "hosted": True}, ["hint", "say", "again", "undo"], []),
        ({}, ["undo", "look"], ["hint", "say", "again"]),
        (
            {"hints": True, "settings": {}, "hosted": True, "spectator": True, "your_seats": []},
            ["look", "rules", "quit"],
            ["hint", "say", "again", "undo", "bot"],
        ),
    ],
)
def test_help_tells_of_nothing_that_this_table_has_not(
    table: dict[str, object], there: list[str], missing: list[str]
) -> None:
    over = {**STATE, "over": OVER}
    rows = [[command.usage, command.help] for command in REMOTE_COMMANDS.commands]
    answers = {"help": {"type": "help", "topics": [{"title": "", "rows": rows}]}}
    shown = sit({**TABLE, **table}, over, typed=["help all", "quit"], answers=answers)
    first = {line.split()[0] for line in shown.splitlines() if line.strip()}
    assert first.issuperset(there)
    assert first.isdisjoint(missing)
    assert ("`again` plays again" in shown) == ("again" in there)


def test_news_are_printed_once_and_a_question_when_it_changes() -> None:
    asked = {**ASKED, "text": "The board.", "revision": 1}
    news = {**asked, "news": "Bo has come."}
    later = {**asked, "text": "Another board.", "revision": 2, "news": "Bo plays."}
    shown = sit(TABLE, asked, news, later, typed=["quit"])
    for text in ("The board.", "Bo has come.", "Another board.", "Bo plays."):
        assert shown.count(text) == 1
    assert shown.index("Bo plays.") < shown.index("Another board.")


def test_lines_of_events_are_printed_only_before_the_first_state() -> None:
    def log(number: int, text: str, kind: str = "") -> dict[str, object]:
        line = {"number": number, "text": text, "kind": kind}
        return {"type": "log", "lines": [line]}

    later = [log(2, "a later event"), log(3, "somebody has left", "remark")]
    shown = sit(TABLE, log(1, "an event before"), ASKED, *later, ASKED, typed=["quit"])
    assert "an event before" in shown
    assert "somebody has left" in shown
    assert "a later event" not in shown, "the next state has it in its news"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("go", "act"),
        ("dance", "act"),
        ("hand", "ask"),
        ("hand 3", "ask"),
        ("go all", "ask"),
        ("undo", "undo"),
        ("/say hello", "say"),
        ("say hello", "say"),
        ("pause", "propose"),
        ("resume", "propose"),
        ("table", "ask"),
        ("look 3", "look"),
    ],
)
def test_a_line_is_sent_as_the_request_that_it_means(line: str, kind: str) -> None:
    """The words of the game come first, then its commands that look, then those of the table."""
    table = {**TABLE, "settings": {}, "commands": ["hand  Your cards.", "go all  All of them."]}
    refusal: dict[str, object] = {"type": "refused", "reason": "words", "message": "unknown words"}
    done: dict[str, object] = {"type": "done"}
    answers: dict[str, dict[str, object]] = {
        **dict.fromkeys(["undo", "say", "propose"], done),
        "act": done if line == "go" else refusal,
        "ask": {"type": "text", "text": "the answer"},
        "look": {"type": "past", "ply": 3, "text": "the answer"},
    }
    sent = list[str]()
    shown = sit(table, MANY, typed=[line, "quit"], answers=answers, sent=sent)
    assert sent[-1] == kind
    assert ("unknown words" in shown) == (line == "dance")
    assert ("the answer" in shown) == (kind in {"ask", "look"})


def test_proposals_are_commands_unless_their_words_have_another_meaning() -> None:
    kinds = ["pause", "quit", "two words", "swap", "swap", ""]
    state = {**MANY, "proposals": [{**PAUSE, "kind": it} for it in kinds]}
    offered: dict[str, list[str]] = {"": [], "/p": []}
    sit(TABLE, state, typed=["quit"], offered=offered)
    assert offered["/p"] == ["pause"]
    assert not {"two", "swap"}.intersection(offered[""])


def test_a_server_cannot_make_a_terminal_write_a_file(tmp_path: Path) -> None:
    table = {**TABLE, "commands": ["save FILE  Save the game."]}
    file = tmp_path / "saved"
    answer = {"type": "text", "text": "evil", "file": str(file)}
    shown = sit(table, ASKED, typed=[f"save {file}", "quit"], answers={"ask": answer})
    assert "cannot be saved" in shown
    assert not file.exists()


def test_a_command_of_the_game_can_mean_a_command_of_the_table() -> None:
    table = {**TABLE, "commands": ["resign BOT  Let a bot play."]}
    sent = list[str]()
    answers: dict[str, dict[str, object]] = {
        "ask": {"type": "text", "text": "", "line": "bot hard 1"},
        "seat": {"type": "done"},
    }
    sit(table, ASKED, typed=["resign hard", "quit"], answers=answers, sent=sent)
    assert sent[-2:] == ["ask", "seat"]
