"""Section: the results that services returned to the recorded calls of dialogues."""

from typing import get_args

from benchloom.core.records import ServiceOutcome
from benchloom.release.describing.counting import (
    Spans,
    count_pairs,
    count_values,
    crossed_splits,
    list_sizes,
    ranked_values,
)
from benchloom.release.describing.figures import Figure, Section, crossed, ordered
from benchloom.release.describing.tables import ReleaseTables

TABLES = ("service_results",)
ORDER = 53

_ROWS = Spans([0, 1, 2, 3, 4, 5, 6, 11])


def section(tables: ReleaseTables) -> Section:
    """Return the statistics of results of services."""
    table = "service_results"
    outcomes = count_values(tables, table, "outcome")
    services = count_pairs(tables, table, "service", "outcome")
    sizes = list_sizes(tables, table, "rows")
    return Section(
        table,
        "Results of services",
        "Recorded results of each service call of a dialogue; a query may find nothing, and a "
        "transaction may fail.",
        (
            Figure(f"{table}.rows", "calls", tables.rows()[table]),
            Figure(f"{table}.services", "services", len({service for service, _ in services})),
            Figure(
                f"{table}.given",
                "returned rows",
                sum(size * count for size, count in sizes.items()),
            ),
        ),
        (
            ordered(
                f"{table}.outcome", "Outcomes of calls", "calls", outcomes, get_args(ServiceOutcome)
            ),
            _ROWS.chart(f"{table}.size", "Rows per result", "calls", sizes),
            ranked_values(tables, f"{table}.licence", "Licences of the rows", "calls"),
        ),
        (
            crossed(
                f"{table}.service",
                "Most called services",
                "calls",
                services,
                row="service",
                column="outcome",
                columns=[outcome for outcome in get_args(ServiceOutcome) if outcome in outcomes],
            ),
            crossed_splits(tables, f"{table}.split", "Calls by source and split", "calls"),
        ),
    )
