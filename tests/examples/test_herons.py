"""The rules of `examples/herons.py`: tiles that fit, closed regions, herons."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from tabletop import IllegalAction, Match, Random
from tabletop.display import Scene, clickables
from tabletop.envs import ActionIndex, Encoder
from tabletop.host import load_file
from tabletop.match import AnyMatch
from tabletop.parts.maps import Laid, Lay, Spot
from tabletop.testing import check_picture

herons: Any = load_file(Path(__file__).parents[2] / "examples" / "herons.py")
STRAIGHT, END, SPRINGS, RIM = (
    herons.TILES.tiles.index(tile)
    for tile in (
        "water meadow water meadow",
        "water meadow meadow meadow",
        "water water2 water3 meadow",
        "reed meadow meadow meadow",
    )
)


def begun(*tiles: int, seats: int = 2, laid: dict[tuple[int, int], Laid] | None = None) -> AnyMatch:
    """A match in which these tiles come, the first one being drawn already; more are not left."""
    match = Match(herons.GAME, seed=1, seats=seats)
    match.state.drawn = [tiles[0]]
    match.state.bag = list(tiles[1:])
    if laid is not None:
        match.state.laid = laid
    return match


def play(match: AnyMatch, *lines: str) -> None:
    for line in lines:
        match.play(match.parse(line))


def legal(match: AnyMatch) -> list[str]:
    return [str(action) for action in match.legal_actions()]


def test_a_tile_is_laid_where_sides_are_alike() -> None:
    assert legal(begun(END)) == [
        "lay 0,-1 turned 2",
        "lay -1,0",
        "lay -1,0 turned 2",
        "lay -1,0 turned 3",
        "lay 1,0",
        "lay 1,0 turned 1",
        "lay 1,0 turned 2",
        "lay 0,1",
    ]


def test_a_heron_is_set_on_a_channel_or_reed_bed_of_the_tile_that_was_laid() -> None:
    match = begun(STRAIGHT, RIM)
    play(match, "lay 0,1")
    assert legal(match) == ["no heron", "heron water"]
    play(match, "heron water")
    assert match.state.herons == {Spot(0, 1, 0): 0}
    assert match.to_act == (1,)


def test_a_heron_may_be_set_where_another_seat_has_one_but_not_beside_ones_own() -> None:
    match = begun(STRAIGHT, STRAIGHT, STRAIGHT)
    play(match, "lay 0,1", "heron water", "lay 0,2", "heron water", "lay 0,3")
    assert match.state.herons == {Spot(0, 1, 0): 0, Spot(0, 2, 0): 1}
    assert match.over, "there is nothing to decide for the first seat, and no tile is left"


def test_nobody_has_more_than_three_herons() -> None:
    match = begun(STRAIGHT, RIM)
    match.state.herons = {Spot(0, 0, 1): 0, Spot(5, 5, 0): 0, Spot(6, 6, 0): 0}
    match.state.laid |= {(5, 5): Laid(RIM), (6, 6): Laid(RIM)}
    play(match, "lay 0,1")
    assert match.to_act == (1,)


def test_who_closes_a_region_gets_a_point_a_tile_and_each_heron_two() -> None:
    match = begun(END, END)
    play(match, "lay 0,1", "heron water", "lay 0,-1 turned 2")
    assert match.state.points == [6, 3]
    assert match.state.herons == {}


def test_what_is_closed_by_one_tile_is_told_region_by_region() -> None:
    told: list[Any] = []
    ends = {(0, 0): Laid(END, 2), (1, 1): Laid(END, 3), (-1, 1): Laid(RIM, 2)}
    match = begun(SPRINGS, RIM, laid=ends)
    match.observe(told.append, herons.Closed, seat=1)
    play(match, "lay 0,1")
    assert told == [herons.Closed(0, "water", 2, (2, 0))] * 2
    assert match.state.points == [4, 0]
    assert legal(match) == ["no heron", "heron water3"]


def test_a_tile_that_fits_nowhere_is_put_away() -> None:
    shut = {(0, 0): Laid(END, 2)}
    match = begun(END, herons.TILES.tiles.index("water water reed reed"), laid=shut)
    play(match, "lay 0,1")
    assert match.over
    assert match.state.bag == []


def test_at_the_end_a_heron_gets_a_point_for_each_tile_of_where_it_stands() -> None:
    match = begun(STRAIGHT)
    play(match, "lay 0,1", "heron water")
    assert match.outcome is not None
    assert match.outcome.points == (2, 0)


def test_the_last_scoring_is_told_and_shown_in_words_and_in_the_picture() -> None:
    told: list[Any] = []
    match = begun(STRAIGHT)
    match.observe(told.append, herons.Counted)
    play(match, "lay 0,1", "heron water")
    assert told == [herons.Counted((2, 0))]
    names, text = ["Ann", "Bo"], herons.FenText()
    assert text.event(told[0], names) == "Remaining herons: Ann +2."
    said = text.position(match.state, names)
    assert "1  Ann  0 points + 2\n   0,1 water above, below\n" in said
    assert ">Ann 0 points + 2<" in herons.FenPicture().draw(match.state, Scene(names))


def test_who_closes_a_region_is_told_how_many_points_it_gives_to_whom() -> None:
    said = herons.FenText().event(herons.Closed(0, "reed", 3, (9, 6)), ["Ann", "Bo"])
    assert said == "Ann closes a reed bed of 3 tiles: Ann +9, Bo +6."


def test_bots_play_for_points() -> None:
    match = begun(STRAIGHT)
    play(match, "lay 0,1", "heron water")
    assert match.outcome is not None
    assert herons.GAME.utility(match.outcome, 0) == pytest.approx(2 / herons.MOST)


def test_every_tile_is_laid_or_put_away_and_points_stay_in_their_range() -> None:
    for seed in range(5):
        match = Match(herons.GAME, seed=seed, seats=2 + seed % 3)
        for seat in range(match.seats):
            match.set_player(seat, Random(seat))
        match.run()
        state = match.state
        assert not state.bag
        assert len(state.laid) <= len(herons.EVERY)
        assert max(herons.totals(state)) <= herons.MOST


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("lay 0,0", "0,0 .*occupied"),
        ("lay 2,0", "next to 2,0"),
        ("lay 0,1 turned 1", r"\bfit at 0,1\b.*\brotation\b"),
        ("heron water", r"\blay\b.*\bfirst$"),
    ],
)
def test_what_may_not_be_done_is_refused_with_the_reason(line: str, why: str) -> None:
    match = begun(STRAIGHT)
    with pytest.raises(IllegalAction, match=why):
        match.play(match.parse(line))


def test_a_heron_that_may_not_be_set_is_refused_with_the_reason() -> None:
    match = begun(STRAIGHT)
    play(match, "lay 0,1")
    with pytest.raises(IllegalAction, match=r"\bopen region\b"):
        match.play(match.parse("heron reed"))


@pytest.mark.slow
def test_learners_see_every_place_where_a_tile_can_come_to_lie() -> None:
    far = len(herons.EVERY) - 1
    row = {(x, 0): Laid(STRAIGHT) for x in range(far)}  # one tile is left
    index: Any = ActionIndex(herons.GAME)
    assert index.action(index.index(Lay(far, 0, 3))) == Lay(far, 0, 3)
    assert index.size == 4 * len(herons.PLACES) + 6
    state = begun(STRAIGHT, laid=row).state
    state.laid[far, 0], state.herons[Spot(far, 0, 3)] = Laid(END, 3), 1
    encoder: Any = Encoder(herons.GAME)
    seen = dict(zip(encoder.names, encoder.encode(state, 0), strict=True))
    assert encoder.clipped(state, 0) == []
    assert seen[f"laid[({far}, 0)].tile={END}"] == seen[f"laid[({far}, 0)].turn=3"] == 1
    assert seen[f"herons[{far},0:3]=+1"] == 1


@pytest.mark.slow
@pytest.mark.matrix
def test_keen_is_far_ahead_of_random_players() -> None:
    points: list[float] = [0, 0]
    for seed in range(6):
        keen = seed % 2
        players = [herons.Keen(), Random(seed)]
        match = Match(herons.GAME, seed=seed, players=players[::-1] if keen else players)
        match.run()
        assert match.outcome is not None
        points[0] += match.outcome.points[keen]
        points[1] += match.outcome.points[1 - keen]
    assert points[0] > 2 * points[1]


@pytest.mark.slow
def test_the_picture_has_a_way_to_click_for_every_action() -> None:
    assert check_picture(herons.GAME, matches=1, plies=12)
    match = begun(STRAIGHT)
    picture, state = herons.FenPicture(), match.state
    assert picture.path(Lay(0, 1), state, 0) == ["0,1", "0,1=0"]
    play(match, "lay 0,1")
    assert picture.path("heron water", match.state, 0) == ["0,1:0"]
    assert picture.path("no heron", match.state, 0) == []
    assert "0 tiles left" in picture.draw(match.state, Scene(["Ann", "Bo"]))


def test_the_text_shows_where_the_tile_fits() -> None:
    match = begun(END)
    lines = herons.FenText().position(match.state, ["Ann", "Bo"]).splitlines()
    assert lines[0].split() == ["0,-1"]
    assert lines[2].split() == ["-1,0.", "~~~", ".", "1,0"]
    assert (
        herons.FenText().asked(match.state, 0, ["Ann", "Bo"])
        == "Place the tile (turn it by clicking)"
    )


def test_the_log_and_the_buttons_are_in_words() -> None:
    match, lines, names = begun(STRAIGHT), [], ["Ann", "Bo"]
    match.observe(lambda event: lines.append(herons.FenText().event(event, names)))
    labels = [herons.FenPicture().label(it, match.state, names, 0) for it in match.legal_actions()]
    assert {*labels} == {"Above", "Below", "Left", "Right"}
    play(match, "lay 0,1", "heron water")
    assert lines[:2] == ["Ann places a tile (below).", "Ann sets a heron on the channel."]


def test_the_button_that_places_a_tile_covers_no_place() -> None:
    match, picture = begun(STRAIGHT), herons.FenPicture()
    choices = clickables(picture, match.state, match.legal_actions(), match.names, 0)
    for narrow in (False, True):
        scene = Scene(match.names, 0, (0,), choices, narrow=narrow, live=True)
        root = ET.fromstring(picture.draw(match.state, scene))
        places = {
            (name, parent.get("transform"))
            for parent in root.iter()
            for name in [parent.get("data-part", "")]
            if "=" in name
        }
        assert len(places) == len(match.legal_actions())
        assert len({at for _, at in places}) == 1  # beside the map, wherever the tile is
