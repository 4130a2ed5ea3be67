"""Small games for tests: `rps`, `race`, `cards`, `sealed`, `stale` and `walk`.

Each module has a `GAME` or a `PLUGIN`.
"""
