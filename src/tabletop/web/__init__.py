"""The browser front of a session, and the server of its pages.

A table is a session whose fronts sit at the other end of a wire: each seat has a link that cannot
be guessed, and is sent what it may know, and no more. Rules know nothing of it, and neither does
the session: it is one more front. Needs the extra `web` (Starlette, uvicorn, websockets).

| module | what is in it |
|---|---|
| `hosting` | a server with a lobby and many tables |
| `beside` | a server for one session, beside a terminal or another program |
| `house` | all tables of a server: opened, found again, put away |
| `table` | one table: its fronts, bots, clocks, who is there |
| `front` | the front of a session that its screens look at |
| `talking` | what a screen asks for, and what it is sent |
| `app`, `guard`, `serving` | HTTP: routes, who may ask, and running it |
"""
