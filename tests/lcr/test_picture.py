"""The picture of Left, Center, Right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pictures import SVG, any_names, classes, parts, texts, words

from lcr import DIE, GAME, ROLL, ChipPassed, DieRolled, Face, LcrState, TurnEnded
from lcr.picture import FEW, LcrPicture, PictureContext, columns_of
from lcr.rules.state import SEATS
from tabletop import ActionsUndone, Event, Match, Seat, Watcher
from tabletop.display import Clickable, Scene, clickables
from tabletop.registry import load
from tabletop.testing import check_picture

PICTURE = LcrPicture()


class PlayedMatch:
    """A match that has been played for some turns, with its events."""

    def __init__(self, seats: int, plies: int, seed: int = 1) -> None:
        self.match = Match(GAME, seed=seed, seats=seats)
        self.events: list[Event] = []
        self.last: list[Event] = []
        self.match.observe(self.events.append)
        self.match.observe(self.last.append)
        for _ in range(plies):
            if self.match.outcome is None:
                self.last.clear()
                self.match.play(ROLL)

    def draw(self, seat: Watcher, names: Sequence[str] = (), **more: Any) -> ET.Element:
        match = self.match
        named = tuple(names or match.names)[: len(match.names)]
        choices: tuple[Clickable, ...] = ()
        if isinstance(seat, int) and seat in match.to_act:
            actions = GAME.legal_actions(match.state, seat)
            choices = clickables(PICTURE, match.state, actions, named, seat)
        scene = Scene(
            named,
            seat,
            match.to_act,
            choices=choices,
            live=True,
            recent=self.last,
            told=self.events,
            outcome=match.outcome,
            **more,
        )
        return ET.fromstring(PICTURE.draw(match.state, scene))


played = st.builds(
    PlayedMatch, st.integers(SEATS[0], SEATS[-1]), st.integers(0, 60), st.integers(0, 1000)
)


def test_plugin_has_the_picture() -> None:
    assert isinstance(load("lcr").make_picture(), LcrPicture)


@pytest.mark.slow
@given(played, st.booleans())
def test_picture_shows_all_chips_and_the_next_player_clicks_the_dice(
    told: PlayedMatch, narrow: bool
) -> None:
    state = told.match.state
    for seat in range(len(state.chips)):
        there = parts(picture := told.draw(seat, narrow=narrow))
        rolls = seat in told.match.to_act
        assert ("tt-lit" in classes(there["dice"])) == rolls
        assert there["dice"].get("data-action") == ("roll" if rolls else None)
    for seat, chips in enumerate(state.chips):
        said = there[f"seat-{seat}"].get("aria-label", "")
        assert said.startswith(f"{told.match.names[seat]}: {chips} chip")
    assert there["pot"].get("aria-label", "").startswith(f"The pot: {state.pot} chip")
    stacks = [it for it in picture.iter() if it.get("data-key", "").startswith("stack-")]
    assert [len(list(it.iter(f"{SVG}rect"))) for it in stacks] == state.chips


@given(played, st.booleans())
def test_a_click_between_the_dice_or_between_them_and_the_button_rolls(
    told: PlayedMatch, narrow: bool
) -> None:
    dice = parts(told.draw(told.match.to_act[0] if told.match.to_act else 0, narrow=narrow))["dice"]
    hit = area_of(dice.find(f"{SVG}rect[@class='tt-hit']"))
    button = area_of(dice.find(f"{SVG}rect[@class='tt-ring']"))
    assert hit[:2] == (0, 0)
    assert button[0] + button[2] <= hit[2]
    assert button[1] + button[3] <= hit[3]
    assert hit[2] >= button[2] + 130 if narrow else hit[3] >= button[3] + 60  # with the dice


def area_of(found: ET.Element | None) -> tuple[float, float, float, float]:
    assert found is not None
    left, top, width, high = (float(found.get(name, "0")) for name in ("x", "y", "width", "height"))
    return left, top, width, high


@given(st.integers(0, 33), st.integers(1, 6))
def test_columns_have_five_chips_if_there_is_room(chips: int, most: int) -> None:
    columns, high = columns_of(chips, most)
    assert columns <= most
    assert columns * high >= chips
    assert high == 5 or chips > 5 * most


@pytest.mark.parametrize("narrow", [False, True])
def test_the_dice_show_the_last_roll(narrow: bool) -> None:
    told = PlayedMatch(5, 1)
    rolled = [DIE[it.roll] for it in told.events if isinstance(it, DieRolled)]
    dice = [it for it in told.draw(1, narrow=narrow).iter() if "tt-die" in classes(it)]
    letters = {Face.DOT: "", Face.LEFT: "L", Face.CENTER: "C", Face.RIGHT: "R"}
    assert [words(die) for die in dice] == [letters[face] for face in rolled]


def test_unrolled_dice_are_shown_for_the_next_player() -> None:
    scene = Scene(("A", "B", "C"), 0, (0,))
    picture = ET.fromstring(PICTURE.draw(LcrState([2, 3, 3], 1, 0), scene))
    assert words(parts(picture)["dice"]).count("?") == 2


def test_viewer_sits_at_the_bottom_and_the_left_neighbour_on_the_left() -> None:
    there = parts(PlayedMatch(4, 0).draw(2))
    places = []
    for seat in (2, 3, 0, 1):
        moved = there[f"seat-{seat}"].get("transform", "")
        x, y = moved[len("translate(") : -1].split()
        places.append((float(x), float(y)))
    below, left, above, right = places
    assert left[0] < below[0] < right[0]
    assert above[1] < left[1] < below[1]


def test_picture_names_the_winner() -> None:
    told = PlayedMatch(3, 10_000)
    winner = told.match.state.winner
    assert winner is not None
    assert f"{told.match.names[winner]} wins" in words(told.draw(0))


@pytest.mark.slow
def test_pictures_pass_the_picture_checks() -> None:
    assert check_picture(GAME, matches=2, plies=8) > 60


@pytest.mark.slow
@given(played, any_names(SEATS[-1]), st.booleans())
def test_text_fits_its_card_with_any_names(
    told: PlayedMatch, names: list[str], narrow: bool
) -> None:
    for seat in (0, None):
        picture = told.draw(seat, names, narrow=narrow)
        assert picture.get("width") == ("390" if narrow else "909")
        for left, right, said, box in texts(picture):
            assert box[0] <= left, said
            assert right <= box[1], said


@pytest.mark.parametrize("narrow", [False, True])
def test_long_names_are_cut_before_the_rest_of_the_text(narrow: bool) -> None:
    picture = PlayedMatch(4, 1).draw(0, ["W" * 80] * 4, narrow=narrow)
    assert "Rolled by W" in "".join(parts(picture)["dice"].itertext())


# The context of the picture.


NAMES = ("Ann", "Bo", "Cid", "Dee")
ROLLED: list[Event] = [
    DieRolled(2, 1, Face.RIGHT),
    ChipPassed(2, 1),
    DieRolled(2, 2, Face.CENTER),
    ChipPassed(2, None),
    TurnEnded(2, 1),
]


def context(seat: Seat | None, told: list[Event] | None = None) -> PictureContext:
    events = told or []
    return PictureContext(LcrState.start(4), Scene(NAMES, seat, recent=events, told=events))


def test_the_dice_of_the_last_turn_are_shown_in_the_order_in_which_they_were_rolled() -> None:
    assert context(0, ROLLED).rolled == (2, [Face.RIGHT, Face.CENTER])
    earlier: list[Event] = [DieRolled(1, 0, Face.LEFT), TurnEnded(1, 3)]
    assert context(0, [*earlier, *ROLLED]).rolled == (2, [Face.RIGHT, Face.CENTER])


def test_no_dice_are_shown_before_a_roll_or_after_undo() -> None:
    assert context(0).rolled is None
    assert context(0, [*ROLLED, ActionsUndone(1, 0)]).rolled is None


def test_changes_count_passed_chips_including_the_pot() -> None:
    assert context(0, ROLLED).changes == {2: -2, 1: 1, None: 1}


@pytest.mark.parametrize("narrow", [False, True])
def test_a_picture_has_the_same_height_for_any_number_of_players(narrow: bool) -> None:
    heights = {PlayedMatch(seats, 0).draw(0, narrow=narrow).get("height") for seats in (3, FEW, 11)}
    assert len(heights) == 1
