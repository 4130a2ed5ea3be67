"""Tables that people play at in their browsers, and the window beside a terminal.

A table is a session, and each link to one of its seats is a client of that session. A link cannot
be guessed, and its screens are sent what the seat may know, and nothing else. A `WebServer` keeps
many tables and a lobby where they are opened; a `LocalWindow` shows one session that is played
elsewhere as well, and `graphics_session` opens it for a program with the option that
`add_graphics_option` declares. Neither the rules nor the session know of the web.

All but that option needs the extra `web` (Starlette, uvicorn, websockets): where it is not
installed, to import another name of these raises `MissingExtra`.
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
    # A program with the option imports this package whenever it starts, and a server seldom.
    __getattr__, __dir__ = lazy_attributes(
        __name__,
        "a table in a browser",
        "web",
        *NEEDED,
    )
