"""Errors of the rules, worded for their author."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, is_dataclass

from tabletop.errors import ContractError
from tabletop.events import Event
from tabletop.host.modules import place_of
from tabletop.outcome import Seat


def called(seat: Seat | None) -> str:
    """Who watches: a seat, counted from 0 as the rules count, or a spectator."""
    return "a spectator" if seat is None else f"seat {seat}"


def describe_failure(error: BaseException) -> str:
    """An error of the rules, where it was raised, and what to do about it when that is known."""
    failed = isinstance(error, ContractError) and " failed at ply " in str(error)
    if failed and isinstance(error.__cause__, Exception):  # the match has said it around it
        error = error.__cause__
    where = place_of(error)
    return f"{error!r}{f' in {where}' if where else ''}{_advice(error)}"


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
