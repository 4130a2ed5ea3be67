"""The names of streams, and the keys derived from them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Final, TypeAlias

from tabletop.errors import SeedError

NamePart: TypeAlias = str | int
"""One part of a stream's name: a text or a whole number."""

StreamName: TypeAlias = NamePart | tuple[NamePart, ...]
"""The name of a stream: one part, or several."""

_PLAIN_PART: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


def _is_name(name: object) -> bool:
    """Whether `name` is made of texts and whole numbers alone.

    True and 1.0 equal 1, so a dictionary would find for them what was opened for 1.
    """
    for part in name if type(name) is tuple else (name,):
        if type(part) is not str and type(part) is not int:
            return False
    return name != ()


def validate_name(name: StreamName) -> StreamName:
    """The name with a tuple of one part unpacked, after checking what it is made of."""
    if not _is_name(name):
        message = "is no name of a stream: that is a text, a whole number, or several of these"
        raise SeedError(f"{name!r} {message}")
    return name[0] if isinstance(name, tuple) and len(name) == 1 else name


# Every action of a long match may ask for the same few names.
@lru_cache(maxsize=4096)
def to_text(name: StreamName) -> str:
    """The text of a checked name; different names have different texts."""
    parts = name if isinstance(name, tuple) else (name,)
    return "/".join(_part_to_text(part) for part in parts)


def _part_to_text(part: NamePart) -> str:
    if isinstance(part, int):
        return str(part)
    if _PLAIN_PART.fullmatch(part):
        return part
    # In quotes and ASCII: `/` and `>` inside of a part can then not be taken for what joins names.
    escaped = part.encode("unicode_escape").decode("ascii")
    return '"' + escaped.replace('"', '\\"').replace(">", "\\x3e") + '"'


def below_child(text: str, offsets: Mapping[str, int]) -> dict[str, int]:
    """The offsets of the child called `text`, with its name taken off."""
    start = f"{text}>"
    return {name[len(start) :]: at for name, at in offsets.items() if name.startswith(start)}


def beside_child(text: str, offsets: Mapping[str, int]) -> dict[str, int]:
    """The offsets of all but the child called `text`."""
    return {name: at for name, at in offsets.items() if not name.startswith(f"{text}>")}


def derive(root: bytes, kind: str, text: str) -> bytes:
    """Derive the 32-byte key of a stream or family called `text` from `root`."""
    # `person` keeps the kinds apart: a child and a stream of the same name have different keys.
    person = b"tt." + kind.encode("ascii")
    return blake2b(text.encode("ascii"), digest_size=32, key=root, person=person).digest()
