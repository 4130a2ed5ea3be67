"""Matches as they are drawn: the picture of a game is found, or made of its text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from lcr.picture import LcrPicture
from tabletop import Match, RegistryError
from tabletop.drawing import TextPicture, drawn, picture_of, picture_of_game
from tabletop.picture import Picture, Scene
from tabletop.registry import Plugin, load


class Blank(Picture[Any]):
    """Nothing at all."""

    def draw(self, view: Any, scene: Scene) -> str:
        return self.whole(scene, (9, 9), label="Nothing")


@pytest.fixture
def lcr() -> Plugin:
    return load("lcr")


def test_the_picture_of_a_game_without_one_is_its_text(lcr: Plugin) -> None:
    picture = picture_of(replace(lcr, picture=None))
    assert isinstance(picture, TextPicture)
    match = Match(lcr.game, seed="a", seats=["Ada <b>", "Bo", "Cy"])
    assert "Ada" in drawn(match, picture)
    assert "<b>" not in drawn(match, picture)
    ET.fromstring(drawn(match, picture, narrow=True))


@pytest.mark.parametrize("found", [Blank, Blank(), lambda game: Blank()])
def test_a_picture_is_a_class_or_an_object_or_a_function_of_the_game(
    lcr: Plugin, found: object
) -> None:
    assert isinstance(picture_of(replace(lcr, picture=found)), Blank)


def test_a_picture_named_by_its_place_is_imported_when_asked_for(lcr: Plugin) -> None:
    named = replace(lcr, picture="lcr.picture:LcrPicture")
    assert type(picture_of(named)) is LcrPicture


@pytest.mark.parametrize("found", ["no.such:Thing", "tabletop.picture:Nothing", 7, dict])
def test_what_is_no_picture_is_refused_by_name(lcr: Plugin, found: object) -> None:
    with pytest.raises(RegistryError, match="lcr: PICTURE is"):
        picture_of(replace(lcr, picture=found))


class Undrawn(Picture[Any]):
    pass


class Demanding(Blank):
    def __init__(self, more: int) -> None:
        self.more = more


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (dict, "PICTURE is the class dict, not a Picture: derive a class from"),
        (load("lcr").game, "PICTURE is an object of the class Lcr, not a Picture"),
        ("Blank", "PICTURE is the text 'Blank': write the class itself, or module:NAME"),
        (Undrawn, r"the picture Undrawn has no draw\(view, scene\)"),
        (Demanding, "PICTURE: calling Demanding raised TypeError"),
    ],
)
def test_what_would_be_a_picture_is_said(lcr: Plugin, found: object, said: str) -> None:
    with pytest.raises(RegistryError, match=said):
        picture_of(replace(lcr, picture=found))


def test_a_notebook_shows_the_picture_of_a_match() -> None:
    match = Match(load("constructor").game, seed="a")
    assert match._repr_svg_() == drawn(match, picture_of_game(match.game))
