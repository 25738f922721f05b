"""A gate finds the same in a forged release whether or not it remembers the sound release."""

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchloom.release import check_release, read_manifest
from benchloom.release.gates import GATES, gate_findings, view_gate
from benchloom.release.manifest import write_manifest
from benchloom.storage.inputs import SourceFile
from benchloom.storage.memory import remembering
from benchloom.storage.tables import load_table, table_parts
from flows.stages.release import FURTHER_GATES
from tests.flows.releases.test_gates import (
    DAMAGES,
    Row,
    another_length,
    copied,
    damage,
    entry,
    findings_of,
    seal,
)
from tests.flows.releases.test_redacted_release import KEY, forge, forge_document

pytestmark = pytest.mark.prefect
Forge = Callable[[Path], str]
"""Changes a release, seals it anew, and gives back what a finding must name."""


def rows_of(table: str, change: Callable[[list[Row]], str]) -> Forge:
    return lambda folder: damage(folder, table, change)


def another_workflow(rows: list[Row]) -> str:
    rows[0]["workflow"] += "\nand one more action"
    return "the workflow text does not match the actions"


def a_key_in_a_workflow(rows: list[Row]) -> str:
    rows[0]["workflow"] += f"\n{KEY}"
    return "still contains: a reference, workflow"


def a_person_by_name(rows: list[Row]) -> str:
    rows[0]["check"] = "human:anna"
    rows.sort(key=lambda row: (row["target_id"], row["check"]))
    return "a person is not identified by a number"


def the_digest_of_a_listing(rows: list[Row]) -> str:
    row = rows[-1]
    row |= {"reason": "opted_out", "digest": WITHHELD[0]}
    names = ("stage", "source_uri", "reason", "digest", "message")
    rows.sort(key=lambda one: [one[name] or "" for name in names])
    return f"{WITHHELD[0]} is withheld"


WITHHELD: list[str] = []


def something_withheld(folder: Path) -> str:
    (part, *_) = table_parts(folder, "shortcuts")
    WITHHELD[:] = pq.read_table(part, columns=["source_digest"])[0].to_pylist()[:1]
    return damage(folder, "rejected", the_digest_of_a_listing)


def a_null(folder: Path) -> str:
    part = table_parts(folder, "apps")[0]
    rows = pq.read_table(part).to_pylist()
    rows[0]["shortcuts"] = None
    pq.write_table(pa.Table.from_pylist(rows, load_table("apps").arrow_schema()), part)
    seal(folder, [entry(folder, part, "apps", len(rows))])
    return f"apps/{part.name}: column shortcuts contains null"


def one_row_more_than_told(folder: Path) -> str:
    part = table_parts(folder, "apps")[0]
    rows = pq.read_table(part).num_rows + 1
    seal(folder, [entry(folder, part, "apps", rows)])
    return f"apps/{part.name}: contains {rows - 1} rows, but the manifest states {rows}"


def a_file_twice(folder: Path) -> str:
    (part,) = table_parts(folder, "verdicts")
    written = []
    for number in range(2):
        target = part.with_name(f"unsplit-0000{number}-of-00002.parquet")
        shutil.copyfile(part, target)
        written.append(entry(folder, target, "verdicts", pq.read_metadata(part).num_rows))
    part.unlink()
    seal(folder, written)
    return "occurs twice"


def splits_that_changed_names(folder: Path) -> str:
    first, second = table_parts(folder, "shortcuts")[:2]
    swapped = folder / "swapped"
    first.rename(swapped)
    second.rename(first)
    swapped.rename(second)
    parts = table_parts(folder, "shortcuts")
    seal(folder, [entry(folder, p, "shortcuts", pq.read_metadata(p).num_rows) for p in parts])
    return f"shortcuts/{first.name}: contains a row of split"


def a_page_that_runs_something(folder: Path) -> str:
    page = folder / "report.html"
    page.write_text(page.read_text().replace("</main>", "<script>alert(1)</script></main>", 1))
    seal(folder, [entry(folder, page)])
    return "report.html: line"


def a_page_of_that_name_that_is_another(folder: Path) -> str:
    """A page that is known to be sound, in the place of data."""
    page = folder / "croissant.json"
    shutil.copyfile(folder / "report.html", page)
    seal(folder, [entry(folder, page)])
    return "croissant.json: is not valid JSON"


