"""The pictures of the games in the lobby, and the QR codes of invitations."""

from __future__ import annotations

from io import BytesIO
from typing import Final

from tabletop.match.match import AnyMatch, Match
from tabletop.registry import Plugin, draw_match
from tabletop.rng.streams import Streams
from tabletop.table.presenter import picture_for

ACTIONS: Final = 8
"""Random actions before a picture of a game is drawn, so that it shows more than an empty board."""

MOST_LETTERS: Final = 200
"""The maximum length of a link that is drawn as a QR code. Drawing it takes about 25 ms."""


def gallery_picture(plugin: Plugin) -> str:
    """Draw a position of a game as SVG.

    It is a position after a few random actions, which are always the same. Of a game without a
    picture, it is the first position.
    """
    match: AnyMatch = Match(plugin.game, seed="gallery", seats=_usual_seats(plugin))
    random = Streams("gallery")["choices"]
    picture = picture_for(plugin)
    drawn = draw_match(match, picture, 0)
    for _ in range(0 if plugin.picture is None else ACTIONS):
        match.play(random.choice(match.legal_actions(match.to_act[0])))
        if match.over:
            break
        drawn = draw_match(match, picture, 0)
    return drawn


def _usual_seats(plugin: Plugin) -> int:
    """Return the smallest number of seats with an opponent, if the game has one."""
    return next((seats for seats in plugin.game.seats if seats > 1), plugin.game.seats[0])


def qr_code(text: str) -> bytes:
    """Return the QR code of a text as SVG, black on white in light and dark mode."""
    import segno  # only for invitations

    image = BytesIO()
    segno.make_qr(text).save(image, kind="svg", scale=4, light="#fff", xmldecl=False)
    return image.getvalue()
