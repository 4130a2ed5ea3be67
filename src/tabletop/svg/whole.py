"""A whole picture, and numbers that hang on names alone."""

from __future__ import annotations

from hashlib import blake2b

from tabletop.svg.shapes import number
from tabletop.svg.style import STYLE, TOKENS
from tabletop.svg.text import escape, tag_title


def document(
    width: float, height: float, *body: str, label: str, style: str = "", bare: bool = False
) -> str:
    """A whole picture, that can stand alone.

    Args:
        width: of its units; it is drawn as large as there is room.
        height: of its units.
        body: the pieces, from the lowest to the uppermost.
        label: what it shows, for who does not see it.
        style: more CSS, for classes of its own.
        bare: without any CSS, for a page that has it.
    """
    sheet = "" if bare else f"<style>{TOKENS}{STYLE}{style}</style>"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="tt-picture"'
        f' viewBox="0 0 {number(width)} {number(height)}" width="{number(width)}"'
        f' height="{number(height)}" role="group" aria-label="{escape(label)}">'
        f"{tag_title(label)}{sheet}{''.join(body)}</svg>"
    )


def number_from(name: str, below: int, purpose: str = "") -> int:
    """A number that hangs on a name alone: the same everywhere, at all times.

    Args:
        name: of what is drawn.
        below: it is from 0 to one less.
        purpose: numbers for different purposes do not hang together; 16 letters at most count.
    """
    key = blake2b(
        name.encode("utf-8", "surrogatepass"), digest_size=8, person=purpose.encode()[:16]
    )
    return int.from_bytes(key.digest(), "big") % below
