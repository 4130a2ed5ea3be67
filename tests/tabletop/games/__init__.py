"""Small games for tests: `rps`, `race`, `cards`, `sealed` and `walk`, each with a `GAME`."""
