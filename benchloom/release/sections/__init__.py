"""Build the sections of a release's report. Each module of this folder builds one section.

A module defines `TABLES`, the tables it needs, `ORDER`, the position of its section, and
`section(tables) -> Section`. Modules are discovered by file name, and a name begins with the name
of a table. A module is imported only if the release has rows of all its tables. A table without a
module gets a section that counts the values of columns with few distinct values.
"""

from typing import Protocol, runtime_checkable

from benchloom.core.kinds import Kind
from benchloom.release.descriptions.counting import TableSection
from benchloom.release.descriptions.figures import Section
from benchloom.release.descriptions.tables import ReleaseTables
from benchloom.storage.tables import load_table, table_names


@runtime_checkable
class SectionMember(Protocol):
    """The interface of a module in this folder, which builds a section of the report."""

    TABLES: tuple[str, ...]
    ORDER: int

    def section(self, tables: ReleaseTables) -> Section:
        """Return the section for a release that has rows of all `TABLES`."""


SECTIONS = Kind("section", __name__, SectionMember, claims=lambda member: (member.ORDER,))


def release_sections(tables: ReleaseTables) -> tuple[Section, ...]:
    """Return all sections of a release's report, in the order in which the report shows them."""
    filled_tables = [table for table, rows in tables.rows().items() if rows]
    covered_tables: set[str] = set()
    sections: list[Section] = []
    members = SECTIONS.apart_from({*table_names()}.difference(filled_tables)).values()
    for member in sorted(members, key=lambda member: member.ORDER):
        covered_tables.update(member.TABLES)
        if all(table in filled_tables for table in member.TABLES):
            sections.append(member.section(tables).without_empty())
    sections += [
        _plain(tables, table).without_empty()
        for table in filled_tables
        if table not in covered_tables
    ]
    return tuple(sections)


def _plain(tables: ReleaseTables, table: str) -> Section:
    definition = load_table(table)
    section = TableSection(tables, table)
    section.figure("rows", "rows", section.rows)
    for column in definition.columns:
        if column.repetitive and column.item_type == "string":
            section.ranked(column.name, f"{table} by {column.name}", "rows")
    return section.section(table, definition.description)
