"""Pictures mark the last action."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tabletop import ActionPlayed, Match, Plugin, Random, Seat, Streams
from tabletop.display import BoardPicture, Clickable, Piece, Scene, crossings
from tabletop.display.svg import LAST
from tabletop.match import AnyMatch
from tabletop.parts.board import square
from tabletop.registry import load
from tabletop.table.past import Past, look_back

EXAMPLES = Path(__file__).parents[3] / "examples"
DRAWN = [
    *("lcr", "sorcery", "constructor", "backgammon", "beacons", "chess", "crazy_eights"),
    *("deck_builder", "go", "harbour", "hearts", "herons", "peal", "pig", "tictactoe", "upriver"),
]


@cache
def plugin_of(name: str) -> Plugin:
    file = EXAMPLES / f"{name}.py"
    return load(str(file) if file.exists() else name)


def played(name: str, *lines: str, seats: int | None = None) -> AnyMatch:
    """Return a match after these actions."""
    match: AnyMatch = Match(plugin_of(name).game, seed="old oak", seats=seats)
    for line in lines:
        match.play(match.parse(line))
    return match


def drawn(name: str, past: Past, match: AnyMatch, seat: Seat | None, **more: Any) -> str:
    """Return the picture of a match with its marks."""
    picture = plugin_of(name).make_picture()
    scene = Scene(match.names, seat, past.to_act, recent=past.recent, told=past.told, **more)
    return picture.draw(past.view, picture.marked(past.view, scene))


def marked(svg: str) -> list[str]:
    """Return the labels of the marked parts."""
    parts = ET.fromstring(svg).iter()
    found = [it for it in parts if "tt-last" in it.get("class", "").split()]
    assert all(it.get("aria-label", "").endswith(", just now") for it in found)
    return [it.get("data-part", "") for it in found]


def marks(name: str, match: AnyMatch, seat: Seat | None = None) -> list[str]:
    """Return the names of the marked parts."""
    return marked(drawn(name, look_back(match, match.ply, seat), match, seat))


def test_all_games_with_a_picture_are_tested() -> None:
    texts = {file.stem: file.read_text("utf-8") for file in EXAMPLES.glob("*.py")}
    pictured = {name for name, text in texts.items() if re.search(r"\bpicture=\w", text)}
    assert pictured <= {*DRAWN}


FIRST = {"sorcery", "lcr", "go", "hearts"}
"""The installed games, a board and cards. `make matrix` plays all others."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(it, marks=() if it in FIRST else pytest.mark.matrix) for it in DRAWN],
)
def test_every_picture_marks_the_last_action(name: str) -> None:
    plugin = plugin_of(name)
    bot, seats = next(iter(plugin.bots)), plugin.game.seats[0]
    bots = [plugin.bot(bot, Streams("b")[seat], seat) for seat in range(seats)]
    shown = told = 0
    for seed in ("old oak", "elm"):
        match: AnyMatch = Match(plugin.game, seed=seed, seats=seats, players=bots)
        while match.ply < 60 and told < 25 and not match.over:
            match.step()
            past = look_back(match, match.ply, None)
            if Scene(match.names, recent=past.recent).played is None:
                continue  # the action is secret
            told += 1
            unmarked = drawn(name, replace(past, recent=(), told=()), match, None)
            shown += drawn(name, past, match, None) != unmarked
    assert shown > 0.6 * told > 4


@pytest.mark.parametrize(
    ("name", "lines", "parts"),
    [
        ("tictactoe", ["5", "1"], ["cell-1"]),
        ("go", ["e5", "c3"], ["c3"]),
        ("pig", ["roll"], ["roll"]),
    ],
)
def test_the_place_of_the_last_action_is_marked_for_everybody(
    name: str, lines: Sequence[str], parts: Sequence[str]
) -> None:
    match = played(name, *lines)
    for seat in (None, 0, 1):
        assert marks(name, match, seat) == parts
    assert marks(name, played(name)) == []


def test_a_mark_on_a_crossing_is_visible_on_pieces_of_any_colour() -> None:
    match = played("go", "e5")
    svg = drawn("go", look_back(match, 1, 1), match, 1)
    assert svg.count('class="tt-paper tt-stroke-ink"') == 1
    assert 'class="tt-paper tt-stroke-ink"' not in drawn("go", look_back(match, 0, 1), match, 1)


def test_a_lit_part_stays_lit_if_it_is_marked() -> None:
    scene = Scene(["A", "B"], choices=[Clickable("x", "x", ("x",))], last={"x"})
    assert 'class="tt-part tt-lit tt-last"' in scene.part("x", label="it")
    match = played("go", "e5")
    whole = drawn("go", look_back(match, 1, None), match, None)
    style = whole[whole.index("<style>") : whole.index("</style>")]
    assert style.index(LAST) < style.index(".tt-lit>.tt-ring")


def test_a_picture_without_a_mark_contains_no_style_for_marks() -> None:
    match = played("go", "e5")
    assert LAST not in drawn("go", look_back(match, 0, None), match, None)


def test_an_undone_action_is_not_marked() -> None:
    match = played("tictactoe", "5", "1")
    match.undo()
    assert marks("tictactoe", match) == ["cell-5"]


def test_an_action_that_is_hidden_from_the_viewer_is_not_marked() -> None:
    told = [ActionPlayed(1, 0, None)]
    assert Scene(["A", "B"], recent=told).played is None
    assert Scene(["A", "B"], recent=[]).played is None

    class Board(BoardPicture[Any]):
        board = crossings(square(2, 2))

        def pieces(self, view: Any) -> dict[str, list[Piece]]:
            return {"a1": [Piece(0)]}

    picture = Board()
    scene = Scene(["A", "B"], recent=told)
    assert "tt-last" not in picture.draw(None, picture.marked(None, scene))


def heron_matches() -> Iterator[tuple[AnyMatch, str]]:
    """Yield a match of Herons after each action, with the place of the last tile."""
    match: AnyMatch = Match(plugin_of("herons").game, seed="old oak")
    for seat in range(match.seats):
        match.set_player(seat, Random(f"{seat}"))
    place = ""
    while match.ply < 30 and not match.over:
        action = str(match.step())
        if action.startswith("lay"):
            place = action.split()[1]
        yield match, place


def test_the_last_tile_stays_marked_while_somebody_sets_a_piece_on_it() -> None:
    set_on = 0
    for match, place in heron_matches():
        assert marks("herons", match) == [place]
        set_on += not str(match.actions[-1]).startswith("lay")
    assert set_on > 2


@pytest.mark.slow
def test_a_played_card_is_marked_but_not_an_equal_card_in_a_hand() -> None:
    plugin = plugin_of("hearts")
    bots = [plugin.bot("keen", Streams("b")[seat], seat) for seat in range(4)]
    match: AnyMatch = Match(plugin.game, seed="old oak", players=bots)
    while match.ply < 40:
        action = match.step()
        for watcher in (None, 0, 2):
            found = marks("hearts", match, watcher)
            if not action.gives:
                assert found == [f"{action.card} of {action.seat + 1}"]
            else:  # the action is hidden from other seats
                assert found == ([str(action.card)] if watcher == action.seat else [])


def test_an_action_without_visible_parts_is_marked_at_the_plate() -> None:
    match = played("peal")
    while "drop" not in map(str, match.legal_actions()):
        match.play(match.legal_actions()[0])
    [seat] = match.to_act
    match.play(match.parse("drop"))
    assert marks("peal", match) == [f"seat {seat + 1}"]
