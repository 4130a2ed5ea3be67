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
    # Elsewhere the environment says nothing about terminals.
    environment = os.environ if os.name == "posix" else None
    if name == COMPACT:
        return Showing(read_style(None, out, environment), compact=True)
    return Showing(read_style(name, out, environment), compact=None if name is None else False)


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

    Old terminals (vt100 and its like) cannot. The C locale promises ASCII alone, although Python
    writes UTF-8 under it: where neither LC_ALL nor LANG is set it sets LC_CTYPE itself. Setting
    PYTHONIOENCODING or PYTHONUTF8 is a promise of more.
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
