"""The picture of an open map: its extent, its places, and content between two clicks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import combinations
from math import dist
from types import MappingProxyType
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tabletop import ALL, Game, Match, Options, Outcome, Seat, State, Streams, Table, state
from tabletop.display import MapPicture, MapText, Piece, Scene, clickables
from tabletop.parts.board import Cell
from tabletop.parts.maps import Laid, Lay, Spot, TileSet
from tabletop.testing import check_picture

NAMES = ("Ada", "Bo")
STRAIGHT, CORNER, INN = range(3)
ROADS = TileSet(
    (
        "road field road field",
        "road road wood wood",
        "field field field field + inn",
    )
)
HEXES = TileSet(("sea sea land land land land", "sea land sea land sea2 land"))


@state
class Country(State):
    """The tiles, the tile in hand, and whether the last tile may be marked."""

    laid: dict[Cell, Laid] = field(default_factory=lambda: {(0, 0): Laid(0)})
    hand: int | None = 0
    pieces: dict[Spot, Seat] = field(default_factory=dict)
    last: Cell | None = None


class Roads(Game[Country, Lay | str]):
    """Lay a straight road, then mark a spot on it."""

    name = "roads"
    tiles = ROADS

    def setup(self, options: Options, seats: int, rng: Streams) -> Country:
        return Country()

    def to_act(self, state: Country) -> Sequence[Seat]:
        return (0,) if len(state.laid) < 45 else ()

    def legal_actions(self, state: Country, seat: Seat) -> Sequence[Lay | str]:
        if state.last is not None:
            return [f"mark {spot}" for spot in self.tiles.spots(state.laid, state.last)]
        return self.tiles.ways(state.laid, 0)

    def apply(self, state: Country, action: Lay | str, table: Table) -> None:
        if isinstance(action, Lay):
            state.laid[action.place] = Laid(0, action.turn)
            state.last, state.hand = action.place, None
        else:
            x, y, feature = map(int, re.findall(r"-?\d+", action))
            state.pieces[Spot(x, y, feature)] = 0
            state.last, state.hand = None, 0

    def outcome(self, state: Country) -> Outcome | None:
        return None if self.to_act(state) else Outcome.win(0, 2)


class Seas(Roads):
    name = "seas"
    tiles = HEXES


class CountryPicture(MapPicture[Country]):
    tiles = ROADS
    colours = MappingProxyType({"road": "#b08a5a", "wood": "#4f7a4a", "inn": "#7a3b2e"})
    lines = ("road",)

    def laid(self, view: Country) -> Mapping[Cell, Laid]:
        return view.laid

    def hand(self, view: Country) -> int | None:
        return view.hand

    def pieces(self, view: Country) -> Mapping[Spot, Sequence[Piece]]:
        return {spot: [Piece(seat)] for spot, seat in view.pieces.items()}


class HexPicture(CountryPicture):
    tiles = HEXES
    colours = MappingProxyType({"sea": "#4f8fb3"})


PICTURE = CountryPicture()


def scene_of(view: Country, **more: Any) -> Scene:
    actions = Roads().legal_actions(view, 0)
    choices = clickables(PICTURE, view, actions, NAMES, 0)
    return replace(Scene(NAMES, 0, to_act=(0,), choices=choices, live=True), **more)


def drawn(view: Country, **more: Any) -> ET.Element:
    return ET.fromstring(PICTURE.draw(view, scene_of(view, **more)))


def part(root: ET.Element, name: str) -> ET.Element | None:
    return next((it for it in root.iter() if it.get("data-part") == name), None)


def at(root: ET.Element, name: str) -> tuple[float, float]:
    """Return the position of a part in the picture."""
    found = part(root, name)
    assert found is not None
    x, y = re.findall(r"-?[\d.]+", found.get("transform", ""))[:2]
    return float(x), float(y)


def line(size: int) -> dict[Cell, Laid]:
    return {(x, 0): Laid(0, 1) for x in range(size)}


def size_of_tiles(root: ET.Element) -> float:
    scales = [re.search(r"scale\(([\d.]+)\)", it.get("transform", "")) for it in root.iter()]
    return 100 * min(float(it[1]) for it in scales if it)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "picture"),
    [(Roads(), CountryPicture()), (Seas(), HexPicture())],
)
def test_every_position_can_be_drawn_and_clicked(game: Roads, picture: MapPicture[Country]) -> None:
    assert check_picture(game, picture, matches=1, plies=10)


def test_tiles_get_smaller_as_the_map_grows_and_never_leave_the_picture() -> None:
    sizes = []
    for size in (1, 8, 12):
        root = drawn(Country(line(size)), narrow=True)
        assert all(8 < at(root, f"{x},0")[0] < 382 for x in range(size))
        sizes.append(size_of_tiles(root))
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == 3


def test_a_long_map_shows_its_area_of_interest_and_arrows_to_the_rest() -> None:
    view = Country(line(60))
    root = drawn(view, narrow=True)
    assert size_of_tiles(root) == pytest.approx(26)
    assert part(root, "30,0") is not None
    assert part(root, "0,0") is None
    for beyond in ("-1,0", "60,0"):
        x, _ = at(root, beyond)
        assert 8 < x < 382, "what can be clicked is there"
    far = replace(scene_of(view), choices=clickables(PICTURE, view, [Lay(60, 0, 1)], NAMES, 0))
    root = ET.fromstring(PICTURE.draw(view, replace(far, narrow=True)))
    assert part(root, "59,0") is not None
    assert part(root, "30,0") is None


def test_a_tile_is_laid_by_clicks_on_its_place_its_rotations_and_a_button() -> None:
    view = Country({(0, 0): Laid(STRAIGHT)})
    assert PICTURE.path(Lay(1, 0), view, 0) == ["1,0", "1,0=0"]
    with pytest.raises(ValueError, match=r"lay 1,0 turned 1: .*\[0\]"):
        PICTURE.path(Lay(1, 0, 1), view, 0)
    free = Country({}, hand=CORNER)
    assert PICTURE.turns(free, (0, 0)) == [0, 1, 2, 3]
    assert PICTURE.path(Lay(0, 0), free, 0) == ["0,0", "0,0=0"]
    assert PICTURE.path(Lay(0, 0, 2), free, 0) == ["0,0", "0,0>1", "0,0>2", "0,0=2"]


def test_other_actions_name_places_and_spots_in_their_text() -> None:
    assert PICTURE.path("move 2,-1 to -3,0:2", Country(), 0) == ["2,-1", "-3,0:2"]
    assert PICTURE.path("pass", Country(), 0) == []


class MillPicture(CountryPicture):
    def spots(self, view: Country) -> Mapping[str, Spot]:
        return {} if view.last is None else {"mill": Spot(*view.last, 0)}


def test_an_action_is_clicked_at_the_spot_that_the_picture_has_for_it() -> None:
    view = Country(last=(0, 0), hand=None)
    assert MillPicture().path("mill", view, 0) == ["0,0:0"]
    assert MillPicture().path("mark 0,0:1", view, 0) == ["0,0:1"]


def test_spots_are_named_in_words_on_buttons_and_where_they_are_clicked() -> None:
    view = Country(last=(0, 0), hand=None)
    picture = MillPicture()
    actions = ["mill", "mark 0,0:1", "pass", Lay(1, 0)]
    choices = clickables(picture, view, actions[:3], NAMES, 0)
    assert [picture.label(it, view, NAMES, 0) for it in actions] == [
        "mill (road above, below)",
        "mark 0,0:1 (field right, left)",
        "pass",
        "Right",
    ]
    root = ET.fromstring(picture.draw(view, Scene(NAMES, 0, (0,), choices, live=True)))
    labels = [it.get("aria-label") for it in root.iter() if ":" in it.get("data-part", "")]
    assert labels == ["road above, below at 0,0", "field right, left at 0,0"]


def test_a_click_on_a_place_that_is_not_lit_tries_to_lay_a_tile_there() -> None:
    assert PICTURE.attempt("1,0", Country(), 0) == "lay 1,0"
    assert PICTURE.attempt("1,0>2", Country(), 0) == ""


def test_the_tile_is_drawn_hidden_once_for_each_rotation() -> None:
    view = Country(hand=CORNER, laid={})
    choices = clickables(PICTURE, view, [Lay(0, 0, turn) for turn in range(4)], NAMES, 0)
    root = ET.fromstring(PICTURE.draw(view, replace(scene_of(Country()), choices=choices)))
    tries = [it for it in root.iter() if it.get("class") == "tt-after"]
    ends = ["0,0", "0,0\n0,0>1", "0,0\n0,0>1\n0,0>2", "0,0\n0,0>1\n0,0>2\n0,0>3"]
    assert [it.get("data-after") for it in tries] == ends
    assert {it.get("visibility") for it in tries} == {"hidden"}
    turns = [re.findall(r"rotate\((\d+)\)", ET.tostring(it, "unicode"))[0] for it in tries]
    assert turns == ["0", "90", "180", "270"]


def test_spectators_cannot_try_actions() -> None:
    view = Country()
    for scene in (replace(scene_of(view), live=False), Scene(NAMES, ALL)):
        assert "tt-after" not in PICTURE.draw(view, scene)


def test_pieces_are_drawn_on_their_feature_of_the_rotated_tile() -> None:
    x, y = PICTURE.middle(CORNER, 0)
    assert (round(x), round(y)) == (15, -15)
    assert PICTURE.middle(STRAIGHT, 0) == pytest.approx((0, 0))
    assert PICTURE.middle(INN, 1) == (0, 0)
    standing = []
    for turn in range(4):
        view = Country({(0, 0): Laid(CORNER, turn)}, pieces={Spot(0, 0, 0): 1}, hand=None)
        root = ET.fromstring(PICTURE.draw(view, Scene(NAMES, ALL)))
        marks = [it for it in root.iter() if "tt-red" in it.get("class", "").split()]
        mark = marks[-1]
        left, top = at(root, "0,0")
        standing.append((float(mark.get("x", 0)) > left - 12, float(mark.get("y", 0)) > top - 12))
    assert standing == [(True, False), (True, True), (False, True), (False, False)]


def test_called_adds_text_to_names() -> None:
    class Counted(CountryPicture):
        def tally(self, view: Country, seat: Seat) -> str:
            return f"has {10 + seat}"

    drawn = Counted().draw(Country(), Scene(NAMES, ALL))
    assert "Ada has 10" in drawn
    assert "Bo has 11" in drawn


def test_what_four_seats_have_is_not_cut_off_on_a_phone() -> None:
    class Counted(CountryPicture):
        def tally(self, view: Country, seat: Seat) -> str:
            return f"{10 + seat} points"

    names = ["Ada", "Bo", "Cid", "Dee"]
    drawn = Counted().draw(Country(), Scene(names, ALL, narrow=True))
    assert all(f">{name} {10 + seat} points<" in drawn for seat, name in enumerate(names))


def test_an_empty_map_has_one_place() -> None:
    root = ET.fromstring(PICTURE.draw(Country({}), Scene(NAMES, ALL)))
    assert [it.get("data-part") for it in root.iter() if it.get("data-part")] == ["0,0"]


def test_a_match_is_drawn_the_same_wherever_it_is_drawn() -> None:
    match = Match(Roads(), seed=1)
    assert PICTURE.draw(match.state, Scene(NAMES)) == PICTURE.draw(match.state, Scene(NAMES))


CROWDED = TileSet(
    (
        "field field field field + inn",
        "field field field-road-field field + inn",
        "town field-road-field2 field2-road2-field3 field3-road3-field",
    )
)


def test_pieces_on_features_of_one_tile_are_apart() -> None:
    class Crowd(MapPicture[Country]):
        tiles = CROWDED
        lines = ("road",)

        def laid(self, view: Country) -> Mapping[Cell, Laid]:
            return view.laid

    for tile, kinds in enumerate(CROWDED.kinds):
        middles = [Crowd().middle(tile, feature) for feature in range(len(kinds))]
        assert all(dist(a, b) >= 29.9 for a, b in combinations(middles, 2))
        assert all(abs(at) <= 40 for middle in middles for at in middle)


class CrossPicture(CountryPicture):
    tiles = TileSet(("wood-road-wood2 wood2-road2-wood3 wood3-road3-wood4 wood4-road4-wood",))


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("size", [1, 6, 30])
def test_spots_of_a_tile_are_24_wide_and_apart_however_small_it_is(narrow: bool, size: int) -> None:
    picture, view = CrossPicture(), Country(dict.fromkeys(line(size), Laid(0)), hand=None)
    marks = [f"mark {it}" for it in picture.tiles.spots(view.laid, (size - 1, 0))]
    choices = clickables(picture, view, marks, NAMES, 0)
    scene = Scene(NAMES, 0, (0,), choices, live=True, narrow=narrow)
    root = ET.fromstring(picture.draw(view, scene))
    points = [at(root, it.removeprefix("mark ")) for it in marks]
    assert len(points) == 8
    assert all(dist(a, b) >= 24 for a, b in combinations(points, 2))
    assert all(10 < x < (380 if narrow else 750) and y > 10 for x, y in points)
    spot = part(root, marks[0].removeprefix("mark "))
    assert spot is not None
    rings = [it for it in spot if it.get("class") == "tt-ring"]
    assert [float(it.get("r", 0)) for it in rings] == [10.5], "24 with the ring of a lit part"
    drawn = [it.get("class", "").split()[0] for it in spot if it.tag.endswith("circle")]
    assert set(drawn) == {"tt-hit", "tt-none", "tt-ring"}, "the feature below is visible"


def test_a_piece_does_not_cover_a_feature_inside_a_tile() -> None:
    view = Country({(0, 0): Laid(INN)}, pieces={Spot(0, 0, 1): 0}, hand=None)
    root = ET.fromstring(PICTURE.draw(view, Scene(NAMES, ALL)))
    inn = next(it for it in root.iter() if it.get("fill") == CountryPicture.colours["inn"])
    reach = max(float(at) for at in re.findall(r"-?[\d.]+", inn.get("points", "")))
    disc = next(it for it in root.iter() if it.get("class") == "tt-blue tt-stroke-ink")
    assert 0.8 * reach > float(disc.get("r", 0)) + 4


def test_free_places_are_not_drawn_when_the_match_is_over() -> None:
    view = Country(line(3), hand=None)
    names = [f"{x},0" for x in range(3)]
    for outcome, beside in ((None, 8), (Outcome.win(0, 2), 0)):
        root = ET.fromstring(PICTURE.draw(view, Scene(NAMES, ALL, outcome=outcome)))
        found = [it.get("data-part") for it in root.iter() if it.get("data-part")]
        assert found[:3] == names
        assert len(found) == 3 + beside


# The text of a map.


class CountryText(MapText[Country]):
    picture = MillPicture()
    marks = MappingProxyType({"road": "+", "field": ".", "inn": "^"})


def test_the_text_describes_the_contents_of_the_picture() -> None:
    laid = {(0, 0): Laid(STRAIGHT), (0, 1): Laid(INN)}
    pieces = {Spot(0, 0, 0): 1, Spot(0, 1, 1): 0, Spot(0, 1, 0): 1}
    view = Country(laid, hand=CORNER, pieces=pieces, last=(0, 0))
    assert CountryText().position(view, NAMES).split("\n") == [
        "  0,-1",
        "   +",
        ". +2+ .",
        "   .",
        ". 12^ .",
        "   .",
        "+ road  . field  ^ inn  w wood",
        "1  Ada",
        "   0,1 inn",
        "2  Bo",
        "   0,0 road above, below; 0,1 field above, right, below, left",
        "mill  road above, below",
        "The tile to place:",
        "   +",
        "w +++ +",
        "   w",
    ]


def test_the_text_of_hexagons_and_of_an_empty_map_is_complete() -> None:
    class Words(MapText[Country]):
        picture = HexPicture()

    said = Words().position(Country(hand=None), NAMES).split("\n")
    assert said[:3] == ["  l   s", "l  sss  s", "  l   l"]
    assert Words().position(Country({}, hand=None), NAMES).startswith("s sea  l land\n1  Ada")
    assert "0,0" in Words().position(Country({}), NAMES)
