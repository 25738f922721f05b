"""Building a release: tables from finished stages, card, manifest, then one rename."""

import platform
import shutil
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import benchloom
from benchloom.errors import RunError
from benchloom.inputs import SourceFile
from benchloom.release.documents import write_documents
from benchloom.release.manifest import (
    FORMAT,
    MANIFEST,
    CreatedFrom,
    Made,
    Manifest,
    Previous,
    ReleaseFile,
    content_digest,
    file_digest,
    write_manifest,
)
from benchloom.release.versions import (
    list_releases,
    newest,
    point_latest,
    propose_version,
    version_key,
)
from benchloom.stages import part_path
from benchloom.tables import TableWriter, load_table, read_rows, table_parts
from benchloom.workspace import STATISTICS_TABLE, FunnelStep, StageMark, remove_leftovers


class ReleaseTable(msgspec.Struct, frozen=True):
    """A table of the release and the finished stage folder it comes from."""

    name: str
    folder: Path


def build_release(
    tables: Sequence[ReleaseTable],
    marks: Sequence[StageMark],
    releases: Path,
    version: str | None = None,
) -> Path:
    """Build a release from finished stages and return its folder.

    The same content as the newest release makes no new one: that folder is returned. Without a
    `version` the next one is proposed from the differences.

    Raises:
        RunError: the version exists or is not a version.
    """
    releases.mkdir(parents=True, exist_ok=True)
    remove_leftovers(releases)
    if version is not None:
        version_key(version)
        if version in list_releases(releases):
            raise RunError(f"release {version} exists; releases are never changed")
    temporary = releases / f".tmp-{_process()}-release"
    temporary.mkdir()
    try:
        return _build(tables, marks, releases, temporary, version)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _process() -> int:
    import os

    return os.getpid()


def _build(
    tables: Sequence[ReleaseTable],
    marks: Sequence[StageMark],
    releases: Path,
    temporary: Path,
    version: str | None,
) -> Path:
    files = _copy_tables(tables, temporary)
    digest = content_digest(files)
    previous = newest(releases)
    if previous is not None and previous[1].content_digest == digest and version is None:
        return releases / previous[0]
    if version is None:
        version = propose_version(releases / previous[0] if previous else None, temporary)
    sources = {file for mark in marks for file in mark.sources}
    manifest = Manifest(
        format=FORMAT,
        version=version,
        content_digest=digest,
        created_from=CreatedFrom(
            sources=tuple(sorted(sources, key=_source_order)),
            stages=tuple(sorted({mark.key for mark in marks})),
        ),
        files=files,
        funnel=_funnel(marks),
        made=_made(),
        previous=_tie(releases, previous[0]) if previous else None,
    )
    documents = write_documents(temporary, manifest, _statistics(tables))
    manifest = msgspec.structs.replace(manifest, files=(*documents, *files))
    write_manifest(temporary, manifest)
    final = releases / version
    temporary.rename(final)
    point_latest(releases, list_releases(releases)[-1])
    return final


def _tie(releases: Path, version: str) -> Previous:
    return Previous(version, file_digest(releases / version / MANIFEST))


def _source_order(file: SourceFile) -> tuple[str, str]:
    return (file.source_uri, file.digest)


def _copy_tables(tables: Sequence[ReleaseTable], folder: Path) -> tuple[ReleaseFile, ...]:
    """Copy the files of every table; a table of several stages becomes one sorted file."""
    files: list[ReleaseFile] = []
    names = dict.fromkeys(table.name for table in sorted(tables, key=lambda found: found.name))
    for name in names:
        sources = [_parts(table) for table in tables if table.name == name]
        if len(sources) > 1 or not _in_order(sources[0], name):
            targets = [_merge([part for parts in sources for part in parts], name, folder)]
        else:
            targets = [part_path(folder, name, number) for number in range(len(sources[0]))]
            for part, target in zip(sources[0], targets, strict=True):
                target.parent.mkdir(exist_ok=True)
                shutil.copyfile(part, target)
        files += [
            ReleaseFile(
                path=target.relative_to(folder).as_posix(),
                bytes=target.stat().st_size,
                sha256=file_digest(target),
                table=name,
                rows=pq.read_metadata(target).num_rows,
            )
            for target in targets
        ]
    return tuple(files)


def _parts(table: ReleaseTable) -> list[Path]:
    parts = table_parts(table.folder, table.name)
    if not parts:
        raise RunError(f"{table.folder}: no table '{table.name}'")
    return parts


def _in_order(parts: Sequence[Path], name: str) -> bool:
    """Whether the rows of a stage already stand in the table's order."""
    columns = list(load_table(name).sort)
    previous: tuple[tuple[bool, object], ...] | None = None
    for part in parts:
        rows = read_rows(part, columns)
        keys = zip(*(rows.column(column).to_pylist() for column in columns), strict=True)
        for key in keys:
            current = tuple((value is not None, "" if value is None else value) for value in key)
            if previous is not None and current < previous:
                return False
            previous = current
    return True


def _merge(parts: Sequence[Path], name: str, folder: Path) -> Path:
    """One file of the rows of several stages in the table's order."""
    target = part_path(folder, name, 0)
    table = load_table(name)
    rows = pa.concat_tables([read_rows(part) for part in parts])
    keys = [(column, "ascending", "at_start") for column in table.sort]
    order = pc.sort_indices(rows, sort_keys=keys)
    with TableWriter(name, target) as writer:
        for start in range(0, rows.num_rows, table.row_group_rows):
            writer.add_table(rows.take(order[start : start + table.row_group_rows]))
    return target


def _statistics(tables: Sequence[ReleaseTable]) -> dict[str, str]:
    """What the stages tell of their own table in `statistics.md`."""
    found = {}
    for table in tables:
        path = table.folder / STATISTICS_TABLE
        if load_table(table.name).key and path.is_file():
            found[table.name] = path.read_text(encoding="utf-8")
    return found


def _funnel(marks: Sequence[StageMark]) -> tuple[FunnelStep, ...]:
    """The steps of all chains, each once, in order."""
    steps: list[FunnelStep] = []
    for mark in marks:
        steps.extend(step for step in mark.funnel() if step not in steps)
    return tuple(steps)


def _made() -> Made:
    return Made(
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        benchloom=benchloom.__version__,
        commit=_commit(),
        python=platform.python_version(),
        pyarrow=pa.__version__,
        system=platform.system(),
    )


def _commit() -> str | None:
    """The commit of the checkout benchloom runs from, None outside of one."""
    git = shutil.which("git")
    if git is None:
        return None
    root = Path(__file__).resolve().parents[2]
    command = [git, "-C", str(root), "rev-parse", "HEAD"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return answer.stdout.strip() or None if answer.returncode == 0 else None
