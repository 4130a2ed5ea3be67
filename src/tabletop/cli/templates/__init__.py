"""Template games for `tabletop new`, and the files around them.

`board`, `cards` and `dice` are complete games. They are type-checked
and tested like all code of this project. A new package is a copy of
one of them: `my-game`, `my_game`, `My game` and the module path of the
template are replaced by the new name. The modules import each other
with relative imports, so that the copies work without changes.
"""
