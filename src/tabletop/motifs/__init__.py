"""Pictures of cards and tiles, drawn by our own code from their names.

There are a few dozen motifs (`motif`), made by hand in two or three tones. A picture (`art`) is
composed of them before a backdrop: with care, as a `Composition` says it, or from the name alone,
the same everywhere and always.
"""

from tabletop.motifs.backdrops import GROUNDS
from tabletop.motifs.composing import STREWN, Composition, Figure, art, composed
from tabletop.motifs.inks import INKS, SKIES
from tabletop.motifs.shapes import motif, motifs

__all__ = [
    "GROUNDS",
    "INKS",
    "SKIES",
    "STREWN",
    "Composition",
    "Figure",
    "art",
    "composed",
    "motif",
    "motifs",
]
