"""Check that every section gives its own figures, the same on every run, in its order."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from benchloom.release.descriptions import ReleaseTables
from benchloom.release.descriptions.figures import Section
from benchloom.release.gates import view_gate
from benchloom.release.manifest import read_manifest
from benchloom.release.sections import SECTIONS, SectionMember, release_sections
from benchloom.storage.tables import table_names
from tests.support.samples.described import build, icloud_id, listings, other_rows, shortcuts


def described_tables(folder: Path) -> ReleaseTables:
    """Return the tables of a release with rows for every section."""
    apis = sorted({action.identifier for row in shortcuts() for action in row.actions})
    links = [{"icloud_id": icloud_id(0), "state": "available"}]
    rows = {"listings": listings(), "icloud_records": links, **other_rows(apis)}
    release = build(folder, rows)
    return view_gate(release, read_manifest(release)).tables


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> ReleaseTables:
    return described_tables(tmp_path_factory.mktemp("release"))


def reads_existing_tables(member: SectionMember, tables: ReleaseTables) -> None:
    assert member.TABLES
    module = str(vars(member)["__name__"]).rpartition(".")[2]
    assert f"{module}_".startswith(f"{member.TABLES[0]}_"), "it is never imported"
    assert set(member.TABLES) <= set(table_names())
    assert set(member.TABLES) <= set(tables.rows()), "nothing to show it on"


def gives_figures_with_its_own_keys(member: SectionMember, tables: ReleaseTables) -> None:
    section = member.section(tables)
    assert section.key
    assert section.title
    assert section.text
    keys = [figure.key for figure in section.figures]
    keys += [chart.key for chart in section.charts]
    keys += [cross.key for cross in section.crosses]
    assert keys
    assert len(set(keys)) == len(keys)
    assert all(key.startswith(f"{section.key}.") for key in keys)


def gives_equal_figures_on_every_run(member: SectionMember, tables: ReleaseTables) -> None:
    assert member.section(tables) == member.section(tables)


def appears_in_its_order(member: SectionMember, tables: ReleaseTables) -> None:
    section_keys = section_keys_of(tables)
    assert len(set(section_keys)) == len(section_keys)
    ordered = sorted(SECTIONS.all().values(), key=lambda other: other.ORDER)
    expected = [key_of(other.section, tables) for other in ordered]
    assert [key for key in section_keys if key in expected] == expected
    assert key_of(member.section, tables) in section_keys


@cache
def section_keys_of(tables: ReleaseTables) -> list[str]:
    """Return the keys of a release's sections, computed once for all members."""
    return [section.key for section in release_sections(tables)]


@cache
def key_of(section: Callable[[ReleaseTables], Section], tables: ReleaseTables) -> str:
    return section(tables).key


SUITE = (
    reads_existing_tables,
    gives_figures_with_its_own_keys,
    gives_equal_figures_on_every_run,
    appears_in_its_order,
)


@pytest.mark.parametrize("claim", SUITE)
@pytest.mark.parametrize("name", SECTIONS.names())
def test_contract(
    name: str, claim: Callable[[SectionMember, ReleaseTables], None], tables: ReleaseTables
) -> None:
    claim(SECTIONS.find(name), tables)
