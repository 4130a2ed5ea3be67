"""Ready-made boards: squares, crossings and race points, drawn and clicked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar
from xml.etree import ElementTree as ET

import pytest

from tabletop import Game, Match, Options, Outcome, Plugin, Seat, State, Streams, Table, state
from tabletop.display import (
    Board,
    BoardPicture,
    Piece,
    Scene,
    clickables,
    crossings,
    points,
    squares,
)
from tabletop.parts.board import square
from tabletop.testing import check_picture

NAMES = ("Ada", "Bo")
STAND = {24: 2, 13: 5, 8: 3, 6: 5}


@state
class Race(State):
    """The number of pieces of each seat on each of its points. 25 is the bar, 0 is off."""

    own: list[list[int]]
    dice: list[int] = field(default_factory=list)
    turn: Seat = 0


class Backgammon(Game[Race, str]):
    """A race of fifteen pieces, without doubles and doubling cube."""

    name = "backgammon-like"

    def setup(self, options: Options, seats: int, rng: Streams) -> Race:
        stand = [STAND.get(point, 0) for point in range(26)]
        return Race([stand.copy(), stand.copy()], self.rolled(rng))

    def rolled(self, rng: Streams) -> list[int]:
        return [rng["dice"].roll(6), rng["dice"].roll(6)]

    def to_act(self, state: Race) -> Sequence[Seat]:
        return () if self.outcome(state) else (state.turn,)

    def legal_actions(self, state: Race, seat: Seat) -> Sequence[str]:
        own, other = state.own[seat], state.own[1 - seat]
        starts = [25] if own[25] else [point for point in range(24, 0, -1) if own[point]]
        is_home = not sum(own[7:])
        steps = {
            (start, max(0, start - die))
            for start in starts
            for die in state.dice
            if (is_home if start <= die else other[25 - start + die] < 2)
        }
        moves = [f"{name_of(seat, start)} {name_of(seat, end)}" for start, end in sorted(steps)]
        return moves or ["pass"]

    def apply(self, state: Race, action: str, table: Table) -> None:
        seat, own, other = state.turn, state.own[state.turn], state.own[1 - state.turn]
        if action == "pass":
            state.dice.clear()
        else:
            start, end = (point_of(seat, name) for name in action.split())
            die = min(die for die in state.dice if max(0, start - die) == end)
            state.dice.remove(die)
            own[start] -= 1
            own[end] += 1
            if end and other[25 - end]:
                other[25 - end] -= 1
                other[25] += 1
        if not state.dice:
            state.turn = 1 - seat
            state.dice = self.rolled(table.rng)

    def outcome(self, state: Race) -> Outcome | None:
        done = [seat for seat in (0, 1) if state.own[seat][0] == 15]
        return Outcome.win(done[0], 2) if done else None


def name_of(seat: Seat, point: int) -> str:
    """Return the shared name of a point of a seat."""
    return "bar" if point == 25 else "off" if not point else str(25 - point if seat else point)


def point_of(seat: Seat, name: str) -> int:
    return {name_of(seat, point): point for point in range(26)}[name]


class RacePicture(BoardPicture[Race]):
    """A minimal picture of the race."""

    board = points()
    fills = ("#1b1713", "#fcf8ef")

    def pieces(self, view: Race) -> Mapping[str, Sequence[Piece]]:
        lying: dict[str, list[Piece]] = {}
        for seat, own in enumerate(view.own):
            for point, count in enumerate(own):
                lying.setdefault(name_of(seat, point), []).extend([Piece(seat)] * count)
        return lying

    def note(self, view: Race, scene: Scene) -> str:
        return f"dice: {' and '.join(map(str, view.dice))}"


GAME = Backgammon()
PLUGIN = Plugin(GAME, picture=RacePicture)


@pytest.mark.slow
def test_the_picture_of_a_race_on_points_is_sound() -> None:
    assert check_picture(GAME, RacePicture(), matches=1, plies=20) > 100


def test_each_move_is_a_path_of_the_places_that_it_names() -> None:
    match = Match(GAME, seed="old oak", seats=NAMES)
    view, picture = match.view(0), RacePicture()
    choices = clickables(picture, view, match.legal_actions(0), NAMES, 0)
    assert choices
    for choice in choices:
        assert choice.path == tuple(choice.words.split())
        assert set(choice.path) <= set(picture.board.places)
    drawn = picture.draw(view, Scene(NAMES, 0, to_act=(0,), choices=choices, live=True))
    assert f"Your turn; dice: {view.dice[0]} and {view.dice[1]}" in drawn
    assert 'aria-label="13: 5 Ada"' in drawn
    assert 'aria-label="12: 5 Bo"' in drawn
    assert 'aria-label="bar: free"' in drawn


def test_pieces_that_do_not_fit_are_drawn_as_one_with_a_number() -> None:
    match = Match(GAME, seed="old oak", seats=NAMES)
    match.state.own[0][13] = 8
    drawn = RacePicture().draw(match.state, Scene(NAMES))
    assert 'aria-label="13: 8 Ada"' in drawn
    assert ">8</text>" in drawn


@pytest.mark.slow
def test_names_of_any_length_and_everything_on_the_board_stay_in_the_picture() -> None:
    class Full(BoardPicture[Race]):
        board = squares(square(8, 8), chequered=True)

        def pieces(self, view: Race) -> Mapping[str, Sequence[Piece]]:
            return {name: [Piece(at % 2, "N")] for at, name in enumerate(self.board.places)}

    check_picture(GAME, Full(), matches=1, plies=1)
    for narrow in (False, True):
        scene = Scene(("W" * 80, "<b>"), narrow=narrow)
        assert "<b>" not in Full().draw(Match(GAME, seed="x").state, scene)


def test_squares_and_crossings_are_named_from_the_lower_left() -> None:
    for board in (squares(square(3, 2)), crossings(square(3, 2))):
        assert list(board.places) == ["a2", "b2", "c2", "a1", "b1", "c1"]
        assert (board.places["a1"].x, board.places["a1"].y) == (0.5, 1.5)
    board = squares(square(2, 2), chequered=True)
    dark = [
        name for name, (_, fill) in zip(board.places, board.shapes, strict=True) if "deep" in fill
    ]
    assert dark == ["b2", "a1"]


@pytest.mark.parametrize("draw", [squares, crossings])
@pytest.mark.parametrize("arguments", [("abcdefgh", 8), ("abcdefgh",)])
def test_columns_in_place_of_a_grid_are_refused_with_the_remedy(
    draw: Any, arguments: tuple[Any, ...]
) -> None:
    with pytest.raises(TypeError, match=r"squares\(square\(8, 8\)\)"):
        draw(*arguments)


def test_points_are_numbered_as_in_backgammon() -> None:
    places = points().places
    assert list(places) == [*map(str, range(1, 25)), "bar", "off"]
    assert places["1"].x == places["24"].x > places["12"].x == places["13"].x
    assert places["1"].y > places["24"].y
    assert places["6"].x - places["7"].x == 2, "the bar is between"


class Ends(BoardPicture[Any]):
    """A pawn on a3, which may become a rook or a king on a4. The view is an alert on a1, or ""."""

    board = squares(square(4, 4), chequered=True)
    fills: ClassVar[Sequence[str]] = ("#fcf8ef", "#29241f")
    turns = True

    def pieces(self, view: str) -> Mapping[str, Sequence[Piece]]:
        return {"a3": [Piece(0, art="pawn")], "a1": [Piece(1, "x", "disc")]}

    def option(self, words: str, view: str) -> Piece | None:
        return (
            Piece(0, art={"r": "rook", "k": "king"}[words[4]]) if words[4:] in ("r", "k") else None
        )

    def alerts(self, view: str) -> Mapping[str, str]:
        return {"a1": view} if view else {}


def scene_of_ends(seat: Seat = 0) -> Scene:
    choices = clickables(Ends(), "", ["a3a4r", "a3a4k"], NAMES, 0)
    return Scene(NAMES, seat, (0,), choices if seat == 0 else (), live=True)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a3a4", ["a3", "a4"]),
        ("take a3 b4", ["a3", "b4"]),
        ("a3a4r", ["a3", "a4", "a3a4r"]),
        ("a3", ["a3"]),
        ("a3st", []),
    ],
)
def test_names_of_places_may_be_joined_before_one_letter(text: str, path: list[str]) -> None:
    assert Ends().path(text, "", 0) == path


def test_capital_letters_are_pieces_of_seat_0_and_small_letters_of_seat_1() -> None:
    pieces = Ends().pieces_of("K..r" + 12 * ".", {"k": "king", "r": "rook"})
    assert pieces == {"a4": [Piece(0, art="king")], "d4": [Piece(1, art="rook")]}


def test_a_name_within_another_word_is_no_place() -> None:
    class Points(BoardPicture[Any]):
        board = points()

        def pieces(self, view: str) -> Mapping[str, Sequence[Piece]]:
            return {}

    paths = [Points().path(it, "", 0) for it in ("offer 13", "bar off", "13 8")]
    assert paths == [["13"], ["bar", "off"], ["13", "8"]]


def test_a_menu_offers_the_pieces_of_actions_with_the_same_places() -> None:
    drawn = ET.fromstring(Ends().draw("", scene_of_ends()))
    (menu,) = [it for it in drawn.iter() if it.get("data-after") == "a3\na4"]
    parts = {it.get("data-part"): it.get("aria-label") for it in menu.iter() if it.get("data-part")}
    assert parts == {"a3a4r": "rook", "a3a4k": "king"}


def test_only_the_player_to_move_gets_a_menu() -> None:
    assert "data-after" not in Ends().draw("", scene_of_ends(1))


def test_a_piece_is_described_by_its_drawing_and_an_alert_by_its_reason() -> None:
    drawn = Ends().draw("check", scene_of_ends())
    assert 'aria-label="a3: Ada pawn"' in drawn
    assert 'aria-label="a1: Bo x disc, check"' in drawn


@pytest.mark.parametrize(
    ("fill", "ink"),
    [("#fcf8ef", "tt-text-on-red"), ("#a3301e", "tt-text-on-blue"), ("#1b1713", "tt-text-on-blue")],
)
def test_a_letter_stands_out_from_the_colour_of_its_piece(fill: str, ink: str) -> None:
    class Letters(Ends):
        fills: ClassVar[Sequence[str]] = (fill,)

    assert f'class="{ink} tt-bold"' in Letters().draw("", scene_of_ends())


def test_a_letter_on_a_drawing_stands_out_from_the_colour_of_its_seat() -> None:
    class Letters(Ends):
        fills: ClassVar[Sequence[str]] = ()

    assert 'class="tt-text-on-red tt-bold"' in Letters().draw("", scene_of_ends())


def place_of(svg: str, part: str) -> tuple[float, float]:
    """Return the upper left corner of the area of a part."""
    (found,) = [it for it in ET.fromstring(svg).iter() if it.get("data-part") == part]
    return float(found[1].get("x", "")), float(found[1].get("y", ""))


def test_a_board_that_turns_shows_player_2_the_opposite_side() -> None:
    first, second = (Ends().draw("", scene_of_ends(seat)) for seat in (0, 1))
    assert place_of(first, "a1") == place_of(second, "d4")
    assert place_of(first, "b4") == place_of(second, "c1")


@pytest.mark.parametrize(
    "board", [squares(square(3, 4)), crossings(square(3, 3), dots=["a1"]), points()]
)
def test_a_board_that_is_turned_twice_is_the_same(board: Board) -> None:
    once = board.turned()
    assert once != board
    assert once.turned().places == board.places
    assert [word for *_, word in once.words] == [word for *_, word in board.words]
