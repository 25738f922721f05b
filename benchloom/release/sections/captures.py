"""Section: downloaded pages, by site, response and month."""

from benchloom.release.describing.counting import count_pairs, count_values, ranked_values
from benchloom.release.describing.figures import Figure, Section, biggest_columns, crossed
from benchloom.release.describing.tables import ReleaseTables

TABLES = ("captures",)
ORDER = 80


def section(tables: ReleaseTables) -> Section:
    """Return the statistics of captures."""
    sites = count_values(tables, "captures", "site")
    by_month = count_pairs(tables, "captures", "fetched_at", "site", letters=len("2024-01"))
    months, month_sites = biggest_columns(by_month, "other sites")
    return Section(
        "captures",
        "Captures",
        "A capture is one response of a web server, stored unchanged.",
        (
            Figure("captures.rows", "captures", tables.rows()["captures"]),
            Figure("captures.sites", "sites and services", len(sites)),
        ),
        (ranked_values(tables, "captures.status", "HTTP status", "captures"),),
        (
            crossed(
                "captures.month",
                "Captures by month",
                "captures",
                months,
                row="month",
                column="site",
                columns=month_sites,
                rows=sorted({month for month, _ in months}),
            ),
        ),
    )
