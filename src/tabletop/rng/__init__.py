"""Named, keyed, counter-mode streams of chance.

The words of a stream are SHAKE-128 of its key and a block number, so the whole state of a stream is
a key and an offset. The key is derived (BLAKE2b) from a root key and the stream's *name*: draws of
one stream cannot move another, in any order of use.

Nothing here depends on Python's own `random` or `hash`: the same seed gives the same draws on
every Python, platform and day. The numbers are pinned by vectors in the test suite.
"""

from tabletop.rng.deal import Capacity
from tabletop.rng.hash_stream import BLOCK_WORDS, WORD_BITS, HashStream
from tabletop.rng.stream import Draw, DrawListener, ObservedStream, Stream
from tabletop.rng.streams import NamePart, StreamName, Streams

__all__ = [
    "BLOCK_WORDS",
    "WORD_BITS",
    "Capacity",
    "Draw",
    "DrawListener",
    "HashStream",
    "NamePart",
    "ObservedStream",
    "Stream",
    "StreamName",
    "Streams",
]
