"""Tables for players in browsers, and the window next to a terminal.

Each table is a `tabletop.table.MatchTable`, with a link for each of its seats. Links cannot be
guessed. The screens of a link receive only information that the seat may have. A `WebServer` keeps
many tables and a lobby where people open them. A `LocalWindow` displays one table that is also
played elsewhere. `graphics_session` opens it for a program with the option that
`add_graphics_option` declares. The rules and the table do not depend on the web.

Everything except that option needs the extra `web` (Starlette, uvicorn, websockets). Without it,
importing another name of this package raises `MissingExtra`.
"""

from typing import TYPE_CHECKING

from tabletop.host.extras import lazy_attributes
from tabletop.web.graphics_option import NEEDED, Graphics, add_graphics_option, graphics_session

__all__ = [
    "CannotListen",
    "Graphics",
    "Limits",
    "LocalWindow",
    "OfferedGames",
    "TableRequest",
    "WebServer",
    "add_graphics_option",
    "graphics_session",
    "is_everywhere",
    "is_loopback",
]

if TYPE_CHECKING:
    from tabletop.web.app import is_everywhere, is_loopback
    from tabletop.web.limits import Limits
    from tabletop.web.lobby import OfferedGames, TableRequest
    from tabletop.web.local_window import LocalWindow
    from tabletop.web.server import CannotListen, WebServer
else:
    # Programs with the option import this package at each start, but rarely need a server.
    __getattr__, __dir__ = lazy_attributes(
        __name__,
        "a table in a browser",
        "web",
        *NEEDED,
    )
