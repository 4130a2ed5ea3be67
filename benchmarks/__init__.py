"""Benchmarks that compare speeds in the same minute: `python -m benchmarks`.

Each module except `common` measures one subject. It has a `TITLE` and a function `run`, which takes
the seconds per contender and yields the rows of its table.
"""
