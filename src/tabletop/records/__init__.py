"""What is kept of a match: a save, a bug report and a test at once.

A record is written as the match goes (`Journal`), read (`read`), and played again (`replay`, or
step by step with a `Stepper`). A `DrawLog` notes every draw as well, and `compare` finds where two
matches diverge. A line is on its way to the disk before its move is shown, so a killed program
loses nothing; an incomplete last line is dropped.
"""

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
from tabletop.records.replaying import Stepper, match_from_header, replay, replay_entry, versions

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
