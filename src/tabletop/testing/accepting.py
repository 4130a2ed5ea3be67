"""The laws of what is accepted and what is refused, and that neither leaves a trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tabletop.errors import IllegalAction
from tabletop.match import AnyMatch
from tabletop.rng import Stream
from tabletop.testing.answers import check_enumeration, check_outcome, check_seats
from tabletop.testing.clues import Place
from tabletop.testing.laws import LawBroken, Report
from tabletop.testing.parsing import check_free_text
from tabletop.testing.probe import Probe, some
from tabletop.testing.typed import Debts, Overdraft, kind_of_place, new_debts
from tabletop.testing.words import describe_failure

_FREE_FORM: Final = 3
"""How many actions that are accepted, though not listed, are played on a copy at each step."""

_ANSWERS: Final = 3
"""With how many different actions a match goes on after such an action."""

_AFTERWARDS: Final = 4
"""How many more actions are played then."""

_REMEMBERED: Final = 60
"""How many actions that were legal before are remembered."""

_TRIED_AGAIN: Final = 16
"""How many of them are tried at each step."""

_CHECKED: Final = 24
"""How many legal actions are checked at each step."""


@dataclass(slots=True)
class AcceptanceTrial:
    """What is accepted and refused in a match, with what was legal in it before.

    Args:
        probe: asks the rules.

    Attributes:
        tried: what was legal at other moments.
        overdrafts: numbers that free-form actions have brought below zero.
        owed: the kinds of places where listed actions have done so, followed up in the same way.
    """

    probe: Probe
    tried: dict[Any, None] = field(default_factory=dict)
    overdrafts: list[Overdraft] = field(default_factory=list)
    owed: set[Place] = field(default_factory=set)

    def check_accepted(self, match: AnyMatch, legal: Sequence[Any], chance: Stream) -> None:
        """Legal actions are accepted, and checking them changes nothing.

        Args:
            match: at the moment.
            legal: what is legal now.
            chance: which of it is checked, where there is much.

        Raises:
            LawBroken: one is not, or does.
        """
        probe = self.probe
        before = probe.digest(match)
        for action in some(legal, _CHECKED, chance):
            probe.attempt("accepted", f"checking {action}", match.check, action)
            if probe.digest(match) != before:
                raise probe.fail("accepted", f"checking {action} has changed the state")

    def check_refused(
        self,
        match: AnyMatch,
        legal: Sequence[Any],
        others: Sequence[Any],
        chance: Stream,
        report: Report,
    ) -> None:
        """Try some of what was legal at other moments, and `others`; play what is accepted of it.

        Args:
            match: at the moment.
            legal: what is legal now.
            others: what is tried besides.
            chance: what is tried again.
            report: counts it.

        Raises:
            LawBroken: a refusal has no reason or leaves a trace; or what is accepted should have
                been listed, or cannot be played.
        """
        probe = self.probe
        before = probe.digest(match)
        accepted: list[Any] = []
        known = frozenset(legal)
        again = [action for action in self.tried if action not in known]
        for action in (*some(again, _TRIED_AGAIN, chance), *others):
            if action in known:
                continue
            if self._is_accepted(match, action, report):
                accepted.append(action)
            if probe.digest(match) != before:
                raise probe.fail("refused", f"refusing {action} has changed the state")
        for action in accepted[-_FREE_FORM:]:
            self._check_free_form(match, action, chance)
            report.free_form += 1
        for action in some(legal, len(accepted[-_FREE_FORM:]), chance):
            debts = self._followed(match, action, f"{action}", chance)
            self.owed.update(kind_of_place(place) for _, place, _ in debts)
        self.tried.update(dict.fromkeys(legal))
        for action in [*self.tried][:-_REMEMBERED]:
            del self.tried[action]

    def _is_accepted(self, match: AnyMatch, action: Any, report: Report) -> bool:
        """Whether an action is accepted that is not listed as legal."""
        probe, checked = self.probe, False
        try:  # the rules themselves: a match would excuse what they raise by accident
            match.actor(action)
            checked = True
            probe.game.check(match.state, action)
        except IllegalAction as error:
            report.refused += 1
            if not str(error).strip():
                raise probe.fail("refused", f"{action} is refused without a reason") from error
            if checked:
                self._check_reason(match, action)
            return False
        except Exception as error:
            raise probe.fail(
                "refused", f"{action}: check raised {describe_failure(error)}"
            ) from error
        if probe.game.lists_every_action:
            raise probe.fail(
                "refused",
                f"{action} is accepted, but not listed as legal (where there are too many"
                " to list, write lists_every_action = False)",
            )
        return True

    def _check_reason(self, match: AnyMatch, action: Any) -> None:
        """Ask for the reason itself: of what is refused, a match takes whatever comes.

        Raises:
            LawBroken: `why_not` fails, returns no text, or another one when it is asked again.
        """
        probe = self.probe
        what = f"why_not for {action}"
        first, second = (
            probe.attempt("refused", what, probe.game.why_not, match.state, action)
            for _ in range(2)
        )
        if not isinstance(first, str):
            kind = type(first).__name__
            raise probe.fail("refused", f"{what} returns {kind}: a text is wanted, or an empty one")
        if first != second:
            raise probe.fail("refused", f"{what} says {first!r}, and then {second!r}")

    def _check_free_form(self, match: AnyMatch, action: Any, chance: Stream) -> None:
        """Play on copies what is accepted though not listed."""
        probe = self.probe
        check_free_text(probe, match, action)
        name = f"{action}, not listed but accepted,"
        for answer, place, number in self._followed(match, action, name, chance):
            debt = Overdraft(probe.seed, probe.seats, probe.ply, str(action), place, number, answer)
            self.overdrafts.append(debt)

    def _followed(
        self, match: AnyMatch, action: Any, name: str, chance: Stream
    ) -> list[tuple[str, Place, float]]:
        """Play an action on copies, and go on from there: its harm may come when it is answered.

        An offer that cannot be paid does none until it is accepted.

        Args:
            match: at the moment.
            action: what is played.
            name: what it is called in messages.
            chance: how it goes on.

        Returns:
            The numbers that are below zero now, with their places, after the action (the empty
            text) and after each of some answers to it.

        Raises:
            LawBroken: what is played on the way cannot be.
        """
        twin = match.clone()
        debts = self._played(match, twin, action, f"playing {name}")
        found = [("", *debt) for debt in debts.items()]
        answers = [one for seat in twin.to_act for one in twin.legal_actions(seat)]
        # What is overdrawn has done its harm: what comes of that is another matter.
        for answer in () if debts else some(answers, _ANSWERS, chance):
            after = twin.clone()
            debts = self._played(match, after, answer, f"playing {answer} after {name}")
            found += [(str(answer), *debt) for debt in debts.items()]
            for _ in range(0 if debts else _AFTERWARDS):
                if after.over:
                    break
                seat = chance.choice(after.to_act)
                later = chance.choice(after.legal_actions(seat))
                self._played(match, after, later, f"playing {later} some time after {name}")
        return found

    def _played(self, match: AnyMatch, twin: AnyMatch, action: Any, what: str) -> Debts:
        """Play an action on `twin`, and look at it; the numbers below zero that `match` has not."""
        probe = self.probe
        probe.attempt("accepted", what, twin.play, action)
        try:
            probe.digest(twin)
            if not check_seats(probe, twin):
                check_outcome(probe, twin)
            for each in twin.to_act:
                check_enumeration(probe, twin, each)
        except LawBroken as broken:
            probe.ply = match.ply
            raise probe.fail(broken.law, f"{what} leads on badly: {broken.what}") from broken
        probe.ply = match.ply
        return new_debts(match.state, twin.state)
