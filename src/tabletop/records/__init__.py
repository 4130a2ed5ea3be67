"""Records of matches: their format, reading and replaying them, writing them as a match goes.

`entries` tells what stands in one, `reading` reads it, `record` replays it, `journal` writes it.
"""
