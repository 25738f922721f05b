"""Check that a gate finds the same faults of a forged release with and without stored results."""

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
    change_length,
    copy_release,
    damage_table,
    file_entry,
    findings_of,
    seal,
)
from tests.flows.releases.test_redacted_release import KEY, forge_cell, forge_document

pytestmark = pytest.mark.prefect
Forge = Callable[[Path], str]
"""Changes a release, reseals it, and returns the text that a finding must contain."""


def change_rows(table: str, change: Callable[[list[Row]], str]) -> Forge:
    return lambda folder: damage_table(folder, table, change)


def extend_workflow(rows: list[Row]) -> str:
    rows[0]["workflow"] += "\nand one more action"
    return "the workflow text does not match the actions"


def put_key_into_workflow(rows: list[Row]) -> str:
    rows[0]["workflow"] += f"\n{KEY}"
    return "still contains: a reference, workflow"


def name_a_person(rows: list[Row]) -> str:
    rows[0]["check"] = "human:anna"
    rows.sort(key=lambda row: (row["target_id"], row["check"]))
    return "a person is not identified by a number"


def withhold_released_digest(rows: list[Row]) -> str:
    row = rows[-1]
    row |= {"reason": "opted_out", "digest": WITHHELD[0]}
    names = ("stage", "source_uri", "reason", "digest", "message")
    rows.sort(key=lambda row_after: [row_after[name] or "" for name in names])
    return f"{WITHHELD[0]} is withheld"


WITHHELD: list[str] = []


def withhold_released_shortcut(folder: Path) -> str:
    (part, *_) = table_parts(folder, "shortcuts")
    WITHHELD[:] = pq.read_table(part, columns=["source_digest"])[0].to_pylist()[:1]
    return damage_table(folder, "rejected", withhold_released_digest)


def put_null_into_apps(folder: Path) -> str:
    part = table_parts(folder, "apps")[0]
    rows = pq.read_table(part).to_pylist()
    rows[0]["shortcuts"] = None
    pq.write_table(pa.Table.from_pylist(rows, load_table("apps").arrow_schema()), part)
    seal(folder, [file_entry(folder, part, "apps", len(rows))])
    return f"apps/{part.name}: column shortcuts contains null"


def overstate_row_count(folder: Path) -> str:
    part = table_parts(folder, "apps")[0]
    rows = pq.read_table(part).num_rows + 1
    seal(folder, [file_entry(folder, part, "apps", rows)])
    return f"apps/{part.name}: contains {rows - 1} rows, but the manifest states {rows}"


def copy_file_of_verdicts(folder: Path) -> str:
    (part,) = table_parts(folder, "verdicts")
    written = []
    for number in range(2):
        target = part.with_name(f"unsplit-0000{number}-of-00002.parquet")
        shutil.copyfile(part, target)
        written.append(file_entry(folder, target, "verdicts", pq.read_metadata(part).num_rows))
    part.unlink()
    seal(folder, written)
    return "occurs twice"


def swap_files_of_two_splits(folder: Path) -> str:
    first, second = table_parts(folder, "shortcuts")[:2]
    swapped = folder / "swapped"
    first.rename(swapped)
    second.rename(first)
    swapped.rename(second)
    parts = table_parts(folder, "shortcuts")
    seal(folder, [file_entry(folder, p, "shortcuts", pq.read_metadata(p).num_rows) for p in parts])
    return f"shortcuts/{first.name}: contains a row of split"


def put_script_into_report(folder: Path) -> str:
    page = folder / "report.html"
    page.write_text(page.read_text().replace("</main>", "<script>alert(1)</script></main>", 1))
    seal(folder, [file_entry(folder, page)])
    return "report.html: line"


def replace_metadata_by_page(folder: Path) -> str:
    """Replace croissant.json by a page that an earlier check found sound."""
    page = folder / "croissant.json"
    shutil.copyfile(folder / "report.html", page)
    seal(folder, [file_entry(folder, page)])
    return "croissant.json: is not valid JSON"


def remove_licence_from_card(folder: Path) -> str:
    card = folder / "README.md"
    lines = [line for line in card.read_text().splitlines(keepends=True) if line[:5] != "licen"]
    card.write_text("".join(lines))
    seal(folder, [file_entry(folder, card)])
    return "README.md: 'license' differs from the details in the manifest"


