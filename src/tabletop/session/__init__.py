"""A session: a match, the seats of its clients, and their notifications.

A `Session` owns one match. Its clients (a terminal, a browser, a program) join it with the seats
for which they decide. They send requests and receive notifications. A session does not use a
screen, a clock or files, except through its recorder, and it never waits. It runs on one thread.
Bots can also think in other processes (`Pool`).

    session = Session(match, plugin, ["human", "human", "random"])
    ada = session.join(browser, seats=[0])
    bo = session.join(terminal, seats=[1])
    ada.request(ActIn("pick rock"))
    while session.advance():  # bots act when they are asked to
        ...
"""

from typing import TYPE_CHECKING

from tabletop.host.extras import lazy_attributes

__all__ = [
    "ActionFailed",
    "Answer",
    "Asked",
    "Asker",
    "BotFailed",
    "Changed",
    "Client",
    "ClientFailure",
    "Ended",
    "Notification",
    "Observed",
    "Participant",
    "Past",
    "Players",
    "Pool",
    "Question",
    "Replaced",
    "Seated",
    "Session",
    "UndoAnswer",
    "UndoPolicy",
    "Vote",
    "VoteAsked",
    "VoteEnded",
    "VoteKind",
    "WorkerDied",
    "answer",
    "with_local_bots",
]

if TYPE_CHECKING:
    from tabletop.session.bot_pool import Answer, Asker, Pool, Question, WorkerDied, answer
    from tabletop.session.local_bots import with_local_bots
    from tabletop.session.messages import (
        Asked,
        BotFailed,
        Changed,
        Client,
        Ended,
        Notification,
        Observed,
        Seated,
        Vote,
        VoteAsked,
        VoteEnded,
        VoteKind,
    )
    from tabletop.session.participants import ClientFailure, Participant
    from tabletop.session.past import Past
    from tabletop.session.players import ActionFailed, Players, Replaced
    from tabletop.session.session import Session
    from tabletop.session.undo import UndoAnswer, UndoPolicy
else:
    __getattr__, __dir__ = lazy_attributes(__name__)
