"""Seeds, and named random streams that are derived from them.

The words of a stream are SHAKE-128 of its key and a block number, so the state of a stream is a key
and an offset. The key is derived (BLAKE2b) from a root key and the *name* of the stream, so draws
from one stream never affect another. A root key is derived from a seed, which may be any text. A
match without a given seed gets a random phrase that is easy to say and to type.

Nothing here depends on Python's own `random` or `hash`: a seed gives the same draws in every
version of Python, on every platform. Tests pin the draws with known values.
"""

from typing import TYPE_CHECKING

from tabletop.host.extras import lazy_attributes

__all__ = [
    "BLOCK_WORDS",
    "WORD_BITS",
    "Capacity",
    "Draw",
    "DrawListener",
    "HashStream",
    "NamePart",
    "ObservedStream",
    "StreamName",
    "Vocabulary",
    "commitment",
    "common_vocabulary",
    "daily",
    "fresh_phrase",
    "is_speakable",
    "new_salt",
    "vocabulary",
    "weekly",
]

if TYPE_CHECKING:
    from tabletop.rng.deal import Capacity
    from tabletop.rng.hash_stream import BLOCK_WORDS, WORD_BITS, HashStream
    from tabletop.rng.phrases import (
        Vocabulary,
        common_vocabulary,
        fresh_phrase,
        is_speakable,
        vocabulary,
    )
    from tabletop.rng.seeds import commitment, daily, new_salt, weekly
    from tabletop.rng.stream import Draw, DrawListener, ObservedStream
    from tabletop.rng.streams import NamePart, StreamName
else:
    __getattr__, __dir__ = lazy_attributes(__name__)
