"""Pictures of cards and tiles, drawn by this code from their names, and ready boards.

There are a few dozen motifs (`motif`), made by hand in two or three tones. A picture (`art`) is
composed of them before a backdrop: with care, as a `Composition` says it, or from the name alone,
the same everywhere and always.

A game on squares, on crossings of lines or on the points of a race has a picture by saying what
lies where: `BoardPicture`.
"""

from tabletop.display.motifs.boards import (
    Board,
    BoardPicture,
    Piece,
    Place,
    crossings,
    points,
    squares,
)
from tabletop.display.motifs.compose import (
    INKS,
    SKIES,
    STREWN,
    Composition,
    Figure,
    art,
    composed,
    grounds,
    motif,
    motifs,
)

__all__ = [
    "INKS",
    "SKIES",
    "STREWN",
    "Board",
    "BoardPicture",
    "Composition",
    "Figure",
    "Piece",
    "Place",
    "art",
    "composed",
    "crossings",
    "grounds",
    "motif",
    "motifs",
    "points",
    "squares",
]
