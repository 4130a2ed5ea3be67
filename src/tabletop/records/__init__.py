"""Records of matches: a save, a bug report and a test at once.

`format` has the lines, `file` reads and writes them, `journal` writes a match down as it is played,
`replay` plays it again. `draw_log` notes every draw as well, and `compare` says where two matches
part. A line is on its way to the disk before its move is shown, so a killed program loses nothing;
an incomplete last line is dropped.
"""
