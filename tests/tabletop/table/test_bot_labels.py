"""What people read as the name of a bot."""

from __future__ import annotations

import pytest

from tabletop.registry import bot_label
from tabletop.table.bot_names import player_labels


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("easy", "Easy bot"),
        ("fair", "Medium bot"),
        ("hard", "Hard bot"),
        ("duelist", "Duelist bot"),
        ("search:2s", "bot that thinks 2 s"),
        ("search:0.5s", "bot that thinks 0.5 s"),
        ("flat:200", "bot that thinks for 200 simulations"),
        ("expectimax:1", "bot that searches its turn in 1 sample"),
        ("expectimax:3", "bot that searches its turn in 3 samples"),
        ("expectimax:2s", "bot that thinks 2 s"),
        ("alphabeta:1", "bot that looks 1 action ahead"),
        ("alphabeta:5", "bot that looks 5 actions ahead"),
        ("exec:./Bot.py --Fast", "bot exec:./Bot.py --Fast"),
    ],
)
def test_people_read_the_label_of_a_bot_in_place_of_its_name(name: str, label: str) -> None:
    assert bot_label(name) == label


def test_only_bots_have_labels() -> None:
    assert player_labels(("human", "fair", "random")) == ("", "Medium bot", "Random bot")
