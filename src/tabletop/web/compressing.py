"""Compressing what screens are sent: fast, and once for all screens that are sent the same.

Each message is compressed on its own. A picture is longer than what a compressor remembers, so
little is lost; thousands of compressors that remember something would take a quarter of a megabyte
each; and what is the same for many is the same when it is compressed.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from websockets.extensions.base import Extension
from websockets.extensions.permessage_deflate import (
    PerMessageDeflate,
    ServerPerMessageDeflateFactory,
)
from websockets.frames import Frame, Opcode
from websockets.typing import ExtensionParameter

LEVEL: Final = 1
"""How hard zlib tries: pictures become a seventh as long in a third of the time of level 6."""

_END: Final = 4
"""The last bytes of what zlib has flushed, which the protocol leaves out (RFC 7692 §7.2.1)."""


class Compression(ServerPerMessageDeflateFactory):
    """What a server offers to those who connect."""

    def __init__(self) -> None:
        super().__init__(
            server_no_context_takeover=True,
            client_no_context_takeover=True,
            compress_settings={"level": LEVEL},
        )

    def process_request_params(
        self,
        params: Sequence[ExtensionParameter],
        accepted_extensions: Sequence[Extension],
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        """Agree on how to compress; see RFC 7692."""
        agreed, made = super().process_request_params(params, accepted_extensions)
        shared = SharedDeflate(
            made.remote_no_context_takeover,
            made.local_no_context_takeover,
            made.remote_max_window_bits,
            made.local_max_window_bits,
            made.compress_settings,
        )
        return agreed, shared


class SharedDeflate(PerMessageDeflate):
    """The compression of one connection; what others have been sent as well is not done again."""

    def encode(self, frame: Frame) -> Frame:
        """Compress a message."""
        if frame.opcode is not Opcode.TEXT or not frame.fin:
            return super().encode(frame)
        data = _compressed(bytes(frame.data), self.local_max_window_bits)
        return Frame(frame.opcode, data, True, True, frame.rsv2, frame.rsv3)


@lru_cache(maxsize=32)
def _compressed(data: bytes, window: int) -> bytes:
    encoder = zlib.compressobj(LEVEL, zlib.DEFLATED, -window)
    return (encoder.compress(data) + encoder.flush(zlib.Z_SYNC_FLUSH))[:-_END]
