"""The check of a game: random matches in which every law of the contract is tested."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final

from tabletop.match.contract_errors import list_problem, state_problem
from tabletop.match.match import AnyMatch
from tabletop.match.players import Sampler, ask
from tabletop.registry import LEVELS, BotMaker, make_bot
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.rules.events import ActionPlayed, Event
from tabletop.rules.game import AnyGame, Game
from tabletop.rules.options import Options
from tabletop.rules.selections import Selections, spread
from tabletop.states.bounds import Seat
from tabletop.testing import rules
from tabletop.testing.bots import check_bot
from tabletop.testing.coverage import ReadOptions, kind_of
from tabletop.testing.determinism import (
    check_action,
    check_beginning,
    check_clone,
    check_json,
    check_order,
    check_replay,
    check_undrawn,
    diagnose,
)
from tabletop.testing.laws import Clock, LawBroken, OutOfTime, Progress, Report, note_fault
from tabletop.testing.legality import LegalityTrial, check_texts, typed_actions
from tabletop.testing.observations import ObservationTrial
from tabletop.testing.other_process import Part
from tabletop.testing.probe import Probe, some
from tabletop.testing.randomness import (
    HASH_MATCHES,
    HASH_PLIES,
    RANDOMNESS,
    check_hash_seed,
    check_randomness,
)
from tabletop.testing.secrets import TellingTrial, check_masked_events, check_spectators, check_view
from tabletop.wording import plural

_CLOSELY: Final = 200
"""Number of plies at the start of a match that are all tested.

