"""The section of a release's report about results that services returned in dialogues."""

from typing import get_args

from benchloom.core.records import ServiceOutcome
from benchloom.release.descriptions.counting import TableSection
from benchloom.release.descriptions.figures import Section
from benchloom.release.descriptions.tables import ReleaseTables

TABLES = ("service_results",)
ORDER = 53
OUTCOMES: tuple[str, ...] = get_args(ServiceOutcome)


def section(tables: ReleaseTables) -> Section:
    """Count results of service calls by outcome, size and service, and return the section."""
    table = TableSection(tables, "service_results")
    outcomes, sizes = table.values("outcome"), table.sizes("rows")
    services = table.pairs("service", "outcome")
    table.figure("rows", "calls", table.rows)
    table.figure("services", "services", len({service for service, _ in services}))
    returned = sum(size * count for size, count in sizes.items())
    table.figure("given", "returned rows", returned)
    table.ordered("outcome", "Outcomes of calls", "calls", outcomes, OUTCOMES)
    table.spans("size", "Rows per result", "calls", (0, 1, 2, 3, 4, 5, 6, 11), sizes)
    table.ranked("licence", "Licences of the rows", "calls")
    table.crossed(
        "service",
        "Most called services",
        "calls",
        services,
        row="service",
        column="outcome",
        columns=[outcome for outcome in OUTCOMES if outcome in outcomes],
    )
    table.splits("Calls by source and split", "calls")
    return table.section(
        "Results of services",
        "Recorded results of each service call of a dialogue; a query may find nothing, and a "
        "transaction may fail.",
    )
