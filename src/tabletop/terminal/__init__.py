"""Matches at a terminal, and functions for the programs of games.

`TerminalGame` plays, records and scores a match. The texts of a game are a
`tabletop.display.ConsoleText`, and a program can change its `Presentation`.
"""

from typing import TYPE_CHECKING

from tabletop.host.extras import lazy_attributes

__all__ = [
    "CONTESTS",
    "FAILURE",
    "INTERRUPTED",
    "OK",
    "TABLE_COMMANDS",
    "Completion",
    "Connection",
    "Console",
    "DialogueMaker",
    "FileName",
    "LocalConnection",
    "LocalTable",
    "OpenWindow",
    "PipedDialogue",
    "PipedGame",
    "PlainParser",
    "Playing",
    "Presentation",
    "ProgramParser",
    "ProgressLine",
    "PromptCancelled",
    "Recording",
    "SayVersion",
    "TerminalClient",
    "TerminalGame",
    "Window",
    "add_contest_options",
    "add_record_options",
    "as_text",
    "begin_critical",
    "check_alone",
    "choose_record",
    "end_critical",
    "file_path",
    "find_record",
    "flush_lines",
    "guarded",
    "new_recording",
    "read_bots",
    "read_contest",
    "shows_colours",
    "with_place",
    "with_programs",
]

if TYPE_CHECKING:
    from tabletop.terminal.args import (
        check_alone,
        choose_record,
        find_record,
        read_bots,
        read_contest,
        with_programs,
    )
    from tabletop.terminal.client import TerminalClient
    from tabletop.terminal.commands import (
        TABLE_COMMANDS,
        FileName,
    )
    from tabletop.terminal.connection import Connection
    from tabletop.terminal.console import (
        Completion,
        Console,
        PromptCancelled,
        flush_lines,
        shows_colours,
    )
    from tabletop.terminal.local_connection import LocalConnection, Presentation
    from tabletop.terminal.local_table import LocalTable, OpenWindow, Window
    from tabletop.terminal.parsers import (
        CONTESTS,
        PlainParser,
        ProgramParser,
        SayVersion,
        add_contest_options,
        add_record_options,
        as_text,
        file_path,
    )
    from tabletop.terminal.piped import DialogueMaker, PipedDialogue, PipedGame, Playing
    from tabletop.terminal.play import TerminalGame
    from tabletop.terminal.programs import FAILURE, INTERRUPTED, OK, guarded, with_place
    from tabletop.terminal.progress import ProgressLine
    from tabletop.terminal.recording import Recording, new_recording
    from tabletop.terminal.signals import begin_critical, end_critical
else:
    __getattr__, __dir__ = lazy_attributes(__name__)
