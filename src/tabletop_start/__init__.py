"""Starts the programs, so that Ctrl-C shows no traceback while their modules are imported.

This package must not import `tabletop`, because the import takes most of that time.
"""

from __future__ import annotations

import signal
from importlib import import_module


def tabletop() -> int:
    """Run `tabletop`."""
    return _run("tabletop.cli")


def lcr() -> int:
    """Run `lcr`."""
    return _run("lcr.program.cli")


def constructor() -> int:
    """Run `constructor`."""
    return _run("constructor.program.cli")


def sorcery() -> int:
    """Run `sorcery`."""
    return _run("sorcery.program.cli")


def _run(module: str) -> int:
    """Import a module and call its `main`, which handles signals itself."""
    # An ignored signal stays ignored, as in a background job of a shell.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    status: int = import_module(module).main()
    return status
