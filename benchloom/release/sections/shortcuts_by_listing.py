"""The section of a release's report about shortcuts that sharing sites list.

Shortcuts are joined to their listings by iCloud ids.
"""

from collections import Counter
from collections.abc import Sequence

from benchloom.core.plain_words import ABSENT
from benchloom.release.descriptions.counting import name_of
from benchloom.release.descriptions.figures import Cross, Figure, Section, crossed
from benchloom.release.descriptions.tables import ReleaseTables, TableFile
from benchloom.release.sections.shortcuts import LEVELS

TABLES = ("shortcuts", "listings")
ORDER = 30


def section(tables: ReleaseTables) -> Section:
    """Count listed shortcuts by site, category and level of difficulty, and return the section.

    This takes about 100 bytes of memory per iCloud id.
    """
    listed_rows = sum(file.rows for file in tables.table_files("listings"))
    levels = _levels(tables) if listed_rows else {}
    sites: Counter[tuple[str, str]] = Counter()
    categories: Counter[tuple[str, str]] = Counter()
    listed: set[int] = set()
    counted_levels: set[tuple[int, str, str]] = set()
    for rows in tables.each("listings", list[tuple[str, str, str]], _listed_rows):
        for site, category, icloud_id in rows:
            for number, level in levels.get(icloud_id, ()):
                listed.add(number)
                for kind, name, counts in (
                    ("site", site, sites),
                    ("category", category, categories),
                ):
                    if (number, kind, name) not in counted_levels:
                        counted_levels.add((number, kind, name))
                        counts[name, level] += 1
    site_levels = {level for _, level in sites}
    columns = [level for level in LEVELS if level in site_levels]
    return Section(
        "shortcuts_by_listing",
        "Shortcuts by site and category",
        "A shortcut in several sites or categories is counted once in each of them.",
        (Figure("shortcuts_by_listing.rows", "listed shortcuts", len(listed)),),
        (),
        (
            _level_table("site", sites, columns, 15),
            _level_table("category", categories, columns, 20),
        ),
    )


def _level_table(
    row: str, counts: Counter[tuple[str, str]], columns: Sequence[str], most: int
) -> Cross:
    key, title = f"shortcuts_by_listing.{row}_level", f"Levels by {row}"
    return crossed(
        key, title, "shortcuts", counts, row=row, column="level", columns=columns, most=most
    )


def _levels(tables: ReleaseTables) -> dict[str, list[tuple[int, str]]]:
    levels_by_id: dict[str, list[tuple[int, str]]] = {}
    start = 0
    for file in tables.table_files("shortcuts"):
        for number, icloud_id, level in file.cached_result(
            list[tuple[int, str, str]], _shared_rows
        ):
            levels_by_id.setdefault(icloud_id, []).append((start + number, level))
        start += file.rows
    return levels_by_id


def _shared_rows(file: TableFile) -> list[tuple[int, str, str]]:
    shared_rows: list[tuple[int, str, str]] = []
    for number, (icloud_ids, level) in enumerate(file.values(["icloud_ids", "level"])):
        name = ABSENT if level is None else str(level)
        shared_rows += [(number, icloud_id, name) for icloud_id in icloud_ids]
    return shared_rows


def _listed_rows(file: TableFile) -> list[tuple[str, str, str]]:
    rows = file.values(["site", "category", "icloud_id"])
    return [(a, name_of(b), c) for a, b, c in rows if c is not None]
