"""The laws of the contract, the report of a check, and its clock."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Any, Final, TypeAlias

from typing_extensions import override

from tabletop.errors import remade
from tabletop.testing.coverage import Coverage
from tabletop.wording import join_words, plural

LAWS: Final = {
    "shape": "the name, the seats, the actions and the results of all methods have the types that"
    " Game declares",
    "setup": "a match can be created with every number of seats",
    "seats": "to_act returns seats of the match, without duplicates",
    "enumeration": "a seat to act has legal actions, without duplicates, the same on every call",
    "all actions": "all_actions contains every legal action exactly once and is the same on every"
    " call, and each legal action has a unique index",
    "accepted": "every legal action is accepted, and checking it changes nothing",
    "refused": "every other action is refused with a reason, and changes nothing",
    "views": "a view does not depend on hidden values, and shares no objects with the state",
    "spectators": "the spectator view shows nothing that is hidden from a seat",
    "redealt": "a redealt state has the same cards and the same legal actions, can be played to the"
    " end, and does not depend on hidden values",
    "effects": "if an action has effects that a seat cannot see, view_event masks them",
    "events": "the events that a seat receives reveal no more than its view",
    "fault": "fault finds nothing wrong in any state or redealt state",
    "clone": "a clone is equal and independent, and shares no mutable object",
    "json": "a state does not change if it is written as JSON and read again, and the rules do not"
    " depend on the order of a dict or a set in it",
    "text": "the text of every action parses to the action, and parse raises only CommandError",
    "determinism": "the same seed and actions give the same match",
    "randomness": "different seeds give different draws, even late in a match",
    "undo": "undo restores the state and the streams",
    "end": "matches end",
    "outcome": "as soon as no seat is to act, and not before, an outcome ranks every seat once,"
    " with the declared points",
    "bots": "a bot makes the same choices again after an undo, a redo, a resume or on a clone",
    "observation": "an observation stays within its bounds, and does not depend on hidden values",
    "words": "every position, event, question and outcome has a text for every watcher, and"
    " creating it changes nothing",
    "picture": "a picture is well-formed SVG, the same when drawn again, with every part that can"
    " be clicked",
}
"""The text of each law, by the name of the law."""


NO_ORDER: Final = (
    "the order of a dict or a set is not part of a state: iterate over a constant or sorted(...)"
)


class LawBroken(AssertionError):
    """A game breaks a law of the contract.

    Attributes:
        game: The name of the game.
        seed: The seed of the match.
        ply: The number of actions played before the fault.
        law: The name of the law; see `LAWS`.
        what: The description of the fault.
    """

    def __init__(self, game: str, seed: str, ply: int, law: str, what: str) -> None:
        super().__init__(
            f"{game}, seed {seed!r}, ply {ply}: breaks the law {law!r} ({LAWS[law]}): {what}"
        )
        self.game = game
        self.seed = seed
        self.ply = ply
        self.law = law
        self.what = what

    def __reduce__(self) -> tuple[Any, ...]:
        return remade, (type(self), self.args), vars(self)


def note_fault(faults: list[LawBroken] | None, broken: LawBroken) -> None:
    """Add a fault to `faults`, once per kind, or raise it if there is no list."""
    if faults is None:
        raise broken
    if _kind(broken) not in map(_kind, faults):
        faults.append(broken)


def _kind(broken: LawBroken) -> tuple[str, str]:
    return broken.law, _DETAILS.sub("", broken.what)[:_KIND_LETTERS]


_DETAILS: Final = re.compile(
    r"\d+|'[^']*'|\b(wide|narrow)|a spectator|a watcher who sees everything|seat (?=\d)"
)
"""The parts of a description that do not identify a kind of fault."""

_KIND_LETTERS: Final = 60
"""Number of characters at the start of a description, without `_DETAILS`, that identify a kind."""


@dataclass(slots=True)
class Report:
    """The results of `check_game`.

    Attributes:
        matches: The number of matches played, including stopped matches.
        wanted: The number of matches to play.
        plies: The number of actions played in these matches.
        tested: The number of these actions before which every law was tested.
        latest: The ply of the last tested position in any match.
        refused: The number of illegal actions that were tried and refused.
        free_form: The number of actions that were accepted although they are not listed, and then
            played on a copy.
        stopped: The number of matches that were stopped before their end.
        longest: The number of actions of the longest match that reached its end.
        went_on: The seed and the number of actions of the longest match that was stopped. None if a
            match that reached its end was at least as long.
        one_hash_seed: The reason why no match was played under a different PYTHONHASHSEED. Empty if
            at least one was.
        no_observations: The reason why observations were not tested. Empty if they were tested, if
            the game does not list all its actions, or if its state declares no bounds.
        not_searched: The data that was not searched for secrets. Empty if all data was searched.
        left_out: The tests omitted for lack of time, except matches.
        open_choice: A choice that a seat sees while it chooses at the same time. Empty if none was
            found.
        warnings: Descriptions of values whose place a player has seen, but which the view no longer
            shows. Search bots forget these values.
        coverage: The situations in the matches.
    """

    matches: int = 0
    wanted: int = 0
    plies: int = 0
    tested: int = 0
    latest: int = 0
    refused: int = 0
    free_form: int = 0
    stopped: int = 0
    longest: int = 0
    went_on: tuple[str, int] | None = None
    one_hash_seed: str = ""
    no_observations: str = ""
    not_searched: str = ""
    left_out: list[str] = field(default_factory=list)
    open_choice: str = ""
    warnings: list[str] = field(default_factory=list)
    coverage: Coverage = field(default_factory=Coverage)

    def note_length(self, seed: str, plies: int, *, over: bool) -> None:
        """Record the number of actions of a match, and whether it reached its end."""
        self.stopped += not over
        if over:
            self.longest = max(self.longest, plies)
        elif self.went_on is None or plies > self.went_on[1]:
            self.went_on = seed, plies
        if self.went_on and self.longest >= self.went_on[1]:
            self.went_on = None

    @property
    def complete(self) -> bool:
        """Whether there was time for all tests."""
        return self.matches >= self.wanted and not self.left_out

    @property
    def counts(self) -> str:
        """The numbers of matches, actions and refusals, on one line."""
        counts = {"match": self.matches, "action": self.plies, "refusal": self.refused}
        parts = [plural(count, thing) for thing, count in counts.items()]
        if self.matches < self.wanted:
            parts[0] = f"{self.matches} of {plural(self.wanted, 'match')}"
        if self.tested < self.plies:
            parts[1] += f" ({self.tested} tested)"
        if self.plies:
            parts.insert(2, f"the latest position tested after {self.latest}")
        if self.stopped:
            parts.append(f"{self.stopped} stopped before the end")
        return ", ".join(parts)

    @override
    def __str__(self) -> str:
        return "\n".join([self.counts, *self.remarks()])

    def remarks(self) -> Iterator[str]:
        """Yield the warnings, and the parts that were not tested."""
        if self.went_on:
            seed, plies = self.went_on
            yield (
                f"the match {seed!r} had not ended after {plural(plies, 'action')}. If it can last"
                " forever, limit the number of turns in the rules"
            )
        if self.left_out:
            yield f"no time for {join_words(self.left_out, 'and')}"
        if self.one_hash_seed:
            yield f"not tested with another PYTHONHASHSEED: {self.one_hash_seed}"
        if self.no_observations:
            yield f"observations not tested: {self.no_observations}"
        if self.not_searched:
            yield f"not searched for secrets: {self.not_searched}"
        for warning in filter(None, [self.open_choice, *self.warnings]):
            yield f"warning: {warning}"


Progress: TypeAlias = Callable[[Report, str], object]
"""A function that receives the report so far and the current step, such as `match 3 of 20`."""

_FOR_MATCHES: Final = 3 / 4
"""Fraction of the time for random matches. The rest is for the other tests."""


_WIDEST: Final = 16  # maximum number of plies from one tested position of a match to the next

_TESTED: Final = 2 / 3
"""Fraction of a match's time in which the laws are tested. After that, the match is only played."""


