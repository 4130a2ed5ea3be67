"""What the program can be told when it is started (Sorcery 2024 §5.2)."""

from __future__ import annotations

from sorcery.options import build_parser


def test_the_usage_line_has_every_option_with_one_dash() -> None:
    usage = " ".join(build_parser().format_usage().split())
    assert usage == (
        "usage: sorcery [-h] [-version] [-deck1 FILE] [-deck2 FILE] [-init FILE] [-testing]"
        " [-edition NAME] [-style NAME] [-seed TEXT] [-weekly | -daily]"
        " [-cards FILE.py] [-bot SEAT[=NAME]]"
        " [-graphics] [-record FILE | -no-record | -resume [FILE]]"
    )


def test_options_may_have_two_dashes() -> None:
    typed = ["-deck1", "my.deck", "-testing", "-bot", "2", "-bot=1=random", "-style", "simple"]
    one = build_parser().read(typed)
    two = build_parser().read([f"-{word}" if word[0] == "-" else word for word in typed])
    assert one == two
    assert (one.deck1, one.testing, one.bot) == ("my.deck", True, ["2", "1=random"])
