"""How a game is shown where it is shown: what was asked for, else what the terminal can show."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Final, TextIO

from sorcery.screen import COMPACT, Showing
from sorcery.styles import FANCY, SIMPLE, STYLES, Style

PLAIN_LOCALES: Final = ("", "C", "POSIX")
COERCED: Final = ("C.UTF-8", "C.utf8", "UTF-8")
"""What Python makes of them."""


def read_look(name: str | None, out: TextIO) -> Showing:
    """How the game is shown: as was asked for; else as `out` can show it."""
    said = os.environ if os.name == "posix" else None  # nowhere else do terminals speak so
    if name == COMPACT:
        return Showing(read_style(None, out, said), compact=True)
    return Showing(read_style(name, out, said), compact=None if name is None else False)


def read_style(
    name: str | None, out: TextIO, environment: Mapping[str, str] | None = None
) -> Style:
    """The style that was asked for; else the best that `out` can show.

    Args:
        name: what was asked for.
        out: where pictures go.
        environment: what tells of the terminal and the locale; None where nothing does.
    """
    if name is not None:
        return STYLES[name]
    if environment is not None and not speaks_unicode(environment):
        return SIMPLE
    try:
        "".join(map(str, FANCY)).encode(out.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return SIMPLE
    return FANCY if out.isatty() else SIMPLE


def speaks_unicode(environment: Mapping[str, str]) -> bool:
    """Whether a terminal can be expected to show more than ASCII.

    Old terminals (vt100 and its like) do not. Under the C locale nobody has said so, although
    Python writes UTF-8 there: it sets LC_CTYPE itself, where neither LC_ALL nor LANG says anything
    else. Who tells Python what to write (PYTHONIOENCODING, PYTHONUTF8) has said it.
    """
    if re.match(r"vt\d", environment.get("TERM", "")):
        return False
    if environment.get("PYTHONIOENCODING") or environment.get("PYTHONUTF8") == "1":
        return True
    kind, lang = environment.get("LC_CTYPE", ""), environment.get("LANG", "")
    if kind in COERCED and lang in PLAIN_LOCALES:
        kind = ""
    locale = environment.get("LC_ALL") or kind or lang
    return locale not in PLAIN_LOCALES
