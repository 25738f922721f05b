"""A release is checked in several processes as in one: the same findings, in the same order."""

import re
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchloom.core.errors import GateError
from benchloom.release import check_release
from benchloom.release.checking import MAX_FINDINGS
from benchloom.storage.tables import load_table, table_parts
from flows.run.processes.workers import mapping
from flows.stages.release import FURTHER_GATES
from tests.support.samples.small_release import replace_entry


def forge(folder: Path, every: int) -> None:
    """In every so many shortcuts tell another length, and an address in the workflow."""
    schema = load_table("shortcuts").arrow_schema()
    for part in table_parts(folder, "shortcuts"):
        rows = pq.read_table(part).to_pylist()
        for row in rows[::every]:
            row["length"] += 1
            row["workflow"] += "\n# a.person" + "@" + "host.example.com"
        pq.write_table(pa.Table.from_pylist(rows, schema), part)
        replace_entry(folder, part)


@pytest.mark.long
@pytest.mark.parametrize("every", [4, 1])
def test_findings_do_not_depend_on_processes(
    built_release: Path, tmp_path: Path, every: int
) -> None:
    folder = shutil.copytree(built_release, tmp_path / built_release.name)
    forge(folder, every)
    findings = []
    for workers in (1, 2):
        with mapping(workers) as run, pytest.raises(GateError) as caught:
            check_release(folder, FURTHER_GATES, run)
        findings.append(caught.value.findings)
    assert findings[0] == findings[1]
    columns = {word for finding in findings[0] for word in re.findall(r": (?:the )?(\w+)", finding)}
    assert {"length", "workflow"} <= columns or len(findings[0]) > MAX_FINDINGS
