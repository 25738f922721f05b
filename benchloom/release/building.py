"""Build a release in a temporary folder, check it, and then give the folder its final name.

A release contains Parquet tables, documents such as the dataset card, and a manifest that lists
every file with its digest. A failed build leaves earlier releases unchanged.
"""

import platform
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from types import MappingProxyType

import msgspec
import pyarrow as pa

import benchloom
from benchloom.core.data_files import checkout
from benchloom.core.errors import BalanceError, GateError, RunError
from benchloom.core.progress import counted, under_way
from benchloom.core.set_details import NO_DETAILS, SetDetails
from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.normalise.redaction.tables import redactor_of
from benchloom.release.checking import check_release
from benchloom.release.descriptions.tables import ReleaseTables
from benchloom.release.documents import write_documents
from benchloom.release.gates import AnyGate
from benchloom.release.manifest import (
    FORMAT,
    MANIFEST,
    BuildFacts,
    CreatedFrom,
    Manifest,
    Previous,
    ReleaseFile,
    content_digest,
    file_digest,
    write_manifest,
)
from benchloom.release.redacting import (
    LOCAL,
    Spread,
    TablePart,
    count_placeholders,
    redact_parts,
    redact_sources,
)
from benchloom.release.sharding import SHARD_BYTES, Shard, plan_files, remember_file, with_earlier
from benchloom.release.versions import (
    LATEST,
    list_releases,
    newest,
    point_latest,
    propose_version,
    version_key,
)
from benchloom.storage.code import release_code
from benchloom.storage.inputs import SourceFile
from benchloom.storage.stages import part_path
from benchloom.storage.tables import load_table, row_count, table_parts
from benchloom.storage.tables.merged_rows import TableParts, merge_tables
from benchloom.storage.workspace import (
    STATISTICS_TABLE,
    FunnelStep,
    StageMark,
    remove_leftovers,
    scratch_folder,
)

SCRATCH = ".scratch"


class ReleaseTable(msgspec.Struct, frozen=True):
    """A table to publish in a release, and the folder in which a pipeline stage wrote it.

    `stage` is set if `folder` is a copy: error messages then name the original folder, `stage`.
    """

    name: str
    folder: Path
    stage: Path | None = None


def build_release(
    tables: Sequence[ReleaseTable],
    marks: Sequence[StageMark],
    releases: Path,
    version: str | None = None,
    *,
    shard_bytes: int = SHARD_BYTES,
    further: Sequence[AnyGate] = (),
    spread: Spread = LOCAL,
    details: SetDetails = NO_DETAILS,
) -> Path:
    """Build a release from the output of finished pipeline stages, check it, and return its folder.

    The release is built and checked under a temporary name, then renamed, then `latest.json` is
    updated. Without a `version`, the next version is derived from the differences to the newest
    release; if content and `details` are equal, the newest release is returned instead. `further`
    lists additional checks (gates), which are passed to `check_release`.

    Raises RunError if the version exists or is invalid, and GateError if a check fails. In both
    cases, earlier releases and `latest.json` are unchanged.
    """
    releases.mkdir(parents=True, exist_ok=True)
    remove_leftovers(releases)
    if version is not None:
        version_key(version)
        if version in list_releases(releases):
            raise RunError(
                f"{releases}: release {version} already exists and is never changed; choose "
                "another version"
            )
    with scratch_folder(releases, "release") as temporary:
        earlier = _files_by_digest(releases)
        draft = draft_release(
            tables, marks, temporary, shard_bytes=shard_bytes, spread=spread, earlier=earlier
        )

        def check(folder: Path) -> Manifest:
            return check_release(folder, further=further, run=spread.run)

        return _check_and_name(draft, releases, version, check, details)


def _files_by_digest(releases: Path) -> dict[str, Path]:
    # Returns nothing if the newest release is damaged; then no file is reused.
    try:
        previous = newest(releases)
    except RunError:
        return {}
    if previous is None:
        return {}
    version, manifest = previous
    return {file.sha256: releases / version / file.path for file in manifest.files if file.table}


