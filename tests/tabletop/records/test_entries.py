"""The line of an action is put together by hand: it says what JSON says."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import ContractError, Outcome
from tabletop.codec import to_json
from tabletop.records.format import action_line, end_line


class Side(IntEnum):
    """Seats by name, as rules may count them."""

    WHITE = 0
    BLACK = 1


SEATS = st.integers(0, 1000) | st.sampled_from(Side) | st.booleans()
TEXTS = st.text(st.characters(codec="utf-8")) | st.sampled_from(['"', "\\", "\n\x7f"])


@given(SEATS, TEXTS)
def test_the_line_of_an_action_is_what_json_makes_of_it(seat: Any, text: str) -> None:
    line = {"seat": seat, "do": text, "digest": "ab" * 16}
    assert action_line(seat, text, "ab" * 16) == to_json(line, order=None) + b"\n"


def test_a_text_that_json_cannot_say_is_refused() -> None:
    for _ in range(2):
        with pytest.raises(ContractError):
            action_line(0, "\ud800", "ab" * 16)


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Outcome.win(1, 3, "out"), {"ranking": ((1,), (0, 2)), "reason": "out"}),
        (
            Outcome.by_score([2, 1]),
            {"ranking": ((0,), (1,)), "reason": "", "points": (2, 1)},
        ),
    ],
)
def test_the_last_line_has_points_only_where_the_game_has(
    outcome: Outcome, said: dict[str, object]
) -> None:
    assert end_line(outcome) == {"end": {**said, "abandoned": False}}
