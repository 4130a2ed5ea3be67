"""How the games of the program begin: fresh, from a save, or in the middle of a setup."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from constructor.actions import Action, Settle
from constructor.layouts import FileError, default_layout, spell_layout
from constructor.state import COLOURS, ConstructorState
from tabletop import Game, Match, OptionError, Options, Seat

Playing: TypeAlias = Match[ConstructorState, Action]


DEFAULT_SEED: Final = "constructor"
"""Without a seed every game is the same one (Constructor §5)."""


def _unrecorded(game: int) -> None:
    """No game is recorded."""


@dataclass(frozen=True, slots=True)
class Start:
    """How the games of a session begin.

    Attributes:
        seed: of the first game; those of the others are derived from it.
        options: of the first game.
        bots: the seats that bots play for, with their names.
        pause: how many seconds to wait after a bot's turn; None for a second at a terminal alone.
        seed_origin: where the seed of the first game comes from; see `tabletop.scores`.
        record: where the record of a game goes, counted from 1; None when there is to be none.
        scored: whether scores are kept and shown.
    """

    seed: str
    options: Options
    bots: Mapping[Seat, str] = field(default_factory=dict)
    pause: float | None = None
    seed_origin: str = ""
    record: Callable[[int], Path | None] = _unrecorded
    scored: bool = False


def begin(
    game: Game[ConstructorState, Action], seed: str, options: Options, salt: bytes | None = None
) -> Playing:
    """A match that does not end when nobody builds for long: people notice that themselves.

    Args:
        game: the rules.
        seed: any text.
        options: those that differ from their defaults; with `patience` it does end.
        salt: what chance hangs on as well; see `tabletop.Match`.

    Raises:
        FileError: the layout or the save makes no sense; says the line.
        OptionError: an option has no such value.
    """
    try:
        options = {"patience": 0, **options}
        return Match(game, seed=seed, salt=salt, seats=COLOURS, options=options)
    except OptionError as error:
        if isinstance(error.__cause__, FileError):
            raise error.__cause__ from error
        raise


def seed_of_game(seed: str, number: int) -> str:
    """The seed of a game of a session, the first of which has `seed` and the number 1.

    >>> seed_of_game("old oak", 1), seed_of_game("old oak", 2)
    ('old oak', 'old oak, game 2')
    """
    return seed if number == 1 else f"{seed}, game {number}"


def layout_options(text: str) -> Options:
    """The options for a layout; none for the course's own, so that commands stay short.

    Args:
        text: what a layout file holds.
    """
    return {} if text.split() == default_layout().split() else {"layout": text}


def options_afresh(match: Playing) -> Options:
    """The options for another game of the same kind, from its first turn (Constructor §4.4).

    After a saved game that is one on the same tiles.
    """
    options = match.options
    if options["load"] is None:
        return options
    state = match.state
    return {
        **layout_options(spell_layout(state.tiles)),
        "variant": state.variant,
        "fair": state.fair_only,
        "patience": state.patience,
    }


def setup_again(match: Playing, vertices: Sequence[int]) -> Playing:
    """The game of a save that goes on with its setup; see `constructor.setups.broken_setup`.

    Args:
        match: the saved game as it was loaded.
        vertices: where the basements stand, in the order in which they were chosen.
    """
    again = begin(match.game, match.seed.text, options_afresh(match), match.salt)
    for vertex in vertices:
        again.play(Settle(vertex))
    return again
