"""The law of text: every action is what its text parses to, and other texts are refused."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from tabletop.errors import CommandError
from tabletop.match import AnyMatch
from tabletop.outcome import Seat
from tabletop.rng import Stream
from tabletop.testing.probe import Probe, some
from tabletop.testing.shape import wrong_action
from tabletop.testing.typed import typed_lines
from tabletop.testing.words import describe_failure

TYPED: Final = 4
"""How many lines of a command table are tried at each step."""

_AGAIN: Final = 4
"""How many actions are parsed at each step though they were parsed at an earlier one."""

_NOISE_AGAIN: Final = 2
"""How many texts that stand for no action are parsed at each step, after the first."""

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


def check_texts(probe: Probe, match: AnyMatch, chance: Stream, parsed: set[Any]) -> None:
    """Parse actions from the state, as a replay does, and from a view, as a player.

    Args:
        probe: asks the rules.
        match: at the moment.
        chance: which actions are parsed again.
        parsed: the actions that were parsed at earlier moments; those of this one are added.

    Raises:
        LawBroken: one is something else then; or a text that is none raises a wrong error.
    """
    for seat in match.to_act:
        view = probe.attempt("views", f"view of seat {seat}", match.view, seat)
        before = probe.written(match.state)
        legal = match.legal_actions(seat)
        new = [action for action in legal if action not in parsed]
        for action in new or some(legal, _AGAIN, chance):
            for what, state in (("the state", match.state), ("the seat's view", view)):
                _check_text(probe, f"parsing '{action}' from {what}", action, state, seat)
        parsed.update(new)
        probe.check_unchanged("text", "parse", before, match.state)
        for noise in some(NOISE, _NOISE_AGAIN, chance) if match.ply else NOISE:
            with suppress(CommandError):
                _parsed(probe, noise, view, seat)


def check_free_text(probe: Probe, match: AnyMatch, action: Any) -> None:
    """Parse an action that is accepted though not listed, where there is a command table.

    Raises:
        LawBroken: it is something else then.
    """
    if probe.game.commands is not None:
        _check_text(probe, f"parsing '{action}'", action, match.state, match.actor(action))


def typed_actions(probe: Probe, match: AnyMatch, chance: Stream) -> list[Any]:
    """Some actions that could be typed, by the command table.

    Raises:
        LawBroken: a line of it raises a wrong error, or is no action.
    """
    actions: list[Any] = []
    if probe.game.commands is None:
        return actions
    for seat in match.to_act:
        view = match.view(seat)
        for line in typed_lines(probe.game.commands, chance, TYPED):
            with suppress(CommandError):
                action = _parsed(probe, line, view, seat)
                probe.check_shape(wrong_action(action))
                actions.append(action)
    return actions


def _check_text(probe: Probe, where: str, action: Any, state: Any, seat: Seat) -> None:
    read = probe.attempt("text", where, probe.game.parse, str(action), state, seat)
    if read != action:
        raise probe.fail("text", f"{where} gives {read!r}, not {action!r}")


def _parsed(probe: Probe, line: str, view: Any, seat: Seat) -> Any:
    """What a line stands for.

    Raises:
        CommandError: nothing.
        LawBroken: any other error was raised.
    """
    try:
        return probe.game.parse(line, view, seat)
    except CommandError:
        raise
    except Exception as error:
        raise probe.fail("text", f"parsing {line!r} raised {describe_failure(error)}") from error
