"""The accelerated wheel: the leaves of `src/`, compiled by mypyc from the same sources.

`make compiled` builds it into `dist/`, `python -m compiled test` runs the test suite on it.
CONTRIBUTING.md says what can be compiled, and `compiled.modules` what is.
"""
