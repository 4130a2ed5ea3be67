"""Streams with scripted draws."""

from __future__ import annotations

import pytest

from tabletop import SeedError, Streams
from tabletop.testing import ScriptedStream, scripted_streams


def test_a_scripted_stream_returns_its_script() -> None:
    stream = ScriptedStream([3, 0, 5])
    assert [stream.below(6) for _ in range(3)] == [3, 0, 5]


def test_rolls_and_choices_follow_the_script() -> None:
    stream = ScriptedStream([3, 1])
    assert stream.roll(6) == 4
    assert stream.choice("abc") == "b"


def test_a_draw_after_the_script_raises() -> None:
    stream = ScriptedStream([1])
    stream.below(2)
    with pytest.raises(SeedError, match=r"\bscript\b.* 1 draw$"):
        stream.below(2)


@pytest.mark.parametrize("draw", [-1, 6, 7])
def test_a_draw_out_of_bounds_is_named(draw: int) -> None:
    stream = ScriptedStream([0, draw])
    stream.below(6)
    with pytest.raises(SeedError, match=rf"^draw 2 .* 6, not {draw}$"):
        stream.below(6)
    assert stream.offset == 1


def test_the_offset_of_a_script_can_be_set_back() -> None:
    stream = ScriptedStream([4, 2])
    stream.below(6)
    stream.offset = 0
    assert stream.below(6) == 4


@pytest.mark.parametrize("place", [-1, 3])
def test_an_offset_outside_of_the_script_raises(place: int) -> None:
    with pytest.raises(SeedError, match=f"no offset {place}"):
        ScriptedStream([4, 2]).offset = place


def test_a_copy_draws_independently() -> None:
    stream = ScriptedStream([4, 2])
    stream.below(6)
    twin = stream.copy()
    assert twin.below(6) == 2
    assert stream.offset == 1


def test_scripted_streams_draw_scripts_by_name_and_others_from_the_root() -> None:
    streams = scripted_streams({"dice": [5, 5], ("deck", 1): [0]}, root="any")
    assert (streams["dice"].roll(6), streams["deck", 1].below(9)) == (6, 0)
    assert streams["cards"].below(10**9) == Streams("any")["cards"].below(10**9)
