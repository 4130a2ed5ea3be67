"""This machine: files that people name, folders of a user, modules, and text safe for a screen."""

from tabletop.host.modules import call, entry_points_of, load_file
from tabletop.host.paths import utc_now
from tabletop.host.screen_text import printable, printable_names, sanitize, say_error
from tabletop.host.user_files import (
    NoFile,
    TextFileError,
    expanded,
    read_bytes,
    read_lines,
    read_text,
    reason,
    user_path,
    write_bytes,
    write_text,
)

__all__ = [
    "NoFile",
    "TextFileError",
    "call",
    "entry_points_of",
    "expanded",
    "load_file",
    "printable",
    "printable_names",
    "read_bytes",
    "read_lines",
    "read_text",
    "reason",
    "sanitize",
    "say_error",
    "user_path",
    "utc_now",
    "write_bytes",
    "write_text",
]
