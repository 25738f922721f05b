"""The release gate: every file is read again, and any difference is a finding."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchloom.errors import GateError, RunError
from benchloom.normalise.redaction import redaction_findings
from benchloom.release.manifest import (
    FORMAT,
    MANIFEST,
    MANIFEST_DIGEST,
    Manifest,
    ReleaseFile,
    content_digest,
    file_digest,
    read_manifest,
)
from benchloom.tables import ColumnDefinition, TableDefinition, load_table

MOST_FINDINGS = 100


def check_release(folder: Path) -> Manifest:
    """Check a release; its manifest when everything holds.

    Raises:
        RunError: there is no release in the folder.
        GateError: with one finding per difference, at most 100.
    """
    manifest = read_manifest(folder)
    findings: list[str] = []
    for finding in _findings(folder, manifest):
        findings.append(finding)
        if len(findings) == MOST_FINDINGS:
            findings.append("more findings are not listed")
            break
    if findings:
        raise GateError(f"release {folder.name}: {len(findings)} findings", tuple(findings))
    return manifest


def _findings(folder: Path, manifest: Manifest) -> Iterator[str]:
    if manifest.format != FORMAT:
        yield f"{MANIFEST}: format '{manifest.format}', expected '{FORMAT}'"
    if manifest.version != folder.name:
        yield f"{MANIFEST}: version {manifest.version} in folder {folder.name}"
    if content_digest(manifest.files) != manifest.content_digest:
        yield f"{MANIFEST}: content digest differs from its files"
    foreign = list(_extra_files(folder, manifest))
    yield from foreign
    sound: set[str] = set()
    for file in manifest.files:
        problem = _file_problem(folder, file)
        if problem is None:
            sound.add(file.path)
        else:
            yield problem
    for name in manifest.tables():
        files = [file for file in manifest.files if file.table == name]
        if all(file.path in sound for file in files):
            yield from _table_findings(folder, name, files)
    yield from _funnel_findings(manifest)
    shortcuts = [file.path for file in manifest.files if file.table == "shortcuts"]
    if shortcuts and not foreign and sound.issuperset(shortcuts):
        yield from redaction_findings(folder)


def _extra_files(folder: Path, manifest: Manifest) -> Iterator[str]:
    known = {file.path for file in manifest.files} | {MANIFEST, MANIFEST_DIGEST}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_dir() and name not in known:
            yield f"{name}: not in the manifest"


def _file_problem(folder: Path, file: ReleaseFile) -> str | None:
    path = folder / file.path
    if not path.is_file():
        return f"{file.path}: missing"
    if path.stat().st_size != file.bytes:
        return f"{file.path}: {path.stat().st_size} bytes, manifest says {file.bytes}"
    if file_digest(path) != file.sha256:
        return f"{file.path}: bytes differ from the manifest's sha256"
    return None


def _table_findings(folder: Path, name: str, files: list[ReleaseFile]) -> Iterator[str]:
    """Contract of one table: schema, rows, nulls, keys and order."""
    try:
        table = load_table(name)
    except RunError as error:
        yield str(error)
        return
    previous: tuple[object, ...] | None = None
    seen: set[tuple[object, ...]] = set()
    for file in files:
        with pq.ParquetFile(folder / file.path) as parquet:
            if not parquet.schema_arrow.equals(table.arrow_schema()):
                yield f"{file.path}: schema differs from datasets/{name}/dataset.yaml"
                continue
            if parquet.metadata.num_rows != file.rows:
                yield f"{file.path}: {parquet.metadata.num_rows} rows, manifest says {file.rows}"
            for group in range(parquet.num_row_groups):
                rows = parquet.read_row_group(group, use_threads=False)
                yield from _null_findings(file.path, table, rows)
                yield from _key_findings(file.path, table, rows, seen)
                order = list(_sort_keys(table, rows))
                for key in order:
                    if previous is not None and _comparable(key) < _comparable(previous):
                        yield f"{file.path}: rows are not sorted at {key}"
                        break
                    previous = key


def _sort_keys(table: TableDefinition, rows: pa.Table) -> Iterator[tuple[object, ...]]:
    columns = [rows.column(name).to_pylist() for name in table.sort]
    return zip(*columns, strict=True) if columns else iter(())


def _comparable(key: tuple[object, ...]) -> tuple[tuple[bool, object], ...]:
    return tuple((value is not None, value if value is not None else "") for value in key)


def _key_findings(
    path: str, table: TableDefinition, rows: pa.Table, seen: set[tuple[object, ...]]
) -> Iterator[str]:
    if not table.key:
        return
    for key in zip(*(rows.column(name).to_pylist() for name in table.key), strict=True):
        if key in seen:
            yield f"{path}: key {key} stands twice"
        seen.add(key)


def _null_findings(path: str, table: TableDefinition, rows: pa.Table) -> Iterator[str]:
    for column in table.columns:
        for place in _nulls(column, rows.column(column.name).combine_chunks(), column.name):
            yield f"{path}: null in {place}"


def _nulls(column: ColumnDefinition, array: pa.Array, place: str) -> Iterator[str]:
    """Places of nulls where the definition forbids them, nested fields included."""
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    if array.null_count and not column.nullable:
        yield place
    if column.is_list:
        array = pc.list_flatten(array)
        if array.null_count:
            yield f"{place}[]"
    if column.item_type == "struct":
        present = array.filter(array.is_valid()) if array.null_count else array
        for field in column.fields:
            child = pc.struct_field(present, field.name)
            yield from _nulls(field, child, f"{place}.{field.name}")


def _funnel_findings(manifest: Manifest) -> Iterator[str]:
    """Whether every object that went in came out as a row or with a reason."""
    by_stage = {step.stage: step for step in manifest.funnel}
    for step in manifest.funnel:
        if step.kept < 0:
            yield f"{MANIFEST}: funnel of {step.stage} leaves out more than it received"
    rejected = sum(sum(step.reasons.values()) for step in manifest.funnel)
    tables = manifest.tables()
    if "rejected" in tables and tables["rejected"] != rejected:
        yield f"rejected: {tables['rejected']} rows, the funnel's reasons add up to {rejected}"
    last = by_stage.get("normalise-shortcuts")
    if last is not None and last.kept != tables.get("shortcuts"):
        yield f"shortcuts: {tables.get('shortcuts')} rows, the funnel kept {last.kept}"
