"""What a screen asks for is done, or refused in words."""

from __future__ import annotations

import logging
from typing import Any, Final

from tabletop.errors import CommandError, TabletopError
from tabletop.outcome import Seat
from tabletop.picture import Picture
from tabletop.session import Act, Consent, Redo, Request, Undo
from tabletop.web.front import WebFront
from tabletop.web.messages import (
    ActOn,
    Consenting,
    Layout,
    PlayAgain,
    Pong,
    RedoOne,
    RefusedTold,
    SeatFor,
    Sent,
    UndoOne,
    Why,
    WhyTold,
)
from tabletop.web.table import WebTable
from tabletop.web.viewer import Viewer

NOT_NOW: Final = "not now: something else is to be decided first; what has a ring can be used"
"""Why a part cannot be used whose action is not even understood while something else is asked."""

_log = logging.getLogger("tabletop")


def obey(table: WebTable, front: WebFront, viewer: Viewer, message: Sent) -> None:
    """Do what a screen asks for once it has said hello, and answer it."""
    match message:
        case Pong():
            pass
        case Layout(narrow):
            viewer.narrow = narrow
        case Why(part, number):
            viewer.tell(WhyTold(number, why_not(front, part)))
        case SeatFor(seat, player, number):
            error = table.seat_for(front, seat, player)
            _answer(viewer, number, "", "" if error is None else str(error))
        case PlayAgain(number):
            error = table.play_again(front)
            _answer(viewer, number, "", "" if error is None else str(error))
        case ActOn() | UndoOne() | RedoOne() | Consenting():
            line = message.line if isinstance(message, ActOn) else ""
            _answer(viewer, message.id, line, ask(front, _request(message)))


def _answer(viewer: Viewer, number: int, line: str, refusal: str) -> None:
    if refusal:
        viewer.tell(RefusedTold(number, line, refusal))


def _request(message: ActOn | UndoOne | RedoOne | Consenting) -> Request:
    """What is asked of the session."""
    match message:
        case ActOn(line, _, seat):
            return Act(line, seat)
        case Consenting(yes):
            return Consent(yes)
        case UndoOne():
            return Undo()
        case RedoOne():
            return Redo()


def why_not(front: WebFront, part: str) -> str:
    """Why nothing can be done with a part of the picture now."""
    look = front.look()
    picture: Picture[Any] = look.picture
    seat: Seat | None = look.seat
    if seat is None:
        return "who has no seat here only watches"
    try:
        words = picture.attempt(part, front.place.view(seat), seat)
        if not words:
            return "nothing can be done with this"
        front.place.check(words, seat)
    except CommandError:  # nobody has typed the words: what is wrong with them would say nothing
        return NOT_NOW
    except (TabletopError, ValueError) as error:
        return str(error)
    except Exception:  # whatever a stranger's rules make of a part that they do not know
        _log.exception("%r has failed", part)
        return "nothing can be done with this"
    return f"this can be done: {words}"


def ask(front: WebFront, request: Request) -> str:
    """Ask for something; why it was refused, in words; empty when it was done."""
    try:
        refused = front.request(request)
    except Exception:  # rules that fail on what somebody sends hurt nobody else
        _log.exception("%r has failed", request)
        return "the rules of the game have failed on this; nothing has been done"
    return "" if refused is None else str(refused)
