"""One table to sit at: a match, who sits where, and what each front is told.

A `Session` owns one match. Its fronts (a terminal, a browser, a program) join it, each with the
seats that it decides for; they send requests and are told news. There is no screen in it, no clock
and no disk: it writes to the recorder that it is handed, and waits for nobody. All of it happens on
one thread, in one order.

    session = Session(match, plugin, ["human", "human", "random"])
    ada, bo = session.join(browser, seats=[0]), session.join(terminal, seats=[1])
    ada.request(Act("pick rock"))      # both are told, each what their seat may know
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
    Refused,
    Seated,
    Told,
)
from tabletop.session.place import Place
from tabletop.session.requests import Act, Play, Redo, Request, Reseat, Undo
from tabletop.session.session import Session
from tabletop.session.telling import FrontFailure

__all__ = [
    "Act",
    "Asked",
    "BotFailed",
    "Changed",
    "Ended",
    "Front",
    "FrontFailure",
    "News",
    "Place",
    "Play",
    "Redo",
    "Refused",
    "Request",
    "Reseat",
    "Seated",
    "Session",
    "Told",
    "Undo",
]
