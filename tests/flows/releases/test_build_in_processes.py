"""Check that a release built and checked in several processes is the same as in one."""

import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchloom.core.errors import GateError, RunError
from benchloom.core.records import Rejected
from benchloom.normalise.redaction import texts
from benchloom.normalise.redaction.finders import Span
from benchloom.release import ReleaseTable, build_release, check_release, redacting
from benchloom.release.building import SCRATCH
from benchloom.release.checking import MAX_FINDINGS
from benchloom.release.redacting import Spread
from benchloom.storage.memory import remembering
from benchloom.storage.tables import load_table, table_parts
from benchloom.storage.workspace import scratch_folder
from flows.run.engines import EngineRequest, current_engine, use_engine
from flows.run.processes.workers import mapping
from flows.stages.release import FURTHER_GATES
from tests.flows.releases.test_redacted_release import (
    KEY,
    MAIL,
    OTHER,
    make_listing,
    make_query,
    write_stage,
)
from tests.support.folders import contents
from tests.support.samples.described import full_release
from tests.support.samples.small_release import replace_entry

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    import msgspec

COUNT = 30
Run = Callable[..., Iterable[Any]]


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make pieces and documents small, so that a small release is divided among processes."""
    monkeypatch.setattr(redacting, "_PIECE_BYTES", 1)
    monkeypatch.setattr(redacting, "_DOCUMENT_BYTES", 10_000)


def clear_scan_caches() -> None:
    """Clear the results of searches that this process remembers."""
    texts._long.clear()
    texts._scan_short.cache_clear()


def build_with_secrets(folder: Path, run: Run) -> Path:
    """Build a release of listings, texts and rejected rows with secrets in every table."""
    tables: dict[str, list[msgspec.Struct]] = {
        "listings": [
            make_listing(
                number, f"write to {number}{MAIL}" if number % 3 else KEY, f"{OTHER}.{number}"
            )
            for number in range(COUNT)
        ],
        "queries": [make_query(number, f"Say hello {number} times") for number in range(COUNT)],
        "rejected": [
            Rejected("parse", f"{number}{MAIL}.html", "damaged", f"not read: {KEY}")
            for number in range(COUNT)
        ],
    }
    mark = write_stage(folder / "stage", tables)
    parts = [ReleaseTable(name, folder / "stage") for name in tables]
    with remembering(folder / "store"), scratch_folder(folder, "release") as scratch:
        return build_release(parts, [mark], folder / "releases", spread=Spread(run, scratch))


def checked_contents(release: Path) -> dict[str, bytes]:
    """Return the contents of a release without its manifest, which states the time.

    No file may contain a planted secret.
    """
    assert not (release / SCRATCH).exists()
    content_by_file = contents(release)
    assert not any(
        MAIL.encode() in content or KEY.encode() in content for content in content_by_file.values()
    )
    return {
        name: content_by_file[name] for name in content_by_file if not name.startswith("manifest.")
    }


def test_release_of_several_processes_equals_release_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clear_scan_caches()
    alone = build_with_secrets(tmp_path / "one", map)
    clear_scan_caches()
    with mapping(2) as run:
        several = build_with_secrets(tmp_path / "two", run)
    assert checked_contents(alone) == checked_contents(several)

    # Texts that other processes searched are not searched again, except those only the check reads.
    clear_scan_caches()
    searched_texts: list[str] = []
    search = texts._secret_spans

    def record_search(text: str, *, rendered: bool) -> tuple[Span, ...]:
        searched_texts.append(text)
        return search(text, rendered=rendered)

    monkeypatch.setattr(texts, "_secret_spans", record_search)
    build_with_secrets(tmp_path / "two", map)
    assert [text for text in searched_texts if "[redacted:" not in text] == []


def test_documents_of_several_processes_equal_those_of_one(tmp_path: Path) -> None:
    alone = full_release(tmp_path / "one")
    (tmp_path / "spread").mkdir()
    with mapping(2) as run:
        several = full_release(tmp_path / "two", Spread(run, tmp_path / "spread"))
    contents_by_run = [contents(folder) for folder in (alone, several)]
    assert sum(name.endswith(".html") for name in contents_by_run[0]) > 10
    for content_by_file in contents_by_run:
        content_by_file.pop("manifest.json")
        content_by_file.pop("manifest.sha256", None)
    assert contents_by_run[0] == contents_by_run[1]
    assert [path.name for path in (tmp_path / "spread").iterdir()] == ["redactor"]


def test_release_of_dask_workers_equals_release_of_one_process(tmp_path: Path) -> None:
    alone = build_with_secrets(tmp_path / "here", map)
    engine_request = EngineRequest(workspace=tmp_path / "w", workers=1)
    with use_engine("dask", engine_request), current_engine().mapping(1) as run:
        several = build_with_secrets(tmp_path / "w", run)
    assert checked_contents(alone) == checked_contents(several)


@pytest.mark.parametrize("damage", ["changed", "gone"])
def test_changed_or_missing_redactor_file_ends_the_run(tmp_path: Path, damage: str) -> None:
    def damage_redactor(work: Callable[[Any], Any], pieces: Iterable[Any]) -> Iterator[Any]:
        (path,) = tmp_path.glob(".*/redactor")  # it contains names that no release may contain
        if damage == "gone":
            path.unlink()
        else:
            path.write_bytes(b"\x92\x90\x80")
        return map(work, pieces)

    with pytest.raises(RunError, match=r"redactor(:| was changed) .*run again"):
        build_with_secrets(tmp_path, damage_redactor)
    assert list((tmp_path / "releases").iterdir()) == []
    assert not list(tmp_path.glob(".*"))
    assert checked_contents(build_with_secrets(tmp_path, map))


def test_damaged_results_of_other_processes_change_no_release(tmp_path: Path) -> None:
    def damage_results(work: Callable[[Any], Any], pieces: Iterable[Any]) -> Iterator[Any]:
        for result in map(work, pieces):
            for path in tmp_path.rglob("learned/*"):
                path.write_bytes(b"no store")
            yield result

    clear_scan_caches()
    damaged_run = build_with_secrets(tmp_path / "lost", damage_results)
    assert checked_contents(damaged_run) == checked_contents(
        build_with_secrets(tmp_path / "whole", map)
    )


def forge_shortcuts(folder: Path, interval: int) -> None:
    """Change the length in every n-th shortcut row and add an email address to its workflow."""
    schema = load_table("shortcuts").arrow_schema()
    for part in table_parts(folder, "shortcuts"):
        rows = pq.read_table(part).to_pylist()
        for row in rows[::interval]:
            row["length"] += 1
            row["workflow"] += "\n# a.person" + "@" + "host.example.com"
        pq.write_table(pa.Table.from_pylist(rows, schema), part)
        replace_entry(folder, part)


@pytest.mark.parametrize("interval", [4, 1])
def test_findings_do_not_depend_on_number_of_processes(
    built_release: Path, tmp_path: Path, interval: int
) -> None:
    folder = shutil.copytree(built_release, tmp_path / built_release.name)
    forge_shortcuts(folder, interval)
    findings = []
    for workers in (1, 2):
        with mapping(workers) as run, pytest.raises(GateError) as caught:
            check_release(folder, FURTHER_GATES, run)
        findings.append(caught.value.findings)
    assert findings[0] == findings[1]
    columns = {word for finding in findings[0] for word in re.findall(r": (?:the )?(\w+)", finding)}
    assert {"length", "workflow"} <= columns or len(findings[0]) > MAX_FINDINGS
