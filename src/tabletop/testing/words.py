"""Errors of the rules, worded for their author."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, is_dataclass
from pathlib import Path
from traceback import extract_tb
from typing import Final

from tabletop.errors import ContractError
from tabletop.events import Event

OURS: Final = str(Path(__file__).parents[1])


def describe_failure(error: BaseException) -> str:
    """An error of the rules, where it was raised, and what to do about it when that is known."""
    failed = isinstance(error, ContractError) and " failed at ply " in str(error)
    if failed and isinstance(error.__cause__, Exception):  # the match has said it around it
        error = error.__cause__
    frames = [
        frame
        for frame in extract_tb(error.__traceback__)
        if not frame.filename.startswith((OURS, "<string>"))
    ]
    where = f" in {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return f"{error!r}{where}{_advice(error)}"


def _advice(error: BaseException) -> str:
    """What to do about an error that authors often meet; empty for others."""
    if isinstance(error, FrozenInstanceError):
        return ": apply changes the state in place, so the class of states must not be frozen"
    if isinstance(error, TypeError):
        for kind in Event.__subclasses__():
            bare = "__annotations__" in vars(kind) and not is_dataclass(kind)
            if bare and str(error).startswith((f"{kind.__name__}(", f"{kind.__name__}.")):
                return f": write @event above class {kind.__name__}"
    return ""
