"""The protocol between a client and a table: messages in JSON, with a version number.

A client joins a table with a link and receives what its seat may know, as text, as data and as a
picture. It sends the requests of its person. The page in a browser, `tabletop join` and `exec:`
bots use this protocol, and so can any program. `decode` and `encode` are for the table, and
`tabletop.protocol.connect` is a client in Python.
"""

from typing import TYPE_CHECKING

from tabletop.host.extras import lazy_attributes

__all__ = [
    "MAX_BYTES",
    "MAX_SAMPLES",
    "PROTOCOL",
    "ActIn",
    "BotOut",
    "ChangesOut",
    "ChoiceOut",
    "ConsentIn",
    "ConsentOut",
    "DataOut",
    "DoneOut",
    "ErrorOut",
    "ExplainIn",
    "ExplainOut",
    "HelloIn",
    "HintIn",
    "HintOut",
    "InvalidMessage",
    "LayoutIn",
    "LineOut",
    "LogOut",
    "LookIn",
    "MessageIn",
    "MessageOut",
    "NoteOut",
    "OverOut",
    "PastOut",
    "PauseIn",
    "PlayAgainIn",
    "RedoIn",
    "RefusedOut",
    "RemoteTable",
    "RequestLost",
    "RequestRefused",
    "ReseatIn",
    "RulesIn",
    "RulesOut",
    "SampleIn",
    "SamplesOut",
    "SayIn",
    "StateOut",
    "TableClosed",
    "TableOut",
    "TableSettings",
    "UndoIn",
    "changes_of",
    "connect",
    "decode",
    "encode",
    "parse_link",
    "pieces_of",
    "state_after",
]

if TYPE_CHECKING:
    from tabletop.protocol.changes import changes_of, pieces_of, state_after
    from tabletop.protocol.client import (
        RemoteTable,
        RequestLost,
        RequestRefused,
        TableClosed,
        connect,
        parse_link,
    )
    from tabletop.protocol.messages import (
        MAX_BYTES,
        MAX_SAMPLES,
        PROTOCOL,
        ActIn,
        BotOut,
        ChangesOut,
        ChoiceOut,
        ConsentIn,
        ConsentOut,
        DataOut,
        DoneOut,
        ErrorOut,
        ExplainIn,
        ExplainOut,
        HelloIn,
        HintIn,
        HintOut,
        InvalidMessage,
        LayoutIn,
        LineOut,
        LogOut,
        LookIn,
        MessageIn,
        MessageOut,
        NoteOut,
        OverOut,
        PastOut,
        PauseIn,
        PlayAgainIn,
        RedoIn,
        RefusedOut,
        ReseatIn,
        RulesIn,
        RulesOut,
        SampleIn,
        SamplesOut,
        SayIn,
        StateOut,
        TableOut,
        UndoIn,
        decode,
        encode,
    )
    from tabletop.protocol.settings import TableSettings
else:
    __getattr__, __dir__ = lazy_attributes(__name__)
