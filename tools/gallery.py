"""The pictures of the gallery and of Play: positions in the middle of a match.

`make pictures` redraws them into `docs/examples/` and `docs/play/`. A test fails if one of them is
out of date.

    python -m tools.gallery
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from tabletop import Match, Streams, draw_match
from tabletop.registry import load

ROOT: Final = Path(__file__).parent.parent
PAGES: Final = ROOT / "docs" / "examples"
PLAY: Final = ROOT / "docs" / "play"
NAMES: Final = ("Ann", "Bo", "Cid", "Dee", "Eve", "Fay")


class Moment(NamedTuple):
    """A position of a match between the first bots of a game, or random players.

    Attributes:
        plies: The number of actions before it.
        seats: The number of seats.
        seat: The seat whose view is drawn.
    """

    plies: int
    seats: int = 2
    seat: int = 0


MOMENTS: Final = {
    "backgammon": Moment(30),
    "beacons": Moment(26, seats=6),
    "caverns": Moment(40),
    "chess": Moment(30),
    "crazy_eights": Moment(12),
    "deck_builder": Moment(42),
    "go": Moment(60),
    "harbour": Moment(9, seats=3),
    "hearts": Moment(28, seats=4),
    "herons": Moment(30),
    "kuhn_poker": Moment(1),
    "liars_dice": Moment(3, seats=3),
    "mire_cards": Moment(15),
    "nettles": Moment(30, seats=4),
    "peal": Moment(30, seats=3),
    "pig": Moment(9),
    "simultaneous": Moment(5),
    "tictactoe": Moment(4),
    "upriver": Moment(60),
}


BUNDLED: Final = {
    "constructor": Moment(1359, seats=4),
    "lcr": Moment(4, seats=4),
    "sorcery": Moment(43),
}
"""The moments of the games that come with the project."""


def page_picture(name: str) -> Path:
    """Return the path of the picture of a game."""
    return (PLAY if name in BUNDLED else PAGES) / f"{name}.svg"


def drawn(name: str) -> str:
    """Draw the moment of an example or a bundled game, as SVG."""
    if name in BUNDLED:
        moment, plugin = BUNDLED[name], load(name)
    else:
        moment, plugin = MOMENTS[name], load(str(ROOT / "examples" / f"{name}.py"))
    match = Match(plugin.game, seed="old oak", seats=NAMES[: moment.seats])
    for seat in range(moment.seats):
        bot = next(iter(plugin.bots), "random")
        match.set_player(seat, plugin.bot(bot, Streams("gallery")[seat], seat))
    match.run(moment.plies)
    # The narrow layout has larger texts, which are readable in small pictures.
    narrow = plugin.picture is None
    return draw_match(match, plugin.make_picture(), moment.seat, narrow=narrow) + "\n"


def main() -> None:
    """Draw all pictures."""
    for name in (*MOMENTS, *BUNDLED):
        page_picture(name).write_text(drawn(name), "utf-8")


if __name__ == "__main__":
    main()