def put_key_into_source(folder: Path) -> str:
    manifest = read_manifest(folder)
    source = SourceFile(source_uri=f"{KEY}/x.json", digest=f"file:sha256:{64 * '0'}", size=1)
    origin = msgspec.structs.replace(
        manifest.created_from, sources=(*manifest.created_from.sources, source)
    )
    write_manifest(folder, msgspec.structs.replace(manifest, created_from=origin))
    return "manifest.json: a source still contains: aws_key 1"


def remove_parameters_of_definitions(folder: Path) -> str:
    """Remove all parameters; an earlier check found the plans sound with them."""

    def change(rows: list[Row]) -> str:
        for row in rows:
            row["parameters"] = []
        return "unknown_argument"

    return damage_table(folder, "api_definitions", change)


FORGERIES: dict[str, tuple[str, Forge]] = {
    **{name: (gate, change_rows(table, change)) for name, (gate, table, change) in DAMAGES.items()},
    "length": ("derived", change_rows("shortcuts", change_length)),
    "workflow": ("workflow", change_rows("shortcuts", extend_workflow)),
    "key_in_workflow": ("redaction", change_rows("shortcuts", put_key_into_workflow)),
    "key_in_cell": ("redaction", forge_cell("listings", "description", f"ask {KEY}")),
    "key_in_page": ("redaction", forge_document("report.html")),
    "key_in_source": ("redaction", put_key_into_source),
    "person": ("readers", change_rows("verdicts", name_a_person)),
    "withheld": ("tombstones", withhold_released_shortcut),
    "null": ("contract", put_null_into_apps),
    "rows": ("contract", overstate_row_count),
    "twice": ("contract", copy_file_of_verdicts),
    "names": ("file_sets", swap_files_of_two_splits),
    "script": ("documents", put_script_into_report),
    "page": ("documents", replace_metadata_by_page),
    "licence": ("details", remove_licence_from_card),
    "parameters": ("planning_paths", remove_parameters_of_definitions),
}


@pytest.fixture(scope="module")
def sound_results(demo_release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the store of results that a check of the sound release has filled."""
    store = tmp_path_factory.mktemp("known")
    with remembering(store):
        check_release(demo_release, FURTHER_GATES)
    assert any(store.iterdir())
    return store


def findings_of_gate(gate: str, folder: Path) -> list[str]:
    further = [member for member in FURTHER_GATES if gate == "workflow"]
    view = view_gate(folder, read_manifest(folder))
    return [
        finding
        for member in further or [GATES.find(gate)]
        for finding in gate_findings(member, view)
    ]


@pytest.mark.parametrize("name", FORGERIES)
def test_gate_finds_forgery_with_and_without_stored_results(
    demo_release: Path, sound_results: Path, tmp_path: Path, name: str
) -> None:
    gate, forgery = FORGERIES[name]
    folder = copy_release(demo_release, tmp_path)
    expected_text = forgery(folder)
    expected = findings_of_gate(gate, folder)
    assert any(expected_text in finding for finding in expected)
    with remembering(shutil.copytree(sound_results, tmp_path / "known")):
        assert findings_of_gate(gate, folder) == expected


def test_release_check_runs_every_gate_and_repeats_findings(
    demo_release: Path, tmp_path: Path
) -> None:
    folder = copy_release(demo_release, tmp_path)
    names = ("argument", "capture", "kept", "key_in_cell", "length", "reference", "script")
    expected_texts = [FORGERIES[name][1](folder) for name in names]
    expected = findings_of(folder, FURTHER_GATES)
    assert [name for name in expected_texts if name not in expected] == []
    view = view_gate(folder, read_manifest(folder))
    gates = (*GATES.all().values(), *FURTHER_GATES)
    findings_of_single_gates = [finding for gate in gates for finding in gate_findings(gate, view)]
    assert sorted(expected.splitlines()) == sorted(findings_of_single_gates)
    for _ in range(2):
        with remembering(tmp_path / "known"):
            assert findings_of(folder, FURTHER_GATES) == expected
