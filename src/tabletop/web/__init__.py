"""The web server: tables that people play at in their browsers.

Each seat of a table has a link that cannot be guessed. Its screens are sent what the seat may know,
and nothing else. A table is a session, and each link a client of it; neither the rules nor the
session know of the web. Needs the extra `web` (Starlette, uvicorn, websockets).

- `server`: listening, uvicorn, and the server with its lobby
- `app`: routes, and checks of requests (Host, Origin)
- `socket`: the conversation with one screen
- `messages`: the JSON messages of that conversation
- `client`: the people behind one link, and their screens
- `render`: the state message: picture, legal actions, outcome
- `table`: one table: clients, clocks, who is there
- `bots`: the bots of a table, and their hints
- `tables`: all tables: opened, found again, put away
- `store`: saved tables, a file for each
- `lobby`: the games on offer, and requests for tables
- `tokens`, `limits`: links that nobody can guess; how much a client may do
- `local_window`: a window on a session that is played elsewhere
"""

from tabletop.host.extras import require

require("a table in a browser", "web", "starlette", "uvicorn", "websockets")
