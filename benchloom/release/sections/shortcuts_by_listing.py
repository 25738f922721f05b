"""Section: shortcuts joined to their listings through iCloud ids."""

from collections import Counter

from benchloom.release.describing.counting import ABSENT, name_of
from benchloom.release.describing.figures import Figure, Section, crossed
from benchloom.release.describing.tables import ReleaseTables
from benchloom.release.sections.shortcuts import LEVELS

TABLES = ("shortcuts", "listings")
ORDER = 30


def section(tables: ReleaseTables) -> Section:
    """Levels of listed shortcuts by site and by category.

    Memory grows with the iCloud ids of the release, about 100 bytes each.
    """
    levels = _levels(tables)
    sites: Counter[tuple[str, str]] = Counter()
    categories: Counter[tuple[str, str]] = Counter()
    listed: set[int] = set()
    seen: set[tuple[int, str, str]] = set()
    for batch in tables.batches("listings", ["site", "category", "icloud_id"], rows=4096):
        columns = (batch.column(name).to_pylist() for name in ("site", "category", "icloud_id"))
        for site, category, icloud_id in zip(*columns, strict=True):
            for number, level in levels.get(icloud_id, ()):
                listed.add(number)
                for kind, name, counts in (
                    ("site", site, sites),
                    ("category", name_of(category), categories),
                ):
                    if (number, kind, name) not in seen:
                        seen.add((number, kind, name))
                        counts[name, level] += 1
    found = {level for _, level in sites}
    columns_shown = [level for level in LEVELS if level in found]
    return Section(
        "shortcuts_by_listing",
        "Shortcuts by site and category",
        "A shortcut that several sites or categories list counts once in each.",
        (Figure("shortcuts_by_listing.rows", "listed shortcuts", len(listed)),),
        (),
        (
            crossed(
                "shortcuts_by_listing.site_level",
                "Levels by site",
                "shortcuts",
                sites,
                row="site",
                column="level",
                columns=columns_shown,
            ),
            crossed(
                "shortcuts_by_listing.category_level",
                "Levels by category",
                "shortcuts",
                categories,
                row="category",
                column="level",
                columns=columns_shown,
                most=20,
            ),
        ),
    )


def _levels(tables: ReleaseTables) -> dict[str, list[tuple[int, str]]]:
    """Row number and level of the shortcuts behind each iCloud id."""
    found: dict[str, list[tuple[int, str]]] = {}
    number = 0
    for batch in tables.batches("shortcuts", ["icloud_ids", "level"], rows=4096):
        columns = (batch.column(name).to_pylist() for name in ("icloud_ids", "level"))
        for icloud_ids, level in zip(*columns, strict=True):
            for icloud_id in icloud_ids:
                name = ABSENT if level is None else str(level)
                found.setdefault(icloud_id, []).append((number, name))
            number += 1
    return found
