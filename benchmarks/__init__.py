"""Measure speed, beside others measured in the same minute: `python -m benchmarks`.

Each module but `common` measures one subject: it has a `TITLE`, and a function `run` that is given
the seconds each contender may take and gives the rows of its table.
"""
