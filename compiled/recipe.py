"""`python -m compiled.recipe COPY WHEELS`: compile a copy of the project and pack a wheel of it.

It is a process of its own because a build changes the working directory, and remembers much.
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

from compiled.modules import MODULES, path_of

GROUP = "tabletop_rules"
"""The shared library that holds what is compiled is called after it."""


def main(copy: Path, wheels: Path) -> None:
    """Make the wheel."""
    from mypyc.build import mypycify
    from setuptools import SetuptoolsDeprecationWarning, setup

    # It would rather be run by pip, which would have to fetch it first.
    warnings.simplefilter("ignore", SetuptoolsDeprecationWarning)
    # From where the packages lie: tracebacks name files as they are named here, and Python finds
    # the lines of `tabletop/table.py` wherever that is installed.
    os.chdir(copy / "src")
    options = ["--strict", "--explicit-package-bases", f"--cache-dir={copy / 'cache'}"]
    extensions = mypycify(
        [*options, *map(path_of, MODULES)],
        opt_level="3",
        group_name=GROUP,
        target_dir=str(copy / "generated"),
    )
    os.chdir(copy)
    setup(
        ext_modules=extensions,
        script_name="setup.py",
        script_args=["--quiet", "bdist_wheel", "--dist-dir", str(wheels)],
    )


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
