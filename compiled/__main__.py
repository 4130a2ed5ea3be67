"""`python -m compiled`: build the accelerated wheel into dist/; `python -m compiled test` tests it.

`python -m compiled missing` says what is missing here to build it, and nothing where all is there.
Exits 0 when all went well, 1 when not, and 2 when it was used wrongly.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from compiled.place import ROOT, missing_tool
from compiled.suite import SuiteError, run_suite
from compiled.wheel import BuildError, build, wheel_of_now

INSTALL = "pip install --force-reinstall --no-deps"


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the words of the command line say; the exit status."""
    options, rest = build_parser().parse_known_args(arguments)
    if rest and options.what != "test":
        sys.stderr.write(f"compiled: {rest[0]} means nothing here\n")
        return 2
    try:
        if options.what == "missing":
            print(missing_tool(), end="")
            return 0
        if options.what == "wheel":
            wheel = build().relative_to(ROOT)
            print(f"Built {wheel}. To install it over the pure one: {INSTALL} {wheel}")
            return 0
        return run_suite(wheel_of_now(), rest)
    except (BuildError, SuiteError) as error:
        sys.stderr.write(f"compiled: {error}\n")
        return 1


def build_parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m compiled", description=__doc__)
    parser.add_argument(
        "what",
        nargs="?",
        choices=("wheel", "test", "missing"),
        default="wheel",
        help="build the wheel (by default); run the test suite on the one in dist/, where"
        " what follows is for pytest; or say what is missing to build it",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
