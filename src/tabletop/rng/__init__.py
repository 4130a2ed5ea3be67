"""Named, keyed, counter-mode streams of chance; and the seeds that they grow from.

The words of a stream are SHAKE-128 of its key and a block number, so the whole state of a stream is
a key and an offset. The key is derived (BLAKE2b) from a root key and the stream's *name*: draws of
one stream cannot move another, in any order of use. A root key is made of a seed, which is any
text; a match without one gets a phrase that can be said out loud.

Nothing here depends on Python's own `random` or `hash`: the same seed gives the same draws on
every Python, platform and day. The numbers are pinned by vectors in the test suite.
"""

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
