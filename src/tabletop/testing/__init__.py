"""The kit for testing rules: a check of the whole contract, and streams that draw what a test says.

    def test_my_game_keeps_the_contract():
        check_game(MyGame())

`check_game` plays random matches and tests every law at each step. Its failures say the game, the
seed, the ply and the law. `check_picture` does the same with how a game looks.
"""

from tabletop.testing.check import check_game
from tabletop.testing.laws import LAWS, LawBroken, Report
from tabletop.testing.pictures import check_picture
from tabletop.testing.scripted import ScriptedStream, scripted_streams

__all__ = [
    "LAWS",
    "LawBroken",
    "Report",
    "ScriptedStream",
    "check_game",
    "check_picture",
    "scripted_streams",
]
