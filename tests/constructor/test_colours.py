"""Builders in their colours: only escape codes are added."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from constructor import COLOURS
from constructor.colours import FEW_INKS, INKS, inks_of, paint


def test_names_and_marks_are_painted_and_nothing_else() -> None:
    text = "Builder Red's turn: |RB|--RR-- BRICK Bluebell BB 12"
    red, blue = INKS["Red"], INKS["Blue"]
    assert paint(text) == (
        f"Builder {red}Red\x1b[0m's turn: |{red}RB\x1b[0m|--{red}RR\x1b[0m-- BRICK Bluebell"
        f" {blue}BB\x1b[0m 12"
    )


@given(st.text())
def test_paint_only_adds_escape_codes(text: str) -> None:
    text = text.replace("\x1b", "")
    assert re.sub("\x1b\\[[0-9;]*m", "", paint(text)) == text


def test_every_builder_has_an_ink_of_their_own_on_every_terminal() -> None:
    for inks in (INKS, FEW_INKS):
        assert set(inks) == set(COLOURS)
        assert len(set(inks.values())) == len(COLOURS)
    assert inks_of("xterm-256color") is INKS
    assert inks_of("vt100") is FEW_INKS