class OutOfTime(Exception):
    """The time is up in the middle of a test."""


class Clock:
    """The time limits of a check."""

    def __init__(
        self, report: Report, seconds: float | None = None, progress: Progress | None = None
    ) -> None:
        self._report = report
        self._seconds = inf if seconds is None else seconds
        self._progress = progress
        self._began, self._share, self._testing_seconds = monotonic(), 1.0, 0.0
        self._number, self._stride, self._is_late = 0, 1, False

    @property
    def left(self) -> float:
        """Seconds left, at least 0."""
        return max(0.0, self._began + self._seconds - monotonic())

    def matches(self, wanted: int) -> Iterator[int]:
        """Yield the numbers of the matches to play, each with a share of the remaining time.

        If a match runs out of time, fewer positions of the next match are tested, with larger gaps
        between them.
        """
        for number in range(wanted):
            if not self.plays:
                break
            self._number, self._share = number, (number + 1) / wanted
            if self._is_late:
                self._stride, self._is_late = min(2 * self._stride, _WIDEST), False
            yield number

    def tests(self, ply: int) -> bool:
        """Return whether there is time to test a position without a new situation."""
        limit = self._seconds * _FOR_MATCHES * _TESTED * self._share
        # Playing long matches can take the whole time, so a third is reserved for tests.
        is_over = monotonic() >= self._began + limit and self._testing_seconds >= limit / 3
        self._is_late = self._is_late or is_over
        return not self._is_late and ply % self._stride == self._number % self._stride

    @contextmanager
    def testing(self) -> Iterator[None]:
        """Count the time in the block as time for tests."""
        began = monotonic()
        try:
            yield
        finally:
            self._testing_seconds += monotonic() - began

    @property
    def plays(self) -> bool:
        """Whether there is time to play matches."""
        return monotonic() < self._began + self._seconds * _FOR_MATCHES

    def tell(self, doing: str) -> None:
        """Report the current step."""
        if self._progress is not None:
            self._progress(self._report, doing)

    def spend(self, doing: str) -> None:
        """Report the current step, and raise `OutOfTime` if the time is up."""
        self.tell(doing)
        if not self.left:
            raise OutOfTime(doing)
