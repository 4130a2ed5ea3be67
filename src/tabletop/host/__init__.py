"""Access to this machine: user files and folders, module loading, and safe terminal output."""

from typing import TYPE_CHECKING

from tabletop.host.extras import lazy_attributes

__all__ = [
    "NotAFile",
    "TextFileError",
    "call",
    "entry_points_of",
    "expand_user",
    "lazy_attributes",
    "load_file",
    "print_error",
    "printable",
    "printable_names",
    "read_bytes",
    "read_lines",
    "read_text",
    "reason",
    "sanitize",
    "save_game",
    "user_path",
    "utc_now",
    "write_bytes",
    "write_text",
]

if TYPE_CHECKING:
    from tabletop.host.modules import call, entry_points_of, load_file
    from tabletop.host.paths import utc_now
    from tabletop.host.screen_text import print_error, printable, printable_names, sanitize
    from tabletop.host.user_files import (
        NotAFile,
        TextFileError,
        expand_user,
        read_bytes,
        read_lines,
        read_text,
        reason,
        save_game,
        user_path,
        write_bytes,
        write_text,
    )
else:
    __getattr__, __dir__ = lazy_attributes(__name__)
