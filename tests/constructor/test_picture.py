"""The picture of Constructor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.constructor.tables import (
    BLUE,
    BRICK,
    GAMES,
    GLASS,
    HEAT,
    RED,
    full_save,
    new_match,
    play,
    position,
    reached,
)
from tests.pictures import SVG, any_names, classes, parts, texts, words

from constructor import (
    BOARDS,
    Action,
    Board,
    ChooseRoll,
    Constructor,
    ConstructorState,
    DiceRolled,
    Phase,
    ResourcesGained,
    Roll,
    Trade,
    UseLoadedDice,
)
from constructor.picture import ConstructorPicture
from constructor.picture.tiles import plan
from tabletop import CommandError, Event, IllegalAction, Match, Outcome, Watcher
from tabletop.display import Clickable, Scene, clickables
from tabletop.registry import load
from tabletop.testing import check_picture

PICTURE = ConstructorPicture()
BUNDLED_BOARDS = tuple(BOARDS)  # tests of boards register more
NAMES = ("Ada", "Player 2", "Cy", "Dee")

Playing = Match[ConstructorState, Action]


def choices(match: Playing) -> tuple[Clickable, ...]:
    if not match.to_act:
        return ()
    seat = match.to_act[0]
    actions = match.game.legal_actions(match.state, seat)
    return clickables(PICTURE, match.view(seat), actions, match.names, seat)


def draw(
    match: Playing, seat: Watcher = None, names: Sequence[str] = NAMES, **more: Any
) -> ET.Element:
    asked = seat is not None and seat in match.to_act
    scene = Scene(
        names[: match.state.seats],
        seat,
        match.to_act,
        choices=choices(match) if asked else (),
        live=True,
        outcome=match.outcome,
        **more,
    )
    return ET.fromstring(PICTURE.draw(match.state, scene))


def seen(state: ConstructorState, *told: Event, narrow: bool = False) -> ET.Element:
    scene = Scene(NAMES, BLUE, (state.turn,), narrow=narrow, recent=told, told=told)
    return ET.fromstring(PICTURE.draw(state, scene))


def acting(match: Playing) -> int:
    return match.to_act[0] if match.to_act else 0


def test_every_board_has_a_picture() -> None:
    for name in ("constructor", "constructor-small", "constructor-square"):
        assert isinstance(load(name).make_picture(), ConstructorPicture)


# Clicks.


@pytest.mark.slow
@pytest.mark.parametrize(
    "board", ["small", *(pytest.param(it, marks=pytest.mark.matrix) for it in BUNDLED_BOARDS[1:])]
)
def test_pictures_pass_the_picture_checks(board: str) -> None:
    save = full_save(board, 1, GAMES[board].seats[0], {"variant": "living"})
    assert check_picture(GAMES[board], matches=1, plies=3, options={"load": save}) >= 32


@pytest.mark.slow
@settings(max_examples=20)
@given(reached(300), st.booleans())
def test_legal_parts_are_highlighted_and_other_clicks_are_refused(
    match: Playing, narrow: bool
) -> None:
    picture = draw(match, acting(match), narrow=narrow)
    there = parts(picture)
    for choice in choices(match):
        assert "tt-lit" in classes(there[choice.path[0]])
        if len(choice.path) == 1:
            assert there[choice.path[0]].get("data-action") == choice.words
    for field in ("path", "label"):
        counts = Counter(getattr(choice, field) for choice in choices(match))
        assert set(counts.values()) <= {1}
    keys = Counter(key for it in picture.iter() if (key := it.get("data-key")))
    assert set(keys.values()) <= {1}
    for part in there.values():
        assert [it for it in part.iter() if it.get("data-part")] == [part]

    seat = acting(match)
    for name, part in there.items():
        attempt = PICTURE.attempt(name, match.state, seat)
        if "tt-lit" not in classes(part) and attempt:
            with pytest.raises((IllegalAction, CommandError)):
                match.game.check(match.state, match.game.parse(attempt, match.state, seat))


def test_trade_is_clicked_on_the_given_and_then_the_wanted_card() -> None:
    path = PICTURE.path(Trade(RED, BRICK, GLASS), position(), BLUE)
    assert path == ("hand-brick", "builder-red-glass")


PHONE: Final = 648
"""Height that is available for a picture on a phone of 390 by 844 pixels."""


def shown_at(picture: ET.Element) -> float:
    """Return the scale of a picture on a phone, limited by width or height."""
    return min(1.0, PHONE / float(picture.get("height", 0)))


def test_phone_picture_uses_the_screen_width_and_fits_its_height() -> None:
    for name in BUNDLED_BOARDS:
        match = new_match(name, seats=4)
        picture = draw(match, 0, narrow=True)
        places = [
            float(part.get("transform", "")[len("translate(") :].split()[0])
            for number, part in parts(picture).items()
            if number.startswith("vertex")
        ]
        assert (max(places) - min(places)) * shown_at(picture) >= 0.8 * 390


def test_clickable_parts_on_a_phone_are_large_enough() -> None:
    match = new_match(full=True)
    while match.state.phase is not Phase.BUILDING:
        match.step()
    picture = draw(match, acting(match), narrow=True)
    for name, part in parts(picture).items():
        if "tt-lit" in classes(part) and name.startswith(("vertex", "edge")):
            radius = max(float(it.get("r", 0)) for it in part.iter(f"{SVG}circle"))
            assert radius * 2 * shown_at(picture) >= 44
        elif "tt-lit" in classes(part):
            assert max(float(it.get("height", 0)) for it in part.iter(f"{SVG}rect")) >= 44


# Pieces and tooltips.


@pytest.mark.slow
@settings(max_examples=20)
@given(reached(300), st.booleans())
def test_picture_contains_all_pieces(match: Playing, narrow: bool) -> None:
    state = match.state
    there = parts(draw(match, None, narrow=narrow))
    assert not any("tt-lit" in classes(part) for part in there.values())
    for vertex in state.settled:
        colour = ("Ada (Blue)", "Red", "Cy (Orange)", "Dee (Yellow)")[state.homes[vertex]]
        label = there[f"vertex-{vertex}"].get("aria-label", "")
        assert label.startswith(f"{colour}'s ")
        kind = ("basement", "house", "tower")[state.levels[vertex] - 1]
        assert f" {kind} " in label
    for edge in state.built:
        assert "road" in there[f"edge-{edge}"].get("aria-label", "")
    for number, tile in enumerate(state.tiles):
        label = there[f"tile-{number}"].get("aria-label", "")
        assert tile.kind.name.lower() in label.lower()


def test_hands_and_points_are_visible_to_all() -> None:
    hands = {BLUE: (1, 2, 3, 4, 5), RED: (6, 7, 8, 9, 10)}
    state = position(homes={0: (BLUE, 1), 10: (RED, 3)}, hands=hands)
    there = parts(seen(state))
    assert there["hand-glass"].get("aria-label") == "3 glass"
    assert there["builder-red-wifi"].get("aria-label") == "10 WiFi of Red"
    assert there["builder-red"].get("data-about", "").startswith("3 points")


def test_residence_tooltip_describes_its_yield() -> None:
    state = position(homes={19: (RED, 2)})
    about = parts(seen(state))["vertex-19"].get("data-about", "")
    assert about.startswith("2 points. It yields 2 of each: ")
    assert "of 36 rolls" in about


def test_blocked_vertex_tooltip_names_the_adjacent_residence() -> None:
    state = position(homes={0: (RED, 1)})
    about = parts(seen(state))["vertex-1"].get("data-about", "")
    assert about.startswith(
        "Nobody can build here, because Red's basement on vertex 0 is too close."
    )


def test_most_likely_values_are_bold_and_in_another_colour() -> None:
    numbers = {
        it.text: classes(it)
        for it in seen(position()).iter(f"{SVG}text")
        if {"tt-text-danger", "tt-text-ink"} & set(classes(it))
    }
    for often in ("6", "8"):
        assert {"tt-text-danger", "tt-bold"} <= set(numbers[often])
    assert "tt-text-danger" not in numbers["5"]


@pytest.mark.parametrize("narrow", [False, True])
def test_dice_remain_visible_until_the_turn_ends(narrow: bool) -> None:
    rolled = DiceRolled(BLUE, 9, (4, 5))
    picture = seen(position(), rolled, narrow=narrow)
    dice = [it for it in picture.iter() if "tt-die" in classes(it)]
    assert [len(list(die.iter(f"{SVG}circle"))) for die in dice] == [4, 5]


def test_the_dice_of_a_wide_picture_have_a_caption() -> None:
    assert "rolled 9" in words(seen(position(), DiceRolled(BLUE, 9, (4, 5))))


def test_numbers_of_places_are_shown_only_while_one_is_chosen() -> None:
    match = new_match()
    state, names = match.state, match.names
    choices = clickables(PICTURE, state, match.legal_actions(), names, BLUE)
    scene = Scene(names, BLUE, (BLUE,), choices, live=True)
    chosen = parts(ET.fromstring(PICTURE.draw(state, scene)))
    assert "53" in [it.text for it in chosen["vertex-53"].iter(f"{SVG}text")]
    for part in ("vertex-53", "edge-71", "tile-3"):
        picture = seen(position())
        (place,) = (it for it in picture.iter() if it.get("data-part") == part)
        texts = [it.text for it in place.iter(f"{SVG}text")]
        assert part.partition("-")[2] not in texts


def test_an_offer_is_a_question_during_the_turn_of_its_maker() -> None:
    state = position(hands={BLUE: (0, 0, 1, 0, 0), RED: (0, 0, 0, 1, 0)})
    play(state, Trade(RED, GLASS, HEAT))
    scene = Scene(["Ann", "Player 2", "Cy", "Di"], RED, (RED,))
    shown = words(ET.fromstring(ConstructorPicture().draw(state, scene)))
    assert "Ann (Blue)'s turn" in shown
    assert "Ann (Blue) offers 1 glass for 1 heat. Accept?" in shown
    assert "Player 2" not in shown  # Red has the same name everywhere


def test_gains_are_marked_with_an_arrow() -> None:
    gained = ResourcesGained(RED, (0, 0, 0, 2, 0))
    assert "▲2" in words(parts(seen(position(), gained))["builder-red-heat"])


def test_picture_names_the_winner() -> None:
    state = position(phase=Phase.OVER)
    outcome = Outcome.win(RED, 4, "10 building points")
    picture = PICTURE.draw(state, Scene(NAMES, BLUE, outcome=outcome))
    assert "Red wins" in picture
    assert "10 building points" in picture


# Sizes.


@pytest.mark.slow
@settings(max_examples=20)
@given(reached(300), any_names(4), st.booleans())
def test_text_fits_its_card_with_any_names(match: Playing, names: list[str], narrow: bool) -> None:
    for seat in (0, None):
        picture = draw(match, seat, names, narrow=narrow)
        assert picture.get("width") == ("390" if narrow else "909")
        assert float(picture.get("height", 0)) <= 860
        for left, right, said, box in texts(picture):
            assert box[0] <= left, said
            assert right <= box[1], said


def sizes(match: Playing) -> list[tuple[str | None, str | None]]:
    return [
        (picture.get("width"), picture.get("height"))
        for seat in (BLUE, RED, None)
        for narrow in (False, True)
        for short in (False, True)
        for picture in [draw(match, seat, narrow=narrow, short=short)]
    ]


@pytest.mark.slow
def test_a_picture_keeps_its_size_while_dice_are_chosen_and_an_offer_is_answered() -> None:
    match = new_match(full=True)
    before = sizes(match)
    for action in (UseLoadedDice(), Roll(), ChooseRoll(5), Trade(RED, GLASS, HEAT)):
        match.play(action)
        assert sizes(match) == before, action


def test_a_short_name_is_whole_in_the_hand_of_a_wide_picture() -> None:
    assert "Ada (Blue)" in words(draw(new_match(), BLUE))


# Custom boards.


def test_irregular_tiles_with_six_corners_are_drawn_as_oblongs() -> None:
    board = Board("test oblongs", ((0, 0), (0, 1), (2, 0), (2, 1)))
    laid = plan(board, 300, 300)
    assert len(set(laid.vertices)) == len(board.vertices)
    game = Constructor(board, seats=range(2, 3))
    match = Match(game, seed=1, seats=2)
    assert set(parts(draw(match, 0, NAMES))) >= {f"vertex-{at}" for at in range(15)}


@pytest.mark.parametrize("name", ["standard", "small"])
def test_hexagons_are_regular(name: str) -> None:
    board = new_match(name, seats=4).state.topology
    laid = plan(board, 500, 500)
    for edge in board.edges:
        (x1, y1), (x2, y2) = (laid.vertices[end] for end in edge.ends)
        assert ((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5 == pytest.approx(laid.length)