def _check_and_name(
    draft: "Draft",
    releases: Path,
    version: str | None,
    check: Callable[[Path], Manifest],
    details: SetDetails,
) -> Path:
    temporary = draft.folder
    previous = newest(releases)
    is_new = (
        previous is None
        or version is not None
        or (previous[1].content_digest, previous[1].details) != (draft.digest, details)
    )
    if previous is not None and not is_new:
        final = releases / previous[0]
        check(final)
        point_latest(releases, previous[0])
        return final
    if version is None:
        version = propose_version(releases / previous[0] if previous else None, temporary)
    link = _link(releases, previous[0]) if previous else None
    describe_release(draft, version, link, details)
    try:
        check(temporary)
    except GateError as error:
        message = f"{error}; the release was not made, and {LATEST} is unchanged"
        raise GateError(message, error.findings) from error
    final = releases / version
    temporary.rename(final)
    point_latest(releases, list_releases(releases)[-1])
    return final


@dataclass(frozen=True)
class Draft:
    """An unfinished release: its tables are written, its documents and its manifest are not.

    `files` are the written table files, and `digest` is the digest of their content. `merged` maps
    a table name to the number of rows that were merged with equal rows of another stage.
    """

    folder: Path
    files: tuple[ReleaseFile, ...]
    digest: str
    marks: Sequence[StageMark]
    sources: frozenset[SourceFile]
    statistics: dict[str, str]
    redactor: CellRedactor
    merged: dict[str, int]
    spread: Spread = LOCAL


def draft_release(
    tables: Sequence[ReleaseTable],
    marks: Sequence[StageMark],
    folder: Path,
    *,
    shard_bytes: int = SHARD_BYTES,
    spread: Spread = LOCAL,
    earlier: Mapping[str, Path] = MappingProxyType({}),
) -> Draft:
    """Write the tables of a new release into `folder`, with secret and personal values replaced.

    `spread` runs the work in several processes. `earlier` maps the SHA-256 digest of a file in the
    newest release to its path: a file with equal content is copied instead of written again. Raises
    RunError if two stages have different rows with the same key.
    """
    sources = frozenset(file for mark in marks for file in mark.sources)
    statistics = _statistics(tables)
    with under_way("release: merging equal rows"):
        stages = [
            TableParts(table.name, table.stage or table.folder, _parts(table)) for table in tables
        ]
        merged = merge_tables(stages, folder / SCRATCH / "merged")
    with under_way("release: searching for private data"):
        redactor = redactor_of(_all_parts(merged.tables), sources)
    files = _copy_tables(merged.tables, folder, shard_bytes, redactor, spread, earlier=earlier)
    _check_balance(stages, merged.counts, files)
    digest = content_digest(files)
    return Draft(folder, files, digest, marks, sources, statistics, redactor, merged.counts, spread)


def describe_release(
    draft: Draft,
    version: str,
    previous: Previous | None = None,
    details: SetDetails = NO_DETAILS,
) -> None:
    """Write the documents and the manifest of a draft. No checks are run."""
    manifest = Manifest(
        format=FORMAT,
        version=version,
        content_digest=draft.digest,
        created_from=CreatedFrom(
            sources=redact_sources(draft.sources, draft.redactor),
            stages=tuple(sorted({mark.key for mark in draft.marks})),
            released=tuple(sorted({mark.stage for mark in draft.marks})),
        ),
        files=draft.files,
        funnel=_funnel(draft.marks),
        redactions=placeholder_counts(draft.folder, draft.files),
        merged=draft.merged,
        statistics={n: draft.redactor.document(t)[0] for n, t in draft.statistics.items()},
        made=_build_facts(),
        previous=previous,
        details=details,
    )
    documents = write_documents(draft.folder, manifest, draft.redactor, draft.spread)
    manifest = msgspec.structs.replace(manifest, files=(*documents, *draft.files))
    write_manifest(draft.folder, manifest)


def _check_balance(
    stages: Sequence[TableParts], merged: dict[str, int], files: Sequence[ReleaseFile]
) -> None:
    stage_rows: Counter[str] = Counter()
    for stage in stages:
        stage_rows[stage.name] += sum(row_count(part) for part in stage.parts)
    written: Counter[str] = Counter()
    for file in files:
        written[file.table or ""] += file.rows or 0
    for name, rows in stage_rows.items():
        if rows != written[name] + merged.get(name, 0):
            raise BalanceError(
                "release",
                f"stages contain {rows} rows of {name}, but {written[name]} were written "
                f"and {merged.get(name, 0)} merged with others",
            )


