"""Tables: a match with people and bots at its seats, screens, votes, clocks and chat.

A `MatchTable` has no input and output of its own. A driver passes it inputs with the present time,
carries out the effects, and sends the messages that are due for each screen:

    for effect in table.receive(Ask(screen, ActIn("roll")), now):
        ...
    for message in table.due(screen, presenter, now):
        ...

Bots can also think in other processes (`Pool`). `Players` has the bots and people of a match
without a table.
"""

from typing import TYPE_CHECKING

from tabletop.host.extras import lazy_attributes

__all__ = [
    "ActionFailed",
    "Answer",
    "Ask",
    "AskBot",
    "Asker",
    "BotActs",
    "BotBegun",
    "BotChose",
    "BotRefused",
    "Close",
    "Cut",
    "DropBot",
    "Effect",
    "Fault",
    "Freeze",
    "HandOver",
    "Hurry",
    "Input",
    "Keep",
    "Link",
    "MatchTable",
    "Next",
    "Open",
    "OpenNext",
    "Past",
    "Perspective",
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
    "Shut",
    "TableLimits",
    "TablePresenter",
    "TableState",
    "Tick",
    "UndoPolicy",
    "Wake",
    "Wants",
    "WorkerDied",
    "answer",
    "with_local_bots",
]

if TYPE_CHECKING:
    from tabletop.table.bot_pool import Answer, Asker, Pool, Question, WorkerDied, answer
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
        Hurry,
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
    from tabletop.table.past import Past
    from tabletop.table.perspective import Perspective
    from tabletop.table.players import ActionFailed, Players, Replaced
    from tabletop.table.presenter import TablePresenter
    from tabletop.table.seat_holder import Presenter, SeatHolder
    from tabletop.table.undo import UndoPolicy
else:
    __getattr__, __dir__ = lazy_attributes(__name__)
