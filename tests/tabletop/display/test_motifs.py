"""Motifs, and pictures that are composed of them."""

from __future__ import annotations

import re
from itertools import product
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pictures import contrast

from tabletop.display import (
    INKS,
    SKIES,
    STREWN,
    Composition,
    Figure,
    Stroke,
    art,
    composed,
    grounds,
    motif,
    motifs,
)
from tabletop.display.compositions import FITTING

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def test_there_are_dozens_of_motifs() -> None:
    assert len(motifs()) >= 36


def test_a_motif_is_made_of_a_few_tones_in_its_box() -> None:
    for name, strokes in motifs().items():
        tones = {stroke.tone.lower() for stroke in strokes}
        assert tones <= set("bhsak"), name
        assert len(tones) >= 2, name
        assert all(_within(stroke) for stroke in strokes), name


def _within(stroke: Stroke) -> bool:
    # Motifs use no relative commands, so every number is a coordinate or a radius.
    assert not re.search(r"[a-z]", stroke.data), stroke
    return all(-2 <= float(number) <= 102 for number in NUMBER.findall(stroke.data))


def test_a_motif_is_lit_from_the_top_left() -> None:
    for name in motifs():
        light, shade = (_middle(name, tone) for tone in "hs")
        if light is not None and shade is not None:
            assert light < shade, name


def _middle(name: str, tone: str) -> float | None:
    """Return the average position of a tone: x plus y, from the upper left."""
    places = [
        float(number)
        for stroke in motifs()[name]
        if stroke.tone == tone
        for number in NUMBER.findall(stroke.data)
    ]
    return sum(places) / len(places) if places else None


def test_motifs_are_all_different() -> None:
    assert len({motif(name) for name in motifs()}) == len(motifs())


def test_a_stroke_is_repeated_around_the_centre_as_declared() -> None:
    root = ET.fromstring(f"<svg>{motif('snowflake')}</svg>")
    turned = [one.get("transform") for one in root.iter("g")]
    assert len(turned) == 18
    assert "rotate(60 50 50)" in turned


def test_an_unknown_motif_is_an_error() -> None:
    with pytest.raises(KeyError):
        motif("teapot-with-wings")


@pytest.mark.parametrize("sky", sorted(SKIES))
def test_inks_for_a_sky_are_inks(sky: str) -> None:
    assert set(FITTING) == set(SKIES)
    assert set(FITTING[sky]) <= set(INKS)
    assert len(set(FITTING[sky])) >= 3


@given(st.text(max_size=60))
def test_every_name_has_a_picture_and_it_is_always_the_same(name: str) -> None:
    drawn = art(name, 120, 80, at=(3, 4))
    root = ET.fromstring(drawn)
    assert (root.get("width"), root.get("height")) == ("120", "80")
    assert composed(name) == composed.__wrapped__(name)
    assert not [one for one in root.iter() if one.get("id") or one.get("href")]


def test_similar_names_have_different_pictures() -> None:
    names = [f"{first} {second}" for first, second in product(("Red", "Blue", "Old"), range(60))]
    assert len({art(name, 9, 9) for name in names}) == len(names)
    assert len({composed(name).figures[-1].motif for name in names}) > 36


def test_a_picture_from_a_name_never_changes() -> None:
    assert composed("A stranger") == Composition(
        "rose",
        "hall",
        (
            Figure("heart", 126, 62, 40, "gold", "steel"),
            Figure("flask", 68, 52, 74, "bone", "steel"),
        ),
        "sparks",
        "steel",
    )


def test_a_name_that_contains_a_motif_gets_it() -> None:
    main, second = composed("Tower of the Serpent").figures[::-1]
    assert (main.motif, second.motif) == ("tower", "serpent")
    assert composed("Flame-Tower").figures[1].motif == "flame"


def test_every_background_works_with_all_scattered_shapes() -> None:
    moon = Figure("moon", 80, 50, 50, "bone", turn=20, flip=True)
    for ground, strewn in product(grounds(), STREWN):
        composition = Composition("dusk", ground, (moon,), strewn, "ice")
        assert len(ET.fromstring(art("Any", 160, 100, composition=composition))) > 6


def test_a_background_is_made_of_the_colours_of_the_sky() -> None:
    assert list(grounds())[:3] == ["hills", "peaks", "sea"]
    for name, shapes in grounds().items():
        assert {colour for colour, _ in shapes} <= set(range(5)), name
        assert not shapes[0][1], "the lowest is the whole sheet"


@pytest.mark.parametrize("sky", sorted(SKIES))
def test_motifs_contrast_with_the_sky_in_lightness(sky: str) -> None:
    """The body of each matching ink differs from at least two of the three bands of the sky."""
    for ink in FITTING[sky]:
        contrasts = [contrast(INKS[ink][1], band) for band in SKIES[sky][:3]]
        lights = [contrast(INKS[ink][0], band) for band in SKIES[sky][:3]]
        shades = [contrast(INKS[ink][2], band) for band in SKIES[sky][:3]]
        best = [max(tones) for tones in zip(contrasts, lights, shades, strict=True)]
        assert min(best) >= 1.5, (ink, best)


def test_there_are_no_words_in_pictures() -> None:
    assert "<text" not in art("Any", 10, 10)
