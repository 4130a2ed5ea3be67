"""The laws of the contract by name, the report of a check, and the time that it has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Any, Final, TypeAlias

from typing_extensions import override

from tabletop.errors import remade
from tabletop.testing.coverage import Coverage
from tabletop.wording import join_words, plural

LAWS: Final = {
    "shape": "the name, the seats, the actions and what each method returns are as Game says",
    "setup": "a match can be made, with every number of seats",
    "seats": "those to act are seats of the match, none twice",
    "enumeration": "a seat that is to act has legal actions, none twice, the same when asked again",
    "all actions": "all_actions holds every legal action, none twice, the same when asked again;"
    " each legal action has one index",
    "accepted": "every legal action is accepted, and checking it changes nothing",
    "refused": "every other action is refused with a reason, and leaves no trace",
    "views": "a view does not change when what it hides does, and shares nothing with the state",
    "spectators": "the view of a spectator shows nothing that a seat must not see",
    "redealt": "a redealt state is a whole one: of the same cards, with the same legal actions; it"
    " can be played on, and does not follow from what is hidden",
    "said": "where a seat cannot see the effect of an action, view_event says who may know of it",
    "told": "a seat is told no more than its view shows",
    "fault": "no state has a fault that the rules name, and none that is dealt anew",
    "clone": "a clone is equal and independent, and shares nothing that can change",
    "json": "a state survives JSON",
    "text": "every action is what its text parses to, and other texts are refused as such",
    "determinism": "the same seed and actions give the same match",
    "chance": "different seeds differ late in the match, if anything is drawn there",
    "undo": "undoing restores the state and the streams",
    "end": "matches end",
    "outcome": "when nobody is to act, and not before, an outcome ranks every seat once, with the"
    " points that are declared",
    "bots": "a bot plays the same again after an undo, a redo, a resume or on a clone",
    "observation": "what a learner sees stays within its bounds, and is the same when what is"
    " hidden is dealt anew",
    "words": "every position, event, question and end has words for everybody: texts, and saying"
    " them changes nothing",
    "picture": "a picture is one well-formed SVG, the same when drawn again, with every part that"
    " can be clicked",
}
"""The laws by name."""


class LawBroken(AssertionError):
    """A game broke a law of the contract.

    Attributes:
        game: the name of the game.
        seed: the seed of the match.
        ply: the number of actions played before it.
        law: the name of the law; see `LAWS`.
        what: the fault.
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
    """Add a fault to `faults`, unless the list has one of its kind; raise it without a list."""
    if faults is None:
        raise broken
    if _kind(broken) not in map(_kind, faults):
        faults.append(broken)


def _kind(broken: LawBroken) -> tuple[str, str]:
    return broken.law, re.sub(r"\d+|'[^']*'", "#", broken.what)[:_KIND_LETTERS]


_KIND_LETTERS: Final = 60
"""Letters of a description that tell one kind of fault from another, without numbers and names."""


@dataclass(slots=True)
class Report:
    """The results of `check_game`.

    Attributes:
        matches: the number of matches played, to their end or until they were stopped.
        wanted: the number of matches to play.
        plies: the number of actions played in them.
        tested: the number of these at which every law was tested.
        latest: the number of actions before the latest of these.
        refused: the number of other actions tried and refused.
        free_form: the number of unlisted actions accepted, and played on a copy.
        stopped: the number of matches stopped before their end.
        longest: the number of actions of the longest match that came to its end.
        went_on: the seed and the number of actions of the longest match that was stopped, if no
            other that came to its end was as long; None for none.
        one_hash_seed: the reason why no match was played under another PYTHONHASHSEED; empty when
            some were.
        no_observations: the reason why no observations were tested; empty when they were, and where
            the game does not list all its actions, or its state says no bounds at all.
        not_searched: what was not searched for secrets; empty for nothing.
        left_out: the parts left out for lack of time, besides matches.
        warnings: descriptions of values that a seat has seen and that its view no longer shows,
            although the seat can tell where they are. Bots that look ahead forget them.
        coverage: the situations that the matches have met.
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
    warnings: list[str] = field(default_factory=list)
    coverage: Coverage = field(default_factory=Coverage)

    def note_length(self, seed: str, plies: int, *, over: bool) -> None:
        """Note how long a match was that came to its end, or was stopped."""
        self.stopped += not over
        if over:
            self.longest = max(self.longest, plies)
        elif self.went_on is None or plies > self.went_on[1]:
            self.went_on = seed, plies
        if self.went_on and self.longest >= self.went_on[1]:
            self.went_on = None

    @property
    def complete(self) -> bool:
        """True when there was time for everything."""
        return self.matches >= self.wanted and not self.left_out

    @override
    def __str__(self) -> str:
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
        return "; ".join([", ".join(parts), *self._remarks()])

    def _remarks(self) -> Iterator[str]:
        if self.went_on:
            seed, plies = self.went_on
            yield (
                f"the match {seed!r} went on after {plural(plies, 'action')}: if it could for"
                " ever, limit the turns in the rules"
            )
        if self.left_out:
            yield f"no time for {join_words(self.left_out, 'and')}"
        if self.one_hash_seed:
            yield f"none under another PYTHONHASHSEED: {self.one_hash_seed}"
        if self.no_observations:
            yield f"no observations: {self.no_observations}"
        if self.not_searched:
            yield f"not searched for secrets: {self.not_searched}"
        for warning in self.warnings:
            yield f"warning: {warning}"


Progress: TypeAlias = Callable[[Report, str], object]
"""A function called with the report so far, and the present step: `match 3 of 20`."""

_FOR_MATCHES: Final = 3 / 4
"""The share of the time that is for random matches; the other laws have the rest."""


_WIDEST: Final = 16
"""The maximum number of plies from one tested position of a match to the next."""

_TESTED: Final = 2 / 3
"""The share of a match's time in which it is tested; in the rest it is played on."""


class OutOfTime(Exception):
    """The time is over in the middle of something that cannot be used as far as it went."""


class Clock:
    """The time that a check has."""

    def __init__(
        self, report: Report, seconds: float | None = None, progress: Progress | None = None
    ) -> None:
        self._report = report
        self._seconds = inf if seconds is None else seconds
        self._progress = progress
        self._began, self._share = monotonic(), 1.0
        self._number, self._stride, self._is_late = 0, 1, False

    @property
    def left(self) -> float:
        """The seconds left, at least 0."""
        return max(0.0, self._began + self._seconds - monotonic())

    def begin_match(self, number: int, matches: int) -> None:
        """Begin match `number` (from 0) of `matches`, with the time that earlier ones have left.

        If the last match ran out of time, fewer of its positions are tested, spread more widely.
        """
        self._number, self._share = number, (number + 1) / matches
        if self._is_late:
            self._stride, self._is_late = min(2 * self._stride, _WIDEST), False

    def tests(self, ply: int) -> bool:
        """Check whether there is time to test this position, although nothing in it is new."""
        end = self._began + self._seconds * _FOR_MATCHES * _TESTED * self._share
        self._is_late = self._is_late or monotonic() >= end
        return not self._is_late and ply % self._stride == self._number % self._stride

    @property
    def plays(self) -> bool:
        """True while there is time to play matches."""
        return monotonic() < self._began + self._seconds * _FOR_MATCHES

    def tell(self, doing: str) -> None:
        """Report the present step."""
        if self._progress is not None:
            self._progress(self._report, doing)

    def spend(self, doing: str) -> None:
        """Report the present step, if there is time for it."""
        self.tell(doing)
        if not self.left:
            raise OutOfTime(doing)
