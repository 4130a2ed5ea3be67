"""Games that `tabletop new` begins with, and the files around them.

`board.py`, `cards.py` and `dice.py` are games of this project, checked
and tested as all its code. A new package is a copy with a name of its
own in the place of `my-game`, `my_game` and `My game`.
"""
