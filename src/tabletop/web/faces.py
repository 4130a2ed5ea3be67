"""The files of a game's own page, which the page of a table displays in a frame.

The frame is sandboxed and has an opaque origin. It loads files from its folder, but cannot read
what other pages of the server store, such as tokens and the links of other tables. It plays through
a `MessagePort` to the page around it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope
from typing_extensions import override

TYPES: Final = {
    "css": "text/css",
    "gif": "image/gif",
    "glb": "model/gltf-binary",
    "html": "text/html",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "js": "text/javascript",
    "json": "application/json",
    "map": "application/json",
    "mjs": "text/javascript",
    "mp3": "audio/mpeg",
    "ogg": "audio/ogg",
    "otf": "font/otf",
    "png": "image/png",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
    "txt": "text/plain",
    "wav": "audio/wav",
    "webp": "image/webp",
    "woff2": "font/woff2",
}
"""The media types of the files that a page may have, by file name extension."""

NO_NAME: Final = f"the name of a file of a page must end in {', '.join(TYPES)}\n"
"""The response for a file name that a page cannot have."""

MAX_FILE: Final = 1 << 25  # maximum size of a file of a page, in bytes

POLICY: Final = (
    "sandbox allow-scripts allow-forms allow-pointer-lock; default-src 'none'; script-src 'self';"
    " style-src 'self'; img-src 'self' data: blob:; font-src 'self'; media-src 'self';"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""The Content-Security-Policy of all files of a page. Chromium 156 has no directive that
blocks WebRTC.
"""

_NAME: Final = re.compile(r"(?:\w[\w.-]*/)*\w[\w.-]*\.(\w+)")


class Face(StaticFiles):
    """Sends the files of a page to browsers.

    Args:
        folder: The folder of the files. `index.html` is the page itself.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, check_dir=False)

    @override
    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file with a name, or the reason why it is not served."""
        name = _NAME.fullmatch(path or "index.html")
        kind = TYPES.get(name[1].casefold()) if name else None
        if name is None or kind is None:
            return PlainTextResponse(NO_NAME, 404)
        try:
            answer = await super().get_response(name[0], scope)
        except HTTPException as error:
            if error.status_code != 404:
                raise
            return PlainTextResponse("file not found\n", 404)
        if isinstance(answer, FileResponse):
            if answer.stat_result is None or answer.stat_result.st_size > MAX_FILE:
                return PlainTextResponse(f"a file of a page has at most {MAX_FILE} bytes\n", 404)
            if kind.startswith("text/"):
                kind += "; charset=utf-8"
            answer.headers["content-type"] = kind
        answer.headers["content-security-policy"] = POLICY
        answer.headers["x-frame-options"] = "SAMEORIGIN"
        answer.headers["x-dns-prefetch-control"] = "off"
        return answer
