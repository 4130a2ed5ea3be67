"""Entry points of the programs.

They make sure that Ctrl-C during the import of a program shows no traceback. This package must not
import `tabletop` itself, because that import takes most of the startup time.
"""

from __future__ import annotations

import gc
import signal
from importlib import import_module


def tabletop() -> int:
    """Run the program `tabletop`."""
    return _run("tabletop.cli")


def lcr() -> int:
    """Run the program `lcr`."""
    return _run("lcr.program.cli")


def constructor() -> int:
    """Run the program `constructor`."""
    return _run("constructor.program.cli")


def sorcery() -> int:
    """Run the program `sorcery`."""
    return _run("sorcery.program.cli")


def _run(module: str) -> int:
    """Import a module and call its `main`, which installs its own signal handlers."""
    # Keep an ignored SIGINT ignored, as in a background job of a shell.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    status: int = import_module(module).main()
    # When Python exits, it searches all objects for garbage, which takes a tenth of the time of
    # `tabletop games`. It does not search frozen objects.
    gc.freeze()
    return status
