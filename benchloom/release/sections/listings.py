"""Section: shortcuts listed on sharing sites, by site, category and time."""

from collections import Counter

from benchloom.release.describing.counting import (
    count_filled,
    count_pairs,
    count_values,
    ranked_values,
    without_missing,
)
from benchloom.release.describing.figures import Figure, Section, biggest_columns, crossed, ranked
from benchloom.release.describing.tables import ReleaseTables

TABLES = ("listings",)
ORDER = 20


def section(tables: ReleaseTables) -> Section:
    """Return the statistics of listings."""
    rows = tables.rows()["listings"]
    sites = count_values(tables, "listings", "site")
    categories = count_values(tables, "listings", "category")
    credited = count_filled(tables, "listings", "author_credit")
    years, year_sites = biggest_columns(_years(tables), "other sites")
    linked = count_filled(tables, "listings", "icloud_id")
    return Section(
        "listings",
        "Listings",
        "A listing is the entry of a sharing site about one shortcut.",
        (
            Figure("listings.rows", "listings", rows),
            Figure("listings.sites", "sites", len(sites)),
            Figure("listings.categories", "categories", len(without_missing(categories))),
            Figure("listings.credited", "with an author credit", credited),
            Figure("listings.linked", "with an iCloud link", linked),
        ),
        (
            ranked("listings.site", "Listings by site", "listings", sites),
            ranked("listings.category", "Listings by category", "listings", categories),
            ranked_values(tables, "listings.state", "State of listings", "listings"),
        ),
        (
            crossed(
                "listings.year",
                "Sites over time: year of the last update",
                "listings",
                years,
                row="year",
                column="site",
                columns=year_sites,
                rows=sorted({year for year, _ in years}),
            ),
        ),
    )


def _years(tables: ReleaseTables) -> Counter[tuple[str, str]]:
    years: Counter[tuple[str, str]] = Counter()
    pair_counts = count_pairs(tables, "listings", "updated", "site", letters=len("2024"))
    for (year, site), count in pair_counts.items():
        if year.isdigit():
            years[year, site] += count
    return years
