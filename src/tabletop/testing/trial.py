"""One random match, at each step of which every law is tested."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tabletop.events import ActionPlayed
from tabletop.game import AnyGame
from tabletop.match import AnyMatch
from tabletop.match.answers import wrong_list, wrong_state
from tabletop.options import Options
from tabletop.rng import Stream, Streams
from tabletop.testing.accepting import AcceptanceTrial
from tabletop.testing.answers import (
    Repertoire,
    check_enumeration,
    check_goes_on,
    check_outcome,
    check_seats,
    read_repertoire,
)
from tabletop.testing.clock import Clock
from tabletop.testing.explaining import DRAWN, Walk
from tabletop.testing.laws import LawBroken, Report
from tabletop.testing.outside import fingerprint
from tabletop.testing.parsing import check_texts, typed_actions
from tabletop.testing.probe import Probe, some
from tabletop.testing.repeating import (
    check_action,
    check_beginning,
    check_clone,
    check_json,
    check_replay,
)
from tabletop.testing.typed import Overdraft, kind_of_place
from tabletop.testing.views import TellingTrial, check_hidden_events, check_view
from tabletop.wording import counted

_CLOSELY: Final = 200
"""How many plies of a match are tested each; after them the gaps grow with the match."""

_UNTRIED: Final = 4
"""How many of all actions are tried at each step, besides those that were legal before."""


class Trial:
    """One random match under test.

    Args:
        game: the rules.
        seed, seats, options: of the match.
        plies: the most actions it may take.
        stop: whether a match that takes more is stopped, instead of being taken for endless.
        clock: how long it may take.

    Attributes:
        actions: what was played, when it is over.
    """

    def __init__(
        self,
        game: AnyGame,
        seed: str,
        seats: int,
        options: Options | None,
        plies: int,
        *,
        stop: bool,
        clock: Clock,
    ) -> None:
        self.seed = seed
        self.seats = seats
        self.actions: Sequence[Any] = ()
        self._options = options
        self._plies = plies
        self._stop = stop
        self._clock = clock
        self._probe = Probe(game, seed, seats, options)
        self._acceptance = AcceptanceTrial(self._probe)
        self._telling = TellingTrial(self._probe)
        self._repertoire: Repertoire | None = None
        self._parsed: set[Any] = set()
        self._next_test = 0

    @property
    def overdrafts(self) -> Sequence[Overdraft]:
        """Numbers that free-form actions have brought below zero, and listed ones have not."""
        trial = self._acceptance
        return [one for one in trial.overdrafts if kind_of_place(one.place) not in trial.owed]

    def run(self, report: Report, called: str) -> None:
        """Play the match to its end.

        Args:
            report: counts what is done.
            called: what the match is called when it is said how far the check is.

        Raises:
            LawBroken: a law does not hold.
        """
        before = fingerprint()
        self._clock.begin_match()
        try:
            self._play(report, called, before)
        except LawBroken as broken:
            walk = Walk(self._probe.game, self.seed, self.seats, self._options)
            better = walk.explained(broken, before)
            if better is None:
                raise
            raise better from broken

    def _first_look(self) -> None:
        """Look at what a match is made of before there is one."""
        probe, game = self._probe, self._probe.game
        options = game.resolve_options(self._options or {})
        streams = Streams(self.seed)
        state = probe.attempt("setup", "setup", game.setup, options, self.seats, streams)
        probe.check_shape(wrong_state("setup", state))
        before = probe.written(state)
        to_act = probe.attempt("seats", "to_act", game.to_act, state)
        probe.check_unchanged("seats", "to_act", before, state)
        probe.check_shape(wrong_list("to_act", to_act))

    def _play(self, report: Report, called: str, before: object) -> None:
        probe, clock = self._probe, self._clock
        self._first_look()
        match: AnyMatch = probe.attempt("setup", "setup", probe.make)
        check_beginning(probe, match)
        self._repertoire = read_repertoire(probe, match)
        chance = Streams(self.seed).child("check")
        digests = [probe.digest(match)]
        while check_seats(probe, match):
            clock.tell(called)
            if (match.ply >= self._plies and self._stop) or not clock.plays:
                report.stopped += 1
                break
            if match.ply >= self._plies:
                raise probe.fail("end", self._endless(match, digests))
            self._go_on(match, chance, digests, report, before)
            digests.append(probe.digest(match))
            report.plies += 1
        probe.ply = match.ply
        self.actions = match.actions
        if match.over:
            check_outcome(probe, match)
        self._check_undrawn(before)
        check_replay(probe, match, digests)
        self._telling.check_imagined(chance["imagined"], self._plies, clock)
        report.matches += 1

    def _go_on(
        self,
        match: AnyMatch,
        chance: Streams,
        digests: Sequence[str],
        report: Report,
        before: object,
    ) -> None:
        """Play one action, with the laws tested around it if it is time for that."""
        tested = self._is_tested(match.ply)
        if tested:
            report.tested += 1
            self._check_step(match, chance["laws"], report)
            self._check_undrawn(before)
        seat = chance["seats"].choice(match.to_act)
        action = chance["actions"].choice(match.legal_actions(seat))
        if not tested:
            self._probe.attempt("accepted", f"playing {action}", match.play, action)
            return
        is_due = self._telling.is_due(match.ply, chance["secrets"])
        former = match.clone() if is_due else None
        events = check_action(self._probe, match, action, digests)
        check_hidden_events(self._probe, match, [ActionPlayed(match.ply, seat, action), *events])
        if former is not None:
            self._telling.check(former, seat, action, chance["secrets"])

    def _is_tested(self, ply: int) -> bool:
        """Whether the laws are tested at this ply: at every one at first, then ever less often."""
        late = ply - _CLOSELY
        if (late > 0 and ply < self._next_test) or not self._clock.tests:
            return False
        self._next_test = ply + 1 + max(0, late) // 50
        return True

    def _check_step(self, match: AnyMatch, chance: Stream, report: Report) -> None:
        """Test every law that can be tested before an action is played, in this order."""
        probe = self._probe
        check_goes_on(probe, match)
        for seat in match.to_act:
            check_enumeration(probe, match, seat)
        legal = [action for seat in match.to_act for action in match.legal_actions(seat)]
        if self._repertoire is not None:
            self._repertoire.check(probe, legal)
        self._acceptance.check_accepted(match, legal, chance)
        check_clone(probe, match)
        check_json(probe, match)
        for watcher in (*range(self.seats), None):
            check_view(probe, match, watcher, chance)
        check_texts(probe, match, chance, self._parsed)
        others = [*self._untried(chance), *typed_actions(probe, match, chance)]
        self._acceptance.check_refused(match, legal, others, chance, report)

    def _untried(self, chance: Stream) -> Sequence[Any]:
        """Some of all that can ever be done."""
        return some(self._repertoire.actions, _UNTRIED, chance) if self._repertoire else ()

    def _check_undrawn(self, before: object) -> None:
        if fingerprint() != before:
            raise self._probe.fail("determinism", DRAWN)

    def _endless(self, match: AnyMatch, digests: Sequence[str]) -> str:
        what = f"it still goes on after {counted(self._plies, 'action')} (see plies)"
        if len(set(digests)) > 1 or not match.actions:
            return what
        return (
            f"{what}, and not one has changed the state, such as {match.actions[0]}: apply changes"
            " the state that it is given, in place"
        )