def a_card_without_a_licence(folder: Path) -> str:
    card = folder / "README.md"
    lines = [line for line in card.read_text().splitlines(keepends=True) if line[:5] != "licen"]
    card.write_text("".join(lines))
    seal(folder, [entry(folder, card)])
    return "README.md: 'license' differs from the details in the manifest"


def a_source_by_a_key(folder: Path) -> str:
    manifest = read_manifest(folder)
    source = SourceFile(source_uri=f"{KEY}/x.json", digest=f"file:sha256:{64 * '0'}", size=1)
    origin = msgspec.structs.replace(
        manifest.created_from, sources=(*manifest.created_from.sources, source)
    )
    write_manifest(folder, msgspec.structs.replace(manifest, created_from=origin))
    return "manifest.json: a source still contains: aws_key 1"


def a_definition_that_takes_nothing(folder: Path) -> str:
    """Plans are known to be sound beside other definitions."""

    def change(rows: list[Row]) -> str:
        for row in rows:
            row["parameters"] = []
        return "unknown_argument"

    return damage(folder, "api_definitions", change)


FORGED: dict[str, tuple[str, Forge]] = {
    **{name: (gate, rows_of(table, change)) for name, (gate, table, change) in DAMAGES.items()},
    "length": ("derived", rows_of("shortcuts", another_length)),
    "workflow": ("workflow", rows_of("shortcuts", another_workflow)),
    "key_in_workflow": ("redaction", rows_of("shortcuts", a_key_in_a_workflow)),
    "key_in_cell": ("redaction", forge("listings", "description", f"ask {KEY}")),
    "key_in_page": ("redaction", forge_document("report.html")),
    "key_in_source": ("redaction", a_source_by_a_key),
    "person": ("readers", rows_of("verdicts", a_person_by_name)),
    "withheld": ("tombstones", something_withheld),
    "null": ("contract", a_null),
    "rows": ("contract", one_row_more_than_told),
    "twice": ("contract", a_file_twice),
    "names": ("file_sets", splits_that_changed_names),
    "script": ("documents", a_page_that_runs_something),
    "page": ("documents", a_page_of_that_name_that_is_another),
    "licence": ("details", a_card_without_a_licence),
    "parameters": ("planning_paths", a_definition_that_takes_nothing),
}


@pytest.fixture(scope="module")
def known(demo_release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Store of results that a check of the sound release fills."""
    store = tmp_path_factory.mktemp("known")
    with remembering(store):
        check_release(demo_release, FURTHER_GATES)
    assert any(store.iterdir())
    return store


def found_by(gate: str, folder: Path) -> list[str]:
    further = [member for member in FURTHER_GATES if gate == "workflow"]
    view = view_gate(folder, read_manifest(folder))
    return [
        finding
        for member in further or [GATES.find(gate)]
        for finding in gate_findings(member, view)
    ]


@pytest.mark.parametrize("name", FORGED)
def test_a_forgery_is_found_with_and_without_memory(
    demo_release: Path, known: Path, tmp_path: Path, name: str
) -> None:
    gate, forgery = FORGED[name]
    folder = copied(demo_release, tmp_path)
    named = forgery(folder)
    expected = found_by(gate, folder)
    assert any(named in finding for finding in expected)
    with remembering(shutil.copytree(known, tmp_path / "known")):
        assert found_by(gate, folder) == expected


def test_a_check_runs_every_gate_and_finds_the_same_again(
    demo_release: Path, tmp_path: Path
) -> None:
    folder = copied(demo_release, tmp_path)
    names = ("argument", "capture", "kept", "key_in_cell", "length", "reference", "script")
    named = [FORGED[name][1](folder) for name in names]
    expected = findings_of(folder, FURTHER_GATES)
    assert [name for name in named if name not in expected] == []
    view = view_gate(folder, read_manifest(folder))
    gates = (*GATES.all().values(), *FURTHER_GATES)
    alone = [finding for gate in gates for finding in gate_findings(gate, view)]
    assert sorted(expected.splitlines()) == sorted(alone)
    for _ in range(2):
        with remembering(tmp_path / "known"):
            assert findings_of(folder, FURTHER_GATES) == expected
