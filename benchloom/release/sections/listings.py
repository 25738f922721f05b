"""The section of a release's report about listings, the entries of sharing sites."""

from benchloom.release.descriptions.counting import TableSection, without_missing
from benchloom.release.descriptions.figures import Section
from benchloom.release.descriptions.tables import ReleaseTables

TABLES = ("listings",)
ORDER = 20


def section(tables: ReleaseTables) -> Section:
    """Count listings (entries of sharing sites) by site, category and year; return the section."""
    table = TableSection(tables, "listings")
    sites, categories = table.values("site"), table.values("category")
    table.figure("rows", "listings", table.rows)
    table.figure("sites", "sites", len(sites))
    table.figure("categories", "categories", len(without_missing(categories)))
    table.figure("credited", "with an author credit", table.filled("author_credit"))
    table.figure("linked", "with an iCloud link", table.filled("icloud_id"))
    table.ranked("site", "Listings by site", "listings", sites)
    table.ranked("category", "Listings by category", "listings", categories)
    table.ranked("state", "State of listings", "listings")
    pairs = table.pairs("updated", "site", letters=len("2024"))
    years = {(year, site): count for (year, site), count in pairs.items() if year.isdigit()}
    table.sites_by("year", "Sites over time: year of the last update", "listings", years)
    text = "A listing is the entry of a sharing site about one shortcut."
    return table.section("Listings", text)
