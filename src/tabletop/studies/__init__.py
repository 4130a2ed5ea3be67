"""Studies: very many matches between bots, on one machine or a cluster, and what they say.

    bots = ["duelist", "random"]
    study = simulate("sorcery", 1000, "my-study", bots=bots)
    study.table(["winners", "plies"])

A `Series` says which matches; `simulate` plays them into the folder of a `Study`; `report` writes a
page about it. `tournament` says which bot is stronger, and `compare_teams` where all win or lose
together; `compare` says what other rules change, and `vary` what each of several options does;
`tune` says which weights of a bot are better; a `catalog` tells what seeds hold before the first
move. All but the catalogue needs the extra `studies`, and `cluster` for Dask.
"""

from typing import TYPE_CHECKING

from tabletop.host.extras import imported_late
from tabletop.studies.catalogues import (
    CatalogError,
    Condition,
    catalog,
    count_of,
    each_of,
    read_seeds,
)
from tabletop.studies.series import COLUMNS, KINDS, Metric, Row, Series, StudyError
from tabletop.studies.simulating import Progress, simulate
from tabletop.studies.store import Manifest, Study
from tabletop.studies.workers import Cluster, Here, Pool, Workers, workers_for

__all__ = [
    "COLUMNS",
    "KINDS",
    "CatalogError",
    "Cluster",
    "Condition",
    "Difference",
    "Estimate",
    "Here",
    "Manifest",
    "Metric",
    "Pairing",
    "Pool",
    "Progress",
    "Row",
    "Series",
    "Study",
    "StudyError",
    "StudyInterrupted",
    "Team",
    "Tournament",
    "Tuned",
    "Workers",
    "catalog",
    "compare",
    "compare_teams",
    "count_of",
    "each_of",
    "matches_needed",
    "read_seeds",
    "report",
    "simulate",
    "tournament",
    "tune",
    "vary",
    "wilson",
    "workers_for",
]

if TYPE_CHECKING:
    from tabletop.studies.comparisons import (
        Pairing,
        StudyInterrupted,
        Team,
        Tournament,
        compare_teams,
        tournament,
    )
    from tabletop.studies.report_page import report
    from tabletop.studies.rule_comparisons import Difference, compare, vary
    from tabletop.studies.statistics import Estimate, matches_needed, wilson
    from tabletop.studies.tuning import Tuned, tune
else:
    __getattr__ = imported_late(
        __name__,
        {
            "comparisons": "Pairing StudyInterrupted Team Tournament compare_teams tournament",
            "report_page": "report",
            "rule_comparisons": "Difference compare vary",
            "statistics": "Estimate matches_needed wilson",
            "tuning": "Tuned tune",
        },
        "a study",
        "studies",
        "numpy",
    )
