"""The page of the protocol is true: its session is played again, and its program plays."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from tools.protocol_session import CAME, PAGE, SENT, played, session_on

from tabletop import protocol
from tabletop.protocol.outgoing import Reason
from tabletop.web import local_window, runner, socket
from tests.tabletop.web.served import Server, with_server

TEXT = PAGE.read_text("utf-8")
SESSION = session_on(TEXT)


def test_the_session_goes_as_it_is_written(tmp_path: Path) -> None:
    said = asyncio.run(played(SESSION, tmp_path))
    assert said == SESSION, "the page is old: .venv/bin/python -m tools.protocol_session"


def test_the_session_goes_from_hello_to_the_end_and_shows_what_can_happen() -> None:
    sent = [json.loads(line[len(SENT) :]) for line in SESSION if line.startswith(SENT)]
    came = [json.loads(line[len(CAME) :]) for line in SESSION if line.startswith(CAME)]
    assert len(sent) + len(came) == len(SESSION)
    assert sent[0]["type"] == "hello"
    assert any((told.get("fields") or {}).get("over") for told in came)
    assert {told.get("reason") for told in came if told["type"] == "refused"} == {
        "words",
        "illegal",
    }
    assert {told["type"] for told in came} >= {"table", "state", "changes", "log", "done", "past"}


def test_the_changes_that_are_explained_are_those_of_the_session() -> None:
    states = [json.loads(line[len(CAME) :]) for line in SESSION if '← {"type":"state"' in line]
    changes = [json.loads(line[len(CAME) :]) for line in SESSION if '← {"type":"changes"' in line]
    [shown] = re.findall(r"```json\n(\"text\": .*)\n```", TEXT)
    assert json.loads(f"{{{shown}}}")["text"] == changes[0]["pieces"]["text"]
    [made] = re.findall(r"produces `(.*?)` from the pieces (.*?)\. ", TEXT)
    after = protocol.state_after(states[0], changes[0])
    assert made[0].replace("\\n", "\n") == after["text"]
    pieces = [piece.strip('`"').replace("\\n", "\n") for piece in made[1].split(", ")]
    assert pieces == states[0]["text"].split(" ")


@with_server(quick=True)
async def test_the_program_on_the_page_plays_a_match(server: Server) -> None:
    [program] = re.findall(r"```python\n(import json\n.*?)```", TEXT, re.DOTALL)
    scope: dict[str, Any] = {}
    exec(program, scope)
    play: Callable[[str], str] = scope["play_the_first"]
    opened = await server.open(players=["human", "random", "random"])
    outcome = await asyncio.to_thread(play, server.address + opened["links"][0])
    assert "wins" in outcome


def first_cells(anchor: str) -> list[str]:
    """The first cell of each row of the tables below the heading with an anchor."""
    _, _, part = TEXT.partition(f" {{ #{anchor} }}\n")
    return re.findall(r"^\| (`?\w[^|]*?) \|", part.partition("\n## ")[0], re.MULTILINE)


def test_the_page_has_every_code_reason_and_message() -> None:
    ours = [it for room in (socket, runner, local_window) for it in vars(room).values()]
    codes = {str(it) for it in ours if type(it) is int and 4000 <= it < 5000}
    codes |= {str(runner.GOING_AWAY), str(local_window.RESTARTED)}
    codes.add("1009")  # a frame above `MAX_FRAME`: uvicorn closes the connection
    assert {it for it in first_cells("how-it-ends") if it.isdigit()} == codes
    reasons = [it.strip("`") for it in first_cells("requests-and-answers")]
    assert reasons == ["reason", *get_args(Reason)]
    named = re.findall(r"`(\w+)`", " ".join(first_cells("what-comes-and-when")))
    tags = {it.__struct_config__.tag for it in get_args(protocol.MessageOut)}
    assert set(named) == tags - {"changes"}


@pytest.mark.parametrize("name", ["MAX_BYTES", "PROTOCOL"])
def test_the_numbers_of_the_page_are_those_of_the_protocol(name: str) -> None:
    sentence = {"MAX_BYTES": "{} bytes; a line", "PROTOCOL": "This is version {}."}[name]
    assert sentence.format(getattr(protocol, name)) in TEXT
