"""Where people sit at a terminal: the front of a session there, its skins, and what programs share.

| module | what is in it |
|---|---|
| `console`, `editing` | lines in, lines out; how a line is edited at a real terminal |
| `skin`, `front` | what a game or a program may change; the front itself |
| `sitting` | a match from its first line to its last: played, recorded, scored |
| `programs`, `parsers`, `textfiles` | exit statuses and guarding; options; files of text |
"""
