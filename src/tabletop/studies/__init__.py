"""Studies: play thousands of matches between bots, on one machine or a cluster, and evaluate them.

    bots = ["duelist", "random"]
    study = simulate("sorcery", 1000, "my-study", bots=bots)
    study.table(["winners", "plies"])

A `Series` describes the matches, `simulate` plays them and stores the results in the folder of a
`Study`, and `report` writes an HTML page about a study. `tournament` ranks bots, and
`compare_teams` does the same for cooperative games. `compare` measures the difference between two
bots, options or versions of the rules, `vary` measures the effects of several values of options,
and `tune` searches for better weights for a bot. `catalog` lists the initial setup for a range of
seeds. Everything except `catalog` needs the extra `studies`, and Dask needs the extra `cluster`.
"""

from typing import TYPE_CHECKING

from tabletop.host.extras import lazy_attributes
from tabletop.studies.catalogues import (
    CatalogError,
    Condition,
    catalog,
    count_seeds,
    expand_seeds,
    read_seeds,
)
from tabletop.studies.series import COLUMNS, KINDS, Metric, Row, Series, StudyError
from tabletop.studies.simulating import Progress, simulate
from tabletop.studies.store import Manifest, Study
from tabletop.studies.workers import Cluster, LocalWorkers, Pool, Workers, workers_for

__all__ = [
    "COLUMNS",
    "KINDS",
    "CatalogError",
    "Cluster",
    "Condition",
    "Difference",
    "Estimate",
    "LocalWorkers",
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
    "count_seeds",
    "expand_seeds",
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
    __getattr__, __dir__ = lazy_attributes(
        __name__,
        "a study",
        "studies",
        "numpy",
    )
