"""The default random stream: a keyed hash in counter mode."""

from __future__ import annotations

import struct
from hashlib import shake_128
from typing import TYPE_CHECKING, Final, Self

from typing_extensions import override

from tabletop.errors import SeedError
from tabletop.rng.build_in_use import mypyc_attr
from tabletop.rng.stream import Stream

if TYPE_CHECKING:
    from mypy_extensions import i64

WORD_BITS: Final = 32
"""Bits in a word of a `HashStream`. The offset counts words."""

BLOCK_WORDS: Final = 64
"""Number of words computed in one call of the hash function."""

_WORD_MASK: Final = (1 << WORD_BITS) - 1
# Draws up to this bound need only one word. Larger bounds are rare in games.
_FAST_BELOW: Final = 1 << 31
_BLOCK_SHIFT: Final = BLOCK_WORDS.bit_length() - 1
_BLOCK_BYTES: Final = BLOCK_WORDS * WORD_BITS // 8
MOST_WORDS: Final = BLOCK_WORDS << 64
"""Number of words in a stream. It is limited because a block number has 64 bits."""

_unpack_block: Final = struct.Struct(f"<{BLOCK_WORDS}I").unpack


@mypyc_attr(allow_interpreted_subclasses=True)
class HashStream(Stream):
    """A stream whose words are SHAKE-128 of a key and a block number.

    Args:
        key: 32 bytes. Two streams with the same key have the same draws.
        offset: The number of 32-bit words already drawn, below 2**70.

    Raises:
        SeedError: The offset is out of range.
    """

    __slots__ = ("_block", "_index", "_key", "_words")

    def __init__(self, key: bytes, offset: int = 0) -> None:
        self._key = key
        self._block = -1
        self._words: tuple[int, ...] = ()
        self._index = BLOCK_WORDS
        if offset:
            self.offset = offset

    @property
    def offset(self) -> int:
        """The number of 32-bit words drawn so far."""
        return (self._block << _BLOCK_SHIFT) + self._index

    @offset.setter
    def offset(self, value: int) -> None:
        if not 0 <= value < MOST_WORDS:
            raise SeedError(f"the offset must be from 0 to 2**70 - 1, not {value}")
        block, index = divmod(value, BLOCK_WORDS)
        if index == 0:  # at the end of the previous block: the next block is not needed yet
            block, index = block - 1, BLOCK_WORDS
        if block != self._block:
            self._block = block
            self._words = () if index == BLOCK_WORDS else self._read(block)
        elif not self._words and index < BLOCK_WORDS:
            self._words = self._read(block)
        self._index = index

    @override
    def copy(self) -> Self:
        # Share the computed block, so that the copy does not compute it again.
        twin = type(self)(self._key)
        twin._block = self._block
        twin._words = self._words
        twin._index = self._index
        return twin

    def __repr__(self) -> str:
        """Show the offset, but not the key, because all draws follow from the key."""
        return f"<{type(self).__name__}, {self.offset} words drawn>"

    def __reduce__(self) -> tuple[type[HashStream], tuple[bytes, int]]:
        """Pickle and copy by key and offset."""
        return type(self), (self._key, self.offset)

    def _read(self, block: int) -> tuple[int, ...]:
        # One call computes 64 words, which spreads its fixed cost over many draws. A block depends
        # only on its number, so setting any offset computes one block.
        digest = shake_128(self._key + block.to_bytes(8, "little")).digest(_BLOCK_BYTES)
        return _unpack_block(digest)

    def _next_block(self) -> int:
        self._block += 1
        self._words = self._read(self._block)
        self._index = 1
        return self._words[0]

    def word(self) -> int:
        """Draw the next word: an integer from 0 to 2**32 - 1."""
        index = self._index
        if index == BLOCK_WORDS:
            return self._next_block()
        self._index = index + 1
        return self._words[index]

    @override
    def below(self, bound: int) -> int:
        # Multiply and shift (Lemire): the high half of word * bound is the draw. The low half shows
        # whether the word is one of the few that would make some draws more likely than others.
        if bound > _FAST_BELOW or bound < 1:
            return self._below_rare(bound)
        # The body of `word` is repeated here, because simulations spend most time in this draw.
        index = self._index
        # i64 compiles to machine words. Python itself would compute products of compiled ints of
        # this size, and a Ctrl-C during its multiplication would end the process immediately.
        factor: i64 = bound
        product: i64
        if index == BLOCK_WORDS:
            product = self._next_block() * factor
        else:
            self._index = index + 1
            product = self._words[index] * factor
        # `unfair` is less than `bound`, so few draws need the division.
        if product & _WORD_MASK < factor:
            unfair: i64 = (_WORD_MASK + 1) % factor
            while product & _WORD_MASK < unfair:
                product = self.word() * factor
        return product >> WORD_BITS

    def _below_rare(self, bound: int) -> int:
        if bound < 1:
            raise SeedError(f"below({bound}): the bound must be at least 1")
        # Take as many bits as the bound has from whole words, and drop the excess low bits.
        words = -(-bound.bit_length() // WORD_BITS)
        excess = words * WORD_BITS - bound.bit_length()
        while True:  # each iteration succeeds with a probability of at least one half
            number = 0
            for _ in range(words):
                number = number << WORD_BITS | self.word()
            number >>= excess
            if number < bound:
                return number
