"""The laws of what the rules answer: who is to act, what can be done, and how it has ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.match import AnyMatch
from tabletop.match.answers import wrong_list
from tabletop.outcome import Outcome, Seat
from tabletop.testing.probe import Probe
from tabletop.testing.shape import wrong_action
from tabletop.wording import counted


def check_seats(probe: Probe, match: AnyMatch) -> bool:
    """Whether somebody is to act, after checking who.

    Raises:
        LawBroken: those to act are not seats of the match, each of them once.
    """
    probe.ply = match.ply
    given = probe.attempt("seats", "to_act", probe.game.to_act, match.state)
    probe.check_shape(wrong_list("to_act", given))
    seats: tuple[Any, ...] = match.to_act
    for seat in seats:
        if not isinstance(seat, int) or not 0 <= seat < probe.seats:
            raise probe.fail(
                "seats",
                f"to_act gives {seat!r}, of {counted(probe.seats, 'seat')}: 0 to {probe.seats - 1}",
            )
    if len(set(seats)) != len(seats):
        raise probe.fail("seats", f"to_act gives a seat twice: {seats}")
    return bool(seats)


def check_enumeration(probe: Probe, match: AnyMatch, seat: Seat) -> None:
    """A seat that is to act has legal actions, none twice, the same when asked again.

    Raises:
        LawBroken: it has not.
    """
    legal = probe.game.legal_actions
    before = probe.written(match.state)
    actions = probe.attempt("enumeration", "legal_actions", legal, match.state, seat)
    probe.check_shape(wrong_list("legal_actions", actions))
    probe.check_unchanged("enumeration", f"legal_actions for seat {seat}", before, match.state)
    actions = list(actions)
    for action in actions:
        probe.check_shape(wrong_action(action))
    if not actions:
        raise probe.fail("enumeration", f"seat {seat} is to act, and has no legal action")
    if len(set(actions)) < len(actions):
        twice = next(action for action in actions if actions.count(action) > 1)
        raise probe.fail("enumeration", f"{twice} is listed twice for seat {seat}")
    if actions != list(legal(match.state, seat)):
        raise probe.fail("enumeration", f"seat {seat} has other actions when asked again")


@dataclass(frozen=True, slots=True)
class Repertoire:
    """The actions of `Game.all_actions`, as a law needs them.

    Attributes:
        actions: all of it, in the order of the game.
        known: the same, to look something up.
    """

    actions: Sequence[Any]
    known: frozenset[Any]

    def check(self, probe: Probe, legal: Sequence[Any]) -> None:
        """Every legal action stands there.

        Raises:
            LawBroken: one does not.
        """
        for action in legal:
            if action not in self.known:
                raise probe.fail("all actions", f"{action} is legal, and does not stand there")


def read_repertoire(probe: Probe, match: AnyMatch) -> Repertoire | None:
    """Read `Game.all_actions`; None when the game does not list them.

    Raises:
        LawBroken: it says something twice, or something else when asked again.
    """
    every, again = (
        probe.attempt("all actions", "all_actions", probe.game.all_actions, match.options, count)
        for count in (probe.seats, probe.seats)
    )
    if every is None:
        return None
    probe.check_shape(wrong_list("all_actions", every))
    actions = tuple(probe.attempt("all actions", "all_actions", list, every))
    for action in actions:
        probe.check_shape(wrong_action(action))
    if again is None or actions != tuple(again):
        raise probe.fail("all actions", "there are other actions when asked again")
    known: frozenset[Any] = probe.attempt("all actions", "all_actions", frozenset, actions)
    if len(known) < len(actions):
        twice = next(action for action in actions if actions.count(action) > 1)
        raise probe.fail("all actions", f"{twice} stands there twice")
    return Repertoire(actions, known)


def check_goes_on(probe: Probe, match: AnyMatch) -> None:
    """As long as somebody is to act there is no outcome.

    Raises:
        LawBroken: there is one.
    """
    before = probe.written(match.state)
    outcome = probe.attempt("outcome", "outcome", probe.game.outcome, match.state)
    probe.check_unchanged("outcome", "outcome", before, match.state)
    if outcome is not None:
        raise probe.fail("outcome", f"to_act gives {match.to_act} after the end: {outcome}")


def check_outcome(probe: Probe, match: AnyMatch) -> None:
    """When nobody is to act an outcome ranks every seat once.

    Raises:
        LawBroken: it does not, or there is none.
    """
    outcome = probe.attempt("outcome", "outcome", probe.game.outcome, match.state)
    if outcome is None:
        raise probe.fail("outcome", "nobody is to act, and there is no outcome")
    if not isinstance(outcome, Outcome):
        raise probe.fail("outcome", f"{outcome!r} is no Outcome")
    ranked = sorted(seat for group in outcome.ranking for seat in group)
    if ranked != list(range(probe.seats)):
        raise probe.fail("outcome", f"{outcome.ranking} does not rank every seat just once")
