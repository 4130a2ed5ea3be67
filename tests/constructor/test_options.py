"""What the program can be told when it is started (5)."""

from __future__ import annotations

from constructor.options import build_parser


def test_the_usage_line_has_every_option_with_one_dash() -> None:
    usage = " ".join(build_parser().format_usage().split())
    assert usage == (
        "usage: constructor [-h] [-version] [-seed TEXT] [-weekly | -daily] [-load FILE]"
        " [-board FILE] [-random-board] [-fair] [-variant NAME] [-bot COLOUR[=NAME]]"
        " [-pause SECONDS] [-log FILE] [-graphics] [-record FILE | -no-record | -resume [FILE]]"
    )


def test_options_may_have_two_dashes() -> None:
    typed = ["-pause", "0.5", "-bot", "red", "-bot=blue=random", "-fair", "-resume"]
    one = build_parser().read(typed)
    two = build_parser().read([f"-{word}" if word[0] == "-" else word for word in typed])
    assert one == two
    assert (one.pause, one.bot, one.fair, one.resume) == (0.5, ["red", "blue=random"], True, True)
