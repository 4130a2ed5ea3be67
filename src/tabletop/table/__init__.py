"""Tables and sessions: a match, the seats of its clients, screens and notifications.

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

A `MatchTable` adds screens, presence, clocks and chat to a session. It has no input and output of
its own: a driver passes it inputs and carries out the effects.
"""

from typing import TYPE_CHECKING

from tabletop.host.extras import lazy_attributes

__all__ = [
    "ActionFailed",
    "Answer",
    "Ask",
    "AskBot",
    "Asked",
    "Asker",
    "BotActs",
    "BotBegun",
    "BotChose",
    "BotFailed",
    "BotRefused",
    "Changed",
    "Client",
    "ClientFailure",
    "Close",
    "Cut",
    "DropBot",
    "Effect",
    "Ended",
    "Fault",
    "Freeze",
    "HandOver",
    "Input",
    "Keep",
    "Link",
    "MatchTable",
    "Next",
    "Notification",
    "Observed",
    "Open",
    "OpenNext",
    "Participant",
    "Past",
    "Players",
    "Pool",
    "Presenter",
    "Question",
    "Refused",
    "Replaced",
    "ReplayPages",
    "Reseat",
    "Reserve",
    "SatDown",
    "SeatHolder",
    "Seated",
    "Session",
    "Shut",
    "TableLimits",
    "TablePresenter",
    "TableState",
    "Tick",
    "UndoAnswer",
    "UndoPolicy",
    "Vote",
    "VoteAsked",
    "VoteEnded",
    "Wake",
    "Wants",
    "WorkerDied",
    "answer",
    "with_local_bots",
]

if TYPE_CHECKING:
    from tabletop.table.bot_pool import Answer, Asker, Pool, Question, WorkerDied, answer
    from tabletop.table.holders import Presenter, SeatHolder
    from tabletop.table.inputs import (
        Ask,
        AskBot,
        BotActs,
        BotBegun,
        BotChose,
        BotRefused,
        Close,
        Cut,
        DropBot,
        Effect,
        Fault,
        Freeze,
        HandOver,
        Input,
        Keep,
        Link,
        Next,
        Open,
        OpenNext,
        Refused,
        ReplayPages,
        Reseat,
        Reserve,
        SatDown,
        Shut,
        Tick,
        Wake,
        Wants,
    )
    from tabletop.table.limits import TableLimits
    from tabletop.table.local_bots import with_local_bots
    from tabletop.table.match_table import MatchTable, TableState
    from tabletop.table.messages import (
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
    )
    from tabletop.table.participants import ClientFailure, Participant
    from tabletop.table.past import Past
    from tabletop.table.players import ActionFailed, Players, Replaced
    from tabletop.table.presenter import TablePresenter
    from tabletop.table.session import Session
    from tabletop.table.undo import UndoAnswer, UndoPolicy
else:
    __getattr__, __dir__ = lazy_attributes(__name__)
