"""Finding the picture of a game, and the clickable parts of pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from tests.pictures import words

from lcr.picture import LcrPicture
from tabletop import ALL, Match, Outcome, Plugin, RegistryError, Seat, Watcher, draw_match
from tabletop.display import (
    Clickable,
    Picture,
    Scene,
    TextPicture,
    TextView,
    clickables,
    rect,
    turn_in_words,
)
from tabletop.registry import load, plugin_of

NAMES = ("Ada", "Bo")


class Cross(Picture[Any]):
    """One clickable square."""

    def draw(self, view: Any, scene: Scene) -> str:
        square = scene.part("square", rect(0, 0, 9, 9, "tt-ring"), label="Square")
        return self.whole(scene, (9, 9), square, label="One square")


def part(scene: Scene, name: str = "card", **more: Any) -> ET.Element:
    return ET.fromstring(scene.part(name, label="A card", **more))


def choices(*paths: tuple[str, ...]) -> tuple[Clickable, ...]:
    return tuple(Clickable(f"do {number}", "Do", path) for number, path in enumerate(paths))


def test_a_part_that_begins_no_path_is_not_lit() -> None:
    element = part(Scene(NAMES, live=True))
    assert "tt-lit" not in element.get("class", "")
    assert element.get("data-action") is None


def test_a_part_that_is_a_whole_path_carries_the_words_of_its_action() -> None:
    element = part(Scene(NAMES, choices=choices(("card",), ("pile",)), live=True))
    assert "tt-lit" in element.get("class", "").split()
    assert element.get("data-action") == "do 0"


@pytest.mark.parametrize("paths", [[("card", "pile")], [("card",), ("card", "pile")]])
def test_a_part_after_which_more_can_be_clicked_carries_no_action(
    paths: list[tuple[str, ...]],
) -> None:
    element = part(Scene(NAMES, choices=choices(*paths), live=True))
    assert "tt-lit" in element.get("class", "")
    assert element.get("data-action") is None


def test_a_part_of_several_actions_carries_none_of_them() -> None:
    assert part(Scene(NAMES, choices=choices(("card",), ("card",)))).get("data-action") is None


def test_a_part_is_reached_by_keyboard_where_it_can_be_clicked() -> None:
    assert part(Scene(NAMES, live=True)).get("tabindex") == "0"
    assert part(Scene(NAMES)).get("tabindex") is None


def test_parts_have_labels_for_screen_readers() -> None:
    element = part(Scene(NAMES), about='Costs "2"')
    assert element.get("aria-label") == "A card"
    assert element[0].text == 'A card\nCosts "2"'
    assert element.get("data-about") == 'Costs "2"'


def test_a_part_contains_the_prompt_after_it_is_chosen() -> None:
    assert part(Scene(NAMES), then="Where to?").get("data-then") == "Where to?"
    assert part(Scene(NAMES)).get("data-then") is None


def test_content_after_chosen_parts_is_present_and_hidden() -> None:
    scene = Scene(NAMES, choices=choices(("card", "pile", "top"), ("hand",)), live=True)
    element = ET.fromstring(scene.after(["card", "pile"], rect(0, 0, 9, 9)))
    assert element.get("visibility") == "hidden"
    assert element.get("data-after") == "card\npile"
    assert [piece.tag for piece in element] == ["rect"]


@pytest.mark.parametrize("chosen", [["card", "pile"], ["pile"], ["deck"]])
def test_parts_that_begin_no_path_have_no_hidden_content(chosen: list[str]) -> None:
    scene = Scene(NAMES, choices=choices(("card", "pile")), live=True)
    assert scene.after(["card"], "<g/>")
    assert scene.after(chosen, "<g/>") == ""


def test_a_viewer_who_cannot_choose_gets_no_hidden_content() -> None:
    paths = choices(("card", "pile"))
    assert Scene(NAMES, choices=paths).after(["card"], "<g/>") == ""
    assert Scene(NAMES, live=True).after(["card"], "<g/>") == ""


def test_choices_contain_the_text_that_a_player_types() -> None:
    match = Match(load("lcr").game, seed="a")
    found = clickables(Cross(), match.view(0), match.legal_actions(0), match.names, 0)
    assert found == (Clickable("roll", "Roll"),)


@pytest.mark.parametrize(
    ("text", "label"), [("lay elm 7", "Lay elm 7"), ("e5", "e5"), ("qs", "qs"), ("13 8", "13 8")]
)
def test_a_label_that_begins_with_a_word_has_a_capital_letter(text: str, label: str) -> None:
    (choice,) = clickables(Cross(), None, [text], NAMES, 0)
    assert choice.label == label


class Algebra(TextView[Any]):
    def label(self, action: Any, view: Any) -> str:
        return f"N{action}"


def test_a_button_has_the_label_of_the_text_view_unless_the_picture_has_another() -> None:
    class Named(Cross):
        def label(self, action: Any, view: Any, names: Sequence[str], seat: Seat) -> str:
            return "Castle" if action == "g1" else ""

    choices = clickables(Named(), None, ["f3", "g1"], NAMES, 0, Algebra())
    assert [choice.label for choice in choices] == ["Nf3", "Castle"]


def test_a_picture_shows_whose_turn_it_is() -> None:
    assert turn_in_words(Scene(NAMES, seat=0, to_act=(0,))) == "Your turn"
    assert turn_in_words(Scene(NAMES, seat=0, to_act=(1,))) == "Bo's turn"
    assert turn_in_words(Scene(NAMES, to_act=(0, 1))) == "Waiting for Ada and Bo"
    assert turn_in_words(Scene(NAMES)) == "The match is over"


@pytest.mark.parametrize(
    ("outcome", "headline"),
    [
        (Outcome.win(1, 2), "Bo wins"),
        (Outcome.teams((0, 1), (2,)), "Ada and Bo win"),
        (Outcome.draw(2), "A draw"),
        (Outcome.abandon(2), "The match is over"),
    ],
)
def test_a_final_picture_names_the_winners(outcome: Outcome, headline: str) -> None:
    assert turn_in_words(Scene((*NAMES, "Cy"), outcome=outcome)) == headline


def test_a_viewer_who_is_to_act_comes_first_in_the_turn() -> None:
    three = Scene(("Ada", "Bo", "Cy"), to_act=(0, 1, 2))
    assert turn_in_words(replace(three, seat=1)) == "Waiting for you, Ada and Cy"
    assert turn_in_words(replace(three, seat=1, to_act=(0, 1))) == "Waiting for you and Ada"
    assert turn_in_words(replace(three, seat=None)) == "Waiting for Ada, Bo and Cy"


# Finding the picture of a game.


class Blank(Picture[Any]):
    """An empty picture."""

    def draw(self, view: Any, scene: Scene) -> str:
        return self.whole(scene, (9, 9), label="Nothing")


@pytest.fixture
def lcr() -> Plugin:
    return load("lcr")


def test_the_picture_of_a_game_without_one_is_its_text(lcr: Plugin) -> None:
    picture = replace(lcr, picture=None).make_picture()
    assert isinstance(picture, TextPicture)
    match = Match(lcr.game, seed="a", seats=["Ada <b>", "Bo", "Cy"])
    assert "Ada" in draw_match(match, picture)
    assert "<b>" not in draw_match(match, picture)
    ET.fromstring(draw_match(match, picture, narrow=True))


@pytest.mark.parametrize("narrow", [False, True])
def test_long_lines_of_a_text_wrap_on_a_phone_to_letters_that_can_be_read(narrow: bool) -> None:
    class Long(TextView[Any]):
        def position(self, view: Any, names: Sequence[str], seat: Watcher = ALL) -> str:
            return "a long line " * 20 + "\n  o--o"

    root = ET.fromstring(TextPicture(Long()).draw(None, Scene(["Ada"], narrow=narrow, short=True)))
    lines = [it for it in root.iter() if it.tag.endswith("}text")]
    assert min(float(it.get("font-size", 0)) for it in lines) >= 12
    assert " ".join(words(root).split()).count("long") == 20
    assert lines[-1].text == "\u00a0\u00a0o--o"


@pytest.mark.parametrize("found", [Blank, Blank(), lambda game: Blank()])
def test_a_picture_is_a_class_or_an_object_or_a_function_of_the_game(
    lcr: Plugin, found: Any
) -> None:
    assert isinstance(replace(lcr, picture=found).make_picture(), Blank)


def test_a_picture_given_as_a_module_path_is_imported_on_demand(lcr: Plugin) -> None:
    named = replace(lcr, picture="lcr.picture:LcrPicture")
    assert type(named.make_picture()) is LcrPicture


@pytest.mark.parametrize("found", ["no.such:Thing", "tabletop.display.picture:Nothing", 7])
def test_an_invalid_picture_is_refused_by_name(lcr: Plugin, found: Any) -> None:
    with pytest.raises(RegistryError, match=r"^lcr: .*picture"):
        replace(lcr, picture=found).make_picture()
    with pytest.raises(RegistryError, match=r"^(cannot import )?picture "):
        Plugin(lcr.game, picture=found).make_picture()


class Undrawn(Picture[Any]):
    pass


class Demanding(Blank):
    def __init__(self, more: int) -> None:
        self.more = more


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        (dict, "^lcr: picture .*<class 'dict'>.* subclass"),
        (load("lcr").game, "^lcr: picture .*<Lcr.*>.* subclass"),
        ("Blank", "^lcr: picture .*'Blank', .* module:NAME"),
        (Undrawn, "picture .*Undrawn'>: TypeError.* abstract .*draw"),
        (Demanding, "picture .*Demanding'>: TypeError.*more"),
    ],
)
def test_the_error_describes_valid_pictures(lcr: Plugin, declared: Any, message: str) -> None:
    with pytest.raises(RegistryError, match=message):
        replace(lcr, picture=declared).make_picture()


def test_a_notebook_shows_the_picture_of_a_match() -> None:
    match = Match(load("lcr").game, seed="a")
    assert match._repr_svg_() == draw_match(match, plugin_of(match.game).make_picture())
