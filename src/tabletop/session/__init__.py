"""One table to sit at: a match, who sits where, and the fronts that are notified.

A `Session` owns one match. Its fronts (a terminal, a browser, a program) join it, each with the
seats that it decides for; they send requests and are notified of news. There is no screen in it, no
clock and no disk: it writes to the recorder that it is handed, and waits for nobody. All of it
happens on one thread, in one order.

    session = Session(match, plugin, ["human", "human", "random"])
    ada, bo = session.join(browser, seats=[0]), session.join(terminal, seats=[1])
    ada.request(Act("pick rock"))      # both are notified, each of what their seat may know
    while session.advance():           # bots act when they are asked to
        ...
"""

from tabletop.session.news import (
    Asked,
    BotFailed,
    Changed,
    Ended,
    Front,
    News,
    Observed,
    Refused,
    Seated,
    UndoAsked,
    UndoDropped,
)
from tabletop.session.notifying import FrontFailure
from tabletop.session.place import Place
from tabletop.session.requests import Act, Consent, Play, Redo, Request, Reseat, Undo
from tabletop.session.session import Session
from tabletop.session.undoing import Proposal, UndoAnswer, UndoPolicy

__all__ = [
    "Act",
    "Asked",
    "BotFailed",
    "Changed",
    "Consent",
    "Ended",
    "Front",
    "FrontFailure",
    "News",
    "Observed",
    "Place",
    "Play",
    "Proposal",
    "Redo",
    "Refused",
    "Request",
    "Reseat",
    "Seated",
    "Session",
    "Undo",
    "UndoAnswer",
    "UndoAsked",
    "UndoDropped",
    "UndoPolicy",
]
