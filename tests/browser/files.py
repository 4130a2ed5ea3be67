"""A folder that is served as it lies, as the site is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from typing_extensions import override


class Handler(SimpleHTTPRequestHandler):
    """Serves files, notes what is asked for, and says nothing."""

    asked: list[str]

    @override
    def do_GET(self) -> None:
        self.asked.append(self.path)
        super().do_GET()

    @override
    def log_message(self, *_: object) -> None:
        """A test says what matters."""


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Serve a folder: its address, and the paths that are asked for."""
    asked: list[str] = []
    handler = type("Noting", (Handler,), {"asked": asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/", asked
        finally:
            server.shutdown()
            thread.join()
