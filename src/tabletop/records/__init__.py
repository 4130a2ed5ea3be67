"""Records of matches: a save, a bug report and a test at once.

`format` has the lines, `file` reads and writes them, `journal` records a match as it is played,
`replay` plays it again. `draw_log` logs every draw as well, and `compare` finds where two matches
diverge. A line is on its way to the disk before its move is shown, so a killed program loses
nothing; an incomplete last line is dropped.
"""
