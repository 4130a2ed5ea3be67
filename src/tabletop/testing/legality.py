"""The laws of single actions: those accepted, those refused, and the meaning of texts.

Where not every action is listed, random matches alone would never play the others. So lines are
made of the words of the game's command table, as a person could type them, and what they stand for
is tried as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from tabletop.errors import CommandError, IllegalAction
from tabletop.match.match import AnyMatch
from tabletop.rng.stream import Stream
from tabletop.rules.commands import Argument, Command, Integer
from tabletop.rules.game import Game
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_json
from tabletop.testing.laws import LawBroken, Report
from tabletop.testing.probe import Probe, StatePath, describe_failure, leaves, some, spell_path
from tabletop.testing.rules import check_enumeration, check_outcome, check_seats, wrong_action

_FREE_FORM: Final = 3  # how many accepted, unlisted actions are played on a copy at each step
_ANSWERS: Final = 3  # with how many different actions a match goes on after such an action
_AFTERWARDS: Final = 4  # how many more actions are played then
_REMEMBERED: Final = 60  # how many actions that were legal before are remembered
_TRIED_AGAIN: Final = 16  # how many of them are tried at each step
_CHECKED: Final = 24  # how many legal actions are checked at each step
_TYPED: Final = 4  # how many lines of a command table are tried at each step
_PARSED_AGAIN: Final = 4  # how many actions are parsed at each step though they were before
_NOISE_AGAIN: Final = 2  # how many texts that stand for no action, after the first step
_NOISE: Final = (
    *("", " ", "?", "xyzzy", "0", "-1 99", "1 2 3 4 5 6 7 8 9"),
    "\x00é\U0001f3b2",
    "a" * 999,
)
"""Texts that stand for no action, or for one that may not be possible."""

_WORDS: Final = ("x", "1", "0", "all", "\u00e9")  # what is typed where any word may stand
_TEXTS: Final = (*_WORDS, "two words", "it's  12")  # what is typed where any text may stand
_SMALL: Final = 9  # numbers up to so far above the lowest are tried as often as any others

Debts: TypeAlias = dict[StatePath, float]
"""The negative numbers in a state, by their paths."""


@dataclass(slots=True)
class LegalityTrial:
    """The accepted and the refused actions of a match, with earlier legal ones."""

    probe: Probe
    tried: dict[Any, None] = field(default_factory=dict)
    # The kinds of numbers that free-form actions have brought below zero, each with the error to
    # raise if listed actions never do so; and those that listed actions have.
    overdrafts: list[tuple[StatePath, LawBroken]] = field(default_factory=list)
    owed: set[StatePath] = field(default_factory=set)

    def check_accepted(self, match: AnyMatch, legal: Sequence[Any], chance: Stream) -> None:
        """Legal actions are accepted, and checking them changes nothing."""
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
        """Try `others` and some earlier legal actions; play the accepted ones on copies."""
        probe = self.probe
        before = probe.digest(match)
        accepted: list[Any] = []
        known = frozenset(legal)
        again = [action for action in self.tried if action not in known]
        others = [action for action in others if action not in known]
        for action in (*some(again, _TRIED_AGAIN, chance), *others):
            if self._is_accepted(match, action, chance, report):
                accepted.append(action)
            if probe.digest(match) != before:
                raise probe.fail("refused", f"refusing {action} has changed the state")
        free_form = accepted[-_FREE_FORM:]
        report.free_form += len(free_form)
        for action in free_form:
            self._check_free_form(match, action, chance)
        for action in some(legal, len(free_form), chance):
            debts = self._follow(match, action, f"{action}", chance)
            self.owed.update(_kind(path) for _, path, _ in debts)
        self.tried.update(dict.fromkeys(legal))
        for action in [*self.tried][:-_REMEMBERED]:
            del self.tried[action]

    def note_debts(self, state: Any) -> None:
        """Note what is below zero in a state that listed actions have led to."""
        if not self.probe.game.lists_every_action:
            self.owed.update(map(_kind, _below_zero(state)))

    def _is_accepted(self, match: AnyMatch, action: Any, chance: Stream, report: Report) -> bool:
        """Check whether an action is accepted that is not listed as legal."""
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
                self._check_told(match, action, str(error), chance)
            return False
        except Exception as error:
            what = f"{action}: check raised {describe_failure(error)}"
            raise probe.fail("refused", what) from error
        if probe.game.lists_every_action:
            raise probe.fail(
                "refused",
                f"{action} is accepted, but not listed as legal (where there are too many"
                " to list, write lists_every_action = False)",
            )
        return True

    def _check_told(self, match: AnyMatch, action: Any, said: str, chance: Stream) -> None:
        """The reason of a refusal is the same when what its seat cannot see is dealt anew."""
        game, seat = self.probe.game, match.actor(action)
        if type(game).redeal is Game.redeal or seat not in match.to_act:
            return
        other = f"{action} is accepted"
        try:
            game.check(game.redeal(match.state, seat, chance.copy()), action)
        except IllegalAction as error:
            other = str(error)
        except Exception:
            return  # other laws are broken
        if other != said:
            rules = "check" if type(game).why_not is Game.why_not else "why_not"
            owner = getattr(action, "seat", seat)
            whose = "" if owner == seat else f", an action of seat {owner}"
            raise self.probe.fail(
                "redealt",
                f"where seat {seat} tries {action!r}{whose}, {rules} says {said!r}, and {other!r}"
                f" when what seat {seat} cannot see is dealt anew: it can tell the difference",
            )

    def _check_reason(self, match: AnyMatch, action: Any) -> None:
        """`why_not` returns a text, the same when it is asked again."""
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
        """Parse and play an action that is accepted though not listed."""
        probe = self.probe
        if probe.game.commands is not None:
            what = f"parsing '{action}'"
            _check_text(probe, what, action, match.state, match.actor(action))
        name = f"{action}, not listed but accepted,"
        for answer, path, number in self._follow(match, action, name, chance):
            then = f"{answer} after it " if answer else ""
            what = (
                f"{action} is accepted, though not listed, and {then}makes {spell_path(path)}"
                f" {number}; listed actions never bring it below zero: let check refuse to take"
                " more than there is (or list an action that may do so)"
            )
            self.overdrafts.append((_kind(path), probe.fail("accepted", what)))

    def _follow(
        self, match: AnyMatch, action: Any, name: str, chance: Stream
    ) -> list[tuple[str, StatePath, float]]:
        """Play an action, called `name` in messages, on copies, and go on from there.

        An offer that cannot be paid does no harm until it is accepted. What is returned are the
        numbers that are below zero now, with their paths, after the action (the empty text) and
        after each of some answers to it.
        """
        twin = match.clone()
        debts = self._play(match, twin, action, f"playing {name}")
        found = [("", *debt) for debt in debts.items()]
        answers = [one for seat in twin.to_act for one in twin.legal_actions(seat)]
        # What is overdrawn has done its harm: what comes of that is another matter.
        for answer in () if debts else some(answers, _ANSWERS, chance):
            after = twin.clone()
            debts = self._play(match, after, answer, f"playing {answer} after {name}")
            found += [(str(answer), *debt) for debt in debts.items()]
            for _ in range(0 if debts else _AFTERWARDS):
                if after.over:
                    break
                seat = chance.choice(after.to_act)
                later = chance.choice(after.legal_actions(seat))
                self._play(match, after, later, f"playing {later} some time after {name}")
        return found

    def _play(self, match: AnyMatch, twin: AnyMatch, action: Any, what: str) -> Debts:
        """Play an action on `twin`, and check it; the numbers below zero that `match` has not."""
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
        debts = _below_zero(twin.state)
        had = set(map(_kind, _below_zero(match.state))) if debts else set()
        return {path: number for path, number in debts.items() if _kind(path) not in had}


def _kind(path: StatePath) -> StatePath:
    """A path with None for the numbers of items: `("hands", None, None)`."""
    return tuple(None if isinstance(part, int) else part for part in path)


def _below_zero(state: object) -> Debts:
    if b"-" not in to_json(state):
        return {}
    values = leaves(state).items()
    return {at: value for at, value in values if isinstance(value, int | float) and value < 0}


# Texts.


def check_texts(probe: Probe, match: AnyMatch, chance: Stream, parsed: set[Any]) -> None:
    """Parse actions from the state, as a replay does, and from a view, as a player does.

    Other texts raise a `CommandError`, or stand for some action. The actions in `parsed` were
    parsed at earlier moments: only some of them are parsed again. Those of this one are added.
    """
    for seat in match.to_act:
        view = probe.attempt("views", f"view of seat {seat}", match.view, seat)
        before = probe.write(match.state)
        legal = match.legal_actions(seat)
        new = [action for action in legal if action not in parsed]
        for action in new or some(legal, _PARSED_AGAIN, chance):
            for what, state in (("the state", match.state), ("the seat's view", view)):
                _check_text(probe, f"parsing '{action}' from {what}", action, state, seat)
        parsed.update(new)
        probe.check_unchanged("text", "parse", before, match.state)
        for noise in some(_NOISE, _NOISE_AGAIN, chance) if match.ply else _NOISE:
            with suppress(CommandError):
                _parse(probe, noise, view, seat)


def _check_text(probe: Probe, where: str, action: Any, state: Any, seat: Seat) -> None:
    read = probe.attempt("text", where, probe.game.parse, str(action), state, seat)
    if read != action:
        raise probe.fail("text", f"{where} gives {read!r}, not {action!r}")


def _parse(probe: Probe, line: str, view: Any, seat: Seat) -> Any:
    """The action that a line stands for; any error but `CommandError` breaks the law of text."""
    try:
        return probe.game.parse(line, view, seat)
    except CommandError:
        raise
    except Exception as error:
        raise probe.fail("text", f"parsing {line!r} raised {describe_failure(error)}") from error


def typed_actions(probe: Probe, match: AnyMatch, chance: Stream) -> list[Any]:
    """Some actions that could be typed, by the command table."""
    actions: list[Any] = []
    if probe.game.commands is None:
        return actions
    for seat in match.to_act:
        view = match.view(seat)
        for _ in range(_TYPED):
            line = _fuzz_line(chance.choice(probe.game.commands.commands), chance)
            with suppress(CommandError):
                action = _parse(probe, line, view, seat)
                probe.check_shape(wrong_action(action))
                actions.append(action)
    return actions


def _fuzz_line(command: Command, chance: Stream) -> str:
    """A line that a command table understands, as far as each word goes."""
    most = len(command.arguments)
    given = chance.between(command.required, most)
    if command.together and given > command.required:
        given = most
    words = [_fuzz_word(argument, chance) for argument in command.arguments[:given]]
    return " ".join([command.words, *words])


def _fuzz_word(argument: Argument, chance: Stream) -> str:
    if isinstance(argument, Integer):
        low, high = argument.low, argument.high
        small = min(high, low + _SMALL)
        kind = chance.below(4)
        number = (low, high, chance.between(low, small), chance.between(low, high))[kind]
        return str(number)
    candidates: Sequence[str] = argument.candidates()
    if candidates:
        return chance.choice(candidates)
    return chance.choice(_TEXTS if argument.takes_rest else _WORDS)
