"""A session at a terminal: its client, its commands and screens, and parts shared by programs.

| module | what is in it |
|---|---|
| `play` | `TerminalGame`: a match from its first line to its last, played, recorded and scored |
| `loop`, `client` | asks people and bots until the match is over; its place at the session |
| `ui`, `commands` | what a game may change of that; the commands of every table |
| `console`, `editor`, `async_lines` | lines in and out; a line edited, or read beside a loop |
| `programs`, `args` | exit statuses; options of command lines |
"""
