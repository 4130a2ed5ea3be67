"""JSON Schema: every view, action and event of a match matches it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import pytest
from tests.program_runs import run_here

from tabletop import NOBODY, Match, Random, State, secret, state
from tabletop.cli import main
from tabletop.registry import installed, load
from tabletop.states import Length, OneOf, Range, SchemaError, to_json
from tabletop.states.json_schema import json_schema

jsonschema: Any = import_module("jsonschema")

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.py"))
GAMES = [*installed(), *(str(it) for it in EXAMPLES if "\nGAME = " in it.read_text("utf-8"))]

FIRST = {"lcr", "sorcery", "constructor", "hearts", "masks"}
"""Games of each kind. `make matrix` plays all others."""
SOURCES = [
    pytest.param(game, marks=() if Path(game).stem in FIRST else pytest.mark.matrix)
    for game in GAMES
]


def printed(source: str) -> Any:
    return json.loads(run_here(main, ["schema", source]).stdout)


def validator(whole: Any, part: str) -> Any:
    return jsonschema.Draft202012Validator({**whole["properties"][part], "$defs": whole["$defs"]})


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES)
def test_views_events_and_actions_of_a_match_match_the_schema(source: str) -> None:
    whole, game = printed(source), load(source).game
    jsonschema.Draft202012Validator.check_schema(whole)
    view, action, event = (validator(whole, it) for it in ("view", "action", "event"))
    players: list[Any] = [Random(str(seat)) for seat in range(game.seats[0])]
    match: Any = Match(game, seed="old oak", players=players)
    told: list[Any] = []
    for watcher in (None, *range(match.seats)):
        match.observe(told.append, seat=watcher)
    while match.to_act and match.ply < 40:
        for seat in (None, *range(match.seats)):
            view.validate(json.loads(to_json(game.view(match.state, seat))))
        for one in match.legal_actions(match.to_act[0])[:20]:
            action.validate(json.loads(to_json(one)))
        match.step()
    own = [it for it in told if not type(it).__module__.startswith("tabletop")]
    for one in own[:200]:
        event.validate(json.loads(to_json(one)))


@dataclass(frozen=True)
class Tile:
    kind: Annotated[str, OneOf("ab")]
    owner: Annotated[int, Range(0, 3)] | None = None


@dataclass(frozen=True)
class Bridge:
    ends: tuple[int, int]


@state
class Board(State):
    """A board with tiles."""

    tiles: dict[tuple[int, int], Tile | Bridge]
    deck: Annotated[list[Annotated[str, OneOf("abc")]], Length(9)] = secret(to=NOBODY, back="?")
    marked: frozenset[int] = frozenset()


def test_a_schema_has_bounds_backs_pairs_and_classes_by_name() -> None:
    [root], definitions = json_schema([Board])
    check = jsonschema.Draft202012Validator({**root, "$defs": definitions})
    board = Board({(0, -1): Tile("a", 2), (3, 4): Bridge((1, 2))}, ["a", "?"], frozenset({2, 1}))
    data = json.loads(to_json(board))
    check.validate(data)
    assert definitions["Board"]["description"] == "A board with tiles."
    for wrong in (
        {**data, "deck": ["d"]},
        {**data, "deck": ["?"] * 10},
        {**data, "marked": [1, 1]},
        {**data, "tiles": [[[0], {"Tile": {"kind": "a"}}]]},
        {**data, "tiles": [[[0, 1], {"Tile": {"kind": "z"}}]]},
        {**data, "tiles": [[[0, 1], {"Tile": {"kind": "a", "owner": 4}}]]},
        {**data, "tiles": [[[0, 1], {"kind": "a"}]]},
    ):
        assert not check.is_valid(wrong), wrong


def test_two_classes_with_the_same_name_have_two_definitions() -> None:
    @dataclass
    class Tile:  # another class with the same name
        height: int

    roots, definitions = json_schema([Board, Tile])
    assert [it["$ref"] for it in roots] == ["#/$defs/Board", "#/$defs/Tile2"]
    assert definitions["Tile2"]["required"] == ["height"]


def test_a_class_that_json_cannot_represent_is_refused() -> None:
    @dataclass
    class Odd:
        bounds: range

    with pytest.raises(SchemaError):
        json_schema([Odd])


def test_the_schema_of_an_option_has_its_type_bounds_and_default() -> None:
    whole = printed("lcr")
    seed = whole["properties"]["options"]["properties"]["course-seed"]
    assert (seed["type"], seed["minimum"], seed["default"]) == (["integer", "null"], 0, None)
    options = validator(whole, "options")
    assert options.is_valid({"course-seed": 7})
    assert not options.is_valid({"course-seed": -1})
    assert not options.is_valid({"no-such": 1})
