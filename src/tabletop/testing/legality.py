"""The laws of single actions: which are accepted, which are refused, how texts are parsed.

If a game does not list every legal action, random matches never play unlisted actions. This module
therefore also generates random lines from the game's command table, like lines typed by a player,
and tries their actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from tabletop.errors import CommandError, IllegalAction
from tabletop.match.match import AnyMatch
from tabletop.rng.stream import Stream
from tabletop.rules.commands import Argument, Command, Integer, Several, Text
from tabletop.rules.game import Game
from tabletop.rules.selections import Selections, split, spread
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_json
from tabletop.testing.laws import LawBroken, Report
from tabletop.testing.probe import Probe, StatePath, describe_failure, leaves, some, spell_path
from tabletop.testing.rules import check_enumeration, check_outcome, check_seats, wrong_action

_FREE_FORM: Final = 3  # accepted, unlisted actions to play on a copy at each step
_ANSWERS: Final = 3  # different actions to play after such an action
_AFTERWARDS: Final = 4  # further actions to play after each of these
_REMEMBERED: Final = 60  # number of earlier legal actions to remember
_TRIED_AGAIN: Final = 16  # number of these to try at each step
_CHECKED: Final = 24  # legal actions to check at each step
_TYPED: Final = 4  # lines of a command table to try at each step
_PARSED_AGAIN: Final = 4  # actions to parse again at each step
_NOISE_AGAIN: Final = 2  # texts of `_NOISE` to parse at each step after the first
_NOISE: Final = (
    *("", " ", "?", "xyzzy", "0", "-1 99", "1 2 3 4 5 6 7 8 9"),
    "\x00é\U0001f3b2",
    "a" * 999,
)
"""Texts that are not actions, or possibly illegal actions."""

_WORDS: Final = ("x", "1", "0", "all", "\u00e9")  # values for arguments that accept any word
_TEXTS: Final = (*_WORDS, "two words", "it's  12")  # values for arguments that accept any text
_SMALL: Final = 9  # numbers up to `low + _SMALL` are as frequent as all others together

Debts: TypeAlias = dict[StatePath, float]  # the negative numbers in a state, by path


@dataclass(slots=True)
class LegalityTrial:
    """Tests which actions a match accepts.

    Attributes:
        tried: Actions that were legal earlier in the match.
        overdrafts: The kinds of numbers that free-form actions made negative. Each kind has the
            error to raise if listed actions never make such a number negative.
        owed: The kinds of numbers that listed actions made negative.
    """

    probe: Probe
    tried: dict[Any, None] = field(default_factory=dict)
    overdrafts: list[tuple[StatePath, LawBroken]] = field(default_factory=list)
    owed: set[StatePath] = field(default_factory=set)

    def check_accepted(self, match: AnyMatch, legal: Sequence[Any], stream: Stream) -> None:
        """Check that legal actions are accepted, and that checking them changes nothing."""
        probe = self.probe
        before = probe.digest(match)
        for action in some(legal, _CHECKED, stream):
            probe.attempt("accepted", f"checking {action}", match.check, action)
            if probe.digest(match) != before:
                raise probe.fail("accepted", f"checking {action} changed the state")

    def check_refused(
        self,
        match: AnyMatch,
        legal: Sequence[Any],
        others: Sequence[Any],
        stream: Stream,
        report: Report,
    ) -> None:
        """Try `others` and some actions that were legal before. Play accepted actions on copies."""
        probe = self.probe
        before = probe.digest(match)
        accepted: list[Any] = []
        known = frozenset(legal)
        again = [action for action in self.tried if action not in known]
        others = [action for action in others if action not in known]
        for action in (*some(again, _TRIED_AGAIN, stream), *others):
            if self._is_accepted(match, action, stream, report):
                accepted.append(action)
            if probe.digest(match) != before:
                raise probe.fail("refused", f"refusing {action} changed the state")
        free_form = accepted[-_FREE_FORM:]
        report.free_form += len(free_form)
        for action in free_form:
            self._check_free_form(match, action, stream)
        for action in some(legal, len(free_form), stream):
            debts = self._follow(match, action, f"{action}", stream)
            self.owed.update(_kind(path) for _, path, _ in debts)
        self.tried.update(dict.fromkeys(legal))
        for action in [*self.tried][:-_REMEMBERED]:
            del self.tried[action]

    def note_debts(self, state: Any) -> None:
        """Record the negative numbers in a state reached by listed actions."""
        if not self.probe.game.lists_every_action:
            self.owed.update(map(_kind, _below_zero(state)))

    def _is_accepted(self, match: AnyMatch, action: Any, stream: Stream, report: Report) -> bool:
        """Return whether the rules accept an action that is not listed as legal."""
        probe, checked = self.probe, False
        try:  # calls the rules directly, because a match wraps the errors that they raise
            match.actor(action)
            checked = True
            probe.game.check(match.state, action)
        except IllegalAction as error:
            report.refused += 1
            if not str(error).strip():
                raise probe.fail("refused", f"{action} is refused without a reason") from error
            if checked:
                self._check_reason(match, action)
                self._check_reason_is_public(match, action, str(error), stream)
            return False
        except Exception as error:
            what = f"{action}: check raised {describe_failure(error)}"
            raise probe.fail("refused", what) from error
        if action in match.legal_actions(match.actor(action)):
            return False  # one of many selections
        if probe.game.lists_every_action:
            raise probe.fail(
                "refused",
                f"{action} is accepted, but legal_actions does not list it (if there are too many"
                " actions to list, write lists_every_action = False)",
            )
        return True

    def _check_reason_is_public(
        self, match: AnyMatch, action: Any, reason: str, stream: Stream
    ) -> None:
        """Check that the reason for a refusal does not depend on values hidden from the seat."""
        game, seat = self.probe.game, match.actor(action)
        if type(game).redeal is Game.redeal or seat not in match.to_act:
            return
        other = f"{action} is accepted"
        try:
            game.check(game.redeal(match.state, seat, stream.copy()), action)
        except IllegalAction as error:
            other = str(error)
        except Exception:
            return  # other laws are broken
        if other != reason:
            method = "check" if type(game).why_not is Game.why_not else "why_not"
            owner = getattr(action, "seat", seat)
            origin = "" if owner == seat else f", an action of seat {owner}"
            raise self.probe.fail(
                "redealt",
                f"if seat {seat} tries {action!r}{origin}, the reason of {method} is {reason!r},"
                f" but {other!r} after a redeal: it reveals values that seat {seat} cannot see"
                " (first test the conditions that the seat can see, such as whose turn it is)",
            )

    def _check_reason(self, match: AnyMatch, action: Any) -> None:
        """Check that `why_not` returns a string, the same on every call."""
        probe = self.probe
        what = f"why_not for {action}"
        first, second = (
            probe.attempt("refused", what, probe.game.why_not, match.state, action)
            for _ in range(2)
        )
        if not isinstance(first, str):
            kind = type(first).__name__
            raise probe.fail("refused", f"{what} returns {kind}: return a string, perhaps empty")
        if first != second:
            raise probe.fail("refused", f"{what} returns {first!r}, and then {second!r}")

    def _check_free_form(self, match: AnyMatch, action: Any, stream: Stream) -> None:
        """Parse and play an action that is accepted although it is not listed."""
        probe = self.probe
        if probe.game.commands is not None:
            what = f"parsing '{action}'"
            _check_text(probe, what, action, match.state, match.actor(action))
        name = f"{action}, not listed but accepted,"
        for answer, path, number in self._follow(match, action, name, stream):
            then = f"{answer} after it " if answer else ""
            what = (
                f"{action} is accepted, though not listed, and {then}sets {spell_path(path)} to"
                f" {number}, which listed actions never make negative: let check refuse actions"
                " that take more than there is (or list an action that may do so)"
            )
            self.overdrafts.append((_kind(path), probe.fail("accepted", what)))

    def _follow(
        self, match: AnyMatch, action: Any, name: str, stream: Stream
    ) -> list[tuple[str, StatePath, float]]:
        """Play an action on a copy, and then some answers of other players.

        The answers matter because, for example, an offer that a player cannot pay for causes no
        negative number until another player accepts the offer.

        Args:
            stream: Chooses the answers.

        Returns:
            For each number that is now negative: the answer that caused it (an empty text for the
            action itself), its path, and its value.
        """
        twin = match.clone()
        debts = self._play(match, twin, action, f"playing {name}")
        negative = [("", *debt) for debt in debts.items()]
        answers = [it for seat in twin.to_act for it in spread(twin.legal_actions(seat))]
        # If the action itself already makes a number negative, the answers do not matter.
        for answer in () if debts else some(answers, _ANSWERS, stream):
            after = twin.clone()
            debts = self._play(match, after, answer, f"playing {answer} after {name}")
            negative += [(str(answer), *debt) for debt in debts.items()]
            for _ in range(0 if debts else _AFTERWARDS):
                if after.over:
                    break
                seat = stream.choice(after.to_act)
                later = stream.choice(after.legal_actions(seat))
                self._play(match, after, later, f"playing {later} some time after {name}")
        return negative

    def _play(self, match: AnyMatch, twin: AnyMatch, action: Any, what: str) -> Debts:
        """Play an action on `twin`. Return negative numbers of kinds that `match` does not have."""
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
            raise probe.fail(broken.law, f"after {what}: {broken.what}") from broken
        probe.ply = match.ply
        debts = _below_zero(twin.state)
        had = set(map(_kind, _below_zero(match.state))) if debts else set()
        return {path: number for path, number in debts.items() if _kind(path) not in had}


def _kind(path: StatePath) -> StatePath:
    """Return a path with None in place of each index: `("hands", None, None)`."""
    return tuple(None if isinstance(part, int) else part for part in path)


def _below_zero(state: object) -> Debts:
    if b"-" not in to_json(state):
        return {}
    values = leaves(state).items()
    return {at: value for at, value in values if isinstance(value, int | float) and value < 0}


# Texts.


def check_texts(probe: Probe, match: AnyMatch, stream: Stream, parsed: set[Any]) -> None:
    """Check that the texts of legal actions parse to these actions.

    They are parsed in the state, as in a replay, and in a view, as for a player. For other texts,
    the only error allowed is `CommandError`.

    Args:
        parsed: The actions that were parsed at earlier steps. Only some of them are parsed again.
            The actions of this step are added.
    """
    for seat in match.to_act:
        view = probe.attempt("views", f"view of seat {seat}", match.view, seat)
        before = probe.write(match.state)
        legal = spread(match.legal_actions(seat))
        new = [action for action in legal if action not in parsed]
        for action in new or some(legal, _PARSED_AGAIN, stream):
            for what, state in (("the state", match.state), ("the view of the seat", view)):
                _check_text(probe, f"parsing '{action}' in {what}", action, state, seat)
        parsed.update(new)
        for chosen in split(match.legal_actions(seat))[1]:
            _check_any_order(probe, chosen, view, seat, stream)
        probe.check_unchanged("text", "parse", before, match.state)
        for noise in some(_NOISE, _NOISE_AGAIN, stream) if match.ply else _NOISE:
            with suppress(CommandError):
                _parse(probe, noise, view, seat)


def _check_any_order(
    probe: Probe, chosen: Selections[Any], view: Any, seat: Seat, stream: Stream
) -> None:
    """Check that the words of the items can be typed in any order."""
    items = stream.sample(chosen.items, chosen.high)
    line = " ".join([chosen.words, *map(chosen.word, items)])
    problem = f"parsing {line!r} does not return the selection of these items"
    with suppress(CommandError):
        if _parse(probe, line, view, seat) == chosen.make(items):
            return
    raise probe.fail("text", f"{problem}: the command needs the argument Several(...)")


def _check_text(probe: Probe, where: str, action: Any, state: Any, seat: Seat) -> None:
    read = probe.attempt("text", where, probe.game.parse, str(action), state, seat)
    if read != action:
        raise probe.fail("text", f"{where} returns {read!r}, not {action!r}")


def _parse(probe: Probe, line: str, view: Any, seat: Seat) -> Any:
    """Parse a line. Any error but `CommandError` breaks the law of text."""
    try:
        return probe.game.parse(line, view, seat)
    except CommandError:
        raise
    except Exception as error:
        raise probe.fail("text", f"parsing {line!r} raised {describe_failure(error)}") from error


def typed_actions(probe: Probe, match: AnyMatch, stream: Stream) -> list[Any]:
    """Parse some random lines of the command table, and return their actions."""
    actions: list[Any] = []
    if probe.game.commands is None:
        return actions
    for seat in match.to_act:
        view = match.view(seat)
        for _ in range(_TYPED):
            line = _fuzz_line(stream.choice(probe.game.commands.commands), stream)
            with suppress(CommandError):
                action = _parse(probe, line, view, seat)
                probe.check_shape(wrong_action(action))
                actions.append(action)
    return actions


def _fuzz_line(command: Command, stream: Stream) -> str:
    """Return a random line that calls a command, with a valid word for each argument."""
    most = len(command.arguments)
    given = stream.between(command.required, most)
    if command.together and given > command.required:
        given = most
    words = [_fuzz_word(argument, stream) for argument in command.arguments[:given]]
    return " ".join([command.words, *words])


def _fuzz_word(argument: Argument, stream: Stream) -> str:
    if isinstance(argument, Integer):
        low, high = argument.low, argument.high
        small = min(high, low + _SMALL)
        kind = stream.below(4)
        number = (low, high, stream.between(low, small), stream.between(low, high))[kind]
        return str(number)
    if isinstance(argument, Several):
        high = argument.low + _SMALL if argument.high is None else argument.high
        number = stream.between(argument.low, high)
        return " ".join(_fuzz_word(argument.argument, stream) for _ in range(number))
    candidates: Sequence[str] = argument.candidates()
    if candidates:
        return stream.choice(candidates)
    return stream.choice(_TEXTS if isinstance(argument, Text) else _WORDS)
