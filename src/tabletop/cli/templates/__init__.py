"""Games that `tabletop new` begins with, and the files around them.

`board`, `cards` and `dice` are games of this project, checked and
typed as all its code. A new package is a copy with a name of its own
in the place of `my-game`, `my_game` and `My game`, and of the place
where such a game lies here. Its modules import each other by a dot, as
`from .rules import Rules`: so they need no change.
"""
