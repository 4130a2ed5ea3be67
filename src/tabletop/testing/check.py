"""The check that a game keeps every law."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from tabletop.game import AnyGame, Game
from tabletop.options import Options
from tabletop.registry import BotMaker
from tabletop.testing.bots import check_bots
from tabletop.testing.chance import CHANCE, check_chance
from tabletop.testing.clock import Clock, OutOfTime, Progress
from tabletop.testing.elsewhere import MATCHES, PLIES, Part, check_elsewhere
from tabletop.testing.laws import LawBroken, Report
from tabletop.testing.shape import wrong_declaration
from tabletop.testing.trial import Trial
from tabletop.testing.typed import first_overdraft


def check_game(
    game: AnyGame,
    *,
    matches: int = 10,
    seconds: float | None = None,
    plies: int = 100_000,
    stop: bool = False,
    seed: str = "check",
    seats: int | Sequence[int] | None = None,
    options: Options | None = None,
    seeded: bool = True,
    bots: Mapping[str, BotMaker] | None = None,
    progress: Progress | None = None,
) -> Report:
    """Play random matches of `game`, and test every law of the contract at each step.

    In matches of more than 200 plies the later ones are tested ever less often, so that long games
    can be checked as well. Parts of up to three matches are played by another Python as well, under
    another PYTHONHASHSEED, where the game can be sent there: the report says when it cannot.

    Args:
        game: the rules.
        matches: how many matches, in turn with every number of seats.
        seconds: how long it may take, more or less: three quarters of it are for matches, and one
            that takes long is tested for a third and then only played on. What there was no time
            for is said in the report. Without it nothing depends on the clock: so write your tests.
        plies: the most actions that a match may take.
        stop: whether a match that takes more is stopped there and does no harm. By default it
            breaks the law that matches end.
        seed: another one plays other matches.
        seats: the numbers of seats to try; all that the game allows when not given.
        options: of the matches.
        seeded: whether all chance comes from the seed. Say False for options that put a generator
            with a start of its own in its place: what is drawn is then the same for every seed.
        bots: who can play for a seat, by name, as in `BOTS` or `Plugin.bots`: each of them is held
            to the law of bots.
        progress: called very often with the report so far, and with what is being done.

    Raises:
        LawBroken: a law does not hold; says the game, the seed, the ply and the law.
        TypeError: this is no game, but a class perhaps.
        ValueError: the game is not for so many, or there is no time at all.
        OptionError: an option is unknown or out of range.
    """
    _check_is_game(game)
    wrong = wrong_declaration(game)
    if wrong is not None:
        raise LawBroken(str(game.name or type(game).__name__), f"{seed} 0", 0, "shape", wrong)
    numbers = _numbers(game, seats)
    game.resolve_options(options or {})
    if seconds is not None and not seconds > 0:
        raise ValueError(f"seconds is {seconds}: give more than 0")
    report = Report(wanted=matches)
    clock = Clock(report, seconds, progress)
    trials = []
    for number in range(matches):
        if not clock.plays:
            break
        count = numbers[number % len(numbers)]
        trial = Trial(game, f"{seed} {number}", count, options, plies, stop=stop, clock=clock)
        trial.run(report, f"match {number + 1} of {matches}")
        trials.append(trial)
    _check_overdrafts(game, trials, options)

    def have_played_elsewhere() -> None:
        parts = [Part(trial.seed, trial.seats, min(plies, PLIES)) for trial in trials[:MATCHES]]
        report.one_hash_seed = check_elsewhere(game, parts, options, clock) or ""

    limits: dict[str, Any] = {"options": options, "plies": plies, "clock": clock}
    others: dict[str, Callable[[], None]] = {"another PYTHONHASHSEED": have_played_elsewhere}
    if seeded:
        others[CHANCE] = partial(check_chance, game, seed=seed, seats=numbers[0], **limits)
    for name, maker in (bots or {}).items():
        bot = {name: maker}
        others[f"the bot {name}"] = partial(
            check_bots, game, bot, seed=seed, numbers=numbers, **limits
        )
    for what, check in others.items():
        try:
            clock.spend(what)
            check()
        except OutOfTime:
            report.left_out.append(what)
    return report


def _check_is_game(game: object) -> None:
    if isinstance(game, type) and issubclass(game, Game):
        raise TypeError(f"{game.__name__} is a class: write check_game({game.__name__}())")
    if not isinstance(game, Game):
        raise TypeError(f"{game!r} is no Game")


def _numbers(game: AnyGame, seats: int | Sequence[int] | None) -> Sequence[int]:
    """The numbers of seats to try.

    Raises:
        ValueError: the game is not for one of them, or there are none.
    """
    numbers = [seats] if isinstance(seats, int) else list(game.seats if seats is None else seats)
    if not numbers:
        raise ValueError("seats: give one number at least")
    for number in numbers:
        if number not in game.seats:
            allowed = ", ".join(map(str, game.seats))
            raise ValueError(f"{game.name} is not for {number} players, but for {allowed}")
    return numbers


def _check_overdrafts(game: AnyGame, trials: Sequence[Trial], options: Options | None) -> None:
    """Free-form actions must not take more than there is.

    Raises:
        LawBroken: one does.
    """
    found = [one for trial in trials for one in trial.overdrafts]
    if not found:
        return
    played = [(trial.seed, trial.seats, trial.actions) for trial in trials]
    debt = first_overdraft(game, options, found, played)
    if debt is not None:
        raise LawBroken(game.name, debt.seed, debt.ply, "accepted", str(debt))