def _link(releases: Path, version: str) -> Previous:
    return Previous(version, file_digest(releases / version / MANIFEST))


def _all_parts(tables: Sequence[TableParts]) -> dict[str, list[Path]]:
    parts_by_table: dict[str, list[Path]] = {}
    for table in tables:
        parts_by_table.setdefault(table.name, []).extend(table.parts)
    return parts_by_table


def placeholder_counts(folder: Path, files: Sequence[ReleaseFile]) -> dict[str, dict[str, int]]:
    """Return, per table, how many placeholders of each kind replaced secret or personal values.

    Tables with a column `redactions` are left out, because this column already counts placeholders.
    """
    tables = ReleaseTables(folder, tuple(files))
    counts_by_table: dict[str, dict[str, int]] = {}
    for name in sorted({file.table for file in files if file.table is not None}):
        table = load_table(name)
        if all(column.name != "redactions" for column in table.columns):
            counts: Counter[str] = Counter()
            for in_file in tables.each(name, dict[str, int], count_placeholders, name):
                counts.update(in_file)
            if counts:
                counts_by_table[name] = dict(sorted(counts.items()))
    return counts_by_table


def _copy_tables(
    tables: Sequence[TableParts],
    folder: Path,
    shard_bytes: int,
    redactor: CellRedactor,
    spread: Spread,
    *,
    earlier: Mapping[str, Path],
) -> tuple[ReleaseFile, ...]:
    scratch = folder / SCRATCH
    parts = [
        TablePart(table.name, path, part_path(scratch / str(number), table.name, at))
        for number, table in enumerate(tables)
        for at, path in enumerate(table.parts)
    ]
    redacted = iter(redact_parts(parts, redactor, spread))
    stages = [list(islice(redacted, len(table.parts))) for table in tables]
    shards: list[Shard] = []
    for name in sorted({table.name for table in tables}):
        chosen = [stages[at] for at, table in enumerate(tables) if table.name == name]
        shards += plan_files(chosen, name, folder, scratch, shard_bytes)
    # Made a list now, because the keys of files read inputs that are removed below.
    to_write = list(with_earlier(shards, earlier))
    written = spread.run(partial(_release_file, folder), to_write)
    files = tuple(counted(written, "release: writing", len(shards), "files"))
    for shard, file in zip(to_write, files, strict=True):
        remember_file(shard, file.sha256)
    shutil.rmtree(scratch, ignore_errors=True)
    return files


def _release_file(folder: Path, shard: Shard) -> ReleaseFile:
    shard.write()
    return ReleaseFile(
        path=shard.target.relative_to(folder).as_posix(),
        bytes=shard.target.stat().st_size,
        sha256=file_digest(shard.target),
        table=shard.table,
        rows=row_count(shard.target),
    )


def _parts(table: ReleaseTable) -> list[Path]:
    parts = table_parts(table.folder, table.name)
    if not parts:
        raise RunError(
            f"{table.folder}: contains no table '{table.name}'; run the stage that writes it again"
        )
    return parts


def _statistics(tables: Sequence[ReleaseTable]) -> dict[str, str]:
    texts_by_table = {}
    for table in tables:
        path = table.folder / STATISTICS_TABLE
        if load_table(table.name).key and path.is_file():
            texts_by_table[table.name] = path.read_text(encoding="utf-8")
    return texts_by_table


def _funnel(marks: Sequence[StageMark]) -> tuple[FunnelStep, ...]:
    steps: list[FunnelStep] = []
    for mark in marks:
        steps.extend(step for step in mark.funnel() if step not in steps)
    return tuple(steps)


def _build_facts() -> BuildFacts:
    return BuildFacts(
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        benchloom=benchloom.__version__,
        commit=_commit(),
        python=platform.python_version(),
        pyarrow=pa.__version__,
        system=platform.system(),
        code=release_code(),
    )


def _commit() -> str | None:
    git, root = shutil.which("git"), checkout()
    if git is None or root is None or not (root / ".git").exists():
        return None
    command = [git, "-C", str(root), "rev-parse", "HEAD"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  a fixed command of git
    return answer.stdout.strip() or None if answer.returncode == 0 else None
