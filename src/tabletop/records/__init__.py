"""Records: files of matches, for saved games, bug reports and tests.

`Journal` writes a record while a match is played. `read` reads it, and `replay` or a `Stepper`
plays it again. A `DrawLog` also contains every random draw. `compare` finds where two matches
diverge. Every line is written to the operating system before its action is shown, so nothing is
lost if the program is killed. An incomplete last line is dropped.
"""

from typing import TYPE_CHECKING

from tabletop.host.extras import lazy_attributes

__all__ = [
    "FORMAT",
    "FORMAT_VERSION",
    "HUMAN",
    "Comparison",
    "Divergence",
    "DrawLog",
    "Entry",
    "Header",
    "Journal",
    "Record",
    "RecordFile",
    "Source",
    "Step",
    "Stepper",
    "command_to_play",
    "compare",
    "end_line",
    "header_line",
    "match_from_header",
    "open_source",
    "parse_entries",
    "parse_header",
    "read",
    "read_file",
    "read_log",
    "replay",
    "replay_entry",
    "versions",
    "with_check",
]

if TYPE_CHECKING:
    from tabletop.records.comparing import Comparison, Divergence, Source, compare, open_source
    from tabletop.records.draw_log import DrawLog, Step, read_log
    from tabletop.records.file import Record, RecordFile, read, read_file
    from tabletop.records.format import (
        FORMAT,
        FORMAT_VERSION,
        HUMAN,
        Entry,
        Header,
        end_line,
        header_line,
        parse_entries,
        parse_header,
        with_check,
    )
    from tabletop.records.journal import Journal
    from tabletop.records.replay_command import command_to_play
    from tabletop.records.replaying import (
        Stepper,
        match_from_header,
        replay,
        replay_entry,
        versions,
    )
else:
    __getattr__, __dir__ = lazy_attributes(__name__)
