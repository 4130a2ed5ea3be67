"""Arguments for the settings of a table, derived from their declaration in `TableSettings`."""

from __future__ import annotations

import argparse
import re
from typing import Any, cast

from msgspec import UNSET, inspect

from tabletop.cli.match_args import number_in
from tabletop.errors import UsageError
from tabletop.protocol.schema import documented
from tabletop.protocol.settings import TableSettings


def add_settings_arguments(parser: argparse.ArgumentParser) -> None:
    """Add an argument for each setting that is a number, or that is off by default."""
    _, texts = documented(TableSettings)  # empty with python -OO, which drops docstrings
    for field in _fields():
        if field.default is False:
            kind: dict[str, Any] = {"action": "store_true"}
        elif limits := _limits(field.type):
            is_optional = isinstance(field.type, inspect.UnionType) and field.type.includes_none
            kind = _number(limits, may_be_never=is_optional and field.default is not None)
        else:
            continue
        words = re.sub(r"`(\w+)`", lambda name: option_of(name[1]), texts.get(field.name, ""))
        words = " ".join(it for it in re.split(r"(?<=\.) ", words) if not it.startswith("None "))
        help_text = f"{words[:1].lower()}{words[1:]}".removesuffix(".")
        parser.add_argument(option_of(field.name), default=UNSET, help=help_text, **kind)


def option_of(setting: str) -> str:
    """Return the option for a setting, such as `--move-time` for `move_time`."""
    return f"--{setting.replace('_', '-')}"


def given_settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the settings on the command line."""
    given = {field.name: getattr(arguments, field.name, UNSET) for field in _fields()}
    return {name: value for name, value in given.items() if value is not UNSET}


def settings_of(arguments: argparse.Namespace) -> TableSettings:
    """Return the settings of a table, or raise `UsageError` if they exclude each other."""
    try:
        return TableSettings(**given_settings(arguments))
    except ValueError as error:
        setting, _, reason = str(error).partition(": ")
        raise UsageError(f"{option_of(setting)}: {reason}") from None


def _fields() -> tuple[inspect.Field, ...]:
    return cast("inspect.StructType", inspect.type_info(TableSettings)).fields


def _limits(kind: inspect.Type) -> tuple[float, float] | None:
    """Return the limits of a number, or None for another type."""
    if isinstance(kind, inspect.UnionType):
        return next(filter(None, map(_limits, kind.types)), None)
    if isinstance(kind, inspect.FloatType) and kind.ge is not None and kind.le is not None:
        return kind.ge, kind.le
    return None


def _number(limits: tuple[float, float], *, may_be_never: bool) -> dict[str, Any]:
    read = number_in(*limits, float)

    def read_or_never(word: str) -> float | None:
        if word.casefold() == "never":
            return None
        try:
            return read(word)
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentTypeError(f"{error}, or `never`") from None

    if may_be_never:
        return {"metavar": "SECONDS|never", "type": read_or_never}
    return {"metavar": "SECONDS", "type": read}
