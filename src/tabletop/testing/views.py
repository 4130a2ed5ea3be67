"""The laws of views and masked events, tested at the moments of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

from tabletop.codec import difference, to_json
from tabletop.events import Event
from tabletop.game import Game
from tabletop.match import AnyMatch
from tabletop.match.answers import wrong_state
from tabletop.outcome import Seat
from tabletop.rng import Stream
from tabletop.secrets.writing import holds_secrets
from tabletop.testing.clock import Clock
from tabletop.testing.probe import Probe
from tabletop.testing.redealing import check_dealt, check_imagined, is_masked
from tabletop.testing.sampling import LookalikeTrial, check_blindness
from tabletop.testing.secrets import SecretsTrial
from tabletop.testing.words import called

_SECRET_TESTS: Final = 32
"""At how many moments of a match masked events are tested, most of them early."""


def check_view(probe: Probe, match: AnyMatch, seat: Seat | None, chance: Stream) -> None:
    """A view does not change when what it hides does, and shares nothing with the state.

    Args:
        probe: asks the rules.
        match: at the moment.
        seat: who sees, or None for a spectator.
        chance: what is dealt anew.

    Raises:
        LawBroken: it does; or a redealt state is no whole one.
    """
    game = probe.game
    who = called(seat)
    state = match.state
    before = probe.written(state)
    other = probe.attempt("views", f"redeal for {who}", game.redeal, state, seat, chance)
    probe.check_shape(wrong_state("redeal", other))
    probe.check_unchanged("views", f"redeal for {who}", before, state)
    if type(game).view is Game.view and holds_secrets(type(state)):
        what = f"a {type(state).__name__} declares secrets, and view shows them to {who}"
        raise probe.fail("views", f"{what}: derive {type(game).__name__} from SecretGame")
    view = probe.attempt("views", f"view of {who}", game.view, state, seat)
    probe.check_shape(wrong_state("view", view))
    probe.check_unchanged("views", f"view of {who}", before, state)
    view = probe.attempt("views", f"view of {who}", match.view, seat)
    hides = probe.attempt("views", f"view of {who}", to_json, view) != before
    if hides and type(game).redeal is Game.redeal:
        raise probe.fail("views", f"the view of {who} hides something: fill in redeal as well")
    if hides and is_masked(other, view, state):
        raise probe.fail("redealt", f"redeal for {who} returns the masked view, not a state")
    if type(game).view is not Game.view and view is not state:
        probe.check_shared("views", f"the view of {who}", view, state)
    if seat in match.to_act:
        _check_imagined_actions(probe, match, other, seat)
    again = probe.attempt("views", f"view of {who} after redeal", game.view, other, seat)
    if to_json(again) != to_json(view):
        what = difference(view, again, type(view).__name__) or "its view"
        raise probe.fail(
            "views",
            f"{who} can tell what it must not see: {what} when redeal has dealt anew; let view"
            " mask it, or redeal leave it as it is",
        )


def _check_imagined_actions(probe: Probe, match: AnyMatch, redealt: Any, seat: Seat) -> None:
    """What a seat may do must not depend on what it cannot see."""
    own = list(match.legal_actions(seat))
    what = f"listing what seat {seat} may do after redeal"
    others = list(probe.attempt("redealt", what, probe.game.legal_actions, redealt, seat))
    if own != others:
        odd = next((one for one in [*own, *others] if (one in own) != (one in others)), own[0])
        raise probe.fail(
            "redealt",
            f"seat {seat} may do other things when what it cannot see is dealt anew, such"
            f" as {odd}: it can tell the difference",
        )


def check_hidden_events(probe: Probe, match: AnyMatch, events: Sequence[Event]) -> None:
    """Where `view` shows everything, `view_event` has nothing to hide.

    Args:
        probe: asks the rules.
        match: after an action.
        events: what that has led to.

    Raises:
        LawBroken: an event is hidden, or a part of it.
    """
    game = probe.game
    if type(game).view is not Game.view or type(game).view_event is Game.view_event:
        return
    for event, seat in product(events, (*range(probe.seats), None)):
        what = f"view_event of {event} for {called(seat)}"
        told = probe.attempt("views", what, game.view_event, event, match.state, seat)
        if told != event:
            raise probe.fail(
                "views",
                f"{called(seat)} is told {told or 'nothing'} in place of {event}, and the rules"
                " leave out view, which shows it everything: write view and redeal as well",
            )


@dataclass(slots=True)
class TellingTrial:
    """Tests the masked events of a match's actions, at some of its moments.

    Args:
        probe: asks the rules.

    Attributes:
        tests: how many moments were tested.
        imagined: moments that are played on, as somebody imagines them, when the match is over.
    """

    probe: Probe
    tests: int = 0
    imagined: list[tuple[AnyMatch, Seat | None]] = field(default_factory=list)
    _lookalikes: LookalikeTrial = field(default_factory=LookalikeTrial)

    def is_due(self, ply: int, chance: Stream) -> bool:
        """Whether secrets are tested at this ply; never in a game without any."""
        if type(self.probe.game).redeal is Game.redeal or self.tests >= _SECRET_TESTS:
            return False
        return ply < _SECRET_TESTS // 4 or chance.chance(1, 6)

    def check(self, before: AnyMatch, seat: Seat, action: Any, chance: Stream) -> None:
        """Test what `action` reveals to each seat, and what each can imagine before it.

        Raises:
            LawBroken: it is more than they may know, or less than they need.
        """
        probe = self.probe
        watchers = (*range(probe.seats), None)
        apart = chance.copy()
        for watcher in watchers:
            if not before.ply:
                check_dealt(before, watcher, chance, probe.fail)
            for law in (check_blindness, self._lookalikes.check):
                probe.attempt("redealt", "redeal", law, before, watcher, apart, probe.fail)
            trial = SecretsTrial(before, watcher, chance, probe.fail)
            probe.attempt("told", f"telling of {action}", trial.check, seat, action)
        self._lookalikes.go_on(action)
        if self.tests % 8 == 0:  # played on when the match itself has come to its end
            self.imagined.append((before, chance.choice(watchers)))
        self.tests += 1

    def check_imagined(self, chance: Stream, plies: int, clock: Clock) -> None:
        """Play on what was imagined, for so many plies at most and as long as there is time.

        Raises:
            LawBroken: it cannot be.
        """
        for former, watcher in self.imagined:
            if not clock.plays:
                break
            self.probe.ply = former.ply
            check_imagined(former, watcher, chance, plies, self.probe.fail)
