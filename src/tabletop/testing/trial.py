"""One random match, and every law tested at each step of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from tabletop.codec import check_plain, difference, from_json, to_json, trouble
from tabletop.errors import CommandError, ContractError, IllegalAction
from tabletop.game import Game, Options, Outcome, Seat
from tabletop.match import Match
from tabletop.rng import Stream, Streams
from tabletop.table import Table
from tabletop.testing.explaining import DRAWN, Walk
from tabletop.testing.laws import LawBroken, Report
from tabletop.testing.outside import fingerprint
from tabletop.testing.secrets import (
    SecretsTrial,
    check_dealt,
    check_imagined,
    is_masked,
    streams_like,
)
from tabletop.testing.shape import (
    wrong_action,
    wrong_application,
    wrong_list,
    wrong_state,
)
from tabletop.testing.sharing import shared_part
from tabletop.testing.typed import Overdraft, new_debts, typed_lines
from tabletop.testing.words import said

CLOSELY: Final = 500
"""So many plies of a match are tested each; after them the gaps grow with the match."""

SECRET_TESTS: Final = 32
"""So many moments of a match are tested for what is told at them, most of them early."""

UNTRIED: Final = 4
"""So many of all actions are tried at each step, besides those that were legal before."""

TYPED: Final = 4
"""So many lines of a command table are tried at each step."""

FREE_FORM: Final = 3
"""So many actions that are accepted, though not listed, are played on a copy at each step."""

PURE: Final = (
    "setup and apply may use only the state, the options, the action and the streams: not random,"
    " os.urandom, the time, id() or hash(), and nothing that is kept in the Game or in a module"
)

NOISE: Final = (
    "",
    " ",
    "?",
    "xyzzy",
    "0",
    "-1 99",
    "1 2 3 4 5 6 7 8 9",
    "\x00é\U0001f3b2",
    "a" * 999,
)
"""Texts that stand for no action, or for one that may not be possible."""


@dataclass(slots=True)
class Trial:
    """One random match under test.

    Args:
        game: the rules.
        seed, seats, options: of the match.
        plies: the most actions it may take.
        stop: whether a match that takes more is stopped, instead of being taken for endless.

    Attributes:
        actions: what was played, when it is over.
        overdrafts: numbers that free-form actions have brought below zero.
    """

    game: Game[Any, Any]
    seed: str
    seats: int
    options: Options | None
    plies: int
    stop: bool = False
    ply: int = 0
    actions: Sequence[Any] = ()
    overdrafts: list[Overdraft] = field(default_factory=list)
    tried: list[Any] = field(default_factory=list)
    every: Sequence[Any] | None = None
    known: frozenset[Any] = frozenset()
    next_test: int = 0
    secret_tests: int = 0
    imagined: list[tuple[Match[Any, Any], Seat | None]] = field(default_factory=list)

    def _fail(self, law: str, what: str) -> LawBroken:
        return LawBroken(self.game.name, self.seed, self.ply, law, what)

    def _attempt(self, law: str, what: str, act: Callable[..., Any], *arguments: Any) -> Any:
        """What `act` returns for the arguments; whatever it raises breaks `law`."""
        try:
            return act(*arguments)
        except LawBroken:
            raise
        except Exception as error:
            raise self._fail(law, f"{what} raised {said(error)}") from error

    def _shape(self, wrong: str | None) -> None:
        if wrong is not None:
            raise self._fail("shape", wrong)

    def _make(self) -> Match[Any, Any]:
        return Match(self.game, seed=self.seed, seats=self.seats, options=self.options)

    def run(self, report: Report) -> None:
        """Play the match to its end.

        Raises:
            LawBroken: a law does not hold.
        """
        before = fingerprint()
        try:
            self._play(report, before)
        except LawBroken as broken:
            walk = Walk(self.game, self.seed, self.seats, self.options)
            better = walk.explained(broken, before)
            if better is None:
                raise
            raise better from broken

    def _first_look(self) -> None:
        """Look at what a match is made of before there is one."""
        options = self.game.resolve_options(self.options or {})
        setup = self.game.setup
        state = self._attempt("setup", "setup", setup, options, self.seats, Streams(self.seed))
        self._shape(wrong_state("setup", state))
        self._shape(wrong_list("to_act", self._attempt("seats", "to_act", self.game.to_act, state)))

    def _play(self, report: Report, before: object) -> None:
        self._first_look()
        match = self._attempt("setup", "setup", self._make)
        self._check_kind(type(match.state))
        if self._digest(match) != self._digest(self._attempt("setup", "setup", self._make)):
            what = f"the same seed leads to another first state: {PURE}"
            raise self._fail("determinism", what)
        self.every = self._all_actions(match)
        chance = Streams(self.seed).child("check")
        digests = [self._digest(match)]
        while self._check_seats(match):
            self.ply = match.ply
            if match.ply >= self.plies and self.stop:
                report.stopped += 1
                break
            if match.ply >= self.plies:
                raise self._fail("end", self._endless(match, digests))
            tested = self._is_tested()
            if tested:
                self._check_step(match, chance["laws"], report)
                self._check_undrawn(before)
            seat = chance["seats"].choice(match.to_act)
            action = chance["actions"].choice(match.legal_actions(seat))
            if tested:
                secret = self._has_secret_test(match.ply, chance["secrets"])
                former = match.clone() if secret else None
                self._check_action(match, action, digests)
                if former is not None:
                    self._check_secrets(former, seat, action, chance["secrets"])
            else:
                self._attempt("accepted", f"playing {action}", match.play, action)
            digests.append(self._digest(match))
            report.plies += 1
        self.ply = match.ply
        self.actions = match.actions
        if match.over:
            self._check_outcome(match)
        self._check_undrawn(before)
        self._check_replay(match, digests)
        for former, watcher in self.imagined:
            self.ply = former.ply
            check_imagined(former, watcher, chance["imagined"], self.plies, self._fail)
        report.matches += 1

    def _endless(self, match: Match[Any, Any], digests: Sequence[str]) -> str:
        what = f"it still goes on after {self.plies} actions (see plies)"
        if len(set(digests)) > 1 or not match.actions:
            return what
        return (
            f"{what}, and not one has changed the state, such as {match.actions[0]}: apply changes"
            " the state that it is given, in place"
        )

    def _check_undrawn(self, before: object) -> None:
        if fingerprint() != before:
            raise self._fail("determinism", DRAWN)

    def _is_tested(self) -> bool:
        """Whether the laws are tested at this ply: at every one at first, then ever less often."""
        late = self.ply - CLOSELY
        if late > 0 and self.ply < self.next_test:
            return False
        self.next_test = self.ply + 1 + max(0, late) // 50
        return True

    def _digest(self, match: Match[Any, Any]) -> str:
        digest: str = self._attempt("json", "writing the state as JSON", match.digest)
        return digest

    # The laws, in the order in which they are tested.

    def _check_kind(self, kind: type[Any]) -> None:
        try:
            check_plain(kind)
        except ContractError as error:
            raise self._fail("json", str(error)) from error

    def _check_seats(self, match: Match[Any, Any]) -> bool:
        """Whether somebody is to act, after checking who."""
        self.ply = match.ply
        given = self._attempt("seats", "to_act", self.game.to_act, match.state)
        self._shape(wrong_list("to_act", given))
        seats: tuple[Any, ...] = match.to_act
        for seat in seats:
            if not isinstance(seat, int) or not 0 <= seat < self.seats:
                raise self._fail(
                    "seats", f"to_act gives {seat!r}, of {self.seats} seats: 0 to {self.seats - 1}"
                )
        if len(set(seats)) != len(seats):
            raise self._fail("seats", f"to_act gives a seat twice: {seats}")
        return bool(seats)

    def _check_step(self, match: Match[Any, Any], chance: Stream, report: Report) -> None:
        outcome = self._attempt("outcome", "outcome", self.game.outcome, match.state)
        if outcome is not None:
            raise self._fail("outcome", f"to_act gives {match.to_act} after the end: {outcome}")
        for seat in match.to_act:
            self._check_enumeration(match, seat)
        legal = [action for seat in match.to_act for action in match.legal_actions(seat)]
        self._check_all_actions(legal)
        self._check_accepted(match, legal)
        self._check_clone(match)
        self._check_json(match)
        for seat in (*range(self.seats), None):
            self._check_view(match, seat, chance)
        self._check_texts(match)
        others = chance.sample(self.every, min(len(self.every), UNTRIED)) if self.every else []
        self._check_refused(match, legal, [*others, *self._typed(match, chance)], report)
        self.tried.extend(action for action in legal if action not in self.tried)
        del self.tried[:-60]

    def _check_enumeration(self, match: Match[Any, Any], seat: Seat) -> None:
        legal = self.game.legal_actions
        actions = self._attempt("enumeration", "legal_actions", legal, match.state, seat)
        self._shape(wrong_list("legal_actions", actions))
        actions = list(actions)
        for action in actions:
            self._shape(wrong_action(action))
        if not actions:
            raise self._fail("enumeration", f"seat {seat + 1} is to act, and has no legal action")
        for place, action in enumerate(actions):
            if action in actions[:place]:
                raise self._fail("enumeration", f"{action} is listed twice for seat {seat + 1}")
        if actions != list(legal(match.state, seat)):
            raise self._fail("enumeration", f"seat {seat + 1} has other actions when asked again")

    def _all_actions(self, match: Match[Any, Any]) -> Sequence[Any] | None:
        """What the game says can ever be done; None when it does not say."""
        every, again = (
            self._attempt("all actions", "all_actions", self.game.all_actions, match.options, count)
            for count in (self.seats, self.seats)
        )
        if every is None:
            return None
        self._shape(wrong_list("all_actions", every))
        actions = tuple(self._attempt("all actions", "all_actions", list, every))
        for action in actions:
            self._shape(wrong_action(action))
        if again is None or actions != tuple(again):
            raise self._fail("all actions", "there are other actions when asked again")
        self.known = self._attempt("all actions", "all_actions", frozenset, actions)
        if len(self.known) < len(actions):
            twice = next(action for action in actions if actions.count(action) > 1)
            raise self._fail("all actions", f"{twice} stands there twice")
        return actions

    def _check_all_actions(self, legal: Sequence[Any]) -> None:
        for action in legal:
            if self.every is not None and action not in self.known:
                raise self._fail("all actions", f"{action} is legal, and does not stand there")

    def _check_accepted(self, match: Match[Any, Any], legal: Sequence[Any]) -> None:
        before = self._digest(match)
        for action in legal:
            self._attempt("accepted", f"checking {action}", match.check, action)
            if self._digest(match) != before:
                raise self._fail("accepted", f"checking {action} has changed the state")

    def _check_texts(self, match: Match[Any, Any]) -> None:
        """Parse every action from the state, as a replay does, and from a view, as a player."""
        for seat in match.to_act:
            view = self._attempt("views", f"view of seat {seat + 1}", match.view, seat)
            parse = self.game.parse
            for action in match.legal_actions(seat):
                for what, state in (("the state", match.state), ("the seat's view", view)):
                    where = f"parsing '{action}' from {what}"
                    read = self._attempt("text", where, parse, str(action), state, seat)
                    if read != action:
                        raise self._fail("text", f"{where} gives {read!r}, not {action!r}")
            for noise in NOISE:
                try:
                    parse(noise, view, seat)
                except CommandError:
                    continue
                except Exception as error:
                    raise self._fail("text", f"parsing {noise!r} raised {said(error)}") from error

    def _typed(self, match: Match[Any, Any], chance: Stream) -> list[Any]:
        """Some actions that could be typed, by the command table."""
        actions: list[Any] = []
        if self.game.commands is None:
            return actions
        for seat in match.to_act:
            view = match.view(seat)
            for line in typed_lines(self.game.commands, chance, TYPED):
                with suppress(CommandError):
                    action = self._parsed(line, view, seat)
                    self._shape(wrong_action(action))
                    actions.append(action)
        return actions

    def _parsed(self, line: str, view: Any, seat: Seat) -> Any:
        try:
            return self.game.parse(line, view, seat)
        except CommandError:
            raise
        except Exception as error:
            raise self._fail("text", f"parsing {line!r} raised {said(error)}") from error

    def _check_free_form(self, match: Match[Any, Any], action: Any) -> None:
        """Play on a copy what is accepted though not listed."""
        if self.game.commands is not None:
            parse, seat = self.game.parse, match.actor(action)
            where = f"parsing '{action}'"
            again = self._attempt("text", where, parse, str(action), match.state, seat)
            if again != action:
                raise self._fail("text", f"{where} gives {again!r}, not {action!r}")
        twin = match.clone()
        self._attempt("accepted", f"playing {action}, not listed but accepted,", twin.play, action)
        self._digest(twin)
        if not self._check_seats(twin):
            self._check_outcome(twin)
        for each in twin.to_act:
            self._check_enumeration(twin, each)
        self.ply = match.ply
        for place, number in new_debts(match.state, twin.state).items():
            debt = Overdraft(self.seed, self.seats, self.ply, str(action), place, number)
            self.overdrafts.append(debt)

    def _check_refused(
        self, match: Match[Any, Any], legal: Sequence[Any], others: Sequence[Any], report: Report
    ) -> None:
        """Try what was legal at other moments, and `others`."""
        before = self._digest(match)
        accepted: list[Any] = []
        for action in (*self.tried, *others):
            if action in legal:
                continue
            try:  # the rules themselves: a match would excuse what they raise by accident
                match.actor(action)
                self.game.check(match.state, action)
            except IllegalAction as error:
                report.refused += 1
                if not str(error).strip():
                    raise self._fail("refused", f"{action} is refused without a reason") from error
            except Exception as error:
                raise self._fail("refused", f"{action}: check raised {said(error)}") from error
            else:
                if self.game.lists_every_action:
                    raise self._fail(
                        "refused",
                        f"{action} is accepted, but not listed as legal (where there are too many"
                        " to list, write lists_every_action = False)",
                    )
                accepted.append(action)
            if self._digest(match) != before:
                raise self._fail("refused", f"refusing {action} has changed the state")
        for action in accepted[-FREE_FORM:]:
            self._check_free_form(match, action)
            report.free_form += 1

    def _check_clone(self, match: Match[Any, Any]) -> None:
        twin = self._attempt("clone", "clone", match.clone)
        if twin.state is match.state:
            raise self._fail("clone", "a clone is the state itself: make another object")
        what = difference(match.state, twin.state, type(match.state).__name__)
        if what is not None:
            raise self._fail("clone", f"a clone is no equal state: {what}")
        self._check_shared("clone", "a clone", twin.state, match.state)

    def _check_json(self, match: Match[Any, Any]) -> None:
        state = match.state
        kind = type(state)
        try:
            what = difference(state, from_json(to_json(state), kind), kind.__name__)
        except ContractError as error:
            what = trouble(state, kind.__name__) or str(error)
        if what is not None:
            raise self._fail("json", what)

    def _check_view(self, match: Match[Any, Any], seat: Seat | None, chance: Stream) -> None:
        who = "a spectator" if seat is None else f"seat {seat + 1}"
        before = self._digest(match)
        state = match.state
        other = self._attempt("views", f"redeal for {who}", self.game.redeal, state, seat, chance)
        self._shape(wrong_state("redeal", other))
        view = self._attempt("views", f"view of {who}", self.game.view, state, seat)
        self._shape(wrong_state("view", view))
        view = self._attempt("views", f"view of {who}", match.view, seat)
        hides = self._attempt("views", f"view of {who}", to_json, view) != to_json(match.state)
        if hides and type(self.game).redeal is Game.redeal:
            raise self._fail("views", f"the view of {who} hides something: fill in redeal as well")
        if hides and is_masked(other, view, state):
            raise self._fail("redealt", f"redeal for {who} returns the masked view, not a state")
        if type(self.game).view is not Game.view and view is not state:
            self._check_shared("views", f"the view of {who}", view, state)
        if seat in match.to_act:
            self._check_imagined_actions(match, other, seat)
        again = self._attempt("views", f"view of {who} after redeal", self.game.view, other, seat)
        if to_json(again) != to_json(view):
            what = difference(view, again, type(view).__name__) or "its view"
            raise self._fail(
                "views",
                f"{who} can tell what it must not see: {what} when redeal has dealt anew; let view"
                " mask it, or redeal leave it as it is",
            )
        if self._digest(match) != before:
            raise self._fail("views", f"making the view of {who} has changed the state")

    def _check_shared(self, law: str, what: str, part: Any, state: Any) -> None:
        shared = shared_part(part, state)
        if shared is not None:
            raise self._fail(law, f"{what} shares {shared} with the state: copy it as well")

    def _check_imagined_actions(self, match: Match[Any, Any], redealt: Any, seat: Seat) -> None:
        """What a seat may do must not depend on what it cannot see."""
        legal = self.game.legal_actions
        own = list(match.legal_actions(seat))
        what = f"listing what seat {seat + 1} may do after redeal"
        others = list(self._attempt("redealt", what, legal, redealt, seat))
        if own != others:
            odd = next((one for one in [*own, *others] if (one in own) != (one in others)), own[0])
            raise self._fail(
                "redealt",
                f"seat {seat + 1} may do other things when what it cannot see is dealt anew, such"
                f" as {odd}: it can tell the difference",
            )

    def _has_secret_test(self, ply: int, chance: Stream) -> bool:
        """Whether secrets are tested at this ply; never in a game without any."""
        if type(self.game).redeal is Game.redeal or self.secret_tests >= SECRET_TESTS:
            return False
        return ply < SECRET_TESTS // 4 or chance.chance(1, 6)

    def _check_secrets(
        self, before: Match[Any, Any], seat: Seat, action: Any, chance: Stream
    ) -> None:
        """Test what `action` reveals to each seat, and what each can imagine before it."""
        watchers = (*range(self.seats), None)
        for watcher in watchers:
            if not before.ply:
                check_dealt(before, watcher, chance, self._fail)
            trial = SecretsTrial(before, watcher, chance, self._fail)
            self._attempt("told", f"telling of {action}", trial.check, seat, action)
        if self.secret_tests % 8 == 0:  # played on when the match itself has come to its end
            self.imagined.append((before, chance.choice(watchers)))
        self.secret_tests += 1

    def _check_action(self, match: Match[Any, Any], action: Any, digests: Sequence[str]) -> None:
        """Play `action`, on a clone, on a state from JSON, and with an undo in between."""
        twin = match.clone()
        read = from_json(to_json(match.state), type(match.state))
        table = Table(streams_like(match, self.seed))
        table.watch(True)
        playing = f"playing {action}"
        self._attempt("accepted", playing, twin.play, action)
        if self._digest(match) != digests[-1]:
            raise self._fail("clone", f"playing {action} on a clone has changed the original")
        self._attempt("accepted", playing, match.play, action)
        if self._digest(twin) != self._digest(match):
            raise self._fail("clone", f"playing {action} on a clone leads to another state")
        returned = self._attempt("json", playing, self.game.apply, read, action, table)
        self._shape(wrong_application(returned, read, table.events))
        if to_json(read) != to_json(match.state):
            what = difference(match.state, read, type(match.state).__name__)
            where = f"playing {action} on a state from JSON leads elsewhere"
            raise self._fail("json", f"{where}: {what}")
        self._check_undo(match, digests)

    def _check_undo(self, match: Match[Any, Any], digests: Sequence[str]) -> None:
        after = self._digest(match)
        count = min(match.ply, 3)
        for taken in range(1, count + 1):
            self._attempt("undo", "undo", match.undo)
            if self._digest(match) != digests[-taken]:
                raise self._fail("undo", f"{taken} actions taken back lead to another state")
        self._attempt("undo", "redo", match.redo, count)
        if self._digest(match) != after:
            raise self._fail("undo", "what was taken back and redone leads to another state")

    def _check_outcome(self, match: Match[Any, Any]) -> None:
        outcome = self._attempt("outcome", "outcome", self.game.outcome, match.state)
        if outcome is None:
            raise self._fail("outcome", "nobody is to act, and there is no outcome")
        if not isinstance(outcome, Outcome):
            raise self._fail("outcome", f"{outcome!r} is no Outcome")
        ranked = sorted(seat for group in outcome.ranking for seat in group)
        if ranked != list(range(self.seats)):
            raise self._fail("outcome", f"{outcome.ranking} does not rank every seat just once")

    def _check_replay(self, match: Match[Any, Any], digests: Sequence[str]) -> None:
        again = self._make()
        for ply, action in enumerate(match.actions):
            self.ply = ply
            if self._digest(again) != digests[ply]:
                raise self._fail("determinism", f"the same seed and actions lead elsewhere: {PURE}")
            self._attempt("determinism", f"playing {action}", again.play, action)
        if self._digest(again) != digests[-1]:
            raise self._fail("determinism", f"the same seed and actions lead elsewhere: {PURE}")
