"""Actions that people enter at a table, and the positions that they answer."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from tabletop.display.text_view import TextView
from tabletop.errors import IllegalAction, MatchOver, NotPermitted, NotYourTurn, OutOfDate
from tabletop.match.match import AnyMatch
from tabletop.protocol.incoming import ActIn
from tabletop.states.bounds import Seat
from tabletop.wording import join_words


def acting_seat(match: AnyMatch, own: Collection[Seat], seat: Seat | None) -> Seat:
    """Return the seat for which people with the seats `own` act, by default the first to act.

    Raises:
        MatchOver: The match is over.
        NotPermitted: The seat is not one of `own`.
        NotYourTurn: The seat is not to act, or none of them is.
    """
    if match.over:
        raise MatchOver
    if seat is None:
        seat = next((it for it in match.to_act if it in own), None)
        if seat is None:
            raise not_your_turn(match)
    check_control(match, own, seat)
    if seat not in match.to_act:
        raise not_your_turn(match, seat)
    return seat


def not_your_turn(match: AnyMatch, seat: Seat | None = None) -> IllegalAction:
    """Return the error for a person who is not to act, which names the players who are."""
    if match.over:
        return MatchOver()
    others = join_words([match.names[it] for it in match.to_act], "and")
    return NotYourTurn(f"it is not your turn; wait for {others}", seat=seat)


def check_control(match: AnyMatch, own: Collection[Seat], seat: Seat) -> None:
    """Raise `NotPermitted` if people with the seats `own` do not decide for a seat."""
    if seat not in own:
        name = match.names[seat] if 0 <= seat < match.seats else f"seat {seat + 1}"
        raise NotPermitted(f"you do not control {name}", seat=seat)


class _Answer(NamedTuple):
    """An action that a seat has played, with the position that the action answered."""

    ply: int
    revision: int
    line: str


class Positions:
    """Numbers the positions of a table, so that an action sent twice is played once.

    Args:
        match: The match.
        text: The text view of the game.

    Attributes:
        revision: The number of the position. It grows with each change, even an undo, and never
            repeats.
    """

    def __init__(self, match: AnyMatch, text: TextView[Any]) -> None:
        self.revision: int = 1
        self._text = text
        self._match = match
        self._oldest = 1  # the first revision to which an action can still be an answer
        self._answered: dict[Seat, _Answer] = {}  # the last action of each seat

    def play(self, line: str, seat: Seat) -> None:
        """Play the action that a line means for a seat.

        Raises:
            TabletopError: The action is refused. Nothing has changed.
        """
        answer = _Answer(self._match.ply, self.revision, line)
        self._match.play(self._text.parse(self._match, line, seat))
        self._answered[seat] = answer

    def changed(self, *, by_action: bool = True) -> None:
        """Note a new position. If no action led to it, actions for earlier ones are refused."""
        self.revision += 1
        if not by_action:
            self._oldest = self.revision
        here = self._match.ply
        self._answered = {seat: it for seat, it in self._answered.items() if it.ply < here}

    def is_repeated(self, own: Iterable[Seat], act: ActIn) -> bool:
        """Return whether people with the seats `own` have played an action already.

        Raises:
            OutOfDate: The action answers a different position.
        """
        seats = own if act.seat is None else (act.seat,)
        answers = [self._answered[it] for it in seats if it in self._answered]
        if act.revision is not None:
            answered, oldest, newest = act.revision, self._oldest, self.revision
            acted = [(answer.revision, answer.line) for answer in answers]
        elif act.ply is not None:
            answered, oldest, newest = act.ply, 0, self._match.ply
            acted = [(answer.ply, answer.line) for answer in answers]
        else:
            return False
        if (answered, act.line) in acted:
            return True
        has_acted = any(position >= answered for position, _ in acted)
        if has_acted or not oldest <= answered <= newest:
            raise OutOfDate("the position has changed; choose again")
        return False