Later, tests become less frequent.
"""

_ASIDE: Final = 8
"""In a match of a bot, one out of `_ASIDE` actions is chosen at random instead of by the bot."""

_BOT: Final = "the bot "  # prefix of the step that tests a bot

_UNTRIED: Final = 4
"""Number of entries of `all_actions` to try at each step, in addition to formerly legal actions."""


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
    encoder: object = None,
    progress: Progress | None = None,
    faults: list[LawBroken] | None = None,
    parts: Collection[str] = ("rules", "bots"),
) -> Report:
    """Play matches of `game` and test every law of the contract at each step.

    Actions are chosen at random. With `bots`, one of them chooses most actions in every second
    match, because bots reach positions that random play does not.

    After 200 plies of a match, the tests become less frequent, to save time in long games. Parts of
    up to three matches are also played by a second Python process with a different PYTHONHASHSEED.
    If that is not possible, for example in a browser, the report contains the reason.

    Args:
        game: The rules: an instance, such as `MyGame()`.
        matches: The number of matches. They cycle through the numbers of seats.
        seconds: The approximate time limit, greater than 0, or None for no limit. Without a limit,
            the result does not depend on the speed of the machine, which is best for unit tests.
            Three quarters of the time are for matches. A long match is tested for two thirds of its
            time, and then only played. The report lists the tests that were omitted for lack of
            time.
        plies: The maximum number of actions of a match.
        stop: Whether to stop a match after `plies` actions without an error. By default, such a
            match breaks the law that matches end.
        seed: The start of the seeds of the matches.
        seats: The number of seats, or the numbers to try. None for all that the game allows.
        options: The options of the matches that differ from their defaults.
        seeded: Whether all random draws depend on the seed. Pass False for options that replace the
            streams with a generator that always starts with the same numbers.
        bots: The functions that create bots, by name of the bot, as in `Plugin.bots`. The law of
            bots is tested for each bot except levels such as `fair`.
        encoder: The game's own encoder of observations, as in `Plugin.encoder`.
        progress: Called often, with the report so far and a description of the current step.
        faults: A list to which one fault of each kind is added. By default, the first fault is
            raised instead.
        parts: The parts to test: "rules", "bots" or both.

    Returns:
        The numbers of matches and tests. `print` shows a summary.

    Raises:
        LawBroken: A law does not hold. The error names the game, the seed, the ply and the law.
        TypeError: `game` is not a game but, for example, a class.
        ValueError: The game does not allow one of the numbers of seats, or `seconds` is not greater
            than 0.
        OptionError: An option is unknown or out of range.

    >>> from copy import copy
    >>> from tabletop.registry import load
    >>> game = copy(load("lcr").game)
    >>> game.name = "My game"
    >>> try:
    ...     check_game(game)
    ... except LawBroken as broken:
    ...     print(broken.law)
    shape
    """
    wrong = _wrong_declaration(game, seed)
    if wrong is not None:
        note_fault(faults, wrong)
        return Report()  # nothing else can be tested
    numbers = _numbers(game, seats)
    game.resolve_options(options or {})
    if seconds is not None and not seconds > 0:
        raise ValueError(f"seconds must be greater than 0, not {seconds}")
    report = Report(wanted=matches if "rules" in parts else 0)
    if game.views_forget:
        report.not_searched = "events that repeat public information (views_forget)"
    clock = Clock(report, seconds, progress)
    pilots = [*(bots or {}).values()]

    def make_trial(number: int) -> Trial:
        count = numbers[number % len(numbers)]
        probe = Probe(game, f"{seed} {number}", count, options)
        pilot = pilots[number // 2 % len(pilots)] if pilots and number % 2 else None
        trial = Trial(probe, report, clock, plies, stop=stop, encoder=encoder, pilot=pilot)
        trial.faults, trial.is_guided = faults, number % 4 == 2
        return trial

    trials: list[Trial] = []
    for number in clock.matches(report.wanted):
        trials.append(make_trial(number))
        trials[-1].run(f"match {number + 1} of {report.wanted}")
    with collecting(faults):
        _check_overdrafts(trials)

    def check_under_another_hash_seed() -> None:
        probes = [trial.probe for trial in trials[:HASH_MATCHES]]
        parts = [Part(probe.seed, probe.seats, min(plies, HASH_PLIES)) for probe in probes]
        report.one_hash_seed = check_hash_seed(game, parts, options, clock) or ""

    limits: dict[str, Any] = {"options": options, "plies": plies, "clock": clock}
    others: dict[str, Callable[[], None]] = {
        RANDOMNESS: partial(check_randomness, game, seed=seed, seats=numbers[0], **limits),
        "another PYTHONHASHSEED": check_under_another_hash_seed,
    }
    if not seeded:
        del others[RANDOMNESS]
    bot_checks: dict[str, Callable[[], None]] = {
        f"{_BOT}{name}": partial(check_bot, game, name, maker, seed=seed, numbers=numbers, **limits)
        for name, maker in (bots or {}).items()
        if name not in LEVELS  # all levels are search bots
    }
    for part, checks in {"rules": others, "bots": bot_checks}.items():
        if part in parts:
            _check_others(checks, report, clock, faults)
    return report


def _check_others(
    others: Mapping[str, Callable[[], None]],
    report: Report,
    clock: Clock,
    faults: list[LawBroken] | None,
) -> None:
    """Test the laws that random matches do not cover, while there is time."""
    for step, check in others.items():
        try:
            clock.spend(step)
            with collecting(faults):
                check()
        except OutOfTime:
            report.left_out.append(step)
        else:
            report.coverage.bots.append(step.removeprefix(_BOT))


@contextmanager
def collecting(faults: list[LawBroken] | None) -> Iterator[None]:
    """Add a raised fault to `faults`, or raise it if there is no list.

    After the first fault, other errors of the rules are ignored, because the fault has probably
    caused them.
    """
    try:
        yield
    except LawBroken as broken:
        note_fault(faults, broken)
    except OutOfTime:
        raise
    except Exception:
        if not faults:
            raise


def _wrong_declaration(game: object, seed: str) -> LawBroken | None:
    if not isinstance(game, Game):
        raise TypeError(f"{game!r} is not a game: pass an instance, as in check_game(MyGame())")
    wrong = rules.wrong_declaration(game)
    if wrong is None:
        return None
    return LawBroken(str(game.name or type(game).__name__), f"{seed} 0", 0, "shape", wrong)


def _numbers(game: AnyGame, seats: int | Sequence[int] | None) -> Sequence[int]:
    """Return the numbers of seats to try, or raise `ValueError` if the game does not allow one."""
    numbers = [seats] if isinstance(seats, int) else list(game.seats if seats is None else seats)
    if not numbers:
        raise ValueError("seats must contain at least one number")
    for number in numbers:
        if number not in game.seats:
            allowed = ", ".join(map(str, game.seats))
            raise ValueError(f"{game.name} needs {allowed} players, not {number}")
    return numbers


def _check_overdrafts(trials: Sequence[Trial]) -> None:
    """Raise the fault of a free-form action that makes a number negative.

    A number that a listed action also makes negative may be negative.
    """
    owed = {kind for trial in trials for kind in trial.legality.owed}
    for trial in trials:
        for kind, broken in trial.legality.overdrafts:
            if kind not in owed:
                raise broken


class Trial:
    """A random match in which the laws are tested."""

    def __init__(
        self,
        probe: Probe,
        report: Report,
        clock: Clock,
        plies: int,
        *,
        stop: bool,
        encoder: object,
        pilot: BotMaker | None = None,
    ) -> None:
        self.probe = probe
        self.legality: LegalityTrial = LegalityTrial(probe)
        self._report = report
        self._clock = clock
        self._plies = plies
        self._stop = stop
        self._encoder = encoder
        self._pilot = pilot
        self._telling = TellingTrial(probe, report)
        self._streams = Streams(probe.seed).child("check")
        self.faults: list[LawBroken] | None = None
        self.is_guided = False
        self._recent: Sequence[Event] = ()
        self._match: AnyMatch | None = None
        self._digests: list[str] = []
        self._all_actions: dict[Any, None] | None = None
        self._parsed: set[Any] = set()
        self._next_test = 0
        self._random_state = random.getstate()

    def run(self, called: str) -> None:
        """Play the match to its end. `called` is its name in progress reports."""
        with self._collecting():
            self._check_declarations()
            match = self._match = self.probe.attempt("setup", "setup", self.probe.make)
            self._play(match, called)

    @contextmanager
    def _collecting(self) -> Iterator[None]:
        """Add a fault, or its cause if that is known, to `faults`, or raise it."""
        with collecting(self.faults):
            try:
                yield
            except LawBroken as broken:
                actions = self._match.actions if self._match else ()
                better = diagnose(self.probe, broken, actions, self._random_state)
                if better is None:
                    raise
                raise better from broken

    def _check_declarations(self) -> None:
        """Check the declarations of a game and its first calls, before a match is created."""
        probe, game = self.probe, self.probe.game
        options = game.resolve_options(probe.options or {})
        streams = Streams(probe.seed)
        state = probe.attempt("setup", "setup", game.setup, options, probe.seats, streams)
        probe.check_shape(state_problem("setup", state))
        before = probe.write(state)
        to_act = probe.attempt("seats", "to_act", game.to_act, state)
        probe.check_unchanged("seats", "to_act", before, state)
        probe.check_shape(list_problem("to_act", to_act))
        with suppress(Exception):  # a mapping of another class may be unexpected
            noted = ReadOptions(options, self._report.coverage.read)
            game.setup(noted, probe.seats, Streams(probe.seed))

    def _play(self, match: AnyMatch, called: str) -> None:
        probe, report, clock = self.probe, self._report, self._clock
        check_beginning(probe, match)
        self._all_actions = rules.all_actions(probe, match)
        self._observations = ObservationTrial(probe, self._encoder)
        report.no_observations = self._observations.left_out
        self._digests.append(probe.digest(match))
        while rules.check_seats(probe, match):
            probe.check_fault("the state", match.state)
            clock.tell(called)
            if (match.ply >= self._plies and self._stop) or not clock.plays:
                break
            if match.ply >= self._plies:
                raise probe.fail("end", self._endless(match))
            self._step(match)
            with self._collecting():
                self._observations.check_bounds(match, None)
            self._digests.append(probe.digest(match))
            report.plies += 1
        probe.ply = match.ply
        report.note_length(probe.seed, match.ply, over=match.over)
        probe.check_fault("the state", match.state)
        if match.over:
            rules.check_outcome(probe, match)
        check_undrawn(probe, self._random_state)
        check_replay(probe, match, self._digests)
        self._telling.check_imagined(self._streams["imagined"], self._plies, clock)
        report.matches += 1

    def _step(self, match: AnyMatch) -> None:
        """Play one action. If a test is due, test the laws before and after it."""
        probe = self.probe
        # `_is_new` calls legal_actions, which could hide that a first call changes the state. If
        # tests are due anyway, call it only after the tests.
        is_due = self._is_due(match.ply)
        tested = is_due or self._is_new(match)
        self._telling.note_shown(match)
        if tested:
            with self._clock.testing():
                self._test_step(match, is_due=is_due)
            return
        _, action = self._choose(match)
        probe.attempt("accepted", f"playing {action}", match.play, action)
        self._recent = ()

    def _test_step(self, match: AnyMatch, *, is_due: bool) -> None:
        """Test the laws of a position, play an action, and test the laws of its effects."""
        probe, streams = self.probe, self._streams
        self._report.tested += 1
        self._report.latest = max(self._report.latest, match.ply)
        self._check_step(match, streams["laws"])
        check_undrawn(probe, self._random_state)
        if is_due:
            self._is_new(match)
        is_hidden = not match.game.open_choices
        if is_hidden and len(match.to_act) > 1 and not self._report.open_choice:
            self._report.open_choice = probe.attempt(
                *("views", "comparing choices", rules.find_open_choice, match, streams["choices"])
            )
        seat, action = self._choose(match)
        is_due = self._telling.is_due(match.ply, streams["secrets"])
        former = match.clone() if is_due else None
        events = self._recent = check_action(probe, match, action, self._digests)
        self.legality.note_debts(match.state)
        check_masked_events(probe, match, [ActionPlayed(match.ply, seat, action), *events])
        if former is not None:
            self._telling.check(former, seat, action, streams["secrets"])

    def _choose(self, match: AnyMatch) -> tuple[Seat, Any]:
        """Choose a seat to act and its action, and count the kind of the action."""
        seat = self._streams["seats"].choice(match.to_act)
        action = self._action(match, seat)
        self._report.coverage.played[kind_of(action, match.game)] += 1
        return seat, action

    def _action(self, match: AnyMatch, seat: Seat) -> Any:
        """Return the next action: random or, in a bot's match, usually the bot's choice."""
        actions = self.probe.attempt("enumeration", "legal_actions", match.legal_actions, seat)
        stream = self._streams["actions"]
        if self._pilot is not None and not stream.chance(1, _ASIDE):
            game, view = match.game, match.view(seat)
            with suppress(Exception):  # the law of bots reports faults of a bot
                bot = make_bot(self._pilot, self._streams["bots"], game=game, seat=seat)
                listed = actions if isinstance(actions, Selections) else list(actions)
                chosen = ask(bot, view.clone(), listed, Sampler(game, match.state, seat))
                if chosen in actions:
                    return chosen
        elif self.is_guided and stream.chance(1, 2):
            return self._report.coverage.choose(actions, stream, match.game)
        return stream.choice(actions)

    def _is_new(self, match: AnyMatch) -> bool:
        """Record the position. Return whether it has a new situation and can be tested in time."""
        try:
            is_new = self._report.coverage.is_new(match, self._recent)
        except Exception:  # the laws report errors of the rules
            return self._clock.plays
        return is_new and self._clock.plays

    def _is_due(self, ply: int) -> bool:
        """Return whether to test the laws at this ply: always at first, less often later."""
        late = ply - _CLOSELY
        if (late > 0 and ply < self._next_test) or not self._clock.tests(ply):
            return False
        self._next_test = ply + 1 + max(0, late) // 20
        return True

    def _check_step(self, match: AnyMatch, stream: Stream) -> None:
        """Test every law that can be tested before an action is played."""
        probe, collecting = self.probe, self._collecting
        rules.check_no_outcome(probe, match)
        for seat in match.to_act:
            rules.check_enumeration(probe, match, seat)
        legal = [it for seat in match.to_act for it in spread(match.legal_actions(seat))]
        every = self._all_actions
        with collecting():
            for action in legal:
                if every is not None and action not in every:
                    raise probe.fail("all actions", f"{action} is legal, but not in all_actions")
            self._observations.check_indices(legal)
        with collecting():
            self.legality.check_accepted(match, legal, stream)
        with collecting():
            check_clone(probe, match)
        with collecting():
            check_json(probe, match)
        for watcher in (*range(probe.seats), None):
            with collecting():
                check_view(probe, match, watcher, stream)
                self._observations.check(match, watcher, self._streams["observations"])
        with collecting():
            check_spectators(probe, match)
        with collecting():
            check_order(probe, match)
        with collecting():
            check_texts(probe, match, stream, self._parsed)
        with collecting():
            untried = some([*(every or ())], _UNTRIED, stream)
            others = [*untried, *typed_actions(probe, match, stream)]
            self.legality.check_refused(match, legal, others, stream, self._report)

    def _endless(self, match: AnyMatch) -> str:
        what = f"the match has not ended after {plural(self._plies, 'action')} (see plies)"
        if len(set(self._digests)) > 1 or not match.actions:
            return what
        return (
            f"{what}, and no action, such as {match.actions[0]}, has changed the state: apply must"
            " change the state that it gets in place"
        )
