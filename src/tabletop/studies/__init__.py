"""Studies: very many matches between bots, on one machine or a cluster, and what they say.

    study = simulate("sorcery", 1000, "my-study", bots=["duelist", "random"])
    study.table(["winners", "plies"])

A `Series` says which matches; `simulate` plays them into the folder of a `Study`. They need the
extra `studies`, and `cluster` for Dask.
"""

from tabletop.studies.series import COLUMNS, KINDS, Metric, Row, Series, StudyError
from tabletop.studies.simulate import Progress, simulate
from tabletop.studies.store import Manifest, Study

__all__ = [
    "COLUMNS",
    "KINDS",
    "Manifest",
    "Metric",
    "Progress",
    "Row",
    "Series",
    "Study",
    "StudyError",
    "simulate",
]
