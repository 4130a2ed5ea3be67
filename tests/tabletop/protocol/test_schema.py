"""The schema of messages describes what is sent, in both directions, and each field in words."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any, get_args

import pytest
from tools.protocol_session import CAME, PAGE, SENT, session_on

from tabletop import protocol
from tabletop.cli import main
from tabletop.protocol.outgoing import Reason
from tabletop.protocol.schema import schema_of_messages

jsonschema: Any = import_module("jsonschema")
SESSION = session_on(PAGE.read_text("utf-8"))
WHOLE = schema_of_messages()


def validator(way: str) -> Any:
    """Return the validator for the messages of a direction."""
    return jsonschema.Draft202012Validator({**WHOLE["properties"][way], "$defs": WHOLE["$defs"]})


def messages(mark: str) -> list[dict[str, Any]]:
    """One side of the session on the page."""
    return [json.loads(line.removeprefix(mark)) for line in SESSION if line.startswith(mark)]


@pytest.mark.parametrize(("way", "mark"), [("in", SENT), ("out", CAME)])
def test_a_whole_session_is_valid(way: str, mark: str) -> None:
    jsonschema.Draft202012Validator.check_schema(WHOLE)
    said = messages(mark)
    assert len(said) > 10
    for message in said:
        validator(way).validate(message)


def test_what_a_client_sends_has_no_other_fields_and_what_comes_may_have_more() -> None:
    [hello, *_], [table, *_] = messages(SENT), messages(CAME)
    assert not validator("in").is_valid({**hello, "colour": "red"})
    assert validator("out").is_valid({**table, "colour": "red"})
    assert not validator("in").is_valid({"type": "act"})
    assert not validator("in").is_valid(table)
    assert not validator("out").is_valid({it: table[it] for it in table if it != "your_seats"})


def test_a_state_that_is_put_together_is_one() -> None:
    state: dict[str, Any] = {}
    for told in messages(CAME):
        if told["type"] == "state":
            state = told
        elif told["type"] == "changes":
            state = protocol.state_after(state, told)
            validator("out").validate(state)
    assert state["over"]["next_table"]


def test_every_message_is_described_and_each_listed_field_stands_at_its_place() -> None:
    kinds = (*get_args(protocol.MessageIn), *get_args(protocol.MessageOut))
    defined = WHOLE["$defs"]
    assert {kind.__name__ for kind in kinds} <= defined.keys()
    for name, definition in defined.items():
        assert definition["title"] == name
        assert definition["description"]
        assert "Attributes:" not in definition["description"]
    fields = defined["StateOut"]["properties"]
    assert fields["ply"]["description"] == "The number of actions played so far."
    assert fields["can_redo"]["description"] == "Whether this connection may redo."
    assert set(defined["RefusedOut"]["properties"]["reason"]["enum"]) == set(get_args(Reason))


def test_the_command_without_a_game_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(WHOLE))
