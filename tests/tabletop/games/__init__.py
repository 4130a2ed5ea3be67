"""Small games for tests: `rps`, `race`, `cards` and `walk`, each with a `GAME`."""
