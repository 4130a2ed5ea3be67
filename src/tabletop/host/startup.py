"""`python -m PROGRAM` imports nothing that happens to lie in the working directory.

Python puts the working directory first where `-m` looks for modules, so a `random.py` there would
be run in place of the one that a program means. Whoever starts one of ours names what is installed,
and no folder: it is taken away again. The packages of the programs import this before all else. It
makes them interruptible as well.
"""

import os
import sys

from tabletop.host.compiled import PACKAGES as PROGRAMS


def named() -> str:
    """The module that `python -m` is about to run; empty when Python was started otherwise."""
    if sys.argv[:1] != ["-m"] or len(sys.orig_argv) < len(sys.argv):
        return ""
    word = sys.orig_argv[-len(sys.argv)]  # `tabletop`, or `-mtabletop`, before the same arguments
    return word.partition("m")[2] if word.startswith("-") else word


def program() -> str:
    """The package that `python -m` is about to run."""
    return named().removesuffix(".__main__")


def _leave_working_directory() -> None:
    """Take the place that `-m` has added off the path, unless the program itself lies there."""
    if program() not in PROGRAMS or sys.flags.safe_path:
        return
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    try:
        here = os.getcwd()
    except OSError:  # it has been removed: Python has not added it either
        return
    if sys.path[:1] == [here] and here != home:
        del sys.path[0]


def _be_interruptible() -> None:
    """Let signals end the process from here on, as when the program is started by its name."""
    if program() in PROGRAMS:
        from tabletop_start import begin

        begin(program(), sys.argv[1:])


_leave_working_directory()
_be_interruptible()
