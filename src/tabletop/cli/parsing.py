"""The command lines of the programs."""

from __future__ import annotations

import argparse
from typing import Any


class PlainParser(argparse.ArgumentParser):
    """A parser whose help and complaints have no colours.

    They quote what was typed and go through the same guard as everything that is said, which lets
    no colours through. Its arguments are those of `argparse.ArgumentParser`.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        vars(self)["color"] = False  # Python 3.14 has them
